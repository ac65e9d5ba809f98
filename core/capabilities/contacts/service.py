"""Whom something is for: names as people write them, turned into contacts of the scope (TOOLS: Schedule, Contacts)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.capabilities.contacts import repository as contacts
from core.capabilities.contacts import unmet
from core.capabilities.contacts.repository import Contact, Reach
from core.capabilities.contacts.rows import handle_in
from core.kernel import ids, markdown
from core.kernel.errors import Refused
from core.kernel.markdown import literal
from core.kernel.own_words import own_words
from core.kernel.ports import Tx
from core.kernel.timing.schedule import Schedule
from core.kernel.timing.trigger import Trigger
from core.kernel.timing.zones import known_zone
from core.kernel.types import Millis, Role, Sender
from core.language.grammar import ME
from core.language.matching import SHORTEST_BEGINNING, plain
from core.scheduling import between_people
from core.scheduling import repository as triggers
from core.scheduling import service as scheduling
from core.scheduling.between_people import Refusal
from core.scheduling.views import moment
from core.store.people import optouts
from core.store.text_index import tokeniser
from core.toolkit.action import permit
from core.toolkit.tool import ToolContext

HANDLE = re.compile(r"@\w{2,64}")
MOST, PAGE = 10, 8
# Codes of what is refused since somebody has enough, or does not want it.
LIMITS = ("sender_limit", "recipient_limit", "recipient_limit_here")
# What a model is told that would reach somebody by itself.
UNASKED: Mapping[str, str] = {
    "person_unasked": (
        "{called!r} is not reached: the person's own words do not name them, or you have read what others wrote; end"
        " with whom it is for and what it says, so that the person is asked"
    )
}


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody a name means: `contact` is their id (c12ab34), or the handle of whom nothing is noted yet.

    `zone` is empty when it is unknown, and `chosen` when they chose it themselves. `private` says whether they have a
    private chat with the bot; None when that is not to be told. `me` is who asks.
    """

    contact: str
    name: str
    addresses: Sequence[str] = ()
    zone: str = ""
    chosen: bool = False
    private: bool | None = False
    me: bool = False


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page of the book, and how many `pages` there are. `brought` when names on it may be of anybody."""

    people: Sequence[Person]
    page: int
    pages: int
    brought: bool = False


@dataclass(frozen=True, kw_only=True)
class Meant:
    """Whom the beginning of a text may mean, and the `rest` behind the name."""

    people: Sequence[Person]
    rest: str = ""


def page_of(tx: Tx, context: ToolContext, number: int) -> Page:
    """Return a page of the active contacts by their names, the last one where there are fewer."""
    permit(context, "contacts")
    everybody = sorted(contacts.listed(tx, context.lane, "active"), key=lambda contact: contact.name.casefold())
    pages = max(1, -(-len(everybody) // PAGE))
    number = min(number, pages)
    here = everybody[(number - 1) * PAGE : number * PAGE]
    people = [_person(tx, context, contact) for contact in here]
    return Page(people=people, page=number, pages=pages, brought=any(contact.brought for contact in here))


def called(tx: Tx, context: ToolContext, name: str) -> Meant:
    """Return the active contacts that a name may mean."""
    permit(context, "contacts")
    named = contacts.named(tx, context.lane, name)
    return Meant(people=[_person(tx, context, contact) for contact in named[:PAGE]])


def opening(tx: Tx, context: ToolContext, text: str) -> Meant:
    """Return the active contacts that the longest possible beginning of a text may mean."""
    permit(context, "contacts")
    named, rest = contacts.opening(tx, context.lane, text)
    return Meant(people=[_person(tx, context, contact) for contact in named[:PAGE]], rest=rest)


def _person(tx: Tx, context: ToolContext, contact: Contact) -> Person:
    reach = seen(tx, context, contact)
    return Person(
        contact=ids.ref("c", contact.contact_id),
        name=contact.name,
        addresses=contact.addresses,
        zone=contact.timezone if reach is None else reach.zone,
        chosen=reach is not None and reach.chosen,
        private=None if reach is None else reach.lane is not None,
        me=_is_me(context, contact),
    )


def candidates(tx: Tx, context: ToolContext, called: str) -> list[Person]:
    """Return whom a name may mean here, and whether something for them can be set (`private`)."""
    people = []
    for contact in named(tx, context, called)[:MOST]:
        reach = contacts.reach(tx, context.lane, contact.contact_id)
        if reach is None:
            continue
        name, zone = _told(tx, context, contact)
        person = Person(
            contact=ids.ref("c", contact.contact_id),
            name=name,
            addresses=contact.addresses,
            zone=zone,
            private=reach.lane is not None,
            me=_is_me(context, contact),
        )
        people.append(person)
    return people


def seen(tx: Tx, context: ToolContext, contact: Contact) -> Reach | None:
    """Return how a contact is reached, for the eyes of the principal: None unless they have met here or in a group.

    The zone that somebody has chosen, and that they use the bot at all, is not for whoever guesses an id.
    """
    reach, me = contacts.reach(tx, context.lane, contact.contact_id), context.principal.person_id
    if reach is None or reach.person_id is None:
        return None
    met = _is_me(context, contact) or contacts.acquainted(tx, context.lane, me, reach.person_id)
    return reach if met else None


def names(tx: Tx, context: ToolContext, numbers: Sequence[int], maker_id: int) -> tuple[Sequence[str], str]:
    """Return whom something is for that `maker_id` made: their names, and the zone of the only one, when that is
    another."""
    found = [one for number in numbers if (one := contacts.find(tx, context.lane, number)) is not None]
    alone = len(found) == 1 and found[0].person_id != maker_id
    told = [_told(tx, context, one) for one in found]
    return [name for name, _ in told], told[0][1] if alone else ""


def _told(tx: Tx, context: ToolContext, contact: Contact) -> tuple[str, str]:
    """Name and zone of somebody, as far as the principal may know them."""
    told = seen(tx, context, contact)
    name, zone = (contact.name, contact.timezone) if told is None else (told.name, told.zone)
    return name, known_zone(zone)


def is_named(tx: Tx, context: ToolContext, person: Person) -> bool:
    """Return whether the principal's own words of this run name somebody: by an address, by what the platform or a
    person calls them, or by the beginning of a name that is nobody else's."""
    words, parts = "\n".join(map(own_words, context.heard)), person.name.split()
    first = [
        begun
        for begun in (" ".join(parts[:count]) for count in range(1, len(parts)))
        if [one.contact_id for one in contacts.named(tx, context.lane, begun)] == [ids.number("c", person.contact)]
    ]
    handles = filter(None, map(handle_in, person.addresses))
    return any(unmet.says(words, one) for one in (person.contact, person.name, *first, *person.addresses, *handles))


