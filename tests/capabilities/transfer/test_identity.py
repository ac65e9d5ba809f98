"""What is exported and taken in elsewhere gives the same export there; taken in again, it changes nothing."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bot.config.sections import AccessSection
from core.capabilities.transfer import content, service
from core.capabilities.transfer.archive import Limits
from core.capabilities.transfer.content import Content, canonical
from core.capabilities.transfer.reading import Brought, Reader
from core.capabilities.transfer.service import Intake
from core.kernel.clean_text import cleaned, one_line
from core.kernel.ports import Tx
from core.kernel.timing.zones import zone_named
from core.kernel.types import LaneKey
from core.language import pick
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit.keeping import Keeps
from core.toolkit.ledger.ledger import Ledger
from core.toolkit.portable import Showing
from tests.conftest import PlaceMaker
from tests.databases import NAMES, build
from tests.fakes import START, FakeClock, House, house

EXAMPLES = {"sqlite": 40, "postgres": 12}
HOUR, DAY = 3_600_000, 86_400_000
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"]), min_size=1, max_size=30).filter(
    lambda text: cleaned(text) == text
)
# As names and items are stored: on one line.
ON_ONE_LINE = WORDS.filter(lambda text: one_line(text) == text)
PAST, FUTURE = st.integers(START - 400 * DAY, START), st.integers(START + HOUR, START + 400 * DAY)
CONTACTS = st.lists(
    st.fixed_dictionaries({
        "nickname": ON_ONE_LINE,
        "addresses": st.just([]),
        "pronouns": st.sampled_from(["", "she/her"]),
        "timezone": st.sampled_from(["", "Asia/Tokyo"]),
        "persona_traits": st.dictionaries(st.sampled_from(["kind", "loud"]), st.floats(0, 1), max_size=2),
        "status": st.sampled_from(["active", "inactive"]),
        "noted_by": st.sampled_from(["", "person", "model"]),
        "brought": st.booleans(),
        "created_at": PAST,
    }),
    max_size=4,
    unique_by=lambda one: one["nickname"],
)
SPECS = st.sampled_from([
    {"kind": "interval", "seconds": 3600, "start": START},
    {"kind": "rule", "cron": "30 9 * * 1-5", "zone": "Europe/Berlin", "every": 1, "unit": "day", "anchor": ""},
    {"kind": "rule", "cron": "0 8 31 * *", "zone": "UTC", "every": 1, "unit": "month", "anchor": ""},
])
SCHEDULES = st.lists(
    st.fixed_dictionaries({
        "deliver": st.sampled_from(["message", "task", "brief", "item"]),
        "spec": SPECS | FUTURE.map(lambda at: {"kind": "once", "at": at, "wall": ""}),
        "text": WORDS,
        "late": st.sampled_from(["run", "skip", "600"]),
        "follows": st.booleans(),
        "until_done": st.booleans(),
        "made_by": st.sampled_from(["person", "teller"]),
        "state": st.sampled_from(["active", "paused"]),
        "tainted": st.booleans(),
        "to": st.lists(st.integers(1, 4), max_size=2, unique=True),
        "next_at": FUTURE,
        "created_at": PAST,
    }).map(lambda one: one | {"on": "shopping" if one["deliver"] == "item" else None}),
    max_size=4,
).filter(lambda some: sum(one["deliver"] == "brief" for one in some) < 2)
DONE = st.none() | PAST
TODOS = st.lists(
    st.fixed_dictionaries({
        "content": ON_ONE_LINE,
        "due_on": st.sampled_from(["", "2026-12-24"]),
        "due_at": st.none() | FUTURE,
        "list_key": st.sampled_from(["", "shopping"]),
        "to": st.lists(st.integers(1, 4), max_size=2, unique=True),
        "reminds": st.none() | st.integers(1, 4),
        "tainted": st.booleans(),
        "created_at": PAST,
        "ended_at": DONE,
    }).map(lambda one: one | {"state": "open" if one["ended_at"] is None else "done"}),
    max_size=6,
)
MEMORIES = st.lists(
    st.fixed_dictionaries({
        "content": WORDS,
        "tags": st.lists(st.sampled_from(["food", "share"]), max_size=2, unique=True),
        "long_term": st.booleans(),
        "source": st.sampled_from(["person", "assistant", "import"]),
        "tainted": st.booleans(),
        "path": st.sampled_from(["memory.md", "memory/2026-01-02-tea.md"]),
        "said_at": PAST,
        "created_at": PAST,
        "ended_at": DONE,
    }).map(lambda one: one | {"state": "active" if one["ended_at"] is None else "archived"}),
    max_size=5,
)
LINES = st.lists(
    st.fixed_dictionaries({
        "source": st.sampled_from(["teller", "chatgpt"]),
        "session": st.sampled_from(["1", "2"]),
        "position": st.integers(0, 50),
        "role": st.sampled_from(["user", "assistant"]),
        "speaker": st.sampled_from(["", "Ann"]),
        "text": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40),
        "at": PAST,
    }),
    max_size=6,
)
PARTS = st.fixed_dictionaries({
    "settings": st.lists(st.just({"language": "de", "timezone": "Asia/Tokyo", "quiet": "22:00-07:00"}), max_size=1),
    "contacts": CONTACTS,
    "schedules": SCHEDULES,
    "todos": TODOS,
    "memories": MEMORIES,
    "history": LINES,
})


class Two:
    """A house in which every example has two people of its own, who know nobody."""

    def __init__(self, home: House) -> None:
        self.home, self._numbers = home, itertools.count(100)
        self.keeps: Sequence[Keeps] = home.app.container.every(Keeps)
        self.ledger = home.app.container.get(Ledger)

    async def somebody(self) -> tuple[LaneKey, Participant]:
        number = next(self._numbers)
        await self.home.hear("hello", chat=str(number), sender=f"tg:{number}")

        def find(tx: Tx) -> tuple[LaneKey, Participant]:
            [lane] = people.private_lanes(tx, self.home.tenant_id, [f"tg:{number}"])
            row = tx.one("SELECT id FROM person WHERE scope_id = :id", {"id": lane.scope_id})
            assert row is not None
            return lane, people.participant(tx, lane, row["id"])

        return await self.home.db.read(find)

    async def taken_out(self, place: tuple[LaneKey, Participant]) -> Content:
        now = self.home.clock.now()
        return await self.home.db.read(lambda tx: service.collect(tx, self.keeps, *place, now))

    async def taken_in(self, place: tuple[LaneKey, Participant], brought: Brought) -> Mapping[str, int]:
        """Take something in; returns what was new."""
        lane, who = place
        zone = zone_named("Europe/Berlin")
        assert zone is not None
        kinds = content.portables(self.keeps)
        intake = Intake(kinds=kinds, brought=brought, lane=lane, person_id=who.person.person_id, zone=zone)
        now, write = self.home.clock.now(), self.home.db.write
        import_id = await write(lambda tx: intake.begin(tx, now, None))
        before = await write(lambda tx: _lines(tx, lane))
        for kind, rows in intake.batches():
            await write(lambda tx, kind=kind, rows=rows: intake.put_bulk(tx, import_id, kind, rows, now))  # type: ignore[misc]
        done = await write(lambda tx: intake.finish(tx, import_id, now, lambda at: None))
        return done | {"history": await write(lambda tx: _lines(tx, lane)) - before}

    def read(self, place: tuple[LaneKey, Participant], data: bytes, name: str = "export.zip") -> Brought:
        zone = zone_named("Europe/Berlin")
        assert zone is not None
        return service.reader_of(self.keeps, self.ledger, place[1], zone).read(name, data)


def _lines(tx: Tx, lane: LaneKey) -> int:
    row = tx.one("SELECT count(*) AS n FROM imported_line WHERE scope_id = :scope_id", lane.params())
    assert row is not None
    return int(row["n"])


def sealed_for(two: Two, who: Participant, parts: Mapping[str, Any]) -> bytes:
    """A file of a person's own, with these rows."""
    numbered = {name: [row | {"number": n} for n, row in enumerate(rows, 1)] for name, rows in parts.items()}
    owner = service.owner_of(who)
    whole = {"format": content.FORMAT, "version": 1, "platform": owner.platform, "tenant": owner.tenant}
    whole |= {"of": owner.address, "kind": "private", "parts": numbered}
    return json.dumps(whole | {"seal": two.ledger.seal(canonical(whole))}).encode()


