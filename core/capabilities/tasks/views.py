"""How people read what a task is at: one line, the same words everywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.kernel.conditions import load
from core.kernel.markdown import coded
from core.kernel.types import Millis, Role
from core.language import Language
from core.language.lines import cut
from core.scheduling.views import watched
from core.store.conversation.tasks import Task, TaskState, WaitsFor

LONGEST_TITLE, LONGEST_ABOUT, LONGEST_NOTE = 60, 40, 60
# A cent, in millionths of a dollar: what is less is not shown.
CENT = 10_000
SEPARATOR = " · "
# What calling a tool is to people, by the texts `task_doing_<kind>`; those about something have a second one,
# `task_doing_<kind>_about`.
KINDS: Mapping[str, str] = {
    "read_file": "reading",
    "read_page": "reading",
    "url_fetch": "reading",
    "http_get": "reading",
    "write_file": "writing",
    "list_files": "files",
    "delete_file": "files",
    "move_file": "files",
    "get_file_info": "files",
    "web_search": "searching",
    "search_web": "searching",
    "search": "remembering",
    "search_memory": "remembering",
    "recall": "remembering",
    "memory_recently": "remembering",
    "get_recent_history": "remembering",
    "get_history_by_time": "remembering",
    "run_python": "calculating",
    "delegate": "delegating",
    "todo_update": "list",
    "todo_list": "list",
    "schedule": "scheduling",
    "schedule_once": "scheduling",
    "schedule_cron": "scheduling",
    "contacts_send": "sending",
}
# What says nothing to anybody but the model.
UNSEEN = frozenset({"current_time", "echo", "find_tools", "log_decision", "query_state", "show", "sleep"})
# What is about an address names its host, what is about a file its name, and what is searched for stands as it is.
ABOUT_FILES, ABOUT_WORDS = frozenset({"reading", "writing"}), frozenset({"searching"})
# The words for how a task ended: what its state is called in the tables is "cancelled" to nobody else.
STATUS: Mapping[TaskState, str] = {TaskState.CANCELLED: "stopped"}
ENDS = frozenset({"done", "failed", "stopped"})
# What a message says last of a task.
LAST = ENDS | {"stopping"}
ICONS: Mapping[str, str] = {
    "queued": "⏳",
    "working": "⏳",
    "stopping": "⏳",
    "waiting": "❓",
    "done": "✅",
    "failed": "⚠️",
    "stopped": "⏹",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One look at a task with its `workers`, at an instant. What is `private` may be said of it only where nobody but
    its person reads it, else `who` that is; `titled` when it must be told from others. `note` is what its person said
    last, `already` what had happened when it was stopped."""

    task: Task
    workers: Sequence[Task]
    now: Millis
    private: bool
    who: str = ""
    titled: bool = False
    note: str = ""
    already: str = ""

    @property
    def state(self) -> str:
        """Return what it is at, by the word that people read: text `task_is_<state>`."""
        task, family = self.task, (self.task, *self.workers)
        if task.ended_at is None or (task.state is TaskState.CANCELLED and any(not one.ended_at for one in family)):
            if task.stopped or task.state is TaskState.CANCELLED:
                return "stopping"
            if task.waits_for is WaitsFor.ANSWER:
                return "waiting"
            begun = task.started_at is not None
            return "working" if begun else "queued"
        return {TaskState.DONE: "done", TaskState.FAILED: "failed"}.get(task.state, "stopped")

    @property
    def ended(self) -> bool:
        """Return whether all of it has ended."""
        return self.state in ENDS

    @property
    def lasted(self) -> Millis:
        """Return how long it has taken so far, or took: from when it was asked for; what waited for its condition from
        when it began."""
        return (self.now if self.task.ended_at is None else self.task.ended_at) - began(self.task, self.now)


