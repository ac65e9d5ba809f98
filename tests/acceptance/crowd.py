"""A crowd that writes to a bot which dies at random moments, until everything was answered."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Protocol

from tests.acceptance.harness import GAVE_UP, START_SECONDS, Bot
from tests.acceptance.oracle import REFS, WORD, word

FIRST = 1001
# So often at most a program that is content is started again for what it has still to send.
LAST_LIVES = 5


class Server(Protocol):
    """What the crowd's platform has to do."""

    def calls(self) -> Sequence[object]:
        """The requests of the bot."""
        ...

    async def wait_until(self, condition: Callable[[], bool], timeout: float) -> None:
        """Wait until a condition holds, or raise `TimeoutError`."""
        ...


class Crowd:
    """`chats` people who write messages in a random order, each counting their own.

    `say` lets one of them write, by number; `chat` is what their chat is called; `pending` is how many messages the
    bot has not taken in.
    """

    def __init__(
        self,
        rng: random.Random,
        *,
        chats: int,
        messages: int,
        say: Callable[[int, str], object],
        chat: Callable[[int], str],
        pending: Callable[[], int],
    ) -> None:
        self.said: defaultdict[str, list[str]] = defaultdict(list)
        self._say, self._chat, self._pending = say, chat, pending
        self._turns = [FIRST + number % chats for number in range(messages)]
        rng.shuffle(self._turns)
        self._told, self._refs = set[str](), set[str]()
        self._read = 0

    def say(self, count: int) -> None:
        """Let the next `count` messages be written."""
        for _ in range(min(count, len(self._turns))):
            number = self._turns.pop()
            said = self.said[self._chat(number)]
            said.append(word(number, len(said)))
            self._say(number, said[-1])

    async def talk(self, bot: Bot) -> None:
        """Let the first of them say what counts for nothing, and wait for the answer."""
        before = len(bot.told(self._chat(FIRST)))
        self._say(FIRST, "Still here?")
        await bot.until(lambda: len(bot.told(self._chat(FIRST))) > before)

    def content(self, bot: Bot) -> bool:
        """Whether everything was answered, or given up as far as the notices tell."""
        heard = bot.heard()
        for _, text in heard[self._read :]:
            self._told |= set(WORD.findall(text))
            # Owners hear of it in other words, maybe before who asked does.
            found = REFS.findall(text) if GAVE_UP in text else ()
            self._refs |= {ref for match in found for ref in match.split(", ")}
        self._read = len(heard)
        missing = sum(map(len, self.said.values())) - len(self._told)
        return missing <= len(self._refs) and self._pending() == 0


async def live(bot: Bot, server: Server, crowd: Crowd, rng: random.Random) -> None:
    """One life: messages before and after its first request, and death at a random one or between two."""
    before = len(server.calls())
    crowd.say(3)
    await bot.launch()
    with contextlib.suppress(TimeoutError):
        # One in ten does not live to see its first request.
        patience = rng.uniform(0.1, 1.0) if rng.random() < 0.1 else START_SECONDS
        await server.wait_until(lambda: len(server.calls()) > before, patience)
        crowd.say(3)
        goal = before + rng.randint(1, 40)
        await server.wait_until(lambda: len(server.calls()) >= goal or crowd.content(bot), 3.0)
    # Not only while a request is under way.
    await asyncio.sleep(rng.uniform(0, 0.05))
    await bot.kill()


async def outlive(bot: Bot, crowd: Crowd, messages: int) -> None:
    """The last life: all `messages` that are left, until everybody is content, and a stop when nothing is to be done.

    What the life before had answered may be all, and then a stop comes before what may be sent once more was. And who
    looks from outside takes what was given up, though it had been answered, for one that is missing.
    """
    await bot.start()
    crowd.say(messages)
    await bot.until(lambda: crowd.content(bot), 120)
    await bot.stop()
    for _ in range(LAST_LIVES):
        if bot.at_rest():
            break
        await bot.start()
        await crowd.talk(bot)
        await bot.stop()
