"""App Home on Slack: the page as its user sees it, and what its buttons bring."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.adapters.slack import SlackAdapter, SlackApp
from bot.adapters.slack.send.home import MOST_BLOCKS, view
from bot.app import build
from core.kernel.types import Button, Inbound, Item, Page, Press
from core.toolkit import intents
from tests.conftest import PlaceMaker
from tests.databases import build as build_database
from tests.databases import serve
from tests.emulators.slack import SlackServer
from tests.fakes import config
from tests.memory_intake import DEADLINE, RealClock
from tests.slack_house import NAMES, QUICK, USER, SlackHouse

ADDRESS = f"slack:T0001:{USER}"
DONE, LATER, STOP = (f"{'A' * 22}:{n}" for n in range(3))


def page(*items: Item, title: str = "To do") -> Page:
    return Page(sections=((title, items),))


PAGE = page(
    Item(text="☐ **milk** & \\<b\\>", buttons=(Button(label="Done", data=DONE),)),
    Item(text="⏰ stretch", buttons=(Button(label="+1 h", data=LATER), Button(label="Cancel", data=STOP))),
    Item(text="No quiet hours."),
)


@pytest.fixture
async def server() -> AsyncIterator[SlackServer]:
    async with SlackServer() as found:
        found.user(USER, name="ada", real_name="Ada L.", tz="Europe/Berlin", locale="zh-CN")
        yield found


@pytest.fixture
async def house(server: SlackServer) -> AsyncIterator[SlackHouse]:
    found = SlackHouse(server)
    async with found.receiving():
        yield found


async def shown(house: SlackHouse, what: Page) -> str:
    """Show a page; returns the id of the view that came of it."""
    await house.adapter.page("T0001", ADDRESS, what)
    found = house.server.home(USER)
    assert found is not None
    return found.id


async def test_a_page_is_shown_with_its_buttons_and_one_for_a_new_to_do(house: SlackHouse) -> None:
    await shown(house, PAGE)
    home = house.server.home(USER)
    assert home is not None
    kinds = [block["type"] for block in home.content["blocks"]]
    assert kinds == ["actions", "divider", "header", "section", "section", "actions", "section"]
    blocks = home.content["blocks"]
    assert blocks[0]["elements"][0]["text"]["text"] == "＋ 新待办"
    assert blocks[3]["text"]["text"] == "☐ *milk* &amp; &lt;b&gt;"
    assert blocks[3]["accessory"]["value"] == DONE
    assert [one["value"] for one in blocks[5]["elements"]] == [LATER, STOP]


async def test_a_newer_page_takes_the_place_of_the_former_one(house: SlackHouse) -> None:
    first = await shown(house, PAGE)
    assert await shown(house, page(Item(text="Nothing to do."))) == first
    assert "milk" not in house.server.home_text(USER)


async def test_a_press_on_it_is_one_in_the_private_chat(house: SlackHouse) -> None:
    house.server.press(await shown(house, PAGE), "Cancel", USER)
    await house.server.wait_until(lambda: not house.server.pending(), DEADLINE)
    [press] = [row for row in house.intake.rows.values() if isinstance(row, Press)]
    assert (press.chat, press.chat_kind, press.data) == (house.server.dm(USER), "private", STOP)
    assert (press.thread, press.message_id, press.response_url) == ("", "", "")


async def test_the_button_for_a_new_to_do_opens_its_window(house: SlackHouse) -> None:
    house.server.press(await shown(house, PAGE), "＋ 新待办", USER)
    await house.server.wait_until(lambda: bool(house.server.views(USER)), DEADLINE)
    house.server.submit({"要做什么": "milk"}, USER)
    await house.server.wait_until(lambda: not house.server.pending(), DEADLINE)
    [found] = [row for row in house.intake.rows.values() if isinstance(row, Inbound)]
    assert (found.text, found.intent) == ("milk", intents.add("milk"))


async def test_a_page_that_cannot_be_shown_disturbs_nobody(house: SlackHouse) -> None:
    house.server.world.app.home_tab = False
    await house.adapter.page("T0001", ADDRESS, PAGE)
    await house.adapter.page("T9999", "slack:T9999:U1", PAGE)
    await house.adapter.page("T0001", "tg:1", PAGE)
    assert house.server.home(USER) is None


@pytest.mark.parametrize("text", ["x" * 9_000, "&" * 2_900, "<@U1> " * 400, "", "\u2060", "```", "<!channel> @here"])
async def test_whatever_a_line_says_the_page_is_taken(house: SlackHouse, text: str) -> None:
    await shown(house, page(Item(text=text, buttons=(Button(label=text[:80], data=DONE),)), title=text[:200]))


def test_what_does_not_fit_is_left_out() -> None:
    many = page(*(Item(text=f"thing {n}") for n in range(200)))
    assert len(view(many, "New to-do")["blocks"]) == MOST_BLOCKS


async def test_through_the_whole_house_a_to_do_is_ticked_off_on_the_page(
    server: SlackServer, make_place: PlaceMaker, tmp_path: Path
) -> None:
    server.user(USER, name="ada", real_name="Ada L.", locale="en-US")
    clock, token = RealClock(), server.world.app.app_token
    slack_app = SlackApp(bot_token=server.team.bot_token, base_url=server.api, names=NAMES, app_token=token)
    adapter = SlackAdapter(slack_app, clock, timing=QUICK)
    database = build_database(make_place("sqlite"))
    app = build(config(tmp_path / "house", owners=(ADDRESS,)), {"slack": adapter}, db=database, clock=clock)
    task = asyncio.create_task(serve(app))
    try:
        await asyncio.wait_for(adapter.caught_up.wait(), DEADLINE)
        server.open_home(USER)
        await server.wait_until(lambda: "Nothing to do." in server.home_text(USER), DEADLINE)
        server.say("add milk to my list", USER)
        await server.wait_until(lambda: "milk" in server.home_text(USER), DEADLINE)
        home = server.home(USER)
        assert home is not None
        await server.wait_until(lambda: len(server.shown(server.dm(USER), USER)) == 2, DEADLINE)
        server.press(home.id, "☑ Done", USER)
        await server.wait_until(lambda: "Nothing to do." in server.home_text(USER), DEADLINE)
        assert len(server.shown(server.dm(USER), USER)) == 2
    finally:
        app.stop()
        await asyncio.wait_for(task, 20)


async def test_a_title_stands_without_the_frame_of_code(house: SlackHouse) -> None:
    await shown(house, page(Item(text="☐ cake · “`#a*b*`” · Slack"), Item(text="Write `/todo`")))
    home = house.server.home(USER)
    assert home is not None
    texts = [block["text"]["text"] for block in home.content["blocks"] if block["type"] == "section"]
    assert "`" not in texts[0]
    assert "“#a" in texts[0]
    assert texts[1] == "Write `/todo`"
