"""Doing on the disk what was committed, each change once: after a crash it is begun anew, and finds what was done.

A file is never half: what is to be written is written and synced beside the folders (`new`), what was there gets a
second name (`kept`), and then one name is put in the place of another. A kill leaves the old file or the new one.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from errno import (
    EACCES,
    EAGAIN,
    EBUSY,
    EDQUOT,
    EINTR,
    EIO,
    EMFILE,
    ENFILE,
    ENOMEM,
    ENOSPC,
    EPERM,
    EROFS,
    ESTALE,
    ETIMEDOUT,
    EXDEV,
)
from functools import partial

from core.capabilities.files.folders import KEPT, NEW, Folders
from core.capabilities.files.models import Change, ChangeAct
from core.capabilities.files.paths import CACHE, STATE, BadPath, Place
from core.store.beneath import FOLDER_MODE, is_plain, of
from core.store.private_files import inside, private_in

PIECE = 1 << 20
# What may be over later. After anything else a change can never be done, and those behind it are not kept waiting; in
# our own folders it is the operator who closed them.
LATER = {EAGAIN, EBUSY, EDQUOT, EINTR, EIO, EMFILE, ENFILE, ENOMEM, ENOSPC, EROFS, ESTALE, ETIMEDOUT}
READING = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def new_token() -> str:
    """Return a name for what belongs to a change, that nothing else has."""
    return secrets.token_hex(8)


class Conflict(Exception):
    """Something else was changed on the disk meanwhile, so that a change cannot be done any more."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a change: how many bytes are kept of what was there before; None where that was nothing."""

    kept_size: int | None = None


