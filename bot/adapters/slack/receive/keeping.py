"""Keeping what was said with the intake, before Slack hears that it arrived, and with it up to where all is here."""

from __future__ import annotations

from collections.abc import Mapping

from bot.adapters.slack.backfill.gaps import Watch
from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.messages import order
from core.kernel.ports import Intake
from core.kernel.updates import Skipped, Update

CURSOR = "heard"


class NotReadyError(Exception):
    """Nobody takes anything in now: the bot starts, or stops."""


class Keeper:
    """Hands updates to the `intake`. Until that is set, and once it is None again, nothing is kept.

    The cursor of a workspace moves on with what comes while it is current (`Watch`): else what came while nobody
    listened is not all here yet. Where it `follows` nothing it is moved by looking alone, because nobody says when
    something was kept from us.
    """

    def __init__(self, *, follows: bool) -> None:
        self.intake: Intake | None = None
        self.watch = Watch()
        self._follows = follows
        self._heard: dict[str, str] = {}

    async def keep(self, at: Served, update: Update, heard: str = "") -> Mapping[str, str]:
        """Keep an update, `heard` at a time stamp; return what to show to whom, as `Intake.accept` does."""
        intake = self.ready()
        newer = bool(heard) and order(heard) >= order(self.heard(at.me.team) or heard)
        moves = (CURSOR, heard) if newer and self._follows and at.me.team in self.watch.current else None
        told: Mapping[str, str] = {}
        if moves is not None or not isinstance(update, Skipped):
            told = await intake.accept(at.tenant, [update], moves)
        if newer:
            self._heard[at.me.team] = max(self.heard(at.me.team) or heard, heard, key=order)
        return told

    def ready(self) -> Intake:
        """Return the intake; raise `NotReadyError` when there is none."""
        if self.intake is None:
            raise NotReadyError
        return self.intake

    def heard(self, team: str) -> str:
        """Return the newest time stamp that was taken in since the start, empty when there is none."""
        return self._heard.get(team, "")
