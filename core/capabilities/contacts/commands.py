"""Commands for the people a chat knows: look at them, add, change and remove them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from core.capabilities.contacts import namesakes
from core.kernel.markdown import called, coded, literal
from core.kernel.replies import Offer, Reply
from core.kernel.types import Standing, ToolResult
from core.language.zone_search import zone_of
from core.scheduling.views import keyboard_row, zone_name
from core.toolkit.command import Command, CommandRun, Menu

Card = Mapping[str, Any]
Act = Callable[[CommandRun, Card, str], Awaitable[Reply]]
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


async def _contacts(run: CommandRun) -> Reply:
    first, *others = run.rest.split(maxsplit=1) or [""]
    if not first or (first.isascii() and first.isdecimal()):
        return await _list(run, max(1, int(first[:4] or 1)))
    act = next((act for words, act in _ACTS if first.lower() in words), None)
    if act is None:
        found = await run.call("show_contacts", called=run.rest[:200])
        return await for_one(run, found, run.rest, "/contacts {}", _card)
    return await act(run, others[0]) if others else _usage(run)


def _usage(run: CommandRun) -> Reply:
    shown = {name: run.typed(line) for name, line in USES.items()}
    return run.say("contacts_usage", add=coded(run.language["contacts_add_way"]), **shown)


async def _list(run: CommandRun, page: int) -> Reply:
    result = await run.call("show_contacts", page=page)
    if not result.success:
        return run.failed(result)
    found = result.result
    if not found["contacts"]:
        return run.say("contacts_none", command=coded(run.language["contacts_add_way"]))
    marks = namesakes.marks(run.language, found["contacts"])
    lines = [run.language["contacts_title"], *(_line(run, card, marks) for card in found["contacts"])]
    offers = _offers(run, found["contacts"], "/contacts {}")
    back = [("◀", f"/contacts {found['page'] - 1}")] if found["page"] > 1 else []
    more = [("▶", f"/contacts {found['page'] + 1}")] if found["page"] < found["pages"] else []
    return keyboard_row(run, "\n".join(lines), [*offers, *back, *more])


def _line(run: CommandRun, card: Card, marks: Mapping[str, str]) -> str:
    town, mark = zone_name(run.language, card["zone"]) if card["zone"] else "", marks[card["contact"]]
    told = [
        _name(card),
        literal(mark) if mark != town else "",
        town,
        run.language["contacts_private"] if card["private"] and not card["me"] else "",
    ]
    return "- " + " · ".join(filter(None, told))


def _name(card: Card) -> str:
    return called(card["name"], "–")


def _offers(run: CommandRun, cards: Sequence[Card], said: str) -> list[Offer]:
    """A button for each; in `said` stands {} for the id of a contact."""
    labels = namesakes.labels(run.language, cards)
    return [(label, said.replace("{}", card["contact"])) for label, card in zip(labels, cards, strict=True)]


async def for_one(run: CommandRun, result: ToolResult, said: str, again: str, act: Act) -> Reply:
    """Do something about the one contact that was found; ask when there are several. `again` is what a button says
    then, for the id of a contact.
    """
    if not result.success:
        return run.failed(result)
    found, rest = result.result["contacts"], result.result.get("rest", "")
    if not found:
        return run.say("contact_unknown", name=called(said, "–"), command=run.typed("/contacts"))
    if len(found) > 1:
        offers = [(label, f"{line} {rest}".strip()) for label, line in _offers(run, found, again)]
        return keyboard_row(run, run.language["contact_which"], offers)
    return await act(run, found[0], rest)


async def begin(run: CommandRun, text: str, again: str, act: Act) -> Reply:
    """Do something about whom a text begins with; `act` gets the rest of it."""
    return await for_one(run, await run.call("show_contacts", begins=text[:10_000]), text, again, act)


async def _card(run: CommandRun, card: Card, rest: str) -> Reply:
    """One contact, with what can be done about them."""
    language, contact = run.language, card["contact"]
    addresses = ", ".join(map(coded, card["addresses"]))
    lines = [
        f"👤 {_name(card)}",
        language.say("contact_addresses", addresses=addresses) if addresses else "",
        _zone_told(run, "contact_zone", card["zone"]) if card["zone"] else language["contact_zone_none"],
        _reached(run, card),
    ]
    offers = [
        (language["button_contact_zone"], f"/contacts zone {contact}"),
        (language["button_contact_rename"], f"/contacts rename {contact}"),
        (language["button_contact_remove"], f"/contacts remove {contact}"),
        (language["button_contacts"], "/contacts"),
    ]
    return keyboard_row(run, "\n".join(filter(None, lines)), offers)


def _reached(run: CommandRun, card: Card) -> str:
    """Whether messages reach them; nothing where that is not to be told."""
    if card["me"]:
        return run.language["contact_me"]
    known = {True: "contact_reached", False: "contact_not_reached"}
    return run.language[known[card["private"]]] if card["private"] is not None else ""


def _zone_told(run: CommandRun, key: str, zone: str, **values: str) -> str:
    """A zone, with what its clocks show now."""
    now = datetime.fromtimestamp(run.context.clock.now() / 1000, UTC).astimezone(ZoneInfo(zone))
    return run.language.say(key, zone=zone_name(run.language, zone), clock=run.language.clock(now), **values)


# Changing.


async def _add(run: CommandRun, rest: str) -> Reply:
    """`Dad @dad`, in either order: a name and what the platform knows them by."""
    words = rest.split()
    at = next((n for n in (-1, 0) if len(words) > 1 and ADDRESS.fullmatch(words[n])), None)
    if at is None:
        return run.say("contact_add_usage", command=coded(run.language["contacts_add_way"]))
    said, name = words.pop(at), " ".join(words)
    platform = run.context.principal.address.partition(":")[0]
    address = f"{platform}:{said}" if said.startswith("@") else said
    result = await run.call("contacts_upsert", subject_id=address, contact_nickname=name[:200], status="active")
    if not result.success:
        key = "contact_address_bad" if result.error.startswith("invalid reference id") else ""
        return run.say(key, address=coded(said)) if key else run.failed(result)
    return _done(run, result, run.language.say("contact_added", name=called(name, said)))


def _done(run: CommandRun, result: ToolResult, text: str) -> Reply:
    """What was changed, with a button to take it back and one to all contacts."""
    back = [(run.language["undo"], f"/undo {result.result['undo']}")] if "undo" in result.result else []
    return keyboard_row(run, text, [*back, (run.language["button_contacts"], "/contacts")])


async def _change(run: CommandRun, card: Card, text: str, **fields: Any) -> Reply:
    result = await run.call("contacts_upsert", contact_id=card["contact"], **fields)
    return _done(run, result, text) if result.success else run.failed(result)


async def _set_zone(run: CommandRun, card: Card, place: str) -> Reply:
    if not place:
        ask = run.language.say("contact_zone_ask", name=_name(card))
        return await run.ask(ask, f"/contacts zone {card['contact']}")
    zone = zone_of(place)
    if zone is None:
        return run.say("contact_zone_unknown", place=literal(place[:LONGEST_WORDS]))
    text = _zone_told(run, "contact_zone_set", zone, name=_name(card))
    theirs = card["zone"] if card["chosen"] else zone
    note = run.language.say("contact_zone_theirs", zone=zone_name(run.language, theirs)) if theirs != zone else ""
    return await _change(run, card, "\n".join(filter(None, (text, note))), timezone=zone)


async def _rename(run: CommandRun, card: Card, new: str) -> Reply:
    if not new:
        ask = run.language.say("contact_rename_ask", name=_name(card))
        return await run.ask(ask, f"/contacts rename {card['contact']}")
    text = run.language.say("contact_renamed", former=_name(card), name=called(new, "–"))
    return await _change(run, card, text, contact_nickname=new[:200])


async def _remove(run: CommandRun, card: Card, rest: str) -> Reply:
    if rest:
        return run.say("contact_unknown", name=called(f"{card['name']} {rest}", "–"), command=run.typed("/contacts"))
    return await _change(run, card, run.language.say("contact_removed", name=_name(card)), status="inactive")


def _changing(name: str, act: Act) -> Callable[[CommandRun, str], Awaitable[Reply]]:
    return lambda run, rest: begin(run, rest, f"/contacts {name} {{}}", act)


_ACTS: Sequence[tuple[frozenset[str], Callable[[CommandRun, str], Awaitable[Reply]]]] = (
    (ADD, _add),
    (ZONE, _changing("zone", _set_zone)),
    (RENAME, _changing("rename", _rename)),
    (REMOVE, _changing("remove", _remove)),
)
COMMANDS: Mapping[str, Command] = {"contacts": Command(_contacts, menu=Menu(10, "private"), in_group=Standing.MEMBER)}
