"""What commands print cannot control the operator's terminal."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.cli import report

ZONE = ZoneInfo("UTC")
HOSTILE = "a\x1b[2Jb\x1b]0;title\x07c\x9b31md\x08\x7f\u202ee\r"


def _dead() -> dict[str, Any]:
    return {
        "ref": "m4k9t2x", "kind": "message", "platform": HOSTILE, "chat": HOSTILE, "state": "dead", "ended_at": 0,
        "error": HOSTILE, "text": HOSTILE, "raw": HOSTILE, "thread": HOSTILE,
    }  # fmt: skip


def _act() -> dict[str, Any]:
    return {
        "n": 1, "at": 0, "tenant_id": 1, "person_id": 1, "role": "teller", "tool": HOSTILE, "phase": "outcome",
        "success": 0, "error": HOSTILE, "duration_ms": 1, "model": HOSTILE, "tokens_in": 1, "tokens_out": 1,
        "arguments": f'{{"text": "{HOSTILE}"}}', "result": f'"{HOSTILE}"',
    }  # fmt: skip


def _status() -> dict[str, Any]:
    dead = ("dead_inbox", "dead_outbox", "dead_triggers")
    numbers = ("unanswered", "outbox_waiting", "outbox_in_doubt", *dead, "ledger_rows")
    return {
        **dict.fromkeys((*numbers, "database_bytes", "disk_free_bytes", "last_anchor_at", "next_due_at"), 0),
        "running": True, "version": "0", "database": "sqlite", "model": HOSTILE, "uptime_s": 1,
        "platforms": {"telegram": {"ok": False, "last_error": HOSTILE}}, "problems": [HOSTILE],
    }  # fmt: skip


@pytest.mark.parametrize(
    "printed",
    [
        report.dead_list([_dead()], ZONE),
        report.dead_show(_dead(), ZONE),
        report.ledger_show([{**_act(), "result": "1"}], ZONE),
        report.ledger_verify({"problems": [HOSTILE], "notes": [HOSTILE], "rows": 1, "erased": 0}),
        report.status(_status(), ZONE),
    ],
)
def test_nothing_that_is_printed_controls_the_terminal(printed: str) -> None:
    assert [char for char in printed if not (char.isprintable() or char == "\n")] == []
    assert "ab" in printed or "a\\x1b" in printed


def test_rows_that_were_changed_one_after_the_other_are_one_line() -> None:
    rows = [f"tenant {tenant} row {row}: changed" for tenant, row in ((1, 1), (1, 2), (1, 3), (1, 5), (2, 6), (2, 7))]
    found = {"problems": [*rows, "tenant 2: no", "tenant 2 row 8: body changed"], "notes": [], "rows": 9, "erased": 0}
    assert report.ledger_verify(found).splitlines() == [
        "The ledger is NOT intact: 9 rows.",
        "! tenant 1 rows 1 to 3: changed",
        "! tenant 1 row 5: changed",
        "! tenant 2 rows 6 to 7: changed",
        "! tenant 2: no",
        "! tenant 2 row 8: body changed",
    ]


def test_a_text_of_many_lines_cannot_pass_for_another_field() -> None:
    shown = report.dead_show({**_dead(), "text": "one\nstate: done"}, ZONE)
    assert "text: one\n    state: done" in shown
