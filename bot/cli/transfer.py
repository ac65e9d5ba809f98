"""What the operator takes along: exports of all chats as files, and a file taken in for somebody."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.capabilities.all import CAPABILITIES
from core.capabilities.files.disk import Disk
from core.capabilities.files.folders import Folders
from core.capabilities.files.portable import keeps_of
from core.capabilities.transfer import content, service
from core.capabilities.transfer.archive import MOST_READ, Unreadable
from core.capabilities.transfer.content import Content, Owner
from core.capabilities.transfer.service import Intake
from core.kernel.errors import TellerError
from core.kernel.ports import Tx
from core.kernel.timing.zones import zone_named
from core.kernel.types import Json, LaneKey
from core.language import pick
from core.store.files import FOLDERS
from core.store.people import chats, people, tenants
from core.store.people.chats import Kept
from core.store.people.people import Participant
from core.store.private_files import private, unlinked
from core.toolkit.keeping import Keeps
from core.toolkit.ledger.ledger import Record
from core.toolkit.portable import Exporting, Showing

if TYPE_CHECKING:
    from bot.cli.operations import Args, House

ROLE = "operator"


async def export(house: House, args: Args) -> Json:
    """Write an export of each chat of a tenant, or of all, into a folder; returns the files' names, and how many files
    of people are in none of them."""
    folder, wanted = Path(str(args.get("path"))), args.get("tenant")
    found = await house.db.read(tenants.present)
    chosen = [one for one in found if wanted is None or wanted in {one[2], f"{one[1]}:{one[2]}"}]
    if not found and wanted is None:
        raise TellerError("Nobody has talked to the bot yet, so there is nothing to export.")
    if not chosen:
        known = ", ".join(f"{platform}:{external}" for _, platform, external in found)
        raise TellerError(f"There is no tenant {str(wanted)[:60]!r}. There are: {known or 'none'}.")
    written: list[Json] = []
    left_out = 0
    for tenant_id, platform, external in chosen:
        for chat in await house.db.read(partial(chats.all_of, tenant_id=tenant_id)):
            made = await house.db.read(partial(_of, house=house, chat=chat, platform=platform, external=external))
            left_out += made.left_out
            if any(made.counts().values()):
                written.append(await asyncio.to_thread(_written, house, folder, made, chat.lane.chat_id))
    return {"written": written, "left_out": left_out}


def _keeps(house: House) -> list[Keeps]:
    """Return what all capabilities have to take along."""
    files = house.config.files
    disk = Disk(Folders(house.config.data_dir / FOLDERS, files.rules))
    return [*(one.keeps for one in CAPABILITIES if one.keeps is not None), keeps_of(disk, files.limits)]


def _of(tx: Tx, house: House, chat: Kept, platform: str, external: str) -> Content:
    """Read what there is of one chat."""
    exporting = Exporting(lane=chat.lane, person_id=chat.person_id or 0, group=chat.group)
    owner = Owner(
        platform=platform,
        tenant=external,
        address=f"{platform}:{chat.external_id}" if chat.group else chat.address,
        group=chat.group,
        title=chat.title,
    )
    return content.collect(tx, content.portables(_keeps(house)), exporting, owner, house.clock.now())


def _written(house: House, folder: Path, made: Content, chat_id: int) -> str:
    """Pack an export, and write it so that only the bot's own user can read it."""
    showing = Showing(language=pick(house.config.language), zone=house.config.zone)
    packed = content.pack(made, content.portables(_keeps(house)), showing, house.ledger.seal)
    name = "".join(one if one.isalnum() or one in "-_.@" else "-" for one in made.owner.address)[:80]
    path = unlinked(folder) / f"{made.owner.tenant}-{chat_id}-{name}-{content.file_name(made, showing)}"
    try:
        with open(path, "wb", opener=private) as file:
            file.write(packed)
    except OSError as error:
        raise TellerError(f"cannot write {path}: {error.strerror}") from error
    return str(path)


async def take_in(house: House, args: Args) -> Json:
    """Take a file in for somebody (`person`, an address); returns how much of what was new, and what was not read."""
    path, address = Path(str(args.get("path"))), str(args.get("person") or "")
    lane, participant = await house.db.read(lambda tx: _somebody(tx, address))
    zone = zone_named(participant.timezone) or house.config.zone
    try:
        data = await asyncio.to_thread(_content, path)
    except OSError as error:
        raise TellerError(f"{path} cannot be read: {error.strerror}.") from error
    reader = service.reader_of(_keeps(house), house.ledger, participant, zone)
    try:
        brought = await asyncio.to_thread(reader.read, path.name, data)
    except Unreadable as error:
        words = pick("en").say(f"import_bad_{error.reason}", name=path.name)
        raise TellerError(words) from error
    person_id = participant.person.person_id
    intake = Intake(kinds=reader.kinds, brought=brought, lane=lane, person_id=person_id, zone=zone)
    done = await _put(house, intake)
    unread = [name for name, _ in brought.unread] + brought.unknown
    return {"new": done, "in": brought.counts(), "unread": unread, "failed": brought.failed}


def _content(path: Path) -> bytes:
    if path.stat().st_size > MOST_READ:
        raise TellerError(f"{path} is too big: {MOST_READ >> 20} MB at most.")
    return path.read_bytes()


async def _put(house: House, intake: Intake) -> Mapping[str, int]:
    """Put what comes in bulk step by step, and all the rest at once, with its row in the ledger."""
    now, db = house.clock.now(), house.db
    import_id = 0
    for kind, rows in intake.batches():
        if not import_id:
            import_id = await db.write(lambda tx: intake.begin(tx, now, None))
        await db.write(partial(intake.put_bulk, import_id=import_id, kind=kind, rows=rows, now=now))

    def finish_import(tx: Tx) -> Mapping[str, int]:
        done = intake.finish(tx, import_id, now, lambda _: None)
        arguments: dict[str, Any] = {"digest": intake.brought.digest, "trusted": intake.brought.trusted}
        house.ledger.append(
            tx,
            Record(
                lane=intake.lane,
                run_id=0,
                trace_id="",
                person_id=intake.person_id,
                role=ROLE,
                tool="import_data",
                at=now,
                arguments=arguments,
                result={"counts": done},
            ),
        )
        return done

    return await db.write(finish_import)


def _somebody(tx: Tx, address: str) -> tuple[LaneKey, Participant]:
    """Return the private chat of who has an address, of the first tenant where they talk to the bot."""
    for tenant_id, _, _ in tenants.present(tx):
        for lane in people.private_lanes(tx, tenant_id, [address]):
            row = people.known(tx, tenant_id, address)
            if row is not None:
                return lane, people.participant(tx, lane, int(row["id"]))
    raise TellerError(f"Nobody with the address {address[:60]!r} talks to the bot in private. /id tells an address.")
