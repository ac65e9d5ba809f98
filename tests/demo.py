"""A scripted conversation with the real bot on an emulated Telegram and an emulated model: `make demo`.

No token is needed. Ends by itself: with 0 when every expected answer came, with 1 when one is missing.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path

from tests.acceptance.harness import KEY, OWNER, TOKEN, Bot, model_settings
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest
from tests.emulators.telegram import TelegramServer

WIDTH, MARGIN = 78, 12
FAMILY, FRIEND = -1001234567890, 2002
ANSWER_SECONDS = 20.0


class Missing(Exception):
    """An expected answer did not come."""


class Stage:
    """The person, the bot, the model, and the script they follow."""

    def __init__(self, telegram: TelegramServer, llm: OpenAIServer, bot: Bot) -> None:
        self.telegram, self.llm, self.bot = telegram, llm, bot
        self.heard = 0

    async def ask(self, text: str, *expected: str) -> None:
        """Let the person write `text` and expect an answer that contains each of `expected`."""
        self.say(text)
        await self.hear(*expected)

    def say(self, text: str) -> None:
        """Let the person write."""
        show("you", text)
        self.telegram.say(text)

    async def hear(self, *expected: str) -> None:
        """Show the bot's next message; raise `Missing` when it is not the expected one."""
        try:
            sent = await self.telegram.wait_sent(self.heard + 1, timeout=ANSWER_SECONDS)
        except TimeoutError:
            raise Missing(f"no answer; expected {expected}") from None
        text = sent[self.heard].text
        self.heard += 1
        show("Teller", text)
        for words in expected:
            if words not in text:
                raise Missing(f"{words!r} is not in this answer")


def show(speaker: str, text: str) -> None:
    """Print a message like a chat does."""
    first, *rest = [part for line in text.split("\n") for part in textwrap.wrap(line, WIDTH - MARGIN) or [""]]
    print(f"{speaker:>{MARGIN - 2}}  {first}", *(" " * MARGIN + line for line in rest), sep="\n", flush=True)


def tell(text: str) -> None:
    """Print what happens behind the scene."""
    print(f"\n{'·' * 3} {text}", flush=True)


def think(request: ChatRequest) -> str | Answer | None:
    """The emulated model: it uses a tool for the time, asks back about dinner, and has one opinion."""
    if "Coffee" in str(request.messages[-1]["content"]):
        return "Coffee it is, then. (The question outlived the process.)"
    if "dinner" in request.last_user_text:
        question = {"question": "Coffee afterwards?", "options": ["Coffee", "No, thanks"], "default": "No, thanks"}
        return Answer(calls=(Call("ask_user", question),))
    if request.messages[-1]["role"] == "tool":
        result = json.loads(request.last_text)
        return f"It is **{result['iso'][11:16]}** in Tokyo. (The model asked the tool `current_time`.)"
    if "Tokyo" in request.last_user_text:
        return Answer(calls=(Call("current_time", {"timezone": "Asia/Tokyo"}),))
    return f"You asked: “{request.last_user_text}” – and I would say: yes."


async def everyday(stage: Stage) -> None:
    """Questions, with and without the model."""
    tell("The bot starts; the owner writes to it.")
    await stage.bot.start()
    await stage.ask("/start", "Teller")
    await stage.ask("Is it late in Tokyo?", "in Tokyo", "current_time")
    await stage.ask("Should I go for a walk?", "I would say: yes")


async def outage(stage: Stage) -> None:
    """The model goes away and comes back."""
    tell("The model's provider is unreachable now.")
    await stage.llm.stop()
    await stage.ask("Is Pluto a planet?", "unreachable", "keep your question")
    await stage.ask("东京现在几点？", "现在是")
    tell("It is back.")
    await stage.llm.start()
    await stage.hear("Is Pluto a planet?")


async def crash(stage: Stage) -> None:
    """The process is killed, and the next one takes over."""
    tell("The bot is killed (kill -9) while the model thinks; the owner writes on.")
    stage.llm.latency = 1.0
    asked = len(stage.llm.requests)
    stage.say("Do you ever forget?")
    await stage.llm.wait_requests(asked + 1)
    await stage.bot.kill()
    stage.llm.latency = 0.0
    stage.say("Are you still there?")
    tell("It is started again.")
    await stage.bot.start()
    await stage.hear("Do you ever forget?")
    await stage.hear("Are you still there?")


async def question(stage: Stage) -> None:
    """A question with buttons outlives the process."""
    tell("The model asks back. The bot is restarted while its question is open.")
    await stage.ask("Plan a dinner", "Coffee afterwards?")
    await stage.bot.stop()
    await stage.bot.start()
    asked = stage.telegram.sent()[-1]
    tell("A button is pressed after the restart.")
    show("you", "[Coffee]")
    stage.telegram.press(asked, "Coffee")
    await stage.hear("Coffee it is")
    show("Teller", f"{asked.text}    (the buttons gave way to the choice)")


async def group(stage: Stage) -> None:
    """A group: only what addresses the bot is heard."""
    tell("The owner adds the bot to a group; a friend speaks to it there.")
    stage.telegram.group(FAMILY, "Family", members={FRIEND: "member", OWNER: "creator"}, bot="left")
    stage.telegram.member(FAMILY, stage.telegram.bot_id, "member", by=OWNER)
    await stage.hear("/privacy")
    stage.telegram.say("Did you see the match?", user=FRIEND, chat=FAMILY)
    show("friend", "Did you see the match?")
    words = "@teller_test_bot should we go out?"
    stage.telegram.say(words, user=FRIEND, chat=FAMILY)
    show("friend", words)
    await stage.hear("should we go out?")


SCENES: tuple[Callable[[Stage], Awaitable[None]], ...] = (everyday, outage, crash, question, group)


async def play(folder: Path) -> int:
    """Play all scenes; return the exit code."""
    async with TelegramServer(token=TOKEN) as telegram, OpenAIServer(key=KEY) as llm:
        llm.reply_with(think)
        impatience = {"LLM__MAX_RETRIES": "0", "LLM__RETRY_SECONDS": "0.5"}
        bot = Bot(telegram, folder, model_settings(llm) | impatience)
        stage = Stage(telegram, llm, bot)
        try:
            for scene in SCENES:
                await scene(stage)
            tell(f"Every answer came: {stage.heard} messages. The bot stops.\n")
            await bot.stop()
        except (Missing, AssertionError, TimeoutError) as error:
            print(f"\nThe demo failed: {str(error) or type(error).__name__}\n\n{bot.output}", file=sys.stderr)
            return 1
        finally:
            if bot.running:
                await bot.kill()
    return 0


def main() -> None:
    """Play in a folder that vanishes."""
    with tempfile.TemporaryDirectory(prefix="teller-demo-") as folder:
        sys.exit(asyncio.run(play(Path(folder))))


if __name__ == "__main__":
    main()
