"""File tools of the Worker (TOOLS: Files; parameters and errors as in seeds 002 and 004). Only text is read here."""

from __future__ import annotations

import codecs
import errno
import fnmatch
import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Literal

from pydantic import Field

from core.capabilities.documents import sent
from core.capabilities.documents.readers.found import Unreadable
from core.capabilities.documents.service import Documents
from core.capabilities.files import changing
from core.capabilities.files import repository as changes
from core.capabilities.files.changing import Changed
from core.capabilities.files.folders import Found
from core.capabilities.files.models import Staged
from core.capabilities.files.paths import CACHE, STATE, BadPath, Place
from core.capabilities.files.service import ScopeFiles
from core.kernel.errors import ToolError
from core.kernel.ports import Tx
from core.kernel.types import Json, Role
from core.language.lines import cut
from core.scheduling.service import moment
from core.store.conversation.attachment_text import picture_type
from core.toolkit.params import Integer, Params
from core.toolkit.results import LIMIT
from core.toolkit.tool import Beside, Effect, ToolContext, after_others, told_to_model, tool

MOST_LISTED = 200
# How PDFs, and office documents, new and old, begin.
DOCUMENTS = (b"%PDF-", b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
# Bytes of a file whose beginning is read: as many as a result can have in any encoding.
MOST_READ = 4 * LIMIT
ENCODINGS = frozenset(
    codecs.lookup(name).name
    for name in (
        *("utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "ascii", "latin-1", "iso8859-15", "cp1250"),
        *("cp1251", "cp1252", "koi8-r", "gbk", "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr"),
    )
)
# What other assistants call some of them.
ALSO = {"utf16le": "utf-16-le", "ucs2": "utf-16-le", "ucs-2": "utf-16-le", "binary": "latin-1"}
TOLD = {
    "files_disk": "the disk does not take it now ({why}); nothing was changed. Tell the person",
    "files_quota": "there is no room: all files here may have {most} MB together; delete some first",
    "files_many": "there are {most} files here, and no more may be; delete some first",
    "files_readonly": "{path} can only be read; write to file_cache_dir/ or file_state_dir/",
    "files_inbox": "what people sent stays as it came; choose a name outside of inbox/",
    "files_missing": "there is no file {path}; list_files tells what there is",
    "files_folder": "{path} is a folder; name a file",
    "files_not_yours": "in a group only who sent {path} or had it written may delete it; administrators use /files",
    "files_odd": "{path} is a link, or something else that is no file of its own; choose another name",
    "files_above": "a part of {path} is a file and no folder; choose another name",
    "files_exists": "there is a file {path} already; delete it first, or choose another name",
    "files_apart": "{path} cannot be moved between these folders; write it there, and delete it here",
}
BROKEN = {errno.ENOSPC: "the disk is full", errno.EDQUOT: "the disk is full", errno.EROFS: "the disk is read-only"}


class PathParams(Params):
    """`path`: of a file; file_cache_dir/ (may be left out) and file_state_dir/ are your folders."""

    path: str


class ReadFileParams(PathParams):
    """`path`: of a file; inbox/ has what people sent. `encoding`: of its text, utf-8 unless given. `part`: of a
    document, where to go on."""

    encoding: str | None = None
    part: Integer = Field(default=1, ge=1, le=5000)


class WriteFileParams(PathParams):
    """`path`: file_cache_dir/… (may be left out) for now, file_state_dir/… for good; what is in results/ when the task
    is done is sent to the person. `mode`: overwrite, or append."""

    content: str
    mode: Literal["overwrite", "append"] = "overwrite"
    encoding: str | None = None


class ListFilesParams(Params):
    """`path`: a folder, all unless given; `recursive`: with all below it; `pattern`: of names, such as *.csv."""

    path: str | None = None
    recursive: bool = False
    pattern: str | None = Field(default=None, max_length=200)


class MoveFileParams(Params):
    """`from`: the path of a file; `to`: its new one, where nothing is."""

    # The name is a word of the language, so that it cannot stand here as the others do.
    __annotations__ = {"from": str}
    to: str


@tool(Role.WORKER)
async def read_file(params: ReadFileParams, context: ToolContext) -> Json:
    """Read a text file, a PDF or an office document; a long one is cut."""
    with _told("read_file", params.path):
        place = _place(context, params.path)
        encoding = _encoding("read_file", params.encoding)
        content = await _files(context).content(context.lane, place)
    if content.startswith(DOCUMENTS):
        return await _document(context, place, content, params.part)
    text = _text(place, content, encoding)
    # The principal's own is what a run that had read nobody else's words wrote for them.
    digest, person_id = hashlib.sha256(content).hexdigest(), context.principal.person_id
    own = not place.sent and await context.db.read(lambda tx: changes.is_own(tx, context.lane, person_id, digest))
    cut = {"truncated": True} if len(text) > LIMIT or len(content) > MOST_READ else {}
    return {"content": text[:LIMIT], "size": len(content), **cut, **({} if own else {"tainted": True})}


@tool(Role.WORKER, effect=Effect.WRITE)
async def write_file(params: WriteFileParams, context: ToolContext) -> Callable[[Tx], Json | Beside]:
    """Write a text file; what it replaces is kept, and the person can take it back."""
    files = _files(context)
    with _told("write_file", params.path):
        place = _place(context, params.path)
        try:
            content = params.content.encode(_encoding("write_file", params.encoding))
        except UnicodeEncodeError as error:
            raise ToolError(
                "write_file", f"the content has signs that are not in {error.encoding}; use utf-8"
            ) from None
        most = files.limits.write_bytes
        if len(content) > most:
            raise ToolError("write_file", f"too much at once: at most {most} bytes; write the rest with mode append")
        append = params.mode == "append"
        staged = await files.stage(context.lane, place, content, append=append, own=not context.tainted)
    return _writes("write_file", context, place, staged, {"bytes_written": staged.size}, append=append)


async def keep(
    tool_name: str, context: ToolContext, path: str, content: bytes, result: Mapping[str, Json]
) -> Callable[[Tx], Json | Beside]:
    """Return what writes to a file, for another tool, what others wrote; its `result` is told with the file's path."""
    with _told(tool_name, path):
        place = _place(context, path)
        staged = await _files(context).stage(context.lane, place, content, append=False, own=False)
    return _writes(tool_name, context, place, staged, {**result, "path": str(place)})


def _writes(
    tool_name: str, context: ToolContext, place: Place, staged: Staged, result: Mapping[str, Json], append: bool = False
) -> Callable[[Tx], Json | Beside]:
    def write(tx: Tx) -> Json | Beside:
        with told_to_model(tool_name, TOLD):
            change = partial(changing.write, place=place, staged=staged, append=append)
            return _changed(tx, context, place, "write", change, result)

    return write


def _changed(
    tx: Tx, context: ToolContext, place: Place, what: str, change: Callable[..., Changed], result: Mapping[str, Json]
) -> Json | Beside:
    """Do a change, and return its `result`. The person is shown it, with Undo, where the run has read others' words,
    and there was a file that it had not made itself."""
    files, shown = _files(context), False
    if context.tainted:
        files.catch_up(tx, context.lane)
        made = changes.written(tx, context.lane, {context.run_id}, anew=True)
        there = place.sent or files.folders.find(context.lane.scope_id, place) is not None
        shown = there and str(place) not in made
    done = change(tx, replace(context, shows=context.shows or shown))
    if not (shown and done.undo):
        return dict(result)
    texts = context.texts
    label = texts.say(f"undo_file_{what}", name=cut(done.name))
    return Beside(result=result, reply=after_others(texts, texts["did_in_files"], label, done.undo))


@tool(Role.WORKER)
async def list_files(params: ListFilesParams, context: ToolContext) -> Json:
    """List files with size and time of change."""
    files, found = _files(context), list[Found]()
    with _told("list_files", params.path or CACHE):
        for root in (CACHE, STATE) if params.path is None else (params.path,):
            place = _place(context, root, folder=True)
            if place.path and ((there := await files.find(context.lane, place)) is None or not there.is_dir):
                raise ToolError("list_files", f"there is no folder {place}")
            found += await files.listing(context.lane, place, deep=params.recursive)
    if params.pattern is not None:
        pattern = params.pattern.casefold()
        found = [one for one in found if fnmatch.fnmatchcase(one.place.name.casefold(), pattern)]
    own = await context.db.read(lambda tx: changes.own_paths(tx, context.lane, context.principal.person_id))
    others = any(not one.is_dir and str(one.place) not in own for one in found[:MOST_LISTED])
    shown = [{"path": str(one.place), **_facts(one, context), "is_dir": one.is_dir} for one in found[:MOST_LISTED]]
    more = {"truncated": True, "count": len(found)} if len(found) > MOST_LISTED else {}
    return {"files": shown, **more, **({"tainted": True} if others else {})}


@tool(Role.WORKER, effect=Effect.WRITE)
def delete_file(params: PathParams, context: ToolContext, tx: Tx) -> Json | Beside:
    """Delete a file; the person can take it back."""
    with _told("delete_file", params.path):
        place = _place(context, params.path)
        return _changed(tx, context, place, "delete", partial(changing.delete, place=place), {"deleted": True})


@tool(Role.WORKER, effect=Effect.WRITE)
def move_file(params: MoveFileParams, context: ToolContext, tx: Tx) -> Json | Beside:
    """Move or rename a file."""
    source, target = getattr(params, "from"), params.to
    with _told("move_file", source):
        place = _place(context, source)
        change = partial(changing.move, place=place, target=_place(context, target))
        return _changed(tx, context, place, "move", change, {"success": True})


@tool(Role.WORKER)
async def get_file_info(params: PathParams, context: ToolContext) -> Json:
    """Tell whether there is a file, its size, and when it was changed."""
    with _told("get_file_info", params.path):
        found = await _files(context).find(context.lane, _place(context, params.path))
    if found is None:
        return {"exists": False}
    return {"exists": True, **_facts(found, context), **({"is_dir": True} if found.is_dir else {})}


def _files(context: ToolContext) -> ScopeFiles:
    return context.services.get(ScopeFiles)


def _place(context: ToolContext, path: str, *, folder: bool = False) -> Place:
    return _files(context).rules.place(path, owner=context.owner_in_private, folder=folder)


def _facts(found: Found, context: ToolContext) -> dict[str, Json]:
    return {"size": found.size, "modified": moment(found.changed_at, context.zone)}


@contextmanager
def _told(tool_name: str, path: str) -> Iterator[None]:
    """Tell a model what to change where a path, the disk or a rule of the files says no."""
    try:
        with told_to_model(tool_name, TOLD):
            yield
    except BadPath as error:
        raise ToolError(tool_name, str(error)) from error
    except OSError as error:
        if error.errno in BROKEN:
            raise ToolError(tool_name, TOLD["files_disk"].format(why=BROKEN[error.errno])) from error
        if error.errno == errno.EFBIG:
            raise ToolError(
                tool_name, f"{path} is too large to be read here; send it to the person as it is"
            ) from error
        # Links, devices and what is not the scope's own answer as what is missing.
        raise ToolError(tool_name, TOLD["files_missing"].format(path=path)) from error


def _encoding(tool_name: str, name: str | None) -> str:
    if name is None:
        return "utf-8"
    try:
        found = codecs.lookup(ALSO.get(name.lower(), name)).name
    except (LookupError, ValueError):
        found = ""
    if found not in ENCODINGS:
        raise ToolError(
            tool_name, f"encoding {name[:40]!r} is not known here; use one of {', '.join(sorted(ENCODINGS))}"
        )
    return found


async def _document(context: ToolContext, place: Place, content: bytes, first: int) -> Json:
    """Return what stands in a document, from a part on. Who wrote the words in it nobody knows."""
    try:
        document = await context.services.get(Documents).read(content, place.name)
    except Unreadable as problem:
        raise ToolError("read_file", f"{place} cannot be read: {sent.PROBLEMS[problem.code]}") from problem
    parts = len(document.parts)
    if first > parts:
        raise ToolError("read_file", f"{place} has {parts} parts")
    text, following = sent.told_parts(document, first, LIMIT - 1000)
    more = {"truncated": True, "next_part": following} if following or document.truncated else {}
    return {"content": f"{sent.headline(document)}\n{text}", "size": len(content), **more, "tainted": True}


def _text(place: Place, content: bytes, encoding: str) -> str:
    """Return the beginning of a text. Raises `ToolError` for what is none."""
    start = content[:MOST_READ]
    kind = picture_type(start)
    if kind or (b"\0" in start and not encoding.startswith(("utf-16", "utf-32"))):
        what = kind or "no text"
        raise ToolError(
            "read_file",
            f"{place} is {what}; only text can be read here. Ask the person for it as text, or send it as it is",
        )
    try:
        decoder = codecs.getincrementaldecoder("utf-8-sig" if encoding == "utf-8" else encoding)()
        return decoder.decode(start, final=len(start) == len(content))
    except UnicodeDecodeError:
        raise ToolError(
            "read_file", f"{place} is not {encoding}; give its encoding, such as latin-1, utf-16 or gb18030"
        ) from None
