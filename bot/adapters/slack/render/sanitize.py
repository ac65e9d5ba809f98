"""Text from anybody, made harmless: nothing in it calls a whole channel together, or fetches anything.

https://docs.slack.dev/messaging/formatting-message-text: `&`, `<` and `>` are escaped, `<!channel>` and its like notify
everybody. Whether a Markdown block knows those is not documented, so they are broken there, too.
"""

from __future__ import annotations

import re

from bot.adapters._shared.rendering import LITERAL, repaired_outside_code
from core.kernel.clean_text import storable

BREAKER = "\u2060"
# Signs, also as the entities that Markdown knows, with what escapes the next one. Comments and doctypes mean nothing.
LESS = r"(?:<|&lt;?|&\#0*60;?|&\#[xX]0*3[cC];?)\\*"
COMMAND = re.compile(
    rf"({LESS})(?=(?:!|&excl;|&\#0*33;|&\#[xX]0*21;)(?!--|\[|doctype)|\#\\*[CGD][A-Z0-9])", re.IGNORECASE
)
MASS = re.compile(r"(?<![\w.])(@\\*)(?=(?:channel|here|everyone|group)\b)", re.IGNORECASE | re.ASCII)
CONTROLS = dict.fromkeys(code for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t")
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
CODE = re.compile(r"(?P<fence>```+|~~~+).*?(?:(?P=fence)|\Z)|(?P<tick>`++).+?(?<!`)(?P=tick)(?!`)", re.DOTALL)
# A picture would be fetched: an address that a text smuggled in would learn what is in it.
PICTURE = re.compile(r"!(?=\[)")
SIGNS = re.compile(r"\\([!-/:-@\[-`{-~])|\*\*|^[ \t]*(?:#{1,6} |```[^`\n]*$|~~~[^~\n]*$)", re.MULTILINE)
HALF = re.compile(r"&[a-z]{0,3}\Z")
# Looking for code goes over the rest of the text for each tick that is not closed: this many times it takes 50 ms.
MOST_WORK = 30_000_000


def clean(text: str) -> str:
    """Take out what no database or message takes: control characters, and halves of surrogate pairs."""
    return storable(text.replace("\r\n", "\n").translate(CONTROLS))


def defused(text: str) -> str:
    """Break what would call everybody, by an invisible character behind its first sign."""
    return MASS.sub(rf"\1{BREAKER}", COMMAND.sub(rf"\1{BREAKER}", text))


def escaped(text: str) -> str:
    """Return text as it stands."""
    return defused(text).translate(ESCAPES)


def repaired(text: str) -> str:
    """Return Markdown with what is meant literally escaped, and links in place of pictures; code stays."""
    if text.count("`") * len(text) > MOST_WORK:
        return PICTURE.sub(f"!{BREAKER}", text)
    return repaired_outside_code(text, CODE, (*LITERAL, (PICTURE, f"!{BREAKER}")))


def fallback(text: str, most: int) -> str:
    """Return what notifications show of a Markdown text: plain and escaped, nobody is mentioned."""
    shown = escaped(SIGNS.sub(lambda found: found[1] or "", text[:most]))
    # No half of an escaped sign at the end.
    return shown if len(shown) <= most else HALF.sub("", shown[:most])
