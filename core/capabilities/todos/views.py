"""The to-do list as it is shown: pages with a button for each item, edited in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from core.capabilities.links import elsewhere
from core.capabilities.today.service import HERE, Group, Linked, Source, day_of, of_groups, of_linked, rank
from core.capabilities.today.views import item
from core.capabilities.todos import repository as todos
from core.capabilities.todos.repository import ItemState, Todo
from core.capabilities.todos.service import ref
from core.kernel.markdown import called, visible
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.types import Millis
from core.language.lines import shortened
from core.store.people import people
from core.toolkit.command import Act, CommandRun

PAGE, LONGEST_LABEL = 8, 40
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
    groups = await elsewhere.groups(run) if page == 1 else []
    others = await elsewhere.linked(run) if page == 1 else []
    return partial(_show, run, page, groups, others, again)


def _show(run: CommandRun, page: int, groups: Sequence[Group], others: Sequence[Linked], again: bool, tx: Tx) -> Reply:
    shown = _look(tx, run, page, groups, others, again=again)
    if not shown.items and not shown.elsewhere and not shown.linked:
        return run.reply(run.language["todo_empty"], edits=True)
    key = "todo_title" if shown.pages == 1 else "todo_title_page"
    lines = [run.language.say(key, count=shown.count, page=shown.page, pages=shown.pages)]
    lines += [_line(run, one, shown.doers) for one in shown.items]
    lines += _beyond(run, "todo_groups", shown.elsewhere) + _beyond(run, "todo_linked", shown.linked)
    theirs = [todo for source, todo in shown.linked[:PAGE] if not source.group]
    offers = [_toggle(one, shown.page) for one in (*shown.items, *theirs)]
    return replace(run.reply("\n".join(lines), offers=[*offers, *_turning(shown)], edits=True), shared=run.group)


def _beyond(run: CommandRun, title: str, found: Sequence[tuple[Source, Todo]]) -> list[str]:
    """What is open elsewhere, below a title of its own."""
    lines = [line_of(run, todo, source=source) for source, todo in found]
    return ["", run.language[title], *shortened(run.language, lines, PAGE)] if lines else []


def _look(
    tx: Tx, run: CommandRun, page: int, groups: Sequence[Group], linked: Sequence[Linked], *, again: bool
) -> _Shown:
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
        elsewhere=of_groups(tx, lane.tenant_id, mine, groups),
        linked=of_linked(tx, linked),
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
    act, sign = ("reopen", "☑") if todo.state == ItemState.DONE else ("done", "☐")
    return label(sign, todo), f"/todo {act} {ref(todo)} {page}"


def label(sign: str, todo: Todo) -> str:
    text = visible(todo.text)
    return f"{sign} {text if len(text) <= LONGEST_LABEL else f'{text[: LONGEST_LABEL - 1]}…'}"


def _turning(shown: _Shown) -> list[Offer]:
    back: list[Offer] = [("◀", f"/todo page {shown.page - 1}")] if shown.page > 1 else []
    return [*back, ("▶", f"/todo page {shown.page + 1}")] if shown.page < shown.pages else back
