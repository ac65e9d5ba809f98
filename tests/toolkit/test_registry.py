"""Where tools are kept, how they are found, and what they cost a request."""

from __future__ import annotations

import json

import pytest

from core.agents.roles import TELLER
from core.capabilities.all import CAPABILITIES
from core.kernel.errors import ConfigError
from core.kernel.events import EventBus, ToolCallCompleted, ToolCallFailed
from core.kernel.types import Json, Role
from core.language import languages
from core.toolkit.params import Params
from core.toolkit.tool import Registry, Tool, ToolContext, tool

EXPECTED = {
    "reply": "chat",
    "echo": "system",
    "current_time": "system",
    "get_recent_history": "history",
    "get_history_by_time": "history",
    "log_decision": "governance",
    "query_state": "governance",
}


class Nothing(Params):
    """No parameters."""


@tool(Role.TELLER)
async def spare(params: Nothing, context: ToolContext) -> Json:
    """A tool of the tests."""
    return None


@pytest.fixture
def bus() -> EventBus:
    return EventBus()


@pytest.fixture
def registry(bus: EventBus) -> Registry:
    """A registry with everything there is."""
    found = Registry(bus)
    for each in (each for capability in CAPABILITIES for each in capability.tools):
        found.register(each)
    return found


def test_every_capability_brings_its_tools_in_their_families(registry: Registry) -> None:
    found = {one.name: one.category for one in registry.list()}
    assert {name: found.get(name) for name in EXPECTED} == EXPECTED


def test_a_tool_is_got_by_its_name(registry: Registry) -> None:
    found = registry.get("echo")
    assert isinstance(found, Tool)
    assert registry.get("teleport") is None


def test_a_name_can_be_taken_once(registry: Registry) -> None:
    registry.register(spare)
    with pytest.raises(ConfigError, match="two tools are called 'spare'"):
        registry.register(spare)


def test_a_category_lists_its_tools_by_name(registry: Registry) -> None:
    assert [one.name for one in registry.list_by_category("system")] == ["current_time", "echo", "get_env", "sleep"]
    assert registry.list_by_category("magic") == []


def test_a_role_sees_its_own_tools_only(registry: Registry) -> None:
    shown = {one["function"]["name"] for one in registry.to_llm_tools(Role.TELLER)}
    assert {"reply", "echo", "current_time", "log_decision", "query_state"} <= shown
    assert "get_recent_history" not in shown
    assert "reply" not in str(registry.to_llm_tools(Role.WORKER))


def test_a_disabled_tool_is_hidden(bus: EventBus) -> None:
    registry = Registry(bus, disabled=["spare"])
    registry.register(spare)
    assert registry.to_llm_tools(Role.TELLER) == ()


def test_calls_are_counted(bus: EventBus, registry: Registry) -> None:
    bus.publish(ToolCallCompleted(run_id=1, tool_name="echo", result="x", duration_ms=10))
    bus.publish(ToolCallFailed(run_id=1, tool_name="echo", error="no", duration_ms=30))
    bus.publish(ToolCallFailed(run_id=1, tool_name="teleport", error="no", duration_ms=30))
    stats = registry.get_stats()
    assert stats["call_stats"] == {"echo": {"count": 2, "failures": 1, "average_ms": 20.0}}
    assert stats["total"] == len(registry.list())
    assert sum(stats["by_category"].values()) == stats["total"]


def test_every_tool_says_what_it_does_and_takes_only_snake_case(registry: Registry) -> None:
    for one in registry.list():
        function = one.llm_schema["function"]
        assert function["description"], one.name
        assert all(name == name.lower() for name in function["parameters"].get("properties", {})), one.name


def test_prompt_and_tools_of_the_teller_take_under_two_thousand_tokens(registry: Registry) -> None:
    tools = json.dumps(registry.to_llm_tools(Role.TELLER), ensure_ascii=False)
    assert len((tools + TELLER.prompt).encode()) / 4 < 2000


def test_what_a_tool_that_changes_something_did_can_be_said_in_each_language(registry: Registry) -> None:
    changing = [tool.name for tool in registry.list() if registry.changes(tool.name)]
    assert len(changing) > 8
    for language in languages().values():
        for name in changing:
            assert [key for key in registry.deed(name) if key in language.texts], name
    assert registry.deed("todo_list") == ()


def test_what_an_action_did_before_a_run_was_stopped_can_be_said_in_each_language(registry: Registry) -> None:
    for language in languages().values():
        assert language.first(*registry.deed("forget"))
        assert not language.first(*registry.deed("teleport"))
