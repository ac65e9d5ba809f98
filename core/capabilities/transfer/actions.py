"""What a person does: has their export sent, and has a file taken in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from core.capabilities.transfer.service import Intake
from core.delivery.composer import Composer
from core.kernel.errors import Refused
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.store.conversation.outbox import Source, SourceKind
from core.store.files import StoredFile
from core.store.people import people
from core.toolkit.action import Action, action
from core.toolkit.portable import Entry, Portable
from core.toolkit.tool import ToolContext

FAMILY = "transfer"


@dataclass(frozen=True, kw_only=True)
class Exported:
    """A file on its way, by its name; `private` when it goes to the private chat of who wanted it in a group."""

    name: str
    private: bool


@dataclass(frozen=True, kw_only=True)
class Brought:
    """How many rows of each part were new."""

    counts: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Begun:
    """The number of the job that takes a file in."""

    import_id: int


@action(FAMILY)
def export_data(tx: Tx, context: ToolContext, name: str, size: int, counts: Mapping[str, int], here: bool) -> Exported:
    """Note that an export was sent; what is in it stands in no ledger."""
    return Exported(name=name, private=context.participant.group and not here)


def send(tx: Tx, context: ToolContext, lane: LaneKey, file: StoredFile, text: str) -> None:
    """Queue an export for a chat, with the words below it."""
    composer = context.services.get(Composer)
    platform, _ = people.place(tx, lane)
    source = Source(SourceKind.RUN, context.run_id, comment=True)
    outgoing = composer.outgoing(
        platform,
        f"export:{context.run_id}",
        text,
        document=file,
        source=source,
        person_id=context.principal.person_id,
    )
    composer.say(tx, lane, outgoing)


def beginning(intake: Intake) -> Action[..., Begun]:
    """Return the action that opens the job of a file."""

    def begin(tx: Tx, context: ToolContext, digest: str) -> Begun:
        return Begun(import_id=intake.begin(tx, context.clock.now(), context.run_id))

    return Action("begin_import", FAMILY, begin)


def putting(intake: Intake, import_id: int, batch: tuple[Portable, Sequence[Entry]]) -> Action[..., Brought]:
    """Return the action that puts some of what comes in bulk; put again, it changes nothing."""
    kind, rows = batch

    def put(tx: Tx, context: ToolContext, digest: str) -> Brought:
        return Brought(counts={kind.name: intake.put_bulk(tx, import_id, kind, rows, context.clock.now())})

    return Action("import_batch", FAMILY, put)


def finishing(intake: Intake, import_id: int) -> Action[..., Brought]:
    """Return the action that puts all the rest, and shows what came in bulk."""

    def finish(tx: Tx, context: ToolContext, digest: str, trusted: bool) -> Brought:
        if context.participant.group:
            raise Refused("import_private")
        wake = context.services.engine.wake
        done = intake.finish(tx, import_id, context.clock.now(), lambda at: tx.after_commit(partial(wake, at)))
        return Brought(counts=done)

    return Action("import_data", FAMILY, finish)
