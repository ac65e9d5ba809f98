"""How files are kept: found by people, taken along, backed up, forgotten, handed over with their chat."""

from __future__ import annotations

import io
import os
import time
import zipfile
from pathlib import Path

import pytest

from bot.config.sections import AccessSection
from core.capabilities.files import repository as changes
from core.capabilities.files.service import ScopeFiles
from core.capabilities.privacy.retention import Retention
from core.kernel.ports import Database
from core.kernel.types import Attachment
from core.kernel.updates import Moved
from core.store.files import Files
from tests.capabilities.files.help import Work, at_work
from tests.commanding import labels, pressed, said
from tests.fakes import FRIEND, House, house
from tests.working import background, call, calling, scripted

DAY = 86_400
GROUP = {"chat": "-5", "chat_kind": "group", "title": "Family"}


def sent_file(name: str, size: int = 4) -> Attachment:
    return Attachment(kind="document", file="F1", name=name, mime="text/plain", size=size)


async def sends(work: Work, name: str, content: bytes = b"plum", **fields: object) -> None:
    """Let somebody send a file, and the bot keep it."""
    work.home.adapter.files["F1"] = content
    await work.home.hear("look", attachments=(sent_file(name, len(content)),), **fields)
    await work.end()


async def test_what_people_sent_lies_in_the_inbox_under_its_name(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await sends(work, "../../report.txt", b"first")
    await sends(work, "report.txt", b"older")
    await sends(work, "report.txt", b"newer")
    work = await at_work(database, tmp_path, home=work.home)
    listed = await work.gives("list_files", path="inbox")
    assert listed["tainted"]
    names = [one["path"].removeprefix("file_cache_dir/inbox/") for one in listed["files"]]
    assert names == ["report.txt.bin", "2-report.txt", "report.txt"] or names[1:] == ["2-report.txt", "report.txt"]
    assert (await work.gives("read_file", path="inbox/report.txt")) == {"content": "newer", "size": 5, "tainted": True}
    assert (await work.gives("read_file", path="inbox/2-report.txt"))["content"] == "older"
    assert (await work.gives("get_file_info", path="inbox/report.txt"))["size"] == 5
    assert list(await work.files.snapshot(work.lane, "inbox/2*")) == ["file_cache_dir/inbox/2-report.txt"]
    assert "stays as it came" in await work.fails("write_file", path="inbox/x.txt", content="x")
    assert "stays as it came" in await work.fails("move_file", **{"from": "inbox/report.txt", "to": "x.txt"})
    await work.gives("delete_file", path="inbox/report.txt")
    assert (await work.gives("read_file", path="inbox/report.txt"))["content"] == "older"
    await work.end()
    assert "report.txt was deleted" in await said(work.home, "/undo")
    assert len(await work.files.snapshot(work.lane, "inbox/*")) == 3


@pytest.mark.databases("sqlite")
async def test_people_find_have_sent_and_delete_files_by_buttons(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    for n in range(10):
        await work.gives("write_file", path=f"reports/{n}.csv", content=f"{n};")
        os.utime(work.cache / "reports" / f"{n}.csv", (n, n))
    await sends(work, "photo.txt")
    home = work.home
    assert "photo.txt (4 bytes" in (listed := await said(home, "/files"))
    assert "reports/9" in listed
    assert "reports/1" not in listed
    await pressed(home, "Older")
    assert "reports/1.csv" in home.shown()[-1].text.replace("\\", "")
    assert "reports/2" in await said(home, "/files 2.csv")
    await pressed(home, "2.csv")
    assert labels(home) == ["Send me", "Delete", "All"]
    await pressed(home, "Send me")
    [document] = [one.document for one in home.adapter.sent if one.document is not None]
    assert (document.name, document.content) == ("2.csv", b"2;")
    await said(home, "/files 2.csv")
    await pressed(home, "2.csv")
    await pressed(home, "Delete")
    assert "Deleted: 2" in home.shown()[-1].text
    await work.files.settle(work.lane.scope_id)
    assert not (work.cache / "reports" / "2.csv").exists()
    assert "No file here" in await said(home, "/files 2.csv")
    await said(home, "/files deleted")
    await pressed(home, "2.csv")
    assert "there again" in home.shown()[-1].text
    await work.files.settle(work.lane.scope_id)
    assert (work.cache / "reports" / "2.csv").read_text() == "2;"


@pytest.mark.databases("sqlite")
async def test_only_owners_are_told_which_folder_is_that_of_a_chat(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await work.end()
    home = work.home
    assert f"`folders/{work.lane.scope_id}/file_cache_dir`" in await said(home, "/files")
    put_by_hand(work)
    assert f"`folders/{work.lane.scope_id}/file_cache_dir`" in await said(home, "/files")
    await said(home, "hello", **GROUP)
    (scope,) = await home.column("SELECT scope_id FROM chat WHERE external_id = '-5'")
    assert f"`folders/{scope}/" in await said(home, "/files", **GROUP)
    assert "no files here" in (others := await said(home, "/files", sender="tg:2", **GROUP))
    assert "folders/" not in others


async def test_in_a_group_only_who_had_it_written_deletes_and_it_is_sent_in_private(
    database: Database, tmp_path: Path
) -> None:
    work = await at_work(database, tmp_path)
    home = work.home
    await work.end()
    await home.hear("hello", chat="2", sender="tg:2")
    await home.hear("hello", **GROUP)
    await home.work()
    group = await at_work(database, tmp_path, home=home, sender="tg:1", **GROUP)
    await group.gives("write_file", path="plan.txt", content="ours")
    await group.end()
    other = await at_work(database, tmp_path, home=home, sender="tg:2", **GROUP)
    assert "in a group only who sent file_cache_dir/plan.txt" in await other.fails("delete_file", path="plan.txt")
    await other.end()
    await said(home, "/files", sender="tg:2", **GROUP)
    await pressed(home, "plan.txt", chat="-5", sender="tg:2")
    await pressed(home, "Delete", chat="-5", sender="tg:2")
    assert "only its administrators" in home.shown("-5")[-1].text
    await pressed(home, "Send me", chat="-5", sender="tg:2")
    assert [one.to.chat for one in home.adapter.sent if one.document is not None] == ["2"]
    await said(home, "/files", **GROUP)
    await pressed(home, "plan.txt", chat="-5")
    await pressed(home, "Delete", chat="-5")
    await group.files.settle(group.lane.scope_id)
    assert not (group.cache / "plan.txt").exists()
    assert (await said(home, "/files", chat="-5", sender="tg:7", chat_kind="group", title="Family")) != ""
    assert "plan.txt" not in home.shown("-5")[-1].text


async def test_what_was_sent_and_deleted_is_brought_back_as_long_as_it_is_kept(
    database: Database, tmp_path: Path
) -> None:
    work = await at_work(database, tmp_path)
    await sends(work, "report.txt")
    home = work.home
    await said(home, "/files")
    await pressed(home, "report.txt")
    await pressed(home, "Delete")
    # By then /undo knows nothing of it any more.
    home.clock.advance(3 * DAY)
    listed = await said(home, "/files deleted")
    assert "can be brought back" in listed
    assert r"• inbox/report.txt (" in listed
    assert await pressed(home, "report.txt") == "↩ It is there again: report.txt"
    assert "inbox/report.txt" in await said(home, "/files")
    assert "Nothing was replaced" in await said(home, "/files deleted")


async def test_in_a_group_its_administrators_bring_back_what_was_sent(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False, access=AccessSection(mode="allowlist", allow=(FRIEND,)))
    home.adapter.files["F1"] = b"plum"
    await said(home, "hello", **GROUP)
    await said(home, "look", attachments=(sent_file("report.txt"),), **GROUP, sender=FRIEND)
    theirs = {"chat": "-5", "sender": FRIEND}
    await said(home, "/files", **GROUP, sender=FRIEND)
    for label in ("report.txt", "Delete"):
        await pressed(home, label, **theirs)
    await said(home, "/files deleted", **GROUP, sender=FRIEND)
    assert "administrators" in await pressed(home, "report.txt", **theirs)
    assert "There are no files here" in await said(home, "/files", **GROUP)
    await said(home, "/files deleted", **GROUP)
    assert "there again" in await pressed(home, "report.txt", chat="-5")


@pytest.mark.databases("sqlite")
async def test_an_export_has_what_was_written_and_an_import_brings_it_back(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await work.gives("write_file", path="file_state_dir/notes.md", content="# Grüße")
    await work.gives("write_file", path="teller.json", content="{}")
    (work.cache / "blob").write_bytes(b"\xff\0")
    await work.end()
    home = work.home
    assert "3 files" in await said(home, "/export")
    [document] = [one.document for one in home.adapter.sent if one.document is not None]
    with zipfile.ZipFile(io.BytesIO(document.content)) as packed:
        assert packed.read("files/file_state_dir/notes.md").decode() == "# Grüße"
        assert "files/file_cache_dir/_teller.json" in packed.namelist()
    await said(home, "/forget")
    await pressed(home, "Forget everything")
    assert not work.own.exists()
    home.adapter.files["F2"] = document.content
    back = Attachment(kind="document", file="F2", name=document.name, mime=document.mime, size=len(document.content))
    assert "3 files" in await said(home, "/import", attachments=(back,))
    await pressed(home, "Import")
    again = await at_work(database, tmp_path, home=home)
    assert await again.gives("read_file", path="file_state_dir/notes.md") == {"content": "# Grüße", "size": 9}
    assert (again.cache / "blob").read_bytes() == b"\xff\0"


async def test_forgetting_leaves_nothing_of_a_persons_files(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await work.gives("write_file", path="a.txt", content="one")
    await work.gives("write_file", path="a.txt", content="two")
    await work.end()
    await said(work.home, "/forget")
    await pressed(work.home, "Forget everything")
    assert not work.own.exists()
    left = "SELECT id FROM file_change WHERE act <> 'erase' UNION ALL SELECT id FROM folder"
    assert await work.home.column(left) == []
    work = await at_work(database, tmp_path, home=work.home)
    await work.gives("write_file", path="b.txt", content="since then")
    assert [one.name for one in work.cache.iterdir()] == ["b.txt"]
    await work.home.app.container.get(Retention).forget()
    assert await work.home.column("SELECT act FROM file_change") == ["write"]
    assert [one.name for one in work.cache.iterdir()] == ["b.txt"]


def put_by_hand(work: Work) -> None:
    """Put files into the folder of a chat as its operator, or a program, does."""
    for root in ("file_cache_dir/reports", "file_state_dir"):
        (work.own / root).mkdir(parents=True)
    (work.cache / "reports" / "week.csv").write_text("1;2")
    (work.own / "file_state_dir" / "contract.txt").write_text("for good")


def lying(work: Work) -> list[str]:
    """Name what lies in the folder of a chat, and beside its two folders."""
    return sorted(str(one.relative_to(work.own)) for one in work.own.rglob("*") if one.is_file())


@pytest.mark.databases("sqlite")
async def test_the_night_leaves_what_somebody_has_put_into_the_folder_of_a_chat(
    database: Database, tmp_path: Path
) -> None:
    work = await at_work(database, tmp_path, retention={"files_days": 20})
    await work.end()
    put_by_hand(work)
    nobodys = tmp_path / "folders" / "999"
    nobodys.mkdir()
    assert "week.csv" in await said(work.home, "/files")
    clock = work.home.clock
    clock.jump(time.time() + 15 * DAY - clock.now() / 1000)
    await work.home.app.container.get(Retention).forget()
    assert lying(work) == ["file_cache_dir/reports/week.csv", "file_state_dir/contract.txt"]
    assert not nobodys.exists()
    # What lies in the cache goes when its days are over, whoever has put it there.
    clock.jump(10 * DAY)
    await work.home.app.container.get(Retention).forget()
    assert lying(work) == ["file_state_dir/contract.txt"]


@pytest.mark.parametrize("killed", [False, True])
async def test_forgetting_takes_what_was_put_there_by_hand_also_after_a_crash(
    database: Database, tmp_path: Path, killed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = await at_work(database, tmp_path)
    await work.end()
    put_by_hand(work)
    if killed:  # after the commit, before anything was deleted
        monkeypatch.setattr(Files, "unlink", lambda self, paths: 0)
    await said(work.home, "/forget")
    await pressed(work.home, "Forget everything")
    assert work.own.exists() is killed
    assert "no files" in await said(work.home, "/files")
    assert not killed or lying(work) == []
    # What comes after that stays.
    (work.own / "file_cache_dir").mkdir(parents=True, exist_ok=True)
    (work.cache / "new.csv").write_text("3")
    await work.files.settle(work.lane.scope_id)
    await work.home.app.container.get(Retention).forget()
    assert lying(work) == ["file_cache_dir/new.csv"]


async def test_in_a_group_what_was_written_for_who_is_forgotten_goes(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    home = work.home
    await work.end()
    await home.hear("hello", **GROUP)
    await home.work()
    own = await at_work(database, tmp_path, home=home, sender="tg:1", **GROUP)
    await own.gives("write_file", path="mine.txt", content="one")
    await own.gives("write_file", path="mine.txt", content="two")
    await own.gives("move_file", **{"from": "mine.txt", "to": "still-mine.txt"})
    await own.end()
    theirs = await at_work(database, tmp_path, home=home, sender="tg:2", **GROUP)
    await theirs.gives("write_file", path="theirs.txt", content="three")
    await theirs.end()
    await said(home, "/forget me", **GROUP)
    await own.files.settle(own.lane.scope_id)
    left = sorted(one.name for one in own.own.rglob("*") if one.is_file())
    assert left == ["theirs.txt"]
    await home.app.container.get(Retention).forget()
    assert await home.column("SELECT path FROM file_change") == ["file_cache_dir/theirs.txt"]


async def test_the_night_lets_go_of_what_is_old(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path, retention={"files_days": 20})
    await work.gives("write_file", path="a.txt", content="one")
    await work.gives("write_file", path="a.txt", content="two")
    await work.gives("write_file", path="file_state_dir/b.txt", content="stays")
    await work.end()
    await sends(work, "photo.txt")
    await said(work.home, "/files photo")
    await pressed(work.home, "photo.txt")
    await pressed(work.home, "Delete")
    (work.own / "new" / "0123456789abcdef").write_text("of nothing")
    (tmp_path / "folders" / "999").mkdir()
    (tmp_path / "folders" / "999" / "x").write_text("of nobody")
    clock = work.home.clock
    # The times of files are those of the disk.
    clock.jump(time.time() + 15 * DAY - clock.now() / 1000)
    await work.home.app.container.get(Retention).forget()
    there = sorted(
        str(one.relative_to(tmp_path / "folders")) for one in (tmp_path / "folders").rglob("*") if one.is_file()
    )
    scope = work.lane.scope_id
    assert there == [f"{scope}/file_cache_dir/a.txt", f"{scope}/file_state_dir/b.txt"]
    assert await work.home.column("SELECT id FROM attachment WHERE state <> 'erased'") == []
    assert "Nothing was replaced" in await said(work.home, "/files deleted")
    clock.jump(10 * DAY)
    await work.home.app.container.get(Retention).forget()
    assert not (work.cache / "a.txt").exists()
    assert (work.own / "file_state_dir" / "b.txt").exists()


async def test_what_was_committed_before_a_crash_is_done_at_the_next_start(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    await work.gives("write_file", path="a.txt", content="old")
    real = work.files.settle

    async def die(scope_id: int) -> None:
        await real(0)

    work.files.settle = die  # type: ignore[method-assign]
    result = await work.call("write_file", path="a.txt", content="new")
    assert result.success
    assert (work.cache / "a.txt").read_text() == "old"
    assert await work.home.db.read(changes.with_plans) == [work.lane.scope_id]
    work.files.settle = real  # type: ignore[method-assign]
    assert (await work.gives("read_file", path="a.txt"))["content"] == "new"
    # Whoever takes the run over uses the stored result, and writes nothing again.
    [steps] = await work.home.column("SELECT count(*) FROM file_change")
    assert steps == 2


@pytest.mark.parametrize("by_hand", [False, True])
async def test_files_of_a_chat_go_over_to_what_it_becomes(database: Database, tmp_path: Path, by_hand: bool) -> None:
    work = await at_work(database, tmp_path)
    await work.end()
    home: House = work.home
    for chat in ("-5", "-1005"):
        await home.hear("hello", **{**GROUP, "chat": chat})
        await home.work()
        one = await at_work(database, tmp_path, home=home, sender="tg:1", **{**GROUP, "chat": chat})
        if by_hand:
            one.cache.mkdir(parents=True)
            (one.cache / "plan.txt").write_text(chat)
        else:
            await one.gives("write_file", path="plan.txt", content=chat)
        await one.end()
    await home.app.inbox.accept(home.tenant_id, [Moved(key="m1", chat="-5", to="-1005")])
    await home.work()
    moved = await at_work(database, tmp_path, home=home, sender="tg:1", **{**GROUP, "chat": "-1005"})
    listed = await moved.gives("list_files", path="file_cache_dir")
    assert len(listed["files"]) == 2
    read = {(await moved.gives("read_file", path=each["path"]))["content"] for each in listed["files"]}
    assert read == {"-5", "-1005"}
    assert [one.name for one in (tmp_path / "folders").iterdir()] == [str(moved.lane.scope_id)]


@pytest.mark.databases("sqlite")
async def test_what_is_put_into_results_is_sent_with_the_outcome(database: Database, tmp_path: Path) -> None:
    work = await at_work(database, tmp_path)
    for path in ("notes.txt", "results/gone.txt", "results/big.txt", "draft.txt", "results/table.csv", "results/a.txt"):
        await work.gives("write_file", path=path, content=path * (50 if "big" in path else 1))
    await work.gives("write_file", path="results/table.csv", content="again")
    await work.gives("move_file", **{"from": "draft.txt", "to": "results/report.txt"})
    await work.gives("delete_file", path="results/gone.txt")
    files = work.home.app.container.get(ScopeFiles)
    found = await files.results(work.lane, {work.run.run_id, 10**6}, 100)
    assert [(one.name, one.mime) for one in found] == [
        ("a.txt", "text/plain"),
        ("table.csv", "text/csv"),
        ("report.txt", "text/plain"),
    ]
    assert await files.results(work.lane, {work.run.run_id + 1}, 100) == []
    assert await files.results(work.lane, set(), 100) == []


@pytest.mark.databases("sqlite")
async def test_what_a_worker_puts_into_results_arrives_with_the_outcome_once(
    database: Database, tmp_path: Path
) -> None:
    script = scripted(
        teller=[calling(call("delegate", prompt="write the report")), "On it.", "Here it is."],
        planner=[calling(call("delegate", prompt="write it", type="oneshot")), "waiting", "done"],
        worker=[
            calling(
                call("write_file", path="results/report.csv", content="a;b\n"),
                call("write_file", path="notes.txt", content="mine"),
            ),
            "written",
        ],
    )
    home = await house(database, tmp_path, script)
    await home.hear("please write a report")
    await background(home)
    sent = [(one.text, one.document and one.document.content) for one in home.adapter.sent]
    assert [content for _, content in sent if content] == [b"a;b\n"]
    assert "Here it is." in [text for text, _ in sent]
