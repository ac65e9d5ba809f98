"""What programs post, hostile and not always text: what of it people read, as data.

A program that wants to say something sends text, or JSON with `text` or `message` and perhaps a `title`; a form with
such fields will do. Of what GitHub sends a line is made that says what happened, and where. All else is shown as it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from core.kernel.clean_text import cleaned, storable
from core.kernel.markdown import lines
from core.kernel.types import Json

TITLES, TEXTS = ("title", "subject"), ("text", "message", "content", "body")
# What GitHub's events are about, and how that is called there.
SUBJECTS = ("pull_request", "issue", "release", "discussion", "workflow_run", "check_suite", "deployment", "alert")
# What people are shown of it, in characters, and what a model is.
MOST_SHOWN, MOST_TOLD = 3_000, 16_000
MOST_FIELDS = 100
FORM = "application/x-www-form-urlencoded"


def text_of(body: bytes) -> str:
    """Return a body as text that can be stored, whatever it is."""
    return storable(body.decode("utf-8-sig", "replace"))


def shown(headers: Mapping[str, str], body: bytes) -> str:
    """Return what people are shown of a body, as Markdown in which nothing of it counts; empty where it has no text."""
    text, data = _read(headers, body)
    if isinstance(data, dict):
        said = _github(headers.get("x-github-event", ""), data) if "x-github-event" in headers else _said(data)
        if said:
            return lines(_cut(said))
    if data is None:
        return lines(_cut(cleaned(text)))
    block = _cut(cleaned(storable(json.dumps(data, ensure_ascii=False)))).replace("```", "'''")
    return f"```\n{block}\n```"


def _read(headers: Mapping[str, str], body: bytes) -> tuple[str, Json]:
    """Return a body as text, and what it says where it is JSON or a form of known fields; None where it is not."""
    text = text_of(body)
    if headers.get("content-type", "").partition(";")[0].strip().lower() == FORM:
        try:
            fields = dict(parse_qsl(text, max_num_fields=MOST_FIELDS))
        except ValueError:
            fields = {}
        text = fields.get("payload", text)
        if "payload" not in fields and any(name in fields for name in (*TITLES, *TEXTS)):
            return text, fields
    if not text.lstrip().startswith(("{", "[")):
        return text, None
    try:
        return text, json.loads(text)
    except (ValueError, RecursionError):
        return text, None


def _said(data: Mapping[str, Any]) -> str:
    """Return what JSON says to people; empty where it has none of the known fields."""
    title, said = (_first(data, names) for names in (TITLES, TEXTS))
    return "\n".join(filter(None, (title, said)))


def _first(data: Mapping[str, Any], names: tuple[str, ...]) -> str:
    found = (cleaned(storable(value)) for name in names if isinstance(value := data.get(name), str))
    return next(filter(None, found), "")


def _github(event: str, data: Mapping[str, Any]) -> str:
    """One to three lines that say what happened on GitHub: what, where and by whom; about what; where to look."""

    def of(key: str, name: str) -> str:
        inner = data.get(key)
        return _first(inner, (name,)) if isinstance(inner, dict) else ""

    subject = next((name for name in SUBJECTS if isinstance(data.get(name), dict)), "")
    about = of(subject, "title") or of(subject, "name") or of(subject, "tag_name") or of("head_commit", "message")
    about = about.partition("\n")[0] or _first(data, ("zen", "ref", "description"))
    link = of("comment", "html_url") or of(subject, "html_url") or _first(data, ("compare", "target_url"))
    what = " ".join(filter(None, (cleaned(event), _first(data, ("action", "state")), of(subject, "conclusion"))))
    where = [part for part in (of("repository", "full_name"), of("sender", "login")) if part]
    return "\n".join(filter(None, (" · ".join([what, *where]), about, link)))


def _cut(text: str) -> str:
    more = len(text) - MOST_SHOWN
    return text if more <= 0 else f"{text[:MOST_SHOWN]}… (+{more})"
