"""Share: an answer that only one person of a channel sees is said for all, once, by its button."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.kernel.ids import ref
from core.kernel.ports import Database
from core.kernel.types import Press, Sender
from tests.fakes import FakeAdapter, House, Sent
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

OWNER, BO = "slack:T1:U1", "slack:T1:U2"
CHANNEL: dict[str, Any] = {"chat": "C1", "chat_kind": "group", "title": "general", "converses": True, "sender": OWNER}
SHARE, HOOK = "Share here", "https://hooks.example"


@pytest.fixture
async def house(database: Database, tmp_path: Path) -> House:
    """A house on a platform with channels, which was spoken to in one."""
    made = await build(database, tmp_path / "house", model=False, adapter=FakeAdapter("slack"), owners=(OWNER,))
    await ask(made, "hello", response_url="")
    return made


async def ask(house: House, text: str, **fields: Any) -> list[Sent]:
    """Ask in the channel, so that only who asks sees the answer; returns what is sent."""
    before = len(house.adapter.sent)
    await house.hear(text, **{**CHANNEL, "response_url": f"{HOOK}/asked", **fields})
    await house.work()
    return house.adapter.sent[before:]


async def press(
    house: House, label: str, sender: str = OWNER, data: str = "", *, toasts: bool = True
) -> tuple[str | None, list[Sent]]:
    """Press a button below such an answer; returns what the presser is shown, and what is sent."""
    before, key = len(house.adapter.sent), f"p{next(house.keys)}"
    pressed = Press(
        key=key,
        chat="C1",
        chat_kind="group",
        sender=Sender(address=sender, name="Ann *B*", language="en"),
        data=data or house.button(label, "C1"),
        raw="{}",
        response_url=f"{HOOK}/pressed",
        toasts=toasts,
    )
    shown = (await house.app.inbox.accept(house.tenant_id, [pressed])).get(key)
    await house.work()
    return shown, house.adapter.sent[before:]


def labels(sent: Sent) -> list[str]:
    return [] if sent.keyboard is None else [button.label for button in sent.keyboard.buttons]


async def test_a_shared_answer_is_said_for_all_by_whom_and_its_buttons_go(house: House) -> None:
    [alone] = await ask(house, "/time")
    assert (alone.to.response_url, labels(alone)[-1]) == (f"{HOOK}/asked", SHARE)
    _, sent = await press(house, SHARE)
    [public] = [one for one in sent if not one.to.response_url]
    assert public.text == f"{alone.text}\n\n↪ Shared by Ann \\*B\\*"
    assert (public.to.replaces, public.to.reply_to, labels(public)) == ("", "", [])
    assert await house.column("SELECT payload FROM outbox WHERE payload LIKE '%Shared by%only_for%'") == []
    [changed] = [one for one in sent if one.to.response_url]
    assert (changed.to.replaces, labels(changed)) == (alone.platform_id, [])


@pytest.mark.parametrize(("toasts", "told"), [(True, SHARE), (False, "")])
async def test_where_a_toast_would_stay_only_a_refusal_is_told(house: House, toasts: bool, told: str) -> None:
    [alone] = await ask(house, "/time")
    assert alone.keyboard is not None
    data = alone.keyboard.buttons[-1].data
    first, _ = await press(house, SHARE, data=data, toasts=toasts)
    again, _ = await press(house, SHARE, data=data, toasts=toasts)
    assert (first, again) == (told, "Already done.")


async def test_it_is_said_once(house: House) -> None:
    [alone] = await ask(house, "/time")
    assert alone.keyboard is not None
    data = alone.keyboard.buttons[-1].data
    await press(house, SHARE, data=data)
    shown, sent = await press(house, SHARE, data=data)
    assert (shown, sent) == ("Already done.", [])


async def test_what_is_shared_can_still_be_taken_back(house: House) -> None:
    [alone] = await ask(house, "/todo add pens")
    _, sent = await press(house, SHARE)
    [changed] = [one for one in sent if one.to.response_url]
    assert (changed.text, labels(changed)) == (f"{alone.text}\n\n↪ Shared", ["Undo"])
    _, undone = await press(house, "Undo")
    taken = "↩ Taken back: the new to-do “pens”.\n\nWhat you shared here stays as it was said."
    assert [(one.text, one.to.replaces, labels(one)) for one in undone] == [(taken, alone.platform_id, [])]
    assert await house.column("SELECT state FROM todo") == ["removed"]


async def test_a_list_keeps_its_buttons_but_that_one(house: House) -> None:
    await ask(house, "/todo add milk")
    [alone] = await ask(house, "/todo")
    assert labels(alone) == ["☐ milk", SHARE]
    data = house.button(SHARE, "C1")
    _, sent = await press(house, SHARE, data=data)
    assert [one.text for one in sent if not one.to.response_url] == [f"{alone.text}\n\n↪ Shared by Ann \\*B\\*"]
    [changed] = [one for one in sent if one.to.response_url]
    assert (changed.text, changed.to.replaces, labels(changed)) == (alone.text, alone.platform_id, ["☐ milk"])
    _, again = await press(house, SHARE, data=data)
    assert [one for one in again if not one.to.response_url] == []
    _, ticked = await press(house, "☐ milk")
    assert [labels(one) for one in ticked] == [["☑ milk"]]


async def test_a_list_can_be_shared_as_it_is_after_a_press(house: House) -> None:
    await ask(house, "/todo add milk")
    await ask(house, "/todo")
    _, [ticked] = await press(house, "☐ milk")
    assert labels(ticked) == ["☑ milk", SHARE]
    _, sent = await press(house, SHARE)
    assert [one.text for one in sent if not one.to.response_url] == [f"{ticked.text}\n\n↪ Shared by Ann \\*B\\*"]
    [changed] = [one for one in sent if one.to.response_url]
    assert labels(changed) == ["☑ milk"]


@pytest.mark.databases("sqlite", "postgres")
async def test_an_answer_of_a_former_version_is_shared_and_keeps_what_its_buttons_do(house: House) -> None:
    await ask(house, "/todo add milk")
    await ask(house, "/todo")
    (number,) = await house.column("SELECT id FROM todo")
    buttons = json.dumps([["☐ milk", f"/todo done {ref('t', number)} 1"], [SHARE, "/share"]])
    change = "UPDATE keyboard SET buttons = :buttons WHERE id = (SELECT max(id) FROM keyboard)"
    await house.db.write(lambda tx: tx.run(change, {"buttons": buttons}))
    _, sent = await press(house, SHARE)
    assert [labels(one) for one in sent if one.to.response_url] == [["☐ milk"]]
    (stored,) = await house.column("SELECT buttons FROM keyboard ORDER BY id DESC LIMIT 1")
    assert [asks["intent"] for _, asks in json.loads(stored)] == ["command"]
    _, ticked = await press(house, "☐ milk")
    assert [labels(one) for one in ticked] == [["☑ milk"]]


@pytest.mark.databases("sqlite", "postgres")
async def test_the_button_of_a_former_version_shares_once(house: House) -> None:
    [alone] = await ask(house, "/time")
    change = "UPDATE keyboard SET buttons = :buttons"
    await house.db.write(lambda tx: tx.run(change, {"buttons": json.dumps([[SHARE, "/share"]])}))
    assert alone.keyboard is not None
    data = alone.keyboard.buttons[-1].data
    _, sent = await press(house, SHARE, data=data)
    assert [one.text for one in sent if not one.to.response_url] == [f"{alone.text}\n\n↪ Shared by Ann \\*B\\*"]
    shown, again = await press(house, SHARE, data=data)
    assert (shown, again) == ("Already done.", [])


async def test_nobody_else_can_share_it(house: House) -> None:
    await ask(house, "hello", sender=BO, kin="full", response_url="")
    await ask(house, "/time")
    shown, sent = await press(house, SHARE, BO)
    assert (shown, sent) == ("This button is for somebody else.", [])


async def test_an_owner_cannot_share_what_was_said_to_somebody_else(house: House) -> None:
    await ask(house, "/time", sender=BO, kin="full")
    _, sent = await press(house, SHARE)
    assert not any("Shared by" in one.text for one in sent)


async def test_by_command_it_says_what_it_is_for(house: House) -> None:
    [answer] = await ask(house, "/share", response_url="")
    assert answer.text.startswith("That shows everybody an answer that only you see")


async def test_what_all_see_has_no_such_button(house: House) -> None:
    [answer] = await ask(house, "/time", response_url="")
    assert SHARE not in labels(answer)
    [private] = await ask(house, "/time", chat="D1", chat_kind="private")
    assert SHARE not in labels(private)


@pytest.mark.parametrize(
    "text",
    [
        "/time Nowhere at all",
        "/people",
        "/remind",
        "/snooze",
        "/todo done nothing like it",
        "/hush",
        "/help",
        "/nonsense",
        "/tim",
        "/cancel",
    ],
)
async def test_what_is_refused_or_only_explained_is_not_offered_for_all(house: House, text: str) -> None:
    for sent in await ask(house, text):
        assert SHARE not in labels(sent), sent.text


async def test_what_was_taken_back_is_not_offered_for_all(house: House) -> None:
    await ask(house, "/todo add pens")
    _, undone = await press(house, "Undo")
    assert undone
    assert not any(SHARE in labels(one) for one in undone)


async def test_where_only_who_asks_sees_it_nobody_is_warned_of_the_others(house: House) -> None:
    [answer] = await ask(house, "/people")
    assert answer.text == "Not here: write it to me in our private chat."


async def test_what_changes_the_language_for_all_is_said_to_all_in_it(house: House) -> None:
    [answer] = await ask(house, "/language zh")
    assert (answer.to.response_url, labels(answer)) == ("", ["撤销"])


async def test_where_the_bot_is_not_any_more_nothing_is_shared(house: House) -> None:
    await ask(house, "/todo milk")
    await house.db.write(lambda tx: tx.run("UPDATE chat SET state = 'gone' WHERE external_id = 'C1'"))
    _, sent = await press(house, SHARE)
    assert [one.text for one in sent] == [
        "I am not in this chat any more, so nobody here would see it. Add me again, then ask once more."
    ]
