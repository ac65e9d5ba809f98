"""Buttons hold intents; those of former versions stand for command lines, and go on doing the same.

Each scene is played twice: as it is now, and with every button that hangs put back to the line that it once was.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from core.agents.transcript import load
from core.delivery.composer import Composer
from core.delivery.message import OutgoingMessage
from core.delivery.notifier import Notifier
from core.delivery.owner_notices import OwnerNotices
from core.kernel.errors import ModelUnreachable
from core.kernel.intent import Intent
from core.kernel.ports import Database, Tx
from core.kernel.replies import Reply
from core.kernel.types import Answer
from core.toolkit import intents
from core.toolkit.command import CommandRun
from core.toolkit.former_lines import as_intent
from tests.commanding import FRIEND, GROUP, GUEST, group, home, pressed, said
from tests.fakes import STRANGER, House
from tests.fakes import house as build
from tests.linking import BO, DM, allowed, asked, code_of

pytestmark = pytest.mark.databases("sqlite", "postgres")

# What a button stood for, by the name of the intent that it asks for now.
LINES: Mapping[str, Callable[..., str]] = {
    "members.show": lambda page: f"/people {page}",
    "members.remove": lambda person: f"/people remove {person}",
    "members.restore": lambda person: f"/people restore {person}",
    "members.pair": lambda code, allow: f"/pair {code}" if allow else f"/pair deny {code}",
    "links.confirm": lambda question, yes: f"/link {'yes' if yes else 'drop'} {question}",
    "links.answer": lambda question, answer: f"/link {answer} {question}",
    "links.end": lambda person: f"/unlink {person}",
    "privacy.opt_out": lambda out: "/optout" if out else "/optout off",
    "privacy.keep": lambda: "/forget no",
    "privacy.forget": lambda: "/forget yes",
    "chat.retry": lambda message: f"/retry {message}",
    "chat.drop": lambda: "/drop",
    "command": lambda command, rest: f"/{command} {rest}".strip(),
}


@pytest.fixture(params=["intents", "lines"])
def former(request: pytest.FixtureRequest) -> bool:
    """Whether the buttons are those of a former version."""
    return bool(request.param == "lines")


async def press(house: House, label: str, *, former: bool, **where: Any) -> str:
    """Press a button, of a former version if that is asked for; return what is answered."""

    def put_back(tx: Tx) -> None:
        for row in tx.all("SELECT id, buttons FROM keyboard", {}):
            buttons = [
                (shown, LINES[asks["intent"]](**asks["arguments"]) if _had_line(asks) else asks)
                for shown, asks in json.loads(row["buttons"])
            ]
            kept = {"buttons": json.dumps(buttons), "id": row["id"]}
            tx.run("UPDATE keyboard SET buttons = :buttons WHERE id = :id", kept)

    if former:
        await house.db.write(put_back)
    answer = await pressed(house, label, **where)
    stored = await house.column("SELECT intent FROM inbox WHERE pressed IS NOT NULL ORDER BY id DESC LIMIT 1")
    assert [one == "" for one in stored] == [former]
    return answer


def _had_line(asks: Any) -> bool:
    return isinstance(asks, dict) and asks["intent"] in LINES


async def test_somebody_is_removed_and_restored(database: Database, tmp_path: Path, former: bool) -> None:
    house = await home(database, tmp_path)
    await said(house, "hello", chat="2", sender=FRIEND)
    await said(house, "/people")
    assert "has no access any more." in await press(house, "Remove Name of tg:2", former=former)
    await said(house, "/people")
    assert "has access again." in await press(house, "Restore Name of tg:2", former=former)
    assert (await house.column("SELECT standing FROM person WHERE id = 2")) == [""]
    done = await house.column("SELECT tool FROM ledger WHERE role = 'person' AND tool LIKE '%person'")
    assert sorted(done) == ["remove_person", "restore_person"]


async def test_the_list_of_people_is_turned(database: Database, tmp_path: Path, former: bool) -> None:
    house = await home(database, tmp_path, mode="open")
    for number in range(50, 72):
        await said(house, "hello", chat=str(number), sender=f"tg:{number}")
    await said(house, "/people")
    assert "tg:71" in await press(house, "More", former=former)


@pytest.mark.parametrize(
    ("label", "answer"), [("Allow", "may talk to me now."), ("Deny", "stays out. I don't tell them.")]
)
async def test_a_stranger_is_let_in_or_not(
    database: Database, tmp_path: Path, former: bool, label: str, answer: str
) -> None:
    house = await home(database, tmp_path, mode="pairing")
    await said(house, "hello", chat="99", sender=STRANGER)
    code = house.adapter.texts("99")[0].split("**")[1]
    assert answer in await press(house, label, former=former)
    if not former:
        # The press stands in the history as its label, and the code in none of what was said.
        assert await house.column(f"SELECT text FROM message WHERE role = 'user' AND text LIKE '%{code}%'") == []
        assert await house.column("SELECT text FROM inbox WHERE pressed IS NOT NULL") == [label]


async def test_two_accounts_are_linked_and_parted(database: Database, tmp_path: Path, former: bool) -> None:
    one, other = await allowed(database, tmp_path)
    for where in (DM, {"chat": "D2", "sender": BO}):
        await said(other, "hello", **where)
        await said(other, f"/link {await code_of(one)}", **where)
        assert "Now I ask you on Telegram" in await press(other, "Yes, that is me", former=former, **where)
        assert "Linked with" in await press(one, "Reminders and to-dos", former=former)
    await said(one, "/unlink")
    (label,) = [button.label for button in one.shown("1")[-1].keyboard.buttons if "U2" in button.label]  # type: ignore[union-attr]
    assert "has ended" in await press(one, label, former=former)
    assert await one.column("SELECT count(*) FROM link") == [2]


@pytest.mark.databases("sqlite")
async def test_a_link_is_refused_by_either_side(database: Database, tmp_path: Path, former: bool) -> None:
    one, other = await allowed(database, tmp_path)
    await asked(one, other)
    assert "Not linked" in await press(one, "No", former=former)
    await said(other, f"/link {await code_of(one)}", **DM)
    assert "Not linked" in await press(other, "No", former=former, **DM)
    assert await one.column("SELECT count(*) FROM link") == [0]


@pytest.mark.parametrize(("label", "left"), [("Keep", ["open"]), ("Forget everything", [])])
async def test_everything_is_forgotten_or_kept(
    database: Database, tmp_path: Path, former: bool, label: str, left: list[str]
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/todo milk")
    await said(house, "/forget")
    await press(house, label, former=former)
    assert await house.column("SELECT state FROM todo") == left


async def test_who_is_removed_from_all_but_the_group_forgets_there(
    database: Database, tmp_path: Path, former: bool
) -> None:
    house = await group(database, tmp_path)
    await said(house, "mine", sender=GUEST, **GROUP)
    await said(house, "/forget", sender=GUEST, **GROUP)
    answer = await press(house, "Forget my words", former=former, sender=GUEST, chat="-5", chat_kind="group")
    assert "Forgotten" in answer
    assert await house.column("SELECT text FROM message WHERE text = 'mine'") == []


async def test_who_opted_out_is_heard_by_the_button_that_says_so(
    database: Database, tmp_path: Path, former: bool
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/optout", sender=GUEST, **GROUP)
    await press(house, "Listen to me again", former=former, sender=GUEST, chat="-5", chat_kind="group")
    assert await house.column("SELECT count(*) FROM optout") == [0]


@pytest.mark.databases("sqlite")
async def test_what_was_given_up_is_tried_again(database: Database, tmp_path: Path, former: bool) -> None:
    house = await build(database, tmp_path / "house", *[RuntimeError("a bug")] * 3, "an answer at last")
    await house.hear("what is this?")
    for _ in range(5):
        await house.later(10)
    assert (await press(house, "Try again", former=former)).startswith("I'll try it again.")
    assert house.adapter.texts("1")[-1] == "an answer at last"


@pytest.mark.databases("sqlite")
async def test_a_command_of_nearly_this_name_gets_what_stands_behind_it(
    database: Database, tmp_path: Path, former: bool
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/reminder tomorrow at 9 call Oma")
    assert (await press(house, "/remind", former=former)).startswith("⏰ Tue 22 Sep 09:00 (UTC), in 18 h 47 min")


async def test_what_is_kept_for_the_model_is_given_up(database: Database, tmp_path: Path, former: bool) -> None:
    house = await build(database, tmp_path / "house", *[ModelUnreachable("down")] * 3)
    await said(house, "why?")
    assert await press(house, "Drop", former=former) == "Dropped: I don't answer that any more."
    assert set(await house.column("SELECT state FROM inbox")) == {"done"}


@pytest.mark.databases("sqlite")
def test_what_a_former_version_answered_before_it_was_killed_has_buttons_with_intents() -> None:
    step = {"text": "Hm.", "calls": [], "choices": [], "offers": [["Remind me", "/remind the tea"]]}
    assert load(json.dumps(step)).offers == (("Remind me", intents.command("remind", "the tea")),)


@pytest.mark.databases("sqlite")
def test_any_line_of_a_former_version_has_an_intent() -> None:
    assert as_intent("/todo done tab12cd 2") == Intent("command", {"command": "todo", "rest": "done tab12cd 2"})
    assert as_intent("/Tasks@my_bot") == Intent("command", {"command": "tasks", "rest": ""})
    assert as_intent("/remind me in 5 min:\nthe tea") == Intent(
        "command", {"command": "remind", "rest": "me in 5 min:\nthe tea"}
    )
    assert as_intent("/share") == Intent("chat.share", {})


@pytest.mark.databases("sqlite")
def test_nothing_offers_a_line() -> None:
    """An offer is a label and an intent wherever one is made; so mypy refuses a button that stands for a line."""
    for made in (Reply, Answer):
        assert get_type_hints(made)["offers"] == tuple[tuple[str, Intent], ...]
    makers = (CommandRun.reply, Composer.outgoing, Composer.tell, Notifier.tell, OwnerNotices.tell)
    for maker in makers:
        assert "Sequence[Offer]" in str(maker.__annotations__["offers"])
    assert "tuple[Offer, ...]" in str(OutgoingMessage.__annotations__["offers"])
