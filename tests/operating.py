"""Helpers for tests of the operator's side: a clock that stands still, rows of every state, and the real process."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from bot.app import build
from bot.cli.operations import House
from bot.config.config import Config
from core.kernel.ports import Database, Tx
from core.kernel.replies import Step
from core.kernel.types import Inbound, LaneKey, Millis, Sender
from core.store.conversation import inbox, outbox
from core.store.conversation import runs as journal
from core.store.conversation.runs import RunState
from core.store.people import chats, people
from core.store.people.chats import Place
from core.toolkit.ledger.ledger import Ledger, Record
from tests.acceptance import nursery

DAY: Millis = 86_400_000
NOW: Millis = 1_800_000_000_000
ROOT = Path(__file__).parents[1]
# A fork of what is loaded would not do on macOS.
COLD = sys.platform != "linux"


@dataclass
class StillClock:
    """A clock that moves only when somebody sleeps on it or sets it."""

    at: Millis = NOW
    naps: list[float] = field(default_factory=list)

    def now(self) -> Millis:
        return self.at

    def monotonic(self) -> float:
        return self.at / 1000

    async def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.at += round(seconds * 1000)


def house(db: Database, folder: Path, clock: StillClock | None = None) -> House:
    """A house around an open database, without a running bot."""
    folder.mkdir(parents=True, exist_ok=True)
    ledger = Ledger(b"k" * 32, folder / "ledger.anchor")
    clock = clock or StillClock()
    config = Config(data_dir=folder)
    return House(config=config, db=db, clock=clock, ledger=ledger, app=lambda: build(config, {}, db=db, clock=clock))


def lane(tx: Tx, chat: str = "500") -> LaneKey:
    """A private chat of one person."""
    tenant_id = people.tenant(tx, "telegram", "77", "", NOW)
    message = inbound("seed", chat=chat)
    _, scope = people.meet(tx, tenant_id, message.sender, NOW)
    return chats.lane(tx, tenant_id, Place(chat=message.chat), scope, NOW)


def inbound(key: str, text: str = "hello", chat: str = "500") -> Inbound:
    """A message as a platform gives it."""
    sender = Sender(address=f"tg:{chat}", name="Ann")
    raw = json.dumps({"text": text})
    return Inbound(key=key, chat=chat, sender=sender, text=text, message_id=key, sent_at=NOW, raw=raw)


def message(tx: Tx, key: str, *, ended_at: Millis | None = NOW, state: str = "dead", error: str = "it broke") -> int:
    """An inbox row in a state; returns its number."""
    where = lane(tx)
    person_id = 1 if (row := tx.one("SELECT id FROM person")) is None else row["id"]
    found = inbox.insert(tx, where, person_id, inbound(key), NOW)
    assert found is not None
    tx.run(
        "UPDATE inbox SET state = :state, ended_at = :at, error = :error WHERE id = :id",
        {"state": state, "at": ended_at, "error": error, "id": found},
    )
    return found


def answer(tx: Tx, key: str, *, ended_at: Millis | None = NOW, state: str = "dead", **more: str | int) -> int:
    """An outbox row in a state, with what more of its columns hold; returns its number."""
    outbox.add(tx, lane(tx), key, {"text": f"answer {key}"}, now=NOW)
    row = tx.one("SELECT id FROM outbox WHERE message_key = :key", {"key": key})
    assert row is not None
    tx.run(
        "UPDATE outbox SET state = :state, ended_at = :at, error = :error, dead_for = :dead_for,"
        " repeated = :repeated, replaces_id = :replaces_id WHERE id = :id",
        {
            "error": "no such chat",
            "dead_for": "",
            "repeated": 0,
            "replaces_id": None,
            **more,
            "state": state,
            "at": ended_at,
            "id": row["id"],
        },
    )
    return int(row["id"])


def run(tx: Tx, *, ended_at: Millis | None) -> int:
    """A run with one step; returns its number."""
    where = lane(tx)
    row = tx.one("SELECT id FROM person")
    assert row is not None
    run_id = journal.start(tx, where, person_id=row["id"], role="teller", trace_id="t", now=NOW)
    step = Step(n=1, kind="answer", state="done", call_id="", tool="", content="{}")
    journal.write(tx, where, run_id, step, NOW)
    if ended_at is not None:
        journal.end(tx, where, run_id, RunState.DONE, ended_at)
    return run_id


def act(where: LaneKey, at: Millis = NOW, arguments: object = None, error: str = "") -> Record:
    """An act for the ledger."""
    return Record(
        lane=where,
        run_id=1,
        trace_id="t",
        person_id=1,
        role="teller",
        tool="echo",
        at=at,
        arguments=arguments or {"text": "hi"},
        error=error,
    )


def environment(folder: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a process of ours: nothing of the caller's own configuration."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TELLER_")}
    return {**kept, "TELLER_DATA_DIR": str(folder), "PYTHONUNBUFFERED": "1", **(extra or {})}


def teller(
    folder: Path, *args: str, stdin: str = "", env: Mapping[str, str] | None = None, cold: bool = COLD
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end. A `cold` one starts from nothing, as in everyday life, and heeds Python's variables."""
    if not cold:
        return nursery.perform(["bot", *args], ROOT, environment(folder, env), stdin, 60)
    return subprocess.run(
        [sys.executable, "-m", "bot", *args],
        cwd=ROOT,
        env=environment(folder, env),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


class Started:
    """A fork of what is loaded that runs a command with pipes; what tests use of `subprocess.Popen`."""

    def __init__(self, args: Sequence[str], env: Mapping[str, str]) -> None:
        (typed, stdin), (stdout, said), (stderr, warned) = os.pipe(), os.pipe(), os.pipe()
        self._news = nursery.fork(["bot", *args], ROOT, env, (typed, said, warned))
        for theirs in (typed, said, warned):
            os.close(theirs)
        self.stdin, self.stdout, self.stderr = os.fdopen(stdin, "w"), os.fdopen(stdout), os.fdopen(stderr)
        self.returncode: int | None = None
        self.pid = int(self._news.recv(nursery.PID))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self.stdin, self.stdout, self.stderr):
            file.close()
        self.wait()
        self._news.close()

    def poll(self) -> int | None:
        """The exit code, or the number of the signal below zero; None while it lives."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end."""
        if self.returncode is None:
            if not select.select([self._news], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
            self.returncode = nursery.exit_code(self._news)
        return self.returncode

    def communicate(self, *, timeout: float) -> tuple[str, str]:
        """Type nothing more, wait for the end, and return what is left of what was said."""
        self.stdin.close()
        with ThreadPoolExecutor() as threads:
            rest = [threads.submit(file.read) for file in (self.stdout, self.stderr)]
            said, warned = (one.result(timeout) for one in rest)
        self.wait(timeout)
        return said, warned

    def send_signal(self, number: int) -> None:
        """Send a signal if it lives."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """kill -9."""
        self.send_signal(signal.SIGKILL)


Process = subprocess.Popen[str] | Started


def start(folder: Path, args: Sequence[str] = ("run",), env: Mapping[str, str] | None = None) -> Process:
    """Start the bot with pipes."""
    if not COLD:
        return Started(args, environment(folder, env))
    return subprocess.Popen(
        [sys.executable, "-m", "bot", *args],
        cwd=ROOT,
        env=environment(folder, env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
