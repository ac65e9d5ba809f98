"""contacts_upsert, contacts_list and contacts_candidate_rank as models and people call them (TOOLS: Contacts)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.contacts.address_book import Contacts
from core.capabilities.memory import repository as memories
from core.capabilities.memory.models import NewMemory
from core.kernel import ids
from core.kernel.ports import Database
from core.kernel.types import LaneKey, Role, Sender
from core.store.people import people
from tests.calling import Ask, caller, last_undo
from tests.commanding import GROUP
from tests.fakes import FRIEND, START, House, house

SHAPE = [
    "contact_id", "kind", "status", "contact_nickname", "persona_brief", "persona_traits", "pronouns", "timezone",
    "preference_context", "subject_id", "node_id", "peer_id", "addresses", "understanding_depth", "topic_weights",
    "reciprocity_norm", "created_at", "updated_at",
]  # fmt: skip


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    return await house(database, tmp_path / "house")


@pytest.fixture
async def there(home: House) -> tuple[Ask, LaneKey]:
    """Calls tools in a run of the owner that is still open, as the Teller unless told otherwise; and their lane."""
    await home.hear("hello")
    return await caller(home)


@pytest.fixture
async def ask(there: tuple[Ask, LaneKey]) -> Ask:
    return there[0]


async def upsert(ask: Ask, **fields: Any) -> dict[str, Any]:
    result = await ask("contacts_upsert", **fields)
    assert result.success, result.error
    found: dict[str, Any] = result.result["contact"]
    return found


@pytest.mark.databases("sqlite")
async def test_a_new_contact_has_the_shape_and_the_defaults_of_the_contract(ask: Ask) -> None:
    made = await upsert(ask, subject_id="tg:@Anna", contact_nickname="Anna")
    assert list(made) == SHAPE
    assert ids.number("c", made["contact_id"]) is not None
    assert (made["kind"], made["status"], made["understanding_depth"], made["reciprocity_norm"]) == (
        "human", "active", 30, 0.5,
    )  # fmt: skip
    assert (made["subject_id"], made["addresses"], made["timezone"]) == ("tg:@anna", ["tg:@anna"], "")
    assert made["created_at"] == made["updated_at"] == "2026-09-21T14:13:20+00:00"


async def test_what_is_not_given_stays_and_an_empty_text_clears(ask: Ask) -> None:
    made = await upsert(ask, subjectId="tg:50", contactNickname="Bo", pronouns="he/him", persona_brief="short words")
    changed = await upsert(ask, contact_id=made["contact_id"], pronouns="", timezone="Asia/Tokyo", kind=None)
    assert changed == {**made, "pronouns": "", "timezone": "Asia/Tokyo"}


async def test_the_same_subject_is_the_same_contact(ask: Ask) -> None:
    first = await upsert(ask, subject_id="tg:50", contact_nickname="Bo")
    again = await upsert(ask, subject_id="tg:50", pronouns="he/him")
    other = await upsert(ask, subject_id="my uncle", contact_nickname="Uli")
    assert again["contact_id"] == first["contact_id"]
    assert other["subject_id"] == "my uncle"
    assert (await upsert(ask, subject_id="my uncle"))["contact_id"] == other["contact_id"] != first["contact_id"]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({"understanding_depth": 180}, {"understanding_depth": 100}),
        ({"understanding_depth": "-3"}, {"understanding_depth": 0}),
        ({"reciprocity_norm": 7}, {"reciprocity_norm": 1}),
        ({"topic_weights": {"Green  Tea": 0.5, "x": 0.07}}, {"topic_weights": {"green_tea": 0.5}}),
        ({"persona_traits": {"warm": 3, " ": 1}}, {"persona_traits": {"warm": 1}}),
        ({"contact_nickname": " A\u202e\nB "}, {"contact_nickname": "A B"}),
        ({"preference_context": "x" * 2000}, {"preference_context": "x" * 2000}),
    ],
)
async def test_scores_are_clipped_and_topics_made_alike(ask: Ask, given: dict[str, Any], kept: dict[str, Any]) -> None:
    made = await upsert(ask, subject_id="tg:50", **given)
    assert {name: made[name] for name in kept} == kept


async def test_a_zone_that_is_none_becomes_empty_and_is_told(ask: Ask) -> None:
    result = await ask("contacts_upsert", subject_id="tg:50", timezone="Atlantis/Down")
    assert result.result["contact"]["timezone"] == ""
    assert result.result["warnings"] == ["timezone_unknown_left_empty"]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, "contact_id or subject_id is needed"),
        ({"subject_id": "  "}, "contact_id or subject_id is needed"),
        ({"contact_id": "c000000"}, "contact not found: c000000"),
        ({"contact_id": "Anna"}, "contact not found: Anna"),
        ({"subject_id": "tg:@"}, "invalid reference id: tg:@"),
        ({"subject_id": "tg:Anna"}, "invalid reference id: tg:Anna"),
        ({"subject_id": "slack:T1:U2:X"}, "invalid reference id"),
        ({"subject_id": "tg:1", "kind": "dog"}, "kind"),
        ({"subject_id": "tg:1", "status": "gone"}, "status"),
        ({"subject_id": "tg:1", "pronouns": "x" * 65}, "pronouns"),
        ({"subject_id": "tg:1", "timezone": "x" * 65}, "timezone"),
        ({"subject_id": "tg:1", "preference_context": "x" * 2001}, "preference_context"),
        ({"subject_id": "tg:1", "topic_weights": {"a": True}}, "topic_weights"),
        ({"subject_id": "tg:1", "trust": 1}, "unknown parameter 'trust'"),
    ],
)
async def test_what_is_wrong_is_told_and_nothing_is_noted(ask: Ask, home: House, given: Any, error: str) -> None:
    before = await home.column("SELECT count(*) FROM contact")
    result = await ask("contacts_upsert", **given)
    assert not result.success
    assert error in result.error
    assert await home.column("SELECT count(*) FROM contact") == before


async def test_nobody_is_given_the_address_of_somebody_else(ask: Ask, home: House) -> None:
    bo = await upsert(ask, subject_id="tg:50", contact_nickname="Bo")
    await upsert(ask, subject_id="tg:@chen_1", contact_nickname="Chen")
    taken = await ask("contacts_upsert", contact_id=bo["contact_id"], subject_id="tg:@chen_1")
    assert "is another contact's" in taken.error
    sender = Sender(address=FRIEND, name="Freddy", handle="@freddy")
    await home.db.write(lambda tx: people.meet(tx, home.tenant_id, sender, START))
    await upsert(ask, subject_id="tg:1", contact_nickname="Me")
    me = next(one for one in (await ask("contacts_list")).result if one["contact_nickname"] == "Me")
    stolen = await ask("contacts_upsert", contact_id=me["contact_id"], subject_id="tg:@freddy")
    assert "is somebody else's" in stolen.error
    added = await upsert(ask, contact_id=bo["contact_id"], subject_id="tg:@bo_1")
    assert added["addresses"] == ["tg:50", "tg:@bo_1"]


async def test_a_change_is_taken_back_by_its_undo(home: House, ask: Ask) -> None:
    made = await upsert(ask, subject_id="tg:50", contact_nickname="Bo", timezone="UTC", pronouns="she")
    await upsert(ask, contact_id=made["contact_id"], timezone="", contact_nickname="B", pronouns="")
    tool, arguments = await last_undo(home)
    await ask(tool, **arguments)
    (now,) = [one for one in (await ask("contacts_list")).result if one["contact_id"] == made["contact_id"]]
    assert (now["contact_nickname"], now["timezone"], now["pronouns"]) == ("Bo", "UTC", "she")


@pytest.mark.databases("sqlite")
async def test_the_list_is_of_a_status_and_no_longer_than_wished(ask: Ask) -> None:
    for n in range(50, 53):
        await upsert(ask, subject_id=f"tg:{n}", contact_nickname=f"P{n}", status="inactive" if n == 51 else None)

    async def names(**wish: Any) -> Sequence[str]:
        return [one["contact_nickname"] for one in (await ask("contacts_list", **wish)).result]

    assert await names() == ["Name of tg:1", "P50", "P51", "P52"]
    assert await names(status="active") == ["Name of tg:1", "P50", "P52"]
    assert await names(status="inactive", limit=5) == ["P51"]
    assert await names(limit=2) == ["Name of tg:1", "P50"]
    assert await names(limit=-1) == await names()


@pytest.mark.databases("sqlite")
async def test_who_tagged_nothing_to_be_shared_has_nobody_chosen(ask: Ask) -> None:
    assert (await ask("contacts_candidate_rank", role=Role.PLANNER)).result == {"decisions": []}
    assert (await ask("contacts_candidate_rank")).code == "not_permitted"


async def tagged(home: House, lane: LaneKey, content: str, *tags: str, **more: Any) -> str:
    """Note a memory in a lane's scope; return its id."""
    new = NewMemory(content=content, tags=tags, **{"said_at": home.clock.now(), **more})
    return (await home.db.write(lambda tx: memories.insert(tx, lane, new, home.clock.now()))).ref


