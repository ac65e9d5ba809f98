"""Who everybody is, is asked for beside all else: it takes no place of what somebody waits for."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from slack_sdk.errors import SlackApiError

from bot.adapters.slack.directory.prefetch import MOST_AT_ONCE, Prefetch
from core.kernel import background
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_house import USER, SlackHouse


class Crowd:
    """Stands for the people of a workspace: nobody of them answers."""

    def __init__(self) -> None:
        self.pages: list[int] = []
        self.met, self.given_up = asyncio.Event(), asyncio.Event()

    async def meet(self, pages: int) -> None:
        """Ask for ever who they are."""
        self.pages.append(pages)
        self.met.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.given_up.set()


async def met(team: str) -> None:
    """Hear of a workspace whose people were asked for."""


async def test_what_somebody_waits_for_is_done_while_people_are_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "MOST_AT_ONCE", 1)
    async with SlackServer() as server:
        house = SlackHouse(server)
        server.fault("users.list", "slow", times=1, delay=10**3)
        async with house.receiving():
            await server.wait_until(lambda: bool(server.calls("users.list")), DEADLINE)
            server.open_home(USER, tab="messages")
            await server.wait_until(lambda: bool(server.calls("assistant.threads.setSuggestedPrompts")), DEADLINE)


async def test_a_few_workspaces_are_met_at_a_time_and_less_of_each_where_many_are() -> None:
    crowds: list[Any] = [Crowd() for _ in range(100)]
    prefetch = Prefetch(crowds, met)
    for number, crowd in enumerate(crowds):
        prefetch.begin(f"T{number}", crowd)
    await asyncio.wait_for(crowds[MOST_AT_ONCE - 1].met.wait(), DEADLINE)
    assert [crowd.pages for crowd in crowds if crowd.pages] == [[5]] * MOST_AT_ONCE
    prefetch.end("T0")
    await asyncio.wait_for(crowds[MOST_AT_ONCE].met.wait(), DEADLINE)
    await prefetch.close()


async def test_who_leaves_or_comes_back_is_not_asked_for_as_before() -> None:
    before: Any = Crowd()
    after: Any = Crowd()
    prefetch = Prefetch([before], met)
    prefetch.begin("T1", before)
    await asyncio.wait_for(before.met.wait(), DEADLINE)
    prefetch.begin("T1", after)
    await asyncio.wait_for(before.given_up.wait(), DEADLINE)
    await asyncio.wait_for(after.met.wait(), DEADLINE)
    prefetch.end("T1")
    await asyncio.wait_for(after.given_up.wait(), DEADLINE)
    await prefetch.close()


async def test_what_slack_says_once_to_all_does_not_grow() -> None:
    async with SlackServer() as server:
        house = SlackHouse(server)
        async with house.receiving():
            people = house.adapter._incoming._served[server.team.id].people
            server.fault("users.info", kind="429", times=1, retry_after=30)
            lengths = [len(await refused(people, f"U8{number:03d}")) for number in range(50)]
    assert lengths[-1] <= lengths[1]


async def refused(people: Any, user: str) -> list[Any]:
    with pytest.raises(SlackApiError) as found:
        await people.one(user)
    return list(found.traceback)


async def test_who_is_in_a_workspace_is_taken_in_at_the_start_but_not_whom_slack_told_of_since(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with SlackServer() as server:
        house = SlackHouse(server)
        server.user(USER)
        server.user("U2").deleted = server.user("U3").deleted = True
        looked = asyncio.Event()

        async def cursor(tenant_id: int, name: str) -> str:
            await looked.wait()
            return ""

        monkeypatch.setattr(house.intake, "cursor", cursor)
        async with house.running():
            await server.wait_until(lambda: bool(server.sockets.greeted and server.calls("users.list")), DEADLINE)
            server.user("U3", deleted=False)
            await house.arrived()
            assert not house.intake.listed
            looked.set()
            await house.intake.wait(lambda: bool(house.intake.listed))
    gone = {address.rpartition(":")[2]: one.gone for address, one in house.intake.listed.items()}
    assert gone.pop("U2")
    assert not gone.pop(USER)
    assert "U3" not in gone


async def test_who_is_deactivated_while_a_page_is_on_its_way_is_not_listed_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with SlackServer() as server:
        house = SlackHouse(server)
        server.user(USER)
        async with house.receiving():
            await house.intake.wait(lambda: bool(house.intake.listed))
            people = house.adapter._incoming._served[server.team.id].people
            asked = people._client.users_list

            async def overtaken(**fields: Any) -> Any:
                answer = await asked(**fields)
                people.changed({"id": USER, "deleted": True})
                return answer

            monkeypatch.setattr(people._client, "users_list", overtaken)
            await people.meet()
    assert USER not in people.listed
    assert people.listed
