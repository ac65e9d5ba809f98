"""/calendar: the calendars of a chat.

An address of one is a secret: it is taken in private, sealed, and not kept in the message that brought it.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from urllib.parse import urlsplit

from core.capabilities.calendars import caldav, sharing, syncing, telling
from core.capabilities.calendars import repository as calendars
from core.capabilities.calendars.feed_commands import feed
from core.capabilities.calendars.models import Calendar, Found
from core.capabilities.calendars.service import (
    MOST,
    QUOTES,
    add_calendar,
    bare,
    find,
    remove_calendar,
    rename_calendar,
    set_told_before,
)
from core.kernel.clean_text import label
from core.kernel.errors import Refused
from core.kernel.markdown import called, labelled, literal
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.secret_words import HIDDEN
from core.kernel.types import DAY, MINUTE, Received, Standing
from core.store.conversation import attachments
from core.store.files import Files
from core.store.people import people
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, intent
from core.toolkit.confined.child import Refusal
from core.toolkit.fetch.addresses import target
from core.toolkit.fetch.values import FetchError, Whose
from core.toolkit.web import WebAddress

LONGEST_NAME, MOST_FILE = 60, 2 << 20
# A name and a password.
ACCOUNT_WORDS = 2
MONTH = 31 * DAY
# So calendars are handed out; it is https: in other words.
_WEBCAL = re.compile(r"\Awebcals?://", re.IGNORECASE)
# "15", "15 min", "15m".
_MINUTES = re.compile(r"(\d{1,4})\s*(?:m|min|minutes?|minuten?|分钟)?\Z")
OFF = frozenset({"off", "aus", "关", "关闭", "0"})
# What stands behind /calendar, in all languages.
ACTS: Mapping[str, str] = {
    **{name: name for name in ("add", "remove", "rename", "before", "feed")},
    **{"vorher": "before", "提前": "before", "abo": "feed", "订阅": "feed"},
    **{"hinzufügen": "add", "neu": "add", "entfernen": "remove", "löschen": "remove", "umbenennen": "rename"},
    **{"添加": "add", "删除": "remove", "改名": "rename", "delete": "remove", "new": "add"},
}


async def _calendar(run: CommandRun) -> Reply | Act:
    word, _, rest = run.unveiled().partition(" ")
    file = next(iter(run.context.said.attachments), None) if run.context.said is not None else None
    found: Reply | Act = run.say("calendar_usage")
    act = ACTS.get(word.lower(), "add" if file is not None and not word else word)
    if act != "add" and "://" in rest:
        # What shows or keeps its words is given no address, nor what stands beside one.
        rest = HIDDEN
    match act:
        case "":
            found = partial(_list, run)
        case "add":
            found = await (_from_address(run, rest) if file is None else _from_file(run, file, rest))
        case "remove":
            found = partial(_removed, run, calendar=rest)
        case "rename":
            found = partial(_renamed, run, rest.split())
        case "before":
            number = _MINUTES.match(rest)
            minutes = 0 if rest.lower() in OFF else int(number[1]) if number else -1
            found = partial(_told_before, run, minutes=minutes)
        case "feed":
            found = partial(feed, run, rest)
    return found


async def _from_address(run: CommandRun, words: str) -> Reply | Act:
    """Read the calendar at an address, and add it; or, where a name and a password stand beside it, those of an
    account."""
    context = run.context
    word, _, name = words.partition(" ")
    seals = context.services.get(WebAddress).seals
    if run.group:
        return partial(sharing.ask, run, bool(word))
    if not word or seals is None:
        return run.say("calendar_no_key" if word else "calendar_usage")
    try:
        where = target(_WEBCAL.sub("https://", word)).url
        whose = Whose(lane=context.lane, person_id=context.principal.person_id)
        login = name.split()
        if len(login) == ACCOUNT_WORDS and not _WEBCAL.match(word) and not urlsplit(where).path.endswith(".ics"):
            account = caldav.Account(url=where, user=login[0], password=login[1])
            return partial(_add_account, run, account, await caldav.discover(context.services, account, whose))
        given = await syncing.fetched(context.services, where, whose=whose)
        assert given is not None
        body, etag = given
        found = await syncing.expanded(body, context.clock.now(), context.zone.key)
    except (FetchError, Refusal) as error:
        return run.say(_problem(run, error.code))

    def add(tx: Tx) -> Reply:
        digest = hashlib.sha256(where.encode()).hexdigest()
        calendar = _made(run, tx, label(name or found.name, LONGEST_NAME), digest, found, etag)
        calendars.keep_source(tx, calendar.calendar_id, sealed=seals.seal(where, calendar.sealing_context))
        return _told(run, tx, calendar)

    return add


def _add_account(run: CommandRun, account: caldav.Account, collections: Sequence[caldav.Collection], tx: Tx) -> Reply:
    """Add the calendars of an account that are not here yet, as far as there is room; they are read at once."""
    context, seals, added = run.context, run.context.services.get(WebAddress).seals, list[str]()
    assert seals is not None
    known = calendars.all_in(tx, context.lane)
    for one in collections:
        own = replace(account, url=one.url)
        digest = hashlib.sha256(f"{own.user} {own.url}".encode()).hexdigest()
        if calendars.is_known(tx, context.lane, digest) or (added and len(known) + len(added) >= MOST):
            continue
        made = run.actor.act(tx, add_calendar, name=one.name, digest=digest)
        calendar = find(tx, context, made.calendar)
        sealed = seals.seal(own.dump(), calendar.sealing_context)
        calendars.keep_source(tx, calendar.calendar_id, sealed=sealed, due=context.clock.now())
        added.append(_called(calendar))
    if not added:
        raise Refused("calendar_known")
    names = run.language.listed([f"**{one}**" for one in added])
    key = "calendar_account" if len(added) + len(known) < MOST else "calendar_account_full"
    # Who shared them into the account has named them.
    return replace(run.reply(run.language.say(key, names=names, most=MOST)), foreign=True)


async def _from_file(run: CommandRun, file: Received, name: str) -> Reply | Act:
    """Read the calendar that came as a file, and add it."""
    if file.state != attachments.AttachmentState.KEPT or file.sent.size > MOST_FILE:
        return run.say("calendar_bad_file")
    context = run.context
    content = await asyncio.to_thread(context.services.get(Files).read, file.path)
    try:
        found = await syncing.expanded(content, context.clock.now(), context.zone.key)
    except Refusal as error:
        return run.say(_problem(run, error.code))

    def add(tx: Tx) -> Reply:
        called = label(
            (name if name != HIDDEN else "") or found.name or file.sent.name.removesuffix(".ics"), LONGEST_NAME
        )
        calendar = _made(run, tx, called, "", found, "")
        calendars.keep_source(tx, calendar.calendar_id, body=content.decode("utf-8", "replace").replace("\0", ""))
        return _told(run, tx, calendar)

    return add


def _problem(run: CommandRun, code: str) -> str:
    key = f"calendar_problem_{code}"
    return (
        key if key in run.language.texts else "calendar_bad_address" if code == "bad_url" else "calendar_problem_down"
    )


def _made(run: CommandRun, tx: Tx, name: str, digest: str, found: Found, etag: str) -> Calendar:
    """Make a calendar with what was found in it."""
    made = run.actor.act(tx, add_calendar, name=name, digest=digest)
    calendar = find(tx, run.context, made.calendar)
    calendars.replace_events(tx, calendar, found, etag, run.context.clock.now())
    return calendar


def _told(run: CommandRun, tx: Tx, calendar: Calendar) -> Reply:
    lane, now = run.context.lane, run.context.clock.now()
    access, zone = run.context.access, run.context.zone
    events = calendars.between(tx, access, lane.tenant_id, lane.scope_id, now, now + MONTH, zone=zone)
    count = run.language.many("calendar_events", len(events))
    # It is called as it calls itself.
    return replace(run.reply(run.language.say("calendar_added", name=_called(calendar), count=count)), foreign=True)


def _list(run: CommandRun, tx: Tx, *, said: str = "", undo: str = "") -> Reply:
    """Show the calendars of the chat, below what was `said` of one, and can be taken back by `undo`."""
    texts, found = run.language, calendars.all_in(tx, run.context.lane)
    told, offers = [said] if said else [], list[Offer]()
    if undo:
        offers.append((texts["undo"], intents.undo(undo)))
    told.append(texts["calendar_list" if found else "calendar_none"])
    for one in found:
        state = texts["calendar_fails"] if one.problem else texts["calendar_file" if one.body else "calendar_address"]
        if run.group and one.sealed:
            who = called(people.name(tx, one.lane, one.person_id), "–")
            state = texts.joined((state, texts.say("calendar_as_long_as", who=who)), "list_also")
        reasons = asdict(one.left_out).items()
        if why := texts.listed([texts.many(f"calendar_left_{reason}", n) for reason, n in reasons if n]):
            state = texts.joined((state, texts.say("calendar_left_out", why=why)), "list_also")
        name = texts.say("aside", text=f"**{_called(one)}**", aside=one.ref)
        told.append(f"- {texts.say('named', name=name, text=state)}")
        offers.append((texts.say("calendar_remove", name=labelled(one.name, one.ref)), remove.of(calendar=one.ref)))
    return replace(run.reply("\n".join(told), offers=offers, edits=True, once=False), own=True)


def _called(calendar: Calendar) -> str:
    return literal(calendar.name) or calendar.ref


def _removed(run: CommandRun, tx: Tx, *, calendar: str) -> Reply:
    gone = run.actor.act(tx, remove_calendar, calendar=calendar)
    said = run.language.say("calendar_removed", name=literal(gone.name) or gone.calendar)
    return _list(run, tx, said=said, undo=gone.undo)


def _renamed(run: CommandRun, words: Sequence[str], tx: Tx) -> Reply:
    """Call the calendar whose id is the first word, or whose name the first words are, as the others say."""
    known = {bare(one.name) for one in calendars.all_in(tx, run.context.lane)}
    length = max((n for n in range(1, len(words)) if bare(" ".join(words[:n])) in known), default=1)
    name = label(" ".join(words[length:]).strip(QUOTES), LONGEST_NAME)
    if not name:
        return run.say("calendar_usage")
    run.actor.act(tx, rename_calendar, calendar=" ".join(words[:length]), name=name)
    return _list(run, tx)


@intent("calendars.remove", as_command="calendar")
def remove(run: CommandRun, tx: Tx, *, calendar: str) -> Reply:
    """Remove a calendar."""
    return _removed(run, tx, calendar=calendar)


@intent("calendars.before", as_command="calendar")
def tell_before(run: CommandRun, tx: Tx, *, minutes: int) -> Reply:
    """Tell events so many minutes before they begin; 0: no more."""
    return _told_before(run, tx, minutes=minutes)


def _told_before(run: CommandRun, tx: Tx, *, minutes: int) -> Reply:
    if not 0 <= minutes <= telling.LONGEST:
        return run.say("calendar_before_usage")
    run.actor.act(tx, set_told_before, minutes=minutes)
    if not minutes:
        return run.say("calendar_before_off")
    length = run.language.duration(minutes * MINUTE)
    offers = [(run.language["calendar_before_stop"], tell_before.of(minutes=0))]
    return run.reply(run.language.say("calendar_before", length=length), offers=offers)


COMMANDS: Mapping[str, Command] = {
    "calendar": Command(
        _calendar, needs=Standing.MEMBER, takes_files=True, secret=True, aliases=("cal", "ical", "kalender")
    )
}
INTENTS = (remove, tell_before, sharing.share)
