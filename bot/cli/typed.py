"""Our own command as it can be typed where the bot stands: `teller` where it is installed, else its place.

An environment that `uvx` or `pipx run` made for one start is on no path later: there it is their whole command.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from importlib import metadata
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from bot.config import places

# The wheel brings it along; in a checkout it lies at the top.
EXAMPLE = Path(places.__file__).with_name("config.example.yaml")
# As our texts name it, with what it is to do.
_NAMED = re.compile(
    r"(?<![\w/.-])teller (?=(?:setup|doctor|run|chat|status|backup|restore|export|import|move|dead|ledger|tool|slack)\b"
    r"(?! (?:is|was|adapter)))"
)


def program() -> str:
    """How the command is typed: `teller` where the path leads to it, else where it lies, else as a module."""
    if one_off := _one_off():
        return one_off
    if shutil.which("teller"):
        return "teller"
    # Beside Python, which in a virtual environment is itself a link to one elsewhere.
    beside = Path(sys.executable).with_name("teller")
    if not beside.exists():
        return f"{sys.executable} -m bot"
    near = os.path.relpath(beside)
    return str(beside) if near.startswith(os.pardir) else near


def _one_off() -> str:
    """Return what makes an environment like this one again and starts us in it; empty where ours is there to stay."""
    folders = Path(sys.prefix).parents
    if not any((folder / "CACHEDIR.TAG").exists() for folder in folders):
        return ""
    try:
        origin = metadata.distribution("teller").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        origin = None
    if origin is None:
        return ""
    url = str(json.loads(origin)["url"])
    wheel = shlex.quote(url2pathname(urlsplit(url).path) if url.startswith("file:") else url)
    return f"uvx --from {wheel} teller" if os.environ.get("UV") else f"pipx run --spec {wheel} teller"


def typed(text: str) -> str:
    """Return a text of ours with its commands as they can be typed, and the file that explains the settings."""
    named = program()
    worded = _NAMED.sub(lambda _: f"{named} ", text)
    return worded.replace(EXAMPLE.name, str(EXAMPLE)) if EXAMPLE.exists() else worded
