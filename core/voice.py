"""What the bot says of itself: lateness, giving up, notices; and how text becomes outbox rows."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence

from core.agents.loop import Outcome, Reply
from core.agents.said import said
from core.case import Case
from core.ids import ref
from core.language import pick
from core.ports import Adapter, Clock, Engine, Tx
from core.store import journal, outbox, people
from core.store.journal import Step
from core.store.outbox import Doubt, Post
from core.types import LaneKey, Millis, Part

log = logging.getLogger(__name__)

LATE: Millis = 5 * 60_000
LATE_FOR_MODEL: Millis = 60_000
DOUBT_KEY = "doubt:"


class Voice:
    """Renders by the platform's adapter. `owners` are addresses that get notices; `language` is `auto` or a code."""

    def __init__(
        self,
        adapters: Mapping[str, Adapter],
        engine: Engine,
        clock: Clock,
        *,
        owners: Sequence[str] = (),
        language: str = "auto",
    ) -> None:
        self._adapters, self._engine, self._clock = adapters, engine, clock
        self._owners, self._language = list(owners), language
        self._since = clock.now()

    def late_note(self, case: Case) -> str:
        """What the model is told about messages that waited; empty when they are fresh."""
        late = self._late(case)
        return f"These messages waited before you saw them: {late}" if late else ""

    def _late(self, case: Case) -> str:
        """The sentence about lateness that the person reads, or an empty text."""
        oldest = min(case.messages, key=lambda message: message.sent_at, default=None)
        if oldest is None:
            return ""
        age = self._clock.now() - oldest.sent_at
        waited = case.texts.duration(age)
        if oldest.holds and age >= LATE_FOR_MODEL:
            return case.say("late_model", duration=waited)
        if age < LATE or oldest.holds:
            return ""
        return case.say("late_offline" if oldest.sent_at < self._since else "late", duration=waited)

    def final(self, case: Case, outcome: Outcome) -> list[Reply]:
        """The replies of a run as they are said: the first tells how late it is."""
        replies = list(outcome.replies)
        if outcome.limited and not replies:
            replies = [Reply(n=0, text=case.say("limit_reached"))]
        late = self._late(case)
        if late and replies:
            first = replies[0]
            replies[0] = Reply(n=first.n, text=f"{late}\n\n{first.text}", choices=first.choices)
        return replies

    def refused(self, case: Case, steps: Sequence[Step], reason: str) -> Outcome:
        """What is said when the model's provider refuses for good, after what the run said; an owner is told why."""
        texts = [case.say("model_refused")]
        if case.person.address in self._owners:
            texts.append(case.say("model_refused_owner", reason=reason))
        return Outcome(replies=[*said(steps), Reply(n=0, text="\n\n".join(texts))])

    def render(self, case: Case, reply: Reply) -> Sequence[Part]:
        """A reply as platform messages. Done before the transaction: it may take milliseconds."""
        return self._adapters[case.platform].render(reply.text, reply.choices)

    def post(self, tx: Tx, lane: LaneKey, key: str, parts: Sequence[Part]) -> bool:
        """Queue rendered parts; part n has the key `key:n`, so nothing is queued twice. False when all were known."""
        now = self._clock.now()
        added = [outbox.add(tx, lane, f"{key}:{number}", part.payload, now=now) for number, part in enumerate(parts)]
        if parts:
            self._engine.poke(tx, "chat", lane.chat_id)
        return any(added)

    def tell(self, tx: Tx, lane: LaneKey, key: str, text: str) -> None:
        """Say something that is no answer of a run, once a key; it is part of the transcript."""
        platform, _ = people.place(tx, lane)
        if self.post(tx, lane, key, self._adapters[platform].render(text)):
            journal.say(tx, lane, None, text, self._clock.now())

    def give_up(self, tx: Tx, case: Case) -> None:
        """Tell the chat and the owners that a message is given up and kept."""
        shown = ", ".join(ref("m", message.inbox_id) for message in case.messages)
        key = f"gave-up:{case.run_id}"
        log.error("message given up: %s (run %s)", shown, case.run_id)
        for reply in said(case.steps):
            self.post(tx, case.lane, f"run:{case.run_id}:{reply.n}", self.render(case, reply))
        self.tell(tx, case.lane, key, case.say("gave_up", ref=shown))
        self.tell_owners(tx, case.lane, key, "gave_up_owner", ref=shown, reason=f"it failed {case.attempts - 1} times")

    def held(self, tx: Tx, doubt: Doubt | Post) -> None:
        """Tell the owners of a message that may not have arrived and is not sent again; not of such a notice itself."""
        if doubt.key.startswith(DOUBT_KEY):
            return
        _, place = people.place(tx, doubt.lane)
        words = {"chat": place.chat, "ref": ref("o", doubt.outbox_id)}
        self.tell_owners(tx, doubt.lane, f"{DOUBT_KEY}{doubt.outbox_id}", "send_in_doubt_owner", here=True, **words)

    def tell_owners(self, tx: Tx, about: LaneKey, key: str, text: str, *, here: bool = False, **values: object) -> None:
        """One notice to each owner who has talked to the bot in private; `here` also in the chat it is about."""
        words = pick(self._language).say(text, **values)
        for lane in people.private_lanes(tx, about.tenant_id, self._owners):
            if here or lane.lane_id != about.lane_id:
                self.tell(tx, lane, f"{key}:owner:{lane.lane_id}", words)
