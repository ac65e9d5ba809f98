"""A bot under measurement, as a process of its own, and what the operating system says it took."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.emulators.openai import DEFAULT_KEY, OpenAIServer
from tests.emulators.telegram import DEFAULT_TOKEN, TelegramServer

OWNER = 1001
# What only developers have installed is not there: structlog would load rich, and 4 MB with it.
AS_INSTALLED = "import runpy, sys; sys.modules['rich'] = None; runpy.run_module('bot', run_name='__main__')"


@dataclass(frozen=True, kw_only=True)
class Servers:
    """The fake servers both bots talk to."""

    telegram: TelegramServer
    model: OpenAIServer


def bare(servers: Servers) -> tuple[list[str], Mapping[str, str]]:
    """Command and environment of the yardstick."""
    environment = {
        "BENCH_TELEGRAM": servers.telegram.url,
        "BENCH_MODEL": f"{servers.model.url}/v1",
        "BENCH_TOKEN": DEFAULT_TOKEN,
    }
    return [sys.executable, "-m", "tests.bench.bare"], environment


def teller(servers: Servers, data_dir: Path) -> tuple[list[str], Mapping[str, str]]:
    """Command and environment of our bot."""
    environment = {
        "TELLER_DATA_DIR": str(data_dir),
        "TELLER_OWNERS": f'["tg:{OWNER}"]',
        "TELLER_ACCESS__MODE": "open",
        "TELLER_BUDGET__DAILY_TOKENS": "1000000000",
        "TELLER_TELEGRAM__TOKEN": DEFAULT_TOKEN,
        "TELLER_TELEGRAM__BASE_URL": servers.telegram.url,
        "TELLER_LLM__BASE_URL": f"{servers.model.url}/v1",
        "TELLER_LLM__API_KEY": DEFAULT_KEY,
        "TELLER_LLM__MODEL": "bench",
    }
    return [sys.executable, "-c", AS_INSTALLED, "run"], environment


class Subject:
    """One running bot."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        self._command = command
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self._environment = {**kept, **environment}
        self._process: asyncio.subprocess.Process | None = None
        self.started_at = 0.0

    async def start(self) -> None:
        """Start the process; its output is thrown away."""
        self.started_at = time.monotonic()
        quiet = asyncio.subprocess.DEVNULL
        self._process = await asyncio.create_subprocess_exec(
            *self._command, env=self._environment, stdin=quiet, stdout=quiet, stderr=quiet
        )

    async def stop(self) -> None:
        """Ask the process to stop and wait."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()

    def cpu(self) -> float:
        """CPU seconds so far, user and system."""
        fields = self._proc("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Resident memory in MB."""
        return self._status("VmRSS")

    def peak(self) -> float:
        """The most resident memory so far, in MB."""
        return self._status("VmHWM")

    def _status(self, name: str) -> float:
        line = next(line for line in self._proc("status").splitlines() if line.startswith(name))
        return int(line.split()[1]) / 1024

    def _proc(self, name: str) -> str:
        assert self._process is not None
        return Path(f"/proc/{self._process.pid}/{name}").read_text()
