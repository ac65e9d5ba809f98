"""The message that shows a task at work: one for each task without a parent, edited in place (TOOLS: Tasks).

It comes when a task has taken five seconds, and its last edit says how it ended. What it says is read from the rows
each time, so after a restart the same message goes on; only how fast it is edited is kept in memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from core.capabilities.tasks import commands, service, views
from core.capabilities.tasks.views import Look
from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.kernel.ids import ref
from core.kernel.ports import Tx
from core.kernel.types import HOUR, MINUTE, LaneKey, Millis, Urgency
from core.language import Language
from core.store.conversation import inbox, keyboards, shown_tasks, tasks
from core.store.conversation.keyboards import EVERYBODY
from core.store.conversation.outbox import SILENT
from core.store.conversation.runs import StepState
from core.store.conversation.shown_tasks import SHOW_TASK
from core.store.conversation.tasks import InputKind, Task, TaskState
from core.store.people import people
from core.toolkit.own_tools.running import unfinished
from core.toolkit.services import PageUpdates, Services

# What ends sooner leaves no message.
SOON: Millis = 5_000
# How long a message stays as it is, at least: for each that is shown in its chat. A group takes few edits a minute
# (Telegram: 20 messages a minute in a group, https://core.telegram.org/bots/faq), and so does a Slack workspace
# (chat.update: 50 a minute, https://docs.slack.dev/apis/web-api/rate-limits).
PAUSE: Millis = 3_000
GROUP_PAUSE: Millis = 6_000
# Of all that are shown one may be edited so often.
SPACING: Millis = 1_500
# When only time passed: in its first minute, in its first hour, and later.
TICKS: tuple[tuple[Millis, Millis], ...] = ((MINUTE, 10_000), (HOUR, MINUTE))
LONG_TICK: Millis = 600_000
# So long after its end a task is looked for whose message does not say so, once all were at a start.
MISSED: Millis = 600_000
HAPPENED = {StepState.DONE, StepState.STARTED, StepState.UNKNOWN}


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a message said last, with and without the time; when it was edited, and when it is looked at again."""

    text: str
    timeless: str
    chat_id: int
    at: Millis
    next_at: Millis


