"""What everybody may ask of the bot, removed people too: what it keeps, to be left alone. And who is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.members import service as members
from core.capabilities.settings import service as settings
from core.kernel.errors import Refused
from core.kernel.ports import Database, Tx
from core.kernel.types import Role, Sender
from core.toolkit.action import Action, Actions
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import House, claim_lane, inbound
from tests.fakes import house as with_model

pytestmark = pytest.mark.databases("sqlite")


async def removed(database: Database, folder: Path) -> House:
    """A group with somebody who was removed."""
    house = await group(database, folder)
    await said(house, "hello", **friend())
    await said(house, "/people")
    await pressed(house, "Remove Name of tg:2")
    return house


async def test_privacy_tells_what_is_kept_and_how_long(database: Database, tmp_path: Path) -> None:
    retention = {"inbox_days": 11, "outbox_days": 12, "journal_days": 13, "files_days": 14, "readalong_days": 15}
    house = await group(database, tmp_path, retention=retention)
    told = await said(house, "/privacy")
    assert all(f"{days} days" in told for days in (11, 12, 13, 14))
    assert "whoever runs this bot" in told
    assert "/forget" in told
    assert "I don't read along" in await said(house, "/privacy", **GROUP)
    await said(house, "/readalong on", **GROUP)
    assert "everything that is said here" in await said(house, "/privacy", sender=GUEST, **GROUP)
    assert "15 days" in house.adapter.texts("-5")[-1]


async def test_a_group_is_told_what_the_bot_is_not_sent(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    house.adapter.seeing = False
    assert "I am not sent what you say to each other" in await said(house, "/privacy", **GROUP)
    assert "I don't read along in this group." in await said(house, "/status", **GROUP)
    for there, told in ((True, "From now on I read along"), (False, "I am only sent what is said to me")):
        house.adapter.seeing = there
        await said(house, "/readalong on", **GROUP)
        assert told in "\n".join([house.adapter.texts("-5")[-1], await said(house, "/status", **GROUP)])
    told = await said(house, "/privacy", **GROUP)
    assert "Reading along is on, but I am not sent" in told


@pytest.mark.parametrize("command", ["/privacy", "/optout", "/optout off", "/forget", "/forget me", "/forget no"])
async def test_removed_people_may_still_ask_for_their_privacy(database: Database, tmp_path: Path, command: str) -> None:
    house = await removed(database, tmp_path)
    answer = await said(house, command, sender=FRIEND, **GROUP)
    assert answer
    assert "access" not in answer.lower()
    assert "didn't work" not in answer
    assert await said(house, command, **friend()) == ""


@pytest.mark.parametrize("command", ["/help", "/id", "/status", "/undo", "/new", "/language zh", "/history"])
async def test_removed_people_may_nothing_else(database: Database, tmp_path: Path, command: str) -> None:
    house = await removed(database, tmp_path)
    assert await said(house, command, sender=FRIEND, **GROUP) == ""


async def test_who_is_removed_while_a_command_waits_gets_what_is_for_everybody(
    database: Database, tmp_path: Path
) -> None:
    house = await group(database, tmp_path)
    await said(house, "hello", **friend())
    await house.hear("/privacy", sender=FRIEND, **GROUP)
    await house.hear("/id", sender=FRIEND, **GROUP)
    await house.hear("/privacy", **friend())
    await house.db.write(lambda tx: tx.run("UPDATE person SET standing = 'removed' WHERE name = 'Name of tg:2'"))
    await house.work()
    (answer,) = house.adapter.texts("-5")[2:]  # behind the introduction and the help
    assert answer.startswith("**What I see:**")
    assert house.adapter.texts("2")[-1].startswith("You have no access to me any more.")


@pytest.mark.databases("sqlite", "postgres")
async def test_who_opts_out_is_not_heard_until_they_want_to(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/readalong on", **GROUP)
    assert (await said(house, "/optout", sender=GUEST, **GROUP)).startswith("🙈")
    assert labels(house, "-5") == ["Listen to me again"]
    assert await said(house, "/time", sender=GUEST, **GROUP) == ""
    await house.hear("secret", sender=GUEST, addressed=False, **GROUP)
    assert await house.column("SELECT count(*) FROM message WHERE text = 'secret'") == [0]
    assert await said(house, "/time", **GROUP) != ""
    again = await pressed(house, "Listen to me again", sender=GUEST, chat="-5", chat_kind="group")
    assert again == "I listen to you here again."
    assert await said(house, "/time", sender=GUEST, **GROUP) != ""


async def test_what_who_opts_out_has_said_is_neither_found_nor_told_by_a_reply(
    database: Database, tmp_path: Path
) -> None:
    house = await with_model(database, tmp_path, lambda request: "I see.")
    assert house.model is not None
    await said(house, "/readalong on", **GROUP, addressed=True)
    await house.hear("the lighthouse is a canary", sender=FRIEND, addressed=False, **GROUP)
    await said(house, "so which lighthouse is it, do you know?", sender=FRIEND, addressed=True, **GROUP)
    await said(house, "well, what about it, do you think?", addressed=True, **GROUP)
    assert "canary" in str(house.model.requests[-1])
    assert "canary" in await said(house, "/history lighthouse", **GROUP, addressed=True)
    await said(house, "/optout", sender=FRIEND, **GROUP)
    assert "canary" not in await said(house, "/history lighthouse", **GROUP, addressed=True)
    quote = {"reply_to": "x9", "quoted": "the lighthouse is a canary"}
    for writer, told in ((FRIEND, False), (GUEST, True)):
        await said(house, "what is this, what do you think?", **GROUP, addressed=True, **quote, quoted_from=writer)
        assert ("canary" in str(house.model.requests[-1])) is told
    shown = await said(house, "/remember", **GROUP, addressed=True, **quote, quoted_from=FRIEND)
    assert "canary" not in shown
    assert await house.column("SELECT count(*) FROM memory") == [0]


async def test_opting_out_is_of_one_group_and_in_private_explained(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await said(house, "/optout", sender=FRIEND, **GROUP)
    assert "(UTC)" in await said(house, "/time", **friend())
    assert "/forget" in await said(house, "/optout", **friend())
    assert (
        await said(house, "/optout maybe", sender=FRIEND, **GROUP) == "Write /optout, or /optout off to be heard again."
    )


@pytest.mark.parametrize("command", ["/language zh", "/readalong on", "/forget me", "/optout", "/invite"])
async def test_who_is_anonymous_is_asked_to_show_themselves(database: Database, tmp_path: Path, command: str) -> None:
    house = await group(database, tmp_path)
    nobody = Sender(address="tg:-5", name="Family", anonymous=True)
    message = replace(inbound(command, key="x", **GROUP), sender=nobody)
    await house.app.inbox.accept(house.tenant_id, [message])
    await house.work()
    assert "Turn off “Remain anonymous”" in house.adapter.texts("-5")[-1]


async def test_an_unknown_command_is_named_harmlessly(make_database: DatabaseMaker, tmp_path: Path) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert await said(house, "/do*it*[x](y) now") == "I don't know /do\\*it\\*\\[x\\](y). /help shows what works."


async def test_status_tells_a_group_what_is_so_there(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    shown = await said(house, "/status", sender=FRIEND, **GROUP)
    assert shown.splitlines()[-4:] == [
        "You here: administrator.",
        "I don't read along in this group.",
        "Language: automatic.",
        "Time zone: UTC.",
    ]
    assert "You here: guest." in await said(house, "/status", sender=GUEST, **GROUP)
    assert "You here" not in await said(house, "/status")


async def test_a_topic_has_an_id_of_its_own(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    assert await said(house, "/id", thread="12", **GROUP) == "You: `tg:1`\nThis chat: `-5`\nThis topic: `12`"


@pytest.mark.databases("sqlite", "postgres")
async def test_actions_refuse_what_commands_would_have_refused(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    await house.hear("/help", sender=GUEST, **GROUP)
    (lane_id,) = await house.column("SELECT l.id FROM lane l JOIN chat c ON c.id = l.chat_id WHERE c.kind = 'group'")
    run = await house.db.write(lambda tx: claim_lane(house, tx, lane_id))
    assert run is not None
    actions, context = Actions(house.app.ledger, house.app.registry, ()), run.context(Role.PERSON)
    wanted: list[tuple[Action[..., Any], dict[str, Any]]] = [
        (settings.choose_language, {"language": "zh"}),
        (settings.choose_timezone, {"timezone": "UTC"}),
        (settings.read_along, {"on": True}),
        (members.create_invite, {"digest": "0" * 64}),
    ]

    def try_all(tx: Tx) -> None:
        for act, arguments in wanted:
            with pytest.raises(Refused, match="not_permitted"):
                actions.perform(tx, context, act, **arguments)

    await house.db.write(try_all)


@pytest.mark.parametrize(
    ("command", "label"), [("/forget", "Forget my words"), ("/forget", "Keep"), ("/optout", "Listen to me again")]
)
async def test_no_owner_is_forgotten_or_heard_by_a_button_that_is_for_somebody_else(
    database: Database, tmp_path: Path, command: str, label: str
) -> None:
    house = await group(database, tmp_path)
    await said(house, "/id", **GROUP)
    await said(house, command, sender=FRIEND, **GROUP)
    where = {"chat": "-5", "chat_kind": "group"}
    before = await house.column("SELECT text FROM inbox ORDER BY id")
    assert await house.press(label, **where) == "This button is for somebody else."
    await house.work()
    assert await house.column("SELECT text FROM inbox ORDER BY id") == before
    # Whom it is for may press it still.
    assert await pressed(house, label, sender=FRIEND, **where)
