"""Whatever is done to the ledger behind its back is found, on both databases."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.kernel.errors import ConfigError, StorageError
from core.kernel.ports import Database, Tx
from core.kernel.types import LaneKey
from core.store.conversation import runs as journal
from core.toolkit.ledger.anchors import AnchorFile
from core.toolkit.ledger.ledger import Ledger, load_key
from core.toolkit.ledger.verification import Report
from tests.operating import NOW, act, lane

pytestmark = pytest.mark.databases("sqlite")

KEY = b"k" * 32
MINUTE = 60_000


class Chain:
    """A ledger of five rows, one every ten minutes, anchored after each."""

    def __init__(self, db: Database, anchor: Path) -> None:
        self.db, self.anchor = db, anchor
        self.ledger = self.fresh()
        self.where = LaneKey(tenant_id=0, scope_id=0, chat_id=0, lane_id=0)

    def fresh(self) -> Ledger:
        """The ledger as a new process has it."""
        return Ledger(KEY, self.anchor)

    async def grow(self, first: int = 0, rows: int = 5, *, anchored: bool = True) -> None:
        self.where = await self.db.write(lane)
        for n in range(first, first + rows):
            at = NOW + n * 10 * MINUTE
            await self.db.write(lambda tx, at=at: self.ledger.append(tx, act(self.where, at)))  # type: ignore[misc]
            if anchored:
                await self.db.read(lambda tx, at=at: self.ledger.anchor(tx, at))  # type: ignore[misc]

    async def change(self, sql: str) -> None:
        await self.db.write(lambda tx: tx.run(sql))

    async def verify(self) -> Report:
        return await self.db.read(self.fresh().verify)


@pytest.fixture
async def chain(database: Database, tmp_path: Path) -> Chain:
    found = Chain(database, tmp_path / "ledger.anchor")
    await found.grow()
    return found


async def test_an_untouched_ledger_is_intact(chain: Chain) -> None:
    assert await chain.verify() == Report(rows=5)


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("column", ["tool = 'x'", "error = 'x'", "success = 0", "person_id = 9", "at = 1", "salt = ''"])
async def test_an_edited_row_is_found(chain: Chain, column: str) -> None:
    await chain.change(f"UPDATE ledger SET {column} WHERE n = 3")
    assert "tenant 1 row 3: changed" in (await chain.verify()).problems


@pytest.mark.databases("sqlite", "postgres")
async def test_an_edited_body_is_found(chain: Chain) -> None:
    await chain.change("UPDATE ledger_body SET result = '1' WHERE n = 3")
    assert (await chain.verify()).problems == ["tenant 1 row 3: body changed"]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_row_taken_out_of_the_middle_is_found(chain: Chain) -> None:
    await chain.change("DELETE FROM ledger WHERE n = 3")
    problems = (await chain.verify()).problems
    assert problems[:2] == ["tenant 1 row 4: rows 3 to 3 are missing", "tenant 1 row 4: changed"]


async def test_a_cut_tail_is_found_even_when_the_head_was_moved_back(chain: Chain) -> None:
    await chain.change("DELETE FROM ledger WHERE n > 3")
    await chain.change("UPDATE ledger_head SET n = 3, mac = (SELECT mac FROM ledger WHERE n = 3)")
    assert (await chain.verify()).problems == ["tenant 1: rows up to 5 were anchored, 3 are left"]


async def test_a_chain_rewritten_without_the_key_is_found(chain: Chain) -> None:
    await chain.change("DELETE FROM ledger_body")
    await chain.change("DELETE FROM ledger")
    await chain.change("UPDATE ledger_head SET n = 0, mac = ''")
    forger = Ledger(b"x" * 32, chain.anchor)
    for _ in range(5):
        await chain.db.write(lambda tx: forger.append(tx, act(chain.where)))
    problems = (await chain.verify()).problems
    assert "tenant 1 row 1: changed" in problems
    assert "tenant 1 row 5: differs from its anchor" in problems


async def test_a_chain_rewritten_with_the_key_differs_from_its_anchors(chain: Chain) -> None:
    await chain.change("DELETE FROM ledger_body")
    await chain.change("DELETE FROM ledger")
    await chain.change("UPDATE ledger_head SET n = 0, mac = ''")
    for _ in range(5):
        await chain.db.write(lambda tx: chain.ledger.append(tx, act(chain.where)))
    assert "tenant 1 row 5: differs from its anchor" in (await chain.verify()).problems


async def test_a_chain_and_anchors_that_are_gone_are_found_where_answers_were_given(chain: Chain) -> None:
    await chain.db.write(lambda tx: journal.say(tx, chain.where, 1, "hello", NOW))
    await chain.change("DELETE FROM ledger_body")
    await chain.change("DELETE FROM ledger")
    await chain.change("UPDATE ledger_head SET n = 0, mac = ''")
    chain.anchor.unlink()
    assert await chain.verify() == Report(
        problems=["the anchor file is missing", "tenant 1: answers were given, but no row is left"]
    )
    await chain.db.read(lambda tx: chain.fresh().anchor(tx, NOW))
    assert await chain.verify() == Report(problems=["tenant 1: answers were given, but no row is left"])


async def test_an_empty_ledger_of_a_bot_that_never_answered_is_intact(database: Database, tmp_path: Path) -> None:
    fresh = Chain(database, tmp_path / "ledger.anchor")
    where = await database.write(lane)
    await database.write(lambda tx: journal.say(tx, where, None, "a notice, which is no answer of a run", NOW))
    assert await fresh.verify() == Report()


async def test_an_anchor_file_that_cannot_be_read_is_a_problem_and_no_crash(chain: Chain) -> None:
    chain.anchor.unlink()
    chain.anchor.mkdir()
    assert (await chain.verify()).problems == ["the anchor file cannot be read: Is a directory"]
    assert chain.fresh().anchors.last_at() is None
    with pytest.raises(StorageError, match="anchor file cannot be written"):
        await chain.db.read(lambda tx: chain.fresh().restored(tx, NOW))


async def test_an_erased_body_is_told_and_the_chain_stays_whole(chain: Chain) -> None:
    erased = await chain.db.write(lambda tx: tx.run("DELETE FROM ledger_body"))
    assert await chain.verify() == Report(rows=5, erased=erased)
    assert erased == 5


async def test_a_removed_anchor_file_is_found(chain: Chain) -> None:
    chain.anchor.unlink()
    found = await chain.verify()
    assert found.problems == ["the anchor file is missing"]
    assert found.notes == ["tenant 1: rows 1 to 5 have no anchor between them; was the anchor file cut?"]


async def test_an_emptied_anchor_file_is_as_bad_as_a_missing_one(chain: Chain) -> None:
    chain.anchor.write_bytes(b"")
    assert (await chain.verify()).problems == ["the anchor file is empty"]


async def test_an_anchor_file_emptied_within_a_minute_of_the_first_answer_is_found(
    database: Database, tmp_path: Path
) -> None:
    fresh = Chain(database, tmp_path / "ledger.anchor")
    await database.read(lambda tx: fresh.ledger.anchor(tx, NOW))
    await fresh.grow(rows=1)
    fresh.anchor.write_bytes(b"")
    assert (await fresh.verify()).problems == ["the anchor file is empty"]


async def test_the_anchor_file_is_there_before_the_first_row(database: Database, tmp_path: Path) -> None:
    fresh = Chain(database, tmp_path / "ledger.anchor")
    await database.read(lambda tx: fresh.ledger.anchor(tx, NOW))
    await fresh.grow(rows=1, anchored=False)
    assert await fresh.verify() == Report(rows=1)


async def test_a_cut_anchor_file_is_told(chain: Chain) -> None:
    chain.anchor.write_text("".join(chain.anchor.read_text().splitlines(keepends=True)[:2]))
    told = "tenant 1: rows 3 to 5 have no anchor between them; was the anchor file cut?"
    assert await chain.verify() == Report(rows=5, notes=[told])


async def test_the_process_that_wrote_the_anchors_knows_that_they_were_cut(chain: Chain) -> None:
    chain.anchor.write_text("".join(chain.anchor.read_text().splitlines(keepends=True)[:4]))
    found = await chain.db.read(chain.ledger.verify)
    assert found.problems == ["tenant 1: the anchor file was cut; this process had anchored more"]


async def test_a_forged_anchor_is_found(chain: Chain) -> None:
    lines = chain.anchor.read_text().splitlines(keepends=True)
    chain.anchor.write_text("".join([*lines, lines[1].replace('"n": 2', '"n": 3'), "garbage\n"]))
    assert (await chain.verify()).problems == [
        "anchor file line 6: row 3 was anchored differently before",
        "anchor file line 7 cannot be read",
    ]


async def test_rows_written_just_before_a_crash_need_no_anchor(chain: Chain) -> None:
    await chain.grow(first=5, rows=1, anchored=False)
    assert await chain.verify() == Report(rows=6)


async def test_an_anchor_after_a_torn_line_is_kept(chain: Chain) -> None:
    with chain.anchor.open("a") as file:
        file.write('{"tenant": 1, "n')
    await chain.grow(first=5, rows=1)
    found = await chain.verify()
    assert found.problems == ["anchor file line 6 cannot be read"]
    assert chain.fresh().anchors.last_at() == NOW + 50 * MINUTE


async def _cut_to(chain: Chain, n: int) -> None:
    """What restoring a backup of that time does."""
    await chain.change(f"DELETE FROM ledger WHERE n > {n}")
    await chain.change(f"DELETE FROM ledger_body WHERE n > {n}")
    await chain.change(f"UPDATE ledger_head SET n = {n}, mac = (SELECT mac FROM ledger WHERE n = {n})")


async def test_a_restored_backup_explains_the_missing_rows(chain: Chain) -> None:
    await _cut_to(chain, 3)
    await chain.db.read(lambda tx: chain.fresh().restored(tx, NOW))
    await chain.grow(first=3, rows=3)
    found = await chain.verify()
    assert found.problems == []
    assert found.notes == ["tenant 1: a backup up to row 3 was restored; rows 4 to 5 were left behind"]


async def test_anchors_of_rows_that_a_restore_replaced_are_held_against_no_other_rows(chain: Chain) -> None:
    await _cut_to(chain, 3)
    await chain.db.read(lambda tx: chain.fresh().restored(tx, NOW))
    await chain.grow(first=3, rows=3)
    # The way back: the same numbers, other rows, of which none was anchored.
    await _cut_to(chain, 2)
    await chain.grow(first=2, rows=3, anchored=False)
    await chain.db.read(lambda tx: chain.fresh().restored(tx, NOW))
    assert await chain.verify() == Report(
        rows=5,
        notes=[
            "tenant 1: a backup up to row 3 was restored; rows 4 to 5 were left behind",
            "tenant 1: a backup up to row 5 was restored; rows 6 to 6 were left behind",
        ],
    )
    await _cut_to(chain, 4)
    assert (await chain.verify()).problems == ["tenant 1: rows up to 5 were anchored, 4 are left"]


async def test_a_restored_line_made_without_the_key_explains_nothing(chain: Chain) -> None:
    await _cut_to(chain, 3)
    await chain.db.read(lambda tx: Ledger(b"x" * 32, chain.anchor).restored(tx, NOW))
    assert (await chain.verify()).problems == [
        "anchor file line 6: not written by `teller restore`",
        "tenant 1: rows up to 5 were anchored, 3 are left",
    ]


async def test_a_restore_with_the_right_key_ends_the_one_with_a_wrong_key(chain: Chain) -> None:
    await chain.db.read(lambda tx: Ledger(b"x" * 32, chain.anchor).restored(tx, NOW))
    assert (await chain.verify()).problems == ["anchor file line 6: not written by `teller restore`"]
    await chain.db.read(lambda tx: chain.fresh().restored(tx, NOW))
    assert (await chain.verify()).problems == []


@pytest.mark.databases("sqlite", "postgres")
async def test_a_tail_cut_after_a_restore_is_found(chain: Chain) -> None:
    await _cut_to(chain, 3)
    await chain.db.read(lambda tx: chain.fresh().restored(tx, NOW))
    await chain.grow(first=3, rows=3)
    await _cut_to(chain, 4)
    assert (await chain.verify()).problems == ["tenant 1: rows up to 6 were anchored, 4 are left"]


async def test_texts_a_database_would_store_differently_do_not_look_changed(chain: Chain) -> None:
    odd = "nul \0 and half a pair \ud83d"
    await chain.db.write(lambda tx: chain.ledger.append(tx, act(chain.where, arguments={"text": odd}, error=odd)))
    assert (await chain.verify()).problems == []


@pytest.mark.databases("sqlite", "postgres")
async def test_secrets_are_blanked_in_bodies_and_errors(database: Database, tmp_path: Path) -> None:
    ledger = Ledger(KEY, tmp_path / "anchor", lambda text: text.replace("hunter2", "[secret]"))

    def append(tx: Tx) -> None:
        ledger.append(tx, act(lane(tx), arguments={"text": "hunter2"}, error="no hunter2"))

    await database.write(append)
    row = await database.read(lambda tx: tx.one("SELECT error, arguments FROM ledger, ledger_body"))
    assert row is not None
    assert (row["error"], row["arguments"]) == ("no [secret]", '{"text": "[secret]"}')


def test_the_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "ledger.key"
    assert load_key(path) == load_key(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert [item.name for item in tmp_path.iterdir()] == ["ledger.key"]


def test_a_new_key_is_on_the_disk_before_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: dict[int, int] = {}

    def fsync(file: int) -> None:
        found = os.fstat(file)
        synced[found.st_ino] = found.st_size

    monkeypatch.setattr(os, "fsync", fsync)
    path = tmp_path / "ledger.key"
    load_key(path)
    assert synced[path.stat().st_ino] == path.stat().st_size == 64
    assert tmp_path.stat().st_ino in synced


def test_an_anchor_is_on_the_disk_when_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: dict[int, int] = {}

    def fsync(file: int) -> None:
        found = os.fstat(file)
        synced[found.st_ino] = found.st_size

    monkeypatch.setattr(os, "fsync", fsync)
    path = tmp_path / "ledger.anchor"
    AnchorFile(path, b"").append([(1, 2, "ab")], 0)
    assert synced[path.stat().st_ino] == path.stat().st_size > 0


def test_a_key_that_others_can_read_is_closed_to_them(tmp_path: Path) -> None:
    path = tmp_path / "ledger.key"
    key = load_key(path)
    path.chmod(0o644)
    assert load_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_key_that_stays_open_to_others_is_refused(tmp_path: Path) -> None:
    def refuse(file: int, mode: int) -> None:
        raise PermissionError

    path = tmp_path / "ledger.key"
    load_key(path)
    path.chmod(0o640)
    for tighten in (refuse, lambda file, mode: None):
        with pytest.raises(ConfigError, match="Others can read"):
            load_key(path, tighten)


@pytest.mark.parametrize("content", ["", "zz", "abcd"])
def test_a_damaged_key_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "ledger.key"
    path.write_text(content)
    with pytest.raises(ConfigError, match="damaged"):
        load_key(path)
