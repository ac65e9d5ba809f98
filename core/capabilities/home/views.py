"""What somebody's page shows, in Markdown, and what its buttons say: their to-dos, their reminders, their settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from core.capabilities.tasks import listing
from core.capabilities.tasks.views import listed
from core.capabilities.today.service import events
from core.capabilities.today.views import event_line
from core.capabilities.todos import repository as todos
from core.capabilities.todos.other_chats import of_groups, of_linked
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.views import item, marked, rank
from core.kernel.access import Access
from core.kernel.ids import ref
from core.kernel.ports import Tx
from core.kernel.replies import Offer
from core.kernel.timing.quiet_hours import ALWAYS
from core.kernel.timing.schedule import Once, load
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import day_of, to_local
from core.kernel.types import HOUR, LaneKey, Millis
from core.language import Language
from core.language.lines import cut
from core.scheduling import repository as triggers
from core.store.people import people
from core.store.people.groups import Group
from core.toolkit import intents
from core.toolkit.other_chats import HERE, OtherChats, Source

MOST_EVENTS, MOST_TODOS, MOST_REMINDERS, MOST_OF_GROUPS = 10, 20, 10, 10
REMINDERS = frozenset({"message", "task"})

Line = tuple[str, Sequence[Offer]]
Section = tuple[str, Sequence[Line]]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One look at what somebody has, whose private chat `lane` is, there and in the `others` that it shows."""

    tx: Tx
    access: Access
    lane: LaneKey
    person_id: int
    others: OtherChats
    language: Language
    zone: ZoneInfo
    now: Millis

    def more(self, count: int) -> list[Line]:
        """Return the line that says how many were left out, if any were."""
        return [(self.language.say("today_more", count=count), ())] if count > 0 else []


def sections(view: View) -> list[Section]:
    """Return the sections of the page, each with its title."""
    own = sorted(todos.open_of(view.tx, view.lane), key=lambda one: rank(one, view.zone))
    under_way = _tasks(view)
    _, begin, end = day_of(view.zone, view.now)
    # Nothing can be done about them here.
    on = [
        (event_line(view.language, event, source, view.zone, view.now), ())
        for source, event in events(view.tx, view.access, view.lane, (begin, end), view.zone, view.others)
    ]
    shown = on[:MOST_EVENTS] + view.more(len(on) - MOST_EVENTS)
    return [
        *([(view.language["page_events"], shown)] if on else []),
        *([(view.language["page_tasks"], under_way)] if under_way else []),
        (view.language["page_todos"], _todos(view, own)),
        (view.language["page_reminders"], _reminders(view, {one.trigger_id for one in own})),
        (view.language["page_settings"], _settings(view)),
    ]


def _tasks(view: View) -> list[Line]:
    """Return what is under way for them, in their chat and in their groups, each with the button that stops it."""
    groups = {group.scope_id: Source(group=group.title) for group in view.others.groups}
    found = listing.elsewhere(view.tx, view.lane, view.person_id, view.now, also_here=True)
    sources = {view.lane.scope_id: HERE, **groups}
    lines: list[Line] = [
        (
            marked(
                view.language,
                listed(view.language, look, timeless=True).removeprefix("- "),
                sources[look.task.lane.scope_id],
            ),
            [] if look.task.stopped else [(view.language["task_stop"], intents.stop_task(ref("t", look.task.task_id)))],
        )
        for look in sorted(found, key=lambda one: one.task.lane.scope_id != view.lane.scope_id)
        if look.task.lane.scope_id in sources
    ]
    return lines[: listing.MOST] + view.more(len(lines) - listing.MOST)


def _todos(view: View, own: Sequence[Todo]) -> list[Line]:
    """Return their own to-dos, then those that groups and people linked with them have for them."""

    def line(todo: Todo, source: Source = HERE) -> Line:
        text = item(view.language, todo, view.zone, view.now, source=source, people=bool(source.group))
        # What a group of somebody linked has is changed there. The command names the page of the list that would be
        # shown: so the answer is the list, which nobody needs beside this page.
        done = (view.language["page_done"], intents.tick(ref("t", todo.todo_id), page=1))
        return text, () if source.group and source.platform else [done]

    lines = [line(todo) for todo in own[:MOST_TODOS]]
    lines += view.more(len(own) - MOST_TODOS)
    theirs = of_groups(view.tx, view.lane.tenant_id, view.person_id, view.others.groups)
    for found in (theirs, of_linked(view.tx, view.others.linked)):
        lines += [line(todo, source) for source, todo in found[:MOST_OF_GROUPS]]
        lines += view.more(len(found) - MOST_OF_GROUPS)
    return lines or [(view.language["page_no_todos"], ())]


