"""What an event says of the app's being removed: from where, in which organisation, and when."""

from __future__ import annotations

from collections.abc import Sequence

from bot.adapters.slack.install.oauth import WORKSPACE
from bot.adapters.slack.parse.events import event_of
from bot.adapters.slack.parse.messages import Fields, text_of
from bot.adapters.slack.send.client import fields
from core.kernel.types import Millis


def organisation_of(payload: Fields) -> str:
    """Return the organisation of the workspace for which a payload is, empty when it says none."""
    found = (
        *(text_of(one, "enterprise_id") for one in _authorized(payload)),
        text_of(payload, "enterprise_id"),
        text_of(fields(payload.get("enterprise")), "id"),
        text_of(fields(payload.get("team")), "enterprise_id"),
    )
    return next(filter(None, found), "")


def whole(payload: Fields) -> bool | None:
    """Whether an event is for the installation of a whole organisation; None when it does not say."""
    found = next((one.get("is_enterprise_install") for one in _authorized(payload)), None)
    return found if isinstance(found, bool) else None


def _authorized(payload: Fields) -> Sequence[Fields]:
    given = payload.get("authorizations")
    return [one for one in given if isinstance(one, dict)][:1] if isinstance(given, list) else []


def removal(event: Fields) -> bool:
    """Whether an event says that the bot has no token any more; that people's own tokens ended is no matter."""
    if text_of(event, "type") != "tokens_revoked":
        return True
    return bool(fields(event.get("tokens")).get("bot"))


def withdrawn_from(payload: Fields) -> list[str]:
    """Return the workspaces that an event takes the app away from."""
    given = event_of(payload).get("team_ids")
    return (
        [one for one in given if isinstance(one, str) and WORKSPACE.fullmatch(one)] if isinstance(given, list) else []
    )


def happened(payload: Fields) -> Millis | None:
    """Return when an event happened at the latest (`event_time` is in seconds), None when it does not say."""
    at = payload.get("event_time")
    return second(1000 * at) if isinstance(at, int) and not isinstance(at, bool) else None


def second(at: Millis) -> Millis:
    """Return the end of the second in which something happened: of what happened in it nobody knows the order."""
    return 1000 * (at // 1000 + 1)


def within(payload: Fields, organisation: str, team: str) -> bool:
    """Whether an event says itself that its workspace is one of an organisation; nothing else says so surely.

    In a channel that is shared with others `team_id` and `enterprise_id` may be of whoever did something there
    (https://docs.slack.dev/apis/slack-connect), the `context_…` ones are of who is told.
    """
    told = text_of(payload, "context_enterprise_id"), text_of(payload, "context_team_id")
    return told == (organisation, team)
