"""The app as Slack knows it: its tokens and secrets, where it is posted to, and what its commands are called."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from bot.adapters.slack.receive.slash_commands import TODO
from bot.adapters.slack.render.command_style import COMMAND

PATH = "/slack/events"


@dataclass(frozen=True, kw_only=True)
class SlackApp:
    """One app. `base_url` is that of the Web API; `names` are the commands there are, without their slash; `command` is
    what the app calls the one for all of them, `todo` the one for the to-do list, with it.

    With an `app_token` a web socket is opened (Socket Mode); without one Slack posts to `path`, which needs the
    `signing_secret`. The `bot_token` may be empty where workspaces install the app by its page. Where reading
    conversations is `scarce`, Slack allows it once a minute.
    """

    base_url: str
    bot_token: str = field(default="", repr=False)
    app_token: str = field(default="", repr=False)
    signing_secret: str = field(default="", repr=False)
    path: str = PATH
    names: Collection[str] = ()
    command: str = COMMAND
    todo: str = TODO
    scarce: bool = False
