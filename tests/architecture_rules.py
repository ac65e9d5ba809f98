"""The rules of the house that no linter has, as functions from source text to complaints."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

# Library -> the rooms that may import it. A room is a module, everything below it, and its neighbours `room_…`.
ROOMS: Mapping[str, tuple[str, ...]] = {
    "aiohttp": ("bot.adapters._shared", "bot.adapters.slack", "bot.adapters.telegram"),
    "apscheduler": ("core.scheduling.engine",),
    "cryptography": ("core.store.people.encryption",),
    "httpx": ("bot.adapters.telegram",),
    "httpx2": ("core.agents.llm.openai",),
    "openai": ("core.agents.llm.openai",),
    "prompt_toolkit": ("bot.adapters.console",),
    "psycopg": ("core.store.postgres",),
    "pydantic_settings": ("bot.config",),
    "pysqlite3": ("core.store.sqlite",),
    "slack_bolt": ("bot.adapters.slack",),
    "slack_sdk": ("bot.adapters.slack",),
    "sqlite3": ("core.store.sqlite",),
    "sqlite_utils": ("core.store.sqlite",),
    "starlette": ("bot.runtime.http",),
    "telegram": ("bot.adapters.telegram",),
    "telegramify_markdown": ("bot.adapters._shared", "bot.adapters.slack", "bot.adapters.telegram"),
    "tzlocal": ("bot.config",),
    "uvicorn": ("bot.runtime.http",),
    "yaml": ("bot.config",),
}

# Tables without both keys, and why that is right.
NO_SCOPE: Mapping[str, str] = {
    "cursor_position": "belongs to a bot's account on a platform, not to a conversation",
    "incident": "the model's, which serves all of a tenant",
    "install_state": "somebody at the door; which workspace they come from is not known yet",
    "installation": "belongs to a workspace, or to an organisation with many; its tokens are nobody's content",
    "ledger_head": "one chain a tenant",
    "scope": "is the scope; its id is the key",
    "stranger": "somebody without any conversation",
    "tenant": "is the tenant; its id is the key",
}

# Which capability may import which; and arrows that are left to be turned round: that list may only get shorter.
ARROWS: frozenset[tuple[str, str]] = frozenset({
    ("home", "reminders"),
    ("home", "todos"),
    ("messages", "contacts"),
    ("reminders", "contacts"),
    ("today", "reminders"),
    ("today", "todos"),
    ("todos", "contacts"),
})
ARROWS_LEFT: frozenset[tuple[str, str]] = frozenset({
    ("chat", "reminders"),
    ("chat", "todos"),
    ("contacts", "messages"),
    ("home", "contacts"),
    ("home", "links"),
    ("home", "today"),
    ("links", "today"),
    ("links", "todos"),
    ("members", "links"),
    ("privacy", "members"),
    ("reminders", "chat"),
    ("reminders", "links"),
    ("reminders", "messages"),
    ("reminders", "todos"),
    ("schedules", "chat"),
    ("schedules", "contacts"),
    ("schedules", "links"),
    ("schedules", "reminders"),
    ("schedules", "today"),
    ("schedules", "todos"),
    ("settings", "chat"),
    ("settings", "links"),
    ("today", "contacts"),
    ("today", "links"),
    ("todos", "links"),
    ("todos", "reminders"),
    ("todos", "today"),
})

_MACHINE = re.compile(r"(?<![\w.$)}>-])(?:file://)?/(?:work|root|home|Users|tmp|opt)/[\w.-]+")
_SKIPS = {"skip", "skipif", "xfail", "importorskip"}


# Classes that are too large: the list may only get shorter. A port is as large as what it stands for.
LARGE_CLASSES: frozenset[str] = frozenset({
    "core.capabilities.home.service._View",
    "core.capabilities.reminders.posting.Posting",
    "core.capabilities.reminders.service.Reminders",
    "core.pipeline.intake.accept.Acceptance",
    "core.pipeline.runs.run_context.RunContext",
    "core.scheduling.firing.Triggers",
    "core.store.postgres.database.PostgresDatabase",
    "core.store.sqlite.database.SqliteDatabase",
})
LARGE_CONSTRUCTORS: frozenset[str] = frozenset()


class Class(NamedTuple):
    """One class: how many methods it has, properties too, and how many parameters its constructor takes."""

    name: str
    methods: int
    parameters: int


def classes(source: str) -> list[Class]:
    """Return every class of a source text that is no port (Protocol)."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ClassDef)]
    return [_measured(node) for node in nodes if not any(ast.unparse(base) == "Protocol" for base in node.bases)]


def _measured(node: ast.ClassDef) -> Class:
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
    made = next((one.args for one in methods if one.name == "__init__"), None)
    parameters = 0 if made is None else len([*made.posonlyargs, *made.args, *made.kwonlyargs]) - 1
    return Class(node.name, len(methods), parameters)


SHORT = 5


