"""The names of the settings: which exist, which were meant, and how a refusal is said."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, SecretStr, ValidationError

# Settings of former versions whose purpose is gone: they are ignored, so that an old configuration still starts.
GONE = frozenset({"slack.streaming", "telegram.ephemeral", "telegram.rich"})
# Not a SecretStr, since most of it may be shown, but it may carry a password.
ALSO_FROM_FILE = frozenset({"database.url"})
# What lists of texts look like, by their key.
ADDRESSES = 'write a list, such as ["tg:1001", "tg:1002"]'
LISTS = {
    "owners": ADDRESSES,
    "access.allow": ADDRESSES,
    "tools.env": 'write a list, such as ["LANG", "TZ"]',
    "files.allowed_paths": 'write a list, such as ["/srv/reports"]',
    "files.deny_paths": 'write a list, such as ["*.key", ".git"]',
    "web.own_networks": 'write a list, such as ["192.168.1.0/24"]',
}


def keys(model: type[BaseModel], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each setting as (dotted key, its type)."""
    for name, field in model.model_fields.items():
        section = field.annotation
        if isinstance(section, type) and issubclass(section, BaseModel):
            yield from keys(section, f"{above}{name}.")
        else:
            yield f"{above}{name}", section


def variable(key: str, prefix: str) -> str:
    """Return the environment variable of a dotted key."""
    return prefix + key.replace(".", "__").upper()


def without_gone(values: Mapping[str, Any], above: str = "") -> tuple[dict[str, Any], list[str]]:
    """Return (the values of a file without the settings that are gone, the dotted keys of those)."""
    kept: dict[str, Any] = {}
    gone: list[str] = []
    for name, value in values.items():
        if f"{above}{name}" in GONE:
            gone.append(f"{above}{name}")
        elif isinstance(value, dict):
            kept[name], below = without_gone(value, f"{above}{name}.")
            gone += below
        else:
            kept[name] = value
    return kept, gone


def unknown_keys(model: type[BaseModel], values: Mapping[str, Any]) -> list[str]:
    """Return one sentence for each key of a file that is not a setting, with the name that was probably meant."""
    known = dict(keys(model))
    sections = {key.partition(".")[0] for key in known if "." in key}
    dotted = [name for name in map(str, values) if "." in name]
    nested = {name: value for name, value in values.items() if name not in dotted}
    strange = [path for path in _paths(nested) if path not in known and path not in sections]
    flat = [name for name in sections if name in values and not isinstance(values[name], dict)]
    return [f"Unknown key {path} in the configuration file. {_meant(path, known)}" for path in strange] + [
        *(f"{name} holds further keys: write them indented below it, not a single value." for name in flat),
        *(
            f"Unknown key {name!r} in the configuration file. Write {name.partition('.')[0]}: on a line of its own, and"
            f" {name.partition('.')[2]}: indented below it."
            for name in dotted
        ),
    ]


def _paths(values: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for name, value in values.items():
        # An unknown section is opened too: its keys tell best what was meant.
        if isinstance(value, dict) and value:
            yield from _paths(value, f"{above}{name}.")
        else:
            yield f"{above}{name}"


def read_variables(
    model: type[BaseModel], environ: Mapping[str, str], prefix: str, others: Collection[str]
) -> tuple[dict[str, str], list[str]]:
    """Return (our variables with the contents of `…_FILE` filled in, one sentence for each that is refused)."""
    known = {variable(key, prefix): kind for key, kind in keys(model)}
    filed = {variable(key, prefix) for key in ALSO_FROM_FILE}
    filed.update(name for name, kind in known.items() if SecretStr in (kind, *get_args(kind)))
    files = {f"{name}_FILE": name for name in filed}
    found: dict[str, str] = {}
    refused: list[str] = []
    for name, value in environ.items():
        if not name.startswith(prefix) or name in others or not value:
            continue
        if name in files:
            _take_file(files[name], value, environ, found, refused)
        elif name in known:
            found[name] = value
        else:
            path = name.removeprefix(prefix).lower().replace("__", ".")
            refused.append(f"Unknown environment variable {name}. {_meant(path, dict(keys(model)), prefix)}")
    return found, refused


def _take_file(name: str, path: str, environ: Mapping[str, str], found: dict[str, str], refused: list[str]) -> None:
    if environ.get(name):
        refused.append(f"{name} and {name}_FILE are both set. Keep one of them.")
        return
    try:
        found[name] = Path(path).expanduser().read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        refused.append(f"{name}_FILE names {path}, which cannot be read: {reason}. Is the path right?")
        return
    if not found[name].strip():
        refused.append(f"{name}_FILE names {path}, which is empty. Put the value there, or take {name}_FILE away.")


def _meant(path: str, known: Collection[str], prefix: str | None = None) -> str:
    """Say what to write instead of an unknown dotted path: the setting that it most probably means, if one is near."""
    plain, flat = path.replace("-", "_").lower(), {key.replace(".", "_"): key for key in known}
    near = [flat[name] for name in difflib.get_close_matches(plain.replace(".", "_"), flat, n=1, cutoff=0.65)]
    found = near or [key for key in known if key.rpartition(".")[2] == plain.rpartition(".")[2]]
    if len(found) != 1:
        return "Remove it; config.example.yaml lists every setting."
    return f"Write {found[0] if prefix is None else variable(found[0], prefix)} instead."


def explain(error: ValidationError, prefix: str) -> str:
    """Say a validation error in one line a problem, without the value: it may be a secret."""
    lines = []
    for problem in error.errors(include_input=False, include_url=False):
        key = ".".join(part for part in problem["loc"] if isinstance(part, str) and part.isidentifier())
        text = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "tuple_type":
            text = LISTS.get(key, "write a list, such as [80, 443]")
        elif problem["type"] == "string_type":
            text = 'write a text, in quotes: without them YAML takes some, such as "no" and "1001", for something else'
        lines.append(f"{key} ({variable(key, prefix)}): {text}.")
    return "\n".join(lines)
