"""What somebody says themselves in a message, beside what they show, quote or point to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.kernel.markdown import folded

# What is shown or pointed to, and not said: code, and addresses of pages.
_SHOWN = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|(?:https?://|www\.)\S+", re.DOTALL | re.IGNORECASE)
_REST, _QUOTE = ">>>", ">"
# Where no space parts words, each character is one.
_SPACELESS = r"\u3040-\u30ff\u3400-\u9fff"
_WORDS = re.compile(rf"[{_SPACELESS}]|[^\W_{_SPACELESS}]+")


def own_words(text: str) -> str:
    """What a message itself says: without quoted lines, code and addresses of pages."""
    lines = []
    for line in _SHOWN.sub(" ", text).splitlines():
        if line.lstrip().startswith(_REST):
            break
        if not line.lstrip().startswith(_QUOTE):
            lines.append(line)
    return "\n".join(lines)


def in_words(text: str) -> str:
    """The words of a text between spaces: what a platform shows has no signs of Markdown."""
    return f" {' '.join(_WORDS.findall(folded(text)))} "


def says(own: Iterable[str], text: str) -> bool:
    """Whether a text stands, word for word, in what one of somebody's `own` messages itself says."""
    words = in_words(text)
    return any(words in in_words(own_words(one)) for one in own)
