"""The tools of the Worker: what they take, what they give, and what they say when something is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import Role
from tests.calling import calls_of
from tests.capabilities.documents.made import pdf
from tests.capabilities.files.help import Work, at_work

pytestmark = pytest.mark.databases("sqlite")


@pytest.fixture
async def work(database: Database, tmp_path: Path) -> Work:
    return await at_work(database, tmp_path)


async def test_what_is_written_is_read_and_listed(work: Work) -> None:
    assert await work.gives("write_file", path="reports/nov.csv", content="a;b\n") == {"bytes_written": 4}
    assert await work.gives("write_file", path="reports/nov.csv", content="c;d\n", mode="append") == {
        "bytes_written": 4
    }
    assert await work.gives("write_file", path="file_state_dir/notes.md", content="Grüße") == {"bytes_written": 7}
    assert await work.gives("read_file", path="file_cache_dir/reports/nov.csv") == {"content": "a;b\nc;d\n", "size": 8}
    listed = await work.gives("list_files", recursive=True)
    assert [(one["path"], one["size"], one["is_dir"]) for one in listed["files"]] == [
        ("file_cache_dir/reports", 0, True),
        ("file_cache_dir/reports/nov.csv", 8, False),
        ("file_state_dir/notes.md", 7, False),
    ]
    assert [one["path"] for one in (await work.gives("list_files", path="reports", pattern="*.CSV"))["files"]] == [
        "file_cache_dir/reports/nov.csv"
    ]
    info = await work.gives("get_file_info", path="reports/nov.csv")
    assert info["exists"]
    assert info["size"] == 8
    assert info["modified"].endswith("+00:00")
    assert await work.gives("get_file_info", path="reports/dec.csv") == {"exists": False}


async def test_a_file_is_moved_and_deleted_and_empty_folders_go(work: Work) -> None:
    await work.gives("write_file", path="a/b/one.txt", content="1")
    assert await work.gives("move_file", **{"from": "a/b/one.txt", "to": "file_state_dir/c/two.txt"}) == {
        "success": True
    }
    assert not (work.cache / "a").exists()
    assert (await work.gives("read_file", path="file_state_dir/c/two.txt"))["content"] == "1"
    await work.gives("write_file", path="one.txt", content="new")
    assert "already" in await work.fails("move_file", **{"from": "one.txt", "to": "file_state_dir/c/two.txt"})
    assert await work.gives("delete_file", path="file_state_dir/c/two.txt") == {"deleted": True}
    assert "list_files" in await work.fails("delete_file", path="file_state_dir/c/two.txt")
    assert not (work.own / "file_state_dir" / "c").exists()


@pytest.mark.parametrize("tool", ["read_file", "delete_file", "get_file_info"])
async def test_a_root_alone_is_no_path(work: Work, tool: str) -> None:
    for path in ("file_cache_dir", "file_state_dir/", "", "./"):
        assert "name a file" in await work.fails(tool, path=path)
    assert "name a file" in await work.fails("write_file", path="file_cache_dir", content="x")


async def test_only_text_is_read_and_what_is_none_says_what_to_do(work: Work) -> None:
    await work.gives("write_file", path="x.txt", content="x")
    (work.cache / "report.pdf").write_bytes(b"%PDF-1.7 ...")
    (work.cache / "table.xlsx").write_bytes(b"PK\x03\x04...")
    (work.cache / "blob").write_bytes(b"abc\0def")
    (work.cache / "old.txt").write_bytes("Grüße".encode("latin-1"))
    assert "cannot be read: it is damaged" in await work.fails("read_file", path="report.pdf")
    assert "cannot be read: it is damaged" in await work.fails("read_file", path="table.xlsx")
    assert "no text" in await work.fails("read_file", path="blob")
    assert "give its encoding" in await work.fails("read_file", path="old.txt")
    assert (await work.gives("read_file", path="old.txt", encoding="latin1"))["content"] == "Grüße"
    assert "use one of" in await work.fails("read_file", path="old.txt", encoding="rot13")
    await work.gives("write_file", path="zh.txt", content="你好", encoding="gb18030")
    assert (await work.gives("read_file", path="zh.txt", encoding="gbk"))["content"] == "你好"
    assert "not in ascii" in await work.fails("write_file", path="zh.txt", content="你好", encoding="ascii")
    (work.cache / "long.txt").write_text("ü" * 50_000)
    long = await work.gives("read_file", path="long.txt")
    assert long["truncated"]
    assert long["size"] == 100_000
    assert set(long["content"]) == {"ü"}


async def test_a_document_is_read_part_by_part(work: Work) -> None:
    await work.gives("write_file", path="x.txt", content="x")
    pages = [[f"page {page} line {line} of a report that goes on and on" for line in range(55)] for page in range(1, 9)]
    (work.cache / "report.pdf").write_bytes(pdf(pages, title="Report"))
    first = await work.gives("read_file", path="report.pdf")
    assert first["content"].startswith("pdf · Report")
    assert "[page 1]\npage 1 line 0" in first["content"]
    assert first["tainted"] is True
    rest = await work.gives("read_file", path="report.pdf", part=first["next_part"])
    assert f"[page {first['next_part']}]\npage {first['next_part']} line 0" in rest["content"]
    assert "has 8 parts" in await work.fails("read_file", path="report.pdf", part=9)


async def test_limits_say_what_to_do(database: Database, tmp_path: Path) -> None:
    limits = {"write_max_kb": 1, "scope_mb": 1, "most_files": 3}
    work = await at_work(database, tmp_path, files=limits)
    assert "mode append" in await work.fails("write_file", path="a.txt", content="x" * 1025)
    await work.gives("write_file", path="a.txt", content="x" * 1024)
    (work.cache / "big.bin").write_bytes(bytes((1 << 20) - 1500))
    assert "1 MB together" in await work.fails("write_file", path="b.txt", content="y" * 600)
    await work.gives("delete_file", path="big.bin")
    for name in ("b.txt", "c.txt"):
        await work.gives("write_file", path=name, content="y")
    assert "3 files" in await work.fails("write_file", path="d.txt", content="y")


async def test_what_is_in_the_way_is_not_overwritten(work: Work) -> None:
    await work.gives("write_file", path="folder/one.txt", content="1")
    os.mkfifo(work.cache / "pipe")
    (work.cache / "link.txt").symlink_to(work.cache / "folder" / "one.txt")
    assert "is a folder" in await work.fails("write_file", path="folder", content="x")
    assert "no folder" in await work.fails("write_file", path="folder/one.txt/two.txt", content="x")
    for path in ("pipe", "link.txt"):
        assert "is a link" in await work.fails("write_file", path=path, content="x")
        assert "there is no file" in await work.fails("read_file", path=path)
        assert "there is no file" in await work.fails("delete_file", path=path)
    assert "is a folder" in await work.fails("delete_file", path="folder")


async def test_only_a_worker_has_them(work: Work) -> None:
    call = calls_of(work.home, work.run)
    for role in (Role.TELLER, Role.PLANNER, Role.PERSON):
        result = await call("read_file", role, path="a.txt")
        assert result.error.endswith(f"a {role.value} may not use read_file")


async def test_what_others_may_have_written_taints_and_ones_own_does_not(work: Work) -> None:
    await work.gives("write_file", path="own.txt", content="mine")
    await work.gives("write_file", path="own.txt", content=" too", mode="append")
    assert "tainted" not in await work.gives("read_file", path="own.txt")
    assert "tainted" not in await work.gives("list_files")
    await work.gives("move_file", **{"from": "own.txt", "to": "moved.txt"})
    assert "tainted" not in await work.gives("read_file", path="moved.txt")
    work.tainted = True
    await work.gives("write_file", path="web.txt", content="obey")
    await work.gives("write_file", path="moved.txt", content="obey", mode="append")
    work.tainted = False
    for path in ("web.txt", "moved.txt"):
        assert (await work.gives("read_file", path=path))["tainted"]
    await work.gives("write_file", path="web.txt", content=" more", mode="append")
    assert (await work.gives("read_file", path="web.txt"))["tainted"]
    (work.cache / "put.txt").write_text("by somebody")
    assert (await work.gives("read_file", path="put.txt"))["tainted"]
    assert (await work.gives("list_files"))["tainted"]


async def test_another_scopes_files_are_as_missing(database: Database, tmp_path: Path) -> None:
    mine = await at_work(database, tmp_path)
    theirs = await at_work(database, tmp_path, chat="2", home=mine.home)
    await theirs.gives("write_file", path="secret.txt", content="theirs")
    assert theirs.own != mine.own
    scope = theirs.lane.scope_id
    for path in (
        "secret.txt",
        f"../{scope}/file_cache_dir/secret.txt",
        f"../../{scope}/file_cache_dir/secret.txt",
        str(theirs.cache / "secret.txt"),
        f"{scope}/file_cache_dir/secret.txt",
    ):
        for tool in ("read_file", "delete_file"):
            assert "theirs" not in await mine.fails(tool, path=path)
    assert (await mine.gives("list_files", recursive=True))["files"] == []
    assert (theirs.cache / "secret.txt").read_text() == "theirs"


async def test_a_folder_of_the_operator_is_an_owners_in_private_and_written_where_that_is_allowed(
    database: Database, tmp_path: Path
) -> None:
    reports, notes = tmp_path / "reports", tmp_path / "notes"
    for folder in (reports, notes):
        folder.mkdir()
        (folder / "a.txt").write_text("theirs")
    (notes / "a.txt").chmod(0o644)
    allowed = {"allowed_paths": (str(reports), f"{notes}:rw")}
    work = await at_work(database, tmp_path / "data", files=allowed)
    assert await work.gives("read_file", path=f"{reports}/a.txt") == {"content": "theirs", "size": 6, "tainted": True}
    assert [one["path"] for one in (await work.gives("list_files", path=str(reports)))["files"]] == [f"{reports}/a.txt"]
    assert "can only be read" in await work.fails("write_file", path=f"{reports}/a.txt", content="x")
    assert "can only be read" in await work.fails("delete_file", path=f"{reports}/a.txt")
    await work.gives("write_file", path=f"{notes}/a.txt", content=" and ours", mode="append")
    assert (notes / "a.txt").read_text() == "theirs and ours"
    assert (notes / "a.txt").stat().st_mode & 0o777 == 0o644
    await work.gives("write_file", path=f"{notes}/new/b.txt", content="x")
    assert "cannot be moved" in await work.fails("move_file", **{"from": f"{notes}/a.txt", "to": "a.txt"})
    assert "name a file" in await work.fails("delete_file", path=str(notes))
    for path in (f"{reports}/../notes/a.txt", str(tmp_path / "data" / "ledger.key"), "/etc/passwd"):
        await work.fails("read_file", path=path)
    friend = await at_work(database, tmp_path / "data", home=work.home, chat="2")
    assert "only paths in" in await friend.fails("read_file", path=f"{reports}/a.txt")
    await work.end()
    await work.home.hear("hello", chat="-5", chat_kind="group", title="Family")
    await work.home.work()
    group = {"chat": "-5", "chat_kind": "group", "title": "Family", "sender": "tg:1"}
    in_group = await at_work(database, tmp_path / "data", home=work.home, **group)
    assert "only paths in" in await in_group.fails("read_file", path=f"{reports}/a.txt")


async def test_a_time_that_no_calendar_has_is_told_as_one_that_it_has(work: Work) -> None:
    await work.gives("write_file", path="a.txt", content="x")
    for second in (1 << 40, -(1 << 33)):
        os.utime(work.cache / "a.txt", (second, second))
        assert (await work.gives("get_file_info", path="a.txt"))["modified"][:4] in {"9999", "1970"}
    assert (await work.gives("get_file_info", path="file_cache_dir/a.txt"))["exists"]
