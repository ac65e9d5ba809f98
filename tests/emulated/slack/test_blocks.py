"""Which blocks the Slack emulator takes, which it refuses, and what it says of them."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.models import blocks as models
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulated.slack.conftest import ROOM
from tests.emulators.slack_block_rules import BLOCKS, ELEMENTS
from tests.emulators.slack_blocks import checked_blocks, checked_view, readable
from tests.emulators.slack_rules import ApiError

Json = dict[str, Any]


def plain(text: str) -> Json:
    return {"type": "plain_text", "text": text}


def markdown(text: str) -> Json:
    return {"type": "markdown", "text": text}


def section(text: str = "Hello", **fields: Any) -> Json:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text}, **fields}


def button(label: str = "Done", **fields: Any) -> Json:
    return {"type": "button", "text": plain(label), **fields}


def option(value: str = "1") -> Json:
    return {"text": plain("One"), "value": value}


def select(*options: Json, **fields: Any) -> Json:
    return {"type": "static_select", "options": list(options), **fields}


def actions(*elements: Json) -> Json:
    return {"type": "actions", "elements": list(elements)}


def field(element: Json | None = None) -> Json:
    return {"type": "input", "label": plain("What"), "element": element or {"type": "plain_text_input"}}


def modal(*blocks: Json, **fields: Any) -> Json:
    return {"type": "modal", "title": plain("New"), "blocks": list(blocks), **fields}


GOOD: list[Json] = [
    section(accessory=button(value="x" * 2000, style="primary", action_id="a")),
    {"type": "section", "fields": [plain("a"), {"type": "mrkdwn", "text": "b"}]},
    actions(button(action_id="a"), button(action_id="b"), select(option()), {"type": "datetimepicker"}),
    actions({"type": "checkboxes", "options": [{"text": {"type": "mrkdwn", "text": "*x*"}, "value": "1"}]}),
    {"type": "context", "elements": [plain("small"), {"type": "image", "image_url": "https://x", "alt_text": "x"}]},
    {"type": "header", "text": plain("Head")},
    {"type": "divider"},
    field({"type": "plain_text_input", "multiline": True, "max_length": 3000}),
    markdown("**bold**"),
]


@pytest.mark.parametrize("block", GOOD, ids=lambda block: block["type"])
def test_good_blocks_are_taken_and_get_the_ids_they_lack(block: Json) -> None:
    before = copy.deepcopy(block)
    (taken,) = checked_blocks([block])
    assert taken["block_id"]
    assert block == before


def test_what_the_librarys_models_write_is_taken() -> None:
    choice = models.Option(text="One", value="1")
    written = [
        models.SectionBlock(text="Hello", accessory=models.ButtonElement(text="Go", action_id="go", value="1")),
        models.ActionsBlock(
            elements=[models.StaticSelectElement(placeholder="Which", action_id="w", options=[choice])]
        ),
        models.ContextBlock(elements=[models.MarkdownTextObject(text="small")]),
        models.InputBlock(label="When", element=models.DateTimePickerElement(action_id="at")),
        models.MarkdownBlock(text="# Head"),
    ]
    assert len(checked_blocks([block.to_dict() for block in written])) == 5


@pytest.mark.parametrize(
    ("block", "where"),
    [
        ({"type": "nope"}, "/blocks/0/type"),
        (section(""), "/blocks/0/text/text"),
        (section("x" * 3001), "/blocks/0/text/text"),
        ({"type": "section"}, "/blocks/0"),
        ({"type": "section", "text": "Hello"}, "/blocks/0/text"),
        (section(colour="red"), "/blocks/0"),
        (section(fields=[plain("x" * 2001)]), "/blocks/0/fields/0/text"),
        (section(fields=[plain("x")] * 11), "/blocks/0/fields"),
        ({"type": "header", "text": {"type": "mrkdwn", "text": "x"}}, "/blocks/0/text"),
        ({"type": "header", "text": plain("x" * 151)}, "/blocks/0/text/text"),
        (actions(), "/blocks/0/elements"),
        (actions(*[button()] * 26), "/blocks/0/elements"),
        (actions(button("x" * 76)), "/blocks/0/elements/0/text/text"),
        (actions(button(value="x" * 2001)), "/blocks/0/elements/0/value"),
        (actions(button(value=7)), "/blocks/0/elements/0/value"),
        (actions(button(style="green")), "/blocks/0/elements/0/style"),
        (actions({"type": "button", "text": {"type": "mrkdwn", "text": "x"}}), "/blocks/0/elements/0/text"),
        (actions(button(action_id="x" * 256)), "/blocks/0/elements/0/action_id"),
        (actions(button(action_id="a"), button(action_id="a")), "/blocks/0"),
        (actions({"type": "plain_text_input"}), "/blocks/0/elements/0/type"),
        (actions(select()), "/blocks/0/elements/0/options"),
        (actions(select(*[option()] * 101)), "/blocks/0/elements/0/options"),
        (actions(select(option("x" * 151))), "/blocks/0/elements/0/options/0/value"),
        (actions(select(option(), placeholder=plain("x" * 151))), "/blocks/0/elements/0/placeholder/text"),
        (actions({"type": "checkboxes", "options": [option()] * 11}), "/blocks/0/elements/0/options"),
        (actions({"type": "datetimepicker", "initial_date_time": 5}), "/blocks/0/elements/0/initial_date_time"),
        ({"type": "context", "elements": [plain("x")] * 11}, "/blocks/0/elements"),
        ({"type": "image", "alt_text": "x"}, "/blocks/0"),
        (markdown("x" * 12_001), "/blocks/0/text"),
        (section(block_id="x" * 256), "/blocks/0/block_id"),
    ],
)
def test_a_bad_block_is_refused_with_its_place(block: Json, where: str) -> None:
    with pytest.raises(ApiError) as caught:
        checked_blocks([block])
    assert caught.value.code == "invalid_blocks"
    (message,) = caught.value.fields["response_metadata"]["messages"]
    assert message.endswith(f"[json-pointer:{where}]")


@pytest.mark.parametrize(
    ("blocks", "error"),
    [
        ([{"type": "divider"}] * 51, "invalid_blocks"),
        ([section(block_id="a"), section(block_id="a")], "invalid_blocks"),
        ([markdown("x" * 6001)] * 2, "invalid_blocks"),
        ([section("x" * 2700)] * 5, "msg_blocks_too_long"),
        ("hello", "invalid_blocks_format"),
        ({"type": "divider"}, "invalid_blocks_format"),
    ],
)
def test_blocks_that_are_too_many_or_too_long_together_are_refused(blocks: object, error: str) -> None:
    with pytest.raises(ApiError) as caught:
        checked_blocks(blocks)
    assert caught.value.code == error


def test_the_same_action_may_be_in_several_blocks() -> None:
    assert len(checked_blocks([actions(button(action_id="a")), actions(button(action_id="a"))])) == 2


@pytest.mark.parametrize(
    ("view", "where"),
    [
        (modal() | {"title": plain("x" * 25)}, "/view/title/text"),
        ({"type": "modal", "blocks": []}, "/view"),
        (modal(*[{"type": "divider"}] * 101), "/view/blocks"),
        (modal(private_metadata="x" * 3001), "/view/private_metadata"),
        (modal(callback_id="x" * 256), "/view/callback_id"),
        (modal(field()), "/view"),
        (modal(markdown("x")), "/view/blocks/0/type"),
        (modal(submit=plain("x" * 25)), "/view/submit/text"),
        ({"type": "workflow_step", "blocks": []}, "/view/type"),
        ({"type": "home", "blocks": [], "title": plain("x")}, "/view"),
    ],
)
def test_a_bad_view_is_refused_with_its_place(view: Json, where: str) -> None:
    with pytest.raises(ApiError) as caught:
        checked_view(view, "modal", "home")
    assert caught.value.code == "invalid_arguments"
    (message,) = caught.value.fields["response_metadata"]["messages"]
    assert message.endswith(f"[json-pointer:{where}]")


def test_a_view_that_weighs_too_much_is_refused() -> None:
    with pytest.raises(ApiError, match="view_too_large"):
        checked_view(modal(*[section("x" * 3000)] * 99), "modal")


def test_what_is_read_is_the_text_and_not_the_buttons() -> None:
    blocks = [markdown("**Buy** milk"), section("When?", accessory=button("Now")), actions(button("Later"))]
    assert readable([*blocks, {"type": "context", "elements": [plain("small")]}]) == "**Buy** milk\nWhen?\nsmall"


def library_fields(base: type, kind: str) -> set[str]:
    """Return every field that the library's models of *kind* write."""
    found = [model for model in descendants(base) if getattr(model, "type", None) == kind]
    return {name for model in found for name in model.__new__(model).attributes}


def descendants(base: type) -> list[Any]:
    children: list[Any] = base.__subclasses__()
    return children + [model for child in children for model in descendants(child)]


@pytest.mark.parametrize("kind", BLOCKS)
def test_the_fields_of_a_block_are_those_of_the_librarys_model(kind: str) -> None:
    shape = BLOCKS[kind]
    assert {*shape.must, *shape.may, "type", "block_id"} == library_fields(models.Block, kind)


@pytest.mark.parametrize("kind", ELEMENTS)
def test_the_fields_of_an_element_are_among_those_of_the_librarys_model(kind: str) -> None:
    shape = ELEMENTS[kind]
    assert {*shape.must, *shape.may, "type"} <= library_fields(models.BlockElement, kind)


async def test_a_refusal_travels_with_its_reasons(client: AsyncWebClient) -> None:
    with pytest.raises(SlackApiError) as caught:
        await client.chat_postMessage(channel=ROOM, text="x", blocks=[section("")])
    answer = caught.value.response
    assert answer["error"] == "invalid_blocks"
    assert answer["response_metadata"]["messages"] == [
        "[ERROR] must be more than 0 characters [json-pointer:/blocks/0/text/text]"
    ]