class TaskDisplay:
    """The handler of `task_shown` pokes."""

    def __init__(self, services: Services) -> None:
        self._services, self._composer = services, services.get(Composer)
        self._db, self._engine, self._clock = services.db, services.engine, services.clock
        self._seen: dict[int, _Seen] = {}
        self._looked = False

    def due(self, tx: Tx, now: Millis) -> Millis | None:
        """Poke whoever shows the tasks whose message may be another now; return when the next one may be."""
        found = shown_tasks.visible(tx, now - MISSED if self._looked else 0)
        self._looked = True
        # One that was never looked at here has a message since before the start, or gets one in its time.
        first = {one.task_id: now if one.message_key else views.began(one, now) + SOON for one in found}
        # What was seen at a time that is still to come was seen before the clock was set back: it is looked at anew.
        times = first | {
            number: seen.next_at for number, seen in list(self._seen.items()) if number in first and seen.at <= now
        }
        for task_id, at in times.items():
            if at <= now:
                self._engine.poke(tx, SHOW_TASK, task_id, bulk=True)
        self._seen = {task_id: seen for task_id, seen in list(self._seen.items()) if task_id in times}
        # Who is poked now says itself when it is to be looked at again.
        return min((at for at in times.values() if at > now), default=None)

    async def show(self, task_id: int) -> None:
        """Show what a task is at, if that is another and it is time."""

        def show_task(tx: Tx) -> Millis | None:
            return self._say(tx, task_id)

        at = await self._db.read(lambda tx: self._wanted(tx, task_id))
        if at is None:
            return
        if at <= self._clock.now():
            at = await self._db.write(show_task)
        if at is not None:
            self._engine.wake(at)

    def close(self, tx: Tx, lane: LaneKey, person_id: int | None) -> None:
        """End the tasks of the lane's scope, or those of one person there, before they are forgotten: what shows one
        says that it was stopped, not what it was about, and has no button any more."""
        now = self._clock.now()
        for task in shown_tasks.visible(tx, now - MISSED):
            if task.lane.scope_id != lane.scope_id or person_id not in {None, task.person_id}:
                continue
            for one in (*tasks.workers_of(tx, task), task):
                tasks.end(tx, one, TaskState.CANCELLED, now, error="forgotten")
            ended = tasks.by_number(tx, task.task_id) or task
            if ended.message_key:
                look = Look(task=ended, workers=(), now=now, private=False)
                outgoing = self._outgoing(tx, service.texts_of(tx, self._services, ended), look, ended.message_key)
                self._composer.edits.replace(tx, ended.lane, outgoing, f"{ended.message_key}:0", Urgency.PROGRESS)

    def _wanted(self, tx: Tx, task_id: int) -> Millis | None:
        """Return when a message is to be sent or edited, by now or later; None when there is nothing to say."""
        task, now = next(iter(shown_tasks.visible(tx, 0, task_id)), None), self._clock.now()
        if task is None:
            return None
        if not task.message_key:
            waits = task.state is TaskState.WAITING and task.waits_for is not tasks.WaitsFor.WORKERS
            # What waits for an answer is shown by its question.
            return None if waits else max(now, views.began(task, now) + SOON)
        if shown_tasks.is_lost(tx, task):
            return None
        seen = self._seen.get(task_id)
        look = self._look(tx, task)
        if seen is None:
            return now
        texts, seen = service.texts_of(tx, self._services, task), replace(seen, at=min(seen.at, now))
        if look.state in views.LAST:
            # Nothing that others do makes this wait.
            at = seen.at + PAUSE
        elif views.shown(texts, look, timeless=True) != seen.timeless:
            at = seen.at + self._pause(look)
        else:
            at = seen.at + max(self._pause(look), _tick(look.lasted))
        if at <= now and views.shown(texts, look) == seen.text:
            at = now + _tick(look.lasted)
        self._seen[task_id] = replace(seen, next_at=at)
        return max(at, now)

    def _say(self, tx: Tx, task_id: int) -> Millis | None:
        """Send the message that shows a task, or edit it; return when it is to be looked at again."""
        task, now = tasks.by_number(tx, task_id), self._clock.now()
        if task is None:
            return None
        tx.lock(("lane", task.lane.lane_id))
        task = tasks.by_number(tx, task_id)
        if task is None or (task.ended_at is not None and not task.message_key):
            return None
        texts, look = service.texts_of(tx, self._services, task), self._look(tx, task)
        key = task.message_key or f"task:{task_id}:shown"
        outgoing = self._outgoing(tx, texts, look, key)
        if not task.message_key:
            reply_to = "" if task.made_in is None else inbox.began(tx, task.lane, task.made_in)
            tasks.note_message(tx, task, key)
            self._composer.post(tx, task.lane, outgoing, reply_to=reply_to, urgency=Urgency.PROGRESS)
        else:
            self._composer.edits.replace(tx, task.lane, outgoing, f"{key}:0", Urgency.PROGRESS)
        if task.message_key == "" or look.state in views.LAST:
            self._services.get(PageUpdates).changed(tx, task.lane.tenant_id, task.person_id)
        if look.ended:
            self._seen.pop(task_id, None)
            return None
        at = now + max(self._pause(look), _tick(look.lasted))
        seen = _Seen(outgoing.text, views.shown(texts, look, timeless=True), task.lane.chat_id, now, at)
        tx.after_commit(lambda: self._seen.update({task_id: seen}))
        return at

    def _look(self, tx: Tx, task: Task) -> Look:
        workers = tasks.workers_of(tx, task)
        steers = [one.text for one in tasks.inputs(tx, task) if one.kind is InputKind.STEER]
        group = people.participant(tx, task.lane, task.person_id).group
        look = Look(
            task=task,
            workers=workers,
            now=self._clock.now(),
            private=not group,
            # What nobody has just written is told by what it is to do.
            titled=task.made_in is None or shown_tasks.has_company(tx, task),
            note=steers[-1] if steers else "",
        )
        hung = keyboards.below(tx, task.lane, f"{task.message_key}:0") if task.message_key else None
        if look.state != "stopped" or hung is None or not hung.ended:
            return look
        # Its own button has stopped it: what had happened is read here.
        texts = service.texts_of(tx, self._services, task)
        done = service.happened(tx, self._services, texts, [task, *workers], HAPPENED)
        already = texts.say("stopped_after", done=texts.listed(done)) if done else ""
        still = unfinished(texts, {one.run_id for one in (task, *workers)})
        return replace(look, already="\n".join(filter(None, (already, still))))

    def _outgoing(self, tx: Tx, texts: Language, look: Look, key: str) -> OutgoingMessage:
        """Return the message as it is now. Its button stays the same row: what it means never changes."""
        task, (platform, _) = look.task, people.place(tx, look.task.lane)
        hung = keyboards.below(tx, task.lane, f"{key}:0")
        stops = look.ended or look.state == "stopping"
        if stops and hung is not None:
            keyboards.end(tx, hung, look.now)
        last = "end" if look.ended else str(look.now)
        outgoing = self._composer.outgoing(
            platform,
            key if hung is None else f"{key}:{last}",
            views.shown(texts, look),
            () if stops else [(texts["task_stop"], commands.stop.of(task=ref("t", task.task_id)))],
            hung="" if hung is None else hung.token,
            person_id=task.person_id,
            # Who administers a group may stop it, too; only the platform knows who that is.
            people=() if look.private else (EVERYBODY,),
            once=False,
        )
        outgoing.parts = [replace(part, payload={**part.payload, SILENT: True}) for part in outgoing.parts]
        return outgoing

    def _pause(self, look: Look) -> Millis:
        """Return how long its message stays as it is, at least."""
        beside = Counter(one.chat_id for one in list(self._seen.values()))[look.task.lane.chat_id]
        return max((PAUSE if look.private else GROUP_PAUSE) * max(1, beside), SPACING * len(self._seen))


def _tick(lasted: Millis) -> Millis:
    return next((tick for below, tick in TICKS if lasted < below), LONG_TICK)
