"""Forgetting on time: every night bodies and rows go that nobody needs any more (STATES: Retention).

The archive (table `message`) and the ledger stay. Work is done in small transactions, so that nobody waits for it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from core.capabilities.privacy import expired as retention
from core.kernel.ports import Clock, Database, Tx
from core.kernel.types import Millis
from core.store.people import installations, tenants
from core.toolkit.keeping import Drawer, Expire, Keep, Keeps, Night
from core.toolkit.services import Services

log = logging.getLogger(__name__)

DAY: Millis = 86_400_000
BATCH = 500
NIGHT = time(3, 30)
FIRST_AFTER = 600.0  # seconds after the start: a bot that never runs at night forgets too
LONGEST_NAP = 900.0  # seconds, so that a clock that was set is noticed
DEDUPE_DAYS = 7


Batch = Callable[[Tx], int]


class Retention:
    """Forgets every night at half past three in `zone`. Rows go before their files; `files` sweeps what is left."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        zone: ZoneInfo,
        keep: Keep,
        keeps: Sequence[Keeps],
        files: Drawer | None = None,
    ) -> None:
        self._db, self._clock, self._zone, self._keep, self._keeps, self._files = db, clock, zone, keep, keeps, files

    async def run(self) -> None:
        """Forget a while after the start and then every night, until cancelled; a failed night is logged."""
        at = self._clock.now() + round(FIRST_AFTER * 1000)
        while True:
            await self._wait_until(at)
            try:
                await self.forget()
            except Exception:  # a bug must not end it: then nothing would be forgotten any more
                log.exception("old data could not be forgotten; next try in the night")
            at = next_night(self._clock.now(), self._zone)

    async def _wait_until(self, at: Millis) -> None:
        while (left := (at - self._clock.now()) / 1000) > 0:
            await self._clock.sleep(min(left, LONGEST_NAP))

    async def forget(self) -> Mapping[str, int]:
        """Do all that is due now; return how many rows each kind was."""
        done = {name: await self._all_of(batch) for name, batch in self._batches().items()}
        done["files"] = await self._erase_files()
        done["ended tenants"] = await self._erase_tenants()
        await self._db.write(clean_up)
        log.info("forgotten: %s", ", ".join(f"{name} {n}" for name, n in done.items() if n) or "nothing was due")
        return done

    def _batches(self) -> Mapping[str, Batch]:
        keep, now = self._keep, self._clock.now()
        today = datetime.fromtimestamp(now / 1000, UTC).date()
        first_day = (today - timedelta(days=keep.token_use)).isoformat()

        night = Night(keep=keep, now=now)
        ago = night.ago
        theirs = {
            name: partial(_expire, expire, night) for keeps in self._keeps for name, expire in keeps.expires.items()
        }
        return {
            **theirs,
            "inbox bodies": lambda tx: retention.erase_inbox(tx, ago(keep.inbox), BATCH),
            "inbox rows": lambda tx: retention.delete_inbox(tx, ago(max(2 * keep.inbox, DEDUPE_DAYS)), BATCH),
            "outbox bodies": lambda tx: retention.erase_outbox(tx, ago(keep.outbox), BATCH),
            "outbox rows": lambda tx: retention.delete_outbox(tx, ago(2 * keep.outbox), BATCH),
            "questions": lambda tx: retention.delete_questions(tx, ago(keep.questions), BATCH // 5),
            "buttons": lambda tx: retention.delete_keyboards(tx, ago(keep.buttons), BATCH),
            "invitations": lambda tx: retention.delete_invites(tx, ago(keep.buttons), BATCH),
            "rows of files": lambda tx: retention.delete_files(tx, ago(2 * keep.files), BATCH),
            "triggers": lambda tx: retention.delete_triggers(tx, ago(keep.undo), BATCH // 5),
            "undo": lambda tx: retention.delete_undo(tx, ago(keep.undo), BATCH),
            "read along": lambda tx: retention.delete_readalong(tx, ago(keep.readalong), BATCH),
            "runs": lambda tx: retention.delete_runs(tx, ago(keep.journal), BATCH // 5),
            "strangers": lambda tx: retention.delete_strangers(tx, ago(keep.strangers), BATCH),
            "installations": lambda tx: installations.forget(tx, ago(keep.uninstalled), BATCH),
            "token counts": lambda tx: retention.delete_token_use(tx, first_day, BATCH),
        }

    async def _erase_files(self) -> int:
        before, gone = self._clock.now() - self._keep.files * DAY, list[str]()
        total = await self._all_of(lambda tx: retention.erase_files(tx, before, BATCH, gone))
        if self._files is not None:
            await self._files.unlink(gone)
            await self._files.sweep()
        return total

    async def _erase_tenants(self) -> int:
        """Erase all content of the workspaces from which the app was removed long enough ago."""
        now, gone = self._clock.now(), list[str]()
        before = now - self._keep.uninstalled * DAY
        total = await self._all_of(lambda tx: tenants.erase_ended(tx, before, BATCH, gone, now))
        if self._files is not None and gone:
            await self._files.unlink(gone)
        return total

    async def _all_of(self, batch: Batch) -> int:
        total = 0
        while changed := await self._db.write(batch):
            total += changed
        return total


def services(house: Services) -> Sequence[object]:
    """Return what forgets every night."""
    return (Retention(house.db, house.clock, house.zone, house.get(Keep), house.every(Keeps), house.get(Drawer)),)


async def run(house: Services) -> None:
    """Forget every night, as long as the house runs."""
    await house.get(Retention).run()


def _expire(expire: Expire, night: Night, tx: Tx) -> int:
    return expire(tx, night, BATCH)


def clean_up(tx: Tx) -> None:
    """The last of a night: what was erased is not to be left anywhere else in the database's files."""
    tx.scrub()


def next_night(now: Millis, zone: ZoneInfo) -> Millis:
    """The next half past three in `zone`; where a change of the clock skips it, the moment after the gap."""
    local = datetime.fromtimestamp(now / 1000, zone)
    for day in (local.date(), local.date() + timedelta(days=1)):
        at = _instant(day, zone)
        if at > now:
            return at
    return now + DAY


def _instant(day: date, zone: ZoneInfo) -> Millis:
    return round(datetime.combine(day, NIGHT, zone).timestamp() * 1000)
