"""What is forgotten is gone from every file of a real program: 0 bytes of it, at once and after a restart."""

from __future__ import annotations

import pytest

from tests.acceptance.harness import OWNER, Bot, texts
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest
from tests.emulators.telegram import TelegramServer

GROUP, GUEST = -500, 1003
# Words that no stemmer shortens and that stand nowhere else; the first is in whatever is said and kept.
CANARY, THEIRS = "zqcanaryxv", "zqothersxv"
FORGOTTEN = "🧹 Forgotten"
BATCHES = ["before:commit_action", "after:commit_action", "before:finish_run", "after:finish_run"]


def left(bot: Bot, word: str = CANARY) -> list[str]:
    """The names of the files in which a word stands, or that are called so."""
    found = [name for name, content in bot.written().items() if word.encode() in content.lower()]
    return found + [path.name for path in bot.places() if word in path.name.lower()]


def noting(request: ChatRequest) -> str | Answer | None:
    """A model that puts whatever it hears into a tool's call, then repeats it."""
    if request.messages[-1]["role"] == "tool":
        return f"Noted {request.last_user_text}"
    return Answer(calls=(Call("log_decision", {"reasoning": request.last_user_text}),))


async def says(bot: Bot, telegram: TelegramServer, text: str, user: int = OWNER, chat: int | None = None) -> None:
    """Somebody says something and is answered."""
    count = len(telegram.sent(chat or user))
    telegram.say(text, user=user, chat=chat)
    await bot.until(lambda: len(telegram.sent(chat or user)) > count)


async def talked(bot: Bot, telegram: TelegramServer, llm: OpenAIServer) -> None:
    """The owner has said, noted, scheduled, sent, edited and pressed things, in private."""
    bot.settings |= {"LOG__LEVEL": "debug"}
    llm.reply_with(noting)
    await bot.start()
    for n in range(6):
        await says(bot, telegram, f"I like {CANARY}{n} and {CANARY} jam")
    for text in (
        f"/todo buy {CANARY}",
        f"/todo {CANARY}, plum",
        f"/remind me in 2 hours to fetch {CANARY}",
        f"/contacts add {CANARY} tg:4711",
        f"/time {CANARY}",
        f"/history {CANARY}",
        "/undo",
        "/timezone Tokyo",
    ):
        await says(bot, telegram, text)
    count = len(telegram.sent(OWNER))
    telegram.send_media("document", data=CANARY.encode() * 500, caption=f"{CANARY}!", file_name=f"{CANARY}.txt")
    await bot.until(lambda: len(telegram.sent(OWNER)) > count)
    assert left(bot)


async def forgets(bot: Bot, telegram: TelegramServer, text: str, user: int = OWNER, chat: int | None = None) -> None:
    """Somebody has all of theirs forgotten, and was told so."""
    telegram.say(text, user=user, chat=chat)
    await bot.until(lambda: any(FORGOTTEN in said for said in texts(telegram, chat or user)))


async def all_gone(bot: Bot) -> None:
    """Nothing of it is in any file: at once, after a stop, and after another start."""
    await bot.until(lambda: left(bot) == [])
    await bot.stop()
    assert left(bot) == []
    await bot.start()
    await bot.stop()
    assert left(bot) == []
    assert bot.value("SELECT count(*) FROM outbox WHERE ended_at IS NULL") == 0


async def test_a_private_chat_that_is_forgotten_is_in_no_file_any_more(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    await talked(bot, telegram, llm)
    await forgets(bot, telegram, "/forget yes")
    await all_gone(bot)


async def test_one_member_of_a_group_who_is_forgotten_is_in_no_file_any_more(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer
) -> None:
    telegram.privacy = False
    telegram.group(GROUP, "Family", members={OWNER: "creator", GUEST: "member"})
    llm.reply_with(lambda request: "Well." if THEIRS in request.last_user_text else noting(request))
    bot.settings |= {"LOG__LEVEL": "debug"}
    await bot.start()
    mention = "@teller_test_bot"
    await says(bot, telegram, "/help", chat=GROUP)
    await says(bot, telegram, "/readalong on", chat=GROUP)
    await says(bot, telegram, f"{mention} I like {CANARY}1", GUEST, GROUP)
    telegram.say(f"you all know {CANARY}2", user=GUEST, chat=GROUP)
    quoted = telegram.last_message_id
    await says(bot, telegram, f"/todo bring {CANARY}", GUEST, GROUP)
    await says(bot, telegram, f"/remind me in 3 hours to bring {CANARY}", GUEST, GROUP)
    count = len(telegram.sent(GROUP))
    telegram.say(f"{mention} what of that, {THEIRS}?", user=OWNER, chat=GROUP, reply_to=quoted)
    await bot.until(lambda: len(telegram.sent(GROUP)) > count)
    assert left(bot)
    await forgets(bot, telegram, "/forget me", GUEST, GROUP)
    await all_gone(bot)
    # What others said stays.
    assert left(bot, THEIRS)


@pytest.mark.parametrize("failpoint", BATCHES)
async def test_who_dies_while_forgetting_goes_on_after_a_restart(
    bot: Bot, telegram: TelegramServer, llm: OpenAIServer, failpoint: str
) -> None:
    bot.module = ["tests.killable"]
    await talked(bot, telegram, llm)
    await bot.stop()
    telegram.say("/forget yes")
    await bot.launch(failpoint=failpoint)
    assert await bot.wait(30) == -9, bot.output
    await bot.start()
    await bot.until(lambda: any(FORGOTTEN in said for said in texts(telegram, OWNER)))
    await all_gone(bot)
    assert "We begin anew." in texts(telegram, OWNER)[-1]
