"""/files: what files there are here, for people, with buttons to have one sent, to delete one and to bring one back."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from core.capabilities.files import changing, inbox
from core.capabilities.files import repository as changes
from core.capabilities.files.changing import Changed
from core.capabilities.files.folders import Found
from core.capabilities.files.paths import CACHE, STATE, BadPath, Place
from core.capabilities.files.service import ScopeFiles
from core.delivery.composer import Composer
from core.kernel.access import may
from core.kernel.errors import Refused
from core.kernel.markdown import coded, truncated, visible
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.types import LaneKey, Millis, Standing
from core.language.lines import cut
from core.scheduling.views import moment
from core.store.conversation.attachment_text import size
from core.store.conversation.outbox import Source, SourceKind
from core.store.files import StoredFile
from core.store.people import people
from core.toolkit.command import Act, Command, CommandRun, intent
from core.toolkit.keeping import Keep

PAGE, LONGEST_LABEL = 8, 40
DELETED = frozenset({"deleted", "gelöscht", "已删除", "删除"})


async def _files(run: CommandRun) -> Reply | Act:
    if run.rest.lower() in DELETED:
        return partial(_replaced, run)
    return await _listed(run, page=1, words=run.rest)


@intent("files.page", as_command="files")
async def turn_to(run: CommandRun, *, page: int, words: str = "") -> Reply | Act:
    """Show a page of files in the place of another."""
    return await _listed(run, page=page, words=words, again=True)


async def _listed(run: CommandRun, *, page: int, words: str, again: bool = False) -> Reply:
    """Show a page of the files, the newest first, or of those that have words in their path."""
    language, files, every = run.language, run.context.services.get(ScopeFiles), await _every(run)
    found = [one for one in every if words.casefold() in str(one.place).casefold()]
    page = max(1, min(page, (len(found) + PAGE - 1) // PAGE))
    shown = found[(page - 1) * PAGE : page * PAGE]
    if not shown:
        nothing = language.say("files_none_about", words=cut(words)) if words else language["files_none"]
        lines = [nothing] if words else [nothing, *_where(run)]
        offers: list[Offer] = [(language["files_button_deleted"], deleted.of())]
        return _shown(run.reply("\n".join(lines), offers=offers, edits=again))
    used, most = size(sum(one.size for one in every)), f"{files.limits.scope_bytes >> 20} MB"
    title = language.say("files_title_about", words=cut(words)) if words else ""
    lines = [title or language.say("files_title", used=used, most=most)]
    lines += [language.say("files_line", path=_path(one.place), **_facts(run, one)) for one in shown]
    lines += [] if words else _where(run)
    offers = [(_label(one.place.name), show.of(path=str(inbox.numbered(one)))) for one in shown]
    if page > 1:
        offers.append((language["files_newer"], turn_to.of(page=page - 1, words=words)))
    if page * PAGE < len(found):
        offers.append((language["files_more"], turn_to.of(page=page + 1, words=words)))
    offers.append((language["files_button_deleted"], deleted.of()))
    return _shown(run.reply("\n".join(lines), offers=offers, edits=again))


async def _every(run: CommandRun) -> list[Found]:
    """Return all files of the chat, the newest first. Raises `Refused`."""
    files, every = run.context.services.get(ScopeFiles), list[Found]()
    try:
        for root in (CACHE, STATE):
            listed = await files.listing(run.context.lane, Place(root, ""), deep=True)
            every += [one for one in listed if not one.is_dir]
    except OSError as error:
        raise Refused("files_disk", why=error.strerror or "?") from error
    return sorted(every, key=lambda one: (-one.mtime_ns, str(one.place)))


@intent("files.open", as_command="files")
async def show(run: CommandRun, *, path: str) -> Reply | Act:
    """Show one file with what can be done with it."""
    # It is called as the list calls it, whose buttons name it by its number.
    named = (one for one in await _every(run) if str(inbox.numbered(one)) == path)
    found = next(named, None) or await _find(run, path)
    if found is None:
        return run.say("files_unknown")
    language, here = run.language, str(inbox.numbered(found))
    offers: list[Offer] = [
        (language["files_button_send"], send.of(path=here)),
        (language["files_button_delete"], delete.of(path=here)),
        (language["files_button_all"], turn_to.of(page=1)),
    ]
    text = language.say("files_one", path=_path(found.place), **_facts(run, found))
    return _shown(run.reply(text, offers=offers, edits=True))


@intent("files.send", as_command="files")
async def send(run: CommandRun, *, path: str) -> Reply | Act:
    """Send a file to who asks: in private, also one of a group."""
    context, lane = run.context, run.context.lane
    if run.group:
        own = await context.db.read(lambda tx: people.private_lane(tx, lane.tenant_id, context.principal.person_id))
        if own is None:
            return run.say("files_no_private")
        lane = own
    try:
        stored = await context.services.get(ScopeFiles).store_for_sending(context.lane, path, to=lane)
    except BadPath:
        return run.say("files_unknown")
    except OSError as error:
        return run.say("files_no_room" if error.errno == errno.ENOSPC else "files_unknown")
    if run.adapter is None or stored.size > run.adapter.most_document_bytes:
        return run.say("files_too_big", name=cut(stored.name), size=size(stored.size))
    return partial(_sent, run, lane, stored, path)


def _sent(run: CommandRun, lane: LaneKey, stored: StoredFile, path: str, tx: Tx) -> Reply:
    run.actor.act(tx, changing.file_send, path=path, size=stored.size)
    composer, run_id = run.context.services.get(Composer), run.context.run_id
    outgoing = composer.outgoing(
        people.place(tx, lane)[0],
        f"file:{run_id}",
        f"📄 {cut(stored.name)}",
        document=stored,
        source=Source(SourceKind.RUN, run_id, comment=True),
        person_id=run.context.principal.person_id,
    )
    composer.say(tx, lane, outgoing)
    return run.say("files_on_its_way", name=cut(stored.name)) if run.group else run.reply("")


@intent("files.delete", as_command="files")
async def delete(run: CommandRun, *, path: str) -> Reply | Act:
    """Delete a file, so that it can be brought back."""
    found = await _find(run, path)
    return run.say("files_unknown") if found is None else partial(_deleted, run, found.place)


@intent("files.ask_delete", as_command="files")
async def ask_which_to_delete(run: CommandRun, *, words: str) -> Reply | Act:
    """Delete the file that is called as the words say; where others may be meant, or none is named, ask which one."""
    language = run.language
    found = [one for one in await _every(run) if words.casefold() in str(one.place).casefold()]
    if not found:
        return run.say("files_none_about", words=cut(words)) if words else run.say("files_none")
    if len(found) == 1 and words.casefold() in (
        found[0].place.name.casefold(),
        PurePosixPath(found[0].place.name).stem.casefold(),
    ):
        return partial(_deleted, run, inbox.numbered(found[0]))
    offers: list[Offer] = [(_label(one.place.name), delete.of(path=str(inbox.numbered(one)))) for one in found[:PAGE]]
    if len(found) > PAGE:
        offers.append((language["files_more"], turn_to.of(page=2, words=words)))
    return replace(run.reply(language["files_delete_which"], offers=offers), own=True)


def _deleted(run: CommandRun, place: Place, tx: Tx) -> Reply:
    done = run.actor.act(tx, changing.file_delete, path=str(place))
    return run.undoable(run.language.say("files_deleted", name=cut(done.name)), done.undo)


@intent("files.deleted", as_command="files")
def deleted(run: CommandRun, tx: Tx) -> Reply:
    """Show what was replaced or deleted and can be brought back."""
    return _replaced(run, tx)


def _replaced(run: CommandRun, tx: Tx) -> Reply:
    language, lane = run.language, run.context.lane
    found = [(at, one.path, bring_back.of(change=one.ref)) for one, at in changes.replaced(tx, lane, PAGE)]
    found += [
        (at, _path(one.found(one.name).place), bring_sent_back.of(attachment=one.attachment_id))
        for one, at in inbox.deleted(tx, lane, PAGE)
    ]
    if not found:
        return run.say("files_old_none", days=run.context.services.get(Keep).replaced)
    found = sorted(found, key=lambda one: -one[0])[:PAGE]
    lines = [language["files_old_title"]]
    lines += [language.say("files_old_line", path=cut(path), day=_day(run, at)) for at, path, _ in found]
    offers: list[Offer] = [(_label(path.rpartition("/")[2]), back) for _, path, back in found]
    return _shown(run.reply("\n".join(lines), offers=offers))


@intent("files.restore", as_command="files")
def bring_back(run: CommandRun, tx: Tx, *, change: str) -> Reply:
    """Bring back what a change replaced or deleted."""
    return _brought_back(run, lambda: run.actor.act(tx, changing.file_restore, change=change))


@intent("files.restore_sent", as_command="files")
def bring_sent_back(run: CommandRun, tx: Tx, *, attachment: int) -> Reply:
    """Bring back a file that was sent, and deleted."""
    return _brought_back(run, lambda: run.actor.act(tx, changing.file_bring_back, attachment=attachment))


def _brought_back(run: CommandRun, act: Callable[[], Changed]) -> Reply:
    if run.group and not may(run.context.standing, Standing.ADMIN):
        return run.say("files_not_yours")
    done = act()
    return run.say("files_unknown") if done.status == "unknown" else run.say("files_back", name=cut(done.name))


def _shown(reply: Reply) -> Reply:
    """Return an answer that shows files as no new line of the talk, with buttons that may be pressed again."""
    return replace(reply, own=True, once=False)


async def _find(run: CommandRun, path: str) -> Found | None:
    files = run.context.services.get(ScopeFiles)
    try:
        found = await files.find(run.context.lane, files.rules.place(path, owner=False))
    except (BadPath, OSError):
        return None
    return None if found is None or found.is_dir else found


def _where(run: CommandRun) -> list[str]:
    """Say to owners where the operator, or a program, may put files for this chat; it is nothing to others."""
    if run.context.standing is not Standing.OWNER:
        return []
    return [run.language.say("files_where", path=coded(f"folders/{run.context.lane.scope_id}/{CACHE}"))]


def _path(place: Place) -> str:
    """Return where a file is as people read it: what lies in the cache has no word for that."""
    return cut(place.path if place.root == CACHE else str(place))


def _facts(run: CommandRun, found: Found) -> Mapping[str, str]:
    return {"size": size(found.size), "day": _day(run, found.changed_at)}


def _day(run: CommandRun, at: Millis) -> str:
    return moment(run.language, at, run.context.zone, run.context.clock.now())


def _label(name: str) -> str:
    return truncated(visible(name), LONGEST_LABEL)


INTENTS = (turn_to, show, send, delete, ask_which_to_delete, deleted, bring_back, bring_sent_back)
COMMANDS: Mapping[str, Command] = {
    "files": Command(_files, Standing.MEMBER, aliases=("documents",)),
}
