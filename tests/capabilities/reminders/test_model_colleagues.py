"""A model reminds colleagues who have never written, where the platform lets the bot begin: whom the person names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest

from bot.config.sections import AccessSection
from core.kernel import ids
from core.kernel.ports import Database, Tx
from core.kernel.types import Answer, ModelRequest, ToolCall
from tests.capabilities.reminders.test_remind_strangers import ANN, BO, GUS, colleague
from tests.commanding import pressed, said
from tests.fakes import FakeAdapter, House, house
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")

T = TypeVar("T")
UNREACHED = "reach"
NUDGE = {"text": "send the slides", "when": "tomorrow at nine"}
SET, ASKED = "⏰", "Shall I remind"
# Nothing that a grammar understands whole.
WISH = "could you see to it that @bo sends the slides tomorrow morning?"
BOB = replace(colleague(), name="Bob")
CHANNEL = {"chat": "C5", "chat_kind": "group", "title": "#team"}


async def office(db: Database, folder: Path) -> House:
    """A house of Ann's, whose whole workspace has access, with a model that sets reminders."""
    adapter = FakeAdapter("slack")
    adapter.direct_chats[BO] = colleague()
    access = AccessSection(mode="allowlist", allow=("slack:T1",))
    return await house(db, folder / "house", adapter=adapter, owners=(ANN,), access=access)


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """Such a house; Ann talks to the bot in private."""
    made = await office(database, tmp_path)
    await said(made, "/help", sender=ANN)
    return made


def calling(name: str, **arguments: Any) -> Answer:
    return Answer(calls=(ToolCall(id="a", name=name, arguments=arguments),))


async def wished(home: House, text: str, *answers: Answer, **fields: Any) -> str:
    """Say something that the model works on with these calls, and then says the last result; returns that."""
    assert home.model is not None

    def last(request: ModelRequest) -> str:
        return str(request.messages[-1]["content"])

    home.model.add(*answers, last)
    answer = await said(home, text, sender=ANN, **fields)
    home.model.forget()  # what was shown ends the run
    return answer


def reminding(whom: str) -> Answer:
    return calling("remind", **NUDGE, **{"for": [whom]})


@pytest.mark.parametrize("whom", ["@bo", "Bo", BO])
async def test_whom_the_person_mentions_is_reminded_by_handle_name_or_address(home: House, whom: str) -> None:
    told = await wished(home, WISH, reminding(whom), mentioned=(colleague(),))
    assert SET in told
    assert home.adapter.texts(f"D-{BO}") == []
    await passes(home, 86_400)
    [shown] = home.adapter.texts(f"D-{BO}")
    assert "send the slides" in shown


async def test_a_to_do_of_a_model_reminds_them(home: House) -> None:
    due = calling("todo_update", action="add", content="send the slides", people=["@bo"], due="2026-09-22T09:00")
    await wished(home, WISH, due, mentioned=(colleague(),))
    await passes(home, 86_400)
    assert "send the slides" in home.adapter.texts(f"D-{BO}")[0]


async def test_when_may_be_said_later(home: House) -> None:
    await wished(home, "could you nudge @bo about the slides for me?", mentioned=(colleague(),))
    assert ASKED in await wished(home, "well, some time around nine tomorrow", reminding("Bo"))
    assert SET in await pressed(home, "Yes", sender=ANN)


async def test_who_was_named_before_is_known_by_their_name(home: House) -> None:
    home.adapter.direct_chats[BO] = BOB
    await said(home, "/todo lunch @bo", sender=ANN, mentioned=(BOB,))
    assert SET in await wished(home, "could you nudge Bob about the slides?", reminding("Bob"))


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("what is in this?", {}),
        ("please @bo-team, and @bobby, and the rainbo", {}),
        ("@bo must send the slides", {"forwarded": True}),
        ("do what this says", {"quoted": "@bo must send the slides"}),
        ("> @bo and Bob must send the slides\nwhat do you make of that?", {}),
        ("what is this?\n```\nFrom: Bob @bo\n```", {}),
        ("what is in https://x.example/Bob?", {}),
    ],
    ids=["not named", "another name", "forwarded", "quoted", "quoted by hand", "code", "link"],
)
async def test_a_model_reaches_nobody_whom_the_person_has_not_named(
    home: House, text: str, fields: dict[str, Any]
) -> None:
    await said(home, "/todo lunch @bo", sender=ANN, mentioned=(BOB,))
    assert UNREACHED in await wished(home, text, reminding("@bo"), **fields)


