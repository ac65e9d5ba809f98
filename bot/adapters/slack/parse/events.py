"""From the Events API (https://docs.slack.dev/apis/events-api) to our updates.

Our own few lines on raw JSON: what nobody foresaw becomes an `Unreadable`, and never stops what comes behind it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.adapters.slack.directory.people import read_person
from bot.adapters.slack.parse.messages import (
    Fields,
    Known,
    address,
    dumped,
    instant,
    is_private,
    message,
    named_in,
    required,
    sender,
    stamp,
    text_of,
)
from bot.adapters.slack.parse.text import Me
from bot.adapters.slack.send.client import fields
from core.kernel.clean_text import storable
from core.kernel.updates import Left, Opened, Presence, Profile, Returned, Skipped, Unreadable, Update

MESSAGES = frozenset({"message", "app_mention"})
GONE = frozenset({"channel_left", "group_left", "channel_archive", "group_archive"})
ENDED = frozenset({"app_uninstalled", "tokens_revoked"})
# What somebody looks at elsewhere in Slack is nobody's business here: it is acknowledged, and not even looked into.
UNREAD = frozenset({"app_context_changed"})
HOME = "home"
# What the ids of organisations begin with.
ORGANISATION = "E"


def team_of(payload: Fields) -> str:
    """Return the workspace for which a payload is: in a shared channel the one whose bot is told.

    An organisation's id is never that. `team_id` alone may be that of whoever did something, in another company.
    """
    given = payload.get("authorizations")
    for one in given if isinstance(given, list) else ():
        if isinstance(one, dict) and _is_team(one.get("team_id")):
            return str(one["team_id"])
    team, view, user = (payload.get(name) for name in ("team", "view", "user"))
    found = (
        payload.get("context_team_id"),
        view.get("app_installed_team_id") if isinstance(view, dict) else None,
        team.get("id") if isinstance(team, dict) else team,
        payload.get("team_id"),
        view.get("team_id") if isinstance(view, dict) else None,
        user.get("team_id") if isinstance(user, dict) else None,
    )
    return next((str(one) for one in found if _is_team(one)), "")


def _is_team(value: object) -> bool:
    return isinstance(value, str) and bool(value) and not value.startswith(ORGANISATION)


def event_of(payload: Fields) -> Fields:
    """Return the event in a payload of the Events API."""
    event = payload.get("event")
    return event if isinstance(event, dict) else {}


def wanted(event: Fields, me: Me) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Return the ids of those of whom more must be known to read an event, of those whom it names, and its channel."""
    channel = text_of(event, "channel")
    match text_of(event, "type"):
        case "message" | "app_mention":
            wants_none = event.get("bot_id") or text_of(event, "subtype") == "message_deleted"
            return ((), (), "") if wants_none else (*named_in(event), channel)
        case "member_joined_channel" if event.get("user") == me.user:
            return tuple(filter(None, (text_of(event, "inviter"),))), (), channel
        case "app_home_opened":
            return tuple(filter(None, (text_of(event, "user"),))), (), ""
    return (), (), ""


def parse(event: Fields, me: Me, known: Known) -> Update:
    """Read an event; what cannot be read becomes `Unreadable`."""
    kind = text_of(event, "type")
    read = _READERS.get(kind)
    if read is None:
        return Skipped(key=f"x:{kind[:40]}:{text_of(event, 'event_ts')[:20]}")
    return readable(event, lambda: read(event, me, known))


def readable(fields: Fields, read: Callable[[], Update], without: Sequence[str] = ()) -> Update:
    """Read something of Slack's; whatever is wrong with it is kept to be looked at, `without` what is secret."""
    try:
        return read()
    except Exception as error:
        # One bad payload must not stop the others, whatever is in it.
        return unreadable(fields, error, without)


def unreadable(fields: Fields, error: Exception, without: Sequence[str] = ()) -> Unreadable:
    """Return what is kept of something that cannot be read."""
    raw = dumped(fields, without)
    key = f"sha256:{hashlib.sha256(raw.encode()).hexdigest()}"
    return Unreadable(key=key, raw=raw, error=storable(f"{type(error).__name__}: {error}"))


