"""Ten thousand reminders due in one second, each in a chat of its own; and somebody who writes to the bot meanwhile."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.kernel.clock import SystemClock
from core.kernel.ports import Tx
from core.kernel.types import Millis
from core.store.sqlite.database import SqliteDatabase
from tests.bench.messages import begin, echo, newcomers
from tests.bench.seeding import plan, reminder, settle
from tests.bench.subject import Servers, Subject, teller
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import DEFAULT_TOKEN, TelegramServer

MANY = 10_000
FIRST_USER = 1_000_000
# From before the planning until they are due. The bot is to be up by then, and what its start takes afterwards to be
# done, also on a busy machine: it would count as firing.
AHEAD: Millis = 25_000
# When somebody else writes, in seconds after they are due: while the reminders fire, and while they are sent.
WRITTEN_AT = (0.1, 0.3, 0.6, 1.0, 1.5, 2.5, 4.0)
WATCHED = 8.0


@dataclass(frozen=True, kw_only=True)
class Rush:
    """Seconds from due to the last row of the outbox, the longest the loop was held up, seconds to each answer, CPU
    seconds meanwhile; how many reminders were queued, and how many had arrived at the end."""

    queued: int
    last: float
    held_up: float
    answers: Sequence[float]
    cpu: float
    sent: int


async def measure() -> str:
    """One rush, as a table."""
    with tempfile.TemporaryDirectory() as folder:
        async with TelegramServer() as telegram, OpenAIServer() as model:
            model.reply_with(echo)
            rush = await _rush(Servers(telegram=telegram, model=model), Path(folder))
    late = "" if rush.queued == MANY else f" (of {MANY:,}, when it was stopped)"
    rows = (
        (f"due to the last row of the outbox, ms{late}", 1000 * rush.last),
        ("longest the event loop was held up, ms", 1000 * rush.held_up),
        ("another's message to its answer meanwhile, slowest, ms", 1000 * max(rush.answers)),
        (f"CPU in the first {WATCHED:.0f} s, s", rush.cpu),
        (f"sent after {WATCHED:.0f} s (Telegram takes 30 a second)", rush.sent),
    )
    head = f"{'reminders due in one second, each in a chat of its own':60}{rush.queued:10,}"
    return "\n".join([head, *(f"{name:60}{figure:10.1f}" for name, figure in rows)])


async def _rush(servers: Servers, folder: Path) -> Rush:
    due = await _prepare(servers, folder)
    command, environment = teller(servers, folder)
    heart = folder / "heart.json"
    watched = [sys.executable, "-m", "tests.bench.watched", *command[3:]]
    subject = Subject(watched, {**environment, "BENCH_HEART": str(heart)})
    try:
        await begin(servers, subject)
        cpu, answers = await _meanwhile(servers, subject, due)
    finally:
        await subject.stop()
    queued, last = await _queued(folder)
    sent = sum(message.chat_id >= FIRST_USER for message in servers.telegram.sent())
    held_up = max((late for at, late in json.loads(heart.read_text()) if due <= at <= due + WATCHED), default=0.0)
    behind = last / 1000 - (time.time() - time.monotonic() + due)
    return Rush(queued=queued, last=behind, held_up=held_up, answers=answers, cpu=cpu, sent=sent)


async def _prepare(servers: Servers, folder: Path) -> float:
    """Fill a database; returns the monotonic time at which all of it is due."""
    clock, users = SystemClock(), range(FIRST_USER, FIRST_USER + MANY)
    for user in users:
        servers.telegram.open(user)
    db = SqliteDatabase(folder / "teller.db", clock)
    await db.open()
    try:
        residents = await settle(db, DEFAULT_TOKEN.partition(":")[0], users, clock.now())
        due = clock.now() + AHEAD
        await plan(db, (reminder(one, due) for one in residents), clock.now())
    finally:
        await db.close()
    return due / 1000 - time.time() + time.monotonic()


async def _meanwhile(servers: Servers, subject: Subject, due: float) -> tuple[float, list[float]]:
    """Let strangers write while the reminders are fired and sent; returns CPU seconds, and seconds to each answer."""
    await _say(servers, next(newcomers))  # what is needed for an answer is loaded then
    assert time.monotonic() < due, "the bot was not up in time"
    await asyncio.sleep(due - time.monotonic())
    cpu, talks = subject.cpu(), []
    for after in WRITTEN_AT:
        await asyncio.sleep(due + after - time.monotonic())
        talks.append(asyncio.create_task(_say(servers, next(newcomers))))
    await asyncio.sleep(due + WATCHED - time.monotonic())
    cpu = subject.cpu() - cpu
    return cpu, await asyncio.gather(*talks)


async def _say(servers: Servers, user: int) -> float:
    """Write as somebody; returns the seconds to the answer."""
    asked = time.monotonic()
    servers.telegram.say("How are things today?", user=user)
    await servers.telegram.wait_sent(1, user, 60)
    return servers.telegram.sent(user)[0].mono - asked


async def _queued(folder: Path) -> tuple[int, Millis]:
    """How many reminders are in the outbox, and when the last one came there."""

    def look(tx: Tx) -> tuple[int, Millis]:
        row = tx.one("SELECT count(*) AS n, max(created_at) AS at FROM outbox WHERE message_key LIKE 'trigger:%'")
        assert row is not None
        return row["n"], row["at"]

    db = SqliteDatabase(folder / "teller.db", SystemClock())
    await db.open()
    try:
        return await db.read(look)
    finally:
        await db.close()
