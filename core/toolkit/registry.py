"""Where tools are kept (seed 004: ToolRegistry)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.kernel.errors import ConfigError
from core.kernel.events import EventBus, ToolCallCompleted, ToolCallFailed
from core.kernel.types import Role
from core.toolkit.tool import Effect, Tool


@dataclass(slots=True)
class CallStats:
    """Calls of one tool since the start; the average duration is in milliseconds."""

    count: int = 0
    failures: int = 0
    total_ms: int = 0

    @property
    def average_ms(self) -> float:
        """Mean duration of a call in milliseconds."""
        return self.total_ms / self.count if self.count else 0.0


# What was a tool in former versions and changed something, by its name, and of which category it was: runs that such a
# version began have it as a step.
FORMER: Mapping[str, str] = {
    **dict.fromkeys(("change_reminder", "finish_reminder", "place_reminder", "put_off_reminder"), "schedule"),
    **dict.fromkeys(("pause_schedule", "resume_schedule", "revive_schedule", "skip_next", "set_brief"), "schedule"),
    **dict.fromkeys(("choose_language", "choose_quiet", "choose_timezone", "mute_person", "unmute_person"), "settings"),
    **dict.fromkeys(("todo_change", "todo_change_many"), "todo"),
}


class Registry:
    """Tools by name, and how their calls went. `disabled` names are hidden from models; a call says so."""

    def __init__(self, bus: EventBus, disabled: Iterable[str] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        self._stats: dict[str, CallStats] = {}
        self.disabled = frozenset(disabled)
        bus.subscribe(ToolCallCompleted, self._note)
        bus.subscribe(ToolCallFailed, self._note)

    def register(self, tool: Tool) -> None:
        """Add a tool; a name that is taken is an error."""
        if tool.name in self._tools:
            raise ConfigError(f"two tools are called {tool.name!r}; rename one")
        self._tools[tool.name] = tool

    def register_many(self, tools: Iterable[Tool]) -> None:
        """Add several tools."""
        for tool in tools:
            self.register(tool)

    def get(self, name: str) -> Tool | None:
        """The tool called `name`, or None."""
        return self._tools.get(name)

    def has(self, name: str) -> bool:
        """Whether there is a tool called `name`."""
        return name in self._tools

    def changes(self, name: str) -> bool:
        """Whether the tool called `name` does more than look."""
        tool = self._tools.get(name)
        return tool is not None and tool.effect is not Effect.READ

    def deed(self, name: str) -> Sequence[str]:
        """The texts that may say what the tool called `name` does, the best first; none for one that only looks. What
        is no tool may be an action."""
        tool = self._tools.get(name)
        if tool is None:
            return (f"did_{name}", f"did_in_{FORMER[name]}") if name in FORMER else (f"did_{name}",)
        return (f"did_{name}", f"did_in_{tool.category}") if self.changes(name) else ()

    def list(self) -> Sequence[Tool]:
        """All tools, by name."""
        return [self._tools[name] for name in sorted(self._tools)]

    def list_by_category(self, category: str) -> Sequence[Tool]:
        """The tools of a category, by name."""
        return [tool for tool in self.list() if tool.category == category]

    def to_llm_tools(self, role: Role) -> tuple[Mapping[str, Any], ...]:
        """The tools a role may call, as Chat Completions wants them."""
        return tuple(tool.llm_schema for tool in self.list() if role in tool.roles and tool.name not in self.disabled)

    def get_stats(self) -> Mapping[str, Any]:
        """`total`, `by_category` and per tool `{count, failures, average_ms}` since the start."""
        calls = {
            name: {"count": stats.count, "failures": stats.failures, "average_ms": stats.average_ms}
            for name, stats in sorted(self._stats.items())
        }
        by_category = Counter(tool.category for tool in self._tools.values())
        return {"total": len(self._tools), "by_category": dict(by_category), "call_stats": calls}

    def _note(self, event: ToolCallCompleted | ToolCallFailed) -> None:
        if event.tool_name not in self._tools:
            return
        stats = self._stats.setdefault(event.tool_name, CallStats())
        stats.count += 1
        stats.failures += isinstance(event, ToolCallFailed)
        stats.total_ms += event.duration_ms


def brief(tools: Iterable[Tool]) -> list[Tool]:
    """The preset `brief`: the Teller may use what the Planner reads and schedules with (TOOLS: Who may call what)."""
    return [
        replace(tool, roles=tool.roles | {Role.TELLER})
        if Role.PLANNER in tool.roles and (tool.effect is Effect.READ or tool.category == "schedule")
        else tool
        for tool in tools
    ]
