"""What must hold of inbox, lanes, runs and outbox: whenever nobody is at work, and after everything was done."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import HealthCheck, Phase
from hypothesis import settings as hypothesis_settings
from hypothesis.stateful import RuleBasedStateMachine, invariant

from core.kernel.ports import Database, Tx
from core.kernel.types import Inbound
from core.kernel.updates import Update
from tests.fakes import FakeAdapter, FakeClock, House

TABLES = (
    "task_input", "task",
    "assignee", "todo", "reminded", "reminder", "addressee", "trigger", "errand", "mute", "contact_address", "contact",
    "undo", "optout", "chat_retention", "night",
    "invite", "attachment", "keyboard", "question", "ledger_body", "ledger", "ledger_head",
    "fetch_use", "calendar_event", "calendar", "calendar_feed",
    "token_use", "outbox", "document", "message", "step", "inbox", "run", "lane", "chat", "address", "person",
    "cursor_position", "incident", "stranger", "scope", "tenant",
)  # fmt: skip
TOKEN = re.compile(r"\[\d+\]")
FUZZED = 10  # times as many examples where new ones are looked for


def checks(examples: int, steps: int) -> hypothesis_settings:
    """Return how a machine is tried: by so many examples, the same each time; by `make fuzz` with more, new ones."""
    same = hypothesis_settings().derandomize
    return hypothesis_settings(
        max_examples=examples if same else examples * FUZZED,
        stateful_step_count=steps,
        derandomize=same,
        phases=(Phase.generate,),  # add Phase.shrink when looking for the smallest failing story: it takes minutes
        database=None,
        suppress_health_check=list(HealthCheck),
    )


@dataclass(kw_only=True)
class World:
    """What outlives examples: an event loop, an open database and a folder."""

    runner: asyncio.Runner
    database: Database
    folder: Path
    clock: FakeClock
    examples: Iterator[int] = field(default_factory=itertools.count)

    async def empty(self) -> None:
        def delete_all(tx: Tx) -> None:
            for table in TABLES:
                tx.run(f"DELETE FROM {table}")

        await self.database.write(delete_all)


class StatesChecks(RuleBasedStateMachine):
    """The invariants. Whoever adds rules keeps `sent_updates`, `silenced` and `problems`."""

    world: ClassVar[World]
    house: House
    doubt: str

    def __init__(self) -> None:
        super().__init__()
        self.adapter = FakeAdapter()
        self.sent_updates: list[Update] = []
        self.silenced: set[str] = set()
        self.problems: list[str] = []

    async def rows(self, sql: str, **params: Any) -> list[Any]:
        return await self.world.database.read(lambda tx: tx.all(sql, params))

    def query(self, sql: str, **params: Any) -> list[Any]:
        return list(self.world.runner.run(self.rows(sql, **params)))

    @invariant()
    def the_model_is_not_asked_again(self) -> None:
        assert self.problems == []

    @invariant()
    def open_work_is_due_some_time(self) -> None:
        lost = self.query(
            "SELECT i.id, i.state FROM inbox i JOIN lane l ON l.id = i.lane_id"
            " WHERE i.state IN ('new', 'taken') AND l.pending = 0"
        )
        assert [dict(row) for row in lost] == []

    @invariant()
    def nobody_holds_a_lane_nor_sends(self) -> None:
        assert self.query("SELECT id FROM lane WHERE owner IS NOT NULL") == []
        assert self.query("SELECT id FROM outbox WHERE state = 'sending'") == []

    @invariant()
    def after_three_tries_nobody_tries_again(self) -> None:
        assert self.query("SELECT id FROM lane WHERE attempts > 3") == []

    @invariant()
    def a_taken_message_belongs_to_its_lanes_open_run(self) -> None:
        stray = self.query(
            "SELECT i.id FROM inbox i JOIN lane l ON l.id = i.lane_id WHERE i.state = 'taken'"
            " AND (l.run_id IS NULL OR l.run_id <> i.run_id)"
        )
        assert [dict(row) for row in stray] == []

    @invariant()
    def each_call_has_one_ledger_row(self) -> None:
        rows = self.query(
            "SELECT r.id, (SELECT count(*) FROM step s WHERE s.run_id = r.id AND s.kind = 'call') AS steps,"
            " (SELECT count(*) FROM ledger l WHERE l.run_id = r.id) AS acts,"
            " (SELECT count(*) FROM outbox o WHERE o.message_key LIKE 'run:' || r.id || ':%') AS said FROM run r"
        )
        # A run that says something has one more row in the ledger: what it said; and one for each time that it waited
        # for the model with something to say. What its model calls took stands there, too, where it says nothing.
        assert [
            dict(row) for row in rows if not (row["said"] > 0) <= row["acts"] - row["steps"] <= row["said"] + 1
        ] == []

    def check_the_end(self) -> None:
        self.the_model_is_not_asked_again()
        self.each_call_has_one_ledger_row()
        self.nothing_is_left_open()
        self.each_message_is_answered_once()
        self.the_record_has_the_newest_edit()
        self.each_row_is_sent_once()
        self.order_is_kept()
        report = self.world.runner.run(self.world.database.read(self.house.app.ledger.verify))
        assert report.problems == []

    def edits(self) -> set[str]:
        return {one.key for one in self.sent_updates if isinstance(one, Inbound) and one.edits}

    def nothing_is_left_open(self) -> None:
        assert Counter(row["state"] for row in self.query("SELECT state FROM inbox")).keys() <= {"done", "dead"}
        assert Counter(row["state"] for row in self.query("SELECT state FROM outbox")).keys() <= {"sent", "dead"}
        assert self.query("SELECT id FROM run WHERE state = 'running'") == []
        known = {row["update_key"] for row in self.query("SELECT update_key FROM inbox")}
        expected = {one.key for one in self.sent_updates if not (isinstance(one, Inbound) and one.chat == "z")}
        assert known == expected

    def each_message_is_answered_once(self) -> None:
        """By exactly one run, which ended well; a message that was given up is told of."""
        keys = [row["message_key"] for row in self.query("SELECT message_key FROM outbox")]
        assert len(keys) == len(set(keys))
        answers = {key.split(":")[1] for key in keys if key.startswith("run:")}
        rows = self.query(
            "SELECT i.id, i.update_key, i.state, i.text, i.run_id, r.state AS run_state FROM inbox i"
            " LEFT JOIN run r ON r.id = i.run_id WHERE i.lane_id IS NOT NULL"
        )
        for row in rows:
            if row["update_key"] in self.edits():
                continue
            told = f"gave-up:{row['run_id']}:0" in keys if row["state"] == "dead" else str(row["run_id"]) in answers
            silent = not set(TOKEN.findall(row["text"])) - self.silenced and "[" in row["text"]
            assert told or silent, dict(row)
            assert row["run_state"] == ("failed" if row["state"] == "dead" else "done"), dict(row)
        runs: dict[str, set[str]] = {}
        for row in self.query("SELECT message_key, payload FROM outbox WHERE message_key LIKE 'run:%'"):
            for token in TOKEN.findall(row["payload"]):
                runs.setdefault(token, set()).add(row["message_key"].split(":")[1])
        assert {token: found for token, found in runs.items() if len(found) > 1} == {}

    def the_record_has_the_newest_edit(self) -> None:
        newest = {one.edits: one.text for one in self.sent_updates if isinstance(one, Inbound) and one.edits}
        for row in self.query("SELECT i.update_key, m.text FROM inbox i JOIN message m ON m.inbox_id = i.id"):
            assert row["text"] == newest.get(row["update_key"], row["text"])

    def each_row_is_sent_once(self) -> None:
        """Or again with the mark, where the rule says so and the send before it was in doubt; an edit, without it."""
        arrived = Counter(sent.serial for sent in self.adapter.sent)
        seen: set[int] = set()
        for sent in self.adapter.sent:
            if sent.serial in seen and not sent.to.replaces:
                assert sent.repeated, sent
                assert self.doubt == "resend", sent
            seen.add(sent.serial)
        tries = Counter(serial for serial, _ in self.adapter.tried)
        for row in self.query("SELECT state, payload, attempt, error FROM outbox"):
            serial = int(re.findall(r'"serial": ?(\d+)', row["payload"])[0])
            assert row["state"] == "dead" or arrived[serial] > 0, dict(row)
            assert tries[serial] <= row["attempt"], dict(row)

    def order_is_kept(self) -> None:
        """Messages that never had to wait for the model are answered in the order they were accepted."""
        rows = self.query("SELECT id, update_key, text FROM inbox WHERE holds = 0 AND state = 'done'")
        kept = [row for row in rows if row["update_key"] not in self.edits()]
        place = {token: row["id"] for row in kept for token in TOKEN.findall(row["text"])}
        for chat in "abc":
            texts = [sent.text for sent in self.adapter.sent if sent.to.chat == chat and not sent.repeated]
            order = [place[token] for text in texts for token in TOKEN.findall(text) if token in place]
            assert order == sorted(order), texts
