"""The to-do list as it is shown: pages with a button for each item, edited in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from core.capabilities.todos import intents, lists
from core.capabilities.todos import repository as todos
from core.capabilities.todos.items import ref
from core.capabilities.todos.other_chats import of_groups, of_linked
from core.capabilities.todos.repository import ItemState, Todo
from core.kernel.markdown import called, literal, truncated, visible
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.timing.zones import day_of, to_local
from core.kernel.types import MINUTE, Millis
from core.language import Language
from core.language.lines import cut, shortened
from core.store.people import people
from core.toolkit import other_chats
from core.toolkit.command import Act, CommandRun
from core.toolkit.intents import tick
from core.toolkit.other_chats import HERE, NO_OTHERS, OtherChats, Source, named

PAGE, LONGEST_LABEL, MOST_NAMES = 8, 40, 3
# For so long an item that was ticked off stays in its place, so that a slip can be taken back there.
STAYS: Millis = 10 * MINUTE


async def listed(run: CommandRun, page: int, *, again: bool = False, key: str = "") -> Act:
    """Return the act that shows a list, by its `key`, in the place of the message whose button was pressed; the
    platform is asked before which groups may be shown beside it.

    Shown `again`, an item that was ticked off just now stays in its place, so that a slip can be taken back there.
    """
    others = await other_chats.of_run(run) if page == 1 and not key else NO_OTHERS
    return partial(_show, run, page, others, again, key)


async def listed_by_name(run: CommandRun, words: str, *, new: bool = False) -> Act:
    """Return the act that shows the list that words name, or the one that is nearly called so; else it says that the
    list is empty, and shows the usual one. Of a list that shall be `new` it says how something comes onto it."""
    place, usual = lists.named(words), await listed(run, 1)
    by_name = await listed(run, 1, key=place.key)

    def show(tx: Tx) -> Reply:
        if not place.key or lists.on(todos.open_of(tx, run.context.lane), place.key):
            return by_name(tx)
        name = lists.called(run.language, place.key, place.name)
        if new:
            return run.reply(run.language.say("list_new", name=name))
        near = lists.near(words, [one.key for one in todos.lists_of(tx, run.context.lane)])
        if near is not None:
            return _show(run, 1, NO_OTHERS, False, near, tx)
        said = run.language.say("list_empty", name=name)
        shown = usual(tx)
        return (
            replace(shown, text=f"{said}\n\n{shown.text}") if todos.open_of(tx, run.context.lane) else run.reply(said)
        )

    return show


def overview(run: CommandRun, tx: Tx) -> Reply:
    """Return the overview of all lists, with a button for each."""
    found = todos.lists_of(tx, run.context.lane)
    usual = len(lists.on(todos.open_of(tx, run.context.lane), ""))
    rows = [("", run.language["list_usual"], usual)]
    rows += [(one.key, lists.label(run.language, one.key, one.name), one.waiting) for one in found]
    lines = [run.language["lists_title"]]
    lines += [run.language.say("lists_line", name=literal(name), count=count) for _, name, count in rows]
    lines += [] if found else [run.language["lists_how"]]
    offers: list[Offer] = []
    for key, name, count in rows:
        shown = run.language.say("aside", text=visible(name)[:LONGEST_LABEL], aside=count)
        offers.append((shown, intents.page(1, key)))
    foreign = any(one.tainted for one in found)
    return replace(run.reply("\n".join(lines), offers=offers, once=False), shared=run.group, foreign=foreign)


def _show(run: CommandRun, page: int, others: OtherChats, again: bool, key: str, tx: Tx) -> Reply:
    lane, zone, now = run.context.lane, run.context.zone, run.context.clock.now()
    more = [] if key else todos.lists_of(tx, lane)
    waiting = lists.on(todos.open_of(tx, lane), key)
    done = lists.on(todos.done_of(tx, lane, since=day_of(zone, now)[1] - 1), key)
    elsewhere = of_groups(tx, lane.tenant_id, run.context.principal.person_id, others.groups)
    linked = of_linked(tx, others.linked)
    if not waiting and not done and not elsewhere and not linked and not more:
        return run.reply(run.language["todo_empty"], edits=True)
    fresh = [todo for todo in done if again and (todo.ended_at or 0) > now - STAYS]
    items = sorted([*waiting, *fresh], key=lambda todo: rank(todo, zone))
    items += [todo for todo in done if todo not in fresh]
    pages = max(1, -(-len(items) // PAGE))
    page = min(page, pages)
    here = items[(page - 1) * PAGE : page * PAGE]
    title = "todo_title" if not key else "list_title"
    name = next((lists.of_todo(run.language, todo) for todo in (*waiting, *done)), "")
    text = title if pages == 1 else f"{title}_page"
    lines = [run.language.say(text, name=name, count=len(waiting), page=page, pages=pages)]
    for todo in here:
        # Its list stands in the title.
        line, by = line_of(run, replace(todo, list_key="")), todo.done_by if run.group else None
        doer = None if by is None else called(people.name(tx, lane, by), "–")
        lines.append(line if doer is None else run.language.say("todo_by", item=line, name=doer))
    lines += _beyond(run, "todo_groups", elsewhere) + _beyond(run, "todo_linked", linked)
    if more:
        names = [(lists.called(run.language, one.key, one.name), one.waiting) for one in more]
        counted = [run.language.say("aside", text=name, aside=count) for name, count in names]
        lines += ["", run.language.say("lists_more", names=run.language.joined(counted))]
    offers: list[Offer] = []
    for todo in (*here, *(todo for source, todo in linked[:PAGE] if not source.group)):
        # The button completes an item, or opens it again.
        if todo.state == ItemState.DONE:
            offers.append((label("☑", todo), intents.reopen(ref(todo), page=page)))
        else:
            offers.append((label("☐", todo), tick(ref(todo), page=page)))
    offers += [("◀", intents.page(page - 1, key))] if page > 1 else []
    offers += [("▶", intents.page(page + 1, key))] if page < pages else []
    offers += [(run.language["lists_all"], intents.show_lists())] if more or key else []
    reply = replace(run.reply("\n".join(lines), offers=offers, edits=True), shared=run.group)
    tainted = [todo.tainted for todo in (*here, *(todo for _, todo in (*elsewhere, *linked)))]
    return replace(reply, foreign=any(tainted) or any(one.tainted for one in more))


def _beyond(run: CommandRun, title: str, found: Sequence[tuple[Source, Todo]]) -> list[str]:
    """Return the lines of open items of other chats, below a title."""
    lines = [line_of(run, todo, source=source) for source, todo in found]
    return ["", run.language[title], *shortened(run.language, lines, PAGE)] if lines else []


def line_of(run: CommandRun, todo: Todo, *, source: Source = HERE, box: bool = True) -> str:
    now = run.context.clock.now()
    return item(run.language, todo, run.context.zone, now, source=source, box=box)


def label(sign: str, todo: Todo) -> str:
    return f"{sign} {truncated(visible(todo.text), LONGEST_LABEL)}"


# Lines of to-dos; nothing below looks anything up.


def rank(todo: Todo, zone: ZoneInfo) -> tuple[str, Millis, int]:
    """Return the key by which to-dos are sorted: the day they are due, those with a time first; then the oldest."""
    if todo.due_at is not None:
        return to_local(todo.due_at, zone).date().isoformat(), todo.due_at, todo.todo_id
    return todo.due_on or "~", 1 << 62, todo.todo_id


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
    """Return the line of a to-do: a `box`, its text, by whom (`people`), until when, and where (`source` or
    `group`)."""
    sign = ("☑ " if todo.state == ItemState.DONE else "☐ ") if box else ""
    about = particulars(language, todo, zone, now, people=people)
    line = f"{sign}{cut(todo.text)}{f' — {about}' if about else ''}"
    return marked(language, line, Source(group=group) if group else source)


def particulars(language: Language, todo: Todo, zone: ZoneInfo, now: Millis, *, people: bool = True) -> str:
    """Return by whom a to-do is to be done (`people`), until when, and on which list it is, if that has a name."""
    who = todo.assignees if people else ()
    names = language.joined([called(assignee.name, assignee.address) for assignee in who[:MOST_NAMES]])
    names += f" +{len(who) - MOST_NAMES}" if len(who) > MOST_NAMES else ""
    due = "" if todo.state == ItemState.DONE else due_words(language, todo, zone, now)
    return language.joined((names, due, lists.of_todo(language, todo)), "list_also")


def marked(language: Language, line: str, source: Source) -> str:
    """Return a line with the chat that it comes from, unless that is this one."""
    where = named(source, language)
    return language.say("todo_group", item=line, group=where) if where else line


def due_words(language: Language, todo: Todo, zone: ZoneInfo, now: Millis) -> str:
    """Return when a to-do is due, as people write it; empty when it is not."""
    if todo.due_at is None and not todo.due_on:
        return ""
    today = to_local(now, zone)
    at = to_local(todo.due_at, zone) if todo.due_at is not None else datetime.fromisoformat(todo.due_on)
    timed = todo.due_at is not None
    over = todo.due_at < now if todo.due_at is not None else todo.due_on < today.date().isoformat()
    if over:
        return language.say("todo_overdue", when=_when(language, at, today.year, timed=timed))
    if at.date() == today.date():
        return language.say("todo_today_at", clock=language.clock(at)) if timed else language["todo_today"]
    return _when(language, at, today.year, timed=timed)


def _when(language: Language, at: datetime, year: int, *, timed: bool) -> str:
    """Return a day, with its time if it is `timed`, and with its year if that is another one."""
    if at.year != year:
        return f"{language.date(at)} {language.clock(at)}" if timed else language.date(at)
    moment = language.moment(at)
    return moment if timed else moment.removesuffix(language.clock(at)).strip()
