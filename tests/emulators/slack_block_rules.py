"""The rules for blocks, elements and composition objects: which fields each has, and how much fits into them.

Limits are those of slack_sdk's models where they have them, otherwise those of docs.slack.dev, "Block Kit".
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from slack_sdk.models.blocks import block_elements as elements
from slack_sdk.models.blocks import blocks
from slack_sdk.models.blocks.basic_components import ConfirmObject, Option, OptionGroup

Problems = list[str]
Check = Callable[[object, str, Problems], None]

URL_LENGTH = elements.ButtonElement.url_max_length
PLACEHOLDER = elements.InputInteractiveElement.placeholder_max_length
OPTIONS = elements.StaticSelectElement.options_max_length
# docs.slack.dev: "Checkboxes", "Radio buttons", "Overflow menu", "Section", "Text input".
FEW_OPTIONS, OVERFLOW_OPTIONS, FIELD_TEXT, INPUT_TEXT = 10, 5, 2000, 3000
DATE, CLOCK = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"([01]\d|2[0-3]):[0-5]\d")


@dataclass(frozen=True, slots=True)
class Shape:
    """The fields that an object must have and those that it may have; *one_of* are alternatives, one of which is."""

    must: dict[str, Check] = field(default_factory=dict)
    may: dict[str, Check] = field(default_factory=dict)
    one_of: tuple[str, ...] = ()


def say(problems: Problems, text: str, where: str) -> None:
    """Write a problem down as Slack words it."""
    problems.append(f"[ERROR] {text} [json-pointer:{where}]")


def check_shape(value: object, shape: Shape, where: str, problems: Problems, own: tuple[str, ...] = ()) -> None:
    """Check an object; *own* are fields that were looked at already."""
    if not isinstance(value, dict):
        return say(problems, "must be an object", where)
    checks = {**shape.must, **shape.may}
    for name in [name for name in shape.must if name not in value]:
        say(problems, f"missing required field: {name}", where)
    if shape.one_of and not value.keys() & set(shape.one_of):
        say(problems, f"missing required field: {' or '.join(shape.one_of)}", where)
    for name, part in value.items():
        if name in checks:
            checks[name](part, f"{where}/{name}", problems)
        elif name not in own:
            say(problems, f"invalid additional property: {name}", where)
    return None


def string(limit: int, low: int = 1, pattern: re.Pattern[str] | None = None) -> Check:
    """Check for a text of *low* to *limit* characters."""

    def check(value: object, where: str, problems: Problems) -> None:
        if not isinstance(value, str):
            say(problems, "must be a string", where)
        elif len(value) < low:
            say(problems, f"must be more than {low - 1} characters", where)
        elif len(value) > limit:
            say(problems, f"must be less than {limit + 1} characters", where)
        elif pattern and not pattern.fullmatch(value):
            say(problems, "invalid format", where)

    return check


def text(limit: int, *kinds: str) -> Check:
    """Check for a text object of one of the *kinds*."""
    fields = {"plain_text": {"emoji": flag}, "mrkdwn": {"verbatim": flag}}

    def check(value: object, where: str, problems: Problems) -> None:
        kind = value.get("type") if isinstance(value, dict) else None
        if kind not in kinds:
            return say(problems, f"must be a {' or '.join(kinds)} object", where)
        return check_shape(value, Shape({"text": string(limit)}, dict(fields[kind])), where, problems, ("type",))

    return check


def flag(value: object, where: str, problems: Problems) -> None:
    """Check for a boolean."""
    if not isinstance(value, bool):
        say(problems, "must be a boolean", where)


def number(low: int, high: int) -> Check:
    """Check for an integer from *low* to *high*."""

    def check(value: object, where: str, problems: Problems) -> None:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            say(problems, f"must be an integer from {low} to {high}", where)

    return check


def choice(*words: str) -> Check:
    """Check for one of *words*."""

    def check(value: object, where: str, problems: Problems) -> None:
        if value not in words:
            say(problems, f"must be one of {', '.join(words)}", where)

    return check


def many(inner: Check, low: int, high: int) -> Check:
    """Check for a list of *low* to *high* things."""

    def check(value: object, where: str, problems: Problems) -> None:
        if not isinstance(value, list):
            return say(problems, "must be an array", where)
        if len(value) < low:
            say(problems, f"no fewer than {low} items allowed", where)
        if len(value) > high:
            say(problems, f"no more than {high} items allowed", where)
        for place, part in enumerate(value):
            inner(part, f"{where}/{place}", problems)
        return None

    return check


def shaped(shape: Shape) -> Check:
    """Check for an object without a type."""
    return lambda value, where, problems: check_shape(value, shape, where, problems)


def typed(shapes: dict[str, Shape], kinds: tuple[str, ...], common: tuple[str, ...] = ("type",)) -> Check:
    """Check for an object whose type is one of *kinds*."""

    def check(value: object, where: str, problems: Problems) -> None:
        kind = value.get("type") if isinstance(value, dict) else None
        if kind not in kinds or kind not in shapes:
            return say(problems, f"unsupported type: {kind}", f"{where}/type")
        return check_shape(value, shapes[kind], where, problems, common)

    return check


def anything(value: object, where: str, problems: Problems) -> None:
    """Take what is not looked into."""


PLAIN, ANY = "plain_text", ("plain_text", "mrkdwn")
CONFIRM = shaped(
    Shape(
        {
            "title": text(ConfirmObject.title_max_length, PLAIN),
            "text": text(ConfirmObject.text_max_length, *ANY),
            "confirm": text(ConfirmObject.confirm_max_length, PLAIN),
            "deny": text(ConfirmObject.deny_max_length, PLAIN),
        },
        {"style": choice("primary", "danger")},
    )
)


def option(*kinds: str, url: bool = False) -> Check:
    """Check for an option object."""
    label, value = Option.label_max_length, Option.value_max_length
    may = {"description": text(label, *kinds)} | ({"url": string(URL_LENGTH)} if url else {})
    return shaped(Shape({"text": text(label, *kinds), "value": string(value)}, may))


GROUP = shaped(
    Shape({
        "label": text(OptionGroup.label_max_length, PLAIN),
        "options": many(option(PLAIN), 1, OptionGroup.options_max_length),
    })
)
ACTION_ID = {"action_id": string(elements.InteractiveElement.action_id_max_length)}
FOCUS: dict[str, Check] = {**ACTION_ID, "focus_on_load": flag}
HOLDER = {"placeholder": text(PLACEHOLDER, PLAIN)}
MENU: dict[str, Check] = {**FOCUS, **HOLDER, "confirm": CONFIRM}
PICKS = {"max_selected_items": number(1, OPTIONS)}
DISPATCH: dict[str, Check] = {
    "dispatch_action_config": shaped(
        Shape({"trigger_actions_on": many(choice("on_enter_pressed", "on_character_entered"), 1, 2)})
    )
}
LISTED: dict[str, Check] = {
    "options": many(option(PLAIN), 1, OPTIONS),
    "option_groups": many(GROUP, 1, elements.StaticSelectElement.option_groups_max_length),
}
WRITTEN: dict[str, Check] = {**FOCUS, **HOLDER, **DISPATCH, "initial_value": string(INPUT_TEXT, 0)}
BUTTON_TEXT = elements.ButtonElement.text_max_length
LONG_IDS: Check = many(string(255), 0, OPTIONS)

ELEMENTS: dict[str, Shape] = {
    "button": Shape(
        {"text": text(BUTTON_TEXT, PLAIN)},
        {
            **ACTION_ID,
            "url": string(URL_LENGTH),
            "value": string(elements.ButtonElement.value_max_length),
            "style": choice("primary", "danger"),
            "confirm": CONFIRM,
            "accessibility_label": string(BUTTON_TEXT),
        },
    ),
    "static_select": Shape({}, {**MENU, **LISTED, "initial_option": option(PLAIN)}, ("options", "option_groups")),
    "multi_static_select": Shape(
        {},
        {**MENU, **LISTED, **PICKS, "initial_options": many(option(PLAIN), 1, OPTIONS)},
        ("options", "option_groups"),
    ),
    "external_select": Shape({}, {**MENU, "min_query_length": number(0, 100), "initial_option": option(PLAIN)}),
    "users_select": Shape({}, {**MENU, "initial_user": string(255)}),
    "multi_users_select": Shape({}, {**MENU, **PICKS, "initial_users": LONG_IDS}),
    "conversations_select": Shape(
        {},
        {
            **MENU,
            "initial_conversation": string(255),
            "default_to_current_conversation": flag,
            "response_url_enabled": flag,
            "filter": anything,
        },
    ),
    "channels_select": Shape({}, {**MENU, "initial_channel": string(255), "response_url_enabled": flag}),
    "checkboxes": Shape(
        {"options": many(option(*ANY), 1, FEW_OPTIONS)},
        {**FOCUS, "confirm": CONFIRM, "initial_options": many(option(*ANY), 1, FEW_OPTIONS)},
    ),
    "radio_buttons": Shape(
        {"options": many(option(*ANY), 1, FEW_OPTIONS)}, {**FOCUS, "confirm": CONFIRM, "initial_option": option(*ANY)}
    ),
    "overflow": Shape(
        {"options": many(option(PLAIN, url=True), 1, OVERFLOW_OPTIONS)}, {**ACTION_ID, "confirm": CONFIRM}
    ),
    "datepicker": Shape({}, {**MENU, "initial_date": string(10, 10, DATE)}),
    "timepicker": Shape({}, {**MENU, "initial_time": string(5, 5, CLOCK), "timezone": string(255)}),
    "datetimepicker": Shape({}, {**FOCUS, "confirm": CONFIRM, "initial_date_time": number(10**9, 10**10 - 1)}),
    "plain_text_input": Shape(
        {}, {**WRITTEN, "multiline": flag, "min_length": number(0, INPUT_TEXT), "max_length": number(1, INPUT_TEXT)}
    ),
    "email_text_input": Shape({}, WRITTEN),
    "url_text_input": Shape({}, WRITTEN),
    "number_input": Shape(
        {"is_decimal_allowed": flag}, {**WRITTEN, "min_value": string(255, 1), "max_value": string(255, 1)}
    ),
    "image": Shape(
        {"alt_text": string(elements.ImageElement.alt_text_max_length)},
        {"image_url": string(elements.ImageElement.image_url_max_length), "slack_file": anything},
        ("image_url", "slack_file"),
    ),
    "feedback_buttons": Shape({"positive_button": anything, "negative_button": anything}, dict(ACTION_ID)),
    "icon_button": Shape(
        {"icon": choice("trash"), "text": text(BUTTON_TEXT, PLAIN)},
        {**ACTION_ID, "value": string(2000), "confirm": CONFIRM, "accessibility_label": string(BUTTON_TEXT)},
    ),
}

MENUS = ("static_select", "external_select", "users_select", "conversations_select", "channels_select")
MULTI = ("multi_static_select", "multi_users_select")
PICKERS = ("checkboxes", "radio_buttons", "datepicker", "timepicker")
INPUTS = ("plain_text_input", "email_text_input", "url_text_input", "number_input", "datetimepicker")
CONTEXT = {kind: Shape({"text": string(INPUT_TEXT)}, {"emoji": flag, "verbatim": flag}) for kind in ANY}

BLOCKS: dict[str, Shape] = {
    "section": Shape(
        {},
        {
            "text": text(blocks.SectionBlock.text_max_length, *ANY),
            "fields": many(text(FIELD_TEXT, *ANY), 1, blocks.SectionBlock.fields_max_length),
            "accessory": typed(ELEMENTS, ("button", "image", "overflow", *MENUS, *MULTI, *PICKERS)),
            "expand": flag,
        },
        ("text", "fields"),
    ),
    "divider": Shape(),
    "header": Shape({"text": text(blocks.HeaderBlock.text_max_length, PLAIN)}),
    "markdown": Shape({"text": string(blocks.MarkdownBlock.text_max_length)}),
    "context": Shape({
        "elements": many(typed(ELEMENTS | CONTEXT, ("image", *ANY)), 1, blocks.ContextBlock.elements_max_length)
    }),
    "actions": Shape({
        "elements": many(
            typed(ELEMENTS, ("button", "overflow", "datetimepicker", *MENUS, *PICKERS)),
            1,
            blocks.ActionsBlock.elements_max_length,
        )
    }),
    "context_actions": Shape({
        "elements": many(
            typed(ELEMENTS, ("feedback_buttons", "icon_button")), 1, blocks.ContextActionsBlock.elements_max_length
        )
    }),
    "input": Shape(
        {
            "label": text(blocks.InputBlock.label_max_length, PLAIN),
            "element": typed(ELEMENTS, (*INPUTS, *MENUS, *MULTI, *PICKERS)),
        },
        {"hint": text(blocks.InputBlock.hint_max_length, PLAIN), "optional": flag, "dispatch_action": flag},
    ),
    "image": Shape(
        {"alt_text": string(blocks.ImageBlock.alt_text_max_length)},
        {
            "image_url": string(blocks.ImageBlock.image_url_max_length),
            "slack_file": anything,
            "title": text(blocks.ImageBlock.title_max_length, PLAIN),
        },
        ("image_url", "slack_file"),
    ),
    "rich_text": Shape({"elements": many(anything, 1, 1000)}),
    "table": Shape({"rows": many(many(anything, 1, 20), 1, 100)}, {"column_settings": many(anything, 0, 20)}),
}
# docs.slack.dev: these are for messages only.
NOT_IN_VIEWS = frozenset({"markdown", "context_actions", "table"})
