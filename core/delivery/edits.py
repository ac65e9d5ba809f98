"""Edits: a message that was sent gives way to another, or its buttons to what came of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from core.delivery.message import OutgoingMessage
from core.kernel.ports import Clock, Engine, SendingAdapter, Tx
from core.kernel.types import LaneKey
from core.store.conversation import keyboards, outbox
from core.store.conversation.keyboards import KeyboardRow
from core.store.people import people

if TYPE_CHECKING:
    from core.delivery.composer import Composer


class Edits:
    """Queues edits of messages that were sent, as the adapter of their platform renders them."""

    def __init__(
        self, composer: Composer, adapters: Mapping[str, SendingAdapter], engine: Engine, clock: Clock
    ) -> None:
        self._composer, self._adapters, self._engine, self._clock = composer, adapters, engine, clock

    def replace(self, tx: Tx, lane: LaneKey, outgoing: OutgoingMessage, message_key: str) -> bool:
        """Put a message in the place of a message that was sent, with its buttons; False when that cannot be any more.

        What is too long for one message does not replace one. Buttons that the message had before keep their meaning,
        should somebody still see them; and nothing of it goes into the transcript.
        """
        replaced = outbox.editable(tx, lane, message_key)
        if replaced is None or len(outgoing.parts) != 1:
            return False
        row, source = replaced
        now, person_id = self._clock.now(), outgoing.keyboard_row.get("person_id")
        payload = outgoing.parts[0].payload
        response_url = outgoing.response_url
        if outbox.add(
            tx,
            lane,
            outgoing.key,
            payload,
            now=now,
            replaces_id=row,
            person_id=person_id,
            response_url=response_url,
            source=outgoing.source,
        ):
            if outgoing.token:
                self._composer.hang(tx, [(lane, outgoing)], message_key, source)
            self._engine.poke(tx, "chat", lane.chat_id)
        return True

    def close(
        self, tx: Tx, keyboard_row: KeyboardRow, line: str, *, bare: bool = False, response_url: str = ""
    ) -> bool:
        """The buttons below a message give way to `line`, which says what came of them; False when they had.

        What cannot be edited stays as it is. With `bare` nothing but the line is left of it.
        """
        if not keyboards.end(tx, keyboard_row, self._clock.now()):
            return False
        row = (
            outbox.row_of(tx, keyboard_row.lane.tenant_id, keyboard_row.message_key)
            if self.amends(tx, keyboard_row)
            else None
        )
        if row is None:
            return True
        platform, _ = people.place(tx, keyboard_row.lane)
        render = self._adapters[platform].render
        parts, as_it_was = (
            render(line if bare else f"{keyboard_row.text}\n\n{line}"),
            render(line if bare else keyboard_row.text),
        )
        fits = len(parts) == len(as_it_was) == 1
        key, now, comment = f"{keyboard_row.message_key}:closed", self._clock.now(), keyboard_row.source.commented()
        payload = (parts if fits else as_it_was)[-1].payload
        outbox.add(
            tx,
            keyboard_row.lane,
            key,
            payload,
            now=now,
            replaces_id=row,
            person_id=keyboard_row.person_id,
            response_url=response_url,
            source=comment,
        )
        self._engine.poke(tx, "chat", keyboard_row.lane.chat_id)
        if not fits:
            self._composer.tell(tx, keyboard_row.lane, f"{key}:line", line, response_url=response_url, source=comment)
        return True

    def amends(self, tx: Tx, keyboard_row: KeyboardRow) -> bool:
        """Whether a message can be edited when its buttons end: one that only asks for a reply not everywhere."""
        return bool(keyboard_row.offers) or self._adapters[people.place(tx, keyboard_row.lane)[0]].edits_asking
