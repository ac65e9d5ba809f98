"""The states that the schema permits are those of the Enums, each with a line that says what it means."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from enum import StrEnum

import pytest

from core.capabilities.conditions.repository import Owner
from core.capabilities.files.models import ChangeAct, ChangeState
from core.capabilities.hooks.models import HookKind, HookState, PausedFor
from core.capabilities.memory.models import MemoryState, Source
from core.capabilities.privacy.models import Kind
from core.capabilities.reminders.repository import RemindedState, ReminderState
from core.capabilities.todos.repository import ItemState
from core.kernel.timing.trigger import TriggerState
from core.scheduling.repository import Deliver, TriggerKind
from core.store.conversation.attachments import AttachmentState
from core.store.conversation.imports import ImportState
from core.store.conversation.inbox import InboxState
from core.store.conversation.incidents import IncidentKind
from core.store.conversation.outbox import DeadFor, OutboxState, SourceKind
from core.store.conversation.questions import QuestionState
from core.store.conversation.runs import RunState, StepKind, StepState
from core.store.conversation.tasks import InputKind, TaskState, WaitsFor
from core.store.people.chats import ChatState
from core.store.people.installations import InstallationState
from core.store.schema import migrations

ENUMS: Mapping[tuple[str, str], type[StrEnum]] = {
    ("attachment", "state"): AttachmentState,
    ("chat", "state"): ChatState,
    ("file_change", "act"): ChangeAct,
    ("file_change", "state"): ChangeState,
    ("condition", "owner"): Owner,
    ("import_job", "state"): ImportState,
    ("hook", "kind"): HookKind,
    ("hook", "reason"): PausedFor,
    ("hook", "state"): HookState,
    ("inbox", "state"): InboxState,
    ("incident", "kind"): IncidentKind,
    ("installation", "state"): InstallationState,
    ("keyboard", "source_kind"): SourceKind,
    ("chat_retention", "kind"): Kind,
    ("memory", "source"): Source,
    ("memory", "state"): MemoryState,
    ("outbox", "dead_for"): DeadFor,
    ("outbox", "source_kind"): SourceKind,
    ("outbox", "state"): OutboxState,
    ("question", "state"): QuestionState,
    ("reminded", "state"): RemindedState,
    ("reminder", "state"): ReminderState,
    ("run", "state"): RunState,
    ("step", "kind"): StepKind,
    ("step", "state"): StepState,
    ("task", "state"): TaskState,
    ("task", "waits_for"): WaitsFor,
    ("task_input", "kind"): InputKind,
    ("todo", "state"): ItemState,
    ("trigger", "deliver"): Deliver,
    ("trigger", "kind"): TriggerKind,
    ("trigger", "state"): TriggerState,
}
# Columns whose values are not states, and are no Enums yet: this list may only get shorter.
LEFT = frozenset({
    ("chat", "kind"),
    ("contact", "kind"),
    ("contact", "status"),
    ("imported_line", "role"),
    ("invite", "kind"),
    ("ledger", "phase"),
    ("link", "shares"),
    ("message", "role"),
    ("person", "kin"),
    ("person", "standing"),
    ("question", "expects"),
    ("question", "source"),
    ("scope", "kind"),
    ("task", "role"),
})


def permitted() -> Mapping[tuple[str, str], set[str]]:
    """Return the values that the schema permits, by table and column."""
    found: dict[tuple[str, str], set[str]] = {}
    table = ""
    for line in "".join(sql for _, sql in migrations.scripts()).splitlines():
        if named := re.match(r"(?:CREATE|ALTER) TABLE (\w+)", line):
            table = named[1]
        if checked := re.search(r"CHECK \((\w+) IN \(([^)]*)\)\)", line):
            found[table, checked[1]] = set(re.findall(r"'(\w*)'", checked[2]))
    return found


# Values that came later and are told by another column, since SQLite cannot widen a check.
ELSEWHERE = {("trigger", "deliver"): {Deliver.ITEM.value, Deliver.SUMMARY.value}}


def test_every_column_with_a_list_of_values_has_an_enum() -> None:
    assert set(permitted()) == set(ENUMS) | LEFT


@pytest.mark.parametrize(("table", "column"), list(ENUMS))
def test_the_schema_permits_exactly_the_values_of_the_enum(table: str, column: str) -> None:
    told_elsewhere = ELSEWHERE.get((table, column), set())
    assert permitted()[table, column] == {member.value for member in ENUMS[table, column]} - told_elsewhere


@pytest.mark.parametrize("enum", sorted(set(ENUMS.values()), key=str))
def test_each_value_of_an_enum_has_a_line_that_says_what_it_means(enum: type[StrEnum]) -> None:
    lines = [line.strip() for line in inspect.getsource(enum).splitlines()]
    members = [n for n, line in enumerate(lines) if re.match(r"[A-Z]+ = \"", line)]
    assert len(members) == len(enum)
    assert [lines[n] for n in members if not lines[n - 1].startswith("# ")] == []
