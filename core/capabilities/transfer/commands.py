"""/export and /import: a chat's data, taken along as a file and taken in from one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial

from core.capabilities.transfer import actions, content, service
from core.capabilities.transfer.archive import LONGEST_NAME, Unreadable
from core.capabilities.transfer.content import Content
from core.capabilities.transfer.reading import Brought
from core.capabilities.transfer.service import Intake
from core.kernel.errors import Refused
from core.kernel.markdown import literal
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.types import LaneKey, Received, Standing
from core.language import Language
from core.store.conversation import attachments
from core.store.files import Files, StoredFile
from core.store.people import people
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, Confirms, Menu, Quiet, intent
from core.toolkit.keeping import Keep, Keeps
from core.toolkit.ledger.ledger import Ledger
from core.toolkit.portable import Showing

# What puts the export of a group into the group.
HERE = frozenset({"here", "hier", "这里", "这儿"})
# In this order they are told.
ORDER = ("todos", "schedules", "memories", "contacts", "history", "files", "settings")
# So many files that could not be read are named.
NAMED = 8


async def _export(run: CommandRun) -> Reply | Act:
    """Send everything that is kept of the chat here: to who asks, also of a group, unless that is to see it."""
    context, here = run.context, run.rest.lower() in HERE
    if run.rest and not (run.group and here):
        return run.say("export_usage_group" if run.group else "export_usage")
    lane: LaneKey | None = context.lane
    if run.group and not here:
        lane = await context.db.read(
            lambda tx: people.private_lane(tx, context.lane.tenant_id, context.principal.person_id)
        )
    if lane is None:
        return run.say("export_no_private")
    keeps, now = context.services.every(Keeps), context.clock.now()
    found = await context.db.read(lambda tx: service.collect(tx, keeps, context.lane, context.participant, now))
    showing, seal = Showing(language=run.language, zone=context.zone), context.services.get(Ledger).seal
    packed = await asyncio.to_thread(content.pack, found, content.portables(keeps), showing, seal)
    most = 0 if run.adapter is None else run.adapter.most_document_bytes
    if len(packed) > most:
        return run.say("export_too_big", size=_megabytes(len(packed)), most=_megabytes(most))
    name = content.file_name(found, showing)
    try:
        file = await asyncio.to_thread(context.services.get(Files).store, lane.scope_id, name, content.MIME, packed)
    except OSError:
        raise Refused("export_no_room") from None
    return partial(_send, run, lane, file, found)


def _send(run: CommandRun, lane: LaneKey, file: StoredFile, found: Content, tx: Tx) -> Reply:
    counts = found.counts()
    here = lane.scope_id == run.context.lane.scope_id
    sent = run.actor.act(tx, actions.export_data, name=file.name, size=file.size, counts=counts, here=here)
    what = told(run.language, counts) or run.language["export_nothing"]
    kind = "export_done_group" if run.group else "export_done"
    text = run.language.say(kind, what=what, title=literal(found.owner.title))
    if found.left_out:
        where = "export_see_group" if run.group else "export_see"
        left_out = run.language.many("export_left_out", found.left_out)
        text = f"{text}\n{run.language.sentences(left_out, run.language[where])}"
    if run.adapter is not None and run.adapter.documents_stay:
        days = run.language.many("retention_days", run.context.services.get(Keep).outbox)
        text = f"{text}\n{run.language.say('export_stays', days=days)}"
    actions.send(tx, run.context, lane, file, text)
    return run.say("export_sent_privately") if sent.private else run.reply("")


def told(language: Language, counts: Mapping[str, int]) -> str:
    """Say how many there are of what; nothing where there is none."""
    return language.counted(**{f"brought_{name}": counts[name] for name in ORDER if counts.get(name)})


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f}" if size > 1e7 else f"{size / 1e6:.1f}"  # noqa: PLR2004


async def _import(run: CommandRun) -> Reply | Act:
    """Look into a file that came with the command, or that it replies to, and ask whether it shall be taken in."""
    if run.group:
        return run.say("import_private")
    file = await _file(run)
    if file is None:
        return run.say("import_usage")
    if file.state != attachments.AttachmentState.KEPT:
        return run.say("import_not_fetched")
    try:
        intake = await _read(run, file)
    except Unreadable as error:
        return run.say(f"import_bad_{error.reason}", name=_called(file))
    return _preview(run, file, intake.brought)


async def _file(run: CommandRun) -> Received | None:
    said, lane = run.context.said, run.context.lane
    if said is None:
        return None
    if not said.attachments:
        found = await run.context.db.read(lambda tx: attachments.of_message(tx, lane, said.reply_to))
        return found[0] if found else None
    return said.attachments[0]


def _called(file: Received) -> str:
    return literal(file.sent.name[:LONGEST_NAME] or "?")


async def _read(run: CommandRun, file: Received) -> Intake:
    """Read a file, on a thread; nothing of it is stored. Raises `Unreadable`."""
    context = run.context
    keeps = context.services.every(Keeps)
    reader = service.reader_of(keeps, context.services.get(Ledger), context.participant, context.zone)
    try:
        data = await asyncio.to_thread(context.services.get(Files).read, file.path)
    except OSError:
        raise Unreadable("gone") from None
    brought = await asyncio.to_thread(reader.read, file.sent.name, data)
    return Intake(
        kinds=reader.kinds,
        brought=brought,
        lane=context.lane,
        person_id=context.principal.person_id,
        zone=context.zone,
    )


def _preview(run: CommandRun, file: Received, brought: Brought) -> Reply:
    """Say what a file has, and what could not be read of it, with the question what to do."""
    language = run.language
    counts = brought.counts()
    rest = _unread(language, brought)
    if not counts:
        return run.reply("\n".join(filter(None, (language.say("import_nothing", name=_called(file)), *rest))))
    own = language["import_own" if brought.trusted else "import_foreign"]
    lines = [language.say("import_ask", name=_called(file), what=told(language, counts)), *rest, own]
    offers = [
        (language["import_yes"], bring.of(file=file.attachment_id, digest=brought.digest)),
        (language["import_no"], leave.of()),
    ]
    return run.reply("\n".join(lines), offers=offers)


def _unread(language: Language, brought: Brought) -> Sequence[str]:
    """Say which files, and how many rows, could not be read."""
    unread = [(literal(name), language[f"import_why_{reason}"]) for name, reason in brought.unread[:NAMED]]
    named = [language.say("aside", text=name, aside=why) for name, why in unread]
    named += [literal(name) for name in brought.unknown[: NAMED - len(named)]]
    more = len(brought.unread) + len(brought.unknown) - len(named)
    if more > 0:
        named.append(language.say("import_more", n=more))
    lines = [language.say("import_unread", files=language.joined(named))] if named else []
    failed = told(language, brought.failed)
    return [*lines, *([language.say("import_failed", what=failed)] if failed else [])]


@intent(intents.BRING, as_command="import", confirms=Confirms(yes=("import_yes",), no="import_no"))
async def bring(run: CommandRun, *, file: int, digest: str) -> Reply | Act:
    """Take in a file that was looked into: what comes in bulk first, step by step, then all the rest at once."""
    found = None if run.group else await run.context.db.read(lambda tx: attachments.find(tx, run.context.lane, file))
    if found is None:
        return run.say("import_bad_gone", name="?")
    try:
        intake = await _read(run, found)
    except Unreadable as error:
        return run.say(f"import_bad_{error.reason}", name=_called(found))
    if intake.brought.digest != digest:
        return run.say("import_bad_gone", name=_called(found))
    import_id = 0
    for batch in intake.batches():
        if not import_id:
            import_id = (await run.actor.commit(actions.beginning(intake), digest=digest)).import_id
        await run.actor.commit(actions.putting(intake, import_id, batch), digest=digest)
    return partial(_finish, run, found, intake, import_id)


def _finish(run: CommandRun, file: Received, intake: Intake, import_id: int, tx: Tx) -> Reply:
    brought = intake.brought
    done = run.actor.act(
        tx, actions.finishing(intake, import_id), digest=brought.digest, trusted=brought.trusted
    ).counts
    there = {name: n - done.get(name, 0) for name, n in brought.counts().items()}
    language = run.language
    what, left = told(language, done), told(language, there)
    lines = [
        language.say("import_done", name=_called(file), what=what) if what else language["import_none_new"],
        *([language.say("import_there", what=left)] if left else []),
    ]
    return run.reply("\n".join(lines))


@intent("transfer.leave", as_command="import")
def leave(run: CommandRun, tx: Tx) -> Reply:
    """Take nothing in."""
    return run.say("import_left")


INTENTS = (bring, leave)
COMMANDS: Mapping[str, Command] = {
    "export": Command(_export, in_group=Standing.ADMIN, menu=Menu(43, "private", "admin"), quiet=Quiet.ALWAYS),
    "import": Command(_import, menu=Menu(44, "private"), takes_files=True, quiet=Quiet.ALWAYS),
}
