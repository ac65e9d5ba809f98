"""The folder of files that people sent, or are sent: `<scope>/<number>-<name>`, closed to other users (0700, 0600).

The number is that of the attachment, or one by chance for what is sent. A name is the sender's, made harmless. Paths
are below the folder and have exactly these two steps. What lies in the folders that models write to (`FOLDERS` beside
it) is only erased here: `@17/…` is something in that of scope 17, `@17` all of it.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path, PurePosixPath

from core.kernel.types import Attachment, Document
from core.store.conversation.attachment_text import picture_type, plain
from core.store.private_files import inside, private_in

log = logging.getLogger(__name__)

LONGEST_NAME = 80
# File systems count bytes, and 255 are the most a name may have.
MOST_NAME_BYTES = 200
_HARMLESS = """
    .jpg .jpeg .png .webp .gif .txt .md .csv .tsv .json .yaml .yml .xml .log .toml .ini .pdf .docx .xlsx .pptx .odt .ods
    .odp .rtf .epub .ics .vcf .eml .zip .ogg .oga .opus .mp3 .m4a .wav .flac .mp4 .mov .webm
"""
ENDINGS = frozenset(_HARMLESS.split())
OF_TYPE = {
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "audio/ogg": ".ogg",
    "audio/mpeg": ".mp3",
    "video/mp4": ".mp4",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
}
# What some file system gives a meaning to.
_SPECIAL = str.maketrans(dict.fromkeys('/\\:*?"<>|', "_"))
_PATH = re.compile(r"\d{1,18}/\d{1,18}[-.][^/\0]+")
FOLDERS = "folders"
_ELSEWHERE = re.compile(r"@\d{1,18}(?:/(?!\.\.?(?:/|$))[^/\0]+)*")


def safe_name(sent: Attachment, content: bytes = b"") -> str:
    """Return a name for a file on our disk; after an ending that is not on the list comes another."""
    name = plain(unicodedata.normalize("NFC", sent.name), 10 * LONGEST_NAME).translate(_SPECIAL).strip("._- ")
    ending = PurePosixPath(name).suffix.lower()
    stem = name[: -len(ending)] if ending in ENDINGS else name
    if ending not in ENDINGS:
        ending = OF_TYPE.get(picture_type(content) or sent.mime.lower(), ".bin")
    short = stem[: LONGEST_NAME - len(ending)].encode()[: MOST_NAME_BYTES - len(ending)].decode(errors="ignore")
    return f"{short.rstrip('. ') or re.sub(r'[^a-z_]', '', sent.kind)[:20] or 'file'}{ending}"


# Numbers of attachments never get here, so that no path can be taken for one of theirs.
_BY_CHANCE = 10**17


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredFile:
    """A file that is to be sent: its `path` below the folder, and what it must be when it is read again."""

    path: str
    name: str
    mime: str
    size: int
    sha256: str


class Files:
    """Keeps, reads and deletes. Everything here waits for the disk: call it off the event loop."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def keep(self, scope_id: int, attachment_id: int, name: str, content: bytes) -> str:
        """Write a file whole or not at all, over what a crash left; return its path. Raises `OSError`."""
        for one in (self._root, self._root / str(scope_id)):
            one.mkdir(mode=0o700, parents=True, exist_ok=True)
        part, whole = f"{attachment_id}.part", f"{attachment_id}-{name}"
        with self._folder(str(scope_id)) as folder:
            try:
                with open(part, "wb", opener=partial(private_in, folder)) as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(part, whole, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                with suppress(FileNotFoundError):
                    os.unlink(part, dir_fd=folder)
                raise
        return f"{scope_id}/{whole}"

    def store(self, scope_id: int, name: str, mime: str, content: bytes) -> StoredFile:
        """Write a file that is to be sent; return what names it in the outbox. Raises `OSError`.

        Until a row names it nobody misses it: a file without one goes after a day.
        """
        path = self.keep(scope_id, _BY_CHANCE + secrets.randbelow(9 * _BY_CHANCE), name, content)
        return StoredFile(path=path, name=name, mime=mime, size=len(content), sha256=sha256(content).hexdigest())

    def document(self, stored: StoredFile) -> Document:
        """Return a stored file for sending. Raises `OSError` when it is gone, or is not what it was."""
        content = self.read(stored.path)
        if len(content) != stored.size or sha256(content).hexdigest() != stored.sha256:
            raise OSError("the file is not what it was")
        return Document(name=stored.name, mime=stored.mime, content=content, place=str(self._root / stored.path))

    def read(self, path: str) -> bytes:
        """Return a file's content. Raises `OSError`, also for a path that leads elsewhere."""
        scope, name = _steps(path)
        with self._folder(scope) as folder, open(name, "rb", opener=partial(private_in, folder)) as file:
            return file.read()

    def unlink(self, paths: Iterable[str]) -> int:
        """Delete files and return how many went. One that is gone already is no error, others are logged."""
        return sum(self._unlink(path) for path in paths if path)

    def _unlink(self, path: str) -> bool:
        try:
            if elsewhere := _ELSEWHERE.fullmatch(path):
                *above, name = elsewhere[0].removeprefix("@").split("/")
                with inside(self._root.parent, FOLDERS, *above) as folder:
                    if above:
                        os.unlink(name, dir_fd=folder)
                    else:
                        shutil.rmtree(name, dir_fd=folder)
                return True
            scope, name = _steps(path)
            with self._folder(scope) as folder:
                os.unlink(name, dir_fd=folder)
        except FileNotFoundError:
            return False
        except OSError as error:
            log.warning("a file could not be deleted: %s (%s)", path, type(error).__name__)
            return False
        return True

    def of_scope(self, scope_id: int) -> list[str]:
        """Name every file in the folder of a scope, unfinished ones too; none when it cannot be looked into."""
        try:
            with self._folder(str(scope_id)) as folder:
                names = sorted(os.listdir(folder))
        except OSError:
            return []
        return [path for name in names if _PATH.fullmatch(path := f"{scope_id}/{name}")]

    def older(self, than: float) -> Iterator[str]:
        """Name every file that was written before an instant (unix seconds), unfinished ones too."""
        for place in sorted(self._root.glob("*/*")):
            path, old = f"{place.parent.name}/{place.name}", False
            with suppress(OSError):  # it went meanwhile
                old = place.is_file() and place.stat().st_mtime < than
            if old and _PATH.fullmatch(path):
                yield path

    def _folder(self, scope: str) -> AbstractContextManager[int]:
        """Open the folder of a scope; neither it nor the one around it may be a link."""
        return inside(self._root.parent, self._root.name, scope)


def _steps(path: str) -> tuple[str, str]:
    if not _PATH.fullmatch(path):
        raise OSError(f"no path of a file: {path!a}")
    scope, _, name = path.partition("/")
    return scope, name
