"""Commands that set something for a person or a group, and the one that takes back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.capabilities.settings import service
from core.kernel.errors import Refused, ToolError
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.trigger import TriggerState
from core.kernel.types import Standing
from core.language import all_words, languages, pick
from core.language.places import SIGNS, bare
from core.language.short_texts import AUTOMATIC, OFF, ON
from core.language.zone_search import shown, zone_of
from core.scheduling import views
from core.store.conversation import questions
from core.toolkit import intents, other_chats
from core.toolkit.command import Act, Command, CommandRun, Menu, PlaceWords, Quiet, intent
from core.toolkit.keeping import Keep
from core.toolkit.services import OpenQuestions

# What lines of former versions say behind /undo: all were shown what it takes back; it is only to be asked.
SHARED, ASK = "shared", "ask"


def _language(run: CommandRun, tx: Tx) -> Reply:
    if not run.rest:
        return _ask_language(run)
    code = _code(run.rest)
    if code is None:
        return run.say("language_unknown", language=literal(run.rest[:40]), known=run.language.joined(languages()))
    return _speak(run, tx, code)


@intent(intents.ASK_LANGUAGE, as_command="language", asks=True)
async def ask_language(run: CommandRun) -> Reply:
    """Say which language is spoken, and offer others."""
    return _ask_language(run)


def _ask_language(run: CommandRun) -> Reply:
    former = run.context.participant.language
    now = pick(former).name if former else run.language["automatic"]
    offers = [(one.name, speak.of(code=one.code)) for one in languages().values()]
    offers += [(run.language["automatic"], speak.of(code=""))]
    return run.reply(run.language.say("language_now", language=now), offers=offers)


@intent("settings.language", as_command="language")
def speak(run: CommandRun, tx: Tx, *, code: str) -> Reply:
    """Speak the language of a code; that of the texts where it is empty."""
    return _speak(run, tx, code)


def _speak(run: CommandRun, tx: Tx, code: str) -> Reply:
    chosen = run.actor.act(tx, service.choose_language, language=code)
    texts = pick(code).spelled(run.language.spelling) if code else run.language
    name = texts.name if code else texts["automatic"]
    return run.undoable(texts.say("language_set", language=name), chosen.undo, texts)


def _code(text: str) -> str | None:
    """Return the code of a language by its code, tag or own name; empty for automatic, None when there is none."""
    said = text.strip().lower()
    if said in AUTOMATIC:
        return ""
    by_name = {one.name.lower(): one.code for one in languages().values()}
    base = said.replace("_", "-").partition("-")[0]
    return by_name.get(said) or (base if base in languages() else None)


async def _timezone(run: CommandRun) -> Reply | Act:
    return _in_place(run, run.rest) if run.rest else _ask_where(run)


def _ask_where(run: CommandRun) -> Reply:
    return _ask_place(run, run.language.say("timezone_now", zone=shown(run.context.zone.key)))


@intent(intents.ASK_ZONE, as_command="timezone", asks=True)
async def ask_zone(run: CommandRun) -> Reply:
    """Say which clock counts, and ask for another."""
    return _ask_where(run)


@intent(intents.ZONE, as_command="timezone")
async def settle(run: CommandRun, *, place: PlaceWords) -> Reply | Act:
    """Go by the clock of a place, as people call it."""
    return _in_place(run, place)


def _in_place(run: CommandRun, place: str) -> Reply | Act:
    zone = "" if place.lower() in AUTOMATIC else zone_of(place)
    if zone is None:
        said = place.strip(SIGNS).casefold()
        # Somebody may rather say it another time.
        if said in all_words("later_words"):
            return run.say("nod")
        return _ask_place(run, run.language.say("timezone_unknown", place=literal(bare(place)[:40])))
    return partial(_choose_timezone, run, zone)


def _choose_timezone(run: CommandRun, zone: str, tx: Tx) -> Reply:
    chosen = run.actor.act(tx, service.choose_timezone, timezone=zone)
    text = run.language.say("timezone_set", zone=shown(zone)) if zone else run.language["timezone_automatic"]
    more = [run.language.say("timezone_moved", count=chosen.moved)] if chosen.moved else []
    return run.undoable("\n".join([text, *more]), chosen.undo)


@intent("settings.timezone_edited", as_command="timezone")
async def timezone_edited(run: CommandRun, *, former_run: int, place: PlaceWords) -> Reply | Act:
    """Go by the clock of the place that an edited message names now, instead of what it had chosen in its run, or had
    asked there because it named none."""
    same, anew = zone_of(place) == run.context.participant.timezone, _in_place(run, place)
    if isinstance(anew, Reply):
        return anew

    def act(tx: Tx) -> Reply:
        lane, person_id = run.context.lane, run.context.principal.person_id
        asked = questions.asked_by(tx, lane, person_id, former_run, {settle.name})
        for one in asked:
            run.context.services.get(OpenQuestions).withdraw_one(tx, lane, person_id, one.question_id)
        if same and not asked:
            return run.reply("")
        taken_back = take_back_of_run(run, former_run, tx)
        return anew(tx) if asked or taken_back else run.say("edit_changes_nothing")

    return act


def _ask_place(run: CommandRun, question: str) -> Reply:
    """Ask for a town; those on the buttons are examples."""
    return run.ask(question, settle.asking("place"), options=run.language["timezone_offers"].split("|"))


async def _readalong(run: CommandRun) -> Reply | Act:
    if not run.group:
        return run.say("groups_only")
    said = run.rest.lower()
    if said not in ON | OFF:
        return run.say("readalong_usage")
    if said in ON and not await run.sees_all():
        return run.say("readalong_blind")
    return partial(_read_along, run, said in ON)


def _read_along(run: CommandRun, on: bool, tx: Tx) -> Reply:
    switched = run.actor.act(tx, service.read_along, on=on)
    state = "on" if on else "off"
    if not switched.changed:
        return run.say(f"readalong_already_{state}")
    days = run.context.services.get(Keep).readalong
    return run.undoable(run.language.say(f"readalong_{state}", days=days), switched.undo)


async def _undo(run: CommandRun) -> Reply | Act:
    words = run.rest.split()
    if words == [ASK]:
        return partial(_ask_undo, run)
    return await _undone(run, undo=words[0] if words else "", shared=words[1:] == [SHARED])


@intent(intents.ASK_UNDO, as_command="undo")
def ask_undo(run: CommandRun, tx: Tx) -> Reply:
    """Ask whether the last thing shall be taken back."""
    return _ask_undo(run, tx)


async def _undone(run: CommandRun, *, undo: str = "", shared: bool = False) -> Act:
    """Take something back: by its id; where that is empty what is replied to, or else the last thing, which is asked
    where the reply is to something else. What was `shared` is said to be."""
    replied_to = None if undo else await run.context.db.read(lambda tx: service.replied_to(tx, run.context))
    if replied_to == "":
        return lambda tx: _asking(run, service.find_undo(tx, run.context, None))
    undo_id = undo[:40] or replied_to
    if not run.group:
        # What is done about a to-do of a group may be taken back in private by who is in that group.
        todo_id = await run.context.db.read(lambda tx: service.todo_of(tx, run.context, undo_id))
        run.actor.inside = await other_chats.inside(run, todo_id)
    return partial(_take_back_shared if shared else take_back, run, undo_id)


undo = intent(intents.UNDO, as_command="undo")(_undone)


def take_back(run: CommandRun, undo_id: str | None, tx: Tx) -> Reply:
    """Take something back, by its id, or None for the last thing.

    What it names ends only once its effect is taken back: whoever may not do that now may do it later.
    """
    # What a former version found in this run, before it was killed, is so still.
    step = run.actor.replayed("find_undo")
    found = {} if step is None else json.loads(step.content)["result"] or {}
    if found.get("status") == "open":
        act = service.Act(undo=found["undo"], label=found["label"], tool=found["tool"], arguments=found["arguments"])
    else:
        act = service.find_undo(tx, run.context, undo_id)
    try:
        result = run.actor.take_back(tx, act.tool, act.arguments)
    except ToolError as error:
        raise Refused(error.code) from error
    # What is gone, or is no longer that of somebody linked, is not taken back.
    if result.get("status") == "unknown" or result.get("success") is False:
        raise Refused("undo_outdated")
    service.taken_back(tx, run.context, act)
    remark = str(result.get("remark", ""))
    undone = run.say("undone", what=act.label)
    lines = [undone.text, run.language[remark] if remark else ""]
    next_at, now = int(result.get("next_at") or 0), run.context.clock.now()
    if result.get("state") == TriggerState.ACTIVE and next_at > now:
        # It goes on as it was before: "never mind" may have meant that it shall not at all.
        lines.append(f"⏰ {views.moment(run.language, next_at, run.context.zone, now)}")
    return replace(undone, text="\n".join(filter(None, lines)))


def take_back_of_run(run: CommandRun, run_id: int, tx: Tx) -> bool:
    """Take back what a run, or that of the last edit of its message, has chosen; False where it cannot be any more."""
    former = service.chosen_by(tx, run.context.lane, run.context.principal.person_id, run_id)
    try:
        act = None if former is None else service.find_undo(tx, run.context, former.undo)
    except Refused:
        return False
    if act is not None:
        take_back(run, act.undo, tx)
    return act is not None


def _take_back_shared(run: CommandRun, undo_id: str | None, tx: Tx) -> Reply:
    undone = take_back(run, undo_id, tx)
    return replace(undone, text=f"{undone.text}\n\n{run.language['undone_shared']}", edits=True)


def _ask_undo(run: CommandRun, tx: Tx) -> Reply:
    """Return whether the last thing shall be taken back: what was said may have meant something else."""
    try:
        act = service.find_undo(tx, run.context, None)
    except Refused:
        return run.say("nod")
    return _asking(run, act)


def _asking(run: CommandRun, act: service.Act) -> Reply:
    offers = [(run.language["undo"], intents.undo(act.undo))]
    return run.reply(run.language.say("undo_ask", what=act.label), offers=offers)


INTENTS = (ask_language, speak, settle, timezone_edited, ask_zone, undo, ask_undo)
COMMANDS: Mapping[str, Command] = {
    "language": Command(_language, menu=Menu(30, "private", "admin"), in_group=Standing.ADMIN, quiet=Quiet.ASKED),
    "timezone": Command(
        _timezone, menu=Menu(31, "private", "admin"), in_group=Standing.ADMIN, quiet=Quiet.ASKED, takes_words=True
    ),
    "undo": Command(_undo, menu=Menu(23), asks_platform=True),
    "readalong": Command(_readalong, menu=Menu(32, "admin"), in_group=Standing.ADMIN, of_chat="not_here"),
}
