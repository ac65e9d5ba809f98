"""The to-do list as it is shown: pages with a button for each item, edited in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from core.capabilities.todos import intents
from core.capabilities.todos import repository as todos
from core.capabilities.todos.other_chats import of_groups, of_linked
from core.capabilities.todos.repository import Assignee, ItemState, Todo
from core.capabilities.todos.service import ref
from core.kernel.markdown import called, visible
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.timing.zones import day_of, to_local
from core.kernel.types import Millis
from core.language import Language
from core.language.lines import cut, shortened
from core.store.people import people
from core.toolkit import other_chats
from core.toolkit.command import Act, CommandRun
from core.toolkit.intents import tick
from core.toolkit.other_chats import HERE, NO_OTHERS, OtherChats, Source, named

PAGE, LONGEST_LABEL, MOST_NAMES = 8, 40, 3
# As long as somebody may look at the list where they have just ticked an item off.
STAYS: Millis = 10 * 60_000


@dataclass(frozen=True, kw_only=True)
class _Shown:
    """What a page of the list shows: how many are open, the items of the page, what is in groups, and what there is of
    those whom the person is linked with."""

    count: int
    page: int
    pages: int
    items: Sequence[Todo]
    doers: Mapping[int, str]
    elsewhere: Sequence[tuple[Source, Todo]]
    linked: Sequence[tuple[Source, Todo]]


async def listed(run: CommandRun, page: int, *, again: bool = False) -> Act:
    """Ask the platform for what is elsewhere, and return what shows the list in the place of the message whose button
    was pressed.

    Shown `again`, what was ticked off just now stays where it was, so that it can be taken back there.
    """
    others = await other_chats.of_run(run) if page == 1 else NO_OTHERS
    return partial(_show, run, page, others, again)


def _show(run: CommandRun, page: int, others: OtherChats, again: bool, tx: Tx) -> Reply:
    shown = _look(tx, run, page, others, again=again)
    if not shown.items and not shown.elsewhere and not shown.linked:
        return run.reply(run.language["todo_empty"], edits=True)
    key = "todo_title" if shown.pages == 1 else "todo_title_page"
    lines = [run.language.say(key, count=shown.count, page=shown.page, pages=shown.pages)]
    lines += [_line(run, one, shown.doers) for one in shown.items]
    lines += _beyond(run, "todo_groups", shown.elsewhere) + _beyond(run, "todo_linked", shown.linked)
    theirs = [todo for source, todo in shown.linked[:PAGE] if not source.group]
    offers = [_toggle(one, shown.page) for one in (*shown.items, *theirs)]
    back: list[Offer] = [("◀", intents.page(shown.page - 1))] if shown.page > 1 else []
    on: list[Offer] = [("▶", intents.page(shown.page + 1))] if shown.page < shown.pages else []
    return replace(run.reply("\n".join(lines), offers=[*offers, *back, *on], edits=True), shared=run.group)


def _beyond(run: CommandRun, title: str, found: Sequence[tuple[Source, Todo]]) -> list[str]:
    """What is open elsewhere, below a title of its own."""
    lines = [line_of(run, todo, source=source) for source, todo in found]
    return ["", run.language[title], *shortened(run.language, lines, PAGE)] if lines else []


def _look(tx: Tx, run: CommandRun, page: int, others: OtherChats, *, again: bool) -> _Shown:
    context = run.context
    lane, zone, now = context.lane, context.zone, context.clock.now()
    waiting, done = todos.open_of(tx, lane), todos.done_of(tx, lane, since=day_of(zone, now)[1] - 1)
    fresh = [one for one in done if again and (one.ended_at or 0) > now - STAYS]
    items = [
        *sorted([*waiting, *fresh], key=lambda one: rank(one, zone)),
        *(one for one in done if one not in fresh),
    ]
    pages = max(1, -(-len(items) // PAGE))
    page = min(page, pages)
    some = items[(page - 1) * PAGE : page * PAGE]
    doers = {one.done_by for one in some if one.done_by is not None} if run.group else set()
    mine = context.principal.person_id
    return _Shown(
        count=len(waiting),
        page=page,
        pages=pages,
        items=some,
        doers={by: people.name(tx, lane, by) for by in doers},
        elsewhere=of_groups(tx, lane.tenant_id, mine, others.groups),
        linked=of_linked(tx, others.linked),
    )


def _line(run: CommandRun, todo: Todo, doers: Mapping[int, str]) -> str:
    """A line of the list; in a group it says who did it."""
    line, doer = line_of(run, todo), doers.get(todo.done_by or 0)
    return run.language.say("todo_by", item=line, name=called(doer, "–")) if doer is not None else line


def line_of(run: CommandRun, todo: Todo, *, source: Source = HERE, box: bool = True) -> str:
    now = run.context.clock.now()
    return item(run.language, todo, run.context.zone, now, source=source, box=box)


def _toggle(todo: Todo, page: int) -> Offer:
    """The button that completes an item, or opens it again."""
    if todo.state == ItemState.DONE:
        return label("☑", todo), intents.reopen(ref(todo), page=page)
    return label("☐", todo), tick(ref(todo), page=page)


def label(sign: str, todo: Todo) -> str:
    text = visible(todo.text)
    return f"{sign} {text if len(text) <= LONGEST_LABEL else f'{text[: LONGEST_LABEL - 1]}…'}"


# Lines of to-dos; nothing below looks anything up.


def rank(todo: Todo, zone: ZoneInfo) -> tuple[str, Millis, int]:
    """What to-dos are put in order by: the day they are due, those due at an instant first; then the oldest."""
    if todo.due_at is not None:
        return to_local(todo.due_at, zone).date().isoformat(), todo.due_at, todo.todo_id
    return todo.due_on or "~", 1 << 62, todo.todo_id


def overdue(todo: Todo, zone: ZoneInfo, now: Millis) -> bool:
    """Whether it should have been done before `now`, or before this day."""
    if todo.due_at is not None:
        return todo.due_at < now
    return bool(todo.due_on) and todo.due_on < to_local(now, zone).date().isoformat()


def item(
    language: Language,
    todo: Todo,
    zone: ZoneInfo,
    now: Millis,
    *,
    group: str = "",
    source: Source = HERE,
    people: bool = True,
    box: bool = True,
) -> str:
    """A line for a to-do: a `box`, what is to be done, by whom (`people`), until when, and where (`source`, or a
    `group`)."""
    sign = ("☑ " if todo.state == ItemState.DONE else "☐ ") if box else ""
    about = particulars(language, todo, zone, now, people=people)
    line = f"{sign}{cut(todo.text)}{f' — {about}' if about else ''}"
    return marked(language, line, Source(group=group) if group else source)


def particulars(language: Language, todo: Todo, zone: ZoneInfo, now: Millis, *, people: bool = True) -> str:
    """By whom a to-do is to be done (`people`), and until when; empty where neither is said."""
    names = _names(todo.assignees) if people else ""
    due = "" if todo.state == ItemState.DONE else due_words(language, todo, zone, now)
    return ", ".join(filter(None, (names, due)))


def marked(language: Language, line: str, source: Source) -> str:
    """A line with where it comes from, unless that is this chat."""
    where = named(source)
    return language.say("todo_group", item=line, group=where) if where else line


def _names(people: Sequence[Assignee]) -> str:
    shown = ", ".join(called(one.name, one.address) for one in people[:MOST_NAMES])
    return f"{shown} +{len(people) - MOST_NAMES}" if len(people) > MOST_NAMES else shown


def due_words(language: Language, todo: Todo, zone: ZoneInfo, now: Millis) -> str:
    """When it is due, as people write it; empty when it is not."""
    if todo.due_at is None and not todo.due_on:
        return ""
    today = to_local(now, zone)
    at = to_local(todo.due_at, zone) if todo.due_at is not None else datetime.fromisoformat(todo.due_on)
    timed = todo.due_at is not None
    if overdue(todo, zone, now):
        return language.say("todo_overdue", when=_when(language, at, today.year, timed=timed))
    if at.date() == today.date():
        return language.say("todo_today_at", clock=language.clock(at)) if timed else language["todo_today"]
    return _when(language, at, today.year, timed=timed)


def _when(language: Language, at: datetime, year: int, *, timed: bool) -> str:
    """A day, with its time when it has one, with its year when that is another."""
    if at.year != year:
        return f"{language.date(at)} {language.clock(at)}" if timed else language.date(at)
    moment = language.moment(at)
    return moment if timed else moment.removesuffix(language.clock(at)).strip()
