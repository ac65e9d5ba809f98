"""The to-do list: /todo shows it with a button for each item, and changes it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from core.capabilities.contacts.reaching import acquaint
from core.capabilities.links import elsewhere
from core.capabilities.today.views import due_words, named
from core.capabilities.todos import repository as todos
from core.capabilities.todos.changes import assign, due, edit, glued, reopen, turn
from core.capabilities.todos.due import read_due as read_instant
from core.capabilities.todos.notices import changed, failed, found_of, named_of, page_of, target, which
from core.capabilities.todos.parsing import wish
from core.capabilities.todos.repository import Todo
from core.capabilities.todos.service import LONGEST, ref
from core.capabilities.todos.several import add_several, ask_clear, clear, several_of
from core.capabilities.todos.tools import ALREADY, DUPLICATE, NO_MATCH, RAW
from core.capabilities.todos.views import PAGE, label, line_of, listed
from core.kernel.clean_text import one_line
from core.kernel.markdown import literal
from core.kernel.replies import Offer, Reply
from core.kernel.types import ToolResult
from core.language.lines import cut
from core.language.matching import is_part
from core.scheduling import views as shown
from core.scheduling.views import zone_name, zone_offer
from core.toolkit.command import Command, CommandRun, Menu
from core.toolkit.own_chat import is_whispered

DONE_SHOWN = 20
# What may stand behind /todo, in Chinese too.
WORDS = {
    **{name: name for name in ("add", "done", "reopen", "edit", "remove", "due", "assign", "page", "clear")},
    "添加": "add",
    "加": "add",
    "完成": "done",
    "恢复": "reopen",
    "修改": "edit",
    "移除": "remove",
    "删除": "remove",
    "期限": "due",
    "分配": "assign",
    "清空": "clear",
}
# What means the list, or how it is used, when it stands alone there: "List the guests" is a to-do.
ALONE = {
    **dict.fromkeys(("list", "show", "列表", "清单", "显示"), "list"),
    **dict.fromkeys(("help", "?", "？", "帮助"), "help"),
}


async def _todo(run: CommandRun) -> Reply:
    reply = await _carried_out(run)
    if not (is_whispered(run.context) and reply.text) or run.aloud:
        return reply
    # Only one person of a channel sees it: whose list it is would not be plain.
    whose = run.language.say("group_list", group=literal(shown.group_title(run)))
    return replace(reply, text=f"{reply.text}\n\n{whose}")


async def _carried_out(run: CommandRun) -> Reply:
    word, *rest = run.rest.split(maxsplit=1) or [""]
    if not rest and (alone := ALONE.get(word.lower())):
        return run.say("todo_usage") if alone == "help" else await listed(run, 1)
    act = _ACTS.get(WORDS.get(word.lower(), ""))
    if act is not None:
        reply = await act(run, rest[0].strip() if rest else "")
    else:
        reply = await _glued(run)
    if reply is not None:
        return reply
    # "Page the doctor" is no subcommand.
    return await _add(run, run.rest) if run.rest else await listed(run, 1)


async def _glued(run: CommandRun) -> Reply | None:
    """A Chinese word may have no space behind it; such words begin items, too, so an item must be meant."""
    for word, act in WORDS.items():
        if not word.isascii() and run.rest.startswith(word) and (reply := await glued(run, act, run.rest[len(word) :])):
            return reply
    return None


async def _page(run: CommandRun, rest: str) -> Reply | None:
    return await listed(run, page_of(rest), again=True) if page_of(rest) else None


# What was done.


async def _done(run: CommandRun, query: str) -> Reply | None:
    if not query:
        return await _list_done(run)
    todo_id, page = target(query)
    if page_of(page):
        return await turn(run, "complete", todo_id, page_of(page))
    result = await run.call("todo_update", action="complete", content=query[:LONGEST])
    if not result.success:
        return await _away(run, "done", query, result)
    if "candidates" in result.result:
        return await which(run, "done", result.result["candidates"], query)
    key = "todo_already_done" if ALREADY in result.result.get("warnings", ()) else "todo_completed"
    return run.undoable(run.language.say(key, item=await named_of(run, result)), result.result.get("undo", ""))


async def _list_done(run: CommandRun) -> Reply:
    found = await run.context.db.read(lambda tx: todos.done_of(tx, run.context.lane, limit=DONE_SHOWN))
    if not found:
        return run.say("todo_done_none")
    offers = [(label("↩", one), f"/todo reopen {ref(one)}") for one in found[:PAGE]]
    lines = [run.language["todo_done_title"], *(line_of(run, one) for one in found)]
    return run.reply("\n".join(lines), offers=offers, once=False)


async def _away(run: CommandRun, act: str, words: str, result: ToolResult) -> Reply:
    """Where the words mean nothing here: what they mean of what the list shows of elsewhere, done by its id if its
    button would do that, else said where it is."""
    found = await elsewhere.meant(run, words) if result.error.startswith(NO_MATCH) else []
    near = [todo for source, todo in found if not source.group]
    if len(near) == 1 and not is_part(words, near[0].text):
        return await _ACTS[act](run, ref(near[0])) or failed(run, result, words)
    if near:
        return await which(run, act, [{"id": ref(one), "content": one.content} for one in near], words)
    if found:
        source, todo = found[0]
        return run.say("todo_there", item=cut(todo.text), place=named(source))
    return failed(run, result, words)


# What changes it.


async def _add(run: CommandRun, text: str) -> Reply:
    """Without words: those of the message that is replied to."""
    if several := await several_of(run, text):
        return await add_several(run, several)
    said = run.context.said
    text = text or (said.quoted[:LONGEST] if said is not None else "")
    if not one_line(text):
        return run.say("todo_usage")
    wanted = await wish(run, text)
    if wanted.people and "T" in wanted.due and not run.group:
        await acquaint(run, wanted.people)
    result = await run.call(
        "todo_update", action="add", content=wanted.content, people=list(wanted.people), due=wanted.due or None
    )
    if not result.success:
        return failed(run, result)
    todo, line = await found_of(run, result), await named_of(run, result)
    if DUPLICATE in result.result.get("warnings", ()):
        return run.say("todo_duplicate", item=line)
    raw = (*wanted.unknown, *(wanted.people if RAW in result.result.get("warnings", ()) else ()))
    notes = [run.language.say("todo_raw", name=cut(", ".join(raw)))] if raw else []
    reminding, other = (_reminding(run, todo), _other(run, todo, wanted.other)) if todo is not None else ([], [])
    reply = run.undoable(
        "\n".join([run.language.say("todo_added", item=line), *reminding, *notes]), result.result.get("undo", "")
    )
    zone = await zone_offer(run) if todo is not None and todo.trigger_id is not None else []
    return replace(reply, offers=(*reply.offers, *other, *zone))


def _reminding(run: CommandRun, todo: Todo) -> list[str]:
    """Whether there is a reminder, and how long that is from now."""
    if todo.due_at is None:
        return []
    left = todo.due_at - run.context.clock.now()
    if left <= 0:
        return [run.language["todo_past"]]
    town = zone_name(run.language, run.context.zone.key)
    return [run.language.say("todo_reminder", duration=run.language.duration(left), zone=town)]


def _other(run: CommandRun, todo: Todo, due: str) -> list[Offer]:
    """The other time that may have been meant, as a button."""
    if not due:
        return []
    context = run.context
    due_on, due_at = read_instant(context, "todo_change", due)
    meant = replace(todo, due_on=due_on, due_at=due_at)
    return [(due_words(run.language, meant, context.zone, context.clock.now()), f"/todo due {ref(todo)} {due}")]


async def _reopen(run: CommandRun, rest: str) -> Reply:
    return await reopen(run, rest) if rest else await _list_done(run)


async def _remove(run: CommandRun, meant: str) -> Reply | None:
    """By an id, or by words."""
    if not meant:
        return None
    result = await run.call("todo_change", todo_id=meant[:LONGEST], action="remove")
    if not result.success:
        return await _away(run, "remove", meant, result)
    if result.result["status"] == "several":
        return await which(run, "remove", result.result["candidates"], meant)
    return await changed(run, result, "todo_removed")


async def _clear(run: CommandRun, rest: str) -> Reply | None:
    """Ask first; what the buttons say decides. "Clear the table" is an item."""
    match rest:
        case "":
            return await ask_clear(run)
        case "yes":
            return await clear(run)
        case "no":
            return run.say("todo_kept")
    return None


# Each says None when what stands behind it makes it none.
_ACTS: Mapping[str, Callable[[CommandRun, str], Awaitable[Reply | None]]] = {
    "add": _add,
    "done": _done,
    "reopen": _reopen,
    "edit": edit,
    "remove": _remove,
    "due": due,
    "assign": assign,
    "page": _page,
    "clear": _clear,
}

COMMANDS: Mapping[str, Command] = {"todo": Command(_todo, menu=Menu(2), of_chat=True, aliases=("list", "lists"))}
