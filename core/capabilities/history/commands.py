"""/history: the last messages, and what was said about something. /summary: what somebody missed in a group."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from core.capabilities.history import actions, repository, service, summary
from core.capabilities.history.models import Group, Since
from core.capabilities.history.service import PAGE
from core.capabilities.history.summary import LONGEST_AWAY
from core.capabilities.history.views import quotes
from core.delivery.composer import Composer
from core.kernel.access import may
from core.kernel.markdown import called, labelled, literal, plain
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.expressions import Every
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Rule, dump
from core.kernel.types import Destination, LaneKey, Millis, Standing
from core.language import Language, all_words
from core.language.lines import cut
from core.scheduling import time_input
from core.scheduling.views import moment
from core.store.people import people
from core.store.people.chats import ChatState
from core.store.people.people import Participant
from core.toolkit.acting_as import is_whispered
from core.toolkit.command import Act, Command, CommandRun, Menu, Quiet, intent
from core.toolkit.other_chats import belongs

SHOWN_HISTORY, LONGEST_LINE, LONGEST_WORDS = 20, 500, 80
# So much of an answer is read as Markdown, to show a line of it.
LONGEST_MARKDOWN = 2 * LONGEST_LINE
# Of so many groups it is looked whether somebody is in them.
MOST_GROUPS = 20


def _history(run: CommandRun, tx: Tx) -> Reply:
    """Return the last messages; with a number so many of them, with words what was said about these."""
    said = run.rest or str(SHOWN_HISTORY)
    if not any(map(str.isalnum, said)) or (said.isdecimal() and said.strip("0") == ""):
        return run.say("history_usage")
    if not (said.isascii() and said.isdecimal()):
        return _found(run, tx, said, 1)
    lines = []
    for entry in service.recent(tx, run.context, int(said[:6])):
        mine = entry.role == "assistant"
        name = run.language["history_me"] if mine else called(entry.speaker, run.language["history_you"])
        text = " ".join((plain(entry.text[:LONGEST_MARKDOWN]) if mine else entry.text).split())
        whole = len(text) <= LONGEST_LINE and not (mine and len(entry.text) > LONGEST_MARKDOWN)
        shown = text if whole else f"{text[: LONGEST_LINE - 1]}…"
        lines.append(f"- {run.language.say('named', name=name, text=literal(shown))}")
    if not lines:
        return run.reply(run.language["history_none"])
    return run.reply("\n".join(lines if run.rest else [*lines, "", run.language["history_usage"]]))


@intent("history.find", as_command="history")
def find(run: CommandRun, tx: Tx, *, words: str, page: int = 1) -> Reply:
    """Show a page of what was said about something."""
    return _found(run, tx, words, page)


def _found(run: CommandRun, tx: Tx, words: str, page: int) -> Reply:
    context = run.context
    lines = service.found(tx, context, words, partial(_permalink, run))
    about = cut(words, LONGEST_WORDS)
    if not lines:
        return run.say("history_nothing", words=about)
    pages = -(-len(lines) // PAGE)
    page = max(1, min(page, pages))
    shown = lines[(page - 1) * PAGE : page * PAGE]
    title = run.language.say("history_found", words=about)
    text = f"{title}\n{quotes(run.language, shown, context.zone, context.clock.now())}"
    turns = [(label, n) for label, n in (("‹", page - 1), ("›", page + 1)) if 1 <= n <= pages]
    offers = [(label, find.of(words=words[: 4 * LONGEST_WORDS], page=n)) for label, n in turns]
    # What is quoted is no new line of the talk: it would be found the next time.
    return replace(run.reply(text, offers=offers, edits=True, once=False), own=True)


def _permalink(run: CommandRun, place: Destination, message_id: str) -> str:
    return "" if run.adapter is None else run.adapter.permalink(place, message_id)


# Catching up.


async def _summary(run: CommandRun) -> Reply | Act:
    said = run.rest.casefold()
    if said and said in all_words("off_words"):
        return partial(_schedule, run, None) if run.group else run.say("groups_only")
    when = time_input.when_of(run.rest, run.language) if said else None
    if isinstance(when, Every):
        return await _scheduled(run, when)
    since = summary.instant(said, run.language, run.context.clock.now(), run.clock_zone) if said else None
    if said and since is None:
        return run.say("summary_usage")
    return await _of_here(run, since) if run.group else await _of_which(run, since)


@intent("history.summary", as_command="summary")
async def catch_up(run: CommandRun, *, chat: int = 0, since: Millis | None = None) -> Reply | Act:
    """Sum up what was said in a group; without one in this group, or in one that is chosen."""
    if run.group:
        return await _of_here(run, since)
    if not chat:
        return await _of_which(run, since)
    group = await run.context.db.read(lambda tx: repository.group(tx, run.context.lane.tenant_id, chat))
    if group is None or not await _is_in(run, group):
        return run.say("summary_no_group")
    text, head = await _told(run, group, since, run.language)
    return replace(run.reply(text), kept=head, own=True)


async def _of_which(run: CommandRun, since: Millis | None) -> Reply:
    """Sum up the only group that the person is in, of those that are read along, or offer them."""
    tenant_id, person_id = run.context.lane.tenant_id, run.context.principal.person_id
    known = await run.context.db.read(lambda tx: repository.groups(tx, tenant_id, person_id, MOST_GROUPS))
    present = await asyncio.gather(*(_is_in(run, group) for group in known))
    groups = [group for group, is_in in zip(known, present, strict=True) if is_in]
    if not groups:
        return run.say("summary_no_group")
    if len(groups) == 1:
        text, head = await _told(run, groups[0], since, run.language)
        return replace(run.reply(text), kept=head, own=True)
    offers = [
        (labelled(group.title, group.place.chat), catch_up.of(chat=group.lane.chat_id, since=since)) for group in groups
    ]
    return run.reply(run.language["summary_which"], offers=offers, once=False)


async def _of_here(run: CommandRun, since: Millis | None) -> Reply | Act:
    """Sum up a group for who asks there: in their private chat, or where they alone see it."""
    lane = run.context.lane
    group = await run.context.db.read(lambda tx: repository.group(tx, lane.tenant_id, lane.chat_id))
    if group is None:
        return run.say("summary_not_read")
    if not await _is_in(run, group):
        return run.say("summary_no_group")
    if is_whispered(run.context) or (run.adapter is not None and run.adapter.whispers):
        text, head = await _told(run, group, since, run.language)
        return replace(run.reply(text), kept=head, own=True, quiet=True)
    own = await run.context.db.read(lambda tx: _own_chat(tx, run))
    if own is None:
        link = "" if run.adapter is None else run.adapter.link("summary")
        return replace(run.say("summary_start" if link else "summary_start_here", link=link), quiet=True)
    language = run.context.services.get(Composer).language(own[1])
    text, head = await _told(run, group, since, language)
    return partial(_send, run, own, text, head)


def _send(run: CommandRun, own: tuple[LaneKey, Participant], text: str, head: str, tx: Tx) -> Reply:
    composer, (lane, participant) = run.context.services.get(Composer), own
    key, person_id = f"summary:{run.context.run_id}", run.context.principal.person_id
    outgoing = composer.outgoing(participant.platform, key, text, person_id=person_id)
    outgoing.kept, outgoing.notice = head, True
    composer.say(tx, lane, outgoing)
    return replace(run.say("summary_sent"), quiet=True)


def _own_chat(tx: Tx, run: CommandRun) -> tuple[LaneKey, Participant] | None:
    """Return the private chat of who asks, where the bot may write to them."""
    context = run.context
    lane = people.private_lane(tx, context.lane.tenant_id, context.principal.person_id)
    if lane is None:
        return None
    participant = people.participant(tx, lane, context.principal.person_id)
    there = people.standing_here(context.access, participant)
    return (lane, participant) if participant.chat_state != ChatState.GONE and may(there, Standing.MEMBER) else None


async def _is_in(run: CommandRun, group: Group) -> bool:
    address = run.context.principal.address
    return run.adapter is not None and await belongs(run.adapter, group.place, address, fresh=True)


async def _told(run: CommandRun, group: Group, since: Millis | None, language: Language) -> tuple[str, str]:
    """Return what is told of a group to who asks, and the line that is kept of it: its words stay where they are."""
    context = run.context
    week, person_id = context.clock.now() - LONGEST_AWAY, context.principal.person_id
    begin = Since(at=week if since is None else since)
    if since is None:
        seen = await context.db.read(lambda tx: repository.last_seen(tx, group.lane, person_id, week))
        begin = seen if seen is not None and seen.at >= week else begin
    head, text = await summary.told(context, language, group, begin, partial(_permalink, run))
    return text or head, head


# Regularly.


async def _scheduled(run: CommandRun, when: Every) -> Reply | Act:
    if not run.group:
        return run.say("groups_only")
    lane = run.context.lane
    if await run.context.db.read(lambda tx: repository.group(tx, lane.tenant_id, lane.chat_id)) is None:
        return run.say("summary_not_read")
    try:
        found = resolve(when, run.context.clock.now(), run.context.zone).schedule
    except Impossible:
        found = None
    return partial(_schedule, run, found) if isinstance(found, Rule) else run.say("summary_usage")


def _schedule(run: CommandRun, schedule: Rule | None, tx: Tx) -> Reply:
    """Sum up by a rule from now on; without one no more."""
    if schedule is None:
        return run.undoable(run.language["summary_stopped"], run.actor.act(tx, actions.stop_summary).undo)
    task = run.actor.act(tx, actions.set_summary, schedule=dump(schedule), name=run.language["summary_name"])
    context, rule = run.context, run.language.grammar.say(schedule, run.context.zone)
    first = moment(run.language, task.next_at, context.zone, context.clock.now())
    return run.undoable(run.language.say("summary_scheduled", rule=rule, next=first), task.undo)


@intent("history.post", as_command="history")
async def post(run: CommandRun, *, since: Millis) -> Reply:
    """Sum up in a group, for all there, what was said after an instant; say nothing where nothing was."""
    lane = run.context.lane
    group = await run.context.db.read(lambda tx: repository.group(tx, lane.tenant_id, lane.chat_id))
    if group is None:
        return run.reply("")
    head, text = await summary.told(run.context, run.language, group, Since(at=since), partial(_permalink, run))
    return replace(run.reply(text), kept=head, own=True, shared=True, tells_late=True)


INTENTS = (find, catch_up, post)
COMMANDS: Mapping[str, Command] = {
    "history": Command(_history, menu=Menu(25), quiet=Quiet.ALWAYS),
    "summary": Command(
        _summary,
        in_group=Standing.MEMBER,
        menu=Menu(9, "private", "admin"),
        asks_platform=True,
        of_chat="not_here",
        aliases=("catchup",),
    ),
}