async def ranked(ask: Ask, **wish: Any) -> list[dict[str, Any]]:
    result = await ask("contacts_candidate_rank", role=Role.PLANNER, **wish)
    assert result.success, result.error
    found: list[dict[str, Any]] = result.result["decisions"]
    return found


async def test_memories_that_are_tagged_to_be_shared_are_ranked_for_the_contacts_of_the_book(
    ask: Ask, there: tuple[Ask, LaneKey], home: House
) -> None:
    lane = there[1]
    (line,) = await home.column("SELECT id FROM message WHERE role = 'user'")
    (run,) = await home.column("SELECT id FROM run")
    older = await tagged(home, lane, "Tea houses are closed")
    tea = await tagged(home, lane, "A tea house opened at the harbour", "share", "tea", message_id=line)
    superseded = ids.number("m", older)
    await home.db.write(
        lambda tx: tx.run(
            "UPDATE memory SET state = 'superseded', superseded_by = :by WHERE id = :id",
            {"by": ids.number("m", tea), "id": superseded},
        )
    )
    await tagged(home, lane, "Coffee is dear now", "share", "coffee", said_at=home.clock.now() - 100 * 3_600_000)
    await tagged(home, lane, "My secret", "shared", "tea")
    await upsert(ask, subject_id="tg:1", status="inactive")
    bo = await upsert(ask, subject_id="tg:50", topic_weights={"tea": 0.9})
    chen = await upsert(ask, subject_id="tg:51", topic_weights={"coffee": 0.9})
    found = await ranked(ask, push_topic="x.v1")
    assert [(one["contact_id"], one["item_id"]) for one in found] == [
        (bo["contact_id"], tea),
        (chen["contact_id"], tea),
    ]
    assert found[0] == {
        "contact_id": bo["contact_id"],
        "item_id": tea,
        "score": pytest.approx(0.40 * 0.9 + 0.25 + 0.15 + 0.05 + 0.10),
        "topic": "x.v1",
        "linked_history": [f"history/2026-09-21#{line}", older],
        "idempotency_key": f"proactive:{run}:{bo['contact_id']}:{tea}",
    }
    assert all(0 <= one["score"] <= 1 for one in found)
    assert [one["linked_history"] for one in await ranked(ask, max_linked_history_items=1, limit=1)] == [
        [f"history/2026-09-21#{line}"]
    ]
    assert {one["item_id"] for one in await ranked(ask, freshness_window="5d")} != {tea}
    bad = await ask("contacts_candidate_rank", role=Role.PLANNER, freshness_window="soon")
    assert "freshness_window" in bad.error


