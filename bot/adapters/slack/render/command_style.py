"""How commands are written on Slack (https://docs.slack.dev/interactivity/implementing-slash-commands).

What begins with a slash must be a command of an app, and in threads there are none: there the bot is mentioned, and the
command stands behind that.
"""

from __future__ import annotations

from collections.abc import Callable

from core.kernel.command_style import ME, Spelling
from core.kernel.markdown import visible

COMMAND = "/teller"
DIALECT = "slack"
# What texts of ours would take for their own signs, or Markdown for its.
_SIGNS = str.maketrans(dict.fromkeys("{}`*[]<>~|\\"))


def spelling(command: str, todo: str, called: Callable[[str], str] = lambda team: "") -> Spelling:
    """Return it for an app whose manifest calls its commands `command` and, the one for the to-do list, `todo`.

    `called` says what the bot is called in a workspace, nothing where that is not known.
    """
    # In code nobody is mentioned, and the texts have commands there: the name, as people begin to write it.
    in_threads = f"@{ME} /"
    return Spelling(
        front=f"{command} ",
        own=(("todo", todo),),
        in_threads=in_threads,
        dialect=DIALECT,
        called=lambda team: " ".join(visible(called(team)).translate(_SIGNS).split()),
    )
