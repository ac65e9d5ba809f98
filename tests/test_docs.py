"""What the documents say is true: names, links, states and the example exist and work."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
import yaml

import core.capabilities
import core.language
from bot import __main__ as command_line
from bot.config.config import NOT_SETTINGS, PREFIX, Config
from bot.config.keys import ALSO_FROM_FILE, GONE, keys, unknown_keys, variable
from core.capabilities.all import CAPABILITIES, COMMANDS
from core.kernel.access import FAMILIES, RANKS
from core.kernel.ports import Database
from core.kernel.timing.expressions import At, Clock, Delay, Every, InDays
from core.language import languages, pick
from core.language.grammar import Grammar, Request
from core.store.schema import migrations
from core.toolkit.capability import Capability, Schedules
from core.toolkit.command import Command
from tests.fakes import house
from tests.operating import teller

ROOT = Path(__file__).parents[1]
DOCS = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMES = [str(path.relative_to(ROOT)) for path in DOCS]
SCHEMA = "".join(sql for _, sql in migrations.scripts())
# What the tool example tells its reader to make.
TOOLS = [tool for capability in CAPABILITIES for tool in capability.tools]
TO_BE_WRITTEN = {
    *(f"core/capabilities/dice/{name}.py" for name in ("tools", "commands", "capability", "evenings")),
    "tests/capabilities/dice/test_dice.py",
}

FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"`([^`\n]+)`")
SETTINGS = dict(keys(Config))
README_LINES = 250
README_PARTS = [
    "Try it",
    "Telegram",
    "Slack",
    "A model",
    "Run it for good",
    "What it promises",
    "Limits today",
    "For developers",
]
# Columns of a hop of the way of a message, and how many hops are more than its stations.
HOP, HOPS = 3, 25
# Columns of the table of needs: standing, commands in private and in a group, families of tools.
NEEDS = 4


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str) -> list[str]:
    return [body for found, body in FENCE.findall(text(name)) if found == language]


def inline(name: str) -> list[str]:
    return INLINE.findall(FENCE.sub("", text(name)))


def code(name: str) -> Iterator[str]:
    """Every line of code, in blocks and in sentences."""
    for _, body in FENCE.findall(text(name)):
        yield from body.splitlines()
    yield from inline(name)


def sections(name: str) -> Mapping[str, str]:
    """Heading of the second level → what stands below it."""
    _, *found = re.split(r"^## ", text(name), flags=re.MULTILINE)
    return {heading.strip(): body for heading, _, body in (part.partition("\n") for part in found)}


def first_column(table: str) -> set[str]:
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    return {word for row in rows for word in INLINE.findall(row.split(" | ")[0])}


@pytest.mark.parametrize("name", NAMES)
def test_every_variable_that_is_named_is_a_setting(name: str) -> None:
    variables = {variable(key, PREFIX) for key in SETTINGS}
    filed = {f"{variable(key, PREFIX)}_FILE" for key, kind in SETTINGS.items() if _is_secret(key, kind)}
    named = set(re.findall(r"TELLER_[A-Z_]*[A-Z]", text(name)))
    assert named <= variables | filed | NOT_SETTINGS


def _is_secret(key: str, kind: object) -> bool:
    return "SecretStr" in str(kind) or key in ALSO_FROM_FILE


@pytest.mark.parametrize("name", NAMES)
def test_every_key_that_is_named_is_a_setting(name: str) -> None:
    parts = {key.partition(".")[0] for key in SETTINGS if "." in key}
    found = {span.partition(":")[0] for span in inline(name) if re.fullmatch(r"[a-z]+\.(?!py$)[a-z_]+(: .+)?", span)}
    assert {key for key in found if key.partition(".")[0] in parts} <= set(SETTINGS) | GONE


@pytest.mark.parametrize("name", NAMES)
def test_every_example_of_a_configuration_is_one(name: str) -> None:
    for example in blocks(name, "yaml"):
        found = yaml.safe_load(example)
        assert unknown_keys(Config, found) == []
        Config(**found)


def test_systemd_starts_it_again_for_ever() -> None:
    # It gives up after five starts within ten seconds.
    [seconds] = re.findall(r"^RestartSec=(\d+)$", (ROOT / "docs/hosting.md").read_text(), re.MULTILINE)
    assert 5 * int(seconds) > 10


@pytest.mark.parametrize("name", NAMES)
def test_every_command_and_option_that_is_named_exists(name: str) -> None:
    for line in code(name):
        # With a slash before it, it is what people of Slack write to the bot.
        for found in re.finditer(r"(?<!-u )(?<!--unit )(?<!^/)(?<!\s/)(?<![\w:])teller (?=([a-z-].*))", line):
            words = re.split(r"[\s`]+", found[1].partition("#")[0].partition("&&")[0].strip())
            _follow(words, line)


def _follow(words: list[str], line: str) -> None:
    """Walk down the command line; options must be known where they stand."""
    command: click.Command = command_line.main
    if words[0] == "teller":
        return
    for word in words:
        if word.startswith("--"):
            assert word in {name for option in command.params for name in option.opts}, line
        elif isinstance(command, click.Group):
            assert word in command.commands, line
            command = command.commands[word]


@pytest.mark.parametrize("name", NAMES)
def test_every_target_of_make_that_is_named_exists(name: str) -> None:
    targets = set(re.findall(r"^([a-z]+):", text("Makefile"), re.MULTILINE))
    named = {found[1] for line in code(name) for found in re.finditer(r"\bmake ([a-z]+)", line)}
    assert named <= targets


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_somewhere(name: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", text(name))):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        assert file.exists(), target
        assert not anchor or anchor in _anchors(file.read_text(encoding="utf-8")), target


def _anchors(page: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", NAMES)
def test_every_file_of_the_code_that_is_named_exists(name: str) -> None:
    found = set(re.findall(r"(?<![\w/.])(?:bot|core|tests|docs)/[\w/.-]+\.(?:py|sql|md)", text(name)))
    assert [path for path in sorted(found - TO_BE_WRITTEN) if not (ROOT / path).exists()] == []


def test_the_page_of_commands_lists_exactly_the_commands_of_the_chat() -> None:
    assert first_column(sections("docs/commands.md")["Commands in the chat"]) == {f"/{name}" for name in COMMANDS}


def test_the_readme_is_short_and_leads_to_every_page() -> None:
    assert len(text("README.md").splitlines()) <= README_LINES
    linked = set(re.findall(r"\]\((docs/[\w-]+\.md)", text("README.md")))
    assert linked == {name for name in NAMES if name.startswith("docs/")}


def test_the_readme_has_the_parts_that_a_newcomer_looks_for_in_their_order() -> None:
    assert list(sections("README.md")) == README_PARTS


def test_nothing_of_slack_is_in_the_way_of_who_wants_telegram() -> None:
    parts = sections("README.md")
    assert [heading for heading in ("Try it", "Telegram", "A model") if "slack" in parts[heading].lower()] == []
    assert "slack:" not in text("docs/telegram.md").lower()


def test_the_page_of_security_says_what_each_command_and_family_needs() -> None:
    rows = [line.strip("|").split("|") for line in text("docs/security.md").splitlines() if line.startswith("| ")]
    told = {row[0].strip(): [set(INLINE.findall(cell)) for cell in row[1:]] for row in rows if len(row) == NEEDS}
    assert set(told) == {"standing", *RANKS}
    for standing in RANKS:
        private, group = (
            {f"/{name}" for name in COMMANDS if COMMANDS.needs(name, group=one) is standing} for one in (False, True)
        )
        families = {name for name, needed in FAMILIES.items() if needed is standing}
        assert told[standing] == [private, group, families]


def test_every_family_of_tools_has_its_need_in_the_table() -> None:
    assert {tool.category for tool in TOOLS} <= set(FAMILIES)


def test_the_glossary_explains_each_word_once() -> None:
    words = re.findall(r"\*\*(.+?)\*\*", text("docs/glossary.md"))
    assert sorted({one.lower() for one in words}) == sorted(one.lower() for one in words)


def test_the_changelog_names_only_tools_that_exist() -> None:
    line = next(part for part in text("CHANGELOG.md").split("\n- ") if part.startswith("Tools: "))
    named = set(INLINE.findall(line))
    assert named == {tool.name for tool in TOOLS} | {f"/{name}" for name in COMMANDS}


@pytest.mark.parametrize("name", ["README.md", "docs/states.md"])
def test_the_mark_of_a_repeat_is_quoted_as_it_is_sent(name: str) -> None:
    assert pick("en")["repeated_mark"] in text(name)


def test_the_page_of_states_lists_exactly_the_tables_of_the_schema() -> None:
    made = set(re.findall(r"CREATE TABLE (\w+)", SCHEMA))
    assert first_column(sections("docs/states.md")["Tables"]) == made | {"migration"}


@pytest.mark.parametrize(
    ("heading", "tables"),
    [("Inbox", ["inbox"]), ("Run and step", ["run", "step"]), ("Outbox", ["outbox"]), ("Hook", ["hook"])],
)
def test_each_diagram_shows_exactly_the_states_that_the_schema_permits(heading: str, tables: list[str]) -> None:
    diagram = FENCE.search(sections("docs/states.md")[heading])
    assert diagram is not None
    nodes = {node for line in re.findall(r"(\w+|\[\*\]) --> (\w+)", diagram[2]) for node in line if node != "[*]"}
    assert {node.removeprefix("step_") for node in nodes} == {state for table in tables for state in _states(table)}


def _states(table: str) -> list[str]:
    found = re.search(rf"CREATE TABLE {table} \(.*?state TEXT NOT NULL CHECK \(state IN \(([^)]+)\)", SCHEMA, re.DOTALL)
    assert found is not None
    return re.findall(r"'(\w+)'", found[1])


def test_the_way_of_a_message_names_functions_that_are_in_their_files() -> None:
    rows = [
        line.strip("| ").split(" | ") for line in sections("docs/architecture.md")["The way of one message"].split("\n")
    ]
    hops = [(row[1].strip("`"), row[2]) for row in rows if len(row) == HOP and row[2].endswith(".py")]
    assert len(hops) > HOPS
    assert [hop for hop in hops if hop[0] not in _functions(ROOT / hop[1])] == []


def test_the_way_of_a_message_has_the_four_transactions_in_their_order() -> None:
    told = re.findall(r"\*\*(\d)\. `(\w+)`\*\*", sections("docs/architecture.md")["The way of one message"])
    assert told == [("1", "accept"), ("2", "claim_lane"), ("3", "finish_run"), ("4", "post_sent")]


def test_every_folder_that_the_page_of_architecture_names_exists() -> None:
    found = set(re.findall(r"(?<![\w/.])(?:bot|core|tests)/[\w/]+/(?![\w.*])", text("docs/architecture.md")))
    assert [path for path in sorted(found) if not (ROOT / path).is_dir()] == []


def _functions(path: Path) -> set[str]:
    """Return the names of a file's functions, and of its classes' methods as `Class.method`."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        before = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
        found |= {f"{before}{one.name}" for one in inner if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)}
    return found


