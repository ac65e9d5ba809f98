"""The promise as a check on the emulators' logs: nothing lost, order kept, doubles only marked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.kernel.ids import number
from tests.acceptance.harness import GAVE_UP, MARK, Bot

WORD = re.compile(r"\bm\d+-\d+\b")
# What the platform calls a chat.
Chat = int | str
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
    disordered: tuple[Chat, ...] = ()
    unmarked: tuple[str, ...] = ()

    @property
    def kept(self) -> bool:
        """Whether the promise was kept."""
        return not (self.lost or self.disordered or self.unmarked)


def judge(bot: Bot, said: Mapping[int, Sequence[str]] | Mapping[str, Sequence[str]]) -> Verdict:
    """Compare what people said in each chat with what they were told; `bot` is stopped."""
    verdict = Verdict()
    for chat, words in said.items():
        _judge_chat(bot, chat, words, _given_up(bot, chat), verdict)
    return verdict


def _judge_chat(bot: Bot, chat: Chat, words: Sequence[str], given_up: set[str], verdict: Verdict) -> None:
    told: list[str] = []
    for text in bot.told(chat):
        found = WORD.findall(text)
        again = [one for one in found if one in told]
        if again and text.startswith(MARK):
            verdict.doubles += 1
        elif again:
            verdict.unmarked += (text,)
        told += [one for one in found if one not in told]
    verdict.answered += len(told)
    verdict.given_up += len(given_up - set(told))
    verdict.lost += tuple(one for one in words if one not in told and one not in given_up)
    if told != [one for one in words if one in told]:
        verdict.disordered += (chat,)


def _given_up(bot: Bot, chat: Chat) -> set[str]:
    """The messages that the chat was told were given up and that are kept as dead rows."""
    notices = [text for text in bot.told(chat) if GAVE_UP in text]
    found: set[str] = set()
    for shown in (ref for text in notices for match in REFS.findall(text) for ref in match.split(", ")):
        rows = bot.rows("SELECT text FROM inbox WHERE id = ? AND state = 'dead'", number("m", shown))
        found |= {match for row in rows for match in WORD.findall(row["text"])}
    return found
