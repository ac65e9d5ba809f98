"""Changing files in the transaction of whoever wants it: it is committed as a change, and done on the disk after that.

What was there is kept, and how it comes back is noted in the same transaction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.capabilities.files import inbox
from core.capabilities.files import repository as changes
from core.capabilities.files.disk import new_token
from core.capabilities.files.models import ChangeAct, ChangeState, Staged
from core.capabilities.files.paths import BadPath, Place
from core.capabilities.files.service import ScopeFiles
from core.kernel.access import may
from core.kernel.errors import Refused
from core.kernel.ids import number, ref
from core.kernel.ports import Tx
from core.kernel.types import Standing
from core.language.lines import cut
from core.store.conversation import attachments
from core.toolkit.action import action, note_undo
from core.toolkit.tool import ToolContext

# What the engine is poked for, with the number of a scope.
POKE = "files"
FAMILY = "files"


@dataclass(frozen=True, kw_only=True)
class Changed:
    """What was done, how it is taken back, and whether there was anything to do it to (`unknown`)."""

    name: str = ""
    status: str = "done"
    undo: str = ""


def write(tx: Tx, context: ToolContext, place: Place, staged: Staged, *, append: bool) -> Changed:
    """Write what was staged at a place, over what is there or behind it. Raises `Refused`."""
    files = _changing(tx, context, place)
    _free(files, context, place)
    own = bool(staged.digest) and (
        not (append and staged.before) or changes.is_own(tx, context.lane, context.principal.person_id, staged.before)
    )
    act, digest = ChangeAct.APPEND if append else ChangeAct.WRITE, staged.digest if own else ""
    return _plan(tx, context, place, act, "write", token=staged.token, digest=digest, tainted=int(not own))


def move(tx: Tx, context: ToolContext, place: Place, target: Place) -> Changed:
    """Give a file another path, where nothing is. Raises `Refused`."""
    files = _changing(tx, context, place)
    _check(files, target)
    if not (place.own and target.own) and place.root != target.root:
        raise Refused("files_apart", path=str(place))
    _there(files, context, place)
    _free(files, context, target)
    if files.folders.find(context.lane.scope_id, target) is not None:
        raise Refused("files_exists", path=str(target))
    own = str(place) in changes.own_paths(tx, context.lane, context.principal.person_id) and not context.tainted
    return _plan(tx, context, place, ChangeAct.MOVE, "move", target=str(target), tainted=int(not own))


def delete(tx: Tx, context: ToolContext, place: Place) -> Changed:
    """Delete a file, also one that was sent. Raises `Refused`, also in a group of who may not."""
    sent = inbox.find(inbox.load(tx, context.lane), place.path.partition("/")[2]) if place.sent else None
    if context.participant.group and not may(context.standing, Standing.ADMIN):
        whose = changes.writer(tx, context.lane, str(place))
        if sent is not None:
            whose = inbox.sender(tx, context.lane, sent.attachment_id)
        if whose != context.principal.person_id:
            raise Refused("files_not_yours", path=str(place))
    if place.sent:
        if sent is None or not attachments.discard(tx, context.lane, sent.attachment_id, context.clock.now()):
            raise Refused("files_missing", path=str(place))
        label = context.texts.say("undo_file_delete", name=cut(sent.name))
        undo = note_undo(tx, context, label, "file_bring_back", attachment=sent.attachment_id)
        return Changed(name=sent.name, undo=undo.get("undo", ""))
    files = _changing(tx, context, place)
    _there(files, context, place)
    return _plan(tx, context, place, ChangeAct.DELETE, "delete")


@action(FAMILY)
def file_delete(tx: Tx, context: ToolContext, path: str) -> Changed:
    """Delete a file as a person, by its path."""
    return delete(tx, context, context.services.get(ScopeFiles).rules.place(path, owner=False))


@action(FAMILY)
def file_send(tx: Tx, context: ToolContext, path: str, size: int) -> Changed:
    """Note that a file is sent."""
    return Changed(name=path)


@action(FAMILY)
def file_restore(tx: Tx, context: ToolContext, change: str) -> Changed:
    """Take a change of a file back: what it replaced or removed is there again. Raises `Refused`."""
    found = changes.find(tx, context.lane, number("f", change) or 0)
    rules, owner = context.services.get(ScopeFiles).rules, context.owner_in_private
    try:
        place = rules.place("" if found is None else found.path, owner=owner)
    except BadPath:
        return Changed(status="unknown")
    assert found is not None
    files = _changing(tx, context, place)
    found = changes.find(tx, context.lane, found.change_id) or found
    gone = found.act is not ChangeAct.MOVE and not (found.fresh or found.kept)
    if found.state is ChangeState.FAILED or gone or changes.taken_back(tx, found.change_id):
        return Changed(status="unknown")
    if changes.changed_since(tx, context.lane, found):
        raise Refused("undo_outdated")
    back: dict[str, Any] = {"change_id": found.change_id}
    if found.act is ChangeAct.MOVE:
        moved = rules.place(found.target, owner=owner)
        _there(files, context, moved)
        if files.folders.find(context.lane.scope_id, place) is not None:
            raise Refused("files_exists", path=str(place))
        return _plan(tx, context, moved, ChangeAct.MOVE, "move", target=found.path, **back)
    if found.fresh:
        return _plan(tx, context, place, ChangeAct.DELETE, "delete", **back)
    _free(files, context, place)
    return _plan(tx, context, place, ChangeAct.RESTORE, "write", source=found.token, **back)


@action(FAMILY)
def file_bring_back(tx: Tx, context: ToolContext, attachment: int) -> Changed:
    """Bring back a file that was sent, and deleted."""
    there = attachments.discard(tx, context.lane, attachment, None)
    names = (sent.name for sent in inbox.load(tx, context.lane) if sent.attachment_id == attachment)
    return Changed(name=next(names, ""), status="done" if there else "unknown")


def _changing(tx: Tx, context: ToolContext, place: Place) -> ScopeFiles:
    """Return the files, as they are until the transaction ends, where something there may be changed."""
    files = context.services.get(ScopeFiles)
    _check(files, place)
    files.catch_up(tx, context.lane)
    return files


def _check(files: ScopeFiles, place: Place) -> None:
    if place.sent:
        raise Refused("files_inbox")
    if not files.rules.writable(place):
        raise Refused("files_readonly", path=str(place))


def _free(files: ScopeFiles, context: ToolContext, place: Place) -> None:
    if obstacle := files.folders.obstacle(context.lane.scope_id, place):
        raise Refused(f"files_{obstacle}", path=str(place))


def _there(files: ScopeFiles, context: ToolContext, place: Place) -> None:
    found = files.folders.find(context.lane.scope_id, place)
    if found is None:
        raise Refused("files_missing", path=str(place))
    if found.is_dir:
        raise Refused("files_folder", path=str(place))


def _plan(tx: Tx, context: ToolContext, place: Place, act: ChangeAct, told: str, **more: Any) -> Changed:
    now, lane = context.clock.now(), context.lane
    change = {
        **{"token": new_token(), "person_id": context.principal.person_id, "run_id": context.run_id},
        **{"act": act, "path": str(place), "trace_id": context.trace_id},
        **more,
    }
    change_id = changes.insert(tx, lane, change, now)
    changes.open_folder(tx, lane, now)
    context.services.engine.poke(tx, POKE, lane.scope_id)
    label = context.texts.say(f"undo_file_{told}", name=cut(place.name))
    undo = note_undo(tx, context, label, "file_restore", change=ref("f", change_id))
    return Changed(name=place.name, undo=undo.get("undo", ""))
