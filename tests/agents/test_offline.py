"""The deterministic responder: it answers what it understands whole, and says honestly what it does not."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import core.capabilities.all  # noqa: F401 - what people say is theirs
from core.agents.offline import Offline
from core.kernel.types import Answer, ModelRequest
from core.language import Language, pick
from core.toolkit.executor import CALLS_A_RUN

EN, ZH = pick("en"), pick("zh")
TOOLS = ("echo", "current_time", "query_state")
NOON: Mapping[str, Any] = {
    "timestamp": 1_795_795_200_000,
    "iso": "2026-11-27T17:00:00+01:00",
    "timezone": "Europe/Berlin",
}


def tools(*names: str) -> tuple[Mapping[str, Any], ...]:
    return tuple({"type": "function", "function": {"name": name, "parameters": {}}} for name in names)


async def converse(
    *heard: str, language: str = "en", offered: tuple[str, ...] = TOOLS, results: Mapping[str, Any] | None = None
) -> tuple[list[tuple[str, dict[str, Any]]], Answer]:
    """Ask; when tools are called, give them their results and ask again. Return the calls and the last answer."""
    model, given_results = Offline(), {"current_time": NOON, "query_state": {"ok": True}, **(results or {})}
    request = ModelRequest(messages=(), tools=tools(*offered), heard=heard, language=language)
    first = await model.complete(request)
    if not first.calls:
        return [], first
    told = [
        {
            "role": "tool",
            "tool_call_id": call.id,
            "content": json.dumps(given_results.get(call.name, call.arguments.get("value")), ensure_ascii=False),
        }
        for call in first.calls
    ]
    last = await model.complete(ModelRequest(messages=tuple(told), tools=request.tools, heard=heard, language=language))
    assert not last.calls
    return [(call.name, dict(call.arguments)) for call in first.calls], last


async def said(*heard: str, **options: Any) -> str:
    return (await converse(*heard, **options))[1].text


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("hi", "greeting"),
        ("Hello there!", "greeting"),
        ("@Teller?", "greeting"),
        ("good morning 🙂", "greeting"),
        ("Thanks a lot!", "thanks"),
        ("great, thank you", "thanks"),
        ("bye", "bye"),
        ("Good night", "bye"),
        ("help", "help"),
        ("What can you do?", "help"),
        ("who are you?", "help"),
    ],
)
async def test_small_talk_is_answered_in_english(text: str, key: str) -> None:
    assert await said(text) == EN[key]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("你好", "greeting"),
        ("早上好！", "greeting"),
        ("谢谢你", "thanks"),
        ("再见", "bye"),
        ("帮助", "help"),
        ("你能做什么？", "help"),
        ("你是谁", "help"),
    ],
)
async def test_small_talk_is_answered_in_chinese_whatever_the_settings(text: str, key: str) -> None:
    assert await said(text, language="en") == ZH[key]


async def test_latin_words_are_answered_in_the_language_of_the_person() -> None:
    assert await said("hi", language="zh-Hans") == ZH["greeting"]


@pytest.mark.parametrize("text", ["what time is it", "What's the time?", "hi, can you tell me what time is it now?"])
async def test_the_time_comes_from_the_tool(text: str) -> None:
    calls, answer = await converse(text)
    assert calls == [("current_time", {})]
    assert "It is 17:00 (Berlin)." in answer.text


@pytest.mark.parametrize(
    ("text", "zone", "reply"),
    [
        ("what time is it in Tokyo?", "Asia/Tokyo", "It is 17:00 (Tokyo)."),
        ("time in New York right now", "America/New_York", "It is 17:00 (New York)."),
        ("What's the time in Europe/Madrid?", "Europe/Madrid", "It is 17:00 (Europe/Madrid)."),
        ("东京现在几点？", "Asia/Tokyo", "现在是 17:00（东京）。"),
        ("请问现在纽约几点了", "America/New_York", "现在是 17:00（纽约）。"),
    ],
)
async def test_the_time_elsewhere_is_asked_for_with_the_zone(text: str, zone: str, reply: str) -> None:
    calls, answer = await converse(text)
    assert calls == [("current_time", {"timezone": zone})]
    assert answer.text == reply


async def test_the_date_is_said_in_both_languages() -> None:
    assert await said("what day is it today?") == "Today is Friday 27 November 2026 (Berlin)."
    assert await said("今天星期几？") == "今天是 2026年11月27日 星期五（柏林）。"
    assert await said("现在几点") == "现在是 17:00（柏林）。"


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("echo Hello World!", "Hello World!"),
        ("Echo: a, b. c?", "a, b. c?"),
        ("say hello", "hello"),
        ("say “Good Morning”", "Good Morning"),
        ("复述：今天真好！", "今天真好！"),
        ("复述你好", "你好"),
        ("echo {0} {text}", "{0} {text}"),
    ],
)
async def test_an_echo_is_verbatim_with_and_without_the_tool(text: str, reply: str) -> None:
    calls, answer = await converse(text)
    assert calls == [("echo", {"value": reply})]
    assert answer.text == reply
    assert await said(text, offered=()) == reply


async def test_health_is_asked_for_and_told() -> None:
    calls, answer = await converse(
        "are you ok?", results={"query_state": {"ok": True, "uptime_s": 62, "waiting": 0, "telegram": True}}
    )
    assert calls == [("query_state", {"state_name": "health"})]
    assert answer.text == "All is well.\nUp for 1 min.\nNothing is waiting."
    bad = await said("状态", results={"query_state": {"ok": False, "telegram": False, "more": {"a": 1}}})
    assert bad == "有些地方不对：\n- Telegram：否"
    assert await said("how are you?", offered=()) == EN["health_here"]


async def test_history_is_shown_only_where_a_tool_for_it_is_offered() -> None:
    messages = [{"role": "user", "text": "buy milk"}, {"role": "assistant", "text": "ok"}]
    offered = (*TOOLS, "get_recent_history")
    text = await said("what did I say?", offered=offered, results={"get_recent_history": {"messages": messages}})
    assert text == "The last things you said:\n- buy milk"
    assert await said("我刚才说了什么", offered=offered, results={"get_recent_history": {}}) == ZH["history_none"]
    assert await said("what did I say?") == EN["no_model"]


async def test_a_failed_tool_is_told() -> None:
    assert await said("what time is it", results={"current_time": {"error": "no {clock}"}}) == (
        "That didn't work: no {clock}"
    )


@pytest.mark.parametrize(
    "result", [None, 5, "text", [], {}, {"iso": None}, {"iso": "soon"}, {"messages": [None, {"role": "user"}]}]
)
async def test_odd_results_never_break_the_answer(result: Any) -> None:
    every = {"current_time": result, "query_state": result, "get_recent_history": result}
    for text in ("what time is it", "status", "what did I say", "现在几点"):
        assert await said(text, offered=(*TOOLS, "get_recent_history"), results=every)


async def test_several_messages_are_each_answered() -> None:
    calls, answer = await converse("hi", "what time is it?", "东京几点？", "thanks, bye")
    assert calls == [("current_time", {}), ("current_time", {"timezone": "Asia/Tokyo"})]
    assert answer.text == "\n\n".join([
        EN["greeting"],
        "It is 17:00 (Berlin).",
        "现在是 17:00（东京）。",
        EN["thanks"],
        EN["bye"],
    ])


UNKNOWN = [
    "write a poem about Berlin",
    "hi, write a poem",
    "what time is it in the story?",
    "say something nice",
    "what time does the train leave",
    "repeat this in French",
    "复述我刚才说的话",
    "会议几点",
    "帮我写一首诗",
    "what did you mean by hello",
    "???",
    "thanks. " * 20,
    "x" * 10_000,
]


@pytest.mark.parametrize("text", UNKNOWN, ids=lambda text: text[:20])
async def test_what_is_not_understood_whole_gets_an_honest_answer_with_suggestions(text: str) -> None:
    language = ZH if "几" in text or "我" in text else EN
    answer = await Offline().complete(ModelRequest(messages=(), heard=(text,), tools=tools(*TOOLS)))
    assert answer.text == language["no_model"]
    # What was probably meant is offered, and examples where that is a question or too long for a button.
    assert answer.offers or answer.choices == language.choices
    assert not Offline().understands(text, "en")


QUESTIONS = {
    "en": ("when is easter", "how long until friday 5pm", "what's for dinner", "Can you swim?"),
    "de": ("wann ist Ostern", "was gibt es zum Abendessen", "kannst du schwimmen?"),
    "zh": ("复活节是什么时候", "晚饭吃什么", "你会游泳？"),
}
THINGS = {"en": "I need to buy cheese", "de": "Wasser kaufen", "zh": "买奶酪"}


@pytest.mark.parametrize("code", QUESTIONS)
@pytest.mark.parametrize("explained", [False, True])
async def test_a_question_is_not_to_be_put_on_a_list_and_what_is_none_is_from_the_first_time(
    code: str, explained: bool
) -> None:
    for text in (*QUESTIONS[code], THINGS[code]):
        asked = ModelRequest(messages=(), heard=(text,), tools=(), language=code, explained=explained)
        answer = await Offline().complete(asked)
        ways = [pick(code)["offer_remind"], pick(code)["offer_add"]]
        assert [label for label, _ in answer.offers] == (ways if text == THINGS[code] else [])
        assert answer.choices == (() if explained or answer.offers else pick(code).choices)


@pytest.mark.parametrize("notice", ["no_model", "model_unreachable", "budget_spent"])
async def test_the_notice_says_why_there_is_no_model(notice: Any) -> None:
    answer = await Offline(notice=notice).complete(ModelRequest(messages=(), heard=("write", "sing"), tools=()))
    assert answer.text == EN[notice]


@pytest.mark.parametrize("choice", [*EN.choices, *ZH.choices, "echo hi", "Thanks! Bye!"])
def test_suggestions_and_the_like_are_understood(choice: str) -> None:
    assert Offline().understands(choice, "en") or any(one.grammar.wish(choice) for one in (EN, ZH))


async def test_more_than_a_run_may_call_is_answered_in_words_for_people() -> None:
    """A long backlog of somebody is one run."""
    calls, answer = await converse("what time is it?", *(f"echo x{n}" for n in range(55)), "what time is it?", "date?")
    assert len(calls) == CALLS_A_RUN
    assert answer.text.split("\n\n") == [
        "It is 17:00 (Berlin).",
        *(f"x{n}" for n in range(55)),
        EN["ask_rest_again"],
    ]


async def test_nothing_heard_is_answered_with_silence() -> None:
    assert (await Offline().complete(ModelRequest(messages=()))).text == ""


@given(st.lists(st.text(), max_size=4), st.text(max_size=5))
async def test_arbitrary_words_never_raise(heard: list[str], language: str) -> None:
    answer = await Offline().complete(
        ModelRequest(messages=(), heard=tuple(heard), language=language, tools=tools(*TOOLS))
    )
    assert bool(answer.text or answer.calls) == bool(heard)


async def test_an_answer_takes_well_under_a_millisecond() -> None:
    request = ModelRequest(messages=(), heard=("what is the meaning of all this?",), tools=tools(*TOOLS))
    model = Offline()
    await model.complete(request)
    before = time.process_time()
    for _ in range(200):
        await model.complete(request)
    assert (time.process_time() - before) / 200 < 0.001


@pytest.mark.parametrize("language", [EN, ZH], ids=lambda one: one.code)
@pytest.mark.parametrize("notice", ["no_model", "model_unreachable", "budget_spent", "share_spent", "help"])
def test_what_works_without_a_model_is_named(language: Language, notice: str) -> None:
    lists = {"en": "list", "zh": "清单"}
    assert "/today" in language[notice]
    assert lists[language.code] in language[notice]
    for wish in re.findall("“([^”]*(?:remind me|提醒我|add milk|牛奶)[^”]*)”", language[notice]):
        assert language.grammar.wish(wish), wish
