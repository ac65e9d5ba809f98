"""The rules of the house hold everywhere, and each of them can fail."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from bot.adapters.slack.texts import TEXTS
from core.capabilities.all import CAPABILITIES
from core.language import add_texts, pick
from tests import architecture_rules as rules

ROOT = Path(__file__).parents[1]
HARD_LINES, USUAL_LINES, FILE_LINES = 60, 30, 600
METHODS, PARAMETERS = 15, 7
# Shares of all functions of the product: referenced once, and of those the short ones. They may only fall.
REFERENCED_ONCE, SHORT_ONCE = 0.215, 0.04
NOT_OURS = {".venv", ".git", "build", "dist", "data", "node_modules"}


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(path for path in (ROOT / folder).rglob("*.py") if "__pycache__" not in path.parts)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def house() -> list[tuple[str, int]]:
    """Return every function of the program and of the emulators with its length."""
    files = sources("bot", "core", "teller_tools", "tests/emulators")
    return [(f"{name(path)} {f.name}", f.lines) for path in files for f in rules.functions(read(path))]


def classes() -> Iterator[tuple[Path, rules.Class]]:
    """Return every class of the program with its file."""
    for path in sources("bot", "core", "teller_tools"):
        yield from ((path, one) for one in rules.classes(read(path)))


def prose() -> list[Path]:
    """Return what people read or run beside the code."""
    kinds = ("*.md", "*.yaml", "*.toml", "Makefile", "Dockerfile", ".ci/*")
    found = [path for kind in kinds for path in ROOT.rglob(kind)]
    return [path for path in found if path.is_file() and not NOT_OURS & set(path.relative_to(ROOT).parts)]


def test_no_function_is_longer_than_sixty_lines() -> None:
    assert [f"{where}: {lines}" for where, lines in house() if lines > HARD_LINES] == []


def test_nine_of_ten_functions_fit_in_thirty_lines() -> None:
    lengths = [lines for _, lines in house()]
    assert sum(lines <= USUAL_LINES for lines in lengths) / len(lengths) >= 0.9


def test_no_class_has_too_many_methods() -> None:
    found = {f"{module(path)}.{one.name}": one.methods for path, one in classes()}
    assert {name for name, methods in found.items() if methods > METHODS} == rules.LARGE_CLASSES


def test_no_constructor_takes_too_many_parameters() -> None:
    found = {f"{module(path)}.{one.name}": one.parameters for path, one in classes()}
    assert {name for name, parameters in found.items() if parameters > PARAMETERS} == rules.LARGE_CONSTRUCTORS


def test_few_functions_are_referenced_only_once() -> None:
    total, once, short = rules.references([read(path) for path in sources("bot", "core", "teller_tools")])
    assert once / total <= REFERENCED_ONCE
    assert short / total <= SHORT_ONCE


def test_no_file_is_longer_than_six_hundred_lines() -> None:
    lengths = {name(path): len(read(path).splitlines()) for path in sources("bot", "core", "teller_tools", "tests")}
    assert {path: lines for path, lines in lengths.items() if lines > FILE_LINES} == {}


def test_drivers_stay_in_their_rooms() -> None:
    found = {
        name(path): rules.foreign_drivers(module(path), read(path)) for path in sources("bot", "core", "teller_tools")
    }
    assert {path: drivers for path, drivers in found.items() if drivers} == {}


def test_capabilities_import_each_other_only_along_written_arrows() -> None:
    found = {arrow for path in sources("core/capabilities") for arrow in rules.neighbours(module(path), read(path))}
    assert found == rules.ARROWS


def test_capabilities_import_each_other_in_no_circle() -> None:
    arrows = TopologicalSorter[str]()
    for importer, imported in rules.ARROWS:
        arrows.add(importer, imported)
    arrows.prepare()  # raises where there is a circle


def test_nothing_forbidden_is_written_anywhere() -> None:
    found = {name(path): rules.forbidden(read(path)) for path in sources("bot", "core", "teller_tools", "tests")}
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_every_text_that_is_said_is_there() -> None:
    for texts in (TEXTS, *(one.texts for one in CAPABILITIES)):
        add_texts(texts)
    # What a provider sends is called `texts` there, too.
    saying = [path for path in sources("core", "bot/adapters") if "llm" not in path.parts]
    found = {name(path): sorted(set(rules.said(read(path))) - set(pick("en").texts)) for path in saying}
    assert {path: keys for path, keys in found.items() if keys} == {}


def test_every_table_is_keyed_by_tenant_and_scope() -> None:
    sql = "\n".join(read(path) for path in sorted(ROOT.glob("core/store/schema/*.sql")))
    assert rules.unscoped(rules.tables(sql)) == []


def test_docs_name_no_path_of_anybodys_machine() -> None:
    found = {name(path): rules.machine_paths(read(path)) for path in prose()}
    assert {path: paths for path, paths in found.items() if paths} == {}


def test_a_handler_that_is_registered_is_no_function_with_one_caller() -> None:
    registered = (
        "import other\n"
        "COMMANDS = {'a': _a, **_table()}\n"
        "INTENTS = (Intent('b', _b), *other.rest(check=_c))\n"
        "class Fields:\n    of: Annotated[str, _d]\n    at: int = Field(validator=_e)\n"
    )
    called = "_SEEN = _f(1)\n_alias = _g\ndef public():\n    return {'h': _h}, lambda: [_i]\npublic()\npublic()\n"
    made = "".join(f"def _{letter}(): ...\n" for letter in "abcdefghi") + "def _table(): ...\n"
    assert rules.references([made + registered + called]) == (11, 5, 5)


def test_a_length_counts_neither_docstring_nor_decorators() -> None:
    source = (
        "@one\n@two\nasync def f(\n    a,\n):\n"
        '    """What.\n\n    Why.\n    """\n'
        "    def g():\n        return 1\n    return g\n"
    )
    assert rules.functions(source) == [("f", 6), ("g", 2)]


@pytest.mark.parametrize(
    ("where", "source", "drivers"),
    [
        ("core.store.conversation.inbox", "import sqlite3", ["sqlite3"]),
        ("core.store.conversation.inbox", "def f():\n    from psycopg.rows import dict_row", ["psycopg"]),
        ("bot.app", "import httpx, telegram.error", ["httpx", "telegram"]),
        ("core.store.sqlite", "import sqlite3, sqlite_utils", []),
        ("bot.adapters.telegram_text", "import telegramify_markdown as t", []),
        ("bot.adapters.telegram.poll", "from telegram import Bot", []),
        ("bot.adapters.telegramish", "from telegram import Bot", ["telegram"]),
    ],
)
def test_a_driver_outside_its_room_is_found(where: str, source: str, drivers: list[str]) -> None:
    assert rules.foreign_drivers(where, source) == drivers


@pytest.mark.parametrize(
    "source",
    [
        "connection.executescript(sql)",
        "from unittest import mock",
        "from unittest.mock import patch",
        "import mock",
        "def test_x(mocker): ...",
        "try:\n    f()\nexcept ValueError:\n    pass",
        "try:\n    f()\nexcept ValueError:\n    ...",
        "import pytest\npytest.skip('later')",
        "@pytest.mark.xfail(reason='x')\ndef test_x(): f()",
        "@pytest.mark.skipif(True, reason='x')\ndef test_x(): f()",
        "np = pytest.importorskip('numpy')",
    ],
)
def test_what_is_forbidden_is_found(source: str) -> None:
    assert len(rules.forbidden(source)) == 1


def test_what_only_looks_forbidden_is_let_through() -> None:
    assert rules.forbidden("try:\n    f()\nexcept ValueError:\n    g()\nit.skip(3)\n'executescript'\n") == []


def test_the_keys_of_texts_are_found() -> None:
    source = (
        'run.say("a", n=1), language["b" if c else "d"], x.texts["e"], talk.say("Hello there."), rows["f"], say(key)'
    )
    assert list(rules.said(source)) == ["a", "b", "d", "e"]


def test_a_table_without_its_keys_is_found() -> None:
    sql = """
    CREATE TABLE good (id {pk}, tenant_id {int}, scope_id {int} CHECK (scope_id IN (1, 2)), UNIQUE (tenant_id));
    CREATE TABLE bad (id {pk}, tenant_id {int}, kind TEXT CHECK (kind IN ('scope_id', 'x'))); -- scope_id
    CREATE TABLE IF NOT EXISTS spare (id {pk});
    """
    assert rules.unscoped(rules.tables(sql), {"spare": "why", "good": "why"}) == [
        "bad: no tenant_id and scope_id",
        "good: no exception is needed any more",
    ]


def test_a_machine_path_is_found() -> None:
    folders = ["/".join(("", folder, "me", "x")) for folder in ("home", "root", "tmp", "Users")]
    texts = ["see https://example.org/home/me", "write it to ./tmp/x or $HOME/x or /data/x", *folders]
    assert [bool(rules.machine_paths(text)) for text in texts] == [False, False, True, True, True, True]
