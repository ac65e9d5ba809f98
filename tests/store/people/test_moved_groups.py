"""Groups that get a new id: what they were stays, and nothing that came to either id is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.capabilities.privacy import repository as privacy
from core.kernel.errors import LeaseLost, SendMoved
from core.kernel.ports import Database, Tx
from core.kernel.timing.schedule import Interval
from core.kernel.types import Answer, Attachment, Lease, ModelRequest, Sender, ToolCall
from core.kernel.updates import Moved, Presence, Update
from core.pipeline.intake.presence import STRAY_GROUPS_A_DAY
from core.store.conversation import attachments, lanes
from tests.fakes import FRIEND, OWNER, STRANGER, Hitch, House, claim_lane, house, inbound
from tests.triggering import passes, trigger
from tests.triggering import state as trigger_state

GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family"}
NEW: dict[str, Any] = {**GROUP, "chat": "-1005"}
MOVED = Moved(key="mv", chat="-5", to="-1005")
UNKNOWN = "This button no longer works."
DECIDE = ToolCall(id="c1", name="log_decision", arguments={"decision": "tea", "reason": "taste"})


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A house whose model echoes what it heard."""
    return await house(database, tmp_path / "house", lambda request: f"heard: {' / '.join(request.heard)}")


def presence(address: str, key: str, *, present: bool = True) -> Presence:
    sender = Sender(address=address, name=f"Name of {address}", language="en")
    return Presence(key=key, chat="-5", sender=sender, present=present, raw="{}", chat_kind="group", title="Family")


async def accept(home: House, *updates: Update) -> None:
    await home.app.inbox.accept(home.tenant_id, updates)


async def state(home: House, chat: str = "-1005") -> list[str]:
    return await home.column("SELECT state FROM chat WHERE external_id = :chat", chat=chat)


async def both_known(home: House) -> None:
    """Both ids are chats of their own, as when the platform tells late that one became the other."""
    await home.hear("before", **GROUP)
    await home.hear("early", **NEW)
    await home.work()


async def claim(home: House, chat: str) -> Lease:
    """Hold the lane of a chat as a run at work does."""
    (lane_id,) = await home.column(
        "SELECT l.id FROM lane l JOIN chat c ON c.id = l.chat_id WHERE c.external_id = :chat", chat=chat
    )
    case = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert case is not None
    return case.lease


async def test_a_group_that_was_never_allowed_is_not_by_moving(home: House) -> None:
    batch: list[Update] = [presence(STRANGER, "a"), presence(STRANGER, "b", present=False), MOVED]
    await accept(home, *batch, inbound("write my essay", key="d", sender=STRANGER, **NEW))
    await home.work()
    assert await state(home) == ["gone"]
    assert home.model is not None
    assert home.model.requests == []


async def test_a_stranger_who_adds_and_removes_it_all_day_costs_no_more_than_a_few_groups(home: House) -> None:
    await home.hear("hello")
    await home.work()
    for n in range(200):
        for present in (True, False):
            update = presence(STRANGER, f"{n}-{present}", present=present)
            await accept(home, replace(update, chat=f"-{n + 100}"))
    await home.work(500)
    assert await home.column("SELECT count(*) FROM chat WHERE kind = 'group'") == [STRAY_GROUPS_A_DAY]
    assert len(home.adapter.texts("1")) == 1 + STRAY_GROUPS_A_DAY
    assert await home.column("SELECT count(*) FROM outbox") == [1 + 2 * STRAY_GROUPS_A_DAY]
    assert await home.column("SELECT count(*) FROM stranger") == [1]


async def test_groups_that_somebody_with_access_brought_are_no_strays_when_they_are_gone(home: House) -> None:
    for n in range(STRAY_GROUPS_A_DAY + 1):
        for present in (True, False):
            await accept(home, replace(presence(OWNER, f"{n}-{present}", present=present), chat=f"-{n + 100}"))
    await accept(home, presence(STRANGER, "a"))
    await home.work()
    assert home.adapter.left == ["-5"]


async def test_a_group_that_was_allowed_stays_so_through_the_leaving_that_moving_looks_like(home: House) -> None:
    await accept(home, presence(OWNER, "a"), presence(OWNER, "b", present=False), MOVED)
    assert await state(home) == ["allowed"]


async def test_what_somebody_with_access_took_on_under_the_new_id_is_allowed(home: House) -> None:
    await accept(home, presence(STRANGER, "a"), presence(STRANGER, "b", present=False))
    await home.hear("hello", **NEW, sender=OWNER)
    await accept(home, MOVED)
    assert await state(home) == ["allowed"]


async def test_what_comes_after_the_move_in_the_same_batch_finds_the_chat_that_moved(home: House) -> None:
    await home.hear("in private")
    await both_known(home)
    one, two = (inbound(text, key=text, **NEW) for text in ("one", "two"))
    await accept(home, inbound("also in private", key="k0"), one, MOVED, two)
    await home.work()
    assert home.adapter.texts("1")[-1] == "heard: also in private"
    assert home.adapter.texts("-1005")[-1] == "heard: one / two"
    (lane_id, *others) = await home.column(
        "SELECT DISTINCT lane_id FROM inbox WHERE lane_id NOT IN (SELECT l.id FROM lane l JOIN chat c"
        " ON c.id = l.chat_id WHERE c.kind = 'private')"
    )
    assert others == []
    assert await home.column("SELECT chat_id FROM lane WHERE id = :id", id=lane_id) == await home.column(
        "SELECT id FROM chat WHERE external_id = '-1005'"
    )


