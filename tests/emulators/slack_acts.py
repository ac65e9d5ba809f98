"""What using an element of a message or a view brings: the entry of ``actions`` and of ``state``.

Shapes from docs.slack.dev, "block_actions payload" and "Block Kit elements".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tests.emulators.slack_blocks import elements
from tests.emulators.slack_world import Json

# The field that holds what was chosen, by the type of the element; those with options follow.
PLAIN = {
    "plain_text_input": "value",
    "email_text_input": "value",
    "url_text_input": "value",
    "number_input": "value",
    "datepicker": "selected_date",
    "timepicker": "selected_time",
    "datetimepicker": "selected_date_time",
    "users_select": "selected_user",
    "channels_select": "selected_channel",
    "conversations_select": "selected_conversation",
    "multi_users_select": "selected_users",
    "multi_channels_select": "selected_channels",
    "multi_conversations_select": "selected_conversations",
}
ONE = frozenset({"static_select", "external_select", "radio_buttons", "overflow"})
SEVERAL = frozenset({"checkboxes", "multi_static_select", "multi_external_select"})
ANY_OPTION = frozenset({"external_select", "multi_external_select"})
# What an element shows before anybody touched it.
INITIAL = {
    "value": "initial_value",
    "selected_option": "initial_option",
    "selected_options": "initial_options",
    **{field: field.replace("selected", "initial") for field in PLAIN.values() if field.startswith("selected")},
}


def found(blocks: Sequence[Json], name: str) -> tuple[Json, Json]:
    """Return the block and the element whose label, placeholder, action_id or value is *name*.

    Raises ``ValueError`` when nothing shown is called so.
    """
    for block in blocks:
        for element in elements(block):
            if name in _names(block, element):
                return block, element
    raise ValueError(f"nothing is called {name!r}")


def elements_of(blocks: Sequence[Json]) -> list[Json]:
    """Return everything that can be pressed, chosen or filled in, in the order it is shown."""
    return [element for block in blocks for element in elements(block)]


def _names(block: Json, element: Json) -> Iterator[str]:
    for holder, field in ((element, "text"), (element, "placeholder"), (block, "label")):
        text = holder.get(field)
        if isinstance(text, dict):
            yield text["text"]
    yield element.get("action_id", "")
    yield element.get("value", "")


def filled(element: Json, value: Any) -> Json:
    """Return the state of an input that holds *value*, or what it showed from the start when it is None.

    An option is named by its text or its value. Raises ``ValueError`` for one that is not offered.
    """
    kind = element["type"]
    field = PLAIN.get(kind) or ("selected_option" if kind in ONE else "selected_options")
    if value is None:
        return {"type": kind, field: element.get(INITIAL[field], [] if kind in SEVERAL else None)}
    if kind in ONE:
        value = option(element, value)
    elif kind in SEVERAL:
        value = [option(element, one) for one in value]
    return {"type": kind, field: value}


def option(element: Json, name: str) -> Json:
    """Return the option called *name*."""
    offered = [*element.get("options", ()), *_grouped(element)]
    for one in offered:
        if name in (one["text"]["text"], one.get("value")):
            return {part: one[part] for part in ("text", "value", "description") if part in one}
    if element["type"] in ANY_OPTION:
        return {"text": {"type": "plain_text", "text": name, "emoji": True}, "value": name}
    raise ValueError(f"no option {name!r}")


def _grouped(element: Json) -> Iterator[Json]:
    for group in element.get("option_groups", ()):
        yield from group["options"]


def action(block: Json, element: Json, ts: str, value: Any = None) -> Json:
    """Return the entry of ``actions`` when *element* was used: pressed, or *value* was chosen."""
    entry: Json = {"type": element["type"], "action_id": element["action_id"], "block_id": block["block_id"]}
    if element["type"] == "button":
        entry["text"] = element["text"]
        entry |= {name: element[name] for name in ("value", "style") if name in element}
    else:
        entry |= filled(element, value)
        entry |= {"placeholder": element["placeholder"]} if "placeholder" in element else {}
    return entry | {"action_ts": ts}
