"""Groups: who is heard, who is let in, what happens when the bot is added, moved or thrown out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import SendMoved, SendRefused
from core.kernel.ports import Database
from core.kernel.types import LaneKey, Sender
from core.kernel.updates import Left, Moved, Presence
from core.store.people import chats, people
from core.toolkit import intents
from tests.fakes import FRIEND, OWNER, STRANGER, Hitch, House, house

pytestmark = pytest.mark.databases("sqlite")

GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family"}
ASIDE: dict[str, Any] = {**GROUP, "addressed": False}


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house whose model echoes what it heard."""
    return await house(database, tmp_path / "house", lambda request: f"heard: {' / '.join(request.heard)}")


def presence(address: str, *, present: bool = True, chat: str = "-5", key: str = "m1", kind: str = "group") -> Presence:
    sender = Sender(address=address, name=f"Name of {address}", language="en")
    return Presence(key=key, chat=chat, sender=sender, present=present, raw="{}", chat_kind=kind, title="Family")


async def added(home: House, by: str, **more: Any) -> None:
    await home.app.inbox.accept(home.tenant_id, [presence(by, **more)])
    await home.work()


async def state(home: House, chat: str = "-5") -> list[str]:
    return await home.column("SELECT state FROM chat WHERE external_id = :chat", chat=chat)


async def test_added_by_somebody_with_access_it_introduces_itself_once(home: House) -> None:
    await added(home, FRIEND)
    await added(home, FRIEND, key="m2")
    assert len(home.adapter.texts("-5")) == 1
    assert "/privacy" in home.adapter.texts("-5")[0]
    assert "/optout" in home.adapter.texts("-5")[0]
    assert await state(home) == ["allowed"]


async def test_added_by_a_stranger_it_leaves_and_the_owner_is_told_once(home: House) -> None:
    await home.hear("hello")
    await home.work()
    await added(home, STRANGER)
    await added(home, STRANGER, key="m2")
    assert home.adapter.left[:1] == ["-5"]
    assert home.adapter.texts("-5") == []
    told = [text for text in home.adapter.texts("1") if "Family" in text]
    assert told == ["Name of tg:99 (tg:99) added me to the group “Family”. They have no access, so I left it."]
    await home.hear("hi", **GROUP, sender=STRANGER)
    await home.work()
    assert home.adapter.texts("-5") == []


async def test_strangers_cannot_fill_the_database_with_groups(home: House) -> None:
    for n in range(60):
        await home.app.inbox.accept(home.tenant_id, [presence(STRANGER, chat=f"-{n + 100}", key=f"g{n}")])
    assert await home.column("SELECT count(*) FROM chat") == [10]


async def test_a_group_is_taken_on_when_somebody_with_access_speaks_to_the_bot_there(home: House) -> None:
    await home.hear("hello", **ASIDE, sender=OWNER)
    await home.hear("hello", **GROUP, sender=STRANGER)
    await home.work()
    assert home.adapter.texts() == []
    await home.hear("hello", **GROUP, sender=OWNER)
    await home.work()
    assert home.adapter.texts("-5")[-1] == "heard: hello"
    assert len(home.adapter.texts("-5")) == 2


@pytest.mark.parametrize("thread", ["", "another"])
async def test_a_group_is_called_as_the_last_message_says(home: House, thread: str) -> None:
    where = {**GROUP, "sender": OWNER}
    for title, called in (("", ""), ("Family", "Family"), ("", "Family"), ("Wohnung", "Wohnung")):
        await home.hear("hello", **{**where, "title": title, "thread": thread if title == "Wohnung" else ""})
        assert await home.column("SELECT title FROM chat WHERE external_id = '-5'") == [called]


