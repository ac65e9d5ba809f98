"""The whole program as a process of its own, with emulated platforms in the test's process."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

# The library that the program uses: an older one cannot read its text index.
from sqlite_utils.utils import sqlite3

from tests.acceptance import nursery
from tests.acceptance.nursery import ROOT, Child
from tests.acceptance.sites import OWNER, TOKEN, Site, TelegramSite
from tests.databases import furnish
from tests.emulators.openai import DEFAULT_MODEL, OpenAIServer
from tests.emulators.telegram import TelegramServer

__all__ = ["GAVE_UP", "KEY", "MARK", "OWNER", "START_SECONDS", "TOKEN", "Bot", "environment", "model_settings", "texts"]

# A canary, as those of the sites are.
KEY = "sk-CANARY-key_never_written_anywhere_2"
MARK = "↻ Possibly a repeat"
GAVE_UP = "⚠️ I couldn't finish this one (ref "
START_SECONDS = 60.0
STOP_SECONDS = 30.0
STORED_SECONDS = 45.0


class Bot:
    """`python -m bot run` against an emulated platform, with the clock of UTC and no model. `settings` are more
    variables, or others, without their prefix.
    """

    def __init__(
        self,
        site: Site | TelegramServer,
        folder: Path,
        settings: Mapping[str, str] | None = None,
        module: Sequence[str] = ("bot", "run"),
    ) -> None:
        self._site = TelegramSite(site) if isinstance(site, TelegramServer) else site
        everywhere = {"DATA_DIR": str(folder / "data"), "TIMEZONE": "UTC", "DATABASE__BALLAST_MB": "1"}
        self.settings = {**self._site.settings, **everywhere, **(settings or {})}
        self.module = list(module)
        self.data = folder / "data"
        self._folder = folder
        self._log = folder / "output.txt"
        self._clock = folder / "clock"
        self.ahead = 0.0
        # Whether it starts from nothing, as in everyday life. A fork of what is loaded would not do on macOS.
        self.cold = sys.platform != "linux"
        # Whether its messages to a chat are as far apart as the platforms want, instead of a fiftieth of that.
        self.paced = False
        self._process: asyncio.subprocess.Process | Child | None = None

    @property
    def output(self) -> str:
        """Everything that all processes so far have written, errors included."""
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    @property
    def running(self) -> bool:
        """Whether the process lives."""
        return self._process is not None and self._process.returncode is None

    async def launch(self, *, failpoint: str = "") -> None:
        """Start the process without waiting for anything. What is new begins with all tables, which it would make."""
        assert not self.running
        if not self.data.exists() and "DATABASE__URL" not in self.settings:
            await furnish(self.data / "teller.db")
        extra = {"KILLABLE_CLOCK": str(self._clock)} | ({"TELLER_FAILPOINT": failpoint} if failpoint else {})
        with self._log.open("ab") as log:
            self._process = await self._born(environment(self.settings) | extra, log.fileno())

    async def _born(self, env: Mapping[str, str], log: int) -> asyncio.subprocess.Process | Child:
        module = self.module if self.paced else ["tests.hurried", *self.module]
        if not self.cold:
            return nursery.launch(module, self._folder, env, log)
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            *module,
            cwd=self._folder,
            env=env,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )

    async def start(self, *, failpoint: str = "") -> None:
        """Start the process and wait until it hears what people do."""
        listening = self._site.listening()
        await self.launch(failpoint=failpoint)
        await self.until(listening, START_SECONDS)

    async def until(self, condition: Callable[[], bool], timeout: float = 45.0) -> None:
        """Wait until an event of the emulator makes `condition` true; fail at once when the process dies.

        Looks into conversations may be half a minute apart.
        """
        assert self._process is not None
        ended = asyncio.ensure_future(self._process.wait())
        seen = asyncio.ensure_future(self._site.wait_until(condition, timeout))
        await asyncio.wait({ended, seen}, return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not seen.done():
            seen.cancel()
            raise AssertionError(f"the bot ended with {self._process.returncode}:\n{self.output}")
        try:
            seen.result()
        except TimeoutError:
            said = [(chat, text[:80]) for chat, text in self._site.heard()]
            raise AssertionError(f"waited in vain; said so far: {said}\n{self.output}") from None

    def advance(self, seconds: float) -> None:
        """Put the clock of `tests.killable` forward; a program that runs looks at once at what is due then."""
        self.ahead += seconds
        new = self._clock.with_suffix(".new")
        new.write_text(str(self.ahead))
        new.replace(self._clock)
        if self.running:
            assert self._process is not None
            self._process.send_signal(signal.SIGUSR1)

    async def wait(self, timeout: float = STOP_SECONDS) -> int:
        """Wait for the process to end by itself and return its exit code."""
        assert self._process is not None
        async with asyncio.timeout(timeout):
            return await self._process.wait()

    async def stop(self, timeout: float = STOP_SECONDS) -> float:
        """Ask the process to stop; it must end with 0 in time. Return the seconds it took."""
        assert self._process is not None
        begun = time.monotonic()
        self._process.terminate()
        code = await self.wait(timeout)
        assert code == 0, f"exit code {code}:\n{self.output}"
        return time.monotonic() - begun

    async def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        if self.running:
            self._process.send_signal(signal.SIGKILL)
        await self._process.wait()
        # What is handed to a line of which nobody knows yet that it is dead may be gone for good.
        await self._site.wait_until(self._site.deserted, STOP_SECONDS)

    def terminate(self) -> None:
        """Send SIGTERM and return at once."""
        assert self._process is not None
        self._process.terminate()

    def rows(self, sql: str, *values: object) -> list[dict[str, Any]]:
        """Read from the database; only while no process has it."""
        assert not self.running
        conn = sqlite3.connect(f"file:{self.data / 'teller.db'}?mode=ro", uri=True)
        try:
            conn.row_factory = sqlite3.Row
            return [dict(row) for row in conn.execute(sql, values)]
        finally:
            conn.close()

    async def recorded(self, message: int | str) -> None:
        """Wait until the program has stored that a message of it is there, by its id.

        People see it sooner. Who dies in between sends it once more, and what replies to it replies to nothing known.
        """
        await self.stored("SELECT count(*) FROM outbox WHERE platform_id = ?", str(message))

    async def stored(self, sql: str, *values: object) -> None:
        """Wait until a count in the database of the running program is not 0."""
        async with asyncio.timeout(STORED_SECONDS):
            while not await asyncio.to_thread(self._counts, sql, values):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.01)

    def _counts(self, sql: str, values: Sequence[object]) -> bool:
        if url := self.settings.get("DATABASE__URL"):
            with psycopg.connect(url) as postgres:
                return postgres.execute(sql.replace("?", "%s").encode(), values).fetchone() != (0,)
        with contextlib.closing(sqlite3.connect(f"file:{self.data / 'teller.db'}?mode=ro", uri=True)) as file:
            return bool(file.execute(sql, values).fetchone() != (0,))

    def change(self, sql: str, *values: object) -> None:
        """Write into the database; only while no process has it."""
        assert not self.running
        conn = sqlite3.connect(self.data / "teller.db")
        try:
            with conn:
                conn.execute(sql, values)
        finally:
            conn.close()

    def value(self, sql: str, *values: object) -> Any:
        """The only value of the only row."""
        (row,) = self.rows(sql, *values)
        (value,) = row.values()
        return value

    def at_rest(self) -> bool:
        """Whether it had nothing left to answer and to send, also not once more; only while no process has it."""
        open_rows = (self.value(f"SELECT count(*) FROM {name} WHERE ended_at IS NULL") for name in ("inbox", "outbox"))
        return not any(open_rows)

    def heard(self) -> Sequence[tuple[str, str]]:
        """What it has said, oldest first, each with what the chat is called."""
        return self._site.heard()

    def told(self, chat: int | str) -> list[str]:
        """What it has said in a chat, oldest first."""
        return [text for where, text in self._site.heard() if where == str(chat)]

    def written(self) -> dict[str, bytes]:
        """Everything that was written anywhere: the output and each file of the data folder, by name.

        What a running program deletes or replaces meanwhile is there no more.
        """
        found = {}
        for path in (self._log, *self.places()):
            with contextlib.suppress(FileNotFoundError):
                if path.is_file():
                    found[path.name] = path.read_bytes()
        return found

    def places(self) -> list[Path]:
        """Everything in the data folder, folders too, also while the program makes and deletes some of it."""
        return [Path(folder) / name for folder, *both in os.walk(self.data) for names in both for name in names]

    async def end(self) -> None:
        """Stop if need be; then nothing may have gone wrong behind the test's back."""
        if self.running:
            await self.stop()
        assert "Traceback" not in self.output, self.output
        assert [part for part in self._site.unlogged() if part in self.output] == []
        for name, content in self.written().items():
            leaks = [form for secret in (*self._site.secrets, KEY) for form in forms(secret) if form in content]
            assert leaks == [], name
        self._site.inspect()


def environment(settings: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process: ours without any setting, plus `settings`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TELLER_")}
    given = {f"TELLER_{name}": value for name, value in settings.items()}
    return inherited | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"} | given


def model_settings(llm: OpenAIServer) -> dict[str, str]:
    """The settings of the emulated model; a task of it may have ten workers."""
    told = {"LLM__BASE_URL": f"{llm.url}/v1", "LLM__API_KEY": KEY, "LLM__MODEL": DEFAULT_MODEL}
    return {**told, "TASKS__MOST_WORKERS": "10"}


def forms(secret: str) -> list[bytes]:
    """The ways a secret may be written down."""
    raw = secret.encode()
    encoded = base64.b64encode(raw).rstrip(b"=")[:-2]
    return [raw, quote(secret, safe="").encode(), encoded, base64.urlsafe_b64encode(raw).rstrip(b"=")[:-2]]


def texts(telegram: TelegramServer, chat: int | None = None) -> list[str]:
    """What the bot has said, oldest first."""
    return [message.text for message in telegram.sent(chat)]
