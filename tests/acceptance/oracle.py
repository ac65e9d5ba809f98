"""The promise as a check on the emulators' logs: nothing lost, order kept, doubles only marked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.ids import number
from tests.acceptance.harness import GAVE_UP, MARK, Bot
from tests.emulators.telegram import TelegramServer

WORD = re.compile(r"\bm\d+-\d+\b")
REFS = re.compile(r"\(ref ([^)]*)\)")


def word(chat: int, n: int) -> str:
    """The recognisable text of message `n` to a chat; the emulated model repeats it."""
    return f"m{chat}-{n}"


@dataclass(kw_only=True)
class Verdict:
    """What became of the messages of some chats."""

    answered: int = 0
    given_up: int = 0
    doubles: int = 0
    lost: tuple[str, ...] = ()
    disordered: tuple[int, ...] = ()
    unmarked: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether the promise was kept."""
        return not (self.lost or self.disordered or self.unmarked)


def judge(telegram: TelegramServer, bot: Bot, said: Mapping[int, Sequence[str]]) -> Verdict:
    """Compare what people said in each chat with what they were told; `bot` is stopped."""
    verdict = Verdict()
    for chat, words in said.items():
        _judge_chat(telegram, chat, words, _given_up(telegram, bot, chat), verdict)
    return verdict


def _judge_chat(
    telegram: TelegramServer, chat: int, words: Sequence[str], given_up: set[str], verdict: Verdict
) -> None:
    told: list[str] = []
    for message in telegram.sent(chat):
        found = WORD.findall(message.text)
        again = [one for one in found if one in told]
        if again and message.text.startswith(MARK):
            verdict.doubles += 1
        elif again:
            verdict.unmarked += (message.text,)
        told += [one for one in found if one not in told]
    verdict.answered += len(told)
    verdict.given_up += len(given_up - set(told))
    verdict.lost += tuple(one for one in words if one not in told and one not in given_up)
    if told != [one for one in words if one in told]:
        verdict.disordered += (chat,)


def _given_up(telegram: TelegramServer, bot: Bot, chat: int) -> set[str]:
    """The messages that the chat was told were given up and that are kept as dead rows."""
    notices = [message.text for message in telegram.sent(chat) if GAVE_UP in message.text]
    found: set[str] = set()
    for shown in (ref for text in notices for match in REFS.findall(text) for ref in match.split(", ")):
        rows = bot.rows("SELECT text FROM inbox WHERE id = ? AND state = 'dead'", number("m", shown))
        found |= {match for row in rows for match in WORD.findall(row["text"])}
    return found
