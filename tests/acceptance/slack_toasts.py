"""What somebody is shown for a press on Slack, where no press has an answer of its own.

It is a message for their eyes alone, or the message that was pressed, which reads otherwise now.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.emulators.slack import SlackServer
from tests.emulators.slack_forms import ts_key
from tests.emulators.slack_pressing import Press
from tests.emulators.slack_shown import shown
from tests.emulators.slack_world import Message

NOT_ANSWERED = "⚠️"
WHISPER = "chat.postEphemeral"


@dataclass(slots=True, kw_only=True)
class _Pressed:
    """A press, how often the message had been edited before, and what was found to be shown for it: a whisper, or an
    edit by its number."""

    press: Press
    label: str
    data: str
    edits: int
    whisper: Message | None = None
    edit: int | None = None
    answered: bool = False

    @property
    def edited(self) -> bool:
        """Whether the chat shows what came of it."""
        return self.edit is not None or self.answered


class Toasts:
    """The presses of all stories by their ids.

    A press that counts changes the message it was on, and is told nothing. Of two by the same person it is the last one
    that is told something.
    """

    def __init__(self, server: SlackServer) -> None:
        self._server = server
        self._pressed: dict[str, _Pressed] = {}

    def add(self, press: Press, label: str, data: str) -> str:
        """Remember a press on what is called *label* and carries *data*; return its id."""
        edits = len(press.message.edits) if press.message else 0
        self._pressed[press.ts] = _Pressed(press=press, label=label, data=data, edits=edits)
        return press.ts

    def of(self, number: str) -> str | None:
        """Return what is shown for a press by now, None before anything is."""
        wanted = self._pressed[number]
        for one in reversed(self._pressed.values()):
            if one.press.user == wanted.press.user and one.press.channel == wanted.press.channel:
                self._look(one)
        if wanted.whisper is not None:
            return shown(self._server.team, wanted.whisper).text
        if wanted.press.envelope.gone:
            return NOT_ANSWERED
        return wanted.label if wanted.edited else None

    @staticmethod
    def is_one(message: Message) -> bool:
        """Whether a message for one person is no more than a word about what they did: text alone.

        About a press it comes by chat.postEphemeral, about a command with its acknowledgement.
        """
        return not message.blocks and (message.call is None or message.call.method == WHISPER)

    def _look(self, one: _Pressed) -> None:
        if one.whisper is None:
            one.whisper = next((m for m in self._unclaimed(one) if not one.edited or m.text == one.label), None)
        message = one.press.message
        if message is None or one.whisper or one.edited:
            return
        beside = [other for other in self._pressed.values() if other.press.message is message and other is not one]
        claimed = {other.edit for other in beside}
        free = next((n for n in range(one.edits, len(message.edits)) if n not in claimed), None)
        if any(not (other.whisper or other.edited) for other in beside):
            # Another press may have changed it. The question itself may have the words of a label.
            one.edit = free if f"✅ {one.label}" in shown(self._server.team, message).text else None
        else:
            one.edit = free
            # Of two at once the one that changed the message is answered; the other one is told so by a whisper.
            late = any(other.edit is not None and other.edits == one.edits for other in beside)
            one.answered = free is None and not late and self._is_answered(one)

    def _is_answered(self, one: _Pressed) -> bool:
        """Whether the bot has said something since a press, where it was made."""
        room, since = self._server.team.channels[one.press.channel], ts_key(one.press.ts)
        said = [*room.messages.values(), *(whisper for whisper in room.ephemeral if not self.is_one(whisper))]
        return any(it.bot_id == self._server.team.bot_id and ts_key(it.ts) > since for it in said)

    def _unclaimed(self, one: _Pressed) -> list[Message]:
        """Whispers since the press that were for no other one, oldest first."""
        room = self._server.team.channels[one.press.channel]
        claimed = [other.whisper for other in self._pressed.values()]
        since = ts_key(one.press.ts)
        return [
            whisper
            for whisper in room.ephemeral
            if whisper.ephemeral_for == one.press.user
            and ts_key(whisper.ts) > since
            and self.is_one(whisper)
            and not any(whisper is other for other in claimed)
        ]
