"""Files whose fetching is broken off: what is on the disk has a row, what has none goes, and no row waits for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import pytest

from core.agents.llm.scripted import Said
from core.kernel.errors import ModelUnreachable
from core.kernel.ports import Database, Tx
from core.kernel.types import Attachment, ModelRequest
from core.pipeline.runs.attachments import AttachmentService, Limits
from core.pipeline.runs.run_context import RunContext
from core.store.files import Files
from tests.commanding import GROUP, said
from tests.fake_adapter import FakeAdapter
from tests.fakes import Crash, CrashingDatabase, House, claim_lane, house

pytestmark = pytest.mark.databases("sqlite")

PLUM = Attachment(kind="document", file="plum", name="plum.txt", mime="text/plain", size=4)
STUCK = Attachment(kind="document", file="stuck", name="stuck.txt")
PRIVATE: dict[str, Any] = {"chat": "1"}


class Slow(FakeAdapter):
    """A platform that does not finish a file as long as it is `slow`."""

    def __init__(self) -> None:
        super().__init__()
        self.files = {"plum": b"plum", "stuck": b"done"}
        self.slow = True
        self.stuck = asyncio.Event()

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        if attachment.file == "stuck" and self.slow:
            self.stuck.set()
            await asyncio.get_running_loop().create_future()
        return await super().fetch(attachment, most_bytes)


class Noticed(Files):
    """A folder that says when a file was written."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.written = asyncio.Event()
        self._loop = asyncio.get_running_loop()

    def keep(self, scope_id: int, attachment_id: int, name: str, content: bytes) -> str:
        path = super().keep(scope_id, attachment_id, name, content)
        self._loop.call_soon_threadsafe(self.written.set)
        return path


class Held(CrashingDatabase):
    """A database that writes when it is told to."""

    def __init__(self, inner: Database) -> None:
        super().__init__(inner)
        self.asked, self.go = asyncio.Event(), asyncio.Event()

    async def write(self, fn: Callable[[Tx], Any], *, order: Hashable = None) -> Any:
        self.asked.set()
        await self.go.wait()
        return await super().write(fn, order=order)


def on_disk(folder: Path) -> list[str]:
    return [path.name.partition("-")[2] for path in sorted((folder / "files").glob("*/*"))]


async def claimed(home: House) -> RunContext:
    (lane_id,) = await home.column("SELECT id FROM lane")
    run = await home.db.write(lambda tx: claim_lane(home, tx, lane_id))
    assert run is not None
    return run


async def states(home: House) -> list[str]:
    return await home.column("SELECT state FROM attachment ORDER BY id")


@pytest.mark.databases("sqlite", "postgres")
async def test_who_is_broken_off_before_all_is_fetched_leaves_no_file(database: Database, tmp_path: Path) -> None:
    adapter, files = Slow(), Noticed(tmp_path / "files")
    home = await house(database, tmp_path, adapter=adapter)
    await home.hear("look", attachments=(PLUM, STUCK))
    run = await claimed(home)
    fetching = asyncio.create_task(
        AttachmentService(files, database, home.clock, {"telegram": adapter}, Limits()).fetch(run)
    )
    await asyncio.wait_for(asyncio.gather(files.written.wait(), adapter.stuck.wait()), 10)
    assert on_disk(tmp_path) == ["plum.txt"]
    fetching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert on_disk(tmp_path) == []
    assert await states(home) == ["new", "new"]


async def test_who_is_broken_off_while_it_is_noted_leaves_the_file_with_its_row(
    database: Database, tmp_path: Path
) -> None:
    adapter, held = Slow(), Held(database)
    home = await house(database, tmp_path, adapter=adapter)
    await home.hear("look", attachments=(PLUM,))
    run = await claimed(home)
    attachment_service = AttachmentService(Files(tmp_path / "files"), held, home.clock, {"telegram": adapter}, Limits())
    fetching = asyncio.create_task(attachment_service.fetch(run))
    await asyncio.wait_for(held.asked.wait(), 10)
    fetching.cancel()
    held.go.set()
    with pytest.raises(asyncio.CancelledError):
        await fetching
    assert (await states(home), on_disk(tmp_path)) == (["kept"], ["plum.txt"])