async def test_a_run_that_is_at_work_while_its_chat_goes_over_is_done_once_and_answered(home: House) -> None:
    await both_known(home)
    await home.hear("at work", **NEW)
    lease = await claim(home, "-1005")
    await accept(home, MOVED)
    with pytest.raises(LeaseLost):
        await home.db.write(lambda tx: lanes.fence(tx, lease))
    await home.work()
    assert home.adapter.texts("-1005")[-1] == "heard: at work"
    assert await home.column("SELECT count(*) FROM inbox WHERE state <> 'done'") == [0]
    assert await home.column("SELECT count(*) FROM run WHERE ended_at IS NULL") == [0]


async def test_what_a_run_has_done_before_its_chat_goes_over_is_not_done_again(home: House) -> None:
    await both_known(home)
    assert home.model is not None
    asked: list[ModelRequest] = []

    def answer(request: ModelRequest) -> Answer | str:
        asked.append(request)
        if len(asked) == 1:
            return Answer(calls=(DECIDE,))
        if len(asked) == 2:
            raise moving
        return "decided"

    moving = RuntimeError("the process is busy")
    home.model.always(answer)
    await home.hear("decide", **NEW)
    await home.answer()
    await accept(home, MOVED)
    await home.later(60)
    assert home.adapter.texts("-1005")[-1] == "decided"
    assert await home.column("SELECT count(*) FROM step WHERE tool = 'log_decision' AND state = 'done'") == [1]
    assert await home.column("SELECT DISTINCT scope_id FROM step WHERE tool = 'log_decision'") == await home.column(
        "SELECT scope_id FROM chat WHERE external_id = '-1005'"
    )


async def test_a_run_that_was_stopped_before_its_chat_went_over_stays_stopped(home: House) -> None:
    await both_known(home)
    await home.hear("long work", **NEW)
    await claim(home, "-1005")
    await home.hear("/stop", **NEW)
    before = len(home.adapter.texts("-1005"))
    await accept(home, MOVED)
    await home.work()
    assert "heard: long work" not in home.adapter.texts("-1005")[before:]
    assert await home.column("SELECT state FROM run WHERE id = (SELECT max(id) FROM run)") == ["failed"]


async def test_wishes_and_files_of_the_new_id_go_over_too(home: House) -> None:
    await both_known(home)
    file = Attachment(kind="photo", file="f1", size=4)
    home.adapter.files["f1"] = b"data"
    await home.hear("look", **NEW, attachments=(file,))
    await home.work()
    (person_id,) = await home.column("SELECT person_id FROM address WHERE external_id = :a", a=OWNER)
    (source,) = await home.column("SELECT scope_id FROM chat WHERE external_id = '-1005'")
    (target,) = await home.column("SELECT scope_id FROM chat WHERE external_id = '-5'")

    def opt_out(tx: Tx) -> None:
        for scope_id in (source, target):
            privacy.opt_out(tx, home.tenant_id, scope_id, person_id, 0, out=True)

    await home.db.write(opt_out)
    await accept(home, MOVED)
    assert await home.column("SELECT scope_id FROM optout") == [target]
    assert await home.column("SELECT scope_id FROM attachment") == [target]
    paths = await home.column("SELECT path FROM attachment")
    assert paths != [""]
    assert await home.db.read(lambda tx: attachments.unknown(tx, [*paths, f"{source}/other"])) == [f"{source}/other"]


async def test_what_waits_under_the_new_id_is_answered_when_a_send_learns_of_the_move(home: House) -> None:
    await both_known(home)
    await home.hear("to the old id", **GROUP)
    (lane_id,) = await home.column("SELECT lane_id FROM inbox WHERE state = 'new'")
    home.adapter.hitches.append(Hitch(error=SendMoved("-1005")))
    await home.app.worker.answer(lane_id)
    await home.hear("waits", **NEW)
    await home.db.write(lambda tx: tx.run("UPDATE lane SET pending = 0"))
    await home.app.outbox.pump(await home.chat_of(lane_id))
    await home.work()
    assert home.adapter.texts("-1005")[-2:] == ["heard: to the old id", "heard: waits"]


@pytest.mark.parametrize("known", [False, True])
async def test_what_rested_while_the_group_seemed_gone_comes_after_the_move(home: House, known: bool) -> None:
    await home.hear("before", **GROUP)
    await home.hear("in private")
    if known:
        await home.hear("early", **NEW)
    await home.work()
    once = await trigger(home, "cake", chat="-5")
    again = await trigger(home, "stand-up", Interval(seconds=3600, start=home.clock.now()), chat="-5", everybody=True)
    await accept(home, presence(OWNER, "a", present=False))
    await passes(home, 3600)
    assert [(await trigger_state(home, one))[:2] for one in (once, again)] == [("paused", "gone")] * 2
    await accept(home, MOVED)
    await home.sweep()
    assert home.adapter.texts("-1005")[-1].startswith(f"⏰ [Name of {OWNER}]({OWNER}): cake")
    assert (await trigger_state(home, again))[0] == "active"
    await passes(home, 3600)
    assert home.adapter.texts("-1005")[-1] == "⏰ stand-up"


