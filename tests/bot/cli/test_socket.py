"""The control socket serves its own user and nobody's garbage."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.cli import socket as control
from core.kernel.errors import StorageBusy, StorageError, TellerError


async def perform(command: object, args: object) -> Any:
    """What the house of these tests can do."""
    match command:
        case "echo":
            return args
        case "refuse":
            raise TellerError("No, and that is why.")
        case "break":
            raise RuntimeError("a bug with details")
        case "hang":
            await asyncio.Event().wait()
    return None


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Path]:
    async with control.serving(tmp_path, perform):
        yield tmp_path


async def ask(folder: Path, command: str, args: dict[str, Any] | None = None, seconds: float = 10.0) -> Any:
    return await asyncio.to_thread(control.ask, folder, command, args or {}, seconds)


async def speak(folder: Path, data: bytes) -> list[dict[str, Any]]:
    """Send bytes, end the sending, and return the answers until the bot hangs up."""
    reader, writer = await asyncio.open_unix_connection(str(folder / control.NAME))
    writer.write(data)
    writer.write_eof()
    answers = [json.loads(line) async for line in reader]
    writer.close()
    return answers


async def test_a_command_is_answered(folder: Path) -> None:
    assert await ask(folder, "echo", {"text": "Grüße\n🙂"}) == {"text": "Grüße\n🙂"}


async def test_only_the_owner_may_open_the_socket(folder: Path) -> None:
    mode = (folder / control.NAME).stat().st_mode
    assert stat.S_ISSOCK(mode)
    assert stat.S_IMODE(mode) == 0o600


async def test_a_refusal_comes_back_in_its_own_words(folder: Path) -> None:
    with pytest.raises(TellerError, match=r"^No, and that is why\.$"):
        await ask(folder, "refuse")


async def test_a_bug_is_logged_and_its_details_stay_inside(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(TellerError, match="by a bug"):
        await ask(folder, "break")
    assert "a bug with details" in caplog.text


async def test_several_requests_may_share_a_connection(folder: Path) -> None:
    answers = await speak(folder, b'{"command": "echo", "args": {"n": 1}}\n{"command": "echo", "args": {"n": 2}}\n')
    assert [answer["result"]["n"] for answer in answers] == [1, 2]


@pytest.mark.parametrize("garbage", [b"\n", b"hello\n", b"[]\n", b"3\n", b"\xff\x00\n", b"[" * 60_000 + b"\n"])
async def test_garbage_is_answered_with_an_error_and_the_next_request_served(folder: Path, garbage: bytes) -> None:
    answers = await speak(folder, garbage + b'{"command": "echo"}\n')
    assert answers == [{"ok": False, "error": "The request is no JSON object."}, {"ok": True, "result": {}}]


async def test_an_endless_line_is_refused_and_the_client_hung_up_on(folder: Path) -> None:
    reader, writer = await asyncio.open_unix_connection(str(folder / control.NAME))
    writer.write(b"x" * (2 * control.LONGEST_REQUEST))
    answer = json.loads(await reader.readline())
    assert answer == {"ok": False, "error": "The request is longer than 65536 bytes."}
    assert await reader.read() == b""
    writer.close()
    assert await ask(folder, "echo") == {}


async def test_a_client_that_says_nothing_is_hung_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "PATIENCE", 0.05)
    async with control.serving(tmp_path, perform):
        reader, writer = await asyncio.open_unix_connection(str(tmp_path / control.NAME))
        assert await reader.read() == b""
        writer.close()


async def test_clients_that_vanish_disturb_nobody(folder: Path) -> None:
    for data in (b"", b'{"comm', b'{"command": "echo"}\n' * 200):
        _, writer = await asyncio.open_unix_connection(str(folder / control.NAME))
        writer.write(data)
        writer.transport.abort()
    assert await ask(folder, "echo") == {}


async def test_the_stop_does_not_wait_for_a_command_under_way(tmp_path: Path) -> None:
    async with control.serving(tmp_path, perform):
        _, writer = await asyncio.open_unix_connection(str(tmp_path / control.NAME))
        writer.write(b'{"command": "hang"}\n')
        await writer.drain()
        await ask(tmp_path, "echo")
    writer.close()
    assert not (tmp_path / control.NAME).exists()


async def test_a_slow_bot_is_told_of(folder: Path) -> None:
    with pytest.raises(TellerError, match="did not answer within"):
        await ask(folder, "hang", seconds=0.05)


async def test_without_a_bot_nobody_answers(tmp_path: Path) -> None:
    with pytest.raises(control.NotRunning):
        await ask(tmp_path, "echo")


async def test_a_socket_that_a_killed_bot_left_is_replaced(tmp_path: Path) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / control.NAME))
    left.close()
    with pytest.raises(control.NotRunning):
        await ask(tmp_path, "echo")
    async with control.serving(tmp_path, perform):
        assert await ask(tmp_path, "echo") == {}


async def test_a_socket_that_a_failed_disk_keeps_is_no_trouble_at_the_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    async with control.serving(tmp_path, perform):
        # Newer versions of Python take the socket away themselves.
        monkeypatch.setattr(os, "unlink", refuse)
    assert (tmp_path / control.NAME).exists()


async def test_a_folder_in_the_place_of_the_socket_is_told(tmp_path: Path) -> None:
    (tmp_path / control.NAME).mkdir()
    with pytest.raises(StorageError, match="is in the way: "):
        async with control.serving(tmp_path, perform):
            pass


async def test_a_second_bot_in_the_folder_is_refused_and_the_first_one_stays(folder: Path) -> None:
    with pytest.raises(StorageBusy, match="Another Teller is running"):
        async with control.serving(folder, perform):
            pass
    assert await ask(folder, "echo") == {}


async def test_a_path_longer_than_a_socket_address_works(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 20) / ("longer" * 10)
    folder.mkdir(parents=True)
    async with control.serving(folder, perform):
        assert (folder / control.NAME).is_socket()
        assert await ask(folder, "echo", {"deep": 1}) == {"deep": 1}
    assert not (folder / control.NAME).exists()


async def test_where_nobody_may_look_no_bot_is_running(tmp_path: Path) -> None:
    # A name that is too long is refused as a folder of another user is, to root, too.
    with pytest.raises(control.NotRunning):
        await ask(tmp_path / ("x" * 300), "echo")
