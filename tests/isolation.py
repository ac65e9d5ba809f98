"""A world of people who must not hear of each other: two people, two groups, and the same once more with another bot,
whose people, chats and messages have the same ids. Each place has a word of its own that stands in all it keeps.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import random
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.app import build
from bot.config.sections import AccessSection
from core.capabilities.files import repository as changes
from core.capabilities.files.service import ScopeFiles
from core.capabilities.memory.models import PREFIX as MEMORY
from core.kernel.ids import ref
from core.kernel.ports import Database, Tx
from core.kernel.types import (
    Answer,
    Attachment,
    Destination,
    Document,
    LaneKey,
    ModelRequest,
    Page,
    Press,
    Sender,
    ToolCall,
)
from core.toolkit.tool import Tool
from tests.fake_adapter import FakeAdapter
from tests.fakes import FakeClock, FakeModel, House, inbound, settings

# The rows that ids of a letter name. An id that nobody can name needs no entry: `d` is the number of a ledger row.
ROWS: Mapping[str, Sequence[str]] = {
    "c": ("contact",),
    "f": ("file_change",),
    "k": ("link_code",),
    "m": ("inbox", "memory"),
    "o": ("outbox",),
    "p": ("person",),
    "q": ("question",),
    "r": ("reminder",),
    "s": ("trigger",),
    "t": ("todo",),
    "u": ("undo",),
}
UNNAMED = frozenset("d")
NEVER = 987_654  # no row has this number
# What any realm may say: it finds what is of all realms, if anything does.
WORDS = (
    "plum",
    "",
    "all",
    "everything",
    "off",
    "on",
    "me",
    "yes",
    "2",
    "done plum",
    "remove plum",
    "tomorrow at 9",
    "1",
)


@dataclass(frozen=True, kw_only=True)
class Realm:
    """A place where somebody talks, and its word. `hears` are the places whose words may be shown there, itself among
    them: in private also the groups that one is in."""

    bot: int
    chat: str
    sender: str
    canary: str
    hears: frozenset[str]

    @property
    def group(self) -> bool:
        """Whether others hear it."""
        return self.chat.startswith("-")


def _realms() -> Sequence[Realm]:
    found = []
    for bot, (who, chat, club) in itertools.product((0, 1), (("ann", "1", "-5"), ("bob", "2", "-6"))):
        own, of_group = f"zq{who}{bot}xv", f"zqclub{chat}{bot}xv"
        person = f"tg:{chat}"
        found.append(Realm(bot=bot, chat=chat, sender=person, canary=own, hears=frozenset({own, of_group})))
        found.append(Realm(bot=bot, chat=club, sender=person, canary=of_group, hears=frozenset({of_group})))
    return found


REALMS = _realms()
CANARIES = frozenset(realm.canary for realm in REALMS)
# An id as people and models see it.
SHOWN = re.compile(r"\b[a-z][0-9a-hjkmnp-tv-z]{6}\b")
_FOUND = re.compile("|".join(sorted(CANARIES)))


def canaries(text: str) -> set[str]:
    """Return the words of realms that stand in a text."""
    return set(_FOUND.findall(text.lower()))


class WatchedAdapter(FakeAdapter):
    """A platform that remembers of which bot the pages are that it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown_pages: list[tuple[str, str, Page]] = []

    async def belongs(self, to: Destination, address: str, *, fresh: bool = False) -> bool:
        return any((one.chat, one.sender) == (to.chat, address) for one in REALMS)

    async def page(self, tenant: str, address: str, page: Page) -> None:
        self.shown_pages.append((tenant, address, page))