async def test_what_rested_comes_when_a_send_learns_of_the_move(home: House) -> None:
    await home.hear("before", **GROUP)
    await home.work()
    made = await trigger(home, "cake", chat="-5")
    await home.hear("to the old id", **GROUP)
    await accept(home, presence(OWNER, "a", present=False))
    home.clock.advance(60)
    await home.app.scheduler.due()
    assert (await trigger_state(home, made))[:2] == ("paused", "gone")
    home.adapter.hitches.append(Hitch(error=SendMoved("-1005")))
    await home.work()
    await home.sweep()
    assert any("cake" in text for text in home.adapter.texts("-1005"))


async def test_a_friend_still_speaks_where_both_chats_have_become_one(home: House) -> None:
    await both_known(home)
    await accept(home, MOVED, MOVED)
    await home.hear("hello", **NEW, sender=FRIEND)
    await home.work()
    assert home.adapter.texts("-1005")[-1] == "heard: hello"
    assert await home.column("SELECT count(*) FROM chat WHERE external_id = '-1005'") == [1]


async def test_a_press_that_names_the_former_id_counts_where_the_group_is_now(home: House) -> None:
    await home.hear("/remind me in 1 hour to water the plants", **GROUP)
    await home.work()
    undo = home.button("Undo", "-5")
    await accept(home, MOVED)
    former: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "data": undo}
    assert await home.press("", sender=STRANGER, **{**former, "chat": "-6"}) is None
    assert await home.press("", **{**former, "chat": "-6"}) == UNKNOWN
    assert await home.press("", **former) == "Undo"
    await home.work()
    assert "Taken back" in home.adapter.texts("-1005")[-1]
    assert await home.column("SELECT state FROM trigger") == ["cancelled"]
    assert await home.press("", **former) == "Already done."
    assert await home.column("SELECT external_id FROM chat WHERE kind = 'group'") == ["-1005"]


async def test_a_press_under_the_former_id_counts_where_both_were_chats_of_their_own(home: House) -> None:
    await both_known(home)
    await home.hear("/remind me in 1 hour to water the plants", **NEW)
    await home.work()
    new = home.button("Undo", "-1005")
    await home.hear("/remind me in 2 hours to feed the cat", **GROUP)
    await home.work()
    old = home.button("Undo", "-5")
    await accept(home, MOVED, replace(MOVED, key="mv2"))
    assert await home.press("", chat="-5", chat_kind="group", data=old) == "Undo"
    assert await home.press("", chat="-1005", chat_kind="group", data=new) == "Undo"
    # What comes late under the former id makes a chat of it, until a send learns better.
    await home.hear("late", **GROUP)
    home.adapter.hitches.append(Hitch(error=SendMoved("-1005")))
    await home.work()
    assert await home.column("SELECT former_id FROM chat WHERE former_id <> ''") == ["-5"]
    assert await home.press("", chat="-5", chat_kind="group", data=old) == "Already done."


async def test_an_edit_that_names_the_former_id_changes_what_was_said_before_the_move(home: House) -> None:
    await home.hear("/remind me in 1 hour to water the plants", **GROUP, message_id="7")
    await home.work()
    await home.hear("wait for this", **GROUP, message_id="8")
    await accept(home, MOVED)
    await home.hear("under the new id", **NEW, message_id="7")
    await home.hear("wait for that", **GROUP, message_id="8", edits="8")
    await home.work()
    assert home.adapter.texts("-1005")[-1] == "heard: wait for that / under the new id"
    await home.hear("/remind me in 2 hours to water the plants", **GROUP, message_id="7", edits="7")
    await home.work()
    assert await home.column("SELECT next_at FROM trigger WHERE state = 'active'") == [home.clock.now() + 7_200_000]
    assert await home.column("SELECT external_id FROM chat WHERE kind = 'group'") == ["-1005"]


async def test_an_edit_that_names_the_former_id_is_none_of_what_was_said_since(home: House) -> None:
    await home.hear("/remind me in 5 hours to sleep", **GROUP, message_id="1")
    await home.work()
    await accept(home, MOVED)
    home.clock.advance(60)
    await home.hear("/remind me in 1 hour to water the plants", **NEW, message_id="7")
    await home.work()
    # Nobody had noted what was said as the seventh before the move.
    cat = "/remind me in 2 hours to feed the cat"
    await home.hear(cat, **GROUP, message_id="7", edits="7", sent_at=home.clock.now() - 60_000)
    await home.work()
    texts = await home.column("SELECT text FROM trigger WHERE state = 'active' ORDER BY id")
    assert texts == ["sleep", "water the plants", "feed the cat"]
