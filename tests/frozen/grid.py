"""An emulated Slack with an organisation of two workspaces and a workspace of its own, as it is frozen and thawed."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from tests.emulators.slack import SlackServer
from tests.emulators.slack_world import Message, Token

FIRST, SECOND, ALONE, WHOLE = "T0001", "T0002", "T0003", "E0001"
PEOPLE = {FIRST: "U1001", SECOND: "U1002", ALONE: "U1003"}
KEPT = [one.name for one in fields(Message) if one.name not in {"call", "edits"}]


def build(slack: SlackServer) -> None:
    """Found the workspaces, with somebody in each."""
    slack.retry_after = (0.0, *([0.25] * 400))
    for team in (SECOND, ALONE):
        slack.world.team(team, installed=False)
    for team in (FIRST, SECOND):
        slack.workspace(team).enterprise = WHOLE
    for team, user in PEOPLE.items():
        slack.user(user, team=team, name=f"name{user[1:]}")


def allowed() -> str:
    """The configuration's list of those who have access."""
    return json.dumps([f"slack:{team}" for team in PEOPLE])


def remembered(slack: SlackServer) -> dict[str, Any]:
    """Return the tokens of the app, and what stands in the private chats."""
    tokens = {team: slack.workspace(team).bot_token for team in PEOPLE}
    said = []
    for team, user in PEOPLE.items():
        room = slack.workspace(team).dm_with(user)
        said += [{name: getattr(one, name) for name in KEPT} for one in room.messages.values()]
    return {"tokens": tokens, "said": said}


def restore(slack: SlackServer, memory: dict[str, Any]) -> None:
    """Let a fresh server know them."""
    build(slack)
    for team, token in memory["tokens"].items():
        home = slack.workspace(team)
        home.bot_token, home.installed, home.granted = token, True, bool(home.enterprise)
        slack.world.tokens.setdefault(token, Token(team=team, organisation=home.enterprise))
    whole = [slack.workspace(FIRST), slack.workspace(SECOND)]
    for one in whole:
        one.together = whole
    for said in memory["said"]:
        home = slack.workspace(said["team"])
        home.dm_with(PEOPLE[said["team"]]).messages[said["ts"]] = Message(**said)
