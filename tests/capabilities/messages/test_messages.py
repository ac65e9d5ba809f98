"""Messages from one person to another: who may send what to whom, once, and whoever wants no more of it."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from core.capabilities.messages.tools import uuid7
from core.capabilities.privacy.retention import Retention
from core.kernel import ids
from core.kernel.ports import Database, Tx
from core.kernel.timing.schedule import Once, dump
from core.kernel.timing.trigger import Trigger
from core.kernel.types import Role, Sender, ToolCall, ToolResult
from core.scheduling import repository as triggers
from core.store.people import people
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, labels, pressed, said
from tests.fakes import Crash, CrashingDatabase, House, claim_lane
from tests.triggering import lane_of, passes, person_of

pytestmark = pytest.mark.databases("sqlite")

HOUR, DAY = 3_600, 86_400
Ask = Callable[..., Awaitable[ToolResult]]


# Whatever the reason is.
NOT_REACHED = "I can't write to {name}: they have never written to me in private, or want no messages by way of me."


async def two(database: Database, folder: Path, **options: Any) -> House:
    """A house whose owner has the friend in their book; both have talked to the bot in private."""
    house = await home(database, folder, **options)
    await said(house, "hello", **friend())
    await said(house, f"/contacts add Bob {FRIEND}")
    return house


async def caller(house: House) -> Ask:
    """Calls tools as a planner in a run of the owner, who names Bob, that is still open."""
    await house.hear("so let Bob know of it")
    (lane_id,) = await house.column("SELECT l.id FROM lane l JOIN chat c ON c.id = l.chat_id WHERE c.external_id = '1'")
    run = await house.db.write(lambda tx: claim_lane(house, tx, lane_id))
    assert run is not None
    steps = iter(range(1, 100))

    async def call(name: str = "contacts_send", role: Role = Role.PLANNER, **arguments: Any) -> ToolResult:
        executor = house.app.worker.answering.collaborators.loop._executor
        return await executor.call(run.context(role), next(steps), ToolCall(id="c", name=name, arguments=arguments))

    return call


async def admit(house: House, address: str) -> None:
    """Let somebody in."""
    sender = Sender(address=address, name=f"Name of {address}", language="en")

    def let_in(tx: Tx) -> None:
        person_id, _ = people.meet(tx, house.tenant_id, sender, house.clock.now())
        people.set_standing(tx, house.tenant_id, person_id, "member")

    await house.db.write(let_in)


async def contact(house: House, name: str = "Bob") -> str:
    (found,) = await house.column("SELECT id FROM contact WHERE nickname = :name", name=name)
    return ids.ref("c", found)


def envelope(**fields: Any) -> str:
    whole = {"message_id": "m1", "text": "tea?", "sent_at": "2026-09-21T14:00:00+02:00", **fields}
    return base64.urlsafe_b64encode(json.dumps(whole).encode()).decode().rstrip("=")


async def test_a_message_reaches_a_contact_in_private_with_a_way_to_end_that(
    database: Database, tmp_path: Path
) -> None:
    house = await two(database, tmp_path)
    assert await said(house, "/send Bob I'm late,\n*5* min") == "✉️ For Bob, on its way: I'm late,\n\\*5\\* min"
    assert house.adapter.texts("2")[-1] == "✉️ Name of tg:1 sends you:\nI'm late,\n\\*5\\* min"
    assert labels(house, "2") == ["Mute Name of tg:1"]


async def test_somebody_who_never_talked_to_the_bot_gets_nothing(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/contacts add Bob @bob_1")
    assert await said(house, "/send Bob hi") == NOT_REACHED.format(name="Bob")
    assert await house.column("SELECT count(*) FROM errand") == [0]


async def test_a_guest_of_a_group_sends_nothing_and_a_member_does(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await said(house, "/time", sender=FRIEND, **GROUP)
    refused = await said(house, "/send Name of tg:2 hi", sender=GUEST, **GROUP)
    assert refused == await said(house, "/contacts", sender=GUEST, **GROUP)
    assert house.adapter.texts("2")[-1].startswith("Hi")
    await said(house, "/send Name of tg:2 hi", **GROUP)
    assert house.adapter.texts("2")[-1] == "✉️ Name of tg:1 sends you:\nhi"


async def test_whoever_lost_access_or_waits_for_it_gets_nothing(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path, mode="pairing")
    await said(house, "let me in", chat="99", sender="tg:99")
    await said(house, "/contacts add Eve tg:99")
    before = len(house.adapter.texts("99"))
    assert await said(house, "/send Eve hi") == NOT_REACHED.format(name="Eve")
    assert len(house.adapter.texts("99")) == before


async def test_nobody_writes_to_themselves_or_to_a_removed_contact(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    ask, bob = await caller(house), await contact(house)
    mine = await contact(house, "Name of tg:1")
    await ask("contacts_upsert", contact_id=bob, status="inactive")
    for contact_id, reason in ((mine, "self"), (bob, "inactive")):
        result = await ask(contact_id=contact_id, message_text="hi")
        assert result.error == f"contact is not eligible for send: {contact_id} (reason={reason})"
    assert "contact not found: c000000" in (await ask(contact_id="c000000", message_text="hi")).error


async def test_ten_an_hour_are_enough_for_a_sender(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    for n in range(4):
        await admit(house, f"tg:3{n}")
        await said(house, "hello", chat=f"3{n}", sender=f"tg:3{n}")
        await said(house, f"/contacts add P{n} tg:3{n}")
    for n in range(10):
        assert "on its way" in await said(house, f"/send P{n % 4} hi {n}")
    assert "at most 10 messages" in await said(house, "/send Bob hi")
    house.clock.advance(HOUR + 1)
    assert "on its way" in await said(house, "/send Bob hi")


async def test_three_a_day_are_enough_for_a_recipient(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    for n in range(3):
        await said(house, f"/send Bob hi {n}")
    assert "gets at most 3 messages" in await said(house, "/send Bob hi")
    assert len([text for text in house.adapter.texts("2") if "sends you" in text]) == 3
    house.clock.advance(DAY + 1)
    assert "on its way" in await said(house, "/send Bob hi")


@pytest.mark.databases("sqlite", "postgres")
async def test_the_same_text_in_one_run_is_sent_once(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    ask, bob = await caller(house), await contact(house)
    for _ in range(3):
        result = await ask(contact_id=bob, message_text="hi")
        assert result.success, result.error
    assert result.result["duplicate"] is True
    assert (result.result["status"], result.result["channel"]) == ("queued", "telegram")
    assert await house.column("SELECT message_key FROM errand") == [result.result["message_id"]]
    assert len(await house.column("SELECT id FROM outbox WHERE message_key LIKE 'errand:%'")) == 1
    assert (await ask(role=Role.TELLER, contact_id=bob, message_text="hi")).code == "not_permitted"


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [2, 3, 4])
async def test_a_crash_sends_a_message_neither_twice_nor_never(
    database: Database, tmp_path: Path, commits: int, after: bool
) -> None:
    crashing = CrashingDatabase(database)
    house = await two(crashing, tmp_path)
    await house.hear("/send Bob tea?")
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await house.work()
    second = await home(database, tmp_path)
    await second.app._take_up()
    await second.later(HOUR)
    keys = await second.column("SELECT state FROM outbox WHERE message_key LIKE 'errand:%'")
    assert keys == ["sent"]
    assert await second.column("SELECT count(*) FROM errand") == [1]


async def test_an_envelope_is_opened_and_a_plain_text_wins(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    ask, bob = await caller(house), await contact(house)
    made = await ask(contact_id=bob, payload_base64=envelope())
    assert UUID(made.result["session_id"]).version == 7
    session = str(uuid7(1, 2))
    both = await ask(contact_id=bob, payload_base64="???", message_text="coffee?", session_id=session)
    assert both.result["session_id"] == session
    assert "session_id" not in (await ask(contact_id=bob, message_text="x", topic="my.topic")).result
    await house.send()
    assert [text.split("\n")[1] for text in house.adapter.texts("2")[-3:]] == ["tea?", "coffee?", "x"]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({}, "message_text or payload_base64 is needed"),
        ({"message_text": " \n"}, "message_text or payload_base64 is needed"),
        ({"payload_base64": "%%%"}, "payload_base64 must be"),
        ({"payload_base64": "bm8ganNvbg"}, "payload_base64 must be"),
        ({"payload_base64": "WzFd"}, "payload_base64 must be"),
        ({"payload_base64": envelope(sent_at="yesterday")}, "payload_base64 must be"),
        ({"payload_base64": envelope(sent_at="2026-09-21T14:00:00")}, "sent_at have an offset"),
        ({"payload_base64": envelope(message_id="")}, "message_id"),
        ({"payload_base64": envelope(text=5)}, "must be texts"),
        ({"payload_base64": envelope(text="x" * 3001)}, "too long"),
        ({"message_text": "x" * 3001}, "message_text"),
        ({"message_text": "x", "content_type": "text/plain"}, "content_type"),
        ({"message_text": "x", "session_id": "abc"}, "UUIDv7"),
        ({"message_text": "x", "session_id": "d0c7b8a2-1111-4111-8111-111111111111"}, "UUIDv7"),
    ],
)
async def test_what_cannot_be_sent_is_told_and_counts_for_nothing(
    database: Database, tmp_path: Path, given: dict[str, Any], error: str
) -> None:
    house = await two(database, tmp_path)
    ask, bob = await caller(house), await contact(house)
    result = await ask(contact_id=bob, **given)
    assert not result.success
    assert error in result.error
    assert await house.column("SELECT count(*) FROM errand") == [0]


def test_a_session_has_its_version_its_variant_and_its_time() -> None:
    found = uuid7((1 << 74) - 1, 0x0123456789AB)
    assert str(found) == "01234567-89ab-7fff-bfff-ffffffffffff"
    assert str(uuid7(0, 0)) == "00000000-0000-7000-8000-000000000000"


async def test_quiet_hours_hold_a_message_back_until_they_end(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)  # it is 14:13
    await said(house, "/quiet 14:00-15:00", **friend())
    answer = await said(house, "/send Bob *tea*?")
    assert "It is quiet there now, so they get it at" in answer
    assert "15:00" in answer
    assert "tea" not in house.adapter.texts("2")[-1]
    house.clock.advance(HOUR)
    await house.sweep()
    (mine,) = await house.column("SELECT id FROM person WHERE name = 'Name of tg:1'")
    assert house.adapter.texts("2")[-1].splitlines()[:2] == ["✉️ Name of tg:1 has sent you:", "\\*tea\\*?"]
    assert f"`/mute {ids.ref('p', mine)}`" in house.adapter.texts("2")[-1]


@pytest.mark.parametrize("anew", ["/quiet off", "/quiet 20:00-22:00", "/timezone Tokyo"])
async def test_other_quiet_hours_let_go_what_was_held_back(database: Database, tmp_path: Path, anew: str) -> None:
    house = await two(database, tmp_path)  # it is 14:13
    await said(house, "/quiet 14:00-18:00", **friend())
    await said(house, "/send Bob tea?")
    await said(house, "/remind in 1 minute feed the cat until done", **friend())
    await passes(house, 60)
    await passes(house, 600)
    cats = sum("feed the cat" in text for text in house.adapter.texts("2"))
    await said(house, "/quiet 14:00-19:00", **friend())
    await house.sweep()
    assert "tea?" not in "".join(house.adapter.texts("2"))
    await said(house, anew, **friend())
    await house.sweep()
    told = house.adapter.texts("2")
    assert sum("tea?" in text for text in told) == 1
    assert sum("feed the cat" in text for text in told) == cats + 1
    await passes(house, 60)
    assert len(house.adapter.texts("2")) == len(told)


async def test_whoever_is_muted_is_not_heard_after_a_month_of_quiet_either(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    await said(house, "/quiet always", **friend())
    await said(house, "/send Bob zebrafish")
    for _ in range(2):
        house.clock.advance(16 * DAY)
        await house.sweep()
        await house.app.container.get(Retention).forget()
    assert "Nothing more" in await said(house, "/mute Name of tg:1", **friend())
    await said(house, "/quiet off", **friend())
    house.clock.advance(2 * DAY)
    await house.sweep()
    assert "zebrafish" not in "".join(house.adapter.texts("2"))
    # It counted nothing any more.
    await house.app.container.get(Retention).forget()
    assert await house.column("SELECT count(*) FROM errand") == [0]


async def test_whoever_is_muted_is_not_heard_when_the_quiet_hours_end(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)  # it is 14:13
    await said(house, "/send Bob hello")
    await said(house, "/quiet 14:00-15:00", **friend())
    await said(house, "/send Bob zebrafish")
    # Of others he still hears.
    lane, bob, now = await lane_of(house, "2"), await person_of(house, FRIEND), house.clock.now()
    note = Trigger(
        lane=lane,
        person_id=bob,
        deliver="note",
        kind="once",
        spec=dump(Once(at=now)),
        text="from Carl",
        link="errand:1",
        next_at=now,
    )
    await house.db.write(lambda tx: triggers.insert(tx, note, now))
    assert "Nothing more" in await said(house, "/mute Name of tg:1", **friend())
    house.clock.advance(HOUR)
    await house.sweep()
    assert "zebrafish" not in "".join(house.adapter.texts("2"))
    assert house.adapter.texts("2")[-1] == "from Carl"


async def test_whoever_is_muted_writes_no_more(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    await said(house, "/send Bob hi")
    assert await pressed(house, "Mute Name of tg:1", chat="2", sender=FRIEND) == (
        "🔇 Nothing more from Name of tg:1 by way of me."
    )
    assert await said(house, "/send Bob hi again") == NOT_REACHED.format(name="Bob")
    assert await pressed(house, "Undo", chat="2", sender=FRIEND) == "↩ Taken back: muting Name of tg:1."
    assert "on its way" in await said(house, "/send Bob hi again")


@pytest.mark.databases("sqlite", "postgres")
async def test_the_muted_are_listed_and_heard_again(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    assert "You hear from everybody." in await said(house, "/mute", **friend())
    await said(house, "/send Bob hi")
    await said(house, "/mute name of TG:1", **friend())
    assert "You hear nothing from Name of tg:1" in await said(house, "/mute Name of tg:1", **friend())
    assert (await said(house, "/mute", **friend())).splitlines()[1:] == ["- Name of tg:1"]
    await house.press("Hear Name of tg:1 again", chat="2", sender=FRIEND)
    await house.work()
    assert house.shown("2")[-1].text == "🔔 You hear from Name of tg:1 again."
    assert await said(house, "/unmute Name of tg:1", **friend()) == "You have muted nobody called Name of tg:1."


@pytest.mark.databases("sqlite", "postgres")
async def test_ids_of_people_tell_nobody_who_is_known_here(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    await said(house, "hello", chat="1")
    for number in await house.column("SELECT id FROM person WHERE name = 'Name of tg:1'"):
        person = ids.ref("p", number)
        assert (
            await said(house, f"/mute {person}", **friend()) == f"I know nobody called {person} who could write to you."
        )
    assert await house.column("SELECT count(*) FROM mute") == [0]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_guest_of_a_group_may_mute_there(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/time", sender=GUEST, **GROUP)
    answer = await said(house, "/mute Name of tg:1", sender=GUEST, **GROUP)
    assert answer == "🔇 Nothing more from Name of tg:1 by way of me."
    (payload,) = await house.column("SELECT payload FROM outbox ORDER BY id DESC LIMIT 1")
    assert json.loads(payload)["only_for"] == GUEST
    assert await said(house, "/mute Name of tg:7", sender=GUEST, **GROUP) == "You can't mute yourself."


async def test_a_message_is_forgotten_as_a_count_after_its_buttons(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    await said(house, "/send Bob hi")
    house.clock.advance(29 * DAY)
    await house.app.container.get(Retention).forget()
    assert await house.column("SELECT count(*) FROM errand") == [1]
    house.clock.advance(2 * DAY)
    await house.app.container.get(Retention).forget()
    assert await house.column("SELECT count(*) FROM errand") == [0]


async def test_whom_to_send_to_is_asked_when_it_is_not_clear(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    await said(house, "/contacts add Bo Wu @bo_wu")
    await said(house, "/contacts rename Bob Bo Li")
    assert await said(house, "/send Bo I'm late") == "Whom do you mean?"
    await house.press("Bo Li")
    await house.work()
    assert house.adapter.texts("2")[-1] == "✉️ Name of tg:1 sends you:\nI'm late"
    assert "I know nobody here who is called Zoe" in await said(house, "/send Zoe hi")
    assert "Write `/send Bob`" in await said(house, "/send")


async def test_what_to_send_is_asked_when_it_is_missing(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    assert "What shall I tell Bob?" in await said(house, "/send Bob")
    assert "on its way: I'm late" in await said(house, "I'm late")
    assert house.adapter.texts("2")[-1] == "✉️ Name of tg:1 sends you:\nI'm late"


async def test_where_nobody_has_said_the_zone_it_is_named(database: Database, tmp_path: Path) -> None:
    house = await two(database, tmp_path)
    await said(house, "/quiet 14:00-15:00", **friend())
    assert "15:00 (UTC)" in await said(house, "/send Bob tea?")
    await said(house, "/timezone Berlin")
    assert "17:00: milk" in await said(house, "/send Bob milk?")