def refuse_unasked(tx: Tx, context: ToolContext, contact: Contact) -> None:
    """Raise `Refused` where a model would reach somebody by itself: whom the principal's own words do not name, or
    anybody after it has read what others wrote."""
    if context.role is Role.PERSON or _is_me(context, contact):
        return
    name, _ = _told(tx, context, contact)
    person = Person(contact=ids.ref("c", contact.contact_id), name=name, addresses=contact.addresses)
    if context.is_tainted(tx) or not is_named(tx, context, person):
        raise Refused("person_unasked", name=markdown.called(name, "–"), called=contact.nickname[:40])


def names_again(tx: Tx, context: ToolContext, text: str, maker_id: int, *, tainted: bool) -> bool:
    """Return whether the principal, who made something for others, names it now in their own words, by its text: whom
    it reaches they have said before. What has words of others names nothing, nor does anything after these were
    read."""
    if maker_id != context.principal.person_id or tainted or context.is_tainted(tx):
        return False
    words = "\n".join(map(own_words, context.heard))
    common = {*tokeniser.tokens(words), *tokeniser.query_tokens(words)}.intersection(tokeniser.tokens(plain(text)))
    return any(len(one) >= SHORTEST_BEGINNING or not one.isascii() for one in common)


def refuse_unasked_move(tx: Tx, context: ToolContext, trigger: Trigger) -> None:
    """Raise `Refused` where a model would by itself let what reminds somebody else come again, or at another time."""
    if names_again(tx, context, trigger.text, trigger.person_id, tainted=trigger.tainted):
        return
    for number in triggers.contacts(tx, trigger.trigger_id):
        if (contact := contacts.find(tx, trigger.lane, number)) is not None:
            refuse_unasked(tx, context, contact)


def resolve(tx: Tx, context: ToolContext, names: Sequence[str], schedule: Schedule) -> list[int]:
    """Return the contacts that are meant; nobody when that is the principal alone.

    In a group a handle that nobody has written under yet is noted. Raises `Refused` for whom nobody knows, who cannot
    be told from others, who cannot be reached, whom a model would reach by itself, or who has enough of what comes by
    `schedule`.
    """
    found = [_one(tx, context, name.strip()) for name in names]
    if len(found) > MOST:
        raise Refused("too_many_people", count=MOST)
    if all(_is_me(context, one) for one in found):
        return []
    at = scheduling.first_at(context, schedule)
    for one in found:
        _check(tx, context, one, at)
        refuse_unasked(tx, context, one)
    return [one.contact_id for one in found]