class Disk:
    """Changes the folders of scopes. Everything raises `OSError` where the disk is full, or refuses otherwise for a
    while; then it may be done again."""

    def __init__(self, folders: Folders) -> None:
        self.folders = folders

    def stage(self, scope_id: int, content: bytes) -> str:
        """Write what is to become of a file beside the folders, and return its name there."""
        name = new_token()
        with self._beside(scope_id, NEW) as new:
            try:
                with open(name, "xb", opener=partial(private_in, new)) as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError:
                with suppress(FileNotFoundError):
                    os.unlink(name, dir_fd=new)
                raise
        return name

    def carry_out(self, change: Change) -> Outcome:
        """Do a change, or what is left of it. Raises `Conflict` where that can never be done."""
        if change.act is ChangeAct.ADOPT:
            return self._adopt(change)
        if change.act is ChangeAct.ERASE and change.path == f"@{change.scope_id}":
            return self._clear(change.scope_id)
        try:
            place = self.folders.rules.place(change.path, owner=True)
            target = self.folders.rules.place(change.target, owner=True) if change.target else place
        except BadPath as error:  # the operator has denied it meanwhile
            raise Conflict(str(error)) from error
        with ExitStack() as stack:
            stack.enter_context(self.folders.held(change.scope_id))
            kept = stack.enter_context(self._beside(change.scope_id, KEPT))
            try:
                match change.act:
                    case ChangeAct.WRITE | ChangeAct.APPEND:
                        with self._beside(change.scope_id, NEW) as new:
                            return self._write(change, place, kept, new)
                    case ChangeAct.MOVE:
                        return self._move(change, place, target)
                    case ChangeAct.RESTORE:
                        return self._restore(change, place, kept)
                    case _:
                        return self._remove(change, place, kept)
            except OSError as error:
                closed = error.errno in (EACCES, EPERM) and place.own and target.own
                if error.errno in LATER or closed:
                    raise
                raise Conflict(error.strerror or type(error).__name__) from error

    def _write(self, change: Change, place: Place, kept: int, new: int) -> Outcome:
        name, token, whole = place.name, change.token, change.token
        nothing = f"{token}.none"
        if of(new, whole) is None:
            return _outcome(kept, token)  # it was done before
        with self._folder_of(change.scope_id, place, make=True) as folder:
            former = None if of(kept, nothing) else _file(folder, name, kept, token)
            if former is None:
                # Of a second try it is known that nothing was there before the first.
                os.close(os.open(nothing, os.O_CREAT | os.O_WRONLY, 0o600, dir_fd=kept))
            else:
                whole = self._whole(change, (folder, name), kept, new)
            if whole:
                if former is not None and not place.own:
                    os.chmod(whole, stat.S_IMODE(former.st_mode), dir_fd=new)
                _put(new, whole, folder, name)
        for left, where in ((token, new), (nothing, kept)):
            with suppress(FileNotFoundError):
                os.unlink(left, dir_fd=where)
        return _outcome(kept, token)

    def _whole(self, change: Change, former: tuple[int, str], kept: int, new: int) -> str:
        """Keep what was there, and return the name of what comes in its place; empty when that was put there before."""
        token, whole = change.token, change.token
        first = of(kept, token) is None
        if change.act is ChangeAct.APPEND:
            whole = f"{token}.whole"
            if first:
                _copied([former, (new, token)], new, whole)
            elif of(new, whole) is None:
                return ""
        if first:
            _keep(*former, kept, token)
        return whole

    def _restore(self, change: Change, place: Place, kept: int) -> Outcome:
        token, former = change.token, change.source
        if of(kept, former) is not None:
            with self._folder_of(change.scope_id, place, make=True) as folder:
                now = _file(folder, place.name, kept, token)
                if now is not None and of(kept, token) is None:
                    _keep(folder, place.name, kept, token)
                _put(kept, former, folder, place.name)
        return _outcome(kept, token)

    def _remove(self, change: Change, place: Place, kept: int) -> Outcome:
        token = change.token
        with suppress(FileNotFoundError), self._folder_of(change.scope_id, place) as folder:
            now = _file(folder, place.name, kept, token)
            if now is not None and change.act is ChangeAct.ERASE:
                os.unlink(place.name, dir_fd=folder)
            elif now is not None and of(kept, token) is None:
                _put(folder, place.name, kept, token)
            elif now is not None and now.st_dev != os.fstat(kept).st_dev:
                os.unlink(place.name, dir_fd=folder)  # it was copied by a first try
            os.fsync(folder)
        self._prune(change.scope_id, place)
        return _outcome(kept, token)

    def _clear(self, scope_id: int) -> Outcome:
        """Delete all files of a scope and what is kept of them; what is to be written may have come after that."""
        home = self.folders.home / str(scope_id)
        try:
            with self.folders.held(scope_id), inside(home.parent.parent, home.parent.name, home.name) as own:
                for name in (CACHE, STATE, KEPT):
                    with suppress(FileNotFoundError):
                        shutil.rmtree(name, dir_fd=own)
        except FileNotFoundError:
            return Outcome()
        except OSError as error:
            if error.errno in {*LATER, EACCES, EPERM}:
                raise
            raise Conflict(error.strerror or str(error)) from error
        for empty in (home / NEW, home):
            with suppress(OSError):
                empty.rmdir()
        return Outcome()

    def drop(self, scope_id: int, place: Place) -> bool:
        """Delete a file of which nothing is to be kept; return whether it was there."""
        try:
            with self._folder_of(scope_id, place) as folder:
                os.unlink(place.name, dir_fd=folder)
        except OSError:
            return False
        self._prune(scope_id, place)
        return True

    def _move(self, change: Change, place: Place, target: Place) -> Outcome:
        with self._folder_of(change.scope_id, target, make=True) as there:
            now, found = None, of(there, target.name)
            with suppress(FileNotFoundError), self._folder_of(change.scope_id, place) as here:
                now = of(here, place.name)
                if now is not None and found is None:
                    _keep(here, place.name, there, target.name)
                elif now is not None and found is not None and now.st_ino != found.st_ino:
                    raise Conflict("there is something else by now")
                if now is not None:
                    os.unlink(place.name, dir_fd=here)
                os.fsync(here)
            if now is None and found is None:
                raise Conflict("it is gone by now")
        self._prune(change.scope_id, place)
        return Outcome()

    def _adopt(self, change: Change) -> Outcome:
        """Move the files of a chat here that became this one; of two with one name theirs gets a number before it."""
        source = int(change.path.removeprefix("@"))
        with self.folders.held(source), self.folders.held(change.scope_id):
            for root in (CACHE, STATE):
                for found in list(self.folders.walk(source, Place(root, ""))):
                    if found.is_dir:
                        continue
                    target = found.place
                    while self.folders.find(change.scope_id, target) is not None:
                        above = target.path.removesuffix(target.name)
                        target = Place(root, f"{above}{source}-{target.name}")
                    with (
                        self._folder_of(source, found.place) as here,
                        self._folder_of(change.scope_id, target, make=True) as there,
                    ):
                        os.rename(found.place.name, target.name, src_dir_fd=here, dst_dir_fd=there)
        return self._clear(source)

    @contextmanager
    def _beside(self, scope_id: int, name: str) -> Iterator[int]:
        """Give a folder of a scope, made where it is missing."""
        for folder in (self.folders.home, self.folders.home / str(scope_id), self.folders.home / str(scope_id) / name):
            folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        with inside(self.folders.home.parent, self.folders.home.name, str(scope_id), name) as opened:
            yield opened

    @contextmanager
    def _folder_of(self, scope_id: int, place: Place, *, make: bool = False) -> Iterator[int]:
        """Give the folder that a place is in."""
        with ExitStack() as stack:
            if make and place.own:
                stack.enter_context(self._beside(scope_id, place.root))
            root = stack.enter_context(self.folders.root(scope_id, place.root))
            above = place.path.rpartition("/")[0]
            yield stack.enter_context(self.folders.opener.folder(root, above, make=make))

    def _prune(self, scope_id: int, place: Place) -> None:
        """Remove the folders above a place that are empty now."""
        steps = place.path.split("/")[:-1] if place.own else []
        with suppress(OSError):
            while steps:
                with self._folder_of(scope_id, Place(place.root, "/".join(steps))) as above:
                    os.rmdir(steps.pop(), dir_fd=above)


