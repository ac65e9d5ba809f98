"""What is read of Slack on the side: threads, files, and who has a say in a channel."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from bot.adapters.slack.directory import threads as reading
from bot.adapters.slack.directory.channel_members import Members
from bot.adapters.slack.directory.threads import Threads
from bot.adapters.slack.directory.workspaces import Workspace
from bot.adapters.slack.receive.files import Files
from core.kernel.errors import FetchFailed
from core.kernel.types import Attachment, Sender
from tests.slacking import ANN, BOB, TEAM, Desk, worker


@pytest.fixture
async def at() -> AsyncIterator[Desk]:
    async with worker() as opened:
        yield opened


async def names(workspace: Workspace, users: Iterable[str]) -> Mapping[str, Sender]:
    return {
        user: Sender(address=workspace.address(user), name=user.title(), handle=f"@{user.lower()}") for user in users
    }


def say(at: Desk, text: str, *, user: str = ANN, thread: str = "") -> str:
    team = at.server.team
    return at.server.world.post(team, team.channels[at.channel], user=user, text=text, thread_ts=thread).ts


def file(at: Desk, data: bytes = b"hello", mimetype: str = "text/plain", *, team: str = TEAM) -> Attachment:
    owner = at.server.world.teams[team]
    form = at.server.files.store(at.server.world, owner, user=ANN, name="a.txt", data=data, mimetype=mimetype)
    return Attachment(kind="document", file=form["url_private_download"], mime=mimetype, size=len(data))


async def test_a_thread_is_read_with_its_speakers(at: Desk) -> None:
    root = say(at, f"<@{BOB}> what do we do?")
    say(at, "a &lt; b", user=BOB, thread=root)
    await at.send("We wait.", thread=root)
    lines = await Threads(at.workspaces, at.wire, names, at.clock).thread(at.to(thread=root), 100)
    assert [(line.speaker, line.text, line.mine) for line in lines] == [
        ("U1001", "@u1002 what do we do?", False),
        ("U1002", "a < b", False),
        ("U0Bot", "We wait.", True),
    ]
    assert lines[0].address == f"slack:{TEAM}:{ANN}"
    assert lines[0].message_id == root
    assert lines[0].sent_at == int(float(root) * 1000)


@pytest.mark.parametrize(("kin", "outside"), [("full", False), ("guest", False), ("outsider", True), ("", True)])
async def test_who_is_not_of_the_workspace_is_told_from_who_is(at: Desk, kin: str, outside: bool) -> None:
    async def told(workspace: Workspace, users: Iterable[str]) -> Mapping[str, Sender]:
        return {user: replace(sender, kin=kin) for user, sender in (await names(workspace, users)).items()}

    root = say(at, "what do we do?")
    (line,) = await Threads(at.workspaces, at.wire, told, at.clock).thread(at.to(thread=root), 100)
    assert line.outside is outside


async def test_what_a_program_says_is_of_outside(at: Desk) -> None:
    async def nobody(workspace: Workspace, users: Iterable[str]) -> Mapping[str, Sender]:
        return {}

    team = at.server.team
    post = partial(at.server.world.post, team, team.channels[at.channel], thread_ts="")
    root = post(user="", text="a ticket", bot_id="B0TICKETS").ts
    (line,) = await Threads(at.workspaces, at.wire, nobody, at.clock).thread(at.to(thread=root), 100)
    assert (line.text, line.outside) == ("a ticket", True)


async def test_the_end_of_a_long_thread_is_read(at: Desk) -> None:
    root = say(at, "root")
    for number in range(450):
        say(at, f"line {number}", thread=root)
    lines = await Threads(at.workspaces, at.wire, names, at.clock).thread(at.to(thread=root), 100)
    assert [line.text for line in lines] == [f"line {number}" for number in range(350, 450)]


async def test_where_reading_is_scarce_a_thread_is_read_once_a_minute_and_goes_on() -> None:
    async with worker(scarce=True) as at:
        at.server.distributed(at.clock.monotonic)
        threads, calls = (
            Threads(at.workspaces, at.wire, names, at.clock),
            partial(at.server.calls, "conversations.replies"),
        )
        root = say(at, "root")
        for number in range(20):
            say(at, f"line {number}", thread=root)
        short = say(at, "another")

        async def read(thread: str) -> list[str]:
            return [line.text for line in await threads.thread(at.to(thread=thread), 100)]

        # Its end is too far for one page; meanwhile nobody asks, whatever the thread.
        assert [await read(root), await read(root), await read(short)] == [[], [], []]
        assert [call.error for call in calls()] == [""]
        at.clock.advance(61)
        whole = ["root", *(f"line {number}" for number in range(20))]
        assert [await read(root), await read(root)] == [whole, whole]
        say(at, "later", thread=root)
        at.clock.advance(61)
        assert await read(root) == [*whole, "later"]
        at.clock.advance(61)
        assert await read(short) == ["another"]
        assert [call.error for call in calls()] == [""] * 4


async def test_a_minute_that_began_before_the_start_is_waited_for() -> None:
    async with worker(scarce=True) as at:
        at.server.distributed(at.clock.monotonic)
        root = say(at, "root")
        await at.workspace.client.conversations_replies(channel=at.channel, ts=root, limit=1)
        at.clock.advance(20)
        threads = Threads(at.workspaces, at.wire, names, at.clock)
        for _ in range(5):
            assert not await threads.thread(at.to(thread=root), 100)
            at.clock.advance(7)
        assert [call.error for call in at.server.calls("conversations.replies")] == ["", "ratelimited"]
        at.clock.advance(61)
        assert len(await threads.thread(at.to(thread=root), 100)) == 1


async def test_a_long_thread_is_remembered_by_its_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_KEPT", 3)
    async with worker(scarce=True) as at:
        root = say(at, "root")
        for number in range(10):
            say(at, f"line {number}", thread=root)
        lines = await Threads(at.workspaces, at.wire, names, at.clock).thread(at.to(thread=root), 100)
        assert [line.text for line in lines] == ["root", "line 7", "line 8", "line 9"]


@pytest.mark.parametrize("code", ["missing_scope", "thread_not_found", "not_in_channel"])
async def test_a_thread_that_cannot_be_read_is_empty(at: Desk, code: str) -> None:
    at.server.fault("conversations.replies", error=code)
    assert await Threads(at.workspaces, at.wire, names, at.clock).thread(at.to(thread="1790000000.000001"), 100) == ()


async def test_what_is_no_thread_is_not_read(at: Desk) -> None:
    assert await Threads(at.workspaces, at.wire, names, at.clock).thread(at.to(), 100) == ()
    assert at.server.calls("conversations.replies") == []


async def test_a_file_is_fetched(at: Desk) -> None:
    assert await Files(at.workspaces, at.wire).fetch(file(at), 100) == b"hello"


async def test_a_file_is_fetched_by_its_id(at: Desk) -> None:
    sent = file(at)
    number = next(iter(at.server.team.files))
    assert await Files(at.workspaces, at.wire).fetch(replace(sent, file=f"{TEAM} {number}"), 100) == b"hello"


async def test_a_file_too_big_is_not_fetched_whatever_was_said_of_it(at: Desk) -> None:
    sent = file(at, b"x" * 1000)
    for size in (1000, 0):
        with pytest.raises(FetchFailed, match="too big") as caught:
            await Files(at.workspaces, at.wire).fetch(replace(sent, size=size), 999)
        assert caught.value.for_good


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/files-pri/T0001-F1/a.txt",
        "https://files.slack.com.evil.example/a",
        "https://files.slack.com@evil.example/a",
        "http://files.slack.com/files-pri/T0001-F1/a.txt",
        "https://notslack.com/a",
        "file:///etc/passwd",
    ],
)
async def test_no_other_host_gets_the_token(at: Desk, address: str) -> None:
    with pytest.raises(FetchFailed, match="not at Slack") as caught:
        await Files(at.workspaces, at.wire).fetch(Attachment(kind="document", file=address), 100)
    assert caught.value.for_good


async def test_a_redirect_to_the_sign_in_is_no_file(at: Desk) -> None:
    at.server.team.scopes.discard("files:read")
    with pytest.raises(FetchFailed, match="sign in"):
        await Files(at.workspaces, at.wire).fetch(file(at), 100)


async def test_a_page_is_no_file(at: Desk) -> None:
    sent = file(at)
    at.server.fault("download", "html")
    with pytest.raises(FetchFailed, match="page"):
        await Files(at.workspaces, at.wire).fetch(sent, 1000)


async def test_a_page_that_somebody_sent_is_a_file(at: Desk) -> None:
    assert await Files(at.workspaces, at.wire).fetch(file(at, b"<p>", "text/html"), 100) == b"<p>"


@pytest.mark.parametrize("kind", ["500", "cut", "short_after"])
async def test_a_passing_trouble_may_be_tried_again(at: Desk, kind: str) -> None:
    sent = file(at)
    at.server.fault("download", kind, times=2)
    with pytest.raises(FetchFailed) as caught:
        await Files(at.workspaces, at.wire).fetch(sent, 100)
    assert not caught.value.for_good


async def test_a_file_of_another_workspace_is_read_with_its_token(at: Desk) -> None:
    at.server.world.team("T0002")
    sent = file(at, team="T0002")
    at.workspaces.add(replace(at.workspace, team="T0003"))
    with pytest.raises(FetchFailed, match="not connected"):
        await Files(at.workspaces, at.wire).fetch(sent, 100)


async def test_who_made_a_channel_or_runs_the_workspace_administers_it(at: Desk) -> None:
    at.server.team.channels[at.channel].creator = BOB
    at.server.user("U1003", is_admin=True)
    members = Members(at.workspaces, at.wire, at.clock)
    found = [await members.administers(at.to(), f"slack:{TEAM}:{user}") for user in (ANN, BOB, "U1003")]
    assert found == [False, True, True]


async def test_members_are_in_their_channel(at: Desk) -> None:
    members = Members(at.workspaces, at.wire, at.clock)
    assert await members.belongs(at.to(), f"slack:{TEAM}:{ANN}")
    assert not await members.belongs(at.to(), f"slack:{TEAM}:U9999")
    assert not await members.belongs(at.to(), "tg:1001")


async def test_who_left_is_not_in_it_a_minute_later(at: Desk) -> None:
    members = Members(at.workspaces, at.wire, at.clock)
    assert await members.belongs(at.to(), f"slack:{TEAM}:{BOB}")
    at.server.leave(BOB, at.channel)
    at.clock.advance(61.0)
    assert not await members.belongs(at.to(), f"slack:{TEAM}:{BOB}")


async def test_who_left_is_not_in_it_where_slack_is_asked_anew(at: Desk) -> None:
    members = Members(at.workspaces, at.wire, at.clock)
    assert await members.belongs(at.to(), f"slack:{TEAM}:{BOB}")
    at.server.leave(BOB, at.channel)
    assert await members.belongs(at.to(), f"slack:{TEAM}:{BOB}")
    assert not await members.belongs(at.to(), f"slack:{TEAM}:{BOB}", fresh=True)


async def test_who_left_is_not_in_it_as_soon_as_slack_says_so(at: Desk) -> None:
    members = Members(at.workspaces, at.wire, at.clock)
    assert await members.belongs(at.to(), f"slack:{TEAM}:{BOB}")
    at.server.leave(BOB, at.channel)
    members.changed(TEAM, at.channel, BOB)
    assert not await members.belongs(at.to(), f"slack:{TEAM}:{BOB}")


async def test_an_answer_that_was_under_way_when_somebody_left_is_not_kept(
    at: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    members, client, answered = Members(at.workspaces, at.wire, at.clock), at.workspace.client, asyncio.Event()
    asked, ask = asyncio.Event(), client.conversations_members

    async def ask_slowly(**arguments: Any) -> Any:
        answer = await ask(**arguments)
        asked.set()
        await answered.wait()
        return answer

    monkeypatch.setattr(client, "conversations_members", ask_slowly)
    under_way = asyncio.ensure_future(members.belongs(at.to(), f"slack:{TEAM}:{BOB}"))
    await asked.wait()
    at.server.leave(BOB, at.channel)
    members.changed(TEAM, at.channel, BOB)
    answered.set()
    await under_way
    assert not await members.belongs(at.to(), f"slack:{TEAM}:{BOB}")


async def test_nobody_gets_a_right_because_slack_is_silent(at: Desk) -> None:
    at.server.fault("conversations.members", "500")
    at.server.fault("conversations.info", error="missing_scope")
    members = Members(at.workspaces, at.wire, at.clock)
    assert not await members.belongs(at.to(), f"slack:{TEAM}:{ANN}")
    assert not await members.administers(at.to(), f"slack:{TEAM}:{ANN}")
    assert await members.belongs(at.to(), f"slack:{TEAM}:{ANN}")


async def test_everybody_runs_their_own_conversation(at: Desk) -> None:
    members = Members(at.workspaces, at.wire, at.clock)
    assert await members.administers(at.to(at.dm), f"slack:{TEAM}:{ANN}")
    assert not await members.administers(at.to(at.dm), f"slack:{TEAM}:{BOB}")


async def test_the_bot_sees_all_where_its_token_may_read(at: Desk) -> None:
    members = Members(at.workspaces, at.wire, at.clock)
    assert await members.sees_all(at.to())
    at.workspaces.add(replace(at.workspace, scopes=frozenset({"chat:write"})))
    assert not await members.sees_all(at.to())


async def test_the_end_of_a_very_long_thread_is_read_too(at: Desk) -> None:
    root = say(at, "root")
    for number in range(1100):
        say(at, f"line {number}", thread=root)
    lines = await Threads(at.workspaces, at.wire, names, at.clock).thread(at.to(thread=root), 100)
    assert [line.text for line in lines] == [f"line {number}" for number in range(1000, 1100)]
    assert len(at.server.calls("conversations.replies")) == 2


async def test_of_a_thread_whose_end_is_too_far_nothing_is_read(at: Desk, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    root = say(at, "root")
    for number in range(8000):
        say(at, f"line {number}", thread=root)
    assert not await Threads(at.workspaces, at.wire, names, at.clock).thread(at.to(thread=root), 100)
    assert "too long to be read" in caplog.text


async def test_a_thread_is_read_though_nobody_knows_who_speaks(at: Desk) -> None:
    async def nobody(workspace: Workspace, users: Iterable[str]) -> Mapping[str, Sender]:
        raise TimeoutError

    root = say(at, "root")
    lines = await Threads(at.workspaces, at.wire, nobody, at.clock).thread(at.to(thread=root), 100)
    assert [(line.speaker, line.text) for line in lines] == [(ANN, "root")]
