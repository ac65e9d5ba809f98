"""Text of other people as it comes from a platform: hostile, and not always text."""

from __future__ import annotations

import unicodedata

REPLACEMENT = "\ufffd"
LONGEST_LABEL = 100
UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn"}
BRACKETS = str.maketrans("[]", "()")


def clean(text: str) -> str:
    """Replace what no database takes: NUL and halves of surrogate pairs."""
    text = text.replace("\0", REPLACEMENT)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def label(text: object, most: int = LONGEST_LABEL) -> str:
    """Return a foreign name as one line that cannot close a bracket around it, at most `most` characters long."""
    if not isinstance(text, str):
        return ""
    # Enough of it to fill a label, however many unseen characters a name is stuffed with. The joiner within an emoji is
    # of a category that otherwise hides things.
    seen = (
        character if character == "\u200d" or unicodedata.category(character) not in UNSEEN else " "
        for character in text[: 10 * most]
    )
    line = " ".join("".join(seen).split()).translate(BRACKETS)
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"
