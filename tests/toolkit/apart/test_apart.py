"""What works on others' words in a process of its own reads nothing of ours, writes nothing, and reaches nobody."""

from __future__ import annotations

import socket
from pathlib import Path

from core.toolkit.apart import landlock
from core.toolkit.apart.parent import do_apart


async def test_it_reads_writes_and_reaches_nothing_and_loads_its_own_code(tmp_path: Path) -> None:
    secret = tmp_path / "teller.db"
    secret.write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        tried = await do_apart("tests.toolkit.apart.probe", {"file": str(secret), "port": server.getsockname()[1]}, b"")
    denied = {"reads", "lists", "looks at others", "connects"}
    expected = dict.fromkeys(denied, "PermissionError") if landlock.version() >= 4 else {}
    assert {what: tried[what] for what in expected} == expected
    assert tried["writes"] in {"PermissionError", "OSError"}
    assert tried["loads code"] == "colorsys"
    assert secret.read_text() == "secret"
