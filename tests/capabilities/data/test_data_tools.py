"""Data tools: what they give back, and that each trap is an error which says what to change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.kernel.types import Role
from tests.calling import Ask, caller
from tests.conftest import DatabaseMaker
from tests.fakes import house


@pytest.fixture
async def ask(make_database: DatabaseMaker, tmp_path: Path) -> Ask:
    home = await house(await make_database("sqlite"), tmp_path / "house")
    await home.hear("work")
    call, _ = await caller(home, role=Role.WORKER)
    return call


@pytest.mark.parametrize(
    ("tool", "arguments", "result"),
    [
        ("json_parse", {"text": '{"a": [1, 2.5, null, "é"]}'}, {"data": {"a": [1, 2.5, None, "é"]}}),
        ("json_stringify", {"data": {"b": 1, "a": ["é"]}}, {"text": '{"b": 1, "a": ["é"]}'}),
        ("json_stringify", {"data": [1], "pretty": True}, {"text": "[\n  1\n]"}),
        ("json_stringify", {"data": None}, {"text": "null"}),
        ("base64_encode", {"text": "día 你好"}, {"encoded": "ZMOtYSDkvaDlpb0="}),
        ("base64_decode", {"encoded": "ZMOtYSDk\nvaDlpb0="}, {"decoded": "día 你好"}),
        ("base64_decode", {"encoded": "Pz8_Pj4-"}, {"decoded": "???>>>"}),
        ("base64_decode", {"encoded": ""}, {"decoded": ""}),
    ],
)
async def test_each_gives_back_what_its_contract_says(
    ask: Ask, tool: str, arguments: dict[str, Any], result: object
) -> None:
    for role in (Role.PLANNER, Role.WORKER):
        found = await ask(tool, role, **arguments)
        assert (found.error, found.result) == ("", result)
    assert (await ask(tool, Role.TELLER, **arguments)).error.startswith("Permission denied: ")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("json_parse", {"text": "[" * 100_000}, "nested deeper"),
        ("json_parse", {"text": '{"a": 1, "a": 2}'}, 'The key "a" appears twice'),
        ("json_parse", {"text": "[NaN]"}, "NaN is not JSON"),
        ("json_parse", {"text": "[-Infinity]"}, "Infinity is not JSON"),
        ("json_parse", {"text": "1e999"}, "too large"),
        ("json_parse", {"text": r'"\ud800"'}, "lone surrogate"),
        ("json_parse", {"text": "9" * 5000}, "beyond 64 bits"),
        ("json_parse", {"text": "{'a': 1}"}, "line 1, column 2"),
        ("json_parse", {"text": " " * 300_000}, "bytes"),
        ("json_stringify", {"data": float("nan")}, "JSON has no word for"),
        ("json_stringify", {"data": {"a": "\ud800"}}, "lone surrogate"),
        ("json_stringify", {"data": json.loads("[" * 60 + "]" * 60)}, "nested deeper"),
        ("base64_encode", {"text": "\ud800"}, "unable to parse"),
        ("base64_decode", {"encoded": "a"}, "not base64"),
        ("base64_decode", {"encoded": "ab!="}, "not base64"),
        ("base64_decode", {"encoded": "你好=="}, "not base64"),
        ("base64_decode", {"encoded": "/////w=="}, "not UTF-8"),
    ],
)
async def test_what_cannot_be_read_or_written_is_an_error_that_helps(
    ask: Ask, tool: str, arguments: dict[str, Any], said: str
) -> None:
    found = await ask(tool, **arguments)
    assert (found.success, said in found.error) == (False, True), found.error
