"""Conditions: what must come true before something is done (TOOLS: Condition). Values alone: nobody looks here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.kernel.clean_text import cleaned

# A tree that nobody can look through is none: levels of and/or, and what stands at their ends.
DEEPEST, MOST_LEAVES, MOST_JUDGED = 4, 10, 2
LONGEST_PATH, LONGEST_PROMPT = 300, 1_000
# What is poked, with the number of a scope, when a condition there may have come true.
LOOK = "conditions"
# The type of the part that a model judges.
JUDGED = "llm_eval"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChanged:
    """A file at `path`, which may be a glob, is new or has changed since the last look.

    At the first look nothing has, unless it shall `fire_on_init` for what is there.
    """

    path: str
    fire_on_init: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileExists:
    """There is a file at `path`, which may be a glob."""

    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskEnded:
    """A task (its id as it is shown) is done; with `failed` it has failed or was stopped."""

    task_id: str
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A model says yes to `prompt`, seeing the time and what was said last."""

    prompt: str


@dataclass(frozen=True, slots=True, kw_only=True)
class All:
    """All of these are true."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Either:
    """One of these is true."""

    conditions: tuple[Condition, ...]


Leaf = FileChanged | FileExists | TaskEnded | Judged
Condition = Leaf | All | Either


class BadCondition(ValueError):
    """What was given is no condition; the text says what to change."""


def read(given: Any) -> Condition:
    """Return the condition that a JSON object says, in snake_case or camelCase. Raises `BadCondition`."""
    found = _read(given, DEEPEST)
    all_leaves = list(leaves(found))
    if len(all_leaves) > MOST_LEAVES:
        raise BadCondition(f"a condition has at most {MOST_LEAVES} parts")
    if sum(isinstance(leaf, Judged) for leaf in all_leaves) > MOST_JUDGED:
        raise BadCondition(f"a condition has at most {MOST_JUDGED} llm_eval parts")
    return found


def leaves(condition: Condition) -> Iterator[Leaf]:
    """Yield what a condition is made of, from left to right."""
    match condition:
        case All(conditions=parts) | Either(conditions=parts):
            for part in parts:
                yield from leaves(part)
        case _:
            yield condition


def dump(condition: Condition) -> str:
    """Return a condition as a line of JSON that `load` reads back."""
    return json.dumps(_plain(condition), ensure_ascii=False, separators=(",", ":"))


def load(text: str) -> Condition:
    """Return the condition that `dump` wrote."""
    return read(json.loads(text))


def _plain(condition: Condition) -> Mapping[str, Any]:
    match condition:
        case FileChanged(path=path, fire_on_init=fire):
            return {"type": "file_changed", "path": path, "fire_on_init": fire}
        case FileExists(path=path):
            return {"type": "file_exists", "path": path}
        case TaskEnded(task_id=task_id, failed=failed):
            return {"type": "task_failed" if failed else "task_done", "task_id": task_id}
        case Judged(prompt=prompt):
            return {"type": JUDGED, "prompt": prompt}
        case All(conditions=parts) | Either(conditions=parts):
            kind = "and" if isinstance(condition, All) else "or"
            return {"type": kind, "conditions": [_plain(part) for part in parts]}


# What each type takes, by all its spellings.
_FILE = {"path": "path", "glob": "path"}
_TASK = {"task_id": "task_id", "taskId": "task_id", "id": "task_id"}
_TREE = {"conditions": "conditions"}
_FIELDS: Mapping[str, Mapping[str, str]] = {
    "file_changed": {**_FILE, "fire_on_init": "fire_on_init", "fireOnInit": "fire_on_init"},
    "file_exists": _FILE,
    "task_done": _TASK,
    "task_failed": _TASK,
    JUDGED: {"prompt": "prompt"},
    "and": _TREE,
    "or": _TREE,
}
_TYPES = {name.replace("_", ""): name for name in _FIELDS}
_LONGEST = {"path": LONGEST_PATH, "task_id": 40, "prompt": LONGEST_PROMPT}


def _read(given: Any, depth: int) -> Condition:
    if not isinstance(given, Mapping):
        raise BadCondition("a condition is an object with a type")
    said = given.get("type")
    kind = _TYPES.get(said.replace("_", "").lower(), "") if isinstance(said, str) else ""
    if not kind:
        raise BadCondition(f"the type of a condition is one of {', '.join(_FIELDS)}")
    fields = _fields(kind, given)
    if kind in {"and", "or"}:
        return _tree(kind, fields.get("conditions"), depth)
    name = next(iter(_FIELDS[kind].values()))
    text = cleaned(fields[name]).strip() if isinstance(fields.get(name), str) else ""
    if not 1 <= len(text) <= _LONGEST[name]:
        raise BadCondition(f"{kind} needs a {name} of 1 to {_LONGEST[name]} characters")
    match kind:
        case "file_changed":
            fire = fields.get("fire_on_init", False)
            if not isinstance(fire, bool):
                raise BadCondition("fire_on_init is true or false")
            return FileChanged(path=text, fire_on_init=fire)
        case "file_exists":
            return FileExists(path=text)
        case "llm_eval":
            return Judged(prompt=text)
        case _:
            return TaskEnded(task_id=text, failed=kind == "task_failed")


def _fields(kind: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what was given to a type, by the names of its fields."""
    fields: dict[str, Any] = {}
    for name, value in given.items():
        field = _FIELDS[kind].get(name)
        if name == "type" or value is None:
            continue
        if field is None:
            raise BadCondition(f"{kind} takes no {str(name)[:40]!r}")
        if field in fields and fields[field] != value:
            raise BadCondition(f"{field} is given twice with different values")
        fields[field] = value
    return fields


def _tree(kind: str, given: Any, depth: int) -> Condition:
    if depth == 0:
        raise BadCondition(f"at most {DEEPEST} levels of and/or may stand within each other")
    if not isinstance(given, Sequence) or isinstance(given, str) or not 1 <= len(given) <= MOST_LEAVES:
        raise BadCondition(f"{kind} needs conditions: a list of 1 to {MOST_LEAVES}")
    parts = tuple(_read(part, depth - 1) for part in given)
    return All(conditions=parts) if kind == "and" else Either(conditions=parts)
