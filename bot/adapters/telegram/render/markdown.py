"""Markdown of language models to text and entities, by telegramify-markdown with its traps closed.

CommonMark drops or changes what models mean literally: `2*3*4`, `__init__`, `List<int>`, footnotes. What would be lost
is escaped before it is parsed; what Telegram would refuse is taken out afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

import telegramify_markdown

from bot.adapters._shared.rendering import FORMULA, LITERAL, Repair, repaired_outside_code, style
from bot.adapters.telegram.parse.fields import USER_ID
from bot.adapters.telegram.render.keyboards import width
from bot.adapters.telegram.render.mentions import MOST_MENTIONS, OF_A_USER, USER_LINK

# Rendering holds up every chat, so no pattern here may go over a text again and again: repeats are possessive, and stop
# where the next match could begin.
# Code is left as it is: fences (also unfinished ones), then spans.
CODE = re.compile(
    r"""
    ^[ \t]*(?P<fence>```++|~~~++) .*? (?: \n[ \t]*(?P=fence)[^\S\n]*$ | \Z )
    | (?<!`)(?P<tick>`++) .+? (?<!`)(?P=tick)(?!`)
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
BOLD = re.compile(
    r"\*\*(?=\S)(?P<lead>[^\w\s*`\\]*+)(?P<core>(?:[^\w*\n]*+\w++)++)(?P<tail>[^\w\s*`\\]*+)\*\*",
)
# Tables.
TABLE_RULE = re.compile(r"\s*+\|?+\s*+:?+-++:?+\s*+(?:\|\s*+:?+-++:?+\s*+)*+\|?+\s*+")
CELL_BORDER = re.compile(r"(?<!\\)\|")
FENCE = re.compile(r"\s*(?:```|~~~)")
# A table with one very wide cell would be mostly blanks: beyond this many times its source it is not aligned.
MOST_TABLE_GROWTH = 10
CELL_MARKS = re.compile(r"\*\*|`|(?<!\\)\\(?=[|*_])")
LINKS = frozenset({"http", "https"})
KEPT_FIELDS = ("type", "offset", "length", "url", "language")


def _flanked(bold: re.Match[str]) -> str:
    """Move punctuation out of bold that stands against a letter.

    CommonMark sees no emphasis in `**重要：**文`; where words are not spaced that is how everybody writes it.
    """
    around, lead, core, tail = bold.string, *bold.group("lead", "core", "tail")
    before, after = around[bold.start() - 1 : bold.start()], around[bold.end() : bold.end() + 1]
    opening = f"{lead}**" if before.isalnum() else f"**{lead}"
    closing = f"**{tail}" if after.isalnum() else f"{tail}**"
    return f"{opening}{core}{closing}"


REPAIRS: tuple[Repair, ...] = (
    *LITERAL,
    # Tags and generics would vanish; links in angle brackets stay.
    (re.compile(r"(?<!\\)<(?=[A-Za-z/!?])(?!(?:https?|tg)://[^\s<>]*+>)"), r"\\<"),
    # Footnotes would become links to nowhere, and their text would vanish.
    (re.compile(r"(?<!\\)\[\^([^\[\]\s]++)\]"), r"\\[\1\\]"),
    # "Hi![Ann](tg://user?id=1)" mentions somebody, it shows no picture.
    (re.compile(r"(?<!\\)!(?=\[(?:[^\[\]\\\n]|\\.)*+\]\(tg://user\?)"), r"\\!"),
    # Telegram has no mailto links; it finds addresses by itself.
    (re.compile(r"(?<!\\)\[([^\[\]\n]*+)\]\(mailto:([^)\s?\[\]]++)[^)\n\[\]]*+\)"), r"\1 (\2)"),
    # After all others: in words without spaces bold is moved away from punctuation.
    (BOLD, _flanked),
)


def convert(text: str) -> tuple[str, list[dict[str, Any]]]:
    """Return the text and the entities, in UTF-16 units, that show this Markdown in Telegram."""
    formulas = FORMULA.search(text) is not None
    shown, entities = telegramify_markdown.convert(repaired(aligned(text)), latex_escape=formulas, config=style())
    return shown, list(_nested(_acceptable(entity.to_dict() for entity in entities)))


def repaired(text: str) -> str:
    """Escape what is meant literally, outside of code."""
    return repaired_outside_code(text, CODE, REPAIRS)


def aligned(text: str) -> str:
    """Replace the tables of a Markdown text by fenced blocks whose columns are aligned as displayed.

    Telegram has no tables, and Chinese or emoji take two columns there.
    """
    if "|" not in text:
        return text
    lines, done, place, fenced = text.split("\n"), list[str](), 0, False
    while place < len(lines):
        size = 0 if fenced else _table_size(lines, place)
        fenced ^= bool(FENCE.match(lines[place]))
        done += _drawn_table(lines[place : place + size]) if size else [lines[place]]
        place += size or 1
    return "\n".join(done)


def _table_size(lines: list[str], place: int) -> int:
    """Return how many lines the table beginning at `place` has, 0 when there is none."""
    heading, rule = lines[place], lines[place + 1] if place + 1 < len(lines) else ""
    if "|" not in heading or "|" not in rule or not TABLE_RULE.fullmatch(rule):
        return 0
    end = place + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    return end - place


def _drawn_table(lines: list[str]) -> list[str]:
    rows = []
    for line in (lines[0], *lines[2:]):
        inner = line.strip().removeprefix("|")
        inner = inner[:-1] if inner.endswith("|") and not inner.endswith(r"\|") else inner
        rows.append([CELL_MARKS.sub("", cell).strip() for cell in CELL_BORDER.split(inner)])
    # Only over the cells that there are: of one very long row and many short ones that is little.
    widths = [0] * max(map(len, rows))
    for row in rows:
        for column, cell in enumerate(row):
            widths[column] = max(widths[column], width(cell))
    if len(rows) * sum(widths) > MOST_TABLE_GROWTH * sum(map(len, lines)):
        return ["```", *lines, "```"]
    drawn = []
    for row in rows:
        padded = (cell + " " * (size - width(cell)) for cell, size in zip(row, widths, strict=False))
        drawn.append(" | ".join(padded).rstrip())
    drawn.insert(1, "-+-".join("-" * size for size in widths))
    return ["```", *drawn, "```"]


def _acceptable(entities: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield what the Bot API takes from us: a bad link would have the whole message refused."""
    room = MOST_MENTIONS
    for entity in entities:
        if entity["type"] == "custom_emoji" or entity["length"] < 1:
            continue
        # The server takes any link to a user for a mention.
        if entity["type"] == "text_link" and OF_A_USER.match(entity.get("url") or ""):
            user = entity["url"].removeprefix(USER_LINK)
            if not room or not USER_ID.fullmatch(user):
                continue
            room -= 1
            # The server looks at the id alone; the library wants the others.
            who = {"id": int(user), "is_bot": False, "first_name": ""}
            yield {"type": "text_mention", "offset": entity["offset"], "length": entity["length"], "user": who}
        elif entity["type"] != "text_link" or _is_link(entity.get("url", "")):
            yield {name: entity[name] for name in KEPT_FIELDS if entity.get(name) is not None}


def _nested(entities: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Leave out what crosses the edge of another entity: broken marks can overlap, which the Bot API refuses."""
    around: list[int] = []
    for entity in sorted(entities, key=lambda entity: (entity["offset"], -entity["length"])):
        begin, end = entity["offset"], entity["offset"] + entity["length"]
        while around and around[-1] <= begin:
            around.pop()
        if not around or end <= around[-1]:
            around.append(end)
            yield entity


def _is_link(url: str) -> bool:
    """Whether Telegram makes a link of it: http(s) with a real host, or tg://."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return False
    if any(character.isspace() for character in url):
        return False
    if parts.scheme == "tg":
        return bool(host)
    return parts.scheme in LINKS and "." in host.strip(".")
