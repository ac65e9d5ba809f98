"""The shapes of what Slack sends: events with their wrapper, interactions and commands.

From the samples of Slack's own libraries (java-slack-sdk json-logs, the tests of bolt-python) and docs.slack.dev.
"""

from __future__ import annotations

import re
import secrets
import uuid
from typing import Any

from tests.emulators.slack_delivery import event_id
from tests.emulators.slack_forms import message_form, user_form
from tests.emulators.slack_world import Channel, Json, Message, Team, User, World

# What Slack leaves as it is in a text that somebody types; all else is escaped.
MARKED = re.compile(r"<(?:@[UW]\w+|#C\w+\|?[^>]*|!(?:here|channel|everyone)|https?://[^>\s]+)>")
MENTION = re.compile(r"<@([UW]\w+)>")
LINK = re.compile(r"https?://[^\s<>]+")
LEFT, ARCHIVED = "left", "archive"


def escaped(typed: str) -> str:
    """Return a typed text as Slack stores it: `&<>` escaped, links in brackets, mentions as they are."""
    parts, end = [], 0
    for found in MARKED.finditer(typed):
        parts += [_plain(typed[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*parts, _plain(typed[end:])])


def unescaped(text: str) -> str:
    """Return *text* with the three characters that Slack escapes."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _plain(text: str) -> str:
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return LINK.sub(lambda found: f"<{found[0]}>", safe)


def rich_text(text: str) -> list[Json]:
    """Return the blocks of what somebody typed; *text* is escaped."""
    elements, end = [], 0
    for found in MARKED.finditer(text):
        elements += [*_words(text[end : found.start()]), _marked(found[0][1:-1])]
        end = found.end()
    section = {"type": "rich_text_section", "elements": [*elements, *_words(text[end:])]}
    return [{"type": "rich_text", "block_id": secrets.token_urlsafe(4), "elements": [section]}]


def _words(text: str) -> list[Json]:
    return [{"type": "text", "text": unescaped(text)}] if text else []


def _marked(inner: str) -> Json:
    if inner.startswith("@"):
        return {"type": "user", "user_id": inner[1:]}
    if inner.startswith("#"):
        return {"type": "channel", "channel_id": inner[1:].partition("|")[0]}
    if inner.startswith("!"):
        return {"type": "broadcast", "range": inner[1:]}
    return {"type": "link", "url": unescaped(inner)}


def typed_in_command(world: World, text: str, *, escape: bool) -> str:
    """Return the text of a command: with `should_escape` mentions bring their name, without it only that is left."""

    def named(found: re.Match[str]) -> str:
        person = world.user(found[1])
        name = person.name if person else found[1]
        return f"<@{found[1]}|{name}>" if escape else f"@{name}"

    return MENTION.sub(named, escaped(text))


def new_client_msg_id() -> str:
    """Return an id as clients give it to what they send."""
    return str(uuid.uuid4())


def wrapped(world: World, team: Team, event: Json, *, ext_shared: bool = False, actor: str = "") -> Json:
    """Return the body that brings *event* to the installation in *team* (Events API, "Event type structure").

    In a shared channel `team_id` and `enterprise_id` are those of the *actor*'s workspace, as in the samples of Slack
    Connect in the tests of bolt-python; that of a whole organisation is that of no workspace.
    """
    enterprise, acting = team.enterprise or None, world.teams[actor] if ext_shared and actor else team
    authorization = {
        "enterprise_id": enterprise,
        "team_id": None if world.app.whole else team.id,
        "user_id": team.bot_user,
        "is_bot": True,
        "is_enterprise_install": world.app.whole,
    }
    return {
        "token": world.app.verification_token,
        "team_id": acting.id,
        **({"enterprise_id": acting.enterprise} if acting.enterprise else {}),
        "context_team_id": team.id,
        "context_enterprise_id": enterprise,
        "api_app_id": world.app.id,
        "event": event,
        "type": "event_callback",
        "event_id": event_id(),
        "event_time": int(world.now()),
        "authorizations": [authorization],
        "is_ext_shared_channel": ext_shared,
        "event_context": f"4-{secrets.token_urlsafe(24)}",
    }


def message_event(world: World, message: Message, channel: Channel, home: Team) -> Json:
    """Return the event of a new *message* to the bot of *home*; an author of another workspace is marked as such."""
    author = world.teams[message.team].users.get(message.user)
    return {
        **message_form(world, message, metadata=False),
        **_foreign(author, home),
        "channel": channel.id,
        "channel_type": channel.kind,
        "event_ts": message.ts,
        **(sight(world, home, message.user) if channel.kind == "im" else {}),
    }


def sight(world: World, home: Team, user: str) -> Json:
    """Return what Slack adds to what somebody does, for an agent: what they look at meanwhile."""
    seen = home.looking.get(user) if world.app.agent else None
    return {"app_context": {"entities": seen}} if seen else {}


def mention_event(world: World, message: Message, channel: Channel, home: Team) -> Json:
    """Return the second event of a *message* that mentions the bot."""
    event = message_event(world, message, channel, home) | {"type": "app_mention"}
    event.pop("channel_type")
    return event


def _foreign(author: User | None, home: Team) -> Json:
    if author is None or author.team_id == home.id:
        return {}
    profile = {"real_name": author.real_name, "display_name": author.name, "name": author.name, "team": author.team_id}
    return {"user_team": author.team_id, "source_team": author.team_id, "user_profile": profile}


def changed_event(channel: Channel, ts: str, message: Json, before: Json) -> Json:
    """Return the event of a message that reads otherwise now."""
    return _hidden(channel, ts, "message_changed") | {"message": message, "previous_message": before}


def deleted_event(channel: Channel, ts: str, before: Json) -> Json:
    """Return the event of a message that is gone."""
    return _hidden(channel, ts, "message_deleted") | {"deleted_ts": before["ts"], "previous_message": before}


def _hidden(channel: Channel, ts: str, subtype: str) -> Json:
    return {
        "type": "message",
        "subtype": subtype,
        "hidden": True,
        "channel": channel.id,
        "channel_type": channel.kind,
        "ts": ts,
        "event_ts": ts,
    }


def member_event(kind: str, team: Team, channel: Channel, user: str, ts: str, inviter: str = "") -> Json:
    """Return member_joined_channel or member_left_channel."""
    return {
        "type": kind,
        "user": user,
        "channel": channel.id,
        "channel_type": "G" if channel.kind == "group" else "C",
        "team": team.id,
        "event_ts": ts,
        **({"inviter": inviter} if inviter else {}),
    }


def channel_event(channel: Channel, act: str, actor: str, ts: str) -> Json:
    """Return channel_left or channel_archive, which begin with "group" for a private channel."""
    kind = "group" if channel.kind == "group" else "channel"
    who = "actor_id" if act == LEFT else "user"
    return {"type": f"{kind}_{act}", "channel": channel.id, who: actor, "event_ts": ts}


def user_event(kind: str, user: User, team: Team, ts: str) -> Json:
    """Return user_change or team_join."""
    return {"type": kind, "user": user_form(user, team), "cache_ts": int(float(ts)), "event_ts": ts}


def actor(team: Team, user: User) -> Json:
    """Return who did it, as interactions name them: their workspace may be another one."""
    return {"id": user.id, "username": user.name, "name": user.name, "team_id": user.team_id}


def interaction(world: World, team: Team, user: User, kind: str, **fields: Any) -> Json:
    """Return an interaction of *kind*; its trigger is already made, in *fields*."""
    return {
        "type": kind,
        # Of an organisation's installation it is who did it that says where.
        "team": None if world.app.whole else {"id": team.id, "domain": team.domain},
        "enterprise": {"id": team.enterprise, "name": team.enterprise} if team.enterprise else None,
        "user": actor(team, user),
        "api_app_id": world.app.id,
        "token": world.app.verification_token,
        "is_enterprise_install": world.app.whole,
        **fields,
    }


def place(channel: Channel) -> Json:
    """Return a channel as interactions name it; private ones lose their name."""
    names = {"im": "directmessage", "mpim": "privategroup", "group": "privategroup"}
    return {"id": channel.id, "name": names.get(channel.kind, channel.name)}


def command_form(world: World, team: Team, user: User, channel: Channel, **fields: str) -> Json:
    """Return the form of a slash command ("Enabling interactivity with Slash commands")."""
    enterprise = {"enterprise_id": team.enterprise, "enterprise_name": team.enterprise} if team.enterprise else {}
    named = place(channel)
    return {
        "token": world.app.verification_token,
        "team_id": team.id,
        "team_domain": team.domain,
        **enterprise,
        "channel_id": named["id"],
        "channel_name": named["name"],
        "user_id": user.id,
        "user_name": user.name,
        "api_app_id": world.app.id,
        "is_enterprise_install": "true" if world.app.whole else "false",
        **fields,
    }