def _file(folder: int, name: str, kept: int, token: str) -> os.stat_result | None:
    """Return a file with one name, or with a second one that it was given to be kept; None where there is none.

    Raises `Conflict` for everything else.
    """
    found = of(folder, name)
    twin = None if found is None or found.st_nlink == 1 else of(kept, token)
    if found is not None and not (is_plain(found) or (twin is not None and twin.st_ino == found.st_ino)):
        raise Conflict("it is no file of its own")
    return found


def _outcome(kept: int, token: str) -> Outcome:
    found = of(kept, token)
    return Outcome(None if found is None else found.st_size)


def _put(source: int, name: str, folder: int, target: str) -> None:
    """Put a file in the place of another, at once; on another disk by a copy beside it."""
    try:
        os.rename(name, target, src_dir_fd=source, dst_dir_fd=folder)
    except OSError as error:
        if error.errno != EXDEV:
            raise
        part = f".{secrets.token_hex(8)}.part"
        _copied([(source, name)], folder, part)
        os.rename(part, target, src_dir_fd=folder, dst_dir_fd=folder)
        os.unlink(name, dir_fd=source)
    os.fsync(folder)


def _keep(folder: int, name: str, kept: int, target: str) -> None:
    """Give a file a second name; where a file system, or its owner, permits none, a copy has that."""
    try:
        os.link(name, target, src_dir_fd=folder, dst_dir_fd=kept, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        part = f"{target}.part"
        _copied([(folder, name)], kept, part)
        os.rename(part, target, src_dir_fd=kept, dst_dir_fd=kept)
    os.fsync(kept)


def _copied(sources: Iterable[tuple[int, str]], folder: int, target: str) -> None:
    """Write files one behind the other into a new one, over what a first try left."""
    try:
        with suppress(FileNotFoundError):
            os.unlink(target, dir_fd=folder)
        with open(target, "xb", opener=partial(private_in, folder)) as file:
            for source, name in sources:
                with open(os.open(name, READING, dir_fd=source), "rb") as piece:
                    shutil.copyfileobj(piece, file, PIECE)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        with suppress(FileNotFoundError):
            os.unlink(target, dir_fd=folder)
        raise