def named(tx: Tx, context: ToolContext, name: str) -> list[Contact]:
    """Return the contacts a name may mean; `ME` is who asks, among others: "Bob and me". For a model nobody is there
    whom one has noted."""
    me = contacts.of_person(tx, context.lane, context.principal.person_id) if name == ME else None
    found = contacts.named(tx, context.lane, name) if me is None else [me]
    return [one for one in found if context.role is Role.PERSON or one.noted_by != "model"]


def _one(tx: Tx, context: ToolContext, name: str) -> Contact:
    found = named(tx, context, name)
    if not found and context.participant.group and HANDLE.fullmatch(name):
        found = note(tx, context, name)
    if not found:
        alone = optouts.named(tx, context.lane, name) if context.participant.group else None
        if alone is not None:
            raise Refused("left_alone", name=markdown.called(alone.name, "–"), called=alone.name[:40])
        code = "person_not_here" if context.participant.group else "person_unreachable"
        raise Refused(code, name=literal(name[:60]), called=name[:60])
    if len(found) > 1:
        known = ", ".join(f"{ids.ref('c', one.contact_id)} {one.nickname[:40]}" for one in found[:MOST])
        raise Refused("which_person", name=literal(name[:60]), called=name[:60], known=known)
    return found[0]


def notable(tx: Tx, context: ToolContext, name: str) -> bool:
    """Return whether a handle can be noted as a contact of this chat."""
    handle = context.participant.group and HANDLE.fullmatch(name)
    return bool(handle) and contacts.welcome(tx, context.lane, _sender(context, name))


def _sender(context: ToolContext, name: str) -> Sender:
    platform, handle = context.principal.address.partition(":")[0], name.lower()
    return Sender(address=f"{platform}:{handle}", name=handle, handle=handle)


def note(tx: Tx, context: ToolContext, name: str) -> list[Contact]:
    """Note whom a handle names as a contact; nobody when they want to be left alone here."""
    sender = _sender(context, name)
    noted = contacts.find(tx, context.lane, contacts.learn(tx, context.lane, None, sender, context.clock.now()))
    return [] if noted is None else [noted]


def _check(tx: Tx, context: ToolContext, contact: Contact, at: Millis) -> None:
    if _is_me(context, contact):
        return
    reach = contacts.reach(tx, context.lane, contact.contact_id)
    if reach is None or (reach.lane is None and not context.participant.group):
        raise Refused(
            "person_unreachable", name=markdown.called(contact.nickname[:40], "–"), called=contact.nickname[:40]
        )
    if reach.person_id is None:
        return
    me, to = context.principal.person_id, (reach.person_id, contact.contact_id)
    refusal = between_people.refusal_at(tx, context.lane.tenant_id, me, to, at)
    if refusal is not None:
        raise _refused(tx, context, contact, refusal)


def check_room(tx: Tx, context: ToolContext, trigger: Trigger, at: Millis) -> None:
    """Raise `Refused` where others whom a trigger is for have no room for it at another time."""
    for number in triggers.contacts(tx, trigger.trigger_id):
        reach = contacts.reach(tx, trigger.lane, number)
        if reach is None or reach.person_id in {None, trigger.person_id}:
            continue
        to = (reach.person_id or 0, number)
        tenant_id, maker = trigger.lane.tenant_id, trigger.person_id
        refusal = between_people.refusal_at(tx, tenant_id, maker, to, at, but=trigger.trigger_id)
        contact = None if refusal is None else contacts.find(tx, trigger.lane, number)
        if refusal is not None:
            raise _refused(tx, context, contact, refusal)


def _refused(tx: Tx, context: ToolContext, contact: Contact | None, refusal: Refusal) -> Refused:
    """Return why somebody cannot be reminded at a time: of a limit also how many come, and when there is room again."""
    name = "" if contact is None else markdown.called(_told(tx, context, contact)[0], "–")
    at = moment(context.texts, refusal.until, context.zone, context.clock.now()) if refusal.most else ""
    # That somebody wants to hear nothing is told no more than that they cannot be reached.
    code = "person_unreachable" if refusal.reason == "muted" else refusal.reason
    if code == "recipient_limit" and context.participant.group:
        code = "recipient_limit_here"
    return Refused(
        code,
        name=name or context.texts["they"],
        called="" if contact is None else contact.nickname[:40],
        count=refusal.most,
        when=at,
        contact="" if contact is None else ids.ref("c", contact.contact_id),
        reason=reason(context, refusal),
    )


def reason(context: ToolContext, refusal: Refusal) -> str:
    """Return why a message may not go, as an error tells it."""
    if not refusal.most:
        return f"reason={refusal.reason}"
    until = scheduling.moment(refusal.until, context.zone)
    return f"reason={refusal.reason}; most={refusal.most}; until={until}"


def _is_me(context: ToolContext, contact: Contact) -> bool:
    return contact.person_id == context.principal.person_id