async def test_ranking_what_a_planner_tagged_changes_and_sends_nothing(ask: Ask, home: House) -> None:
    noted = await ask("remember", role=Role.PLANNER, content="A tea house opened", tags=["Share", "tea"])
    assert noted.success, noted.error
    await upsert(ask, subject_id="tg:50")

    async def counts() -> list[Any]:
        tables = ("memory", "contact", "outbox", "trigger", "document", "errand")
        return [await home.column(f"SELECT count(*) FROM {table}") for table in tables]

    before = await counts()
    assert await ranked(ask) == await ranked(ask) != []
    assert await counts() == before


async def test_what_was_taken_away_and_what_is_of_another_chat_is_for_nobody(
    ask: Ask, there: tuple[Ask, LaneKey], home: House
) -> None:
    await upsert(ask, subject_id="tg:50")
    ref = await tagged(home, there[1], "A tea house opened", "share")
    number = ids.number("m", ref)
    await home.db.write(lambda tx: tx.run("UPDATE memory SET state = 'removed' WHERE id = :id", {"id": number}))
    await home.hear("hello", sender=FRIEND, chat="2")
    other, lane = await caller(home, chat="2")
    await tagged(home, lane, "Mine alone", "share")
    assert await ranked(ask) == []
    await upsert(other, subject_id="tg:60")
    assert {one["contact_id"] for one in await ranked(other)}


async def test_in_a_group_it_is_what_the_caller_said_and_people_get_it_only_where_that_is_wished(home: House) -> None:
    await home.hear("hello", **GROUP)
    ask, lane = await caller(home, chat="-5")
    (me,) = await home.column("SELECT person_id FROM address WHERE external_id = 'tg:1'")
    mine = await tagged(home, lane, "The barn is painted", "share", person_id=me)
    await tagged(home, lane, "Somebody else's", "share")
    await upsert(ask, subject_id="tg:50")
    assert await ranked(ask) == []
    assert {one["item_id"] for one in await ranked(ask, human_public_send_enabled=True)} == {mine}


async def test_the_state_tells_the_active_contacts_of_the_scope(
    ask: Ask, there: tuple[Ask, LaneKey], home: House
) -> None:
    await upsert(ask, subject_id="tg:50", contact_nickname="Bo", timezone="Asia/Tokyo")
    await upsert(ask, subject_id="tg:51", contact_nickname="Chen", status="inactive")
    state = await home.db.read(lambda tx: Contacts().read(tx, there[1]))
    assert state["count"] == 2
    assert state["contacts"][1] == {
        "contact_id": state["contacts"][1]["contact_id"],
        "contact_nickname": "Bo",
        "addresses": ["tg:50"],
        "timezone": "Asia/Tokyo",
    }
