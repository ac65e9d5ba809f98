"""What conditions ask: the state of the files at a path, or that fit a pattern, in one scope alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.capabilities.files.paths import BadPath, matches
from core.capabilities.files.service import ScopeFiles
from core.kernel.ports import Database
from core.kernel.types import LaneKey
from tests.fakes import House, house

pytestmark = pytest.mark.databases("sqlite")


async def _at_home(database: Database, folder: Path, **options: Any) -> tuple[House, ScopeFiles, LaneKey, Path]:
    home = await house(database, folder, model=False, **options)
    await home.hear("hello")
    await home.work()
    [lane] = await home.rows("SELECT id AS lane_id, tenant_id, scope_id, chat_id FROM lane")
    own = folder / "folders" / str(lane["scope_id"])
    (own / "file_cache_dir" / "reports").mkdir(parents=True)
    (own / "file_state_dir").mkdir()
    return home, home.app.container.get(ScopeFiles), LaneKey(**lane), own


async def test_a_snapshot_has_the_files_that_fit_and_changes_with_them(database: Database, tmp_path: Path) -> None:
    _, files, lane, own = await _at_home(database, tmp_path)
    report = own / "file_cache_dir" / "reports" / "nov.csv"
    report.write_text("a")
    (own / "file_state_dir" / "notes.txt").write_text("b")
    before = await files.snapshot(lane, "reports/*.csv")
    assert list(before) == ["file_cache_dir/reports/nov.csv"]
    report.write_text("longer")
    assert (await files.snapshot(lane, "reports/nov.csv")) != before
    assert list(await files.snapshot(lane, "file_state_dir/**")) == ["file_state_dir/notes.txt"]
    assert await files.snapshot(lane, "reports/oct.csv") == {}
    assert await files.snapshot(lane, "reports") == {}
    with pytest.raises(BadPath, match="go up"):
        await files.snapshot(lane, "../2/cache/*")


async def test_a_snapshot_sees_no_link_and_nothing_of_another_scope(database: Database, tmp_path: Path) -> None:
    _, files, lane, own = await _at_home(database, tmp_path)
    other = tmp_path / "folders" / "999" / "file_cache_dir"
    other.mkdir(parents=True)
    (other / "secret.txt").write_text("theirs")
    (own / "file_cache_dir" / "link.txt").symlink_to(other / "secret.txt")
    (own / "file_cache_dir" / "folder").symlink_to(other)
    (own / "file_cache_dir" / "twin.txt").hardlink_to(other / "secret.txt")
    assert await files.snapshot(lane, "**") == {}
    for path in ("link.txt", "folder/secret.txt", "twin.txt"):
        assert await files.snapshot(lane, path) == {}


@pytest.mark.databases("sqlite", "postgres")
async def test_folders_of_the_operator_are_for_owners_alone(database: Database, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "report.csv").write_text("r")
    (outside / "private.key").write_text("k")
    options = {"allowed_paths": (str(outside),)}
    _, files, lane, _ = await _at_home(database, tmp_path / "data", files=options)
    assert list(await files.snapshot(lane, f"{outside}/*", owner=True)) == [f"{outside}/report.csv"]
    for path in (f"{outside}/*", f"{outside}/report.csv"):
        with pytest.raises(BadPath):
            await files.snapshot(lane, path)


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("*.txt", "a.txt", True),
        ("*.txt", "b/a.txt", False),
        ("**/*.txt", "a.txt", True),
        ("**/*.txt", "b/c/a.txt", True),
        ("b/**", "b/c/a.txt", True),
        ("?.txt", "ab.txt", False),
        ("[ab].txt", "b.txt", True),
        ("*", ".hidden", True),
        ("*a" * 90 + "b", "a" * 200, False),
    ],
)
def test_patterns_stay_within_names_and_two_stars_pass_folders(pattern: str, path: str, fits: bool) -> None:
    assert matches(path, pattern) is fits
