"""What an event says of the app's being removed: of what, and when."""

from __future__ import annotations

from bot.adapters.slack.parse.messages import Fields, text_of
from bot.adapters.slack.send.client import fields
from core.kernel.types import Millis


def whole(payload: Fields) -> bool:
    """Return whether something is for the installation of a whole organisation."""
    given = payload.get("authorizations")
    authorized = [one for one in given if isinstance(one, dict)][:1] if isinstance(given, list) else []
    # In a form it is a word.
    return any(one.get("is_enterprise_install") in (True, "true") for one in (*authorized, payload))


def removal(event: Fields) -> bool:
    """Whether an event says that the bot has no token any more; that people's own tokens ended is no matter."""
    if text_of(event, "type") != "tokens_revoked":
        return True
    return bool(fields(event.get("tokens")).get("bot"))


def happened(payload: Fields) -> Millis | None:
    """Return the end of the second in which an event happened (`event_time`), None when it does not say.

    Of what happened in one second nobody knows the order.
    """
    at = payload.get("event_time")
    return 1000 * (at + 1) if isinstance(at, int) and not isinstance(at, bool) else None
