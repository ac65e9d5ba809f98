"""The rules for the text of a message and its entities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import telegram
from telegram.constants import MessageEntityType, MessageLimit, ParseMode

from tests.emulators.telegram_markup import is_link
from tests.emulators.telegram_rules import Params, bad, check_list, check_object

ENTITY_TYPES = frozenset(map(str, MessageEntityType))
PARSE_MODES = frozenset(mode.lower() for mode in ParseMode)
# The one field that an entity of this type cannot do without.
ENTITY_NEEDS = {"text_link": "url", "text_mention": "user", "custom_emoji": "custom_emoji_id"}


def utf16_length(text: str) -> int:
    """Return the length of *text* in UTF-16 code units, the measure of the Bot API."""
    return len(text) + sum(character > "\uffff" for character in text)


def checked_text(params: Params, *, may_be_empty: bool = False) -> tuple[str, list[dict[str, Any]]]:
    """Return the text and the entities as the server stores them: without blank edges."""
    text: str = params.get("text", "")
    _check_utf8(text)
    entities = _checked_entities(params, text)
    stored = text.strip()
    if utf16_length(stored) < MessageLimit.MIN_TEXT_LENGTH and not may_be_empty:
        raise bad("message text is empty")
    if utf16_length(stored) > MessageLimit.MAX_TEXT_LENGTH:
        raise bad("message is too long")
    shift = utf16_length(text) - utf16_length(text.lstrip())
    return stored, list(_clipped(entities, shift, utf16_length(stored)))


def _check_utf8(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise bad("strings must be encoded in UTF-8") from None


def _clipped(entities: Iterable[dict[str, Any]], shift: int, length: int) -> Iterable[dict[str, Any]]:
    for entity in entities:
        start = max(entity["offset"] - shift, 0)
        end = min(entity["offset"] + entity["length"] - shift, length)
        if start < end:
            yield {**entity, "offset": start, "length": end - start}


def _checked_entities(params: Params, text: str) -> list[dict[str, Any]]:
    mode = params.get("parse_mode")
    if "entities" not in params:
        if mode is not None:
            _refuse_mode(mode)
        return []
    if mode is not None:
        raise bad("emulator: parse_mode and entities exclude each other")
    entities = check_list(params["entities"], "entities")
    if len(entities) > MessageLimit.MESSAGE_ENTITIES:
        raise bad(f"emulator: more than {int(MessageLimit.MESSAGE_ENTITIES)} entities")
    boundaries = _boundaries(text)
    for entity in entities:
        _check_entity(entity, boundaries)
    _check_nesting(entities)
    return entities


def _refuse_mode(mode: str) -> None:
    if mode.lower() not in PARSE_MODES:
        raise bad("unsupported parse_mode")
    raise bad("emulator: parse_mode is not emulated, send entities")


def _boundaries(text: str) -> dict[int, int]:
    """Map each UTF-16 offset at which a character begins, and the end, to its byte offset."""
    units = place = 0
    found = {0: 0}
    for character in text:
        units += 2 if character > "\uffff" else 1
        place += len(character.encode())
        found[units] = place
    return found


def _check_entity(entity: object, boundaries: dict[int, int]) -> None:
    fields = check_object(entity, telegram.MessageEntity)
    kind = fields["type"]
    if kind not in ENTITY_TYPES:
        raise bad("can't parse MessageEntity: Unsupported type specified")
    needed = ENTITY_NEEDS.get(kind)
    if needed and not fields.get(needed):
        raise bad(f"can't parse MessageEntity: Can't find field \"{needed}\"")
    if kind == "text_link":
        _check_link(fields["url"])
    _check_range(fields["offset"], fields["length"], boundaries)


def _check_link(url: object) -> None:
    if not is_link(url):
        raise bad(f"entity URL '{url}' is invalid: Wrong HTTP URL")


def _check_range(offset: object, length: object, boundaries: dict[int, int]) -> None:
    if type(offset) is not int or type(length) is not int or offset < 0 or length < 1:
        raise bad(f"emulator: entity with offset {offset!r} and length {length!r}")
    start, end = f"entity beginning at UTF-16 offset {offset}", offset + length
    if end > max(boundaries):
        raise bad(f"{start} ends after the end of the text at UTF-16 offset {end}")
    if offset not in boundaries:
        raise bad(f"entity begins in a middle of a UTF-16 symbol at byte offset {boundaries[offset - 1]}")
    if end not in boundaries:
        raise bad(f"{start} ends in a middle of a UTF-16 symbol at byte offset {boundaries[end - 1]}")


def _check_nesting(entities: list[dict[str, Any]]) -> None:
    open_ends: list[int] = []
    for entity in sorted(entities, key=lambda e: (e["offset"], -e["length"])):
        offset, end = entity["offset"], entity["offset"] + entity["length"]
        while open_ends and open_ends[-1] <= offset:
            open_ends.pop()
        if open_ends and end > open_ends[-1]:
            raise bad(f"emulator: entity beginning at UTF-16 offset {offset} crosses another one")
        open_ends.append(end)
