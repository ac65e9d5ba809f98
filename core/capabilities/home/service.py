"""The page that a platform has for somebody and the bot (Slack: App Home): what is theirs at a glance, kept current.

It shows what their private chat shows, and to them alone. A button of it says what a command would in that chat; where
the answer is the changed list, it is not said: the page is shown anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from core.capabilities.contacts import repository as contacts
from core.capabilities.home import repository as pages
from core.capabilities.links import visibility
from core.capabilities.today.service import HERE, Group, Linked, Source, of_groups, of_linked, rank
from core.capabilities.today.views import item, marked
from core.capabilities.todos import repository as todos
from core.capabilities.todos.repository import Todo
from core.delivery.composer import Composer
from core.kernel.access import Access, may
from core.kernel.ids import ref
from core.kernel.intent import Order
from core.kernel.ports import Adapter, Clock, Database, Engine, Serves, Tx
from core.kernel.replies import Offer
from core.kernel.timing.quiet_hours import ALWAYS
from core.kernel.timing.schedule import Once, load
from core.kernel.timing.trigger import Trigger, TriggerState
from core.kernel.timing.zones import to_local, zone_named
from core.kernel.types import Button, Item, LaneKey, Millis, Page, Standing
from core.language import Language
from core.language.lines import cut
from core.scheduling import repository as triggers
from core.store.people import people
from core.store.people.people import Participant

HOUR, DAY = 3_600_000, 86_400_000
# Who has not looked at it for this long finds it made anew when they do.
LOOKED: Millis = 7 * DAY
MOST_TODOS, MOST_REMINDERS, MOST_OF_GROUPS = 20, 10, 10
REMINDERS = frozenset({"message", "task"})

Line = tuple[str, Sequence[Offer]]
Section = tuple[str, Sequence[Line]]


def look(tx: Tx, engine: Engine, tenant_id: int, person_id: int, now: Millis) -> None:
    """Note that somebody looks at their page, and see that they are shown it."""
    pages.look(tx, tenant_id, person_id, now)
    engine.poke(tx, "page", person_id)


def keep_current(tx: Tx, engine: Engine, tenant_id: int, person_id: int, now: Millis) -> None:
    """See that a page is shown anew, if somebody looked at it lately: what it shows may have changed."""
    if pages.looks(tx, tenant_id, person_id, now - LOOKED):
        engine.poke(tx, "page", person_id)


class Pages:
    """The handler of `page` pokes. `zone` is that of who has none."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        adapters: Mapping[str, Adapter],
        *,
        access: Access,
        composer: Composer,
        serves: Serves,
        zone: ZoneInfo,
    ) -> None:
        self._db, self._clock, self._adapters = db, clock, adapters
        self._access, self._composer, self._serves, self._zone = access, composer, serves, zone

    async def show(self, person_id: int) -> None:
        """Show somebody their page as it is now; nothing to who has no access, or never looked."""
        found = await self._db.read(lambda tx: self._whose(tx, person_id))
        if found is None:
            return
        lane, participant = found
        adapter, address = self._adapters[participant.platform], participant.person.address
        groups = await visibility.groups(self._db, adapter, lane.tenant_id, person_id, address)
        linked = await visibility.beyond(self._db, self._adapters, self._access, person_id)

        def renew_page(tx: Tx) -> Page:
            tx.lock(("person", person_id))
            return self._made(tx, lane, participant, groups, linked)

        await adapter.page(participant.place.tenant, address, await self._db.write(renew_page))

    def _whose(self, tx: Tx, person_id: int) -> tuple[LaneKey, Participant] | None:
        lane = pages.lane(tx, person_id)
        participant = None if lane is None else people.participant(tx, lane, person_id)
        if lane is None or participant is None or not self._serves(participant.platform, participant.place.tenant):
            return None
        standing = self._access.standing(
            participant.person.address, participant.standing, workspace=participant.place.tenant
        )
        return (lane, participant) if may(standing, Standing.MEMBER) else None

    def _made(
        self, tx: Tx, lane: LaneKey, participant: Participant, groups: Sequence[Group], linked: Sequence[Linked]
    ) -> Page:
        view = _View(
            tx=tx,
            lane=lane,
            person_id=participant.person.person_id,
            groups=groups,
            linked=linked,
            language=self._composer.language(participant),
            zone=zone_named(participant.timezone) or self._zone,
            now=self._clock.now(),
        )
        sections = view.sections()
        offers = [offer for _, lines in sections for _, some in lines for offer in some]
        carried = pages.hang(tx, lane, view.person_id, offers, view.now)
        return Page(sections=tuple((title, _items(lines, carried)) for title, lines in sections))


