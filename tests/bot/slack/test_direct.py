"""The conversation with somebody who has never written to the bot (conversations.open)."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from core.kernel.types import Destination
from tests.emulators.slack import SlackServer
from tests.slack_house import USER, SlackHouse

HERE = Destination(tenant="T0001", chat="D1")


@pytest.fixture
async def house() -> AsyncIterator[SlackHouse]:
    async with SlackServer() as server:
        server.user(USER, name="ada")
        server.user("U1002", name="bob", tz="Asia/Tokyo")
        found = SlackHouse(server)
        async with found.receiving():
            yield found


async def test_the_conversation_with_a_colleague_is_opened_and_nothing_said(house: SlackHouse) -> None:
    found = await house.adapter.direct(HERE, "slack:T0001:U1002")
    assert found is not None
    assert (found[0].handle, found[0].kin, found[0].timezone) == ("@bob", "full", "Asia/Tokyo")
    assert found[1] == house.server.dm("U1002")
    assert not house.server.said(found[1])


@pytest.mark.parametrize("address", ["slack:T9:U1002", "slack:T0001:U0GONE", "tg:1", "slack:T0001:@bob"])
async def test_nobody_else_has_one(house: SlackHouse, address: str) -> None:
    assert await house.adapter.direct(HERE, address) is None


async def test_what_slack_refuses_is_none(house: SlackHouse) -> None:
    house.server.fault("conversations.open", error="missing_scope")
    assert await house.adapter.direct(HERE, "slack:T0001:U1002") is None
