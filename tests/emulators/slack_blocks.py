"""Block Kit: what of it Slack takes, and what of it somebody reads."""

from __future__ import annotations

import copy
import json
import secrets
from collections.abc import Iterator

from slack_sdk.models.blocks import Block, MarkdownBlock
from slack_sdk.models.views import View as ViewModel

from tests.emulators.slack_block_rules import (
    BLOCKS,
    ELEMENTS,
    NOT_IN_VIEWS,
    PLAIN,
    Problems,
    Shape,
    check_shape,
    choice,
    flag,
    many,
    say,
    string,
    text,
    typed,
)
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_world import Json

MESSAGE_BLOCKS, VIEW_BLOCKS = 50, ViewModel.blocks_max_length
# Observed, not documented: a message with more characters in all its blocks is refused.
ALL_TEXT = 13_200
VIEW_BYTES = 250_000
NO_ACTION = frozenset({"image"})
_VIEW = {
    "blocks": many(typed(BLOCKS, tuple(BLOCKS.keys() - NOT_IN_VIEWS), ("type", "block_id")), 0, VIEW_BLOCKS),
    "private_metadata": string(ViewModel.private_metadata_max_length, 0),
    "callback_id": string(ViewModel.callback_id_max_length, 0),
    "external_id": string(255, 0),
}
MODAL = Shape(
    {"title": text(ViewModel.title_max_length, PLAIN), "blocks": _VIEW["blocks"]},
    {
        **_VIEW,
        "submit": text(ViewModel.submit_max_length, PLAIN),
        "close": text(ViewModel.close_max_length, PLAIN),
        "clear_on_close": flag,
        "notify_on_close": flag,
        "submit_disabled": flag,
    },
)
HOME = Shape({"blocks": _VIEW["blocks"]}, _VIEW)


def checked_blocks(value: object) -> list[Json]:
    """Return the blocks of a message with every id that was left out.

    Raises ``ApiError`` invalid_blocks, invalid_blocks_format or msg_blocks_too_long.
    """
    if not isinstance(value, list):
        raise ApiError("invalid_blocks_format")
    problems: Problems = []
    many(typed(BLOCKS, tuple(BLOCKS), ("type", "block_id")), 0, MESSAGE_BLOCKS)(value, "/blocks", problems)
    if not problems:
        _check_ids(value, "/blocks", problems)
        _check_markdown(value, problems)
    if problems:
        raise ApiError("invalid_blocks", *problems)
    if sum(len(part) for part in texts(value)) > ALL_TEXT:
        raise ApiError("msg_blocks_too_long")
    return _with_ids(value)


def checked_view(value: object, *kinds: str) -> Json:
    """Return a view of one of the *kinds*, "modal" or "home"; raise ``ApiError`` when it would be refused."""
    if not isinstance(value, dict):
        raise ApiError("invalid_arguments", "[ERROR] must be a valid view [json-pointer:/view]")
    problems: Problems = []
    choice(*kinds)(value.get("type"), "/view/type", problems)
    if not problems:
        check_shape(value, MODAL if value["type"] == "modal" else HOME, "/view", problems, ("type",))
    if not problems:
        _check_ids(value["blocks"], "/view/blocks", problems)
        _check_submit(value, problems)
    if problems:
        raise ApiError("invalid_arguments", *problems)
    if len(json.dumps(value)) > VIEW_BYTES:
        raise ApiError("view_too_large")
    return {**copy.deepcopy(value), "blocks": _with_ids(value["blocks"])}


def _check_submit(view: Json, problems: Problems) -> None:
    asks = any(block["type"] == "input" for block in view["blocks"])
    if view["type"] == "modal" and asks and "submit" not in view:
        say(problems, "missing required field: submit, as there are input blocks", "/view")


def _check_ids(blocks: list[Json], where: str, problems: Problems) -> None:
    seen: set[str] = set()
    for place, block in enumerate(blocks):
        identity = block.get("block_id")
        string(Block.block_id_max_length)(identity or "x", f"{where}/{place}/block_id", problems)
        if identity and identity in seen:
            say(problems, f"block_id {identity!r} already exists", f"{where}/{place}/block_id")
        seen.add(identity or "")
        actions = [element["action_id"] for element in elements(block) if "action_id" in element]
        if len(set(actions)) < len(actions):
            say(problems, "action_id already exists in this block", f"{where}/{place}")


def _check_markdown(blocks: list[Json], problems: Problems) -> None:
    limit = MarkdownBlock.text_max_length
    if sum(len(block["text"]) for block in blocks if block["type"] == "markdown") > limit:
        say(problems, f"markdown blocks must have less than {limit + 1} characters together", "/blocks")


def _with_ids(blocks: list[Json]) -> list[Json]:
    kept = copy.deepcopy(blocks)
    for block in kept:
        block.setdefault("block_id", secrets.token_urlsafe(4))
        for element in elements(block):
            if element["type"] not in NO_ACTION:
                element.setdefault("action_id", secrets.token_urlsafe(4))
    return kept


def elements(block: Json) -> list[Json]:
    """Return what can be pressed, chosen or filled in of a block."""
    parts = [*block.get("elements", ()), block.get("accessory"), block.get("element")]
    return [part for part in parts if isinstance(part, dict) and part.get("type") in ELEMENTS]


def texts(value: object) -> Iterator[str]:
    """Yield every text in *value*, in order."""
    if isinstance(value, list):
        for part in value:
            yield from texts(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if isinstance(part, str):
                yield from (part,) if name == "text" else ()
            else:
                yield from texts(part)


def readable(blocks: list[Json]) -> str:
    """Return what somebody reads in *blocks*, a line or more for each; what is written on buttons is not of it."""
    lines = ["\n".join(texts(_words(block))) for block in blocks]
    return "\n".join(line for line in lines if line)


def _words(block: Json) -> object:
    kind = block["type"]
    if kind == "markdown":
        return {"text": block["text"]}
    if kind == "context":
        return [{"text": part.get("text") or part.get("alt_text")} for part in block["elements"]]
    if kind == "rich_text":
        return {"text": "".join(texts(block["elements"]))}
    if kind == "image":
        return [block.get("title"), {"text": block["alt_text"]}]
    return [block.get(name) for name in ("text", "label", "fields", "hint", "rows")]
