"""Commands for the people a chat knows: look at them, add, change and remove them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from zoneinfo import ZoneInfo

from core.capabilities.contacts import address_book, namesakes, service
from core.capabilities.contacts.actions import contacts_upsert
from core.capabilities.contacts.reaching import know
from core.capabilities.contacts.service import Meant, Person
from core.kernel.intent import Intent
from core.kernel.markdown import called, coded, literal
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.timing.zones import to_local
from core.kernel.types import Standing
from core.language.zone_search import zone_of
from core.scheduling.views import in_place, zone_name
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, Menu, intent

# Makes the intent of a button, from the id of a contact and the words behind their name.
IntentAbout = Callable[[str, str], Intent]
# Does something about somebody; the text is what stands behind their name.
AboutPerson = Callable[[CommandRun, Person, str], Awaitable[Reply | Act]]
LONGEST_WORDS = 40
ADDRESS = re.compile(r"@\w{1,64}|[a-z]{2,8}:\S{1,128}", re.IGNORECASE)
ADD, ZONE = frozenset({"add", "添加"}), frozenset({"zone", "timezone", "时区"})
RENAME, REMOVE = frozenset({"rename", "改名"}), frozenset({"remove", "delete", "删除"})
USES = {
    "list": "/contacts",
    "one": "/contacts Dad",
    "zone": "/contacts zone Dad New York",
    "rename": "/contacts rename Dad Papa",
    "remove": "/contacts remove Dad",
}


async def _contacts(run: CommandRun) -> Reply | Act:
    first, *others = run.rest.split(maxsplit=1) or [""]
    if not first or (first.isascii() and first.isdecimal()):
        return await _list(run, max(1, int(first[:4] or 1)))
    change = next(((wish, act) for words, wish, act in _CHANGES if first.lower() in words), None)
    if change is None and first.lower() not in ADD:
        meant = await run.context.db.read(lambda tx: service.called(tx, run.context, run.rest[:200]))
        return await for_one(run, meant, run.rest, _show, _card)
    if not others:
        uses = {name: run.typed(line) for name, line in USES.items()}
        return run.say("contacts_usage", add=coded(run.language["contacts_add_way"]), **uses)
    if change is None:
        return await _add(run, others[0])
    wish, act = change
    return await for_one(run, await opening(run, others[0]), others[0], wish, act)


async def _list(run: CommandRun, number: int) -> Reply:
    page = await run.context.db.read(lambda tx: service.page_of(tx, run.context, number))
    if not page.people:
        return run.say("contacts_none", command=coded(run.language["contacts_add_way"]))
    marks = namesakes.marks(run.language, page.people)
    lines = [run.language["contacts_title"]]
    for person in page.people:
        town, mark = zone_name(run.language, person.zone) if person.zone else "", marks[person.contact]
        private = run.language["contacts_private"] if person.private and not person.me else ""
        parts = (_name(person), literal(mark) if mark != town else "", town, private)
        lines.append("- " + " · ".join(filter(None, parts)))
    offers = _offers(run, page.people, _show)
    back = [("◀", show_all.of(page=page.page - 1))] if page.page > 1 else []
    more = [("▶", show_all.of(page=page.page + 1))] if page.page < page.pages else []
    return replace(in_place(run, "\n".join(lines), [*offers, *back, *more]), foreign=page.brought)


def _name(person: Person) -> str:
    return called(person.name, "–")


def _show(contact: str, words: str) -> Intent:
    return show.of(contact=f"{contact} {words}".strip())


def _offers(run: CommandRun, people: Sequence[Person], wish: IntentAbout, words: str = "") -> list[Offer]:
    """Return a button for each of these people."""
    labels = namesakes.labels(run.language, people)
    return [(label, wish(person.contact, words)) for label, person in zip(labels, people, strict=True)]


async def for_one(run: CommandRun, meant: Meant, said: str, wish: IntentAbout, act: AboutPerson) -> Reply | Act:
    """Do something about the one contact that is meant by what was `said`. Where it may be several, ask which by
    buttons, each with the `wish` about one of them."""
    if not meant.people:
        return run.say("contact_unknown", name=called(said, "–"), command=run.typed("/contacts"))
    if len(meant.people) > 1:
        return in_place(run, run.language["contact_which"], _offers(run, meant.people, wish, meant.rest))
    return await act(run, meant.people[0], meant.rest)


async def for_id(run: CommandRun, contact: str, words: str, act: AboutPerson) -> Reply | Act:
    """Do something about the contact with an id, or the acquaintance with an address, whom a button or a question was
    about; `words` are the answer."""
    meant = await opening(run, contact)
    if not meant.people and await know(run, [contact]):
        meant = await opening(run, contact)
    return await act(run, meant.people[0], words) if meant.people else run.say("contact_gone")


async def opening(run: CommandRun, text: str) -> Meant:
    """Return the contacts whose names a text may begin with, and what stands behind that."""
    return await run.context.db.read(lambda tx: service.opening(tx, run.context, text[:10_000]))


async def _card(run: CommandRun, person: Person, rest: str) -> Reply:
    """Show one contact, with buttons for what can be done about them."""
    language, contact = run.language, person.contact
    addresses = ", ".join(map(coded, person.addresses))
    # Whether messages reach them; nothing where that is not to be told.
    reached = {True: language["contact_reached"], False: language["contact_not_reached"], None: ""}[person.private]
    lines = [
        f"👤 {_name(person)}",
        language.say("contact_addresses", addresses=addresses) if addresses else "",
        _say_zone(run, "contact_zone", person.zone) if person.zone else language["contact_zone_none"],
        language["contact_me"] if person.me else reached,
    ]
    offers = [
        (language["button_contact_zone"], zone_answered.of(contact=contact)),
        (language["button_contact_rename"], name_answered.of(contact=contact)),
        (language["button_contact_remove"], remove.of(contact=contact)),
        (language["button_contacts"], show_all.of()),
    ]
    return in_place(run, "\n".join(filter(None, lines)), offers)


def _say_zone(run: CommandRun, key: str, zone: str, **values: str) -> str:
    """Say the text of `key` with a zone and what its clocks show now."""
    now = to_local(run.context.clock.now(), ZoneInfo(zone))
    return run.language.say(key, zone=zone_name(run.language, zone), clock=run.language.clock(now), **values)


# Changing.


async def _add(run: CommandRun, rest: str) -> Reply | Act:
    """Add somebody by a name and what the platform knows them by, in either order: `Dad @dad`."""
    words = rest.split()
    at = next((n for n in (-1, 0) if len(words) > 1 and ADDRESS.fullmatch(words[n])), None)
    if at is None:
        return run.say("contact_add_usage", command=coded(run.language["contacts_add_way"]))
    said, name = words.pop(at), " ".join(words)
    platform = run.context.principal.address.partition(":")[0]
    address = f"{platform}:{said}" if said.startswith("@") else said
    if address_book.address(address) is None:
        return run.say("contact_address_bad", address=coded(said))
    text = run.language.say("contact_added", name=called(name, said))
    return partial(_save, run, text, subject_id=address, contact_nickname=name[:200], status="active")


def _save(run: CommandRun, text: str, tx: Tx, **fields: str) -> Reply:
    """Say `text` about what was changed, with a button to take it back and one to all contacts."""
    saved = run.actor.act(tx, contacts_upsert, **fields)
    back = [(run.language["undo"], intents.undo(saved.undo))] if saved.undo else []
    return in_place(run, text, [*back, (run.language["button_contacts"], show_all.of())])


async def _set_zone(run: CommandRun, person: Person, place: str) -> Reply | Act:
    if not place:
        ask = run.language.say("contact_zone_ask", name=_name(person))
        return run.ask(ask, zone_answered.asking("place", contact=person.contact))
    zone = zone_of(place)
    if zone is None:
        return run.say("contact_zone_unknown", place=literal(place[:LONGEST_WORDS]))
    text = _say_zone(run, "contact_zone_set", zone, name=_name(person))
    theirs = person.zone if person.chosen else zone
    note = run.language.say("contact_zone_theirs", zone=zone_name(run.language, theirs)) if theirs != zone else ""
    text = "\n".join(filter(None, (text, note)))
    return partial(_save, run, text, contact_id=person.contact, timezone=zone)


async def _rename(run: CommandRun, person: Person, new: str) -> Reply | Act:
    if not new:
        ask = run.language.say("contact_rename_ask", name=_name(person))
        return run.ask(ask, name_answered.asking("name", contact=person.contact))
    text = run.language.say("contact_renamed", former=_name(person), name=called(new, "–"))
    return partial(_save, run, text, contact_id=person.contact, contact_nickname=new[:200])


async def _remove(run: CommandRun, person: Person, rest: str) -> Reply | Act:
    if rest:
        # More than this name was said: it is somebody else's, whom nobody knows, so nobody is removed.
        return run.say("contact_unknown", name=called(f"{person.name} {rest}", "–"), command=run.typed("/contacts"))
    text = run.language.say("contact_removed", name=_name(person))
    return partial(_save, run, text, contact_id=person.contact, status="inactive")


# What buttons and answers ask for.


@intent("contacts.list", as_command="contacts")
async def show_all(run: CommandRun, *, page: int = 1) -> Reply:
    """Show a page of the contacts."""
    return await _list(run, page)


@intent("contacts.show", as_command="contacts")
async def show(run: CommandRun, *, contact: str) -> Reply | Act:
    """Show whom an id means, or a name."""
    meant = await run.context.db.read(lambda tx: service.called(tx, run.context, contact))
    return await for_one(run, meant, contact, _show, _card)


@intent("contacts.zone", as_command="contacts")
async def zone_answered(run: CommandRun, *, contact: str, place: str = "") -> Reply | Act:
    """Note the zone that an answer names; without one it is asked for."""
    return await for_id(run, contact, place, _set_zone)


@intent("contacts.rename", as_command="contacts")
async def name_answered(run: CommandRun, *, contact: str, name: str = "") -> Reply | Act:
    """Give a contact the name that an answer says; without one it is asked for."""
    return await for_id(run, contact, name, _rename)


@intent("contacts.remove", as_command="contacts")
async def remove(run: CommandRun, *, contact: str, words: str = "") -> Reply | Act:
    """Remove the contact with an id."""
    return await for_id(run, contact, words, _remove)


# By the word before a name: the intent for when it may be several people, and what is done about the one.
_CHANGES: Sequence[tuple[frozenset[str], IntentAbout, AboutPerson]] = (
    (ZONE, lambda contact, place: zone_answered.of(contact=contact, place=place), _set_zone),
    (RENAME, lambda contact, name: name_answered.of(contact=contact, name=name), _rename),
    (REMOVE, lambda contact, words: remove.of(contact=contact, words=words), _remove),
)
INTENTS = (show_all, show, zone_answered, name_answered, remove)
COMMANDS: Mapping[str, Command] = {"contacts": Command(_contacts, menu=Menu(10, "private"), in_group=Standing.MEMBER)}
