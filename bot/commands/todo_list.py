"""The to-do list as it is shown: pages with a button for each item, edited in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.commands.elsewhere import groups
from bot.commands.run import CommandRun
from core.agents.loop import Reply
from core.markdown import called, visible
from core.ports import Tx
from core.store import people, todos
from core.store.keyboards import Offer
from core.store.today import Group, day_of, rank
from core.store.todos import Todo
from core.today import item, shortened
from core.toolkit.items import ref

PAGE, LONGEST_LABEL = 8, 40


@dataclass(frozen=True, kw_only=True)
class _Shown:
    """What a page of the list shows: how many are open, the items of the page, and what is in groups."""

    count: int
    page: int
    pages: int
    items: Sequence[Todo]
    doers: Mapping[int, str]
    elsewhere: Sequence[tuple[str, Todo]]


async def listed(run: CommandRun, page: int) -> Reply:
    """The list, in the place of the message whose button was pressed."""
    theirs = await groups(run) if page == 1 else []
    shown = await run.context.db.read(lambda tx: _look(tx, run, page, theirs))
    if not shown.items and not shown.elsewhere:
        return run.reply(run.language["todo_empty"], edits=True)
    lines = [run.language.say("todo_title", count=shown.count)]
    lines += [_line(run, one, shown.doers) for one in shown.items]
    if shown.elsewhere:
        others = [line_of(run, todo, group=title) for title, todo in shown.elsewhere]
        lines += ["", run.language["todo_groups"], *shortened(run.language, others, PAGE)]
    offers = [_toggle(one, shown.page) for one in shown.items]
    return replace(run.reply("\n".join(lines), offers=[*offers, *_turning(shown)], edits=True), shared=run.group)


def _look(tx: Tx, run: CommandRun, page: int, theirs: Sequence[Group]) -> _Shown:
    context = run.context
    lane, zone = context.lane, context.zone
    waiting = sorted(todos.open_of(tx, lane), key=lambda one: rank(one, zone))
    items = [*waiting, *todos.done_of(tx, lane, since=day_of(zone, context.clock.now())[1] - 1)]
    pages = max(1, -(-len(items) // PAGE))
    page = min(page, pages)
    some = items[(page - 1) * PAGE : page * PAGE]
    doers = {one.done_by for one in some if one.done_by is not None} if run.group else set()
    mine, tenant_id = context.principal.person_id, lane.tenant_id
    return _Shown(
        count=len(waiting),
        page=page,
        pages=pages,
        items=some,
        doers={by: people.name(tx, lane, by) for by in doers},
        elsewhere=[(one.title, todo) for one in theirs for todo in todos.mine_of(tx, tenant_id, one.scope_id, mine)],
    )


def _line(run: CommandRun, todo: Todo, doers: Mapping[int, str]) -> str:
    """A line of the list; in a group it says who did it."""
    line, doer = line_of(run, todo), doers.get(todo.done_by or 0)
    return run.language.say("todo_by", item=line, name=called(doer, "–")) if doer is not None else line


def line_of(run: CommandRun, todo: Todo, *, group: str = "", box: bool = True) -> str:
    now = run.context.clock.now()
    return item(run.language, todo, run.context.zone, now, group=group, box=box)


def _toggle(todo: Todo, page: int) -> Offer:
    """The button that completes an item, or opens it again."""
    act, sign = ("reopen", "☑") if todo.state == "done" else ("done", "☐")
    return label(sign, todo), f"/todo {act} {ref(todo)} {page}"


def label(sign: str, todo: Todo) -> str:
    text = visible(todo.text)
    return f"{sign} {text if len(text) <= LONGEST_LABEL else f'{text[: LONGEST_LABEL - 1]}…'}"


def _turning(shown: _Shown) -> list[Offer]:
    back = [("◀", f"/todo page {shown.page - 1}")] if shown.page > 1 else []
    return [*back, ("▶", f"/todo page {shown.page + 1}")] if shown.page < shown.pages else back
