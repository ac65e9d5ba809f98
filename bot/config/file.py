"""config.yaml as a file: where it is, what stands in it, and how values get into it without losing the rest."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from bot.config import places
from core.kernel.errors import ConfigError
from core.kernel.types import Json

HEAD = "# The settings of Teller; config.example.yaml explains all of them.\n"


def find(given: Path | None, environ: Mapping[str, str]) -> Path:
    """The file that `bot.config.config.load` reads, whether it exists or not."""
    named = given or Path(environ.get("TELLER_CONFIG") or places.settings_file(environ))
    return named.expanduser().absolute()


def find_to_write(given: Path | None, environ: Mapping[str, str]) -> Path:
    """Return the file that `find` does; where nobody named it, its folder is made."""
    file = find(given, environ)
    if given is None and not environ.get("TELLER_CONFIG"):
        with suppress(OSError):  # `check_place` tells it
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return file


def read(path: Path) -> tuple[str, dict[str, Json]]:
    """The text of the file and its values by dotted key; both are empty without a file. Call after a `load` of it."""
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from None
    values: Mapping[str, Any] = yaml.safe_load(text) or {}
    found: dict[str, Json] = {}
    for key, value in values.items():
        found |= {f"{key}.{name}": inner for name, inner in value.items()} if isinstance(value, dict) else {key: value}
    return text, found


def edited(text: str, changes: Mapping[str, Json]) -> str:
    """The text of a file with values put in by dotted key.

    Lines are changed where that is enough, so that comments stay. A file written otherwise is written anew.
    """
    values: Mapping[str, Any] = yaml.safe_load(text) or {}
    wanted = {key: dict(value) if isinstance(value, dict) else value for key, value in values.items()}
    lines = text.splitlines() or HEAD.splitlines()
    for key, value in changes.items():
        section, _, name = key.rpartition(".")
        if section:
            wanted[section] = {**(wanted.get(section) or {}), name: value}
        else:
            wanted[name] = value
        _put(lines, key, json.dumps(value, ensure_ascii=False))
    new = "\n".join(lines) + "\n"
    with suppress(yaml.YAMLError):
        if yaml.safe_load(new) == wanted:
            return new
    return HEAD + yaml.safe_dump(wanted, allow_unicode=True, sort_keys=False)


def _put(lines: list[str], key: str, value: str) -> None:
    """Change the line of a key, or the one that shows it switched off, or add one, its section too."""
    section, _, name = key.rpartition(".")
    begin, end = 0, len(lines)
    if section:
        heading = re.compile(rf"{re.escape(section)}:\s*(?:#.*)?$")
        begin = next((number for number, line in enumerate(lines, 1) if heading.match(line)), 0)
        if not begin:
            lines.append(f"{section}:")
            begin = len(lines)
        # The section ends where the next one begins.
        inner = (number for number in range(begin, len(lines)) if lines[number][:1] not in {"", " ", "#"})
        end = next(inner, len(lines))
    indent = " +" if section else ""
    for mark in ("", "# ?"):
        shown = re.compile(rf"({indent}){mark}{re.escape(name)}:(?: |$)")
        for number in range(begin, end):
            if match := shown.match(lines[number]):
                lines[number] = f"{match[1]}{name}: {value}"
                return
    lines.insert(begin if section else end, f"{'  ' if section else ''}{name}: {value}")


def check_place(path: Path) -> None:
    """Raise `ConfigError` when the file could not be written in the end."""
    folder = path.resolve().parent
    if not folder.is_dir():
        raise ConfigError(f"There is no folder {folder} for {path.name}. Make it, or name another file with --config.")
    if not os.access(folder, os.W_OK | os.X_OK) or path.is_dir():
        raise ConfigError(f"{path} cannot be written. Name another file with --config, or set TELLER_CONFIG.")


def write(path: Path, text: str, check: Callable[[Path], object] = Path.exists) -> None:
    """Put `text` in place of the file at once, readable by its owner only (0600), if `check` of the new one passes."""
    place = path.resolve()
    new = place.with_name(f".{place.name}.new")
    try:
        new.unlink(missing_ok=True)
        with open(os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        check(new)
        new.replace(place)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        new.unlink(missing_ok=True)
