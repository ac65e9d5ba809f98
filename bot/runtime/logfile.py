"""Where the logs go: to the error stream, or to a file where that would disturb a chat or a command's output."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TextIO

from bot.config.config import Config
from bot.runtime import logging as logs
from core.kernel.errors import StorageError
from core.store.private_files import private

NAME = "teller.log"
LONGEST = 5 << 20  # bytes; then the file starts anew and the old one is kept once


def configure(config: Config, *, to_file: bool) -> logs.Redactor:
    """Set the logs up as the configuration says; `to_file` sends them to teller.log in the data folder (0600)."""
    try:
        config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Let nobody else into the data folder, if it is ours to say so.
        found = config.data_dir.stat()
        if found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) & 0o077:
            with suppress(OSError):
                config.data_dir.chmod(0o700)
        stream: TextIO | None = None
        if to_file:
            path = config.data_dir / NAME
            if path.exists() and path.stat().st_size > LONGEST:
                path.replace(path.with_name(f"{NAME}.1"))
            stream = open(path, "a", buffering=1, encoding="utf-8", opener=private)  # noqa: SIM115 - until the end
    except OSError as error:
        raise StorageError(f"cannot write to {config.data_dir}: {error.strerror}") from error
    return logs.configure(config.log.level, config.log.format, config.secrets(), stream)
