"""Exports and imports of a chat, as the command and the operator have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from zoneinfo import ZoneInfo

from core.capabilities.transfer import content
from core.capabilities.transfer.content import Content, Owner
from core.capabilities.transfer.reading import Brought, Reader
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis
from core.store.conversation import imports
from core.store.people.people import Participant
from core.toolkit.keeping import Keeps
from core.toolkit.ledger.ledger import Ledger
from core.toolkit.portable import Entry, Exporting, Importing, Portable

# So many rows that come in bulk are put in one transaction: nobody waits longer than for some of them.
BATCH = 500
# All the rest is put in one transaction, for which everybody waits: so many rows of a kind, if they may be anybody's.
MOST_ROWS = 5_000


def owner_of(participant: Participant) -> Owner:
    """Return whose an export of somebody's private chat, or of their group, is."""
    address, title = participant.person.address, ""
    if participant.group:
        address, title = f"{participant.platform}:{participant.place.chat}", participant.title
    return Owner(
        platform=participant.platform,
        tenant=participant.place.tenant,
        address=address,
        group=participant.group,
        title=title,
    )


def collect(tx: Tx, keeps: Sequence[Keeps], lane: LaneKey, participant: Participant, now: Millis) -> Content:
    """Read all of a scope, and of no other: somebody's own, or what a group has together."""
    exporting = Exporting(lane=lane, person_id=participant.person.person_id, group=participant.group)
    return content.collect(tx, content.portables(keeps), exporting, owner_of(participant), now)


def reader_of(keeps: Sequence[Keeps], ledger: Ledger, participant: Participant, zone: ZoneInfo) -> Reader:
    """Return who reads files for somebody."""
    return Reader(kinds=content.portables(keeps), owner=owner_of(participant), zone=zone, sealed=ledger.sealed)


@dataclass(frozen=True, kw_only=True)
class Intake:
    """A file that was read, for somebody whose private chat it goes to."""

    kinds: Sequence[Portable]
    brought: Brought
    lane: LaneKey
    person_id: int
    zone: ZoneInfo

    def batches(self) -> Iterator[tuple[Portable, Sequence[Entry]]]:
        """Yield what comes in bulk, so much at a time, in the order of its instants.

        Raises `Refused` when there is too much of the rest.
        """
        for kind in self.kinds:
            found = self.brought.parts.get(kind.name, ())
            if not (kind.bulk or self.brought.trusted) and len(found) > MOST_ROWS:
                raise Refused("import_many", most=MOST_ROWS)
            rows = iter(found if kind.bulk else ())
            while batch := list(islice(rows, BATCH)):
                yield kind, batch

    def begin(self, tx: Tx, now: Millis, run_id: int | None) -> int:
        """Open the job of the file; its number. Raises `Refused` where there is no room for what comes in bulk."""
        for kind in self.kinds:
            if kind.bulk:
                kind.fits(tx, self.lane, self.brought.parts.get(kind.name, ()))
        return imports.begin(tx, self.lane, self.person_id, self.brought.digest, now, run_id)

    def put_bulk(self, tx: Tx, import_id: int, kind: Portable, rows: Sequence[Entry], now: Millis) -> int:
        """Put a batch, which nobody sees before the job is done; what is there already is put no more."""
        return kind.put(tx, self._importing(import_id, now, lambda _: None), rows)

    def finish(self, tx: Tx, import_id: int, now: Millis, wake: Callable[[Millis], None]) -> dict[str, int]:
        """Put all the rest, and show what came in bulk; return how many rows of each part were new."""
        importing = self._importing(import_id, now, wake)
        done = {
            kind.name: kind.put(tx, importing, rows)
            for kind in self.kinds
            if not kind.bulk and (rows := self.brought.parts.get(kind.name))
        }
        if import_id:
            bulk = next(kind.name for kind in self.kinds if kind.bulk)
            # A file that was taken in before brings nothing.
            first = imports.finish(tx, self.lane, import_id, now)
            done[bulk] = imports.count_of(tx, self.lane, import_id) if first else 0
        return done

    def _importing(self, import_id: int, now: Millis, wake: Callable[[Millis], None]) -> Importing:
        return Importing(
            lane=self.lane,
            person_id=self.person_id,
            now=now,
            zone=self.zone,
            trusted=self.brought.trusted,
            import_id=import_id,
            wake=wake,
        )
