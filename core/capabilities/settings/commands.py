"""Commands that set something for a person or a group, and the one that takes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.capabilities.chat.corrections import ASK
from core.capabilities.links import elsewhere
from core.kernel.markdown import literal
from core.kernel.replies import Reply
from core.kernel.types import Standing
from core.language import languages, pick
from core.language.places import SIGNS, bare
from core.language.short_texts import AUTOMATIC, OFF, ON
from core.language.zone_search import shown, zone_of
from core.scheduling import refusals
from core.store.conversation.keyboards import SHARED, UNDO
from core.toolkit.command import Command, CommandRun, Menu, Quiet
from core.toolkit.keeping import Keep


async def _language(run: CommandRun) -> Reply:
    chosen = run.context.participant.language
    if not run.rest:
        now = pick(chosen).name if chosen else run.language["automatic"]
        offers = [(one.name, f"/language {one.code}") for one in languages().values()]
        offers += [(run.language["automatic"], "/language auto")]
        return run.reply(run.language.say("language_now", language=now), offers=offers)
    code = _code(run.rest)
    if code is None:
        return run.say("language_unknown", language=literal(run.rest[:40]), known=", ".join(languages()))
    result = await run.call("choose_language", language=code)
    if not result.success:
        return run.failed(result)
    texts = pick(code).spelled(run.language.spelling) if code else run.language
    name = texts.name if code else texts["automatic"]
    return run.done(result, texts.say("language_set", language=name), texts)


def _code(text: str) -> str | None:
    """The code of a language by its code, tag or own name; empty for automatic, None when there is none."""
    said = text.strip().lower()
    if said in AUTOMATIC:
        return ""
    by_name = {one.name.lower(): one.code for one in languages().values()}
    base = said.replace("_", "-").partition("-")[0]
    return by_name.get(said) or (base if base in languages() else None)


async def _timezone(run: CommandRun) -> Reply:
    if not run.rest:
        return await _ask_place(run, run.language.say("timezone_now", zone=shown(run.context.zone.key)))
    zone = "" if run.rest.lower() in AUTOMATIC else zone_of(run.rest)
    if zone is None and _later(run.rest):
        return run.say("nod")
    if zone is None:
        return await _ask_place(run, run.language.say("timezone_unknown", place=literal(bare(run.rest)[:40])))
    result = await run.call("choose_timezone", timezone=zone)
    if not result.success:
        return run.failed(result)
    text = run.language.say("timezone_set", zone=shown(zone)) if zone else run.language["timezone_automatic"]
    moved = result.result["moved"]
    more = [run.language.say("timezone_moved", count=moved)] if moved else []
    return run.done(result, "\n".join([text, *more]))


def _later(text: str) -> bool:
    """Whether somebody would rather say it another time."""
    said = text.strip(SIGNS).casefold()
    return any(said in language["later_words"].split("|") for language in languages().values())


async def _ask_place(run: CommandRun, question: str) -> Reply:
    """Ask for a town; those on the buttons are examples."""
    return await run.ask(question, "/timezone", options=run.language["timezone_offers"].split("|"))


async def _readalong(run: CommandRun) -> Reply:
    if not run.group:
        return run.say("groups_only")
    said = run.rest.lower()
    if said not in ON | OFF:
        return run.say("readalong_usage")
    if said in ON and not await run.sees_all():
        return run.say("readalong_blind")
    result = await run.call("read_along", on=said in ON)
    if not result.success:
        return run.failed(result)
    state = "on" if said in ON else "off"
    if not result.result["changed"]:
        return run.say(f"readalong_already_{state}")
    return run.done(result, run.language.say(f"readalong_{state}", days=run.context.services.get(Keep).readalong))


async def _undo(run: CommandRun) -> Reply:
    words = run.rest.split()
    return await (_ask_undo(run) if words == [ASK] else _take_back(run, words))


async def _take_back(run: CommandRun, words: Sequence[str]) -> Reply:
    """What it names ends only once its effect is taken back: whoever may not do that now may do it later."""
    found = await run.call("find_undo", undo_id=words[0][:40] if words else None)
    if not found.success:
        return run.failed(found)
    act = found.result
    if act["status"] != "open":
        return run.say("undo_not_yours" if words and act["status"] == "nothing" else f"undo_{act['status']}")
    result = await elsewhere.call(run, act["tool"], undoing=True, **act["arguments"])
    if not result.success:
        return refusals.refused(run, result.error) or run.failed(result)
    # What is gone, or is no longer that of somebody linked, is not taken back.
    if result.result.get("status") == "unknown":
        return run.say("undo_outdated")
    await run.call("take_back", undo_id=act["undo"])
    undone = run.say("undone", what=act["label"])
    if words[1:] != [SHARED]:
        return undone
    return replace(undone, text=f"{undone.text}\n\n{run.language['undone_shared']}", edits=True)


async def _ask_undo(run: CommandRun) -> Reply:
    """Whether the last thing shall be taken back: what was said may have meant something else."""
    found = await run.call("find_undo")
    if not found.success or found.result["status"] != "open":
        return run.say("nod")
    act = found.result
    offers = [(run.language["undo"], f"{UNDO}{act['undo']}")]
    return run.reply(run.language.say("undo_ask", what=act["label"]), offers=offers)


COMMANDS: Mapping[str, Command] = {
    "language": Command(_language, menu=Menu(30, "private", "admin"), in_group=Standing.ADMIN, quiet=Quiet.ASKED),
    "timezone": Command(_timezone, menu=Menu(31, "private", "admin"), in_group=Standing.ADMIN, quiet=Quiet.ASKED),
    "undo": Command(_undo, menu=Menu(23), asks_platform=True),
    "readalong": Command(_readalong, menu=Menu(32, "admin"), in_group=Standing.ADMIN),
}
