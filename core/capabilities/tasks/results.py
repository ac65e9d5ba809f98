"""How a pass of a Planner or a Worker ends, read from its last words: plain text, or one JSON object (TOOLS: Tasks)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.kernel.markdown import folded
from core.kernel.strict_json import BadJson, loads

# A question of a task obeys the limits of `ask_user`.
MOST_OPTIONS, LONGEST_OPTION, LONGEST_QUESTION, LONGEST_DEFAULT = 10, 75, 3_000, 1_000
TIMEOUT, SHORTEST, LONGEST = 3_600, 30, 30 * 86_400
LONGEST_OUTCOME = 16_000
# What a pass ends with where nothing is new since the last time.
UNCHANGED = "unchanged"
_OPENED = re.compile(r"\A```(?:json)?\s*\n")
_DECODER = json.JSONDecoder()
_FENCE = re.compile(r"^```(?:json)?\s*\n(\{.*\})\s*\n```", re.DOTALL | re.MULTILINE)


class Status(StrEnum):
    """How a pass ends."""

    # It has an outcome, or has delegated.
    DONE = "done"
    # It waits for an answer of its person.
    NEEDS_INPUT = "needs_input"
    # It cannot be done.
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class PassEnd:
    """How a pass ends: its outcome or why it failed in `text`, or a question; `timeout_s` are seconds.
    `unchanged` when all is as it was the last time, which is an end of its own in what a model says."""

    status: Status
    text: str = ""
    question: str = ""
    options: tuple[str, ...] = ()
    unchanged: bool = False
    default: str | None = None
    timeout_s: int = TIMEOUT


def read(text: str, *, may_ask: bool) -> PassEnd:
    """Read the last words of a pass. What is no such object is the outcome itself; who may not ask has failed then.

    A looking back that stands before them was asked for (`work.REFLECT`), and is for the record of the run alone.
    """
    said = _without_reflection(text.strip())
    found = _object(said)
    if found is None:
        return PassEnd(status=Status.DONE, text=said[:LONGEST_OUTCOME])
    unchanged = found["status"] == UNCHANGED
    status = Status.DONE if unchanged else Status(found["status"])
    words = (_text(found, "text") or _text(found, "summary"))[:LONGEST_OUTCOME]
    question = _text(found, "question") or words
    if status is not Status.NEEDS_INPUT or not question:
        failed = status is Status.NEEDS_INPUT
        return PassEnd(status=Status.FAILED if failed else status, text=words, unchanged=unchanged)
    if not may_ask:
        return PassEnd(status=Status.FAILED, text=question)
    options = _options(found.get("options"))
    default = _text(found, "default")[:LONGEST_DEFAULT] or None
    timeout = found.get("timeout")
    seconds = timeout if isinstance(timeout, int) and not isinstance(timeout, bool) else TIMEOUT
    return PassEnd(
        status=status,
        text=words,
        question=question[:LONGEST_QUESTION],
        options=options,
        default=default if not options or default in options else None,
        timeout_s=min(max(seconds, SHORTEST), LONGEST),
    )


def _without_reflection(said: str) -> str:
    """Return the words behind a looking back; where there are none, what it says of how things are."""
    bare = _OPENED.sub("", said)
    try:
        found, end = _DECODER.raw_decode(bare) if bare.startswith("{") else (None, 0)
    except (ValueError, RecursionError):
        return said
    if not isinstance(found, dict) or found.keys() != {"reflection"}:
        return said
    looked = found["reflection"]
    rest = bare[end:].strip().removeprefix("```").strip()
    return rest or (_text(looked, "assessment") if isinstance(looked, dict) else "")


def _object(said: str) -> Mapping[str, Any] | None:
    """Return the object that the words are, or which asks something in them; None when they are none that says how it
    ends."""
    fenced = _FENCE.search(said)
    start = 0 if said.startswith("{") else said.find("\n{") + 1
    inner, beside = said[start:], said[:start]
    if fenced:
        inner, beside = fenced[1], said[: fenced.start()] + said[fenced.end() :]
    try:
        found = loads(inner) if inner.startswith("{") else None
    except BadJson:
        return None
    if isinstance(found, dict) and isinstance(found.get("result"), dict):
        found = found["result"]
    if not isinstance(found, dict) or found.get("status") not in {UNCHANGED, *(status.value for status in Status)}:
        return None
    if not beside:
        return found
    if found["status"] == UNCHANGED:
        return {**found, "text": beside.strip()}
    # Words beside it may be the outcome, and what is written so a part of them; a question is asked in any case.
    question = _text(found, "question") if found["status"] == Status.NEEDS_INPUT else ""
    return {**found, "question": f"{beside.strip()}\n\n{question}"} if question else None


def _text(found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    return value.strip() if isinstance(value, str) else ""


def _options(given: Any) -> tuple[str, ...]:
    """Options that may be buttons, each once; none at all where they are too many."""
    texts = [" ".join(one.split()) for one in given if isinstance(one, str)] if isinstance(given, list) else []
    unique = {folded(one): one for one in texts if 0 < len(one) <= LONGEST_OPTION}
    return tuple(unique.values()) if len(unique) <= MOST_OPTIONS else ()
