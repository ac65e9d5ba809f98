"""Plays a scenario: on the real program with an emulated platform and clock, with a scripted model or a real one."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import aiohttp

from tests.acceptance import slack_driver, telegram_driver
from tests.acceptance.harness import KEY, MARK, TOKEN, Bot, model_settings
from tests.acceptance.sites import Site, SlackSite, TelegramSite
from tests.acceptance.slack_driver import SlackPlatform
from tests.acceptance.stories.days import Days
from tests.acceptance.stories.platform import Chat, Person, Platform, Shown
from tests.acceptance.telegram_driver import TelegramPlatform
from tests.emulators.openai import OpenAIServer
from tests.emulators.slack import SlackServer
from tests.emulators.telegram import TelegramServer
from tests.evals import judge
from tests.evals.scenario import BEGIN, Scenario, Turn
from tests.evals.script import Script, filled
from tests.ports import free_port

OWN_WORDS = "~"
ACCEPTED = 202
KILLABLE = ("tests.killable",)
# Seconds that a model of a shuffled play takes at most, and that the program lives at most when it is to be killed.
SLOWEST, LONGEST_LIFE = 0.2, 0.4
NAMES = {"ann": "Ann", "bob": "Bob", "chen": "Chen", "dora": "Dora"}


@dataclass
class Outcome:
    """What became of a play: `faults` is empty when all is right. Tokens in and out; `cost` in millionths of a dollar,
    None where a call had no known price; `seconds` that the turns took in which the model was asked."""

    faults: list[str] = field(default_factory=list)
    calls: int = 0
    tokens: int = 0
    cost: int | None = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Manner:
    """How a scenario is played: `model` are the settings of a real one; with a `seed`, timings are shuffled and the
    program is killed once. A scripted model takes `latency` seconds; what is to come of it is awaited for
    `patience` seconds."""

    model: Mapping[str, str] | None = None
    seed: int | None = None
    latency: float = 0.0
    patience: float = 20.0


async def play(scenario: Scenario, folder: Path, manner: Manner = Manner()) -> Outcome:
    """Play a scenario in a folder of its own; return what became of it."""
    async with AsyncExitStack() as stack:
        platform: Platform
        site: Site
        if scenario.platform == "telegram":
            telegram = await stack.enter_async_context(TelegramServer(token=TOKEN))
            platform, site, admitted = TelegramPlatform(telegram), TelegramSite(telegram), telegram_driver.admitted()
        else:
            slack = await stack.enter_async_context(SlackServer())
            platform, site, admitted = SlackPlatform(slack), SlackSite(slack), slack_driver.admitted()
        port = free_port()
        access = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": admitted}
        access |= {"HTTP__PORT": str(port), "HTTP__PUBLIC_URL": f"http://127.0.0.1:{port}"}
        bot = Bot(site, folder, access | scenario.settings, KILLABLE)
        model = await stack.enter_async_context(OpenAIServer(key=KEY))
        bot.settings |= manner.model or model_settings(model)
        player = _Player(scenario, Days(platform, bot, model), manner)
        try:
            return await player.play()
        finally:
            if bot.running:
                await bot.kill()


class _Player:
    """One play of a scenario."""

    def __init__(self, scenario: Scenario, on: Days, manner: Manner) -> None:
        self._scenario, self._on, self._manner = scenario, on, manner
        self._dice = random.Random(manner.seed)
        people = {"ann": on.platform.owner} | {name: on.platform.member() for name in scenario.people}
        languages = dict.fromkeys(people, scenario.language)
        self._people = {name: on.platform.call(one, NAMES[name], languages[name]) for name, one in people.items()}
        self._names = {name: one.name for name, one in self._people.items()}
        self._script = Script(self._names, scenario.background)
        self._outcome = Outcome()
        self._read: dict[Chat, int] = {}
        on.model.reply_with(self._script)
        on.model.latency = manner.latency

    @property
    def _real(self) -> bool:
        return self._manner.model is not None

    async def play(self) -> Outcome:
        """Play every turn, then judge what was said and what stands in the database."""
        on, scenario = self._on, self._scenario
        on.at(BEGIN)
        await on.bot.start()
        for person in self._people.values():
            await self._settled(person, on.platform.private(person))
        here = await self._place()
        killed = self._dice.choice(self._killable()) if self._manner.seed is not None else None
        for number, turn in enumerate(scenario.turns):
            self._script.begin(number)
            await self._play(turn, here, killed=turn is killed)
        self._script.turn = None
        self._script.begin(len(scenario.turns))
        for name in ("ann", *scenario.people):
            await self._settled(self._people[name], on.platform.private(self._people[name]))
            self._nothing_more(on.platform.private(self._people[name]), f"to {name} in the end")
        if here.group:
            await self._settled(self._people["ann"], here)
            self._nothing_more(here, "in the end")
        await on.bot.stop()
        self._outcome.faults += judge.rows(on.bot, scenario, self._names)
        self._count()
        await on.bot.end()
        return self._outcome

    def _killable(self) -> Sequence[Turn]:
        return [turn for turn in self._scenario.turns if not (turn.presses or turn.posts)]

    async def _place(self) -> Chat:
        """Where it plays."""
        on, people = self._on, list(self._people.values())
        if len(people) > 1:
            # Who talks in the same group knows each other.
            group = await on.family(*people)
            for person in people:
                await self._settled(person, group)
        if self._scenario.where == "private":
            return on.platform.private(people[0])
        if self._scenario.where == "thread":
            group = on.platform.thread(group, people[0])
        self._read[group] = len(self._said(group))
        return group

    async def _settled(self, person: Person, chat: Chat) -> None:
        """Wait until all that came before in a chat is done: what is said there is answered in its order."""
        on = self._on
        before = len(self._clocks(chat))
        on.platform.say(person, "/time", chat)
        await on.until(lambda: len(self._clocks(chat)) > before)

    def _clocks(self, chat: Chat) -> list[str]:
        return [text for text in self._on.texts(chat) if judge.is_clock(text)]

    def _said(self, chat: Chat) -> list[Shown]:
        """What was said in a chat that a scenario speaks of. What says that it may be a repeat, and is one, is none."""
        said: list[Shown] = []
        for one in self._on.platform.shown(chat):
            mark, _, text = one.text.partition("\n")
            repeats = mark.startswith(MARK)
            if judge.is_clock(one.text) or judge.is_progress(one.text):
                continue
            if not (repeats and text in {other.text for other in said}):
                said.append(replace(one, text=text) if repeats else one)
        return said

    async def _play(self, turn: Turn, here: Chat, *, killed: bool) -> None:
        """Play one turn, and wait for all that it shows."""
        on, person = self._on, self._people[turn.by]
        chat = on.platform.private(person) if turn.to else here
        self._script.turn, begun, asked = turn, time.monotonic(), self._script.asked
        if self._manner.seed is not None:
            on.model.latency = self._dice.uniform(0, SLOWEST)
        if turn.until:
            # What was shown is known as shown: how long a question stays open counts from then on.
            await self._settled(person, chat)
        pressed = await self._act(turn, person, chat)
        if killed:
            await asyncio.sleep(self._dice.uniform(0, LONGEST_LIFE))
            await on.restart()
        if pressed is not None and turn.becomes:
            await self._becomes(pressed, turn)
        await self._shown(chat, turn, person)
        for name, texts in turn.told.items():
            other = on.platform.private(self._people[name])
            await self._appears(other, self._filled(texts), turn)
        calls = self._script.asked - asked
        if not self._real and not killed and calls != len(turn.model):
            self._wrong(turn, f"the model was asked {calls} times, not {len(turn.model)}")
        if turn.model:
            self._outcome.seconds += time.monotonic() - begun

    def _filled(self, texts: Sequence[str]) -> list[str]:
        return [filled(text, self._names) for text in texts]

    async def _act(self, turn: Turn, person: Person, chat: Chat) -> Shown | None:
        """Do what a turn does; return the message whose button was pressed, if any."""
        on = self._on
        if turn.until:
            on.at(turn.until)
            # A platform that was not heard for so long must be heard again: somebody says something.
            on.platform.say(self._people["ann"], "/time")
            return None
        if turn.posts:
            (address,) = re.findall(r"http://\S+/hook/\w+[\w-]*", "\n".join(on.texts(on.platform.private(person))))[-1:]
            async with aiohttp.ClientSession() as session, session.post(address, data=turn.posts) as told:
                if told.status != ACCEPTED:
                    self._wrong(turn, f"the hook answers {told.status}")
            return None
        if turn.presses:
            label = filled(turn.presses, self._names)
            found = next((one for one in reversed(on.platform.shown(chat)) if label in one.labels), None)
            if found is None:
                self._wrong(turn, f"there is no button {label}")
            else:
                on.platform.press(person, found, label)
            return found
        words = filled(turn.says, self._names)
        replied = ""
        if turn.replies:
            await self._until(
                lambda: any(turn.replies in one.text for one in on.platform.shown(chat)), turn, turn.replies
            )
            shown = [one.key for one in reversed(on.platform.shown(chat)) if turn.replies in one.text]
            replied = shown[0] if shown else ""
            if not shown:
                self._wrong(turn, f"there is no message that says {turn.replies}")
        on.platform.say(person, words, chat, mention=chat.group and turn.mentions and not replied, reply_to=replied)
        return None

    async def _becomes(self, pressed: Shown, turn: Turn) -> None:
        pattern = judge.pattern(filled(turn.becomes, self._names))
        await self._until(lambda: bool(pattern.search(self._on.now(pressed).text)), turn, turn.becomes)

    async def _shown(self, chat: Chat, turn: Turn, person: Person) -> None:
        """Wait for what is said where a turn plays; for nothing, until the turn is over."""
        shows = self._filled(turn.shows)
        if self._real:
            shows = [text for text in shows if not text.startswith(OWN_WORDS)]
        if not shows or self._real:
            await self._settled(person, chat)
        if self._real:
            self._judge_freely(chat, shows, turn)
        else:
            await self._appears(chat, shows, turn)

    async def _appears(self, chat: Chat, shows: Sequence[str], turn: Turn) -> None:
        """Wait for messages that nobody has looked at yet; they must be these, in this order."""
        begin = self._read.get(chat, 0)
        await self._until(lambda: len(self._said(chat)) >= begin + len(shows), turn, str(shows))
        texts = [one.text for one in self._said(chat)][begin : begin + len(shows)]
        self._read[chat] = begin + len(texts)
        for text, wanted in zip(texts, shows, strict=False):
            if not judge.pattern(wanted.removeprefix(OWN_WORDS)).search(text):
                self._wrong(turn, f"shown {text!r}, not {wanted!r}")
        self._answered(texts, turn)

    def _judge_freely(self, chat: Chat, shows: Sequence[str], turn: Turn) -> None:
        """A real model may add words of its own, but what the program shows must be there, once."""
        begin = self._read.get(chat, 0)
        texts = [one.text for one in self._said(chat)][begin:]
        self._read[chat] = begin + len(texts)
        for wanted in shows:
            count = sum(bool(judge.pattern(wanted).search(text)) for text in texts)
            if count != 1:
                self._wrong(turn, f"{wanted!r} is shown {count} times in {texts}")
        if not turn.shows and texts:
            self._wrong(turn, f"said {texts} where nothing is to be said")
        self._answered(texts, turn)

    def _answered(self, texts: Sequence[str], turn: Turn) -> None:
        for wanted in self._filled(turn.answers):
            if not any(re.search(wanted, text, re.IGNORECASE) for text in texts):
                self._wrong(turn, f"{wanted!r} is not answered in {texts}")

    async def _until(self, condition: judge.Condition, turn: Turn, wanted: str) -> None:
        """Wait for a condition; what never comes is a fault of the play, told with what was said."""
        try:
            await self._on.bot.until(condition, 120.0 if self._real else self._manner.patience)
        except AssertionError:
            self._wrong(turn, f"waited in vain for {wanted}; said so far: {list(self._on.bot.heard())}")

    def _nothing_more(self, chat: Chat, where: str) -> None:
        more = [one.text for one in self._said(chat)][self._read.get(chat, 0) :]
        if more:
            self._outcome.faults.append(f"said {where}: {more}")

    def _wrong(self, turn: Turn, why: str) -> None:
        what = turn.says or turn.presses or turn.posts or turn.until
        self._outcome.faults.append(f"{what[:60]!r}: {why}")

    def _count(self) -> None:
        """What the model took, as the program itself counted it."""
        (row,) = self._on.bot.rows(
            "SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(tokens_in + tokens_out), 0) AS tokens,"
            " coalesce(sum(cost), 0) AS cost, coalesce(sum(unpriced), 0) AS unpriced FROM token_use"
        )
        self._outcome.calls, self._outcome.tokens = row["calls"], row["tokens"]
        self._outcome.cost = None if row["unpriced"] else row["cost"]
