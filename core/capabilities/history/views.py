"""What people read of what was said. Nothing here looks anything up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from core.capabilities.history.models import Digest
from core.kernel.markdown import called, literal, plain, quoted
from core.kernel.shown_links import with_hosts
from core.kernel.types import Millis
from core.language import Language
from core.language.lines import cut, shortened
from core.scheduling.views import moment
from core.store.conversation.history import Line

LONGEST_QUOTE, LONGEST_SUMMARY, MOST_OF_BLOCK = 280, 4_000, 7
# A sign that nobody sees, behind which a name is only a name: whoever is quoted calls nobody.
BREAKER = "\u2060"
# Where lines come from that were said elsewhere, as these call themselves.
SOURCES = {"chatgpt": "ChatGPT", "claude": "Claude", "teller": "Teller"}
_MENTION = re.compile(r"(?<!\w)@(?=\w)")
# The number of a line in what a model says, and no link.
_NUMBER = re.compile(r"\[(\d{1,4})\](?!\()")


def defused(text: str) -> str:
    """Return a text in which nobody is mentioned so that a platform would tell them."""
    return _MENTION.sub(f"@{BREAKER}", text)


def quote(language: Language, line: Line, zone: ZoneInfo, now: Millis) -> str:
    """Return a line of the transcript as it was said: who, when, what, and the way there."""
    speaker = language["history_me"] if line.role == "assistant" else called(line.speaker, language["history_you"])
    if line.source:
        source = SOURCES.get(line.source, literal(line.source))
        if line.part:
            source = language.say("history_in_part", source=source, part=language.say(f"part_{line.unit}", n=line.part))
        # What an assistant said elsewhere was said by that one.
        speaker = source if line.role == "assistant" else language.say("history_brought", name=speaker, source=source)
    words = plain(line.text[: 8 * LONGEST_QUOTE]) if line.role == "assistant" else line.text
    text = language.say(
        "history_quote",
        name=defused(speaker),
        when=moment(language, line.at, zone, now),
        text=defused(cut(words, LONGEST_QUOTE)),
    )
    return text + linked(line.link)


def linked(link: str) -> str:
    """Return the way to a message behind a line, as far as there is one."""
    return f" [↗]({link})" if link else ""


def quotes(language: Language, lines: Sequence[Line], zone: ZoneInfo, now: Millis) -> str:
    """Lines as they were said, one below the other."""
    return "\n".join(f"- {quote(language, line, zone, now)}" for line in lines)


def title(language: Language, digest: Digest, zone: ZoneInfo, now: Millis) -> str:
    """Say what is summed up: which group, how many messages, and since when."""
    since, count = moment(language, digest.since, zone, now), language.many("summary_messages", digest.count)
    return language.say("summary_title", group=quoted(digest.group.title, language.quotes), count=count, since=since)


def in_words(said: str, lines: Sequence[Line]) -> str:
    """Return what a model said of lines: links show their hosts, nobody is called, and numbers of lines lead to
    these."""

    ways = {str(n): linked(line.link).strip() for n, line in enumerate(lines, 1)}
    return _NUMBER.sub(lambda found: ways.get(found[1], ""), defused(with_hosts(said[:LONGEST_SUMMARY])))


def as_lists(
    language: Language, digest: Digest, *, asked: Sequence[Line], times: Sequence[Line], zone: ZoneInfo, now: Millis
) -> str:
    """Return what was asked, the open questions first; what was decided, noted and done; and the lines that say a
    time."""

    def said(lines: Sequence[Line]) -> list[str]:
        return [quote(language, line, zone, now) for line in lines]

    numbers = {line.message_id for line in asked}
    blocks = {
        "open": said([line for line in asked if line.message_id not in digest.answered]),
        "answered": said([line for line in asked if line.message_id in digest.answered]),
        "decided": [
            language.say(
                "summary_decision",
                name=defused(called(one.name, "–")),
                answer=defused(cut(one.answer)),
                question=defused(cut(one.question)),
            )
            + linked(one.link)
            for one in digest.decisions
        ],
        "noted": [defused(cut(one.text)) for one in digest.noted],
        "done": [defused(cut(one.text)) for one in digest.done],
        "times": said([line for line in times if line.message_id not in numbers]),
    }
    parts = [
        "\n".join([language[f"summary_{name}"], *(f"- {line}" for line in shortened(language, found, MOST_OF_BLOCK))])
        for name, found in blocks.items()
        if found
    ]
    return "\n\n".join(parts) or language["summary_only_talk"]
