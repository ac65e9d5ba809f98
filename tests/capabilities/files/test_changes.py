"""A change of a file is committed, then done once: nothing is half, nothing is done twice, and it can be taken back."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.capabilities.files import repository as changes
from core.capabilities.files import sweeping
from core.capabilities.files.disk import Disk
from core.capabilities.files.folders import Folders
from core.capabilities.files.models import Change, ChangeAct, ChangeState
from core.capabilities.files.paths import CACHE, Place, Rules
from core.kernel.ids import ref
from core.kernel.ports import Database
from core.store.beneath import OPENER
from tests.capabilities.files.help import Work, at_work
from tests.commanding import said
from tests.fakes import Crash, CrashingDatabase

SCOPE = 7
TOKENS = [f"{n:016x}" for n in range(9)]


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(Folders(tmp_path / "folders", Rules(), OPENER))


def change(n: int, act: ChangeAct, path: str, token: str = "", **more: object) -> Change:
    fields = {"change_id": n, "scope_id": SCOPE, "person_id": 1, "state": ChangeState.PLANNED, **more}
    return Change(act=act, path=f"{CACHE}/{path}", token=token or TOKENS[n], **fields)  # type: ignore[arg-type]


class Killed(BaseException):
    """The process dies here."""


# The system calls after which the process may die.
STEPS = ("rename", "link", "unlink", "fsync", "open", "mkdir", "rmdir")


def _dying(at: int, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Die right before the call `at` of those that change something; the names of those that were made."""
    made: list[str] = []

    def wrapped(name: str) -> object:
        real = getattr(os, name)

        def call(*args: object, **kwargs: object) -> object:
            made.append(name)
            if len(made) == at:
                raise Killed
            return real(*args, **kwargs)

        return call

    for name in STEPS:
        monkeypatch.setattr(os, name, wrapped(name))
    return made


def _acts(disk: Disk) -> dict[str, tuple[Change, dict[str, str]]]:
    """Each act on `a.txt` ("old") with what is to be there after it."""
    pieces = {act: disk.stage(SCOPE, b" new") for act in ("write", "append", "fresh", "appended")}
    return {
        "write": (change(1, ChangeAct.WRITE, "a.txt", pieces["write"]), {"a.txt": " new"}),
        "append": (change(1, ChangeAct.APPEND, "a.txt", pieces["append"]), {"a.txt": "old new"}),
        "fresh": (change(1, ChangeAct.WRITE, "b/c.txt", pieces["fresh"]), {"a.txt": "old", "b/c.txt": " new"}),
        "appended": (change(1, ChangeAct.APPEND, "b/c.txt", pieces["appended"]), {"a.txt": "old", "b/c.txt": " new"}),
        "delete": (change(1, ChangeAct.DELETE, "a.txt"), {}),
        "move": (change(1, ChangeAct.MOVE, "a.txt", target=f"{CACHE}/d/e.txt"), {"d/e.txt": "old"}),
    }


def _there(disk: Disk) -> dict[str, str]:
    cache = disk.folders.home / str(SCOPE) / CACHE
    return {str(one.relative_to(cache)): one.read_text() for one in cache.rglob("*") if one.is_file()}