def rows(found: Content) -> Mapping[str, Any]:
    """What an export has, but for who has it."""
    parts: dict[str, Any] = found.whole()["parts"]
    return parts | {"contacts": [one for one in parts["contacts"] if not one["me"]]}


@pytest.mark.parametrize("name", NAMES)
def test_what_is_taken_out_and_in_is_the_same(name: str, make_place: PlaceMaker, tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        clock = FakeClock()
        database = build(make_place(name), clock)
        runner.run(database.open())
        access = AccessSection(mode="open")
        two = Two(runner.run(house(database, tmp_path, model=False, clock=clock, access=access)))

        @given(parts=PARTS)
        @hypothesis_settings(max_examples=EXAMPLES[name], suppress_health_check=list(HealthCheck), deadline=None)
        def same(parts: Mapping[str, Any]) -> None:
            runner.run(check(two, parts))

        same()
        runner.run(database.close())


def nothing_is_lost(given: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """What was given is there as it was, by the numbers that it has now; of what is the same twice, once."""
    known = len(given["contacts"])
    for part in ("settings", "contacts", "schedules", "todos", "memories", "history"):
        wanted = [
            # Who has the chat is the first contact.
            row | ({"to": sorted(n + 1 for n in row["to"] if n <= known)} if "to" in row else {})
            for row in given[part]
        ]
        names = [set(row) - {"reminds"} for row in wanted]
        there = [{name: row[name] for name in (names[0] if names else ())} for row in found[part]]
        given_rows = [{name: row[name] for name in names[0]} for row in wanted]
        if part in {"memories", "history"}:
            assert all(row in given_rows for row in there)
            texts = ("content", "text")[part == "history"]
            assert {row[texts].casefold() for row in there} == {row[texts].casefold() for row in given_rows}
        else:
            assert sorted(map(json.dumps, there)) == sorted(json.dumps(row) for row in given_rows)


async def check(two: Two, parts: Mapping[str, Any]) -> None:
    one, other = await two.somebody(), await two.somebody()
    brought = two.read(one, sealed_for(two, one[1], parts), "teller.json")
    assert brought.trusted
    assert brought.failed == {}
    await two.taken_in(one, brought)
    first = await two.taken_out(one)
    nothing_is_lost(parts, rows(first))
    showing = Showing(language=pick("en"), zone=zone_named("UTC") or pytest.fail("no zone"))
    packed = content.pack(first, content.portables(two.keeps), showing, two.ledger.seal)
    again = two.read(one, packed)
    assert again.trusted
    assert set((await two.taken_in(one, again)).values()) <= {0}
    assert rows(await two.taken_out(one)) == rows(first)
    elsewhere = two.read(other, packed)
    assert not elsewhere.trusted
    # As if it were theirs: what is not trusted is changed on purpose.
    elsewhere.trusted = True
    await two.taken_in(other, elsewhere)
    assert rows(await two.taken_out(other)) == rows(first)


def test_reading_takes_no_longer_than_it_may(tmp_path: Path) -> None:
    reader = Reader(kinds=(), owner=_owner(), zone=zone_named("UTC") or pytest.fail("no zone"), sealed=lambda *_: False)
    with pytest.raises(Exception, match="slow"):
        reader.read("conversations.json", b"[]", Limits(seconds=-1))


def _owner() -> content.Owner:
    return content.Owner(platform="telegram", tenant="bot", address="tg:1")