@pytest.mark.parametrize(("where", "forget"), [(PRIVATE, "/forget yes"), (dict(GROUP), "/forget me")])
async def test_to_forget_takes_a_file_along_that_no_row_ever_named(
    database: Database, tmp_path: Path, where: dict[str, Any], forget: str
) -> None:
    crashing, adapter = CrashingDatabase(database), Slow()
    first = await house(crashing, tmp_path, adapter=adapter)
    await said(first, "/help", **where)
    await first.hear("look", attachments=(PLUM,), **where)
    crashing.arm(2, after=False)  # claim, then the keeping
    with pytest.raises(Crash):
        await first.answer()
    second = await house(database, tmp_path, "never", adapter=adapter)
    await second.app._take_up()
    await second.hear("/stop", **where, key="stop")
    await second.work()
    assert on_disk(tmp_path) == ["plum.txt"]
    assert await states(second) == ["failed"]
    await second.hear(forget, **where, key="forget")
    await second.work()
    assert on_disk(tmp_path) == []


async def test_to_forget_leaves_the_files_of_others(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, "nice", adapter=Slow())
    await said(home, "/help", **GROUP)
    await said(home, "look", attachments=(PLUM,), **GROUP)
    await said(home, "/forget me", sender="tg:7", **GROUP)
    assert on_disk(tmp_path) == ["plum.txt"]
    assert await states(home) == ["kept"]


async def test_a_stop_while_files_are_fetched_settles_them(database: Database, tmp_path: Path) -> None:
    adapter = Slow()
    home = await house(database, tmp_path, "never", adapter=adapter)
    await home.hear("look", attachments=(PLUM, STUCK))
    (lane_id,) = await home.column("SELECT id FROM lane")
    answering = asyncio.create_task(home.answer())
    await asyncio.wait_for(adapter.stuck.wait(), 10)
    await home.hear("/stop")
    await home.app.worker.stop(lane_id)
    await asyncio.wait_for(answering, 10)
    assert await states(home) == ["failed", "failed"]
    assert on_disk(tmp_path) == []


async def test_what_was_never_kept_is_not_told_as_a_file(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, "nice", adapter=Slow())
    await said(home, "/help", attachments=(PLUM,))
    assert " file" not in await said(home, "/forget")
    await said(home, "look", attachments=(PLUM,))
    assert "1 file" in await said(home, "/forget")


async def test_a_file_that_took_too_long_is_fetched_when_its_message_is_worked_on_again(
    database: Database, tmp_path: Path
) -> None:
    down = [True]

    def weather(request: ModelRequest) -> Said:
        return ModelUnreachable("down") if down else "I see"

    adapter = Slow()
    home = await house(database, tmp_path, weather, adapter=adapter)
    home.app.worker.answering.collaborators.attachment_service._limits = Limits(most_seconds=0.05)
    await home.hear("look", attachments=(STUCK,))
    await home.work()
    assert await states(home) == ["new"]
    down.clear()
    adapter.slow = False
    await home.later(15)
    assert home.adapter.texts()[1:] == ["I see"]
    assert (await states(home), on_disk(tmp_path)) == (["kept"], ["stuck.txt"])


async def test_each_file_has_a_time_of_its_own(database: Database, tmp_path: Path) -> None:
    adapter = Slow()
    home = await house(database, tmp_path, adapter=adapter)
    stuck = [Attachment(kind="document", file="stuck", name=f"{n}.txt") for n in range(3)]
    await home.hear("look", attachments=(*stuck, PLUM))
    attachment_service = AttachmentService(
        Files(tmp_path / "files"), database, home.clock, {"telegram": adapter}, Limits(most_seconds=0.05)
    )
    (message,) = (await attachment_service.fetch(await claimed(home))).messages
    assert [one.state for one in message.attachments] == ["new", "new", "new", "kept"]


@pytest.mark.parametrize(
    ("size", "seconds"), [(1, 20), (200_000, 21), (2_000_000, 30), (20_000_000, 120), (2 << 30, 120), (0, 120)]
)
def test_a_large_file_has_more_time_than_a_small_one(size: int, seconds: int) -> None:
    assert round(Limits().patience(size)) == seconds
