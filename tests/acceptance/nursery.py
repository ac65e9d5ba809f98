"""Programs that start at once: forks of a process which has loaded what they would load.

To load it takes a program a second, and the tests start hundreds. A fork has nothing else of its parent: arguments,
environment, folder, input and output are its own, as any process's, and so is its death.

`python -m tests.acceptance.nursery FD` is the parent. It reads from the socket FD what is to be run, one line each.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# What the programs import, at once or when the configuration asks for it; not they themselves.
LOADED = (
    "apscheduler.executors.asyncio",
    "bot.runtime.run",
    "bot.adapters.console",
    "bot.adapters.slack",
    "bot.adapters.telegram",
    "bot.cli.offline",
    "bot.cli.report",
    "core.agents.llm.openai.check",
    "core.agents.llm.openai.client_factory",
    "core.store.postgres.database",
    "core.store.sqlite.database",
)
PID = 10  # bytes of a process's number on the wire; what follows is how it ended


class Child:
    """A process, with what stories use of `asyncio.subprocess.Process`."""

    def __init__(self, news: socket.socket) -> None:
        self.returncode: int | None = None
        self._pid = int(news.recv(PID))
        self._news, self._ended = news, asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(news, self._end)

    def _end(self) -> None:
        self.returncode = exit_code(self._news)
        self._loop.remove_reader(self._news)
        self._news.close()
        self._ended.set()

    async def wait(self) -> int:
        """Wait for the end. Return the exit code, or the number of the signal below zero."""
        await self._ended.wait()
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal if it lives."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)


def launch(module: Sequence[str], folder: Path, env: Mapping[str, str], log: int) -> Child:
    """Run `python -m MODULE` in a folder, writing to the file descriptor `log`, with no input."""
    with open(os.devnull, "rb") as nothing:
        return Child(fork(module, folder, env, (nothing.fileno(), log, log)))


def perform(
    module: Sequence[str], folder: Path, env: Mapping[str, str], stdin: str, timeout: float
) -> subprocess.CompletedProcess[str]:
    """Run `python -m MODULE` in a folder to its end; `stdin` is less than a pipe holds. As `subprocess.run`."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        reading, writing = os.pipe()
        with os.fdopen(writing, "w") as typed, os.fdopen(reading) as pipe:
            typed.write(stdin)
            typed.flush()
            news = fork(module, folder, env, (pipe.fileno(), out.fileno(), errors.fileno()))
        with news:
            pid = int(news.recv(PID))
            news.settimeout(timeout)
            try:
                code = exit_code(news)
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise
        for file in (out, errors):
            file.seek(0)
        return subprocess.CompletedProcess(list(module), code, out.read(), errors.read())


def fork(module: Sequence[str], folder: Path, env: Mapping[str, str], standard: tuple[int, int, int]) -> socket.socket:
    """Run `python -m MODULE` with these standard streams; what is returned tells its number, then how it ended."""
    ours, theirs = socket.socketpair()
    wanted = {"argv": list(module), "cwd": str(folder), "env": dict(env)}
    with theirs:
        socket.send_fds(_parent(), [json.dumps(wanted).encode() + b"\n"], [*standard, theirs.fileno()])
    return ours


def exit_code(news: socket.socket) -> int:
    """The exit code, or the number of the signal below zero."""
    # Nothing is told when the parent has come to an end, and its children with it.
    return int(news.recv(100) or -signal.SIGKILL)


@cache
def _parent() -> socket.socket:
    """A connection to the parent, which is started now and ends with this process."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.acceptance.nursery", str(theirs.fileno())],
            cwd=ROOT,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
        )

    def end() -> None:
        ours.close()
        process.wait()

    atexit.register(end)
    return ours


class _Nursery:
    """The parent."""

    def __init__(self, wishes: socket.socket) -> None:
        self._wishes = wishes
        self._news: dict[int, socket.socket] = {}

    def serve(self) -> list[str]:
        """Make children until nobody can wish for any. Returns in a child: what it is to run."""
        awake, wake = socket.socketpair()
        wake.setblocking(False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake.fileno())
        while True:
            ready, _, _ = select.select([self._wishes, awake], [], [])
            if awake in ready:
                awake.recv(4096)
                self._tell()
            if self._wishes in ready and (argv := self._make()) is not None:
                return argv

    def _tell(self) -> None:
        """Tell how children have ended."""
        for pid in list(self._news):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                with self._news.pop(pid) as news, contextlib.suppress(OSError):
                    news.send(str(os.waitstatus_to_exitcode(status)).encode())

    def _make(self) -> list[str] | None:
        line, (*standard, told), _, _ = _received(self._wishes)
        news = socket.socket(fileno=told)
        if pid := os.fork():
            for descriptor in standard:
                os.close(descriptor)
            self._news[pid] = news
            news.send(str(pid).rjust(PID).encode())
            return None
        for one in (self._wishes, news, *self._news.values()):
            one.close()
        return _settle(json.loads(line), standard)

    def end(self) -> None:
        """Let no child live on."""
        for pid in self._news:
            os.kill(pid, signal.SIGKILL)


def _received(wishes: socket.socket) -> tuple[bytes, list[int], int, Any]:
    line, *rest = socket.recv_fds(wishes, 1 << 20, 4)
    if not line:
        raise EOFError
    while not line.endswith(b"\n"):
        line += wishes.recv(1 << 20)
    return line, *rest


def _settle(wanted: Mapping[str, Any], standard: Sequence[int]) -> list[str]:
    """In a child: become what was wanted, as a new process would be."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, descriptor in enumerate(standard):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    time.tzset()
    return list(wanted["argv"])


def main() -> None:
    """Load everything, then run what is wished for, each in a child."""
    gc.disable()  # of what is loaded hardly a thing ends
    for name in LOADED:
        import_module(name)
    import_module("core.language").warm_up()
    for capability in import_module("core.capabilities.all").CAPABILITIES:
        for tool in capability.tools:
            _ = tool.shown_schemas
    assert threading.active_count() == 1, "a fork has no threads of its parent"
    gc.collect()
    gc.freeze()
    gc.enable()
    nursery = _Nursery(socket.socket(fileno=int(sys.argv[1])))
    try:
        sys.argv = nursery.serve()
    except EOFError:
        nursery.end()
        return
    code = 0
    try:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if not isinstance(ended.code, int | None):
            raise
        code = ended.code or 0
    _end(code)


def _end(code: int) -> None:
    """End a child as Python ends a program: once its threads are through, and what is to be done at the end.

    Python would take apart all that its parent has loaded, too, which takes longer than most commands.
    """
    threading._shutdown()  # type: ignore[attr-defined] # so forks of multiprocessing end
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