@pytest.mark.parametrize("act", ["write", "append", "fresh", "appended", "delete", "move"])
def test_killed_at_any_step_a_file_is_old_or_new_and_the_change_is_done_once(
    disk: Disk, act: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(1, 200):
        with disk._folder_of(SCOPE, Place(CACHE, "a.txt"), make=True):
            for one in (cache := disk.folders.home / str(SCOPE) / CACHE).rglob("*"):
                if one.is_file():
                    one.unlink()
        (cache / "a.txt").write_text("old")
        wanted, after = _acts(disk)[act]
        wanted = change(1, wanted.act, wanted.path.removeprefix(f"{CACHE}/"), wanted.token, target=wanted.target)
        for kept in (disk.folders.home / str(SCOPE)).glob("kept/*"):
            kept.unlink()
        before = _there(disk)
        with monkeypatch.context() as patched:
            _dying(at, patched)
            try:
                disk.carry_out(wanted)
                died = False
            except Killed:
                died = True
        found = _there(disk)
        both = {**before, **after}  # while it is moved a file has two names
        assert all(found[path] in {before.get(path), after.get(path)} for path in found), (at, found)
        assert found in (before, after) or (act == "move" and found == both), (at, found)
        disk.carry_out(wanted)
        assert _there(disk) == after, at
        disk.carry_out(wanted)
        assert _there(disk) == after, at
        if not died:
            assert at > 5
            return
    raise AssertionError("it has more steps than that")


WRITER = """
import sys
from pathlib import Path
from core.capabilities.files.disk import Disk
from core.capabilities.files.folders import Folders
from core.capabilities.files.models import Change, ChangeAct, ChangeState
from core.capabilities.files.paths import Rules

disk = Disk(Folders(Path(sys.argv[1]), Rules()))
for n in range(1, 1_000_000):
    token = disk.stage(7, str(n % 10).encode() * 300_000)
    fields = {"change_id": n, "scope_id": 7, "person_id": 1, "state": ChangeState.PLANNED}
    disk.carry_out(Change(act=ChangeAct.WRITE, path="a.txt", token=token, **fields))
    print(n, flush=True)
"""


def test_killed_at_any_moment_of_writing_a_file_is_whole(tmp_path: Path) -> None:
    folder, found = tmp_path / "folders", set()
    for n in range(8):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            for _ in range(3 + n):
                writer.stdout.readline()
            writer.kill()  # somewhere in the next one
        content = (folder / "7" / CACHE / "a.txt").read_bytes()
        assert content == content[:1] * 300_000
        found.add(content[:1])
    assert len(found) > 1


def test_what_another_disk_holds_is_copied(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.rename

    def rename(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        if os.fstat(src_dir_fd).st_ino != os.fstat(dst_dir_fd).st_ino:
            raise OSError(errno.EXDEV, "another disk")
        real(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    def link(*_: object, **__: object) -> None:
        raise OSError(errno.EXDEV, "another disk")

    monkeypatch.setattr(os, "rename", rename)
    monkeypatch.setattr(os, "link", link)
    disk.carry_out(change(1, ChangeAct.WRITE, "a.txt", disk.stage(SCOPE, b"old")))
    disk.carry_out(change(2, ChangeAct.WRITE, "a.txt", token := disk.stage(SCOPE, b"new")))
    assert _there(disk) == {"a.txt": "new"}
    disk.carry_out(change(3, ChangeAct.RESTORE, "a.txt", source=token))
    assert _there(disk) == {"a.txt": "old"}
    disk.carry_out(change(4, ChangeAct.DELETE, "a.txt"))
    assert _there(disk) == {}


@pytest.mark.databases("sqlite")
async def test_undo_brings_back_what_was_written_over_moved_and_deleted(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await work.gives("write_file", path="a.txt", content="one")
    await work.gives("write_file", path="a.txt", content="two")
    await work.gives("write_file", path="a.txt", content=" three", mode="append")
    await work.gives("move_file", **{"from": "a.txt", "to": "b/c.txt"})
    await work.gives("delete_file", path="b/c.txt")
    await work.end()
    for what, there in (
        ("that c.txt was deleted", {"b/c.txt": "two three"}),
        ("that a.txt was moved", {"a.txt": "two three"}),
        ("what was written to a.txt", {"a.txt": "two"}),
        ("what was written to a.txt", {"a.txt": "one"}),
        ("what was written to a.txt", {}),
    ):
        assert what in await said(work.home, "/undo")
        await work.files.settle(work.lane.scope_id)
        cache = work.cache
        found = {str(one.relative_to(cache)): one.read_text() for one in cache.rglob("*") if one.is_file()}
        assert found == there


async def test_what_was_changed_again_is_not_taken_back(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await work.gives("write_file", path="a.txt", content="one")
    [first] = await work.home.column("SELECT id FROM undo")
    await work.gives("write_file", path="a.txt", content="two")
    await work.end()
    assert "changed again" in await said(work.home, f"/undo {ref('u', first)}")
    assert (work.cache / "a.txt").read_text() == "two"


async def test_what_the_disk_does_not_take_waits_and_is_done_later(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await work.gives("write_file", path="a.txt", content="old")
    await work.call("write_file", path="folder/b.txt", content="x")
    real, failing = work.files.disk.carry_out, True

    def carry_out(wanted: Change) -> object:
        if failing:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(wanted)

    work.files.disk.carry_out = carry_out  # type: ignore[method-assign,assignment]
    with pytest.raises(OSError, match="No space"):
        await work.call("write_file", path="a.txt", content="new")
    assert (work.cache / "a.txt").read_text() == "old"
    assert "the disk is full" in (await _result(work, "read_file", path="a.txt"))
    assert "No space left" in (await _result(work, "delete_file", path="a.txt"))
    failing = False
    await sweeping.settle(work.home.app.container, work.lane.scope_id)
    assert (await work.gives("read_file", path="a.txt"))["content"] == "new"
    assert await work.home.column("SELECT state FROM file_change WHERE state <> 'done'") == []


async def _result(work: Work, name: str, **arguments: object) -> str:
    try:
        return (await work.call(name, **arguments)).error
    except OSError:
        (error,) = await work.home.column("SELECT content FROM step ORDER BY n DESC LIMIT 1")
        return str(error)


async def test_a_full_disk_is_told_before_anything_is_promised(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)

    def stage(scope_id: int, content: bytes) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    work.files.disk.stage = stage  # type: ignore[method-assign]
    assert "the disk is full); nothing was changed. Tell the person" in await work.fails(
        "write_file", path="a.txt", content="new"
    )
    assert await work.home.column("SELECT id FROM file_change") == []


async def test_no_more_is_kept_than_may_be(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path, files={"kept_mb": 1})
    for n in range(4):
        await work.gives("write_file", path="a.txt", content=f"{n}" * 500_000)
    assert len(list((work.own / "kept").iterdir())) == 2
    assert len(await work.home.column("SELECT kept FROM file_change WHERE kept <> ''")) == 2
    planned = await work.home.db.read(lambda tx: changes.planned(tx, work.lane.scope_id))
    assert planned == []


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("act", ["write_file", "delete_file", "move_file"])
async def test_killed_at_any_commit_a_call_that_is_made_again_is_done_once(
    database: Database, tmp_path: Path, act: str, after: bool
) -> None:
    arguments = {
        "write_file": {"path": "a.txt", "content": " new", "mode": "append"},
        "delete_file": {"path": "a.txt"},
        "move_file": {"from": "a.txt", "to": "b.txt"},
    }[act]
    wanted = {"write_file": {"a.txt": "old new"}, "delete_file": {}, "move_file": {"b.txt": "old"}}[act]
    dying = CrashingDatabase(database)
    work = await at_work(dying, tmp_path)
    for at in range(1, 9):
        (work.cache).mkdir(parents=True, exist_ok=True)
        for one in work.cache.iterdir():
            one.unlink()
        (work.cache / "a.txt").write_text("old")
        dying.arm(at, after=after)
        work.n += 1
        try:
            await work.again(act, **arguments)
        except Crash:
            dying.disarm()
            dying.dead = False
            died = True
        else:
            died = False
        # The next process knows what is in the database, and does not know what was done on the disk.
        work.files._done.clear()
        assert (await work.again(act, **arguments)).success
        found = {one.name: one.read_text() for one in work.cache.iterdir()}
        assert found == wanted, at
        if not died:
            assert at == 3
            return
    raise AssertionError("it has more commits than that")


async def test_what_can_never_be_done_keeps_nothing_waiting(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await work.gives("write_file", path="first.txt", content="1")
    settle, outside = work.files.settle, tmp_path / "outside"
    outside.mkdir()

    async def nothing(_: int) -> None:
        return None

    work.files.settle = nothing  # type: ignore[method-assign,assignment]
    assert (await work.call("write_file", path="folder/a.txt", content="x")).success
    # Somebody is quicker.
    (work.cache / "folder").symlink_to(outside)
    work.files.settle = settle  # type: ignore[method-assign]
    await work.gives("write_file", path="second.txt", content="2")
    assert list(outside.iterdir()) == []
    states = await work.home.rows("SELECT path, state FROM file_change ORDER BY id")
    assert [(one["path"].rpartition("/")[2], one["state"]) for one in states] == [
        ("first.txt", "done"),
        ("a.txt", "failed"),
        ("second.txt", "done"),
    ]


@pytest.mark.databases("sqlite")
async def test_a_move_is_not_taken_back_over_what_somebody_put_there(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await work.gives("write_file", path="a.txt", content="ours")
    await work.gives("move_file", **{"from": "a.txt", "to": "b.txt"})
    await work.end()
    (work.cache / "a.txt").write_text("theirs")
    assert "a file of that name again" in await said(work.home, "/undo")
    assert (work.cache / "a.txt").read_text() == "theirs"
    assert (work.cache / "b.txt").read_text() == "ours"


async def test_what_a_run_removes_after_it_has_read_others_words_is_shown_with_undo(
    database: Database, tmp_path: Path
) -> None:
    work = await at_work(database, tmp_path)
    for name in ("a.txt", "b.txt", "c.txt"):
        await work.gives("write_file", path=name, content="mine")
    unseen = await work.call("delete_file", path="c.txt")
    assert unseen.said is None
    # The rest was written by another run.
    await work.home.db.write(lambda tx: tx.run("UPDATE file_change SET run_id = NULL"))
    work.tainted = True
    deleted = await work.call("delete_file", path="a.txt")
    over = await work.call("write_file", path="b.txt", content="theirs")
    gone = await work.call("delete_file", path="b.txt")
    assert gone.said["text"].endswith("↩ that b.txt was deleted")
    # What it writes anew is sent, and what it wrote itself is its own.
    own = [await work.call("write_file", path="results/d.txt", content=one) for one in ("1", "2")]
    own += [await work.call("delete_file", path="results/d.txt")]
    assert [one.said for one in own] == [None] * 3
    said = [str(one.said["text"]) for one in (deleted, over)]
    assert [text.splitlines()[0] for text in said] == ["After reading what others wrote I changed files."] * 2
    assert [text.splitlines()[1] for text in said] == ["↩ that a.txt was deleted", "↩ what was written to b.txt"]
    assert [one.said["offers"][0][0] for one in (deleted, over)] == ["Undo"] * 2
    assert deleted.result == {"deleted": True}