def _transactions(path: Path) -> set[str]:
    """Names of all functions of a file that take a transaction."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    functions = (node for node in nodes if isinstance(node, ast.FunctionDef))
    return {node.name for node in functions if "tx" in {argument.arg for argument in node.args.args}}


def test_every_transaction_on_the_page_of_states_is_in_the_file_it_names() -> None:
    rows = [line.split(" | ") for line in sections("docs/states.md")["The transactions"].splitlines()]
    listed = {name: row[1] for row in rows if row[0].startswith("| `") for name in INLINE.findall(row[0])}
    assert len(listed) > 20
    assert [name for name, file in listed.items() if name not in _transactions(ROOT / file)] == []


def test_every_transaction_of_the_core_that_has_a_name_is_on_the_page_of_states() -> None:
    listed = first_column(sections("docs/states.md")["The transactions"])
    made = {name for path in (ROOT / "core").rglob("*.py") for name in _written(path)}
    # A batch of retention, and what `try_or_give_up` is given: those are listed one by one.
    assert {"expire_question", "withdraw_question", "fire_trigger", "settle_untold"} <= made
    assert made - {"batch", "attempt"} <= listed


def _written(path: Path) -> Iterator[str]:
    """Names that a file gives to `db.write` or `try_or_give_up`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "try_or_give_up":
            yield from (inner.id for inner in node.args[2:] if isinstance(inner, ast.Name))
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "write"):
            continue
        if node.args and ast.unparse(node.func.value).endswith("db"):
            yield from (inner.attr if isinstance(inner, ast.Attribute) else inner.id for inner in _given(node.args[0]))


