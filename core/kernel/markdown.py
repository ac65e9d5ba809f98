"""The core speaks Markdown; what others wrote is put into it as it stands."""

from __future__ import annotations

import html
import re
import unicodedata

# A formula ($x$) and an entity (&lt;) are read as such, too; and what a line begins with: headings, lists, rules.
_SIGNS = re.compile(r"([\\`*_\[\]<>~|$]|&(?=#?\w+;)|\A[#+-])")
_NUMBERED = re.compile(r"\A(\d+)([.)])")


# Marks that turn the direction of what stands behind them: what we say there would be read otherwise.
_TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))


def literal(text: str) -> str:
    """One line of text with nothing in it that Markdown would read as its own, or that turns the rest of its line
    round: names, titles, answers."""
    line = " ".join(text.split())
    line = line if line.isascii() else line.translate(_TURNING)
    # Most lines have nothing of it, and to look for it takes a fifth of the time.
    if _SIGNS.search(line):
        line = _SIGNS.sub(r"\\\1", line)
    return _NUMBERED.sub(r"\1\\\2", line) if _NUMBERED.match(line) else line


def lines(text: str) -> str:
    """Text of several lines with nothing in it that Markdown would read as its own."""
    return "\n".join(literal(line) for line in text.splitlines() if line.strip())


# What stands for itself, whatever it holds: code, and a sign behind a backslash.
_RAW = re.compile(r"```(?:[\w+-]{0,20}\n)?(?P<block>.*?)```|`(?P<code>[^`\n]+)`|\\(?P<sign>[!-/:-@\[-`{-~])", re.DOTALL)
_LINK = re.compile(
    r"!?\[([^\[\]\n]{0,300})\]\([^\s()]{0,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,500})?(?:\s(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\)"
)
_BEGINS = re.compile(r"^ {0,3}(?:#{1,6}[ \t]+|> ?)", re.MULTILINE)
_STRESSED = re.compile(r"(\*{1,3}|~~|\|\|)(?=[^\s*~|])([^\n]{1,200}?)(?<=[^\s*~|])\1")
_UNDERLINED = re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])([^\n]{1,200}?)(?<=[^\s_])\1(?!\w)")


def plain(text: str) -> str:
    """Return what people see of a text in Markdown: of links their labels, and no signs of its own."""
    raw: list[str] = []

    def kept(found: re.Match[str]) -> str:
        raw.append(found["block"] or found["code"] or found["sign"] or "")
        return f"\0{len(raw) - 1}\0"

    # Nothing that is stored has the sign that takes the place of these.
    text = _RAW.sub(kept, text.replace("\0", ""))
    text = html.unescape(_BEGINS.sub("", _LINK.sub(r"\1", text)))
    for _ in range(2):
        # One may stand within another.
        text = _UNDERLINED.sub(r"\2", _STRESSED.sub(r"\2", text))
    return re.sub(r"\0(\d+)\0", lambda found: raw[int(found[1])], text)


def folded(text: str) -> str:
    """Return a text for comparing what people typed: one space, no case, one form for each character (NFKC)."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def is_picture(character: str) -> bool:
    """Return whether a character is an emoji, a part of one, or another picture."""
    return character in _PICTURED or unicodedata.category(character) in {"So", "Sk"}


def without_pictures(text: str) -> str:
    """Return a text without its pictures; one of pictures alone stays as it stands."""
    return " ".join("".join(" " if is_picture(one) else one for one in text).split()) or text


LONGEST_NAME, LONGEST_LABEL = 64, 24
# The joiner of pictures, and what says that the character before it is shown as one.
_PICTURED = frozenset("\u200d\ufe0f")
# Letters that show nothing: fillers of Hangul, and the empty Braille pattern.
BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")


def visible(name: str) -> str:
    """Return a name on one line without what cannot be seen or turns the line round; empty when nothing is left. What
    joins pictures to one, as to a family, stays."""
    name = name[:1000]
    shown = "".join(
        " " if one.isspace() else one
        for before, one, after in zip(f" {name}", name, f"{name[1:]} ", strict=False)
        if one.isspace()
        or (unicodedata.category(one)[0] != "C" and one not in BLANK)
        or (one == "\u200d" and is_picture(before) and unicodedata.category(after) == "So")
    )
    words = " ".join(shown.split())
    return words if any(unicodedata.category(one)[0] != "M" for one in words) else ""


def called(name: str, address: str) -> str:
    """Return how somebody is named in a text: their name, cut, as it stands; their address when they have none."""
    return literal(truncated(visible(name) or address, LONGEST_NAME))


def quoted(name: str, quotes: str = "“”") -> str:
    """Return a name, cut, that cannot be taken for anything else of its line: as code, which no platform makes a link
    of, between the two `quotes` of a language."""
    shown = truncated(visible(name.replace("`", "'")), LONGEST_NAME)
    return f"{quotes[0]}{coded(shown)}{quotes[1]}" if shown else "–"


def coded(text: str) -> str:
    """Return an id or an address as code."""
    return f"`{' '.join(text.replace('`', '').split())}`"


def labelled(name: str, address: str) -> str:
    """Return how somebody is named on a button."""
    return truncated(visible(name) or address, LONGEST_LABEL)


def platform_name(platform: str) -> str:
    """Return how people call a platform: Telegram."""
    return literal(platform.capitalize())


def truncated(text: str, most: int) -> str:
    """Return a text of at most `most` characters; a longer one ends in "…"."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
