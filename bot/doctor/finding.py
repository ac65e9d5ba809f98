"""What doctor finds, and how it is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from bot.config.config import Config
from core.kernel.errors import TellerError

Identity = TypeVar("Identity")
Mark = Literal["ok", "warning", "wrong"]
SIGNS: Mapping[Mark, str] = {"ok": "✓", "warning": "!", "wrong": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and what to do."""

    check: str
    mark: Mark
    text: str

    def line(self) -> str:
        """Return it as one line, such as "✓ database: …"."""
        return f"{SIGNS[self.mark]} {self.check}: {self.text}".replace("\n", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """What is looked at: the configuration, its file, and the status of the bot that runs on the data, if one does."""

    config: Config
    file: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    running: Mapping[str, Any] | None = None


def fine(check: str, text: str) -> Finding:
    """Return that all is well."""
    return Finding(check, "ok", text)


def careful(check: str, text: str) -> Finding:
    """Return that it works, but not as well as it might: the text says why."""
    return Finding(check, "warning", text)


def wrong(check: str, text: str) -> Finding:
    """Return that it does not work until somebody does something."""
    return Finding(check, "wrong", text)


# Seconds; Slack's signatures are good for 300.
WRONG_CLOCK = 60.0


def wrong_clock(check: str, platform: str, ahead: float) -> Finding | None:
    """Return that our clock is not a platform's, which is `ahead` by so many seconds; None when they agree."""
    if abs(ahead) <= WRONG_CLOCK:
        return None
    way = "slow" if ahead > 0 else "fast"
    return careful(check, f"{abs(ahead):.0f} s {way} against {platform}'s; switch time synchronisation on")


async def identity(
    check: str, ask: Callable[[], Awaitable[Identity]], unknown: type[TellerError], remedy: str
) -> Identity | Finding:
    """Ask a platform who the bot is; return a finding instead where that fails. `unknown` is the error for a token that
    the platform refuses, and `remedy` what helps then."""
    try:
        return await ask()
    except unknown as error:
        return wrong(check, f"{error} {remedy}")
    except TellerError as error:
        return wrong(check, f"{error} Is this computer online?")
