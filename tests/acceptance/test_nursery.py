"""Programs that are forks of one which has loaded them: a story cannot tell them from any other process."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.acceptance.nursery import Child, launch

SHOW = "import os, sys; print(os.path.samefile('.', os.environ['SEEN']), sys.argv[0][-9:]); sys.stderr.write('no\\n')"
FOREVER = ["timeit", "-n", "1", "-s", "import time", "time.sleep(3600)"]


def born(folder: Path, module: Sequence[str]) -> Child:
    with (folder / "output").open("ab") as log:
        return launch(module, folder, {"SEEN": str(folder)}, log.fileno())


async def test_a_program_has_its_own_arguments_environment_folder_and_output(tmp_path: Path) -> None:
    child = born(tmp_path, ["timeit", "-n", "1", "-r", "1", SHOW])
    assert await child.wait() == 0
    shown = (tmp_path / "output").read_text()
    assert "True timeit.py\n" in shown
    assert "no\n" in shown
    assert "SEEN" not in os.environ


async def test_a_program_that_fails_says_why_and_ends_with_its_code(tmp_path: Path) -> None:
    assert await born(tmp_path, ["timeit", "-n", "1", "raise ValueError('why')"]).wait() == 1
    assert "ValueError: why" in (tmp_path / "output").read_text()
    assert await born(tmp_path, ["json.tool", "--unknown"]).wait() == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_a_program_dies_of_a_signal_and_no_other_does(tmp_path: Path, number: signal.Signals) -> None:
    one, other = born(tmp_path, FOREVER), born(tmp_path, FOREVER)
    one.send_signal(number)
    assert await one.wait() == one.returncode == -number
    assert other.returncode is None
    other.terminate()
    assert await other.wait() == -signal.SIGTERM
    one.send_signal(number)  # to nobody any more
