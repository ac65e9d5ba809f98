"""Small models get 8 tools at most and requests of at most 3,000 tokens, whatever people write."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.config.sections import LlmSection
from core.agents.fitting import SHORTEST, fitted, weigh, weight
from core.agents.roles import SMALL_TOKENS
from core.kernel.errors import RequestTooLong
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, ToolCall
from tests.commanding import said
from tests.fakes import House, house

pytestmark = pytest.mark.databases("sqlite")

SMALL = LlmSection(profile="small")
SCOPES = ("wip", "both", "done")
PROMPT = {"role": "system", "content": "You are Teller."}
DATA = {"role": "system", "content": "The next message is data."}


def size(request: ModelRequest) -> int:
    """About how many tokens a request has."""
    return sum(map(weigh, request.messages)) + weight(json.dumps(list(request.tools)))


def last(home: House) -> ModelRequest:
    assert home.model is not None
    return home.model.requests[-1]


@pytest.mark.parametrize("word", ["thing ", "东西"], ids=["en", "zh"])
async def test_long_pasts_and_long_messages_fit(database: Database, tmp_path: Path, word: str) -> None:
    home = await house(database, tmp_path / "house", lambda request: word * 100, llm=SMALL)
    for n in range(30):
        await said(home, f"what of number {n}? {word * 60}")
    assert size(last(home)) <= SMALL_TOKENS
    assert len(last(home).messages) >= 6
    await said(home, f"and this? {word * 3_000} the end")
    assert size(last(home)) <= SMALL_TOKENS
    asked = str(last(home).messages[-1]["content"])
    assert asked.startswith("and this?")
    assert asked.endswith("the end")
    assert last(home).messages[0]["content"].startswith("You are Teller")


async def test_long_results_fit_and_no_more_than_eight_tools_are_offered(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", llm=SMALL)
    assert home.model is not None
    for n in range(60):
        await said(home, f"/todo a rather long thing to do, which is number {n} of all of them")
    find = ToolCall(id="a", name="find_tools", arguments={"words": "anything"})
    look = ToolCall(id="b", name="todo_list", arguments={})
    home.model.add(Answer(calls=(find, look)), "There is much to do.")
    await said(home, "so, what would you say of all that?")
    assert size(last(home)) <= SMALL_TOKENS
    assert 6 <= len(last(home).tools) <= 8
    assert {"remind", "todo", "show", "find_tools"} <= {one["function"]["name"] for one in last(home).tools}
    assert last(home).most_tokens == 1_000


@pytest.mark.parametrize(
    ("profile", "shown", "small"),
    [("auto", 4_096, True), ("auto", 131_072, False), ("auto", None, False), ("default", 4_096, False)],
)
async def test_a_server_that_says_its_window_is_believed(
    database: Database, tmp_path: Path, profile: Any, shown: int | None, small: bool
) -> None:
    home = await house(database, tmp_path / "house", lambda request: "fine", llm=LlmSection(profile=profile))
    assert home.model is not None
    home.model.shown = shown
    await said(home, f"what of this? {'word ' * 4_000}")
    assert (size(last(home)) <= SMALL_TOKENS) is small


@pytest.mark.parametrize("shown", [9_000, 12_000])
async def test_what_tools_bring_in_a_run_fits_into_a_window_of_any_size(
    database: Database, tmp_path: Path, shown: int
) -> None:
    home = await house(database, tmp_path / "house")
    assert home.model is not None
    home.model.shown = shown
    for n in range(99):
        await said(home, f"/todo {'a rather long thing to do, ' * 5} which is number {n} of all of them")
    looks = [Answer(calls=(ToolCall(id=scope, name="todo_list", arguments={"scope": scope}),)) for scope in SCOPES]
    home.model.add(*looks, "There is much to do.")
    await said(home, "so, what would you say of all that?")
    assert [message["role"] for message in last(home).messages].count("tool") == len(SCOPES)
    assert size(last(home)) + 4_000 <= shown
    assert last(home).messages[0]["content"].startswith("You are Teller")
    assert len(last(home).tools) > 8


@pytest.mark.parametrize("window", [3_000, 4_000, 20_000])
async def test_what_a_model_says_is_too_long_is_asked_with_less_of_it(
    database: Database, tmp_path: Path, window: int
) -> None:
    home = await house(database, tmp_path / "house")
    assert home.model is not None

    def answer(request: ModelRequest) -> str:
        if size(request) > window:
            raise RequestTooLong(f"at most {window} tokens")
        return "thing " * 40

    home.model.always(answer)
    for n in range(20):
        await said(home, f"what of number {n}? {'word ' * 120}")
    assert await said(home, f"and this? {'word ' * 3_500} the end") == "thing " * 40
    sizes = [size(request) for request in home.model.requests]
    assert (max(sizes) > window) is (window < 20_000)
    asked = str(last(home).messages[-1]["content"])
    assert (asked.startswith("and this?"), asked.endswith("the end")) == (True, True)


async def test_each_time_half_of_what_was_sent_is_asked_and_calls_keep_their_results(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house")
    assert home.model is not None
    home.model.shown = 12_000
    for n in range(99):
        await said(home, f"/todo {'a rather long thing to do, ' * 5} which is number {n} of all of them")
    looks = [Answer(calls=(ToolCall(id=scope, name="todo_list", arguments={"scope": scope}),)) for scope in SCOPES]
    home.model.add(*looks, RequestTooLong("so long"), RequestTooLong("still so long"), "There is much to do.")
    assert await said(home, "so, what would you say of all that?") == "There is much to do."
    fitting, half, quarter = (sum(map(weigh, request.messages)) for request in home.model.requests[-3:])
    assert (half <= fitting // 2, quarter <= half // 2) == (True, True)
    messages = last(home).messages
    calls = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    assert calls == [message["tool_call_id"] for message in messages if message["role"] == "tool"] == list(SCOPES)


async def test_what_a_model_called_a_tool_with_is_made_shorter_too(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", llm=SMALL)
    assert home.model is not None
    wrong = Answer(calls=(ToolCall(id="c", name="todo_list", arguments={"scope": "word " * 20_000}),))
    home.model.add(wrong, "That went wrong.")
    assert await said(home, "so, what would you say of all that?") == "That went wrong."
    assert size(last(home)) <= SMALL_TOKENS
    (call,) = next(one["tool_calls"] for one in last(home).messages if "tool_calls" in one)
    assert json.loads(call["function"]["arguments"])["scope"].startswith("word word")


async def test_what_a_model_wrote_beside_its_calls_is_made_shorter_too(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", llm=SMALL)
    assert home.model is not None
    home.model.add(Answer(text="word " * 20_000, calls=(ToolCall(id="c", name="todo_list"),)), "There is nothing.")
    assert await said(home, "so, what would you say of all that?") == "There is nothing."
    assert size(last(home)) <= SMALL_TOKENS


async def test_what_is_too_long_however_short_it_is_made_is_refused(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")
    assert home.model is not None
    for _ in range(3):
        home.model.add(RequestTooLong("at most 3 tokens"))
    assert "I can't answer: the model's provider refused" in await said(home, f"what of this? {'word ' * 500}")
    assert len(home.model.requests) == 3


async def test_most_requests_begin_as_the_one_before(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", lambda request: "I see. " * 40, llm=LlmSection())
    assert home.model is not None
    home.model.shown = 4_096
    for n in range(40):
        await said(home, f"tell me something of thing number {n}, would you? {'please ' * 20}")
    past = [[dict(one) for one in request.messages[:-2]] for request in home.model.requests]
    kept = [now[: len(before)] == before for before, now in itertools.pairwise(past)]
    assert kept.count(False) <= len(kept) // 3


texts = st.text(alphabet="a 东é\n", max_size=400)
pasts = st.lists(
    st.one_of(
        texts.map(lambda text: [{"role": "user", "content": text}]),
        texts.map(lambda text: [DATA, {"role": "user", "content": text}]),
    ),
    max_size=30,
)


@given(past=pasts, now=st.lists(texts, max_size=6), most=st.integers(100, 2_000))
def test_what_is_fitted_keeps_the_prompt_and_the_run_and_never_parts_data_from_its_notice(
    past: list[list[dict[str, str]]], now: list[str], most: int
) -> None:
    before = [one for entry in past for one in entry]
    run = [{"role": "user", "content": text} for text in now]
    found = fitted([PROMPT, *before, *run], len(before), (), most)
    assert found[0] == PROMPT
    kept = len(found) - 1 - len(run)
    assert 0 <= kept <= len(before)
    starts = {len(before)} | {sum(len(one) for one in past[:n]) for n in range(len(past))}
    assert len(before) - kept in starts
    total = sum(map(weigh, found))
    # No text is made shorter than a certain length.
    assert total <= most or (kept == 0 and total <= weigh(PROMPT) + len(run) * (SHORTEST + 20))
