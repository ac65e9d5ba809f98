"""What the adapter needs of a screen, and how text is made safe for one."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Protocol, TextIO

# Sequences that control a terminal (ECMA-48, and strings such as a window's title), unfinished ones too.
SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
# What is left of control characters, and the marks that reverse the direction of reading.
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Screen(Protocol):
    """Where lines are typed and answers are shown."""

    def opened(self) -> AbstractContextManager[None]:
        """Hold the screen while lines are read."""

    async def read(self, suggestion: str = "") -> str | None:
        """Return the next line, None at the end of the input. `suggestion` is put in place to be sent again."""

    def forget(self) -> None:
        """Keep no line that was typed."""

    def show(self, text: str, speaker: str = "teller> ") -> None:
        """Print a text; raises `OSError` or `ValueError` when nobody can see it any more."""

    def typing(self) -> None:
        """Show for some seconds that an answer is being worked on."""

    @property
    def patient(self) -> bool:
        """Whether a person sits there who can send a line again."""


def safe(text: str) -> str:
    """Remove what would control the terminal: the text may come from anywhere."""
    return CONTROLS.sub("", SEQUENCES.sub("", text))


def encodable(text: str, stream: TextIO | None) -> str:
    """Replace what the stream's encoding does not have. A stream that was closed before the start is none."""
    encoding = (stream and stream.encoding) or "utf-8"
    return text.encode(encoding, "replace").decode(encoding, "replace")
