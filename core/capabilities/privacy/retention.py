"""Forgetting on time: every night bodies and rows go that nobody needs any more (STATES: Retention). Then the ledger
is verified.

The archive (table `message`) and the ledger stay. Work is done in small transactions, so that nobody waits for it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, time, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from core.capabilities.privacy import expired, repository, whole
from core.kernel.ports import Clock, Database, Tx
from core.kernel.timing.zones import to_local
from core.kernel.types import DAY, Millis
from core.store.people import tenants
from core.toolkit.keeping import Drawer, Expire, Keep, Keeps, Night
from core.toolkit.services import Services

log = logging.getLogger(__name__)

BATCH = 500
NIGHT = time(3, 30)
FIRST_AFTER = 600.0  # seconds after the start: a bot that never runs at night forgets too
LONGEST_NAP = 900.0  # seconds, so that a clock that was set is noticed


class Retention:
    """Forgets every night at half past three in `zone`. Rows go before their files; `files` sweeps what is left.

    `then` is what else the night is for.
    """

    def __init__(
        self,
        db: Database,
        clock: Clock,
        zone: ZoneInfo,
        keep: Keep,
        keeps: Sequence[Keeps],
        files: Drawer | None = None,
        *,
        then: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._db, self._clock, self._zone, self._keep, self._keeps, self._files = db, clock, zone, keep, keeps, files
        self._then = then

    async def run(self) -> None:
        """Forget a while after the start and then every night, until cancelled; a failed night is logged.

        What is gone is gone for good, also when a clock that was ahead is put right: so the time by which things are
        old goes on with the running time, and follows the clock only after the bot has run by that for a while.
        """
        at, looked = self._clock.now() + round(FIRST_AFTER * 1000), self._clock.monotonic()
        while True:
            await self._clock.sleep(max(0.0, min((at - self._clock.now()) / 1000, LONGEST_NAP)))
            now, ran = self._clock.now(), round((self._clock.monotonic() - looked) * 1000)
            # The clock may have been set back since: no night waits for a day that is long to come.
            at = min(at, next_night(now, self._zone))
            old_by = None
            try:
                # The write is over before any of these is another.
                old_by = await self._db.write(
                    lambda tx: repository.note_running(tx, now, ran, night=now >= at)  # noqa: B023
                )
                looked += ran / 1000
                if old_by is not None:
                    await self.forget(old_by)
                elif now >= at:
                    log.info("nothing is forgotten yet: the bot has run for less than six hours since the last night")
            except Exception:  # a bug must not end it: then nothing would be forgotten any more
                log.exception("old data could not be forgotten; next try later")
            if now < at:
                continue
            try:
                if self._then is not None:
                    await self._then()
            except Exception:
                log.exception("the ledger could not be verified; next try in the night")
            now = self._clock.now()
            at = next_night(now, self._zone)
            if old_by is None:
                at = min(at, now + repository.STEADY)

    async def forget(self, old_by: Millis | None = None) -> Mapping[str, int]:
        """Do all that was due at an instant, or else is due now; return how many rows each kind was."""
        night = Night(keep=self._keep, now=self._clock.now() if old_by is None else old_by)
        theirs = [item for keeps in self._keeps for item in keeps.expires.items()]
        gone: list[str] = []
        # Before the rows that name them go.
        documents = {"documents": await self._all_of(partial(expired.erase_documents, gone=gone), night)}
        done = {name: await self._all_of(expire, night) for name, expire in (*theirs, *expired.EXPIRES.items())}
        done |= documents
        done["files"] = await self._all_of(partial(expired.erase_files, gone=gone), night)
        if self._files is not None:
            await self._files.unlink(gone)
            await self._files.sweep(night.now)
        gone.clear()
        done["kept shorter by chats"] = await self._all_of(partial(expired.erase_in_chats, gone=gone), night)
        if self._files is not None and gone:
            await self._files.unlink(gone)
        gone.clear()
        ended = night.ago(self._keep.uninstalled)
        done["ended tenants"] = await self._all_of(
            lambda tx, night, limit: tenants.erase_ended(tx, ended, limit, gone, night.now), night
        )
        if self._files is not None and gone:
            await self._files.unlink(gone)
        await self._db.write(clean_up)
        log.info("forgotten: %s", ", ".join(f"{name} {n}" for name, n in done.items() if n) or "nothing was due")
        return done

    async def _all_of(self, batch: Expire, night: Night) -> int:
        total = 0
        while changed := await self._db.write(lambda tx: batch(tx, night, BATCH)):
            total += changed
        return total


def services(services: Services) -> Sequence[object]:
    """Return what forgets every night."""
    keep, keeps, drawer = services.get(Keep), services.every(Keeps), services.get(Drawer)
    then = partial(whole.verify, services)
    return (Retention(services.db, services.clock, services.zone, keep, keeps, drawer, then=then),)


async def run(services: Services) -> None:
    """Forget every night, as long as the program runs."""
    await services.get(Retention).run()


def clean_up(tx: Tx) -> None:
    """End a night: have what was erased removed from the free space of the database's files, too."""
    tx.scrub()


def next_night(now: Millis, zone: ZoneInfo) -> Millis:
    """Return the next half past three in `zone`; where a change of the clock skips it, the moment after the gap."""
    local = to_local(now, zone)
    for day in (local.date(), local.date() + timedelta(days=1)):
        at = round(datetime.combine(day, NIGHT, zone).timestamp() * 1000)
        if at > now:
            return at
    return now + DAY
