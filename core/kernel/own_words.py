"""What somebody says themselves in a message, beside what they show, quote or point to."""

from __future__ import annotations

import re

# What is shown or pointed to, and not said: code, and addresses of pages.
_SHOWN = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|(?:https?://|www\.)\S+", re.DOTALL | re.IGNORECASE)
_REST, _QUOTE = ">>>", ">"


def own_words(text: str) -> str:
    """What a message itself says: without quoted lines, code and addresses of pages."""
    lines = []
    for line in _SHOWN.sub(" ", text).splitlines():
        if line.lstrip().startswith(_REST):
            break
        if not line.lstrip().startswith(_QUOTE):
            lines.append(line)
    return "\n".join(lines)