@dataclass(kw_only=True)
class World:
    """The house with both bots. The model does what stands in `plan`, then says every word that it was shown."""

    houses: Sequence[House]
    adapter: WatchedAdapter
    model: FakeModel
    clock: FakeClock
    keys: Iterator[int] = field(default_factory=itertools.count)
    plan: list[ToolCall] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    _looked: list[int] = field(default_factory=lambda: [0, 0, 0, 0])

    @property
    def house(self) -> House:
        """The house as the first bot sees it."""
        return self.houses[0]

    @property
    def tools(self) -> Sequence[Tool]:
        """Every tool that is registered."""
        return self.house.app.registry.list()

    @property
    def commands(self) -> Sequence[str]:
        """Every command there is."""
        return sorted(self.house.app.commands)

    def worst(self, request: ModelRequest) -> Answer:
        """What a model answers that obeys an attacker."""
        if self.plan:
            return Answer(calls=(self.plan.pop(0),))
        return Answer(text=f"I know {' '.join(sorted(canaries(str(request.messages))))}.")

    async def says(self, realm: Realm, text: str, **fields: Any) -> list[str]:
        """Somebody says something where they are; returns what is said there then."""
        before = len(self.adapter.sent)
        house = self.houses[realm.bot]
        place = {"chat": realm.chat, "sender": realm.sender, "sent_at": self.clock.now()}
        group = {"chat_kind": "group", "title": realm.canary} if realm.group else {}
        # Both bots are told the same ids.
        message = inbound(text, key=f"k{next(self.keys)}", **{**place, **group, **fields})
        await house.app.inbox.accept(house.tenant_id, [message])
        await house.work()
        self.look(realm)
        tenant = ("bot", "twin")[realm.bot]
        return [one.text for one in self.adapter.sent[before:] if (one.to.tenant, one.to.chat) == (tenant, realm.chat)]

    async def presses(self, realm: Realm, data: str) -> None:
        """Somebody presses a button that carries something, wherever they have it from."""
        house, person = self.houses[realm.bot], Sender(address=realm.sender, name="", language="en")
        press = Press(key=f"p{next(self.keys)}", chat=realm.chat, sender=person, data=data, raw="{}")
        shown = await house.app.inbox.accept(house.tenant_id, [press])
        self._check("what a press shows", json.dumps(dict(shown), ensure_ascii=False), realm.hears)
        await house.work()
        self.look(realm)

    async def passes(self, seconds: float) -> None:
        """Time passes, and what is due is done."""
        self.clock.advance(seconds)
        await self.house.sweep()
        self.look(None)

    def look(self, realm: Realm | None) -> None:
        """Look at all that has left since the last look: to people, and to a model, which works for a realm."""
        sent, drafts, pages, asked = self._looked
        for one in self.adapter.sent[sent:]:
            words = json.dumps([one.text, one.choices, str(one.keyboard), content_of(one.document)], ensure_ascii=False)
            self._check(f"a message to {one.to.tenant} {one.to.chat}", words, _heard(one.to.tenant, one.to.chat))
        for to, _, text in self.adapter.drafts[drafts:]:
            self._check("a draft", text, _heard(to.tenant, to.chat))
        for tenant, address, page in self.adapter.shown_pages[pages:]:
            self._check("a page", str(page), _heard(tenant, address.partition(":")[2]))
        for request in self.model.requests[asked:]:
            known = canaries(f"{request.messages} {request.heard} {request.attached} {request.event}")
            fits = [realm] if realm is not None else REALMS
            if not any(known <= one.hears for one in fits):
                self.leaks.append(f"a model was told {sorted(known)} for {realm and realm.canary}")
        shown: list[Sequence[object]] = [
            self.adapter.sent,
            self.adapter.drafts,
            self.adapter.shown_pages,
            self.model.requests,
        ]
        self._looked = [len(each) for each in shown]

    def _check(self, what: str, text: str, allowed: frozenset[str]) -> None:
        if foreign := canaries(text) - allowed:
            self.leaks.append(f"{what} has {sorted(foreign)}: {text[:300]}")

    async def numbers(self, table: str, realm: Realm, *, own: bool) -> list[int]:
        """The numbers of the rows of a table that are of a realm, or (not `own`) that it must not know of."""
        house = self.houses[realm.bot]
        scopes = {
            row["scope_id"]: (row["tenant_id"], row["external_id"])
            for row in await house.rows("SELECT scope_id, tenant_id, external_id FROM chat")
        }
        hears = {(self.houses[one.bot].tenant_id, one.chat) for one in REALMS if one.canary in realm.hears}
        rows = await house.rows(f"SELECT id, scope_id FROM {table} WHERE scope_id IS NOT NULL ORDER BY id")
        return [row["id"] for row in rows if (scopes.get(row["scope_id"]) in hears) is own]

    async def pairs(self, realm: Realm) -> list[tuple[str, str]]:
        """Ids of what is not of a realm, of each kind the newest, each with one of its kind that nothing has."""
        return [(one, ref(one[0], NEVER)) for one in await self.ids(realm, own=False, most=1)]

    async def ids(self, realm: Realm, *, own: bool, most: int = 2) -> list[str]:
        """Ids of what is of a realm, or of what is not, of each kind the newest."""
        found = []
        for letter, tables in ROWS.items():
            for table in tables:
                found += [ref(letter, number) for number in (await self.numbers(table, realm, own=own))[-most:]]
        return found


def content_of(document: Document | None) -> str:
    """All that stands in a file that was sent, also in those that are packed into it."""
    if document is None:
        return ""
    file = io.BytesIO(document.content)
    packed = [(document.name, document.content)]
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as whole:
            packed = [(name, whole.read(name)) for name in whole.namelist()]
    return "\n".join(f"{name} {content.decode(errors='replace')}" for name, content in packed)


def _heard(tenant: str, chat: str) -> frozenset[str]:
    bot = ("bot", "twin").index(tenant)
    return next((one.hears for one in REALMS if (one.bot, one.chat) == (bot, chat)), frozenset())


