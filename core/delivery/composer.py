"""What the bot says of itself: lateness, giving up, notices; and how text becomes outbox rows."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.agents.replies import said
from core.agents.transcript import Note
from core.delivery.message import Addressed, OutgoingMessage, as_queued, hang, last_key
from core.kernel.access import at_home
from core.kernel.command_style import SLASHES, Spelling
from core.kernel.ids import ref
from core.kernel.markdown import lines
from core.kernel.ports import Clock, Engine, SendingAdapter, Tx
from core.kernel.replies import Offer, Outcome, Reply, Step
from core.kernel.types import Button, Destination, Keyboard, LaneKey, Millis, Standing, Urgency
from core.language import Language, pick
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import deferred, keyboards, outbox
from core.store.conversation import runs as journal
from core.store.conversation.keyboards import SHARE, KeyboardRow
from core.store.conversation.outbox import Doubt, Post
from core.store.people import people, tenants
from core.store.people.people import Participant

log = logging.getLogger(__name__)

LATE: Millis = 5 * 60_000
LATE_FOR_MODEL: Millis = 60_000
DOUBT_KEY = "doubt:"
# What begins a message that a trigger wanted.
PROMPT = "⏰"


class Composer:
    """Renders by the platform's adapter. `owners` are addresses that get notices; `language` is `auto` or a code."""

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
        self._owners, self._language = list(owners), language
        self._since = clock.now()

    def language(self, participant: Participant) -> Language:
        """What was chosen for a chat, else the configured language, else the person's."""
        configured = "" if self._language == "auto" else self._language
        tag = participant.language or configured or participant.person.language
        return self._spelled(tag, participant.platform, participant.place)

    def texts(self, tx: Tx, lane: LaneKey, tag: str) -> Language:
        """The language of a code or tag as it reads in a lane."""
        return self._spelled(tag, *people.place(tx, lane))

    def _spelled(self, tag: str, platform: str, place: Destination) -> Language:
        return pick(tag).spelled(self.spelling(platform).here(place.thread, place.tenant))

    def spelling(self, platform: str) -> Spelling:
        """How commands are written on a platform."""
        adapter = self._adapters.get(platform)
        return SLASHES if adapter is None else adapter.spelling

    def note(self, run: RunContext) -> Note:
        """What the model is told beside the messages: that they waited, and which questions are open.

        The words of a question are data: a model wrote them, perhaps somebody else's words.
        """
        late = self._late(run)
        waited = f"These messages waited before you saw them: {late}" if late else ""
        asked = [
            {"question_id": ref("q", one.question_id), "question": one.text, "options": one.options}
            for one in run.questions
        ]
        ids = ", ".join(ref("q", one.question_id) for one in run.questions)
        still = f"Open questions, not answered by this message: {ids}" if ids else ""
        text = "\n".join(filter(None, (waited, still)))
        return Note(text=text, data=json.dumps(asked, ensure_ascii=False) if asked else "")

    def _late(self, run: RunContext) -> str:
        """The sentence about lateness that the person reads, or an empty text."""
        oldest = min(run.messages, key=lambda message: message.sent_at, default=None)
        if oldest is None:
            return ""
        age = self._clock.now() - oldest.sent_at
        if age < (LATE_FOR_MODEL if oldest.holds else LATE):
            return ""
        before = "late_offline" if oldest.sent_at < self._since else "late"
        return run.say("late_model" if oldest.holds else before, duration=run.texts.duration(age))

    def final(self, run: RunContext, outcome: Outcome) -> list[Reply]:
        """The replies of a run as they are said: the first tells how late it is, unless it only changes a message."""
        replies = [reply for reply in outcome.replies if reply.text]
        if outcome.limited and not replies:
            replies = [Reply(n=0, text=run.say("limit_reached"))]
        late = self._late(run)
        if late and replies and not (replies[0].edits or replies[0].tells_late):
            first = replies[0]
            replies[0] = replace(first, text=f"{late}\n\n{first.text}")
        return replies

    def refused(self, run: RunContext, steps: Sequence[Step], reason: str) -> Outcome:
        """What is said when the model's provider refuses for good, after what the run said; an owner is told why."""
        texts = [run.say("model_refused")]
        if reason and run.standing is Standing.OWNER:
            texts.append(run.say("model_refused_owner", reason=reason))
        return Outcome(replies=[*said(steps), Reply(n=0, text="\n\n".join(texts))])

    def prompted(self, run: RunContext, steps: Sequence[Step]) -> list[Reply]:
        """What is said for a trigger that no model works on: what it wants as it stands, after what the run said.

        It is data: anybody's words, or a model's.
        """
        wish = Reply(n=max((step.n for step in steps), default=0) + 1, text=f"{PROMPT} {lines(run.prompt)}")
        return [*said(steps), wish]

    def reply(self, run: RunContext, reply: Reply) -> OutgoingMessage:
        """A reply of a run; its buttons are for whom it answers, and so is all of it when it is quiet in a group."""
        response_url = "" if reply.aloud else run.response_url
        alone = reply.quiet and run.participant.group and not run.person.anonymous
        alone_here = (
            response_url and run.participant.group and not (reply.own or reply.quiet or (reply.edits and run.pressed))
        )
        offers = (*reply.offers, (run.say("share"), SHARE)) if alone_here else reply.offers
        outgoing = self.outgoing(
            run.platform,
            f"run:{run.run_id}:{reply.n}",
            reply.text,
            offers,
            choices=reply.choices,
            only_for=run.person.address if alone or response_url else "",
            response_url=response_url,
            person_id=None if reply.shared else run.person.person_id,
            once=reply.once and not reply.edits,
        )
        outgoing.kept = reply.kept
        return outgoing

    def answer(self, tx: Tx, run: RunContext, reply: Reply, outgoing: OutgoingMessage) -> None:
        """Queue a reply of a run: in the place of the message whose button was pressed, if it `edits`; else anew."""
        keyboard_row = None if run.pressed is None else keyboards.load(tx, run.lane, run.pressed)
        if reply.edits and keyboard_row is not None and self.replace(tx, run.lane, outgoing, keyboard_row.message_key):
            return
        self.say(tx, run.lane, outgoing, run_id=run.run_id, reply_to=run.reply_to)

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
        **keyboard_row: Any,
    ) -> OutgoingMessage:
        """A message as it will be queued. Rendering may take milliseconds: long texts do it before the transaction.

        `offers` become buttons, whose `keyboard_row` has the fields of `KeyboardRow`; `reply` asks for an answer to
        this message: what the button for that says. What has either is for all to see, unless there is a
        `response_url`: what only one sees cannot be edited without. It has no part on a platform that is not served
        here, and so is not sent.
        """
        token = keyboards.new_token() if offers or keyboard_row.get("question_id") else ""
        buttons = tuple([Button(label, f"{token}:{n}") for n, (label, _) in enumerate(offers)])
        shown = Keyboard(buttons=buttons, reply=bool(reply), label=reply) if offers or reply else None
        adapter = self._adapters.get(platform)
        parts = () if adapter is None else adapter.render(text, choices, shown)
        return OutgoingMessage(
            key=key,
            text=text,
            parts=parts,
            token=token,
            offers=tuple(offers),
            for_reply=bool(reply),
            only_for="" if (token or shown) and not response_url else only_for,
            response_url=response_url,
            keyboard_row=keyboard_row,
        )

    def mention(self, platform: str, address: str, name: str) -> str:
        """Markdown that names somebody so that the platform tells them."""
        return self._adapters[platform].mention(address, name)

    def replace(self, tx: Tx, lane: LaneKey, outgoing: OutgoingMessage, message_key: str) -> bool:
        """Put a letter in the place of a message that was sent, with its buttons; False when that cannot be any more.

        What is too long for one message does not replace one. Buttons that the message had before keep their meaning,
        should somebody still see them; and nothing of it goes into the transcript.
        """
        row = outbox.editable(tx, lane, message_key)
        if row is None or len(outgoing.parts) != 1:
            return False
        now, person_id = self._clock.now(), outgoing.keyboard_row.get("person_id")
        payload = outgoing.parts[0].payload
        response_url = outgoing.response_url
        if outbox.add(
            tx, lane, outgoing.key, payload, now=now, replaces_id=row, person_id=person_id, response_url=response_url
        ):
            hang(tx, [(lane, outgoing, message_key)], now)
            self._engine.poke(tx, "chat", lane.chat_id)
        return True

    def post(
        self,
        tx: Tx,
        lane: LaneKey,
        outgoing: OutgoingMessage,
        *,
        reply_to: str = "",
        urgency: Urgency = Urgency.INTERACTIVE,
    ) -> bool:
        """Queue a letter; part n has the key `key:n`, so nothing is queued twice. False when all were known."""
        return bool(self._post(tx, [(lane, outgoing)], reply_to, urgency))

    def _post(
        self, tx: Tx, outgoing_messages: Sequence[Addressed], reply_to: str, urgency: Urgency
    ) -> Sequence[Addressed]:
        """Queue letters; returns those that were not known."""
        now = self._clock.now()
        queued = [part for lane, outgoing in outgoing_messages for part in as_queued(lane, outgoing, reply_to, urgency)]
        added = outbox.add_all(tx, queued, now)
        for lane, outgoing in outgoing_messages:
            if outgoing.parts:
                self._engine.poke(tx, "chat", lane.chat_id, bulk=urgency is not Urgency.INTERACTIVE)
        new = {(tenant_id, key.rpartition(":")[0]) for tenant_id, key in added}
        found = [(lane, outgoing) for lane, outgoing in outgoing_messages if (lane.tenant_id, outgoing.key) in new]
        hang(tx, [(lane, outgoing, last_key(outgoing)) for lane, outgoing in found], now)
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
    ) -> None:
        """Queue a letter once, as part of the transcript, where it was said `at` an instant: now unless given."""
        self.say_all(tx, [(lane, outgoing)], run_id=run_id, reply_to=reply_to, urgency=urgency, at=at)

    def say_all(
        self,
        tx: Tx,
        outgoing_messages: Sequence[Addressed],
        *,
        run_id: int | None = None,
        reply_to: str = "",
        urgency: Urgency = Urgency.INTERACTIVE,
        at: Millis | None = None,
    ) -> None:
        """Say several letters, each in its lane."""
        new = self._post(tx, outgoing_messages, reply_to, urgency)
        self._enter(tx, new, self._clock.now() if at is None else at, run_id)

    def _enter(self, tx: Tx, outgoing_messages: Sequence[Addressed], at: Millis, run_id: int | None = None) -> None:
        """Enter letters in the transcripts of their lanes."""
        said = [
            (lane, outgoing.kept or outgoing.text, outgoing.keyboard_row.get("person_id"), bool(outgoing.response_url))
            for lane, outgoing in outgoing_messages
        ]
        journal.say_all(tx, run_id, said, at)

    def write(self, tx: Tx, post: Post, outgoing: OutgoingMessage, at: Millis) -> Mapping[str, Any]:
        """Say, at an instant, what was unwritten in the outbox: `outgoing` has its key. Returns what is to be sent.

        What it has more than one part of is queued behind what waits there.
        """
        _, *others = as_queued(post.lane, outgoing, post.reply_to, post.urgency)
        outbox.add_all(tx, others, at)
        self._enter(tx, [(post.lane, outgoing)], at)
        return self.rewrite(tx, post, outgoing)

    def rewrite(self, tx: Tx, post: Post, outgoing: OutgoingMessage) -> Mapping[str, Any]:
        """Have a message that waits to be sent say something else; returns what is to be sent."""
        payload = outgoing.parts[0].payload
        deferred.write(tx, post.outbox_id, payload)
        hang(tx, [(post.lane, outgoing, last_key(outgoing))], self._clock.now())
        return payload

    def tell(
        self, tx: Tx, lane: LaneKey, key: str, text: str, offers: Sequence[Offer] = (), **keyboard_row: Any
    ) -> None:
        """Say something short that is no answer of a run, once a key."""
        platform, _ = people.place(tx, lane)
        self.say(tx, lane, self.outgoing(platform, key, text, offers, **keyboard_row))

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
        key, now = f"{keyboard_row.message_key}:closed", self._clock.now()
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
        )
        self._engine.poke(tx, "chat", keyboard_row.lane.chat_id)
        if not fits:
            self.tell(tx, keyboard_row.lane, f"{key}:line", line, response_url=response_url)
        return True

    def amends(self, tx: Tx, keyboard_row: KeyboardRow) -> bool:
        """Whether a message can be edited when its buttons end: one that only asks for a reply not everywhere."""
        return bool(keyboard_row.offers) or self._adapters[people.place(tx, keyboard_row.lane)[0]].edits_asking

    def lead(self, tx: Tx, tenant_id: int, address: str) -> str:
        """Markdown that names an owner in the workspace that somebody (`address`) belongs to; empty when none is."""
        workspace = f"{address.rpartition(':')[0]}:"
        owners = [one for one in self._owners_of(tx, tenant_id) if one.startswith(workspace)]
        met = {one: row["name"] for one in owners if (row := people.known(tx, tenant_id, one)) is not None}
        # If none has written yet one is named all the same: a mention needs no name.
        lead = next(iter([*met, *owners]), "")
        return self.mention(address.partition(":")[0], lead, met.get(lead, "")) if lead else ""

    def _owners_of(self, tx: Tx, tenant_id: int) -> list[str]:
        """Addresses of the owners: of the configuration, where they are at home, and who installed the app there."""
        named = (one for one in self._owners if at_home(one, people.workspace(tx, tenant_id)))
        return list(dict.fromkeys([*named, *tenants.owners(tx, tenant_id)]))

    def owners(self, tx: Tx, tenant_id: int) -> list[tuple[LaneKey, Language]]:
        """Return where each owner talks to the bot in private, with the texts for it."""
        lanes = people.private_lanes(tx, tenant_id, self._owners_of(tx, tenant_id))
        return [(lane, self.texts(tx, lane, self._language)) for lane in lanes]

    def leave(self, tx: Tx, lane: LaneKey, key: str) -> None:
        """Make the bot leave a group; queued like a message, so that it happens."""
        platform, _ = people.place(tx, lane)
        outbox.add(tx, lane, key, self._adapters[platform].leaving().payload, now=self._clock.now())
        self._engine.poke(tx, "chat", lane.chat_id)

    def give_up(self, tx: Tx, run: RunContext) -> None:
        """Tell the chat and the owners that a message is given up and kept."""
        shown = ", ".join(ref("m", message.inbox_id) for message in run.messages)
        key = f"gave-up:{run.run_id}"
        log.error("message given up: %s (run %s)", shown, run.run_id)
        for reply in self.prompted(run, run.steps) if run.prompt else said(run.steps):
            self.post(tx, run.lane, self.reply(run, reply))
        again = [(run.say("try_again"), f"/retry {ref('m', message.inbox_id)}") for message in run.messages[:1]]
        person_id = run.person.person_id
        self.tell(tx, run.lane, key, run.say("gave_up", ref=shown), again, person_id=person_id, **run.audience)
        self.tell_owners(tx, run.lane, key, "gave_up_owner", ref=shown, reason=f"it failed {run.attempts - 1} times")

    def held(self, tx: Tx, doubt: Doubt | Post) -> None:
        """Tell the owners of a message that may not have arrived and is not sent again; not of such a notice itself."""
        if doubt.key.startswith(DOUBT_KEY):
            return
        _, place = people.place(tx, doubt.lane)
        words: dict[str, Any] = {"chat": place.chat, "ref": ref("o", doubt.outbox_id)}
        self.tell_owners(tx, doubt.lane, f"{DOUBT_KEY}{doubt.outbox_id}", "send_in_doubt_owner", here=True, **words)

    def tell_operators(self, tx: Tx, key: str, text: str, **values: object) -> None:
        """One notice, once a key, to each owner of the configuration who has talked to the bot in private."""
        for tenant_id, platform, workspace in tenants.present(tx):
            owners = [one for one in self._owners if at_home(one, workspace)] if platform in self._adapters else []
            for lane in people.private_lanes(tx, tenant_id, owners):
                words = self.texts(tx, lane, self._language).say(text, **values)
                self.tell(tx, lane, f"{key}:owner:{lane.lane_id}", words)

    def tell_owners(
        self,
        tx: Tx,
        about: LaneKey,
        key: str,
        text: str,
        offers: Sequence[Offer] = (),
        *,
        here: bool = False,
        **values: object,
    ) -> None:
        """One notice to each owner who has talked to the bot in private; `here` also in the chat it is about.

        The labels of `offers` are keys of texts.
        """
        for lane, language in self.owners(tx, about.tenant_id):
            if here or lane.lane_id != about.lane_id:
                buttons = [(language[label], said) for label, said in offers]
                self.tell(tx, lane, f"{key}:owner:{lane.lane_id}", language.say(text, **values), buttons)
