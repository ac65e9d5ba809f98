"""Copies of a Postgres database, made by its client tools and read back."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from psycopg.conninfo import make_conninfo

from core.kernel.errors import StorageError
from core.store.postgres.transaction import hide
from core.store.private_files import name_for_good, private


def dump(params: dict[str, Any], path: Path) -> str:
    """Dump the database to a new file (0600) with pg_dump, read the dump back, and return a line about it."""
    if shutil.which("pg_dump") is None:
        raise StorageError(
            "pg_dump is not on the PATH. Install the client tools of your Postgres, or run where they are: "
            f"pg_dump --format=custom --file={path} {params.get('dbname', '')}"
        )
    secret = params.get("password")
    where = make_conninfo(**params | {"password": None})
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists():
            raise StorageError(f"cannot write {path}: it exists")
        part = path.with_name(f"{path.name}.part")
        part.unlink(missing_ok=True)
        os.close(private(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror}") from error
    # Under its final name only when it is whole: half a file must not look like a backup.
    try:
        _run_tool(secret, "pg_dump", "--format=custom", "--no-password", f"--file={part}", f"--dbname={where}")
        _run_tool(secret, "pg_restore", f"--file={os.devnull}", str(part))
        name_for_good(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    return f"{path} ({path.stat().st_size:,} bytes, read back ok)"


def _run_tool(secret: str | None, *command: str) -> None:
    """Run a client tool; the password goes through the environment of this one child."""
    env = os.environ | ({"PGPASSWORD": secret} if secret else {})
    done = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise StorageError(hide(" ".join(done.stderr.split()) or f"{command[0]} failed", secret))