def began(task: Task, now: Millis) -> Millis:
    """Return since when people see a task at work.

    A Worker's task without a parent has waited for its condition, and one of a trigger may have been due long before:
    these count from their start.
    """
    waited = task.trigger_id is not None or (task.role is Role.WORKER and task.parent_id is None)
    return (task.started_at or now) if waited else task.created_at


def line(texts: Language, look: Look, *, timeless: bool = False) -> str:
    """Return what a task is at, such as "step 2 of 4 · reading budget.csv · 41 s · $0.02"; `timeless` without how long
    it has taken."""
    state = look.state
    parts = [texts[f"task_is_{state}"]]
    if look.task.condition and look.task.waits_for is WaitsFor.CONDITION and look.private:
        parts.append(texts.say("task_begins", what=watched(texts, load(look.task.condition))))
    if state == "working":
        parts = [part for part in (_step(texts, look), _doing(texts, look) if look.private else "") if part] or parts
    if state != "waiting" and not timeless and look.task.waits_for is not WaitsFor.CONDITION:
        parts.append(texts.duration(look.lasted))
    if look.private and look.task.cost >= CENT:
        parts.append(f"${look.task.cost / 1_000_000:.2f}")
    return SEPARATOR.join(parts)


def shown(texts: Language, look: Look, *, timeless: bool = False) -> str:
    """Return the message that shows a task, as Markdown."""
    head = f"{ICONS[look.state]} "
    title = f"{head}**{cut(look.task.prompt, LONGEST_TITLE)}**" if look.titled and look.private else ""
    said = line(texts, look, timeless=timeless)
    note = ""
    if look.note and not look.ended:
        note = (
            texts.say("task_noted_words", words=cut(look.note, LONGEST_NOTE)) if look.private else texts["task_noted"]
        )
    return "\n".join(filter(None, (title, said if title else f"{head}{said}", note, look.already)))


def listed(texts: Language, look: Look, *, timeless: bool = False) -> str:
    """Return a task as a line of a list: what it is about, or whose it is, and what it is at."""
    text = cut(look.task.prompt, LONGEST_TITLE) if look.private else look.who
    return texts.say("task_listed", text=text, state=line(texts, look, timeless=timeless))


def _step(texts: Language, look: Look) -> str:
    """Return which step it is at: the Workers of a Planner are steps, and putting together what they found is the
    last."""
    if look.workers:
        ended = sum(one.ended_at is not None for one in look.workers)
        return texts.say("task_step_of", n=ended + 1, total=len(look.workers) + 1)
    step = _noted(look.task).get("step")
    return texts.say("task_step", n=step) if isinstance(step, int) and step > 0 else ""


def _doing(texts: Language, look: Look) -> str:
    """Return what it does, in words for its person: what a Worker does that is at work, else what the task itself
    does."""
    at_work = [one for one in look.workers if one.state is TaskState.RUNNING]
    noted = next((found for one in at_work if (found := _noted(one))), {})
    noted = noted or ({} if at_work else _noted(look.task))
    tool, about = str(noted.get("tool", "")), str(noted.get("about", ""))
    if not tool or tool in UNSEEN:
        return ""
    kind = KINDS.get(tool, "")
    if not kind:
        return texts.say("task_doing_other", tool=coded(tool[:LONGEST_ABOUT]))
    if about and kind in ABOUT_WORDS:
        return texts.say(f"task_doing_{kind}_about", about=cut(about, LONGEST_ABOUT))
    if about and kind in ABOUT_FILES:
        host = ""
        with suppress(ValueError):  # what a model takes for an address
            host = (urlsplit(about).hostname or "") if "://" in about else ""
        name = host or about.rstrip("/").rpartition("/")[2]
        return texts.say(f"task_doing_{kind}_about", about=coded(name[-LONGEST_ABOUT:]))
    return texts[f"task_doing_{kind}"]


def _noted(task: Task) -> Mapping[str, object]:
    """Return what was noted of the step that a task is at."""
    found = json.loads(task.doing) if task.doing else {}
    return found if isinstance(found, dict) else {}
