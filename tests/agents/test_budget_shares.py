"""Fair shares of the day's tokens, where everybody may write."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.config.sections import AccessSection
from core.agents.budget import FRESH_SECONDS, Budget, DayLimits, add_usage
from core.kernel.errors import BudgetSpent, ShareSpent
from core.kernel.types import Answer, LaneKey, ModelRequest, Usage
from tests.conftest import DatabaseMaker
from tests.fakes import OWNER, START, House, house

DAILY = 1_200
# A quarter is kept for owners, and of the rest a quarter is the most one gets.
REST, SHARE = 900, 225
# What a call needs: its request and the shortest answer.
ROOM = 10
GUESTS = (11, 12, 13, 14, 15, 16)
LANE = LaneKey(tenant_id=1, scope_id=1, chat_id=1, lane_id=1)
MINE = "Your share of today's budget is used up"
ALL = "Today's budget for the model is spent"


class Till:
    """A budget over a database, and what is asked of it."""

    def __init__(self, home: House, *, shared: bool = True) -> None:
        self.home = home
        self.budget = Budget(DAILY, ZoneInfo("UTC"), home.clock, output_tokens=10, limits=DayLimits(shared=shared))

    async def serves(self, person_id: int | None) -> str:
        """Whether a call for somebody gets in, and if not, why."""
        try:
            async with self.budget.hold(self.home.db, ModelRequest(messages=(), person_id=person_id)):
                return "yes"
        except ShareSpent:
            return "share"
        except BudgetSpent:
            return "day"

    async def takes(self, person_id: int, count: int) -> None:
        """Count a call here."""
        usage = Usage(model="m", tokens_in=count)
        await self.home.db.write(lambda tx: self.budget.count(tx, LANE, person_id, usage))

    async def took_elsewhere(self, person_id: int, count: int) -> None:
        """Count a call as another process does."""
        usage, day = Usage(model="m", tokens_out=count), self.budget.day()
        await self.home.db.write(lambda tx: add_usage(tx, LANE, person_id, day, usage))


@pytest.fixture
async def home(make_database: DatabaseMaker, tmp_path: Path) -> House:
    """A house whose database knows nobody yet."""
    return await house(await make_database("sqlite"), tmp_path / "house")


@pytest.fixture
def till(home: House) -> Till:
    """A budget with shares."""
    return Till(home)


async def test_nobody_gets_more_than_a_quarter_and_others_are_served_all_the_same(till: Till) -> None:
    assert await till.serves(11) == "yes"
    await till.takes(11, SHARE - ROOM)
    assert await till.serves(11) == "yes"
    await till.takes(11, 1)
    assert await till.serves(11) == "share"
    assert await till.serves(12) == "yes"


async def test_an_owner_has_the_whole_day(till: Till) -> None:
    await till.serves(None)
    await till.takes(1, DAILY - ROOM)
    assert await till.serves(None) == "yes"
    await till.takes(1, 1)
    assert await till.serves(None) == "day"


async def test_the_last_quarter_of_the_day_is_kept_for_owners(till: Till) -> None:
    await till.serves(None)
    for person_id in GUESTS[:4]:
        assert await till.serves(person_id) == "yes"
        await till.takes(person_id, SHARE)
    assert [await till.serves(person_id) for person_id in (*GUESTS[:5], None)] == ["day"] * 5 + ["yes"]
    await till.takes(1, DAILY - REST - ROOM)
    assert await till.serves(None) == "yes"


async def test_what_an_owner_used_leaves_less_for_everybody(till: Till) -> None:
    await till.serves(None)
    await till.takes(1, DAILY)
    assert await till.serves(11) == "day"


async def test_the_more_people_come_the_smaller_is_each_share(till: Till) -> None:
    await till.serves(None)
    await till.takes(11, 145)
    for person_id in GUESTS[1:5]:
        assert await till.serves(11) == "yes"
        await till.takes(person_id, 1)
    assert await till.serves(11) == "yes"
    await till.takes(GUESTS[5], 1)
    assert await till.serves(11) == "share"


async def test_what_a_person_holds_for_calls_under_way_is_part_of_their_share(till: Till) -> None:
    big = ModelRequest(messages=({"content": "x" * 840},), person_id=11)
    async with till.budget.hold(till.home.db, big):
        assert await till.serves(11) == "share"
        assert await till.serves(12) == "yes"
    assert await till.serves(11) == "yes"


async def test_what_other_processes_count_is_seen_half_a_minute_later(till: Till) -> None:
    assert await till.serves(11) == "yes"
    await till.took_elsewhere(11, 250)
    assert await till.serves(11) == "yes"
    till.home.clock.advance(FRESH_SECONDS + 1)
    assert await till.serves(11) == "share"


async def test_a_new_day_brings_new_shares(till: Till) -> None:
    await till.serves(11)
    await till.takes(11, 250)
    assert await till.serves(11) == "share"
    till.home.clock.advance(24 * 3600)
    assert await till.serves(11) == "yes"


async def test_where_not_everybody_may_write_there_are_no_shares(home: House) -> None:
    till = Till(home, shared=False)
    await till.serves(11)
    await till.takes(11, 999)
    assert await till.serves(11) == "yes"


def dear(request: ModelRequest) -> Answer:
    """An answer that takes a quarter of the day and a bit."""
    return Answer(text=f"said to {request.person_id}", usage=Usage(model="m", tokens_in=26_000))


async def test_in_an_open_house_a_guest_is_told_that_their_share_is_used_up(
    make_database: DatabaseMaker, tmp_path: Path
) -> None:
    home = await house(
        await make_database("sqlite"), tmp_path / "house", dear, daily_tokens=100_000, access=AccessSection(mode="open")
    )
    for sender in ("tg:7", "tg:7", OWNER, "tg:8", OWNER):
        await home.hear("write a poem", chat=sender, sender=sender, sent_at=START)
        await home.work()
    told = {sender: [text.partition(",")[0] for text in home.adapter.texts(sender)] for sender in ("tg:7", OWNER)}
    assert told["tg:7"][0].startswith("said to ")
    assert told["tg:7"][1] == MINE
    assert told[OWNER] == ["said to None", "📊 Over 80 % of the day's 100", "said to None"]
    assert home.adapter.texts("tg:8")[0].startswith("said to ")


async def test_four_strangers_cannot_use_up_the_owners_day(make_database: DatabaseMaker, tmp_path: Path) -> None:
    home = await house(
        await make_database("sqlite"), tmp_path / "house", dear, daily_tokens=104_000, access=AccessSection(mode="open")
    )
    for sender in ("tg:7", "tg:8", "tg:9", "tg:10", OWNER):
        await home.hear("write a poem", chat=sender, sender=sender, sent_at=START)
        await home.work()
    assert home.adapter.texts("tg:9")[0].startswith("said to ")
    assert home.adapter.texts("tg:10")[0].startswith(ALL)
    assert home.adapter.texts(OWNER)[-1] == "said to None"


async def test_in_a_house_with_a_list_one_may_use_the_whole_day(make_database: DatabaseMaker, tmp_path: Path) -> None:
    access = AccessSection(mode="allowlist", allow=("tg:7",))
    home = await house(await make_database("sqlite"), tmp_path / "house", dear, daily_tokens=100_000, access=access)
    for _ in range(5):
        await home.hear("write a poem", chat="7", sender="tg:7")
        await home.work()
        home.clock.advance(60)
    texts = home.adapter.texts("7")
    assert [text.startswith("said to ") for text in texts] == [True] * 4 + [False]
    assert texts[4].startswith(ALL)


async def test_the_words_come_in_the_language_of_the_person(make_database: DatabaseMaker, tmp_path: Path) -> None:
    home = await house(
        await make_database("sqlite"),
        tmp_path / "house",
        dear,
        daily_tokens=100_000,
        access=AccessSection(mode="open"),
        language="zh",
    )
    for _ in range(2):
        await home.hear("写一首诗", chat="7", sender="tg:7")
        await home.work()
    assert home.adapter.texts("7")[1].startswith("你今天的那份额度已经用完")
