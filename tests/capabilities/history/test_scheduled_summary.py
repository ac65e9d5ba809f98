"""A group is told regularly what was said, as its administrators want; and not when nothing was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.kernel.errors import ModelUnreachable, SendDoubtful, SendRefused, SendUnsent
from core.kernel.ports import Database
from core.kernel.updates import Deleted
from tests.commanding import FRIEND, GROUP, pressed, said
from tests.fakes import OWNER, FakeAdapter, Hitch, House
from tests.fakes import house as build

pytestmark = pytest.mark.databases("sqlite")

ASIDE: dict[str, Any] = {**GROUP, "addressed": False}
DAY = 86_400


async def overhear(house: House, text: str, sender: str = FRIEND) -> None:
    await house.hear(text, **{**ASIDE, "sender": sender})
    await house.work()


async def until(house: House, days: float) -> list[str]:
    """Let days pass, an hour at a time, and return what was said in the group."""
    before = len(house.adapter.texts("-5"))
    for _ in range(round(days * 24)):
        house.clock.advance(DAY / 24)
        await house.sweep()
    return house.adapter.texts("-5")[before:]


async def made(database: Database, folder: Path, *, model: bool = False) -> House:
    adapter = FakeAdapter()
    adapter.admins.add(("-5", FRIEND))
    house = await build(database, folder / "house", model=model, adapter=adapter)
    await said(house, "/time")
    await said(house, "/help", **GROUP)
    await said(house, "/readalong on", **GROUP)
    return house


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    """A group that is read along; tg:2 is its administrator."""
    return await made(database, tmp_path)


async def test_it_comes_at_its_time_with_what_was_said_since_the_last_one(home: House) -> None:
    # It is Monday.
    text = await said(home, "/summary every friday at 17", **{**GROUP, "sender": FRIEND})
    assert text.startswith("🗞 every Friday at 17:00 I sum up here what was said")
    await overhear(home, "Pizza on Saturday?")
    (first,) = await until(home, 5)
    assert "“`Family`”" in first
    assert "Pizza on Saturday?" in first
    await overhear(home, "Who was late?")
    (second,) = await until(home, 7)
    assert "Who was late?" in second
    assert "Pizza" not in second


async def test_a_stop_that_comes_before_it_is_written_leaves_it(home: House) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    await overhear(home, "Pizza on Saturday?")
    home.clock.advance(4 * 3600)
    await home.app.scheduler.due()
    await home.hear("/stop", **GROUP)
    before = len(home.adapter.texts("-5"))
    await home.work()
    stopped, summary = home.adapter.texts("-5")[before:]
    assert stopped == "There is nothing to stop."
    assert "Pizza on Saturday?" in summary


@pytest.mark.parametrize(
    ("refusal", "reason"), [("Forbidden: bot was kicked", "gone"), ("Bad Request: not enough rights", "refused")]
)
async def test_one_that_the_platform_refuses_rests_and_who_wanted_it_learns_why(
    home: House, refusal: str, reason: str
) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    await overhear(home, "Pizza on Saturday?")
    home.adapter.hitches.append(Hitch(error=SendRefused(refusal)))
    before = len(home.adapter.texts("1"))
    home.clock.advance(4 * 3600)
    await home.sweep()
    await home.sweep()
    assert await home.column("SELECT state || ' ' || reason FROM trigger WHERE round = 0 AND deliver <> 'note'") == [
        f"paused {reason}"
    ]
    (learnt,) = home.adapter.texts("1")[before:]
    assert learnt.startswith("I couldn't deliver “a summary of what was said”: ")


async def test_where_nothing_was_said_nothing_comes(home: House) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    assert await until(home, 3) == []
    await overhear(home, "Pizza?")
    assert len(await until(home, 3)) == 1


async def test_only_an_administrator_may_want_it_and_stop_it(home: House) -> None:
    home.adapter.admins.clear()
    refused = "Only an administrator of this group may do that."
    assert await said(home, "/summary every friday at 17", **{**GROUP, "sender": FRIEND}) == refused
    await said(home, "/summary every friday at 17", **GROUP)
    assert await said(home, "/summary off", **{**GROUP, "sender": FRIEND}) == refused
    assert "no longer" in await said(home, "/summary off", **GROUP)
    assert "don't sum up anything" in await said(home, "/summary off", **GROUP)
    await overhear(home, "Pizza?")
    assert await until(home, 8) == []


async def test_setting_it_again_takes_the_place_of_the_former_and_stopping_is_taken_back(home: House) -> None:
    await said(home, "/summary every friday at 17", **GROUP)
    await said(home, "/summary every day at 8", **GROUP)
    assert await home.column("SELECT count(*) FROM trigger WHERE ended_at IS NULL") == [1]
    assert "a summary of what was said" in await said(home, "/tasks", **GROUP)
    await said(home, "/summary off", **GROUP)
    await pressed(home, "Undo", chat="-5")
    await overhear(home, "Pizza?")
    assert len(await until(home, 2)) == 1


@pytest.mark.parametrize("parts", [1, 3])
async def test_one_that_may_have_arrived_in_part_is_sent_whole(
    home: House, parts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    await overhear(home, "Pizza on Saturday?")
    render = FakeAdapter.render

    def in_parts(adapter: FakeAdapter, text: str, *more: Any, **how: Any) -> Any:
        return render(adapter, "\f".join([text] * parts) if "Pizza" in text else text, *more, **how)

    monkeypatch.setattr(FakeAdapter, "render", in_parts)
    home.adapter.hitches.append(Hitch(error=SendDoubtful("broken")))
    home.clock.advance(3 * 3600)
    await home.sweep()
    assert not home.adapter.hitches
    before = len(home.adapter.texts("-5"))
    await said(home, "/summary off", **GROUP)
    await home.later(200)
    *summary, end = home.adapter.texts("-5")[before:]
    assert len(summary) == parts
    assert end == "I no longer sum up anything here by myself."


async def test_one_that_is_due_and_was_not_sent_comes_though_another_time_is_set(home: House) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    await overhear(home, "Pizza on Saturday?")
    home.adapter.hitches.append(Hitch(error=SendUnsent("slow down", 60)))
    home.clock.advance(3 * 3600)
    await home.sweep()
    assert not home.adapter.hitches
    before = len(home.adapter.texts("-5"))
    await home.hear("/summary every friday at 17", **GROUP)
    await home.work()
    await home.later(61)
    summary, new = home.adapter.texts("-5")[before:]
    assert "Pizza on Saturday?" in summary
    assert new.startswith("🗞 every Friday at 17:00")


async def test_one_that_was_not_begun_comes_though_another_time_is_set_in_a_topic(home: House) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    await overhear(home, "Pizza on Saturday?")
    home.clock.advance(3 * 3600)
    await home.app.scheduler.due()
    before = len(home.adapter.texts("-5"))
    await home.hear("/summary every friday at 17", **GROUP, thread="9")
    (lane_id,) = await home.column("SELECT id FROM lane WHERE thread = '9'")
    await home.app.worker.answer(lane_id)
    await home.work()
    assert any("Pizza on Saturday?" in text for text in home.adapter.texts("-5")[before:])


async def test_of_one_that_is_given_up_nothing_is_kept_and_it_is_made_anew_where_that_is_taken_back(
    home: House,
) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    await overhear(home, "Pizza on Saturday?")
    home.adapter.hitches.append(Hitch(error=SendUnsent("slow down", 60)))
    home.clock.advance(3 * 3600)
    await home.sweep()
    await home.hear("/summary off", **GROUP)
    await home.work()
    await home.later(61)
    of_run = "SELECT payload FROM outbox WHERE forgotten = 1"
    assert await home.column(of_run) == [None]
    (message_id,) = await home.column("SELECT platform_id FROM inbox WHERE text LIKE 'Pizza%'")
    await overhear(home, "Or rather on Sunday?")
    await home.app.inbox.accept(home.tenant_id, [Deleted(key="gone", chat="-5", message_id=message_id)])
    before = len(home.adapter.texts("-5"))
    await said(home, "/undo", **GROUP)
    await home.later(1)
    await home.sweep()
    _, summary = home.adapter.texts("-5")[before:]
    assert "Or rather on Sunday?" in summary
    assert "Pizza" not in summary


async def test_it_is_for_groups_that_are_read_along(home: House) -> None:
    assert "group" in await said(home, "/summary every friday at 17")
    await said(home, "/summary every day at 17", **GROUP)
    await overhear(home, "Pizza?")
    await said(home, "/readalong off", **GROUP)
    assert await until(home, 3) == ["🗞 I don't read along here any more, so the regular summary has ended."]
    assert await home.column("SELECT state FROM trigger") == ["cancelled"]
    assert "don't read along" in await said(home, "/summary every day at 17", **GROUP)


async def test_nothing_of_a_private_chat_gets_into_it(home: House) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    await said(home, "my secret plan for Friday at 5?")
    await said(home, "/todo my secret list", sender=OWNER)
    await said(home, "whispered secret?", **GROUP, response_url="https://hooks.example/1")
    await overhear(home, "Pizza?")
    (text,) = await until(home, 1)
    assert "Pizza?" in text
    assert "secret" not in text


async def test_it_is_once_and_for_all_when_the_bot_comes_back_late(home: House) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    await overhear(home, "Pizza?")
    home.clock.advance(4 * 3600)
    await home.sweep()
    await home.sweep()
    (text,) = [one for one in home.adapter.texts("-5") if "Pizza" in one]
    assert text.startswith("🗞")
    # It is no activity of whoever wanted it.
    assert await said(home, "/summary", **GROUP) == "🗞 I'm sending it to you in private."
    assert "Pizza?" in home.adapter.texts("1")[-1]


async def test_the_model_says_it_too_on_the_budget_of_who_wanted_it(database: Database, tmp_path: Path) -> None:
    house = await made(database, tmp_path, model=True)
    assert house.model is not None
    await said(house, "/summary every day at 17", **GROUP)
    await overhear(house, "Pizza?")
    house.model.add("They want pizza, says @anna [1].")
    (text,) = await until(house, 1)
    assert "They want pizza" in text
    assert "@anna" not in text
    assert house.model.requests[-1].tools == ()
    house.model.add(ModelUnreachable("away"))
    await overhear(house, "Pasta?")
    (text,) = await until(house, 1)
    assert "❓ Open questions" in text


async def test_an_end_is_not_taken_back_where_there_is_a_newer_one(home: House) -> None:
    await said(home, "/summary every day at 17", **GROUP)
    await said(home, "/summary off", **GROUP)
    undo = home.button("Undo", "-5")
    await said(home, "/summary every day at 18", **GROUP)
    await home.press("Undo", data=undo, chat="-5", chat_kind="group")
    await home.work()
    assert await home.column("SELECT state FROM trigger ORDER BY id") == ["cancelled", "active"]
