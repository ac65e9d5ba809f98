"""Reading the calendars of a CalDAV account (RFC 4791; found as RFC 6764 says, without its DNS records).

What the server answers is hostile. Name and password go to the host that its person wrote, and to hosts beside it in
the same domain over https, where large services keep the calendars; to nobody else, whatever an answer says.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from core.kernel.clean_text import label
from core.kernel.types import Millis
from core.toolkit.fetch.addresses import Target, target
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.values import Fetch, FetchError, Method, Whose
from core.toolkit.services import Services

MULTISTATUS, DENIED = 207, frozenset({401, 403})
MOST_PROPERTIES, MOST_EVENTS_BYTES, SECONDS = 1 << 19, 10 << 20, 30.0
LONGEST_TAG, LONGEST_NAME, LEAST_LABELS = 200, 60, 2
WELL_KNOWN = "/.well-known/caldav"
# This is read in the bot's own process: of an answer no more is looked at than an account may have of calendars.
MOST_RESOURCES = 1_000
D, C, CS = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}", "{http://calendarserver.org/ns/}"
# Where an account's calendars are, and whose it is.
HOME, PRINCIPAL = f"{C}calendar-home-set/{D}href", f"{D}current-user-principal/{D}href"
_NAMESPACES = 'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/"'
_ASKED = (
    f"<D:propfind {_NAMESPACES}><D:prop><D:resourcetype/><D:displayname/><D:current-user-principal/>"
    "<C:calendar-home-set/><C:supported-calendar-component-set/><CS:getctag/></D:prop></D:propfind>"
)
_EVENTS = (
    f"<C:calendar-query {_NAMESPACES}><D:prop><C:calendar-data/></D:prop><C:filter>"
    '<C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT"><C:time-range start="{start}" end="{end}"/>'
    "</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An address of an account, or of one calendar in it, and how its server lets its person in; all of it secret."""

    url: str = field(repr=False)
    user: str = field(repr=False)
    password: str = field(repr=False)

    def dump(self) -> str:
        """Return it as a text to be encrypted, which no address of a calendar looks like."""
        return json.dumps(asdict(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """A calendar of an account: where it is, how it is called, and what its server calls what it holds now."""

    url: str = field(repr=False)
    name: str
    tag: str


def account_of(source: str) -> Account | None:
    """Return the account that `dump` wrote; None for the address of a calendar."""
    return Account(**json.loads(source)) if source.startswith("{") else None


async def discover(services: Services, account: Account, whose: Whose) -> Sequence[Collection]:
    """Return the calendars with events of an account: that at its address, else those of its person. Raises
    `FetchError`: `password`, `not_caldav`, `no_calendars`, or what goes wrong on the way."""
    for start in (account.url, target(WELL_KNOWN, target(account.url)).url):
        found = await _properties(services, account, start, whose=whose)
        if calendars := [one for one in map(_calendar, found) if one is not None]:
            return calendars
        home, principal = _first(found, HOME), _first(found, PRINCIPAL)
        if not home and principal:
            home = _first(await _properties(services, account, principal, whose=whose), HOME)
        if home:
            there = await _properties(services, account, home, depth="1", whose=whose)
            if calendars := [one for one in map(_calendar, there) if one is not None]:
                return calendars
            raise FetchError("no_calendars", "the account has no calendar with events")
    raise FetchError("not_caldav", "the server is none for calendars")


async def read(
    services: Services, account: Account, start: Millis, end: Millis, *, whose: Whose, tag: str = ""
) -> tuple[bytes, str] | None:
    """Return the events of a calendar between two instants, as its server answers them (XML), and what it calls what it
    holds now; None where that is still `tag`. The bot does so by itself (`Fetch.unasked`). Raises `FetchError`."""
    found = await _properties(services, account, account.url, whose=whose, unasked=True)
    if not found:
        raise FetchError("gone", "the server does not give it")
    now = _text(found[0][1], f"{CS}getctag")[:LONGEST_TAG]
    if tag and now == tag:
        return None
    span = {
        name: f"{datetime.fromtimestamp(at / 1000, UTC):%Y%m%dT%H%M%SZ}"
        for name, at in (("start", start), ("end", end))
    }
    body = _EVENTS.format(**span)
    answer = await _ask(
        services, account, account.url, "REPORT", body, depth="1", most=MOST_EVENTS_BYTES, whose=whose, unasked=True
    )
    if answer is None:
        raise FetchError("down", "the server does not give its events")
    return answer[0], now


# Where something is, and its properties.
_Resource = tuple[str, Element]


async def _properties(
    services: Services, account: Account, url: str, *, whose: Whose, depth: str = "0", unasked: bool = False
) -> Sequence[_Resource]:
    """Return what is at an address, and with a depth of 1 in it; nothing where that is none for calendars."""
    answer = await _ask(services, account, url, "PROPFIND", _ASKED, depth=depth, whose=whose, unasked=unasked)
    if answer is None:
        return ()
    body, where = answer
    try:
        return list(_resources(fromstring(body), where))
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise FetchError("not_caldav", "the server answers what is no list of calendars") from error


async def _ask(
    services: Services,
    account: Account,
    url: str,
    method: Method,
    body: str,
    *,
    depth: str,
    whose: Whose,
    unasked: bool,
    most: int = MOST_PROPERTIES,
) -> tuple[bytes, Target] | None:
    """Return an answer of several parts, and where it came from; None for another one."""
    first, where = target(account.url), target(url)
    word = base64.b64encode(f"{account.user}:{account.password}".encode()).decode()
    # Where a server sends on to one beside it, that one is asked by itself: no password goes with a redirect.
    for _ in range(2):
        if not beside(first, where):
            raise FetchError("elsewhere", "the calendars are on another server")
        request = Fetch(
            url=where.url,
            method=method,
            headers={"depth": depth, "content-type": "application/xml; charset=utf-8"},
            body=body.encode(),
            authorization=f"Basic {word}",
            most=most,
            seconds=SECONDS,
            secret=True,
            whose=whose,
            unasked=unasked,
        )
        answer = await services.get(Fetcher).fetch(request)
        onward = target(answer.url)
        if onward.origin == where.origin:
            break
        where = onward
    if answer.status in DENIED:
        raise FetchError("password", "the server does not let this name and password in")
    if answer.truncated:
        raise FetchError("huge", "it is larger than is read")
    return (answer.body, onward) if answer.status == MULTISTATUS and onward.origin == where.origin else None


def beside(first: Target, where: Target) -> bool:
    """Return whether a password for one server may be said to another: to itself, or over https in the same domain."""
    if first.origin == where.origin:
        return True
    domain = first.host.partition(".")[2]
    # An address in figures has no domain.
    named = domain.count(".") >= LEAST_LABELS - 1 and not domain.replace(".", "").isdigit() and ":" not in first.host
    near = where.host == first.host or where.host.endswith(f".{first.host}")
    return where.scheme == "https" and (near or (named and where.host.endswith(f".{domain}")))


def _resources(root: Element, where: Target) -> Iterator[_Resource]:
    """Each resource of an answer with the properties that it has, the first `MOST_RESOURCES`; one that is at no address
    is left out."""
    for response in islice(root.iterfind(f"{D}response"), MOST_RESOURCES):
        found = Element("properties")
        for part in response.iterfind(f"{D}propstat"):
            if " 200 " in f"{_text(part, f'{D}status')} ":
                for properties in part.iterfind(f"{D}prop"):
                    found.extend(properties)
        for path in (HOME, PRINCIPAL):
            if (link := found.find(path)) is not None:
                link.text = _absolute(link.text, where)
        if url := _absolute(_text(response, f"{D}href"), where):
            yield url, found


def _absolute(href: str | None, where: Target) -> str:
    try:
        return target((href or "").strip(), where).url
    except FetchError:
        return ""


def _calendar(resource: _Resource) -> Collection | None:
    """Return a resource, where it is a calendar that has events."""
    url, found = resource
    if found.find(f"{D}resourcetype/{C}calendar") is None:
        return None
    kinds: list[Any] = [one.get("name") for one in found.iterfind(f"{C}supported-calendar-component-set/{C}comp")]
    if kinds and "VEVENT" not in kinds:
        return None
    name = label(_text(found, f"{D}displayname"), LONGEST_NAME)
    return Collection(url=url, name=name, tag=_text(found, f"{CS}getctag")[:LONGEST_TAG])


def _first(found: Sequence[_Resource], path: str) -> str:
    return next((text for _, properties in found if (text := _text(properties, path))), "")


def _text(element: Element, path: str) -> str:
    return (element.findtext(path) or "").strip()
