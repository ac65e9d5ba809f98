"""The confined work of the tests: it tries what it must not do, and tells what came of it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from core.toolkit.confined.child import Limits, serve

PATH = "/proc/cpuinfo"


def _tries(_body: bytes, *, file: str, folder: str, port: int) -> dict[str, str]:
    found = {}
    acts: Mapping[str, Callable[[], str]] = {
        "reads": lambda: Path(file).read_text(),
        "lists": lambda: str(os.listdir(Path(file).parent)),
        "looks at others": lambda: Path(f"/proc/{os.getppid()}/environ").read_text(),
        "writes": lambda: str(Path(file).write_text("x")),
        "connects": lambda: str(socket.create_connection(("127.0.0.1", port), 1)),
        "reads its folder": lambda: Path(folder, "model").read_text(),
        "reads its path": lambda: Path(PATH).read_text()[:1] and "something",
        "loads code": lambda: str(import_module("colorsys").__name__),
    }
    for what, act in acts.items():
        try:
            found[what] = act()
        except OSError as error:
            found[what] = type(error).__name__
    return found


def main() -> None:
    """Try it."""
    serve(_tries, Limits(folders=("folder",), paths=(PATH,)))