async def test_only_what_addresses_the_bot_is_heard_and_nothing_else_is_kept(home: House) -> None:
    await added(home, OWNER)
    before = await home.column("SELECT count(*) FROM inbox")
    for n in range(20):
        await home.hear(f"secret {n}", **ASIDE, sender=f"tg:{1000 + n}")
    await home.work()
    assert await home.column("SELECT count(*) FROM inbox") == before
    assert await home.column("SELECT count(*) FROM person") == [1]
    assert await home.column("SELECT count(*) FROM stranger") == [0]


async def test_guests_of_an_allowed_group_are_answered_there_but_not_in_private(home: House) -> None:
    await added(home, OWNER)
    await home.hear("may I?", **GROUP, sender=STRANGER)
    await home.hear("and here?", chat="99", sender=STRANGER)
    await home.work()
    assert home.adapter.texts("-5")[-1] == "heard: may I?"
    assert home.adapter.texts("99") == []


async def test_an_answer_in_a_group_replies_to_its_message(home: House) -> None:
    await added(home, OWNER)
    key = await home.hear("hello", **GROUP)
    await home.work()
    assert home.adapter.sent[-1].to.reply_to == key
    await home.hear("hello")
    await home.work()
    assert home.adapter.sent[-1].to.reply_to == ""


async def test_messages_of_two_people_are_two_runs(home: House) -> None:
    await added(home, OWNER)
    await home.hear("mine", **GROUP, sender=OWNER)
    await home.hear("yours", **GROUP, sender=FRIEND)
    await home.work()
    assert home.adapter.texts("-5")[1:] == ["heard: mine", "heard: yours"]


async def test_topics_are_lanes_of_their_own(home: House) -> None:
    await added(home, OWNER)
    await home.hear("one", **GROUP, thread="7")
    await home.hear("two", **GROUP, thread="8")
    await home.work()
    assert {(sent.to.thread, sent.text) for sent in home.adapter.sent[1:]} == {("7", "heard: one"), ("8", "heard: two")}


async def test_whoever_was_removed_is_not_heard_from_the_next_message_on(home: House) -> None:
    await added(home, OWNER)
    await home.hear("hello", sender=FRIEND, chat="2")
    await home.work()
    (person_id,) = await home.column("SELECT person_id FROM address WHERE external_id = 'tg:2'")
    await home.db.write(lambda tx: people.set_standing(tx, home.tenant_id, person_id, "removed"))
    await home.hear("still there?", sender=FRIEND, chat="2")
    await home.hear("still there?", **GROUP, sender=FRIEND)
    await home.work()
    assert home.adapter.texts("2") == ["heard: hello"]
    assert len(home.adapter.texts("-5")) == 1


async def test_thrown_out_and_added_again(home: House) -> None:
    await added(home, OWNER)
    await added(home, STRANGER, present=False, key="m2")
    assert await state(home) == ["gone"]
    await home.hear("anybody?", **GROUP, sender=STRANGER)
    await home.work()
    assert len(home.adapter.texts("-5")) == 1
    await added(home, OWNER, key="m3")
    assert await state(home) == ["allowed"]


async def test_a_send_that_is_forbidden_marks_the_chat_as_gone(home: House) -> None:
    await added(home, OWNER)
    home.adapter.hitches.append(Hitch(error=SendRefused("Forbidden: bot was kicked from the supergroup chat")))
    await home.hear("hello", **GROUP)
    await home.work()
    assert await state(home) == ["gone"]


async def test_blocking_and_unblocking_are_noted(home: House) -> None:
    await home.hear("hello")
    await home.work()
    await added(home, OWNER, present=False, chat="1", kind="private")
    assert await state(home, "1") == ["gone"]
    await home.hear("hello again")
    await home.work()
    assert await state(home, "1") == [""]


