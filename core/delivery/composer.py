"""Composing: a text becomes a message in the outbox and a line of the transcript.

A message that was sent is edited here, too: another text takes its place, or its buttons give way to what came of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.delivery.message import Addressed, OutgoingMessage
from core.delivery.owner_notices import OwnerNotices
from core.kernel.command_style import SLASHES, Spelling
from core.kernel.ports import Clock, Engine, SendingAdapter, Tx
from core.kernel.replies import Offer
from core.kernel.types import Button, Keyboard, LaneKey, Millis, Part, Urgency
from core.language import Language, pick
from core.store.conversation import asides, keyboards, outbox
from core.store.conversation import runs as journal
from core.store.conversation.keyboards import KeyboardRow
from core.store.conversation.outbox import DOCUMENT, NO_SOURCE, ONLY_FOR, Post, Queued, Source, SourceKind
from core.store.files import StoredFile
from core.store.people import people
from core.store.people.people import Participant


class Composer:
    """Composes messages as the platform's adapter renders them, and queues each once a key.

    `edits` changes messages that were sent, `owners` tells the owners something. `language` is `auto` or a code;
    `configured` is the code, empty for `auto`.
    """

    def __init__(
        self,
        adapters: Mapping[str, SendingAdapter],
        engine: Engine,
        clock: Clock,
        *,
        owners: Sequence[str] = (),
        language: str = "auto",
    ) -> None:
        self._adapters, self._engine, self._clock = adapters, engine, clock
        self.configured = "" if language == "auto" else language
        self.edits = Edits(self, adapters, engine, clock)
        self.owners = OwnerNotices(self, owners, platforms=adapters.keys())

    def language(self, participant: Participant) -> Language:
        """Return the language that was chosen for a chat, else the configured one, else the person's."""
        tag = participant.language or self.configured or participant.person.language
        place = participant.place
        return pick(tag).spelled(self.spelling(participant.platform).here(place.thread, place.tenant))

    def texts(self, tx: Tx, lane: LaneKey, tag: str) -> Language:
        """Return the configured language, else that of a code or tag, as it reads in a lane."""
        platform, place = people.place(tx, lane)
        return pick(self.configured or tag).spelled(self.spelling(platform).here(place.thread, place.tenant))

    def spelling(self, platform: str) -> Spelling:
        """Return how commands are written on a platform."""
        adapter = self._adapters.get(platform)
        return SLASHES if adapter is None else adapter.spelling

    def outgoing(
        self,
        platform: str,
        key: str,
        text: str,
        offers: Sequence[Offer] = (),
        *,
        choices: Sequence[str] = (),
        reply: str = "",
        only_for: str = "",
        response_url: str = "",
        source: Source = NO_SOURCE,
        document: StoredFile | None = None,
        hung: str = "",
        **keyboard_fields: Any,
    ) -> OutgoingMessage:
        """Return a message as it will be queued.

        Rendering may take milliseconds: long texts are rendered before the transaction.

        `offers` become buttons, and `keyboard_fields` are stored with them (`KeyboardRow`). `reply` asks people to
        reply to this message, by a button with that label. A message with buttons or a `reply` is for all to see unless
        there is a `response_url`, since what one person alone sees cannot be edited without one. A `document` is sent
        before the text, and is for all to see. On a platform that is not served here a message has no parts, and so is
        not sent. `hung` is the token of buttons that hang below the message already: they stay, and mean the same.
        """
        token = hung or (keyboards.new_token() if offers or keyboard_fields.get("question_id") else "")
        buttons = tuple([Button(label, f"{token}:{n}") for n, (label, _) in enumerate(offers)])
        shown = Keyboard(buttons=buttons, reply=bool(reply), label=reply) if offers or reply else None
        adapter = self._adapters.get(platform)
        parts = () if adapter is None else adapter.render(text, choices, shown)
        if adapter is not None and document is not None:
            told = {"name": document.name, "mime": document.mime, "size": document.size, "sha256": document.sha256}
            parts = (Part(payload={"text": "", DOCUMENT: told}), *parts)
        return OutgoingMessage(
            key=key,
            text=text,
            parts=parts,
            token="" if hung else token,
            offers=tuple(offers),
            for_reply=bool(reply),
            only_for="" if (token or shown) and not response_url else only_for,
            response_url=response_url,
            source=source,
            document=document,
            keyboard_fields=keyboard_fields,
        )

    def mention(self, platform: str, address: str, name: str) -> str:
        """Return Markdown that names somebody so that the platform tells them."""
        return self._adapters[platform].mention(address, name)

    def post(
        self,
        tx: Tx,
        lane: LaneKey,
        outgoing: OutgoingMessage,
        *,
        reply_to: str = "",
        urgency: Urgency = Urgency.INTERACTIVE,
    ) -> bool:
        """Queue a message; part n has the key `key:n`, so nothing is queued twice. False when all were known."""
        return bool(self._post(tx, [(lane, outgoing)], reply_to, urgency))

    def _post(
        self, tx: Tx, outgoing_messages: Sequence[Addressed], reply_to: str, urgency: Urgency
    ) -> Sequence[Addressed]:
        """Queue messages; return those that were not known."""
        now = self._clock.now()
        queued = [
            part for lane, outgoing in outgoing_messages for part in _as_queued(lane, outgoing, reply_to, urgency)
        ]
        added = outbox.add_all(tx, queued, now)
        for lane, outgoing in outgoing_messages:
            if outgoing.parts:
                self._engine.poke(tx, "chat", lane.chat_id, bulk=urgency is not Urgency.INTERACTIVE)
        new = {(part.lane.tenant_id, part.whole_key) for part in queued if (part.lane.tenant_id, part.key) in added}
        found = [(lane, outgoing) for lane, outgoing in outgoing_messages if (lane.tenant_id, outgoing.key) in new]
        if with_buttons := [(lane, outgoing) for lane, outgoing in found if outgoing.token]:
            self.hang(tx, with_buttons)
        return found

    def say(
        self,
        tx: Tx,
        lane: LaneKey,
        outgoing: OutgoingMessage,
        *,
        run_id: int | None = None,
        reply_to: str = "",
        urgency: Urgency = Urgency.INTERACTIVE,
        at: Millis | None = None,
    ) -> bool:
        """Queue a message once, as part of the transcript, where it was said `at` an instant: now unless given. False
        when it was known."""
        return self.say_all(tx, [(lane, outgoing)], run_id=run_id, reply_to=reply_to, urgency=urgency, at=at)

    def say_all(
        self,
        tx: Tx,
        outgoing_messages: Sequence[Addressed],
        *,
        run_id: int | None = None,
        reply_to: str = "",
        urgency: Urgency = Urgency.INTERACTIVE,
        at: Millis | None = None,
    ) -> bool:
        """Say several messages, each in its lane. False when all were known."""
        new = self._post(tx, outgoing_messages, reply_to, urgency)
        _enter(tx, new, self._clock.now() if at is None else at, run_id)
        return bool(new)

    def write(self, tx: Tx, post: Post, outgoing: OutgoingMessage, at: Millis) -> Mapping[str, Any]:
        """Write a message that was queued unwritten, as said at an instant; `outgoing` has its key. Return the payload.

        Its further parts are queued behind what waits in the chat.
        """
        _, *others = _as_queued(post.lane, outgoing, post.reply_to, post.urgency)
        outbox.add_all(tx, others, at)
        _enter(tx, [(post.lane, outgoing)], at)
        return self.rewrite(tx, post, outgoing)

    def rewrite(self, tx: Tx, post: Post, outgoing: OutgoingMessage) -> Mapping[str, Any]:
        """Give a message that waits to be sent another text and other buttons; return the payload."""
        payload = outgoing.parts[0].payload
        outbox.write(tx, post.outbox_id, payload)
        if outgoing.token:
            self.hang(tx, [(post.lane, outgoing)])
        return payload

    def hang(
        self, tx: Tx, outgoing_messages: Sequence[Addressed], message_key: str = "", source: Source | None = None
    ) -> None:
        """Store what the buttons of messages mean: below the last part of each, or below a message that was sent."""
        keyboard_rows = [
            KeyboardRow(
                lane=lane,
                token=outgoing.token,
                message_key=message_key or f"{outgoing.key}:{len(outgoing.parts) - 1}",
                text=outgoing.text,
                offers=outgoing.offers,
                source=outgoing.source if source is None else source,
                **outgoing.keyboard_fields,
            )
            for lane, outgoing in outgoing_messages
        ]
        keyboards.insert(tx, keyboard_rows, self._clock.now())

    def tell(
        self,
        tx: Tx,
        lane: LaneKey,
        key: str,
        text: str,
        offers: Sequence[Offer] = (),
        *,
        notice: bool = True,
        foreign: bool = False,
        **options: Any,
    ) -> None:
        """Say something short that is no answer of a run, once a key; the other `options` are those of `outgoing`.

        It is a `notice` of the bot itself, which no model is to see, unless it belongs to the conversation. It is
        `foreign` when it has words of others.
        """
        platform, _ = people.place(tx, lane)
        outgoing = self.outgoing(platform, key, text, offers, **options)
        outgoing.notice, outgoing.foreign = notice, foreign
        self.say(tx, lane, outgoing)

    def leave(self, tx: Tx, lane: LaneKey, key: str) -> None:
        """Make the bot leave a group; queued like a message, so that it happens."""
        platform, _ = people.place(tx, lane)
        payload = self._adapters[platform].leaving().payload
        outbox.add(tx, lane, key, payload, now=self._clock.now(), source=Source(SourceKind.LEAVE))
        self._engine.poke(tx, "chat", lane.chat_id)


