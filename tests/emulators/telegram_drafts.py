"""What a bot shows without sending: drafts and reactions."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import telegram
from telegram.constants import ReactionEmoji

from tests.emulators.telegram_chats import Call, Chats, Method
from tests.emulators.telegram_rules import Params, bad, check_list, check_object
from tests.emulators.telegram_text import checked_text

# Documented at sendMessageDraft: a preview for 30 seconds.
DRAFT_SECONDS = 30.0
REACTIONS = frozenset(map(str, ReactionEmoji))


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One accepted sendMessageDraft; an empty *text* is shown as "Thinking…"."""

    chat_id: int
    draft_id: int
    text: str
    entities: list[dict[str, Any]]
    thread: int | None
    call: Call


class Drafts:
    """sendMessageDraft; a draft is no message and disappears by itself."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self.kept: list[Draft] = []
        self.seconds = DRAFT_SECONDS

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"sendMessageDraft": self._send}

    def shown(self, chat: int) -> Draft | None:
        """Return the draft that the user sees now: fresh, and followed by no message."""
        latest = next((draft for draft in reversed(self.kept) if draft.chat_id == chat), None)
        if latest is None or time.monotonic() - latest.call.mono > self.seconds:
            return None
        sent = any(m.chat_id == chat and m.mono >= latest.call.mono for m in self._chats.sent)
        return None if sent else latest

    def _send(self, params: Params, call: Call) -> object:
        chat = self._chats.writable(params["chat_id"])
        if chat["type"] != "private":
            raise bad("TEXTDRAFT_PEER_INVALID")
        if params["draft_id"] == 0:
            raise bad("emulator: draft_id must not be 0")
        text, entities = checked_text(params, may_be_empty=True)
        thread = params.get("message_thread_id")
        self._chats.check_thread(chat["id"], thread)
        self.kept.append(
            Draft(
                chat_id=chat["id"], draft_id=params["draft_id"], text=text, entities=entities, thread=thread, call=call
            )
        )
        return True


class Reactions:
    """setMessageReaction; a bot has one reaction to a message, and it is an emoji."""

    def __init__(self, chats: Chats) -> None:
        self._chats = chats

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"setMessageReaction": self._set}

    def _set(self, params: Params, call: Call) -> object:
        chat = self._chats.writable(params["chat_id"])
        if self._chats.find(chat["id"], params["message_id"]) is None:
            raise bad("message to react not found")
        reaction = check_list(params.get("reaction", []), "reaction")
        if len(reaction) > 1:
            raise bad("REACTIONS_TOO_MANY")
        for one in reaction:
            _check_reaction(one)
        self._chats.reacted[chat["id"], params["message_id"], self._chats.bot["id"]] = reaction
        return True


def _check_reaction(reaction: object) -> None:
    if not isinstance(reaction, dict) or "type" not in reaction:
        raise bad("can't parse ReactionType: Can't find field \"type\"")
    if reaction["type"] != "emoji":
        raise bad("REACTION_INVALID")
    emoji = {name: value for name, value in reaction.items() if name != "type"}
    if check_object(emoji, telegram.ReactionTypeEmoji)["emoji"] not in REACTIONS:
        raise bad("REACTION_INVALID")
