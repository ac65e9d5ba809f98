"""What was said while nobody listened: Slack gives up after three tries, and keeps no list of what it gave up.

After each connection, and whenever something was refused, the conversations are read from shortly before the last
thing that was heard. What is here already is known by its key.
"""

from __future__ import annotations

import logging
from functools import partial

from bot.adapters.slack.backfill.calls import HistoryCalls, time_stamp
from bot.adapters.slack.backfill.history import HistoryScan
from bot.adapters.slack.backfill.semaphore import Room
from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.messages import TS, order, text_of
from bot.adapters.slack.receive.keeping import CURSOR, NotReadyError
from bot.adapters.slack.receive.receiver import Receiver
from core.kernel.errors import StorageError
from core.kernel.ports import Clock, Intake
from core.kernel.types import DAY, Millis

log = logging.getLogger(__name__)

# Then other workspaces have their turn, and this one goes on where it was.
MOST_CALLS = 100
THREADS_SINCE: Millis = 7 * DAY


class CatchUp:
    """Reads what workspaces said meanwhile, and gives up its place in the `room` while Slack lets it wait."""

    def __init__(self, receiver: Receiver, clock: Clock, room: Room) -> None:
        self._receiver, self._clock, self._room = receiver, clock, room
        self._scans: dict[str, HistoryScan] = {}
        self._calls: dict[str, HistoryCalls] = {}
        self._logged: set[tuple[str, ...]] = set()

    def forget(self, team: str) -> None:
        """Forget how far a workspace was read; it is served no more, or with another token."""
        self._scans.pop(team, None)
        self._calls.pop(team, None)

    async def run(self, at: Served, intake: Intake) -> bool:
        """Take in what was missed; then, and not before, the cursor moves on. Return whether that is all.

        Raises when Slack or the database does not answer: what is missing is still to be read then.
        """
        team, watch = at.me.team, self._receiver.keeper.watch
        look, stored = watch.asked[team], await intake.cursor(at.tenant, CURSOR)
        if stored is None or not TS.fullmatch(stored):
            # Nothing was missed before the first start.
            await intake.accept(at.tenant, [], (CURSOR, time_stamp(self._clock.now())))
            return watch.looked(team, look)
        scan = await self._scan(at, intake, look, stored)
        # What could not be taken in the last time comes first; what is found now is taken in even if reading fails.
        scan.failure = None
        await self._take_in(at, scan)
        try:
            await scan.read(MOST_CALLS, partial(self._take_in, at, scan))
        finally:
            await self._take_in(at, scan)
        if scan.failure is not None:
            raise scan.failure
        if not scan.over:
            log.info("there is more to look at in workspace %s than is read at once", team)
            return False
        self._scans.pop(team, None)
        if scan.newest != stored:
            await intake.accept(at.tenant, [], (CURSOR, scan.newest))
        return watch.looked(team, scan.look)

    async def _scan(self, at: Served, intake: Intake, look: int, stored: str) -> HistoryScan:
        """Return the scan that is under way; begin another one when the cursor has moved since, or when a newer look is
        asked for and all that is left of this one is what could not be read."""
        team = at.me.team
        scan = self._scans.get(team)
        if scan is not None and scan.stored == stored and (scan.look == look or not scan.stuck):
            return scan
        spoken = await intake.threads(at.tenant, self._clock.now() - THREADS_SINCE)
        # All scans of a workspace keep one pace, as long as it has the same token.
        calls = self._calls.get(team)
        if calls is None or calls.workspace is not at:
            calls = self._calls[team] = HistoryCalls(at, self._clock, self._room)
        fresh = HistoryScan(
            calls, began=self._clock.now(), look=look, stored=stored, spoken=spoken, logged=self._logged
        )
        self._scans[team] = fresh
        # The cursor may pass all that was heard before the scan began.
        fresh.reached(self._receiver.keeper.heard(team) or stored)
        return fresh

    async def _take_in(self, at: Served, scan: HistoryScan) -> None:
        """Take in the events that were read, oldest first; one that fails is left for later, with all of its author."""
        waiting: set[str] = set()
        events = sorted(scan.events.items(), key=lambda item: order(item[1]["ts"]))
        for key, event in events:
            author = text_of(event, "user")
            if author in waiting:
                continue
            try:
                await self._receiver.event(at, event, live=False)
            except (StorageError, NotReadyError):
                # Nothing else can be taken in now, either.
                raise
            except Exception as error:
                scan.failure = error
                waiting.add(author)
            else:
                del scan.events[key]
        # What was said before the cursor is read once more to be sure; it is no news.
        new = sum(order(event["ts"]) > order(scan.stored) for _, event in events)
        if new:
            log.info("%s messages were looked at that came while nobody listened", new)