async def world(database: Database, folder: Path) -> World:
    """A new world, in which each realm has something of each kind."""
    adapter, clock = WatchedAdapter(), FakeClock()
    adapter.files["f"] = b"plum"
    adapter.admins = {(realm.chat, realm.sender) for realm in REALMS}
    access = AccessSection.model_validate({"mode": "allowlist", "allow": ("tg:1", "tg:2")})
    config = settings(folder, owners=("tg:9",), access=access)
    model = FakeModel()
    app = build(config, {"telegram": adapter}, db=database, clock=clock, model=model)
    houses = [
        House(
            app=app,
            db=database,
            clock=clock,
            adapter=adapter,
            model=model,
            tenant_id=await app.inbox.tenant("telegram", name),
            keys=itertools.count(1),
        )
        for name in ("bot", "twin")
    ]
    made = World(houses=houses, adapter=adapter, model=model, clock=clock)
    model.always(made.worst)
    for realm in REALMS:
        await furnish(made, realm)
    await made.passes(61)
    assert made.leaks == []
    return made


async def furnish(made: World, realm: Realm) -> None:
    """Let somebody say and have something of each kind where they are."""
    word = realm.canary
    file = Attachment(kind="document", file="f", name=f"{word}.txt", mime="text/plain", size=4)
    await made.says(realm, f"I like {word} plum", attachments=(file,))
    await made.says(realm, f"/todo {word} plum")
    await made.says(realm, f"/todo {word}list: plum")
    await made.says(realm, f"/remind in 3 hours {word} plum")
    await made.says(realm, f"/remind in 1 minute {word} plum soon")
    await made.says(realm, f"/contacts add {word} tg:4{len(word)}")
    if "remember" in made.commands:
        await made.says(realm, f"/remember {word} likes plum")
    await write(made, realm, f"{word}.md", f"{word} plum")
    if realm.group:
        await made.says(realm, "/readalong on")
        await made.says(realm, f"{word} plum for all", addressed=False)


async def write(made: World, realm: Realm, path: str, text: str) -> None:
    """Let a file be written where somebody talks, as if it were of no time: both of two worlds show the same."""
    house = made.houses[realm.bot]
    files = house.app.container.get(ScopeFiles)
    [row] = await house.rows(
        "SELECT l.id AS lane_id, l.tenant_id, l.scope_id, l.chat_id FROM lane l JOIN chat c ON c.id = l.chat_id"
        " WHERE c.tenant_id = :tenant_id AND c.external_id = :chat",
        tenant_id=house.tenant_id,
        chat=realm.chat,
    )
    lane, place = LaneKey(**row), files.rules.place(path, owner=False)
    staged = await files.stage(lane, place, text.encode(), append=False, own=True)
    change = {"act": "write", "path": str(place), "token": staged.token, "person_id": None}

    def plan(tx: Tx) -> None:
        changes.open_folder(tx, lane, made.clock.now())
        changes.insert(tx, lane, change, made.clock.now())

    await house.db.write(plan)
    await files.settle(lane.scope_id)
    os.utime(files.folders.home / str(lane.scope_id) / str(place), (0, 0))


def drawn(schema: Mapping[str, Any], pool: Sequence[str], dice: random.Random, where: str = "", top: Any = None) -> Any:
    """Return an argument that fits a JSON schema, with texts of a pool.

    Raises AssertionError with what to do for a kind of schema that nobody has met yet.
    """
    top = schema if top is None else top
    if not schema:  # any JSON
        return dice.choice(pool)
    if "$ref" in schema:
        return drawn(top["$defs"][schema["$ref"].rpartition("/")[2]], pool, dice, where, top)
    if "enum" in schema or "const" in schema:
        return dice.choice(schema.get("enum") or [schema["const"]])
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return drawn(dice.choice([one for one in options if one.get("type") != "null"]), pool, dice, where, top)
    kinds: Mapping[str, Callable[[], Any]] = {
        "string": lambda: dice.choice(pool),
        "integer": lambda: dice.choice((1, 2, 5, 60)),
        "number": lambda: dice.choice((0.1, 0.5, 1)),
        "boolean": lambda: dice.random() < 0.5,
        "array": lambda: [drawn(schema["items"], pool, dice, where, top) for _ in range(dice.choice((1, 1, 2)))],
        "object": lambda: {
            name: drawn(one, pool, dice, f"{where}.{name}", top)
            for name, one in schema.get("properties", {}).items()
            if name in schema.get("required", ()) or dice.random() < 0.6
        },
    }
    kind = str(schema.get("type"))
    assert kind in kinds, (
        f"{where}: nothing is known that fits {dict(schema)}; teach tests/isolation.py how to make one"
    )
    return kinds[kind]()


def arguments(tool: Tool, pool: Sequence[str], dice: random.Random) -> dict[str, Any]:
    """Return arguments for a tool."""
    parameters = tool.llm_schema["function"]["parameters"]
    made: dict[str, Any] = drawn({"type": "object", **parameters}, pool, dice, tool.name)
    return made


def unmapped(source: Path) -> set[str]:
    """Return the letters of ids that the code makes and `ROWS` does not know."""
    used = {MEMORY}
    for path in source.rglob("*.py"):
        used |= set(re.findall(r'\b(?:ref|number)\("([a-z])"', path.read_text(encoding="utf-8")))
    return used - set(ROWS) - UNNAMED
