"""How soon Slack hears that an event has arrived, and is kept, when many come at once: it waits three seconds.

The work on the answers goes on beside it: asking a model that takes a second, and marking what is worked on. Emulators
and measurement share a process, so that a part of the figures is theirs.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

from tests.acceptance.sites import HTTP, SOCKET, SlackSite
from tests.acceptance.slack_driver import RETRIES
from tests.bench.messages import echo
from tests.bench.subject import Subject
from tests.emulators.openai import DEFAULT_KEY, OpenAIServer
from tests.emulators.slack import SlackServer
from tests.emulators.slack_delivery import Envelope

AT_ONCE, FIRST_USER, FIRST_NEWCOMER = 200, 2001, 3001
START_SECONDS, ANSWER_SECONDS = 30.0, 120.0
MODEL_SECONDS = 1.0
# Who came after the start has to be asked for, one call each.
WAVES = ("people who never wrote", "the same people again", "newcomers", "in channels, each twice")


@dataclass(frozen=True, kw_only=True)
class Acks:
    """Milliseconds from an event to its acknowledgement."""

    p50: float
    p95: float
    most: float


async def measure() -> str:
    """Each mode and each kind of people, as a table."""
    lines = [f"{f'{AT_ONCE} events at once: milliseconds to the ack':52}{'p50':>10}{'p95':>10}{'max':>10}"]
    for mode in (SOCKET, HTTP):
        for wave, acks in zip(WAVES, await _mode(mode), strict=True):
            lines.append(f"{f'{mode}, {wave}':52}{acks.p50:10.1f}{acks.p95:10.1f}{acks.most:10.1f}")
    return "\n".join(lines)


async def _mode(mode: str) -> list[Acks]:
    with tempfile.TemporaryDirectory() as folder:
        async with SlackServer() as slack, OpenAIServer() as model:
            model.reply_with(echo)
            model.latency = MODEL_SECONDS
            slack.retry_after = RETRIES
            site = SlackSite(slack, mode)
            for n in range(AT_ONCE):
                slack.user(f"U{FIRST_USER + n}")
            subject = Subject(*_teller(site, model, Path(folder)))
            try:
                listening = site.listening()
                await subject.start()
                await slack.wait_until(listening, START_SECONDS)
                # What is done once after the start has been done when somebody is answered.
                slack.say("Hello!")
                await slack.wait_until(lambda: _answers(slack) == 1, START_SECONDS)
                direct = [await _direct(slack, first) for first in (FIRST_USER, FIRST_USER, FIRST_NEWCOMER)]
                return [*direct, await _in_channels(slack)]
            finally:
                await subject.stop()


def _teller(site: SlackSite, model: OpenAIServer, folder: Path) -> tuple[list[str], dict[str, str]]:
    more = {
        "DATA_DIR": str(folder),
        "ACCESS__MODE": "open",
        "BUDGET__DAILY_TOKENS": "1000000000",
        "LLM__BASE_URL": f"{model.url}/v1",
        "LLM__API_KEY": DEFAULT_KEY,
        "LLM__MODEL": "bench",
    }
    environment = {f"TELLER_{name}": value for name, value in {**site.settings, **more}.items()}
    return [sys.executable, "-m", "bot", "run"], environment


async def _direct(slack: SlackServer, first: int) -> Acks:
    """As many people at once write to the bot."""
    begun, answers = len(slack.deliveries.all), _answers(slack)
    for n in range(AT_ONCE):
        slack.say("How are things today?", f"U{first + n}")
    return await _acks(slack, slack.deliveries.all[begun:], answers + AT_ONCE)


async def _in_channels(slack: SlackServer) -> Acks:
    """Half as many mention it in ten channels: each comes as a message and as a mention."""
    people = [f"U{FIRST_USER + n}" for n in range(AT_ONCE // 2)]
    rooms = [slack.channel(people, name=f"room-{n}") for n in range(10)]
    begun, answers = len(slack.deliveries.all), _answers(slack)
    for n, person in enumerate(people):
        slack.mention("How are things today?", person, rooms[n % len(rooms)])
    return await _acks(slack, slack.deliveries.all[begun:], answers + len(people))


def _answers(slack: SlackServer) -> int:
    rooms = slack.team.channels.values()
    return sum("You said" in one.text for room in rooms for one in room.messages.values())


async def _acks(slack: SlackServer, sent: Sequence[Envelope], answers: int) -> Acks:
    """What these took, once everybody has been answered."""
    await slack.wait_until(lambda: all(one.acked for one in sent), ANSWER_SECONDS)
    await slack.wait_until(lambda: _answers(slack) >= answers, ANSWER_SECONDS)
    await slack.wait_until(lambda: not slack.pending(), ANSWER_SECONDS)
    waits = [1000 * one.seconds for one in sent]
    return Acks(p50=median(waits), p95=quantiles(waits, n=20)[-1], most=max(waits))
