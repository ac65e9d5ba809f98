"""The windows that Slack opens for an answer, a reminder and a to-do (https://docs.slack.dev/surfaces/modals)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from slack_sdk.models.blocks import InputBlock
from slack_sdk.models.views import View

from bot.adapters.slack.parse.messages import text_of
from core.kernel.clean_text import storable
from core.kernel.timing.zones import to_local, zone_named
from core.kernel.types import Millis
from core.language import Language

Json = dict[str, Any]

ANSWER, REMINDER, TODO = "teller_answer", "teller_reminder", "teller_todo"
TEXT, WHEN, DUE = "text", "when", "due"
LONGEST_ANSWER, LONGEST_TEXT, LONGEST_TODO = 3_000, 1_000, 500
LONGEST_NOTE = View.private_metadata_max_length
LONGEST_TITLE = View.title_max_length
LONGEST_LABEL = InputBlock.label_max_length
MORNING = time(9)


def answer(language: Language, note: Mapping[str, str]) -> Json:
    """Return a window for a long answer; `note` comes back with it."""
    field = _text(language, "slack_answer_label", most=LONGEST_ANSWER)
    return _modal(language, ANSWER, "slack_answer_title", note, [field])


def reminder(language: Language, note: Mapping[str, str], text: str, zone: str, now: Millis) -> Json:
    """Return a window that asks when to be reminded of `text`; tomorrow at nine is proposed, in `zone`."""
    when: Json = {
        "type": "input",
        "block_id": WHEN,
        "label": _plain(language["slack_reminder_when"], LONGEST_LABEL),
        "element": {
            "type": "datetimepicker",
            "action_id": WHEN,
            "initial_date_time": tomorrow(zone, now) // 1000,
        },
    }
    field = _text(language, "slack_reminder_what", most=LONGEST_TEXT, text=text)
    return _modal(language, REMINDER, "slack_reminder_title", note, [when, field], "slack_submit_reminder")


def todo(language: Language) -> Json:
    """Return a window for a new to-do, with a date that may be left out."""
    due: Json = {
        "type": "input",
        "block_id": DUE,
        "optional": True,
        "label": _plain(language["slack_todo_due"], LONGEST_LABEL),
        "element": {"type": "datepicker", "action_id": DUE},
    }
    field = _text(language, "slack_todo_what", most=LONGEST_TODO, lines=False)
    return _modal(language, TODO, "slack_todo_title", {}, [field, due], "slack_submit_todo")


def tomorrow(zone: str, now: Millis) -> Millis:
    """Return tomorrow at nine in a zone; in UTC where the zone is none."""
    here = to_local(now, zone_of(zone))
    return round(datetime.combine(here.date() + timedelta(days=1), MORNING, here.tzinfo).timestamp() * 1000)


def zone_of(name: str) -> ZoneInfo:
    """Return a zone by its IANA name; UTC for what is none."""
    return zone_named(name) or ZoneInfo("UTC")


def noted(view: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the note that a window was opened with; an empty one for what cannot be read."""
    try:
        found = json.loads(text_of(view, "private_metadata"))
    except (ValueError, RecursionError):
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {name: storable(value) for name, value in pairs if isinstance(value, str)}


def entered(view: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return what was entered into one field (docs.slack.dev/reference/views: `state.values`)."""
    found: Any = view.get("state")
    for step in ("values", name, name):
        found = found.get(step) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def text_entered(view: Mapping[str, Any], most: int) -> str:
    """Return the text that was entered, without what surrounds it."""
    return storable(text_of(entered(view, TEXT), "value")).strip()[:most]


def when_entered(view: Mapping[str, Any]) -> Millis:
    """Return the instant that was entered; 0 when it is none."""
    found = entered(view, WHEN).get("selected_date_time")
    return found * 1000 if type(found) is int and 0 < found < 2**33 else 0


def error(field: str, text: str) -> Json:
    """Return what leaves a window open and says below a field what is wrong."""
    return {"response_action": "errors", "errors": {field: text}}


def _modal(
    language: Language,
    name: str,
    title: str,
    note: Mapping[str, str],
    blocks: list[Json],
    submit: str = "slack_submit",
) -> Json:
    return {
        "type": "modal",
        "callback_id": name,
        "title": _plain(language[title], LONGEST_TITLE),
        "submit": _plain(language[submit], LONGEST_TITLE),
        "close": _plain(language["slack_close"], LONGEST_TITLE),
        "private_metadata": _note(note),
        "blocks": blocks,
    }


def _note(note: Mapping[str, str]) -> str:
    """Return a note as Slack keeps it; of the text of a message in it, under `quoted`, as much as there is room for."""
    written = json.dumps(dict(note), ensure_ascii=False)
    if len(written) <= LONGEST_NOTE:
        return written
    quoted = note.get("quoted", "")
    return _note({**note, "quoted": quoted[: len(quoted) // 2]}) if quoted else "{}"


def _text(language: Language, label: str, *, most: int, text: str = "", lines: bool = True) -> Json:
    element: Json = {"type": "plain_text_input", "action_id": TEXT, "multiline": lines, "max_length": most}
    if text:
        element["initial_value"] = text[:most]
    return {"type": "input", "block_id": TEXT, "label": _plain(language[label], LONGEST_LABEL), "element": element}


def _plain(text: str, most: int) -> Json:
    return {"type": "plain_text", "text": text[:most], "emoji": True}
