"""What `make` does with an environment that cannot be used any more."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_an_environment_whose_python_is_gone_is_removed_and_another_one_stays(tmp_path: Path) -> None:
    shutil.copy(ROOT / "Makefile", tmp_path)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to("python3")
    (programs / "python3").symlink_to(sys.executable)
    assert _help(tmp_path) == ""
    assert programs.exists()
    (programs / "python3").unlink()
    (programs / "python3").symlink_to(tmp_path / "python that was here before the upgrade")
    assert "the Python of the environment is gone" in _help(tmp_path)
    assert not (tmp_path / ".venv").exists()


def _help(folder: Path) -> str:
    done = subprocess.run(["make", "help"], cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    return done.stderr