async def test_a_group_that_moves_keeps_its_lane_scope_and_history(home: House) -> None:
    await added(home, OWNER)
    await home.hear("before", **GROUP)
    await home.work()
    await home.app.inbox.accept(
        home.tenant_id, [Moved(key="v1", chat="-5", to="-1005"), Moved(key="v2", chat="-5", to="-1005")]
    )
    await home.hear("after", chat="-1005", chat_kind="group", title="Family")
    await home.work()
    assert home.adapter.texts("-1005") == ["heard: after"]
    assert home.model is not None
    assert "before" in str(home.model.requests[-1].messages)
    assert await home.column(
        "SELECT count(*) FROM lane WHERE chat_id = (SELECT id FROM chat WHERE external_id = '-1005')"
    ) == [1]


@pytest.mark.parametrize("pressed_in", ["-5", "-1005"])
@pytest.mark.parametrize("comes_first", [True, False])
async def test_a_button_from_before_the_group_moved_does_what_it_says(
    home: House, pressed_in: str, comes_first: bool
) -> None:
    await added(home, OWNER)
    await home.hear("/todo milk", **GROUP, sender=STRANGER)
    await home.work()
    button, shown = home.button("Undo", "-5"), len(home.adapter.sent)
    if comes_first:
        await home.hear("too early", chat="-1005", chat_kind="group", title="Family")
        await home.work()
    await home.app.inbox.accept(home.tenant_id, [Moved(key="v1", chat="-5", to="-1005")])
    # No platform says of the old id who is in the group: whom nobody has heard there is not.
    assert await home.press("", data=button, chat="-5", chat_kind="group", sender="tg:98") is None
    assert await home.press("", data=button, chat=pressed_in, chat_kind="group", sender=STRANGER) == "Undo"
    await home.work()
    assert await home.column("SELECT content FROM todo WHERE state = 'open'") == []
    # Nothing is edited by an id that is another message's now.
    assert {one.to.replaces for one in home.adapter.sent[shown:]} == {""}
    assert home.adapter.texts("-1005")[-1].startswith("↩ Taken back")
    # In another chat it is nobody's.
    await home.hear("hello", sender=FRIEND, chat="2")
    gone = await home.press("", data=button, chat="2", sender=FRIEND)
    assert gone == "This button no longer works."