class Edits:
    """Queues edits of messages that were sent, as the adapter of their platform renders them."""

    def __init__(
        self, composer: Composer, adapters: Mapping[str, SendingAdapter], engine: Engine, clock: Clock
    ) -> None:
        self._composer, self._adapters, self._engine, self._clock = composer, adapters, engine, clock

    def replace(
        self,
        tx: Tx,
        lane: LaneKey,
        outgoing: OutgoingMessage,
        message_key: str,
        urgency: Urgency = Urgency.INTERACTIVE,
    ) -> bool:
        """Put a message in the place of one that was sent, with its buttons; False when that cannot be done (any more).

        A text that is too long for one message replaces none. The buttons that the message had before keep their
        meaning, should somebody still see them. Nothing of the edit goes into the transcript.
        """
        replaced = outbox.editable(tx, lane, message_key)
        if replaced is None or len(outgoing.parts) != 1 or outgoing.document is not None:
            return False
        row, source = replaced
        now, person_id = self._clock.now(), outgoing.keyboard_fields.get("person_id")
        payload = outgoing.parts[0].payload
        response_url = outgoing.response_url
        if outbox.add(
            tx,
            lane,
            outgoing.key,
            payload,
            now=now,
            urgency=urgency,
            replaces_id=row,
            person_id=person_id,
            response_url=response_url,
            source=outgoing.source,
        ):
            if outgoing.token:
                self._composer.hang(tx, [(lane, outgoing)], message_key, source)
            self._engine.poke(tx, "chat", lane.chat_id, bulk=urgency is not Urgency.INTERACTIVE)
        return True

    def close(
        self, tx: Tx, keyboard_row: KeyboardRow, line: str, *, bare: bool = False, response_url: str = ""
    ) -> bool:
        """Replace the buttons below a message by `line`, which says what came of them; False when they had ended
        before.

        A message that cannot be edited stays as it is. With `bare` nothing but the line is left of its text.
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
        parts = render(line if bare else f"{keyboard_row.text}\n\n{line}")
        if not (fits := len(parts) == 1):
            parts = render(line if bare else keyboard_row.text)
        key, now, comment = f"{keyboard_row.message_key}:closed", self._clock.now(), keyboard_row.source.commented()
        outbox.add(
            tx,
            keyboard_row.lane,
            key,
            parts[-1].payload,
            now=now,
            replaces_id=row,
            person_id=keyboard_row.person_id,
            response_url=response_url,
            source=comment,
        )
        self._engine.poke(tx, "chat", keyboard_row.lane.chat_id)
        if not fits:
            self._composer.tell(
                tx, keyboard_row.lane, f"{key}:line", line, notice=False, response_url=response_url, source=comment
            )
        return True

    def amends(self, tx: Tx, keyboard_row: KeyboardRow) -> bool:
        """Return whether a message can be edited when its buttons end. On some platforms one that only asks for a reply
        cannot."""
        return bool(keyboard_row.offers) or self._adapters[people.place(tx, keyboard_row.lane)[0]].edits_asking


def _as_queued(lane: LaneKey, outgoing: OutgoingMessage, reply_to: str, urgency: Urgency) -> Iterator[Queued]:
    """Yield the parts of a message as they are queued; part n has the key `key:n`."""
    alone = {ONLY_FOR: outgoing.only_for} if outgoing.only_for else {}
    person_id = outgoing.keyboard_fields.get("person_id")
    for n, part in enumerate(outgoing.parts):
        file = "" if outgoing.document is None or DOCUMENT not in part.payload else outgoing.document.path
        payload = {**part.payload, **alone} if alone and not file else part.payload
        yield Queued(
            lane,
            f"{outgoing.key}:{n}",
            payload,
            urgency,
            "" if n else reply_to,
            person_id=person_id,
            response_url=outgoing.response_url,
            source=outgoing.source,
            whole_key=outgoing.key,
            n=n,
            file=file,
            # What is not kept in the conversation is not kept here either.
            forgotten=bool(outgoing.kept),
        )


_ASIDE: Mapping[tuple[bool, bool], int] = {
    (False, False): 0,
    (True, False): asides.WHISPERED,
    (False, True): asides.NOTICE,
    (True, True): asides.WHISPERED_NOTICE,
}


def _enter(tx: Tx, outgoing_messages: Sequence[Addressed], at: Millis, run_id: int | None = None) -> None:
    """Enter messages in the transcripts of their lanes."""
    said = [
        (
            lane,
            outgoing.kept or outgoing.text,
            outgoing.keyboard_fields.get("person_id"),
            # Our own words are no talk, also where only who asked sees them.
            _ASIDE[bool(outgoing.response_url), bool(outgoing.notice)],
            outgoing.foreign,
        )
        for lane, outgoing in outgoing_messages
    ]
    journal.say_all(tx, run_id, said, at)
