"""What works on others' words in a process of its own reads nothing of ours, writes nothing, and reaches nobody."""

from __future__ import annotations

import asyncio
import socket
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from core.kernel.types import Json
from core.toolkit.confined import landlock, parent
from core.toolkit.confined.child import Refusal
from core.toolkit.confined.parent import run_confined
from tests.memory_intake import DEADLINE


async def test_it_reads_writes_and_reaches_nothing_and_loads_its_own_code(tmp_path: Path) -> None:
    secret = tmp_path / "teller.db"
    secret.write_text("secret")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "model").write_text("weights")
    with socket.create_server(("127.0.0.1", 0)) as server:
        options: dict[str, Json] = {"file": str(secret), "folder": str(folder), "port": server.getsockname()[1]}
        tried = await run_confined("tests.toolkit.confined.probe", options, b"")
    denied = {"reads", "lists", "looks at others", "connects"}
    expected = dict.fromkeys(denied, "PermissionError") if landlock.version() >= 4 else {}
    assert {what: tried[what] for what in expected} == expected
    assert tried["writes"] in {"PermissionError", "OSError"}
    assert tried["loads code"] == "colorsys"
    assert (tried["reads its folder"], tried["reads its path"]) == ("weights", "something")
    assert secret.read_text() == "secret"


TALKING = "tests.toolkit.confined.talking"


def test_what_it_loads_is_compiled_before_since_it_may_write_nothing() -> None:
    compiled = Path(cache_from_source(str(Path(__file__).with_name("talking.py"))))
    compiled.unlink(missing_ok=True)
    parent._compile.cache_clear()
    with pytest.raises(Refusal):
        asyncio.run(run_confined(TALKING, {"endless": False}, b""))
    assert compiled.exists()


async def test_it_cannot_fill_our_memory_by_what_it_says() -> None:
    with pytest.raises(Refusal, match="bomb"):
        await run_confined(TALKING, {"endless": True}, b"x" * 65_536)


async def test_it_ends_also_while_it_says_more_than_anybody_looks_at(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unread(child: asyncio.subprocess.Process, said: bytes) -> bytes:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(said)
        child.stdin.close()
        # The pipe is full, and nothing tells that.
        while not child.stdout._paused:  # type: ignore[attr-defined] # noqa: ASYNC110
            await asyncio.sleep(0)
        raise Refusal("bomb", "output")

    monkeypatch.setattr(parent, "_talk", unread)
    async with asyncio.timeout(DEADLINE):
        with pytest.raises(Refusal, match="bomb"):
            await run_confined(TALKING, {"endless": True}, b"x" * 65_536)


@pytest.mark.parametrize("answer", [b"", b"1", b"[1, 2]", b"{}", b"[" * 100_000, b"\xff"])
async def test_what_is_no_answer_is_that_of_a_damaged_document(answer: bytes) -> None:
    with pytest.raises(Refusal, match="damaged"):
        await run_confined(TALKING, {"endless": False}, answer)