async def test_a_model_reaches_nobody_whom_it_notes_itself(home: House) -> None:
    home.adapter.direct_chats[GUS] = colleague(GUS)
    noted = calling("contacts_upsert", subject_id=GUS, contact_nickname="Gus")
    assert UNREACHED in await wished(home, "what does this page say?", noted, reminding("Gus"))
    assert await home.column("SELECT count(*) FROM person") == [1]


@pytest.mark.parametrize("nickname", ["Gus", "the", "fridge"])
async def test_what_a_model_noted_names_nobody_later_either(home: House, nickname: str) -> None:
    home.adapter.direct_chats[GUS] = colleague(GUS)
    noted = calling("contacts_upsert", subject_id=GUS, contact_nickname=nickname)
    await wished(home, "look: this was sent to me", noted, forwarded=True)
    asked = "what is in the fridge of Gus, do you think?"
    assert UNREACHED in await wished(home, asked, reminding(nickname))
    assert await home.column("SELECT count(*) FROM person") == [1]
    # Not even by their address.
    assert UNREACHED in await wished(home, f"could you nudge {GUS}?", reminding(GUS))


@pytest.mark.databases("sqlite", "postgres")
async def test_a_handle_that_a_model_noted_names_nobody(home: House) -> None:
    home.adapter.direct_chats[GUS] = replace(colleague(GUS), handle="@gus")
    noted = calling("contacts_upsert", subject_id=GUS, contact_nickname="")
    also = calling("contacts_upsert", contact_id=ids.ref("c", 2), subject_id="tg:@lead")
    await wished(home, "note whom you think best, dear", noted, also)
    kept = "SELECT external_id FROM contact_address WHERE contact_id = 2 ORDER BY external_id DESC"
    assert await home.column(kept) == ["tg:@lead", GUS]
    assert UNREACHED in await wished(home, "what would @lead say of this?", reminding("@lead"))
    assert await home.column("SELECT count(*) FROM person") == [1]


@pytest.mark.parametrize("kin", ["guest", "outsider"])
async def test_who_is_a_guest_now_is_not_met_by_what_they_were(home: House, kin: str) -> None:
    await said(home, "hello there @teller", sender=BO, kin="full", handle="@bo", **CHANNEL)
    home.adapter.direct_chats[BO] = colleague(kin=kin)
    assert UNREACHED in await wished(home, WISH, reminding("@bo"), mentioned=(colleague(kin=kin),))
    assert (await said(home, "/remind @bo in 10 minutes to call me", sender=ANN)).startswith("I can't reach")
    home.adapter.direct_chats[BO] = colleague(kin="", unknown="now")
    assert SET in await wished(home, WISH, reminding("@bo"))


@pytest.mark.parametrize("kin", ["guest", "outsider", ""])
async def test_who_has_no_access_is_not_met(home: House, kin: str) -> None:
    home.adapter.direct_chats[BO] = colleague(kin=kin)
    assert UNREACHED in await wished(home, WISH, reminding("@bo"), mentioned=(colleague(kin=kin),))
    assert await home.column("SELECT count(*) FROM chat") == [1]


async def test_the_limits_of_a_command_hold(home: House) -> None:
    for n in range(3):
        await wished(
            home,
            f"{WISH} {n}",
            calling("remind", **{**NUDGE, "text": f"{n}"}, **{"for": ["@bo"]}),
            mentioned=(colleague(),),
        )
    assert "at most 3" in await wished(home, WISH, reminding("@bo"))


async def test_in_a_channel_nobody_is_met_and_the_reminder_comes_there(home: House) -> None:
    told = await wished(home, WISH, reminding("@bo"), mentioned=(colleague(),), **CHANNEL)
    assert SET in told
    await passes(home, 86_400)
    assert "send the slides" in home.adapter.texts("C5")[-1]
    assert home.adapter.texts(f"D-{BO}") == []


@pytest.mark.databases("sqlite", "postgres")
async def test_that_somebody_was_met_stands_in_the_ledger(home: House) -> None:
    await wished(home, WISH, reminding("@bo"), mentioned=(colleague(),))
    assert await home.column("SELECT tool FROM ledger WHERE role = 'teller' AND tool <> '' ORDER BY n") == [
        "meet_person",
        "set_reminder",
        "remind",
        "reply",
    ]


async def test_where_the_bot_cannot_begin_it_is_not_looked_up_who_is_named(home: House) -> None:
    reads = 0
    read = home.db.read

    async def counted(fn: Callable[[Tx], T]) -> T:
        nonlocal reads
        reads += 1
        return await read(fn)

    home.db.read = counted  # type: ignore[method-assign] # it is counted
    needed = []
    await wished(home, "how are you?")
    for opens in (True, False):
        home.adapter.opens, reads = opens, 0
        await wished(home, "how are you?")
        needed.append(reads)
    assert needed[1] == needed[0] - 1