def references(sources: Sequence[str]) -> tuple[int, int, int]:
    """Return how many functions there are, how many are referenced once, and how many of those are short.

    What nobody outside can name, private and nested functions, is looked for in its own source alone. Functions with
    decorators are registered by them and count as used.
    """
    trees = [ast.parse(source) for source in sources]
    here = [Counter(_names(tree)) for tree in trees]
    everywhere = sum(here, Counter[str]())
    made, once = 0, []
    for tree, names in zip(trees, here, strict=True):
        public = {id(node) for scope in _scopes(tree) for node in scope.body}
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("__"):
                continue
            made += 1
            inside = node.name.startswith("_") or id(node) not in public
            if not node.decorator_list and (names if inside else everywhere)[node.name] == 1:
                once.append(_length(node))
    return made, len(once), sum(lines <= SHORT for lines in once)


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _scopes(tree: ast.Module) -> list[ast.Module | ast.ClassDef]:
    """Return the bodies whose functions can be named from outside: of the module and of its classes."""
    return [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]


class Function(NamedTuple):
    """One function and its length in lines: from `def` to its end, without decorators and docstring."""

    name: str
    lines: int


def functions(source: str) -> list[Function]:
    """Return every function of a source text, nested ones too."""
    nodes = ast.walk(ast.parse(source))
    return [Function(n.name, _length(n)) for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]


def _length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    whole = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node) is None:
        return whole
    first = node.body[0]
    return whole - ((first.end_lineno or first.lineno) - first.lineno + 1)


def neighbours(module: str, source: str) -> set[tuple[str, str]]:
    """Return the arrows from a capability's module to other capabilities."""
    room = "core.capabilities."
    if not module.startswith(room) or module.count(".") < 3:
        return set()
    here = module.split(".")[2]
    there = {name.split(".")[2] for name in _imports(source) if name.startswith(room)}
    return {(here, other) for other in there - {here}}


def foreign_drivers(module: str, source: str, rooms: Mapping[str, tuple[str, ...]] = ROOMS) -> list[str]:
    """Return the libraries a module imports although it is not their room."""
    imported = {name.partition(".")[0] for name in _imports(source)}
    return sorted(name for name in imported & set(rooms) if not _lives_in(module, rooms[name]))


def _lives_in(module: str, rooms: tuple[str, ...]) -> bool:
    return any(module == room or module.startswith((f"{room}.", f"{room}_")) for room in rooms)


def _imports(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def forbidden(source: str) -> list[str]:
    """Return what is never written anywhere: executescript, mocks, swallowed exceptions, skipped tests."""
    tree = ast.parse(source)
    return [*_mock_imports(source), *(text for node in ast.walk(tree) for text in _forbidden_in(node))]


def _mock_imports(source: str) -> Iterator[str]:
    names = ("unittest.mock", "mock", "pytest_mock")
    for name in _imports(source):
        if name in names or name.startswith(tuple(f"{one}." for one in names)):
            yield f"imports {name}"


def _forbidden_in(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and node.attr == "executescript":
        yield f"line {node.lineno}: executescript commits halfway"
    if isinstance(node, ast.Attribute) and node.attr in _SKIPS and _root(node) == "pytest":
        yield f"line {node.lineno}: pytest {node.attr}"
    if isinstance(node, ast.arg) and node.arg == "mocker":
        yield f"line {node.lineno}: mocker"
    if isinstance(node, ast.ExceptHandler) and all(_does_nothing(step) for step in node.body):
        yield f"line {node.lineno}: an exception is swallowed"


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _does_nothing(step: ast.stmt) -> bool:
    return isinstance(step, ast.Pass) or (isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant))


def tables(sql: str) -> dict[str, set[str]]:
    """Return the columns of each table an SQL text creates."""
    plain = re.sub(r"--[^\n]*|'[^']*'", "", sql)
    table = r"CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)\s*\((.*?)\)\s*(?:\{keyed\})?\s*;"
    found = re.finditer(table, plain, re.S | re.I)
    return {match[1]: _columns(match[2]) for match in found}


def _columns(body: str) -> set[str]:
    while (flat := re.sub(r"\([^()]*\)", "", body)) != body:
        body = flat
    return {words[0] for part in body.split(",") if (words := part.split())}


def unscoped(found: Mapping[str, Collection[str]], exceptions: Mapping[str, str] = NO_SCOPE) -> list[str]:
    """Return the tables that lack tenant_id or scope_id, and the exceptions that no longer are any."""
    lacking = {name for name, columns in found.items() if not {"tenant_id", "scope_id"} <= set(columns)}
    stale = [f"{name}: no exception is needed any more" for name in exceptions if found and name not in lacking]
    return sorted(f"{name}: no tenant_id and scope_id" for name in lacking - set(exceptions)) + stale


def machine_paths(text: str) -> list[str]:
    """Return the paths in a text that exist only on somebody's own machine."""
    return [match[0] for match in _MACHINE.finditer(text)]
