"""Our own command as it can be typed where the bot stands: `teller` where it is installed, else its place."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

# As our texts name it, with what it is to do.
_NAMED = re.compile(
    r"(?<![\w/.-])teller (?=(?:setup|doctor|run|chat|status|backup|restore|dead|ledger|slack)\b(?! (?:is|was|adapter)))"
)


def program() -> str:
    """How the command is typed: `teller` where the path leads to it, else where it lies, else as a module."""
    if shutil.which("teller"):
        return "teller"
    # Beside Python, which in a virtual environment is itself a link to one elsewhere.
    beside = Path(sys.executable).with_name("teller")
    if not beside.exists():
        return f"{sys.executable} -m bot"
    near = os.path.relpath(beside)
    return str(beside) if near.startswith(os.pardir) else near


def typed(text: str) -> str:
    """Return a text of ours with its commands as they can be typed."""
    named = program()
    return _NAMED.sub(lambda _: f"{named} ", text)
