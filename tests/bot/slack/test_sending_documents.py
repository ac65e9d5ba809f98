"""A file reaches an emulated Slack in three calls, of which only the last one can leave it in doubt."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.adapters.slack.send import documents
from core.kernel.errors import SendDoubtful, SendRefused, SendUnsent
from core.kernel.types import Document, Part
from tests.slacking import ANN, Desk, worker

BEGIN, SHARE = "files.getUploadURLExternal", "files.completeUploadExternal"


def file(content: bytes = b"\x00\xff zip", name: str = "Übersicht.zip") -> Part:
    document = Document(name=name, mime="application/zip", content=content)
    return Part(payload={"text": "", "document": {"name": name}}, document=document)


@pytest.fixture
async def at() -> AsyncIterator[Desk]:
    async with worker() as opened:
        yield opened


def shared(at: Desk, channel: str = "", thread: str | None = None) -> list[tuple[str, bytes]]:
    """The names and contents of the files in a channel, as the workspace has them."""
    messages = at.server.team.channels[channel or at.channel].messages.values()
    wanted = [one for one in messages if thread is None or one.thread_ts == thread]
    return [(form["title"], at.server.team.data[form["id"]]) for one in wanted for form in one.files]


async def test_a_file_arrives_whole_with_its_name(at: Desk) -> None:
    file_id = await at.sender.send(at.to(at.dm), file())
    assert shared(at, at.dm) == [("Übersicht.zip", b"\x00\xff zip")]
    assert file_id in at.server.team.files


async def test_a_file_goes_to_its_thread(at: Desk) -> None:
    root = await at.send("Root")
    await at.sender.send(at.to(thread=root), file())
    assert len(shared(at, thread=root)) == 1


async def test_a_thread_that_is_gone_is_left_out(at: Desk) -> None:
    await at.sender.send(at.to(thread="1790000000.000001"), file())
    assert len(shared(at, thread="")) == 1


async def test_a_possible_repeat_says_so(at: Desk) -> None:
    await at.sender.send(at.to(), file(), repeated="↻ Possibly a repeat.")
    assert at.texts() == ["↻ Possibly a repeat."]


@pytest.mark.parametrize("kind", ["500", "503", "html", "cut", "cut_after", "short_after", "garbage"])
async def test_what_may_have_been_shared_is_in_doubt(at: Desk, kind: str) -> None:
    at.server.fault(SHARE, kind)
    with pytest.raises(SendDoubtful):
        await at.sender.send(at.to(), file())
    assert len(at.server.calls(SHARE)) == 1


@pytest.mark.parametrize("kind", ["500", "503", "html", "cut", "cut_after", "garbage"])
async def test_what_nobody_was_shown_is_unsent_whatever_broke(at: Desk, kind: str) -> None:
    at.server.fault(BEGIN, kind)
    with pytest.raises(SendUnsent):
        await at.sender.send(at.to(), file())
    assert at.server.calls(SHARE) == []


@pytest.mark.parametrize("kind", ["500", "503", "cut"])
async def test_a_content_that_did_not_get_there_is_unsent(at: Desk, kind: str) -> None:
    at.server.fault("upload", kind)
    with pytest.raises(SendUnsent):
        await at.sender.send(at.to(), file())
    assert at.server.calls(SHARE) == []


async def test_a_pause_that_slack_asks_for_is_kept(at: Desk) -> None:
    at.server.fault(BEGIN, "429", retry_after=7)
    with pytest.raises(SendUnsent) as caught:
        await at.sender.send(at.to(), file())
    assert caught.value.retry_after == 7.0


async def test_an_app_without_the_right_refuses_the_file_and_waits_for_nobody(at: Desk) -> None:
    at.server.team.scopes.discard("files:write")
    with pytest.raises(SendRefused, match=r"missing_scope \(files:write\)"):
        await at.sender.send(at.to(), file())
    await at.send("goes on")
    assert at.texts() == ["goes on"]


async def test_where_the_bot_is_not_no_file_gets(at: Desk) -> None:
    at.server.kick_bot(at.channel, ANN)
    with pytest.raises(SendRefused, match=r"^Forbidden: not_in_channel$"):
        await at.sender.send(at.to(), file())


async def test_what_is_too_big_is_refused_before_it_leaves(at: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_DOCUMENT_BYTES", 9)
    with pytest.raises(SendRefused, match="9 bytes on Slack, not 10"):
        await at.sender.send(at.to(), file(bytes(10)))
    assert at.server.calls(BEGIN) == []


async def test_the_content_is_put_nowhere_else(at: Desk) -> None:
    at.server.files._url = lambda: "http://elsewhere.example"
    with pytest.raises(SendUnsent, match="no address"):
        await at.sender.send(at.to(), file())