def _given(argument: ast.expr) -> list[ast.Attribute | ast.Name]:
    """The function given, or the one that a lambda calls."""
    inner = argument.body if isinstance(argument, ast.Lambda) else argument
    called = inner.func if isinstance(inner, ast.Call) else inner
    return [called] if isinstance(called, ast.Attribute | ast.Name) else []


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Capability, ModuleType]]:
    """The capability of the page about the first one, as a folder beside the others, and its test."""
    tools, commands, capability, evenings, test = blocks("docs/first-capability.md", "python")
    folder = tmp_path / "capabilities" / "dice"
    folder.mkdir(parents=True)
    files = {"__init__": "", "tools": tools, "commands": commands, "capability": capability, "evenings": evenings}
    for name, source in files.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    (tmp_path / "test_dice.py").write_text(test, encoding="utf-8")
    monkeypatch.setattr(core.capabilities, "__path__", [*core.capabilities.__path__, str(folder.parent)])
    # Its texts go with it.
    monkeypatch.setattr(core.language, "_ADDED", {code: dict(texts) for code, texts in core.language._ADDED.items()})
    importlib.invalidate_caches()
    spec = importlib.util.spec_from_file_location("first_capability_test", tmp_path / "test_dice.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield importlib.import_module("core.capabilities.dice.capability").CAPABILITY, module
    for name in [name for name in sys.modules if name.startswith("core.capabilities.dice")]:
        del sys.modules[name]
    vars(core.capabilities).pop("dice")
    core.language.languages.cache_clear()
    core.language._spelled.cache_clear()


async def test_the_example_of_a_first_capability_passes_its_own_test(
    example: tuple[Capability, ModuleType], database: Database, tmp_path: Path
) -> None:
    await example[1].test_dice_are_rolled_when_the_model_asks_for_it(database, tmp_path)


async def test_the_button_of_the_example_of_a_first_capability_can_be_pressed(
    example: tuple[Capability, ModuleType], database: Database, tmp_path: Path
) -> None:
    await example[1].test_the_button_rolls_as_many_dice_once_more(database, tmp_path)


@pytest.mark.databases("sqlite")
async def test_the_example_of_a_first_capability_has_a_command_with_its_texts(
    example: tuple[Capability, ModuleType], database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, model=False, capabilities=(*CAPABILITIES, example[0]))
    await home.hear("/roll 3")
    await home.answer()
    [said] = await home.column("SELECT text FROM message WHERE role = 'assistant'")
    assert re.fullmatch(r"🎲 \d, \d, \d: \d+", said)


@pytest.mark.databases("sqlite")
async def test_the_example_of_a_first_capability_has_all_its_texts_in_every_language(
    example: tuple[Capability, ModuleType],
) -> None:
    texts = example[0].texts
    assert set(texts) == set(languages())
    assert len({frozenset(known) for known in texts.values()}) == 1


async def test_the_example_of_a_first_capability_speaks_up_by_itself(
    example: tuple[Capability, ModuleType], database: Database, tmp_path: Path
) -> None:
    evenings = importlib.import_module("core.capabilities.dice.evenings")
    texts = {code: {**known, "dice_evenings": "🎲 20:00"} for code, known in example[0].texts.items()}
    commands = {**example[0].commands, "evenings": Command(evenings.evenings)}
    schedules = Schedules(deliver={"dice": evenings.deliver})
    dice = replace(example[0], texts=texts, commands=commands, schedules=schedules)
    home = await house(database, tmp_path, model=False, capabilities=(*CAPABILITIES, dice))
    await home.hear("/evenings")
    await home.work()
    [due_at] = await home.column("SELECT next_at FROM trigger WHERE does = 'dice'")
    home.clock.advance((due_at - home.clock.now()) / 1000)
    await home.sweep()
    said = await home.column("SELECT text FROM message WHERE role = 'assistant' ORDER BY id")
    assert said[0] == "🎲 20:00"
    assert re.fullmatch(r"🎲 \d, \d: \d+", said[1])


async def test_the_example_of_a_first_capability_is_described_to_the_model(
    example: tuple[Capability, ModuleType],
) -> None:
    [found] = example[0].tools
    assert (found.name, found.category) == ("roll_dice", "dice")
    assert found.description == "Roll dice and give each result and the sum."


def test_the_first_grammar_of_a_language_reads_what_the_page_says() -> None:
    [source] = blocks("docs/languages.md", "python")
    made: dict[str, Any] = {}
    exec(source, made)
    grammar: Grammar = made["GRAMMAR"]
    assert grammar.when("tra 20 minuti") == Delay(seconds=1200)
    assert isinstance(grammar.when("ogni lunedì alle 9:30"), Every)
    wish = grammar.wish("ricordami domani alle 9 di chiamare la nonna")
    nine = At(day=InDays(days=1), clock=Clock(hour=9, certain=False))
    assert wish is not None
    assert wish.request == Request(text="chiamare la nonna", when=nine)
    assert grammar.wish("ricordami domani verso le 9 di chiamare la nonna") is None


def test_the_first_tool_of_ones_own_is_twelve_lines_that_work(tmp_path: Path) -> None:
    [source, *_], [shown, *_] = blocks("docs/your-first-tool.md", "python"), blocks("docs/your-first-tool.md", "sh")
    assert len(source.splitlines()) == 12
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "disk.py").write_text(source, encoding="utf-8")
    assert teller(tmp_path, "chat", stdin="hello\n").returncode == 0
    listing, calling = (shlex.split(line)[1:] for line in shown.splitlines())
    assert "free_space  custom, read, from disk.py  Say how much space" in teller(tmp_path, *listing).stdout
    called = teller(tmp_path, *calling)
    assert (called.returncode, "GB of" in json.loads(called.stdout)["result"]) == (0, True), called