def _reminders(view: View, noted: set[int | None]) -> list[Line]:
    """Return the reminders to come, the next one first; what to-dos remind of (`noted`) stands there.

    Of somebody linked, those in their own chat can be changed from here, those in groups cannot.
    """
    lines = _own_reminders(view, view.lane, noted, MOST_REMINDERS)
    lines += _group_reminders(view, view.lane, view.person_id, view.others.groups)
    most = MOST_OF_GROUPS // max(1, len(view.others.linked))
    for one in view.others.linked:
        theirs = {todo.trigger_id for todo in todos.open_of(view.tx, one.lane)}
        lines += _own_reminders(view, one.lane, theirs, most, one.platform)
        lines += _group_reminders(view, one.lane, one.person_id, one.groups, one.platform)
    return lines or [(view.language["page_no_reminders"], ())]


def _own_reminders(view: View, lane: LaneKey, noted: set[int | None], most: int, platform: str = "") -> list[Line]:
    """Return `most` of what is to come in a private chat, with its buttons."""
    found = [one for one in triggers.of_scope(view.tx, lane) if _comes(one) and one.trigger_id not in noted]
    source = Source(platform=platform)
    lines: list[Line] = [(_reminder(view, one, source), _changes(view, one)) for one in found[:most]]
    return lines + view.more(len(found) - most)


def _group_reminders(
    view: View, lane: LaneKey, person_id: int, groups: Sequence[Group], platform: str = ""
) -> list[Line]:
    """Return what somebody whose private chat `lane` is made in groups that they are in."""
    titles = {one.scope_id: one.title for one in groups}
    made = triggers.made_elsewhere(view.tx, lane, person_id) if titles else []
    found = sorted(filter(_comes, made), key=lambda one: one.next_at)
    here = [one for one in found if one.lane.scope_id in titles][:MOST_OF_GROUPS]
    return [(_reminder(view, one, Source(group=titles[one.lane.scope_id], platform=platform)), ()) for one in here]


def _comes(trigger: Trigger) -> bool:
    return trigger.state == TriggerState.ACTIVE and trigger.deliver in REMINDERS and not trigger.watches


def _reminder(view: View, trigger: Trigger, source: Source) -> str:
    language, at = view.language, to_local(trigger.next_at, view.zone)
    this_year = at.year == to_local(view.now, view.zone).year
    moment = language.moment(at) if this_year else f"{language.date(at)} {language.clock(at)}"
    again = "" if isinstance(load(trigger.spec), Once) else " ↻"
    known = triggers.addressees(view.tx, [trigger.trigger_id]).get(trigger.trigger_id, [])
    names = language.joined([cut(addressee.nickname) for addressee in known])
    text = language.say("named", name=names, text=cut(trigger.text)) if names else cut(trigger.text)
    return marked(language, language.say("page_reminder", when=f"{moment}{again}", text=text), source)


def _changes(view: View, trigger: Trigger) -> Sequence[Offer]:
    """Return the buttons: an hour later, or without the next time; and the end of it."""
    this, language = ref("s", trigger.trigger_id), view.language
    later = datetime.fromtimestamp((trigger.next_at + HOUR) / 1000, UTC).isoformat(timespec="seconds")
    once = isinstance(load(trigger.spec), Once)
    snooze = (language["page_hour_later"], intents.move(this, later))
    skipped = (language["button_skip_next"], intents.skip(this))
    return [snooze if once else skipped, (language["page_cancel"], intents.cancel(this))]


def _settings(view: View) -> list[Line]:
    language, change = view.language, view.language["change"]
    hours, _ = people.quiet(view.tx, view.lane)
    quiet = language.say("quiet_is", hours=hours) if hours else language["quiet_is_off"]
    return [
        (language.say("status_timezone", zone=cut(language.town(view.zone.key))), [(change, intents.ask_zone())]),
        (language["quiet_is_always"] if hours == ALWAYS else quiet, [(change, intents.ask_quiet())]),
        (language.say("status_language", language=language.name), [(change, intents.ask_language())]),
    ]
