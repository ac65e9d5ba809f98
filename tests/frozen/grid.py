"""An emulated Slack beside the frozen folder: an organisation of two workspaces, and a workspace of its own."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from tests.emulators.slack import SlackServer
from tests.emulators.slack_world import Message, Token

FIRST, SECOND, ALONE, WHOLE = "T0001", "T0002", "T0003", "E0001"
PEOPLE = {FIRST: "U1001", SECOND: "U1002", ALONE: "U1003"}


def allowed() -> str:
    """Return the configuration's list of those who have access."""
    return json.dumps([f"slack:{team}" for team in PEOPLE])


def restore(slack: SlackServer, memory: dict[str, Any]) -> None:
    """Let a fresh server know the workspaces, what the app may do there, and what stands in the private chats."""
    slack.retry_after = (0.0, *([0.25] * 400))
    for team in (SECOND, ALONE):
        slack.world.team(team, installed=False)
    for team, user in PEOPLE.items():
        workspace, token = slack.workspace(team), memory["tokens"][team]
        workspace.enterprise = "" if team == ALONE else WHOLE
        workspace.bot_token, workspace.installed = token, True
        slack.world.tokens.setdefault(token, Token(team=team))
        slack.user(user, team=team, name=f"name{user[1:]}")
    # An answer that was streamed was marked then.
    known = {field.name for field in fields(Message)}
    for said in memory["said"]:
        private = slack.workspace(said["team"]).dm_with(PEOPLE[said["team"]])
        private.messages[said["ts"]] = Message(**{name: said[name] for name in known & said.keys()})
