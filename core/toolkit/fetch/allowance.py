"""What may be fetched from the web for somebody in an hour: requests, searches, bytes, money; counted over restarts."""

from __future__ import annotations

from dataclasses import dataclass

from core.kernel.ports import Clock, Database, Tx
from core.kernel.types import HOUR, Millis
from core.toolkit.fetch.values import FetchError, Whose

MEGA = 1 << 20
_COUNT = (
    "INSERT INTO fetch_use (hour, tenant_id, scope_id, person_id, requests, searches, bytes, cost, seconds)"
    " VALUES (:hour, :tenant_id, :scope_id, :person_id, :requests, :searches, :bytes, :cost, :seconds)"
    " ON CONFLICT (hour, tenant_id, scope_id, person_id) DO UPDATE SET"
    " requests = fetch_use.requests + excluded.requests, searches = fetch_use.searches + excluded.searches,"
    " bytes = fetch_use.bytes + excluded.bytes, cost = fetch_use.cost + excluded.cost,"
    " seconds = fetch_use.seconds + excluded.seconds"
)
_USED = (
    "SELECT COALESCE(sum(requests), 0) AS requests, COALESCE(sum(searches), 0) AS searches,"
    " COALESCE(sum(bytes), 0) AS bytes, COALESCE(sum(cost), 0) AS cost, COALESCE(sum(seconds), 0) AS seconds"
    " FROM fetch_use"
    " WHERE tenant_id = :tenant_id AND person_id = :person_id AND hour >= :hour"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Used:
    """What was fetched: requests, searches, bytes, and their cost in millionths of a dollar; and the `seconds` of sound
    that were written down."""

    requests: int = 0
    searches: int = 0
    bytes: int = 0
    cost: int = 0
    seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HourLimits:
    """What one person may have fetched in an hour; the cost in millionths of a dollar, None for any."""

    requests: int = 60
    searches: int = 30
    bytes: int = 200 * MEGA
    cost: int | None = 1_000_000
    seconds: int = 3_600


def used(tx: Tx, tenant_id: int, person_id: int, since_hour: int) -> Used:
    """Return what was fetched for a person, in all scopes, since an hour (hours since 1970)."""
    row = tx.one(_USED, {"tenant_id": tenant_id, "person_id": person_id, "hour": since_hour})
    return (
        Used(**{name: int(row[name]) for name in ("requests", "searches", "bytes", "cost", "seconds")})
        if row
        else Used()
    )


def forget(tx: Tx, before: Millis, limit: int) -> int:
    """Delete up to about `limit` rows of hours before an instant; returns how many."""
    return tx.run(
        "DELETE FROM fetch_use WHERE (hour, tenant_id, scope_id, person_id) IN"
        " (SELECT hour, tenant_id, scope_id, person_id FROM fetch_use WHERE hour < :hour LIMIT :limit)",
        {"hour": before // HOUR, "limit": limit},
    )


class PersonAllowance:
    """Counts what is fetched, and refuses what would be more than the hour's: `FetchError` with the code `limit`."""

    def __init__(self, db: Database, clock: Clock, limits: HourLimits) -> None:
        self._db, self._clock, self.limits = db, clock, limits

    async def take(self, whose: Whose, *, requests: int = 1, searches: int = 0, cost: int = 0) -> None:
        """Count requests, or searches with what they cost, before they are made. Without any it is only asked whether
        there are bytes left."""

        def count_request(tx: Tx) -> None:
            tx.lock(("person", whose.person_id))
            hour, most = self._clock.now() // HOUR, self.limits
            so_far = used(tx, whose.lane.tenant_id, whose.person_id, hour)
            full = (
                (requests and so_far.requests >= most.requests, f"{most.requests} requests"),
                (searches and so_far.searches >= most.searches, f"{most.searches} searches"),
                (so_far.bytes >= most.bytes, f"{most.bytes // MEGA} MB"),
                (cost and most.cost is not None and so_far.cost + cost > most.cost, f"${(most.cost or 0) / 1e6:.2f}"),
            )
            for reached, what in full:
                if reached:
                    raise FetchError(
                        "limit", f"the {what} an hour from the web are used up; try again in the next hour"
                    )
            if requests or searches:
                self._count(tx, whose, hour, requests=requests, searches=searches, cost=cost)

        await self._db.write(count_request)

    async def take_sound(self, whose: Whose, *, seconds: int, cost: int) -> None:
        """Count sound that is to be written down, and what that costs, before it is."""

        def count_sound(tx: Tx) -> None:
            tx.lock(("person", whose.person_id))
            hour, most = self._clock.now() // HOUR, self.limits
            so_far = used(tx, whose.lane.tenant_id, whose.person_id, hour)
            dear = cost and most.cost is not None and so_far.cost + cost > most.cost
            if so_far.seconds + seconds > most.seconds or dear:
                raise FetchError("limit", "the voice notes of this hour are used up; try again in the next hour")
            self._count(tx, whose, hour, seconds=seconds, cost=cost)

        await self._db.write(count_sound)

    async def used(self, whose: Whose, size: int) -> None:
        """Count the bytes that came."""

        def count_bytes(tx: Tx) -> None:
            self._count(tx, whose, self._clock.now() // HOUR, size=size)

        await self._db.write(count_bytes)

    def _count(
        self,
        tx: Tx,
        whose: Whose,
        hour: int,
        *,
        requests: int = 0,
        searches: int = 0,
        size: int = 0,
        cost: int = 0,
        seconds: int = 0,
    ) -> None:
        tx.run(
            _COUNT,
            {
                "hour": hour,
                "tenant_id": whose.lane.tenant_id,
                "scope_id": whose.lane.scope_id,
                "person_id": whose.person_id,
                "requests": requests,
                "searches": searches,
                "bytes": size,
                "cost": cost,
                "seconds": seconds,
            },
        )
