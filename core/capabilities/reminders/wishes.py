"""What a text wishes to be reminded of: also one that lacks something, and the new text of an edited message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.capabilities.reminders.commands import at_time, of_text, of_words, wanted
from core.kernel.access import command_name
from core.kernel.clean_text import cleaned
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.types import LaneKey
from core.language import FALLBACK, grammars, languages, pick
from core.language.grammar import Grammar
from core.language.short_texts import first, is_time, wait_of
from core.scheduling import time_input
from core.scheduling.time_input import Asked
from core.store.conversation import inbox, keyboards, questions
from core.toolkit.command import Act, CommandRun, intent
from core.toolkit.said_once import once
from core.toolkit.services import OpenQuestions

# The name of the wish that there be a reminder.
REMIND = "remind"
# What asks back what a wish lacks.
_ASK = frozenset({at_time.name, of_text.name, of_words.name})


def lacking(text: str, among: Sequence[Grammar], *, quoted: str = "", only_text: bool = False) -> Asked | None:
    """Return what is known of a wish for a reminder that lacks something: with `only_text` it must have a time. None
    where the text is no such wish."""
    for language in languages().values():
        lead = language.lead.match(text)
        if language.watching.match(text, lead.end() if lead else 0):
            return None
        if found := language.reminding.match(text, lead.end() if lead else 0):
            rest = text[found.end() :].strip()
            if quoted and (again := time_input.when_of(text, pick(FALLBACK))) is not None:
                # "Remind me again on friday" is but a time for what it replies to.
                return Asked(text=time_input.cut(quoted), when=again, quoted=time_input.cut(quoted))
            if not only_text or is_time(rest, among):
                # Without "me" a word that is no time might be a name: "tommorow at 9 to call Oma".
                me = (found.groupdict().get("me") or "").strip()
                line = cleaned(" ".join(filter(None, (me, rest))))
                return time_input.read(line, pick(FALLBACK), quoted=quoted)
    return None


def wished(run: CommandRun, text: str) -> Asked | None:
    """Return what a text wishes to be reminded of, by the command or in other words; None where it is no wish."""
    quoted = "" if run.context.said is None else run.context.said.quoted
    if text.startswith("/"):
        name, _, rest = text.partition(" ")
        named = command_name(name)
        line = rest.strip() if named == REMIND else time_input.every(rest, run.language) if named == "every" else ""
        return time_input.read(line, run.language, quoted=quoted) if line else None
    wish = first(lambda grammar: grammar.wish(text), grammars())
    return time_input.of_wish(wish, quoted=quoted) if wish is not None and wish.name == REMIND else None


def edited(tx: Tx, lane: LaneKey, person_id: int, run_id: int, text: str) -> tuple[int, Intent] | None:
    """Return the keyboard of the question that a wish was asked back with, and the intent that sets what the message
    wishes now; nothing once the question has ended, nor for what was said as an answer."""
    asked = questions.asked_by(tx, lane, person_id, run_id, _ASK)
    if not asked or inbox.answer_of(tx, lane, run_id) is not None:
        return None
    shown = keyboards.of_question(tx, lane, asked[-1].question_id)
    return (shown[-1].keyboard_id, as_edited.of(former_run=run_id, text=text)) if shown else None


@intent("reminders.edited", as_command="remind")
async def as_edited(run: CommandRun, *, former_run: int, text: str) -> Reply | Act:
    """Set what an edited message wishes now, or ask what that lacks, in the place of what its former text was asked."""
    said = run.context.said
    quoted, link = ("", "") if said is None else (said.quoted, said.link)
    asked = wished(run, text) or lacking(text, grammars(), quoted=quoted)
    if asked is None and is_time(time := wait_of(text) or text):
        asked = time_input.read(time, pick(FALLBACK))
    if asked is None:
        return once(run, run.language["edit_changes_nothing"])
    anew: Reply | Act = await wanted.perform(run, asked=replace(asked, link=asked.link or link))

    def act(tx: Tx) -> Reply:
        lane, person_id = run.context.lane, run.context.principal.person_id
        former = questions.asked_by(tx, lane, person_id, former_run, _ASK)
        if not former:
            # It was answered before the edit came to its turn.
            return run.say("edit_changes_nothing")
        reply = anew if isinstance(anew, Reply) else anew(tx)
        if reply.question is not None and reply.question.order == former[-1].order:
            return run.reply("")
        for question in former:
            run.context.services.get(OpenQuestions).withdraw_one(tx, lane, person_id, question.question_id)
        return reply

    return act


INTENTS = (as_edited,)