def _items(lines: Sequence[Line], carried: Mapping[Order, str]) -> tuple[Item, ...]:
    return tuple(
        Item(
            text=text, buttons=tuple(Button(label=label, data=carried[said]) for label, said in some if said in carried)
        )
        for text, some in lines
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """One look at what somebody has, whose private chat `lane` is; `groups` are those that they are in now, `linked`
    whom they are linked with."""

    tx: Tx
    lane: LaneKey
    person_id: int
    groups: Sequence[Group]
    linked: Sequence[Linked]
    language: Language
    zone: ZoneInfo
    now: Millis

    def sections(self) -> list[Section]:
        """What the page shows, in Markdown, with what its buttons say."""
        own = sorted(todos.open_of(self.tx, self.lane), key=lambda one: rank(one, self.zone))
        return [
            (self.language["page_todos"], self._todos(own)),
            (self.language["page_reminders"], self._reminders({one.trigger_id for one in own})),
            (self.language["page_settings"], self._settings()),
        ]

    def _todos(self, own: Sequence[Todo]) -> list[Line]:
        lines: list[Line] = [(self._item(one), self._done(one)) for one in own[:MOST_TODOS]]
        lines += self._more(len(own) - MOST_TODOS)
        theirs = of_groups(self.tx, self.lane.tenant_id, self.person_id, self.groups)
        for found in (theirs, of_linked(self.tx, self.linked)):
            lines += [(self._item(todo, source), self._ticked(todo, source)) for source, todo in found[:MOST_OF_GROUPS]]
            lines += self._more(len(found) - MOST_OF_GROUPS)
        return lines or [(self.language["page_no_todos"], ())]

    def _item(self, todo: Todo, source: Source = HERE) -> str:
        return item(self.language, todo, self.zone, self.now, source=source, people=bool(source.group))

    def _ticked(self, todo: Todo, source: Source) -> Sequence[Offer]:
        """What a group has is done from here, too; what a group of somebody linked has is changed there."""
        return () if source.group and source.platform else self._done(todo)

    def _done(self, todo: Todo) -> Sequence[Offer]:
        # The page of the list that would be shown: so the answer is the list, which nobody needs beside the page.
        return [(self.language["page_done"], f"/todo done {ref('t', todo.todo_id)} 1")]

    def _more(self, count: int) -> list[Line]:
        return [(self.language.say("today_more", count=count), ())] if count > 0 else []

    def _reminders(self, but: set[int | None]) -> list[Line]:
        """Those to come, the next one first; what to-dos remind of stands there."""
        found = [one for one in triggers.of_scope(self.tx, self.lane) if _comes(one) and one.trigger_id not in but]
        lines: list[Line] = [(self._reminder(one), self._changes(one)) for one in found[:MOST_REMINDERS]]
        lines += self._more(len(found) - MOST_REMINDERS)
        lines += self._of_groups(self.lane, self.person_id, self.groups)
        most = MOST_OF_GROUPS // max(1, len(self.linked))
        for one in self.linked:
            lines += self._of_linked(one, most)
        return lines or [(self.language["page_no_reminders"], ())]

    def _of_groups(self, lane: LaneKey, person_id: int, groups: Sequence[Group], platform: str = "") -> list[Line]:
        """What somebody whose private chat `lane` is made in groups that they are in."""
        titles = {one.scope_id: one.title for one in groups}
        made = triggers.made_elsewhere(self.tx, lane, person_id) if titles else []
        found = sorted(filter(_comes, made), key=lambda one: one.next_at)
        shown = [one for one in found if one.lane.scope_id in titles][:MOST_OF_GROUPS]
        return [(self._marked(one, Source(group=titles[one.lane.scope_id], platform=platform)), ()) for one in shown]

    def _of_linked(self, one: Linked, most: int) -> list[Line]:
        """What is to come for somebody linked: in their own chat (`most` of it), where it can be changed from here, and
        in groups."""
        noted = {todo.trigger_id for todo in todos.open_of(self.tx, one.lane)}
        found = [own for own in triggers.of_scope(self.tx, one.lane) if _comes(own) and own.trigger_id not in noted]
        here = Source(platform=one.platform)
        lines: list[Line] = [(self._marked(own, here), self._changes(own)) for own in found[:most]]
        lines += self._more(len(found) - most)
        return lines + self._of_groups(one.lane, one.person_id, one.groups, one.platform)

    def _marked(self, trigger: Trigger, source: Source) -> str:
        return marked(self.language, self._reminder(trigger), source)

    def _reminder(self, trigger: Trigger) -> str:
        again = "" if isinstance(load(trigger.spec), Once) else " ↻"
        names = ", ".join(cut(name) for name in self._names(trigger))
        text = f"{names}: {cut(trigger.text)}" if names else cut(trigger.text)
        return self.language.say("page_reminder", when=f"{self._moment(trigger.next_at)}{again}", text=text)

    def _names(self, trigger: Trigger) -> list[str]:
        known = (contacts.find(self.tx, trigger.lane, one) for one in triggers.contacts(self.tx, trigger.trigger_id))
        return [one.nickname for one in known if one is not None]

    def _moment(self, at: Millis) -> str:
        local = to_local(at, self.zone)
        if local.year == to_local(self.now, self.zone).year:
            return self.language.moment(local)
        return f"{self.language.date(local)} {self.language.clock(local)}"

    def _changes(self, trigger: Trigger) -> Sequence[Offer]:
        """An hour later, or without the next time; and the end of it."""
        this, language = ref("s", trigger.trigger_id), self.language
        later = datetime.fromtimestamp((trigger.next_at + HOUR) / 1000, UTC).isoformat(timespec="seconds")
        once = isinstance(load(trigger.spec), Once)
        snooze = (language["page_hour_later"], f"/move {this} {later}")
        skipped = (language["button_skip_next"], f"/skip {this}")
        return [snooze if once else skipped, (language["page_cancel"], f"/cancel {this}")]

    def _settings(self) -> list[Line]:
        language, change = self.language, self.language["change"]
        return [
            (language.say("status_timezone", zone=cut(language.town(self.zone.key))), [(change, "/timezone")]),
            (self._quiet(), [(change, "/quiet")]),
            (language.say("status_language", language=language.name), [(change, "/language")]),
        ]

    def _quiet(self) -> str:
        quiet, _ = people.quiet(self.tx, self.lane)
        if not quiet:
            return self.language["quiet_is_off"]
        if quiet == ALWAYS:
            return self.language["quiet_is_always"]
        return self.language.say("quiet_is", hours=quiet)


def _comes(trigger: Trigger) -> bool:
    return trigger.state == TriggerState.ACTIVE and trigger.deliver in REMINDERS
