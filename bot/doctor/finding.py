"""What doctor finds, and how it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from bot.config.config import Config

Mark = Literal["ok", "warning", "wrong"]
SIGNS: Mapping[Mark, str] = {"ok": "✓", "warning": "!", "wrong": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: what was looked at, how it is, and what to do."""

    check: str
    mark: Mark
    text: str

    def line(self) -> str:
        """Such as "✓ database: …"."""
        return f"{SIGNS[self.mark]} {self.check}: {self.text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """What is looked at: the configuration, its file, and the status of the bot that runs on the data, if one does."""

    config: Config
    file: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    running: Mapping[str, Any] | None = None


def fine(check: str, text: str) -> Finding:
    """All is well."""
    return Finding(check, "ok", text)


def careful(check: str, text: str) -> Finding:
    """It works, but."""
    return Finding(check, "warning", text)


def wrong(check: str, text: str) -> Finding:
    """It does not work until somebody does something."""
    return Finding(check, "wrong", text)
