"""Slack's own markup, in which mentions tell people (https://docs.slack.dev/messaging/formatting-message-text)."""

from __future__ import annotations

import logging
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import count, islice, pairwise
from typing import Any, NamedTuple

from bot.adapters._shared.rendering import style as markdown_style
from bot.adapters.slack.directory.workspaces import user_of
from bot.adapters.slack.render.sanitize import BREAKER, defused, escaped
from core.kernel.markdown import called

log = logging.getLogger(__name__)

USER = re.compile(r"[UW][A-Z0-9]{1,30}")
MENTION = re.compile(r"(?<!\\)<@(?P<user>[UW][A-Z0-9]{1,30})(?:\|[^<>|\n]{0,80})?>")
# A text that came from anybody may name people too: it shall not call a whole channel together.
MOST_MENTIONS = 20
# One character for each mention while the text is converted.
FIRST_PLACE = 0xE000
PLACES = re.compile(f"[{chr(FIRST_PLACE)}-{chr(FIRST_PLACE + MOST_MENTIONS - 1)}]")
REPLACEMENT = "\ufffd"
# What Markdown would take for HTML, which is not shown: another sign stands for its beginning meanwhile. A link in
# angle brackets stays one.
HTML = re.compile(r"(?<!\\)(?<!\]\()((?:\\\\)*)<(?=[A-Za-z/!?])(?![A-Za-z][\w+.-]{1,31}:[^\s<>]*>|[\w.+-]+@[\w.-]+>)")
OPEN = chr(FIRST_PLACE + 0xFF)
IN_LINK = str.maketrans({"&": "&amp;", "<": "%3C", ">": "%3E", "|": "%7C", " ": "%20"})
LINK = re.compile(r"(?:https?://|mailto:)[^\s]+")
# What stands around a text of some style; inner ones last.
STYLES = (("strikethrough", "~"), ("italic", "_"), ("bold", "*"))
TICKS = "```"
# More looks in one section are nobody's answer, and dressing them holds up every chat.
MOST_ENTITIES = 150

# Where an entity begins and ends, and what it is.
Span = tuple[int, int, dict[str, Any]]


class Run(NamedTuple):
    """A stretch of text that looks the same all through; `quote` when a quoted line begins with it."""

    text: str
    styles: frozenset[str]
    link: str
    quote: bool


def mention(address: str, name: str) -> str:
    """Return Markdown that names somebody by their address, `slack:T1:U2`; others are only called by name."""
    user = user_of(address)
    return f"<@{user}>" if USER.fullmatch(user) else called(name, address)


def hold(text: str) -> tuple[str, list[str]]:
    """Return a text with one character in place of each mention, and the users that are mentioned."""
    text = PLACES.sub(REPLACEMENT, text)
    people = [found["user"] for found in islice(MENTION.finditer(text), MOST_MENTIONS)]
    places = map(chr, count(FIRST_PLACE))
    return MENTION.sub(lambda _: next(places), text, count=MOST_MENTIONS), people


def converted(text: str, people: Sequence[str]) -> str:
    """Return the markup for a Markdown text whose mentions are held."""
    shown, entities = _parsed(text)
    if len(entities) > MOST_ENTITIES:
        return unconverted(shown, people)
    parts = list[str]()
    for run in _runs(shown, entities):
        if "pre" in run.styles:
            inside = escaped(run.text.strip("\n").replace(TICKS, f"`{BREAKER}`{BREAKER}`"))
            marked = f"{TICKS}\n{_named(inside, people, code=True)}\n{TICKS}"
        else:
            marked = "\n".join(_line(line, run, people) for line in run.text.split("\n"))
        parts.append(f"> {marked}" if run.quote else marked)
    return defused("".join(parts))


def unconverted(text: str, people: Sequence[str]) -> str:
    """Return the markup that shows a text as it stands, whose mentions are held."""
    return _named(escaped(text), people, code=False)


def _parsed(text: str) -> tuple[str, list[dict[str, Any]]]:
    import telegramify_markdown  # noqa: PLC0415 - a parser that plain chat never needs

    kept = HTML.sub(rf"\1{OPEN}", text.replace(OPEN, REPLACEMENT))
    try:
        shown, entities = telegramify_markdown.convert(kept, latex_escape=False, config=markdown_style())
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:
        # The library's parser is Rust, whose panics are no `Exception`. An answer without bold is still an answer.
        log.warning("Markdown that cannot be converted goes out as plain text", exc_info=True)
        return text, []
    if not shown.strip():
        return text, []
    found = [entity.to_dict() for entity in entities]
    for entity in found:
        if "url" in entity:
            entity["url"] = entity["url"].replace(OPEN, "<")
    return shown.rstrip().replace(OPEN, "<"), found


def _runs(text: str, entities: Sequence[dict[str, Any]]) -> Iterator[Run]:
    """Cut a text where its looks change, and at quoted lines. Offsets count UTF-16 units."""
    data = text.encode("utf-16-le")
    size = len(data) // 2
    spans = sorted(((e["offset"], min(e["offset"] + e["length"], size), e) for e in entities), key=lambda span: span[0])
    quoted = set(_quoted(data, spans))
    edges = {0, size, *quoted, *(edge for begin, end, _ in spans for edge in (begin, end))}
    around, place = list[Span](), 0
    for begin, end in pairwise(sorted(edges)):
        behind = bisect_right(spans, begin, place, key=lambda span: span[0])
        around = [span for span in (*around, *spans[place:behind]) if span[1] > begin]
        inside, place = [entity for _, _, entity in around], behind
        link = next((e["url"] for e in inside if e["type"] == "text_link"), "")
        part = data[2 * begin : 2 * end].decode("utf-16-le", "replace")
        yield Run(part, frozenset(e["type"] for e in inside), link, begin in quoted)


def _quoted(data: bytes, spans: Sequence[Span]) -> Iterator[int]:
    """Yield where the lines of quotations begin."""
    for begin, end, entity in spans:
        if "blockquote" in entity["type"]:
            yield begin
            inside = data[2 * begin : 2 * end].decode("utf-16-le", "replace")
            units = 0
            for line in inside.split("\n")[:-1]:
                units += len(line.encode("utf-16-le")) // 2 + 1
                yield begin + units


def _line(line: str, run: Run, people: Sequence[str]) -> str:
    """Dress the words of a line; blanks stay outside, where Slack wants them."""
    words = line.strip()
    if not words:
        return line
    lead, tail = line[: line.index(words[0])], line[len(line.rstrip()) :]
    code = "code" in run.styles and "`" not in words
    linked = bool(LINK.fullmatch(run.link))
    shown = _named(escaped(words), people, code=code or linked)
    if code:
        shown = f"`{shown}`"
    if linked:
        shown = f"<{run.link.translate(IN_LINK)}|{shown.replace('|', '/')}>"
    for style, sign in STYLES:
        if style in run.styles and sign not in words:
            shown = f"{sign}{shown}{sign}"
    return f"{lead}{shown}{tail}"


def _named(text: str, people: Sequence[str], *, code: bool) -> str:
    """Put the mentions back; in code and in links they name nobody."""

    def name(found: re.Match[str]) -> str:
        place = ord(found.group()) - FIRST_PLACE
        user = people[place] if place < len(people) else ""
        return f"@{user}" if code else f"<@{user}>"

    return PLACES.sub(name, text)
