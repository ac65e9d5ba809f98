"""Where stories are played: a platform, the program as a process, and a model that answers by what it hears."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.acceptance.harness import Bot
from tests.acceptance.stories.platform import Chat, Person, Platform, Shown
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest

HOUR = 3600
EVENT = "Event: "


def think(request: ChatRequest) -> str | Answer | None:
    """What the model of all stories says. Nothing of it is kept, so stories don't disturb each other.

    `ask` and the arguments of `ask_user`, one or several, asks; `decide` writes something down and then answers; the
    end of a question is told; `delegate` hands the rest of the words over, and tells what it came to; all else is
    repeated.
    """
    if (worked := in_background(request)) is not None:
        return worked
    event = next((m["content"] for m in request.messages if str(m["content"]).startswith(EVENT)), "")
    if event:
        ended = json.loads(event.removeprefix(EVENT))
        if "status" in ended:
            return f"It came to this: {ended.get('outcome') or ended['error']}"
        return f"Noted: {ended['answer'] or 'nothing'} ({ended['source']})."
    words, called = request.last_user_text, request.messages[-1]["role"] == "tool"
    first, _, rest = words.partition(" ")
    if first == "ask" and rest:
        return Answer(calls=tuple(Call("ask_user", one) for one in json.loads(rest)))
    if called or first not in {"decide,", "decide", "delegate"}:
        return "I am on it." if first == "delegate" else None
    call = Call("delegate", {"prompt": rest}) if first == "delegate" else Call("log_decision", {"reasoning": "because"})
    return Answer(calls=(call,))


def in_background(request: ChatRequest) -> str | Answer | None:
    """What a planner and its workers say, None for all others. `ten workers` are delegated, `decide` writes something
    down first, and `choose` asks; then it is done."""
    role, words = str(request.messages[0]["content"])[:40], request.last_user_text
    if "worker" in role or "planner" not in role:
        return f"by worker: {words}" if "worker" in role else None
    called = request.messages[-1]["role"] == "tool"
    if "ten workers" in str(request.messages):
        ended = sum("by worker" in str(message["content"]) for message in request.messages)
        delegated = tuple(Call("delegate", {"prompt": f"part {n}"}) for n in range(10))
        return f"{ended} parts are done" if ended else "" if called else Answer(calls=delegated)
    if words.startswith("decide") and not called:
        return Answer(calls=(Call("log_decision", {"reasoning": "because"}),))
    if "choose" in str(request.messages):
        answers = [json.loads(one.removeprefix(ANSWER))["answer"] for one in _said(request) if one.startswith(ANSWER)]
        return f"done: {answers[-1]}" if answers else json.dumps(WHICH_TEA)
    return f"done: {words}"


def _said(request: ChatRequest) -> list[str]:
    return [str(message["content"]) for message in request.messages]


ANSWER = "Answer to your question: "
WHICH_TEA = {"status": "needs_input", "question": "Which tea?", "options": ["Green", "Black"], "default": "Black"}


class Stage:
    """What stories do again and again."""

    def __init__(self, platform: Platform, bot: Bot, model: OpenAIServer) -> None:
        self.platform, self.bot, self.model = platform, bot, model
        model.reply_with(think)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds; fail when the program dies or nothing comes."""
        await self.bot.until(condition)

    # The program.

    async def restart(self) -> None:
        """kill -9, and a new start."""
        await self.bot.kill()
        await self.bot.start()

    async def quiet(self) -> None:
        """Stop the program when it has nothing to do: nothing to answer and nothing to send, also not once more."""
        await self.bot.stop()
        while not self.bot.at_rest():
            await self.bot.start()
            await self.talk(self.platform.member())
            await self.bot.stop()

    async def dies(self, failpoint: str) -> None:
        """Start the program and let it run into a failpoint of `tests.killable`."""
        module, self.bot.module = self.bot.module, ["tests.killable"]
        await self.bot.launch(failpoint=failpoint)
        assert await self.bot.wait(30) == -9, self.bot.output
        self.bot.module = module

    @asynccontextmanager
    async def down(self, seconds: float = 0) -> AsyncIterator[None]:
        """The program ends, and starts again after the block; `seconds` have passed for open questions then."""
        # No kill: a message that was just sent would be in doubt, come again, and be the one that is edited.
        await self.bot.stop()
        yield
        self.bot.change("UPDATE question SET expires_at = expires_at - ? WHERE state = 'open'", round(seconds * 1000))
        await self.bot.start()

    async def at_work(self, person: Person, words: str, chat: Chat | None = None, *, answers: int = 0) -> None:
        """Let somebody say something that the model works on for ever, after `answers` answers it gives at once."""
        asked = len(self.model.requests) + answers + 1
        self.model.fault("hang", after=answers)
        self.platform.say(person, words, chat, mention=chat is not None and chat.group)
        await self.model.wait_requests(asked)

    def rows(self) -> dict[str, int]:
        """How many rows each table has; only while the program is down."""
        names = [row["name"] for row in self.bot.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: self.bot.value(f"SELECT count(*) FROM {name}") for name in names}

    def size(self) -> int:
        """What the database takes, in bytes; only while the program is down."""
        pages, size = (self.bot.value(f"PRAGMA {name}") for name in ("page_count", "page_size"))
        return int(pages) * int(size)

    def files(self) -> set[str]:
        """The files in the data folder."""
        return {path.name for path in self.bot.places()}

    # Talk.

    def texts(self, chat: Chat) -> list[str]:
        """What the bot has said in a chat, as it reads now."""
        return [message.text for message in self.platform.shown(chat)]

    async def told(self, chat: Chat, *texts: str) -> None:
        """Wait until the bot has said each of these in a chat."""
        await self.until(lambda: all(text in self.texts(chat) for text in texts))

    async def count(self, chat: Chat, n: int) -> list[str]:
        """Wait until the bot has said `n` things in a chat."""
        await self.until(lambda: len(self.texts(chat)) >= n)
        return self.texts(chat)

    async def talk(self, person: Person, chat: Chat | None = None, words: str = "Still here?") -> None:
        """Say something to the bot and wait for the answer: what was accepted before it, in this chat, is done then."""
        where = chat or self.platform.private(person)
        before = len(self.texts(where))
        self.platform.say(person, words, where, mention=where.group)
        await self.until(lambda: f"You said: {words}" in self.texts(where)[before:])

    async def family(self, by: Person, *others: Person, threads: bool = False) -> Chat:
        """A group in which the bot has introduced itself."""
        chat = self.platform.group(by, *others, threads=threads)
        self.platform.add_bot(chat, by)
        await self.count(chat, 1)
        return chat

    # Questions.

    async def ask(self, person: Person, *questions: dict[str, Any], chat: Chat | None = None) -> list[Shown]:
        """Let somebody make the model ask; returns the messages that ask."""
        where = chat or self.platform.private(person)
        before = len(self.platform.shown(where))
        self.platform.say(person, f"ask {json.dumps(questions)}", where, mention=where.group)
        await self.count(where, before + len(questions))
        return list(self.platform.shown(where))[before:]

    async def tea(self, person: Person, chat: Chat | None = None, **more: Any) -> Shown:
        """Let somebody be asked for tea or coffee; returns the message."""
        question = {"question": "Tea or coffee?", "options": ["Tea", "Coffee"], "timeout": HOUR, **more}
        (shown,) = await self.ask(person, question, chat=chat)
        return shown

    async def recorded(self, person: Person, chat: Chat) -> None:
        """Wait until the program knows its messages in a chat by their ids: one is sent when the one before it is."""
        before = len(self.texts(chat))
        self.platform.say(person, "/time", chat)
        await self.count(chat, before + 1)

    async def pressed(self, person: Person, shown: Shown, label: str) -> str:
        """Press a button and return what is shown then."""
        return await self.toast(self.platform.press(person, shown, label))

    async def toast(self, press: str) -> str:
        """What was shown for a press; waits for it."""
        await self.until(lambda: self.platform.toast(press) is not None)
        return self.platform.toast(press) or ""

    def now(self, shown: Shown) -> Shown:
        """A message as it reads now."""
        return next(one for one in self.platform.shown(shown.chat) if one.key == shown.key)

    async def closed(self, shown: Shown) -> str:
        """Wait until a message has no buttons any more; returns its last line."""
        await self.until(lambda: not self.now(shown).buttons)
        return self.now(shown).text.rpartition("\n")[2]
