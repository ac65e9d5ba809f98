"""How commands are written on Slack (https://docs.slack.dev/interactivity/implementing-slash-commands).

What begins with a slash must be a command of an app, and in threads there are none: there the bot is mentioned, and the
command stands behind that.
"""

from __future__ import annotations

from core.spelling import Spelling

COMMAND = "/teller"
MENTION = "@Teller"
DIALECT = "slack"


def spelling(command: str, todo: str) -> Spelling:
    """Return it for an app whose manifest calls its commands `command` and, the one for the to-do list, `todo`."""
    return Spelling(front=f"{command} ", own=(("todo", todo),), in_threads=f"{MENTION} /", dialect=DIALECT)