@pytest.mark.databases("sqlite", "postgres")
async def test_under_the_old_id_nobody_presses_or_edits_who_has_left_since(home: House) -> None:
    await added(home, OWNER)
    for sender in (OWNER, STRANGER):
        await home.hear("/remind tomorrow at 9 to run", **GROUP, sender=sender, message_id=sender)
        await home.work()
    button = home.button("Undo", "-5")
    await home.app.inbox.accept(home.tenant_id, [Moved(key="v1", chat="-5", to="-1005")])
    left = [Left(key=f"l{address}", chat="-1005", address=address) for address in (OWNER, STRANGER)]
    await home.app.inbox.accept(home.tenant_id, left)
    before = await home.rows("SELECT * FROM trigger")
    unknown = {OWNER: "This button no longer works.", STRANGER: None}
    for sender, shown in unknown.items():
        assert await home.press("", data=button, chat="-5", chat_kind="group", sender=sender) == shown
    await home.hear("/remind tomorrow at 8 to run", **GROUP, sender=STRANGER, message_id=STRANGER, edits=STRANGER)
    await home.work()
    assert await home.rows("SELECT * FROM trigger") == before


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("reads_along", [True, False])
async def test_an_id_of_before_the_group_moved_is_another_messages_now(home: House, reads_along: bool) -> None:
    await added(home, OWNER)
    await home.hear("/remind tomorrow at 9 to run", **GROUP, message_id="7")
    await home.work()
    (lane,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
    await home.db.write(lambda tx: chats.read_along(tx, LaneKey(**lane), on=reads_along))
    await home.app.inbox.accept(home.tenant_id, [Moved(key="v1", chat="-5", to="-1005")])
    await home.work()
    here = {"chat": "-1005", "chat_kind": "group", "title": "Family", "message_id": "7"}
    sent = len(home.adapter.sent)
    await home.hear("see you tomorrow at 10", **here, addressed=False)
    await home.hear("see you tomorrow at 12", **here, addressed=False, edits="7")
    await home.work()
    assert len(home.adapter.sent) == sent
    for text in ("/remind tomorrow at 11 to swim", "/remind tomorrow at 12 to swim"):
        await home.hear(text, **here, edits="7")
        await home.work()
    assert await home.column("SELECT text FROM trigger WHERE ended_at IS NULL ORDER BY id") == ["run", "swim"]
    assert await home.column("SELECT text FROM message WHERE text LIKE '%run' AND role = 'user'") == [
        "/remind tomorrow at 9 to run"
    ]


async def test_leaving_the_old_group_is_no_removal_when_it_moves(home: House) -> None:
    await added(home, OWNER)
    await added(home, OWNER, present=False, key="m2")
    await home.app.inbox.accept(home.tenant_id, [Moved(key="v1", chat="-5", to="-1005")])
    assert await state(home, "-1005") == ["allowed"]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("reads_along", [True, False])
async def test_the_parts_of_an_album_without_caption_belong_to_it(home: House, reads_along: bool) -> None:
    await added(home, OWNER)
    (lane,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
    await home.db.write(lambda tx: chats.read_along(tx, LaneKey(**lane), on=reads_along))
    await home.hear("look at these", **GROUP, album="a1")
    await home.hear("", **ASIDE, album="a1")
    await home.hear("", **ASIDE, album="a1", sender=FRIEND)
    await home.work()
    assert len(home.adapter.texts("-5")) == 1
    await home.later(2)
    assert await home.column("SELECT count(*) FROM inbox WHERE run_id IS NOT NULL") == [2]


async def test_what_came_to_the_new_id_first_goes_over_to_the_old_chat(home: House) -> None:
    await added(home, OWNER)
    await home.hear("before", **GROUP)
    await home.work()
    await home.hear("too early", chat="-1005", chat_kind="group", title="Family")
    await home.app.inbox.accept(home.tenant_id, [Moved(key="v1", chat="-5", to="-1005")])
    await home.work()
    assert home.adapter.texts("-1005")[-1] == "heard: too early"
    assert home.model is not None
    assert "before" in str(home.model.requests[-1].messages)


async def test_a_send_to_a_group_that_has_moved_goes_to_its_new_id(home: House) -> None:
    await added(home, OWNER)
    home.adapter.hitches.append(Hitch(error=SendMoved("-1005")))
    await home.hear("hello", **GROUP)
    await home.work()
    assert home.adapter.texts("-1005") == ["heard: hello"]
    assert await state(home, "-1005") == ["allowed"]


async def test_a_server_that_names_the_same_id_again_is_not_asked_for_ever(home: House) -> None:
    await added(home, OWNER)
    home.adapter.hitches.append(Hitch(error=SendMoved("-5")))
    await home.hear("hello", **GROUP)
    await home.work()
    assert await home.column("SELECT state FROM outbox ORDER BY id DESC LIMIT 1") == ["dead"]


async def test_read_along_keeps_what_is_said_for_the_model_to_see(home: House) -> None:
    await added(home, OWNER)
    (lane,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
    await home.db.write(lambda tx: chats.read_along(tx, LaneKey(**lane), on=True))
    key = await home.hear("we meet at noon", **ASIDE, sender=FRIEND)
    await home.hear("we meet at noon", **ASIDE, sender=FRIEND, key=key)
    await home.hear("when do we meet?", **GROUP)
    await home.work()
    assert home.adapter.texts("-5")[1:] == ["heard: when do we meet?"]
    assert home.model is not None
    assert str(home.model.requests[-1].messages).count("we meet at noon") == 1


@pytest.mark.databases("sqlite", "postgres")
async def test_whoever_opted_out_is_neither_heard_nor_kept(home: House) -> None:
    await added(home, OWNER)
    await home.hear("hello", **GROUP, sender=FRIEND)
    await home.work()

    def opt_out(tx: Any) -> None:
        tx.run(
            "INSERT INTO optout (tenant_id, scope_id, person_id, created_at) SELECT l.tenant_id, l.scope_id,"
            " a.person_id, 0 FROM lane l, address a WHERE a.external_id = 'tg:2'"
        )

    await home.db.write(opt_out)
    before = await home.column("SELECT count(*) FROM inbox")
    await home.hear("hello?", **GROUP, sender=FRIEND)
    await home.hear("aside", **ASIDE, sender=FRIEND)
    await home.work()
    assert await home.column("SELECT count(*) FROM inbox") == before
    await home.hear("/privacy", **GROUP, sender=FRIEND)
    await home.work()
    assert await home.column("SELECT count(*) FROM inbox") == [before[0] + 1]


async def test_an_edit_that_takes_the_mention_out_still_corrects(home: House) -> None:
    await added(home, OWNER)
    key = await home.hear("I like tea", **GROUP)
    await home.hear("I like coffee", **ASIDE, edits=key, key="e1")
    await home.hear("something else", **ASIDE, edits="77", key="e2")
    await home.work()
    assert home.adapter.texts("-5")[1:] == ["heard: I like coffee"]


@pytest.mark.databases("sqlite", "postgres")
async def test_an_edit_of_what_was_overheard_is_kept_only_while_it_reads_along(home: House) -> None:
    await added(home, OWNER)
    await home.db.write(lambda tx: tx.run("UPDATE chat SET reads_along = 1"))
    await home.hear("see you later", **ASIDE, key="m7")
    await home.hear("see you soon", **ASIDE, key="e0", edits="m7", message_id="m7")
    await home.hear("I like tea", **GROUP, key="m8")
    await home.work()
    await home.db.write(lambda tx: tx.run("UPDATE chat SET reads_along = 0"))
    await home.hear("my PIN is 4711", **ASIDE, key="e1", edits="m7", message_id="m7")
    # What was said to it is corrected all the same, as often as that is done.
    for n, text in enumerate(("I like coffee", "I like water"), 2):
        await home.hear(text, **ASIDE, key=f"e{n}", edits="m8", message_id="m8")
    await home.work()
    assert await home.column("SELECT count(*) FROM inbox WHERE text LIKE '%4711%'") == [0]
    texts = await home.column("SELECT text FROM message WHERE role = 'user' ORDER BY id")
    assert texts == ["I like water"]


async def test_what_an_edit_takes_out_is_kept_no_more_also_when_it_no_longer_reads_along(home: House) -> None:
    await added(home, OWNER)
    await home.db.write(lambda tx: tx.run("UPDATE chat SET reads_along = 1"))
    await home.hear("my PIN is 4711", **ASIDE, key="m7")
    await home.hear("the door is green", **ASIDE, key="m8")
    await home.hear("my PIN is 4711 and 12", **ASIDE, key="e0", edits="m7", message_id="m7")
    await home.db.write(lambda tx: tx.run("UPDATE chat SET reads_along = 0"))
    await home.hear("never mind", **ASIDE, key="e1", edits="m7", message_id="m7")
    await home.hear("never you mind", sender=FRIEND, **ASIDE, key="e2", edits="m8", message_id="m8")
    assert await home.column("SELECT text FROM message WHERE role = 'user'") == ["the door is green"]
    assert await home.column("SELECT count(*) FROM inbox WHERE text LIKE '%4711%'") == [0]


async def test_a_press_of_somebody_who_opted_out_is_not_heard(home: House) -> None:
    await added(home, OWNER)
    await home.hear("hello", **GROUP, sender=FRIEND)
    await home.work()
    await home.hear("/optout", **GROUP, sender=FRIEND)
    await home.work()
    before = await home.column("SELECT count(*) FROM inbox")
    (lane,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane WHERE thread = ''")
    composer = home.app.worker._ending._composer
    await home.db.write(
        lambda tx: composer.tell(tx, LaneKey(**lane), "k", "Press", [("Time", intents.command("time"))])
    )
    await home.work()
    shown = await home.press("Time", sender=FRIEND, chat="-5", chat_kind="group")
    assert shown == "You asked me to ignore you here. /optout off changes that."
    assert await home.column("SELECT count(*) FROM inbox") == before


async def test_an_edit_that_adds_the_mention_is_answered_once(home: House) -> None:
    await added(home, OWNER)
    await home.hear("what is 3+3", **ASIDE, key="m7")
    await home.work()
    home.clock.advance(60)
    for n, text in enumerate(("what is 3+3", "what is 3+4")):
        more = {"sent_at": home.clock.now() - 60_000, "message_id": "m7", "origin": "m7"}
        await home.hear(text, **GROUP, **more, edits="m7", key=f"e{n}")
        await home.work()
    assert home.adapter.texts("-5")[1:] == ["heard: what is 3+3"]
    # Where the same message comes once more as itself it is known.
    await home.hear("what is 3+4", **GROUP, key="m7")
    await home.work()
    assert home.adapter.texts("-5")[1:] == ["heard: what is 3+3"]


@pytest.mark.parametrize("origin", ["m7", ""])
async def test_where_it_reads_along_an_edit_that_adds_the_mention_is_answered_once_too(
    home: House, origin: str
) -> None:
    await added(home, OWNER)
    await home.db.write(lambda tx: tx.run("UPDATE chat SET reads_along = 1"))
    await home.hear("what is 3+3", **ASIDE, key="m7")
    await home.hear("what is 3+2", **ASIDE, key="e0", edits="m7", message_id="m7", origin=origin)
    texts = "SELECT text FROM message WHERE role = 'user' ORDER BY id"
    assert await home.column(texts) == ["what is 3+2"]
    for n, text in (("1", "what is 3+4"), ("2", "what is 3+5"), ("1", "what is 3+4")):
        await home.hear(text, **GROUP, key=f"e{n}", edits="m7", message_id="m7", origin=origin)
        await home.work()
    await home.hear("what is 3+4", **GROUP, key="m7")
    await home.work()
    assert home.adapter.texts("-5")[1:] == ["heard: what is 3+4"]
    assert await home.column(texts) == ["what is 3+5"]


async def test_an_edit_that_adds_the_mention_counts_from_when_it_was_made(home: House) -> None:
    await added(home, OWNER)
    # It was kept with the platform for two hours.
    said_at = home.clock.now() - 2 * 3_600_000
    edited = {"sent_at": said_at, "edited_at": said_at + 60_000, "edits": "m7", "message_id": "m7"}
    await home.hear("/remind in 3 hours to stretch", **GROUP, **edited)
    await home.work()
    assert await home.column("SELECT next_at FROM trigger") == [said_at + 60_000 + 3 * 3_600_000]


async def test_an_edit_of_what_was_said_long_ago_is_no_new_message(home: House) -> None:
    await added(home, OWNER)
    await home.hear("what is 3+3", **GROUP, sent_at=home.clock.now() - 2 * 3_600_000, edits="m7", message_id="m7")
    await home.work()
    assert home.adapter.texts("-5")[1:] == []


async def test_an_old_edit_that_is_handed_over_anew_is_no_new_message(home: House) -> None:
    await added(home, OWNER)
    # Nothing is kept of it any more, and the platform changed something else of the message now.
    said_at = home.clock.now() - 60 * 24 * 3_600_000
    edited = {"sent_at": said_at, "edited_at": said_at + 60_000, "edits": "m7", "message_id": "m7"}
    await home.hear("what is 3+3", **GROUP, **edited)
    await home.work()
    assert home.adapter.texts("-5")[1:] == []
