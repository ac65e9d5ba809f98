"""One installation for all workspaces of an organisation: whose turn it is when a call comes with its token.

docs.slack.dev, "Using APIs with organization-wide apps": methods about a whole workspace want its `team_id`; for all
others what they name says where it is.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack_rules import COMMON, ApiError, Params
from tests.emulators.slack_world import Json, Team, Token, World


@cache
def wants_team(method: str) -> bool:
    """Tell whether an organisation's token has to say of which workspace *method* is to speak."""
    return COMMON in inspect.signature(getattr(AsyncWebClient, method.replace(".", "_"))).parameters


def meant(world: World, token: Token, method: str, params: Params) -> Team:
    """Return the workspace of which a call is; raise ``ApiError`` when it may not be, or does not say."""
    home = world.teams[token.team]
    if not token.organisation:
        return home
    named, granted = params.get(COMMON), [team for team in home.together if team.installed]
    if named:
        found = [team for team in granted if team.id == named]
    elif wants_team(method):
        raise ApiError("missing_argument", f"[ERROR] missing required field: {COMMON}")
    else:
        known = [team for team in home.together if _knows(world, team, params)]
        found = [team for team in known if team.installed] or ([] if known else granted)
    if found or method in ("auth.test", "auth.teams.list"):
        return (found or [home])[0]
    raise ApiError("team_access_not_granted")


def _knows(world: World, team: Team, params: Params) -> bool:
    """Whether something that a call names is in a workspace."""
    trigger = world.triggers.get(_word(params, "trigger_id"))
    views = (view.id for stack in team.modals.values() for view in stack)
    channel = _word(params, "channel") or _word(params, "channel_id")
    if channel:
        return channel in team.channels or channel in team.users
    return (
        (trigger is not None and trigger.team == team.id)
        or _word(params, "view_id") in views
        or _word(params, "file") in team.files
        or any(name in team.users for name in (_word(params, "user"), _word(params, "user_id")))
        or bool(set(_word(params, "users").split(",")) & team.users.keys())
    )


def _word(params: Params, name: str) -> str:
    found: Any = params.get(name)
    return found if isinstance(found, str) else ""


def withdrawn(world: World, team: Team) -> Json:
    """Return the fields that the body of an event about some workspaces of an organisation has for its own."""
    authorization = {"enterprise_id": team.enterprise, "team_id": None, "user_id": team.bot_user, "is_bot": True}
    return {
        "team_id": None,
        "enterprise_id": team.enterprise,
        "context_team_id": None,
        "authorizations": [authorization | {"is_enterprise_install": world.app.whole}],
    }
