"""A program whose messages to a chat need not be a second apart: `python -m tests.hurried MODULE …` runs the module.

The platforms' limits are kept, only in a fiftieth of the time: most of what the stories take would else be waiting.
That the pace is what the platforms want is shown by the tests of pacing, and by the stories that keep to it.
"""

from __future__ import annotations

import runpy
import sys

from bot.adapters.slack.send import rate_limit as slack
from bot.adapters.telegram.send import rate_limit as telegram

TIMES = 50


def hurry() -> None:
    """Let the programs of this process send at a pace that no platform takes."""
    telegram.CHAT = telegram.CHAT._replace(seconds=telegram.CHAT.seconds / TIMES)
    slack.CHANNEL = slack.CHANNEL._replace(seconds=slack.CHANNEL.seconds / TIMES)
    slack.EDIT = slack.EDIT._replace(seconds=slack.EDIT.seconds / TIMES)


if __name__ == "__main__":
    hurry()
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