def _joined(event: Fields, me: Me, known: Known) -> Update:
    """Read member_joined_channel; that of the bot says something only where somebody invited it."""
    channel, key = required(event, "channel"), _member_key(event)
    if required(event, "user") != me.user:
        at = instant(required(event, "event_ts"))
        return Returned(key=key, chat=channel, addresses=(_member(event, me, known),), at=at)
    if not text_of(event, "inviter"):
        return Skipped(key=key)
    who = sender(event, me, known, "inviter")
    return Presence(
        key=key,
        chat=channel,
        sender=who,
        present=True,
        raw=dumped(event),
        chat_kind="group",
        title=known.title,
    )


def _left(event: Fields, me: Me, known: Known) -> Update:
    """Read member_left_channel."""
    if required(event, "user") == me.user:
        return _gone(event, me, known)
    key, channel, at = _member_key(event), required(event, "channel"), instant(required(event, "event_ts"))
    return Left(key=key, chat=channel, address=_member(event, me, known), at=at)


def _member(event: Fields, me: Me, known: Known) -> str:
    """Return the address of who joined a channel or left it."""
    user = required(event, "user")
    who = known.people.get(user)
    return who.address if who else address(text_of(event, "user_team") or me.team, user)


def _gone(event: Fields, me: Me, known: Known) -> Update:
    """Read that the bot is not in a channel any more, or that the channel is archived."""
    channel = required(event, "channel")
    actor = text_of(event, "actor_id") or text_of(event, "user") or me.user
    return Presence(
        key=f"{_member_key(event)}:{text_of(event, 'type')}",
        chat=channel,
        sender=known.people.get(actor) or sender({"user": actor}, me, known),
        present=False,
        raw=dumped(event),
        chat_kind="private" if is_private(channel) else "group",
    )


def _changed(event: Fields, me: Me, known: Known) -> Update:
    """Read user_change."""
    user = event["user"]
    number = required(user, "id")
    who = known.people.get(number) or read_person(user, me)
    return Profile(key=f"u:{number}:{stamp(event, 'event_ts')}", sender=who, gone=user.get("deleted") is True)


def _opened(event: Fields, me: Me, known: Known) -> Update:
    """Read app_home_opened; its other tab is the conversation itself."""
    key = f"o:{required(event, 'user')}:{stamp(event, 'event_ts')}"
    if text_of(event, "tab") != HOME:
        return Skipped(key=key)
    return Opened(key=key, chat=required(event, "channel"), sender=sender(event, me, known))


def _member_key(event: Fields) -> str:
    return f"j:{required(event, 'channel')}:{stamp(event, 'event_ts')}"


_READERS: Mapping[str, Callable[[Fields, Me, Known], Update]] = {
    **dict.fromkeys(MESSAGES, message),
    **dict.fromkeys(GONE, _gone),
    "member_joined_channel": _joined,
    "member_left_channel": _left,
    "user_change": _changed,
    "app_home_opened": _opened,
}


def for_organisation(payload: Fields) -> bool:
    """Return whether something is for the installation of a whole organisation."""
    given = payload.get("authorizations")
    authorized = [one for one in given if isinstance(one, dict)][:1] if isinstance(given, list) else []
    # In a form it is a word.
    return any(one.get("is_enterprise_install") in (True, "true") for one in (*authorized, payload))


def ends_bot(event: Fields) -> bool:
    """Whether an event says that the bot has no token any more; that people's own tokens ended is no matter."""
    if text_of(event, "type") != "tokens_revoked":
        return True
    return bool(fields(event.get("tokens")).get("bot"))


def heard_at(event: Fields) -> str:
    """Return the time stamp of what somebody wrote, empty for all else: so far everything of a channel is here."""
    found: Any = event.get("event_ts") or event.get("ts")
    try:
        return stamp({"ts": found}) if event.get("type") in MESSAGES else ""
    except (TypeError, ValueError):
        return ""
