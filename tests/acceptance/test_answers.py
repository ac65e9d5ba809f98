"""Stories of a day without trouble: whatever a person writes is answered."""

from __future__ import annotations

import json
import time

from core.agents.loop import NO_WORDS
from tests.acceptance.harness import OWNER, Bot, texts
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import TelegramServer

FRIEND, STRANGER = 1002, 6666


async def test_a_question_is_answered_by_the_model(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    llm.answer("Paris.")
    await bot.start()
    telegram.say("What is the capital of France?")
    (message,) = await telegram.wait_sent(1)
    assert (message.chat_id, message.text) == (OWNER, "Paris.")
    assert llm.requests[0].last_user_text == "What is the capital of France?"
    assert "remind" in llm.requests[0].tool_names
    await bot.stop()
    assert bot.rows("SELECT state, text FROM inbox") == [{"state": "done", "text": "What is the capital of France?"}]
    assert bot.rows("SELECT state FROM run") == [{"state": "done"}]
    assert bot.rows("SELECT state, platform_id FROM outbox") == [
        {"state": "sent", "platform_id": str(message.message_id)}
    ]


async def test_a_tool_call_is_journalled_and_told(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    llm.call("current_time", {"timezone": "Asia/Tokyo"}, id="call_1")
    llm.answer("It is late in Tokyo.")
    await bot.start()
    telegram.say("Is it late in Tokyo?")
    await telegram.wait_sent(1)
    result = json.loads(llm.requests[1].last_text)
    assert result["timezone"] == "Asia/Tokyo"
    await bot.stop()
    steps = bot.rows("SELECT n, kind, state, call_id, tool FROM step ORDER BY n")
    assert [(step["n"], step["kind"], step["tool"]) for step in steps] == [
        (1, "answer", ""),
        (2, "call", "current_time"),
        (3, "answer", ""),
    ]
    assert steps[1]["call_id"] == "call_1"
    assert [row["tool"] for row in bot.rows("SELECT tool FROM ledger ORDER BY n")] == ["current_time", "reply"]


THOUGHTS_ALONE = "<think>They ask for the capital. I could look that up.</think>\n"


async def test_an_answer_of_thoughts_alone_is_asked_for_once_more(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    llm.answer(THOUGHTS_ALONE)
    llm.answer("Paris.")
    await bot.start()
    telegram.say("What is the capital of France?")
    await telegram.wait_sent(1)
    assert texts(telegram) == ["Paris."]
    first, second = llm.requests
    assert second.messages[: len(first.messages)] == first.messages
    assert second.last_text == NO_WORDS
    assert second.tool_names == first.tool_names


async def test_whoever_asked_is_told_that_a_model_gave_no_words(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    llm.answer(THOUGHTS_ALONE)
    llm.answer("")
    await bot.start()
    telegram.say("What is the capital of France?")
    await telegram.wait_sent(1)
    assert texts(telegram) == ["The model gave no answer to that. Try to put it differently."]
    await bot.stop()
    assert bot.rows("SELECT sum(calls) AS calls FROM token_use") == [{"calls": 2}]


async def test_a_model_that_means_to_be_silent_says_so(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    llm.answer("")
    llm.answer(".")
    llm.answer(".")
    await bot.start()
    telegram.say("Thanks for that!")
    await llm.wait_requests(2)
    telegram.say("And good night to you.")
    await llm.wait_requests(3)
    llm.answer("Yes?")
    telegram.say("Still there?")
    await telegram.wait_sent(1)
    assert texts(telegram) == ["Yes?"]


async def test_a_model_without_tools_uses_the_text_protocol(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    llm.refuse_tools = True
    llm.answer('{"tool_calls":[{"tool":"echo","args":{"value":"parrot"}}],"result":{"status":"done","text":""}}')
    llm.answer('{"tool_calls":[],"result":{"status":"done","text":"The tool said parrot."}}')
    await bot.start()
    telegram.say("Try a tool.")
    await telegram.wait_sent(1)
    telegram.say("Now plainly.")
    llm.answer("No JSON at all.")
    await telegram.wait_sent(2)
    assert texts(telegram) == ["The tool said parrot.", "No JSON at all."]
    assert [bool(request.tool_names) for request in llm.requests] == [True, False, False, False]


async def test_chinese_is_answered_without_a_model(plain: Bot, telegram: TelegramServer) -> None:
    await plain.start()
    telegram.say("东京现在几点？")
    await telegram.wait_sent(1)
    telegram.say("量子力学是什么？")
    await telegram.wait_sent(2)
    first, second = texts(telegram)
    assert first.startswith("现在是")
    assert "没有配置模型" in second


async def test_what_replies_to_what_was_read_back_is_about_its_text(plain: Bot, telegram: TelegramServer) -> None:
    await plain.start()
    telegram.say("remind me tomorrow at 9:00 to call mom")
    (reminder,) = await telegram.wait_sent(1)
    telegram.say("/todo milk tomorrow")
    item = (await telegram.wait_sent(2))[-1]
    for number, answer in enumerate((reminder, item), 3):
        await plain.recorded(answer.message_id)
        telegram.say("remind me of this in 2 hours", reply_to=answer.message_id)
        await telegram.wait_sent(number)
    assert [text.rpartition(": ")[2] for text in texts(telegram)[2:]] == ["call mom", "milk"]


async def test_a_wish_that_is_edited_while_it_is_asked_when_is_set_as_it_reads_then(
    plain: Bot, telegram: TelegramServer
) -> None:
    await plain.start()
    telegram.say("remind me to call mom")
    wish = telegram.last_message_id
    await telegram.wait_sent(1)
    telegram.edit(wish, "remind me to call dad")
    await telegram.wait_sent(2)
    telegram.say("in 2 hours")
    await telegram.wait_sent(3)
    mom, dad, answer = texts(telegram)
    assert "“call mom”" in mom
    assert "“call dad”" in dad
    assert answer.endswith(": call dad")


async def test_commands_need_no_model(plain: Bot, telegram: TelegramServer) -> None:
    await plain.start()
    for number, command in enumerate(["/start", "/help", "/time Asia/Tokyo", "/status"], 1):
        telegram.say(command)
        await telegram.wait_sent(number)
    # Beyond five messages at once a chat is sent one a second.
    for number, command in enumerate(["/nonsense", "/history 3", "/time Nowhere/Else"], 5):
        telegram.say(command)
        await telegram.wait_sent(number)
    start, manual, clock, status, unknown, history, wrong = texts(telegram)
    assert "Teller" in start
    assert "/status" in manual
    assert "(Tokyo)" in clock
    assert "All is well." in status
    assert "/nonsense" in unknown
    assert "/history 3" in history or "/nonsense" in history
    assert "Nowhere/Else" in wrong


async def test_a_long_answer_comes_in_parts_in_order(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    lines = [f"{number:04d} {'x' * 60}" for number in range(180)]
    llm.answer("\n".join(lines))
    await bot.start()
    telegram.say("A long one, please.")
    parts = await telegram.wait_sent(3)
    assert len(parts) == 3
    assert "\n".join(texts(telegram)).split("\n") == lines


async def test_markdown_becomes_entities(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    llm.answer("This is **bold** and `code` and [a link](https://example.org/).")
    await bot.start()
    telegram.say("Show me.")
    (message,) = await telegram.wait_sent(1)
    assert message.text == "This is bold and code and a link (example.org)."
    assert [entity["type"] for entity in message.entities] == ["bold", "code", "text_link"]
    assert "parse_mode" not in message.params


async def test_a_stranger_gets_nothing_and_leaves_nothing(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    await bot.start()
    telegram.say("words-of-a-stranger", user=STRANGER)
    telegram.say("Hello?")
    await telegram.wait_sent(1)
    assert [message.chat_id for message in telegram.sent()] == [OWNER]
    assert len(llm.requests) == 1
    await bot.until(lambda: telegram.pending() == 0)
    await bot.stop()
    assert bot.value("SELECT count(*) FROM inbox") == 1
    assert bot.rows("SELECT external_id, updates FROM stranger") == [{"external_id": f"tg:{STRANGER}", "updates": 1}]
    assert [name for name, content in bot.written().items() if b"words-of-a-stranger" in content] == []


async def test_open_mode_ends_with_its_budget(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    bot.settings |= {"ACCESS__MODE": "open", "BUDGET__DAILY_TOKENS": "12000"}
    await bot.start()
    telegram.say("Am I welcome?", user=STRANGER)
    await telegram.wait_sent(1, chat=STRANGER)
    telegram.say("And now?", user=STRANGER)
    await telegram.wait_sent(2, chat=STRANGER)
    first, second = texts(telegram, STRANGER)
    assert first == "You said: Am I welcome?"
    assert "budget" in second
    assert len(llm.requests) == 1


async def test_an_edit_before_the_answer_replaces_the_question(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    telegram.say("old words", message_id=50)
    telegram.edit(50, "new words")
    await bot.start()
    await telegram.wait_sent(1)
    assert texts(telegram) == ["You said: new words"]
    telegram.edit(50, "too late")
    telegram.say("next")
    await telegram.wait_sent(2)
    assert texts(telegram)[1] == "You said: next"
    assert len(llm.requests) == 2


async def test_an_update_that_cannot_be_read_holds_up_nobody(bot: Bot, telegram: TelegramServer) -> None:
    telegram.say("before")
    telegram.push({"message": {"message_id": "seven", "text": "broken", "chat": {"type": "private"}, "from": {}}})
    telegram.push({"message": None})
    telegram.push({"something_new": {"text": "?"}})
    telegram.say("after", user=OWNER, date=2**40)
    await bot.start()
    await telegram.wait_sent(1)
    telegram.say("at last")
    await telegram.wait_sent(2)
    assert texts(telegram) == ["You said: before", "You said: at last"]
    await bot.until(lambda: telegram.pending() == 0)
    await bot.stop()
    dead = bot.rows("SELECT error, raw FROM inbox WHERE state = 'dead' ORDER BY id")
    assert len(dead) == 3
    assert all(row["error"] and row["raw"] for row in dead)


async def test_what_came_while_the_bot_was_away_is_answered_late(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    long_ago = int(time.time()) - 600
    telegram.say("one", date=long_ago)
    telegram.say("two", date=long_ago + 1)
    await bot.start()
    await telegram.wait_sent(1)
    telegram.say("three")
    await telegram.wait_sent(2)
    first, second = texts(telegram)
    assert first.startswith("10 min")
    assert first.endswith("late – I was offline.\n\nYou said: one\ntwo")
    assert second == "You said: three"
    assert "waited" in json.dumps(llm.requests[0].messages)


async def test_the_conversation_is_remembered(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    await bot.start()
    telegram.say("My name is Ada.")
    await telegram.wait_sent(1)
    await bot.stop()
    await bot.start()
    telegram.say("Who am I?")
    await telegram.wait_sent(2)
    said = [message["content"] for message in llm.requests[1].messages if message["role"] != "system"]
    assert said[0].endswith("] My name is Ada.")
    assert said[1:] == ["You said: My name is Ada.", "Who am I?"]
