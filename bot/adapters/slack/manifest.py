"""The app as Slack is to know it: what it may do, what it is told of, and why.

`teller slack manifest` prints it, and doctor compares it with what a token really has. Which scope a method or an event
needs is said on its page at docs.slack.dev/reference; the fields are those of docs.slack.dev/reference/app-manifest.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from bot.adapters.slack.send.prompts import prompts

MINIMAL, CHANNELS = "minimal", "channels"
PROFILES = (MINIMAL, CHANNELS)
NEW_APP = "https://api.slack.com/apps?new_app=1"
CONNECT_SCOPE = "connections:write"
# The pages by which the app is installed.
INSTALL, BACK = "/slack/install", "/slack/oauth"

HISTORY = ("channels:history", "groups:history", "im:history", "mpim:history")
READ = ("channels:read", "groups:read", "im:read", "mpim:read")


@dataclass(frozen=True, slots=True)
class Scope:
    """Something that the app may do: what for, and what is off without it."""

    name: str
    why: str
    off: str
    profile: str = MINIMAL


@dataclass(frozen=True, slots=True)
class Event:
    """Something that the app is told of, and what for; one of `scopes` is needed, if there are any."""

    name: str
    why: str
    scopes: tuple[str, ...] = ()
    profile: str = MINIMAL


SCOPES = (
    Scope("app_mentions:read", "hear when it is mentioned in a channel", "mentions in channels are not heard"),
    Scope("chat:write", "write, and show that it is at work", "it can write nothing"),
    Scope("commands", "slash commands and shortcuts", "there are no slash commands and no shortcuts"),
    Scope("files:read", "fetch the files that it is sent", "files are not fetched"),
    Scope("files:write", "send files, such as an export", "it can send no files"),
    Scope("im:history", "hear what is said to it in private", "private messages are not heard"),
    Scope("im:read", "know its private chats", "what it missed in private is not caught up"),
    Scope("im:write", "begin a private chat, for a reminder or an answer", "it can begin no private chat"),
    Scope("reactions:write", "put 👀 below a message where no status can be shown", "no 👀 while it works"),
    Scope("users:read", "names, languages, time zones, and who is a guest", "nobody's name and time zone is known"),
    Scope(
        "channels:history",
        "hear public channels that it is in: threads that go on, reading along, what it missed",
        "in public channels only mentions are heard, threads are not read, and nothing is caught up",
        CHANNELS,
    ),
    Scope(
        "channels:manage",
        "leave a public channel that a stranger brought it into",
        "it stays, silent, in public channels that strangers bring it into",
        CHANNELS,
    ),
    Scope(
        "channels:read",
        "names of public channels, who is in them, and whether it is",
        "public channels have no names, and who is in them is not known",
        CHANNELS,
    ),
    Scope(
        "groups:history",
        "the same as channels:history, in private channels",
        "in private channels only mentions are heard, threads are not read, and nothing is caught up",
        CHANNELS,
    ),
    Scope(
        "groups:read",
        "the same as channels:read, for private channels",
        "private channels have no names, and who is in them is not known",
        CHANNELS,
    ),
    Scope(
        "groups:write",
        "leave a private channel that a stranger brought it into",
        "it stays, silent, in private channels that strangers bring it into",
        CHANNELS,
    ),
    Scope(
        "mpim:history",
        "the same as channels:history, in chats of several people",
        "in chats of several people only mentions are heard",
        CHANNELS,
    ),
    Scope(
        "mpim:read",
        "who is in a chat of several people",
        "who is in a chat of several people is not known",
        CHANNELS,
    ),
)
# What belongs to an agent (`features.agent_view`): apps made before go on without it, so it is never missing.
AGENT = (Scope("assistant:write", "be found as an agent, and suggest prompts", "no suggested prompts"),)
DESCRIPTION = "Keeps your reminders and to-dos, and answers questions. Write to it as you would to a colleague."

EVENTS = (
    Event("app_context_changed", "Slack wants it of an agent; what somebody looks at is neither read nor kept"),
    Event("app_home_opened", "show the Home tab, and suggest prompts in the private chat"),
    Event("app_mention", "be spoken to in channels", ("app_mentions:read",)),
    Event("app_uninstalled", "stop when the app is removed"),
    Event("message.im", "be spoken to in private", ("im:history",)),
    Event("tokens_revoked", "stop when its token is revoked"),
    Event("user_change", "keep up with names, zones and who is still a member", ("users:read",)),
    Event("channel_archive", "know that a public channel has ended", ("channels:read",), CHANNELS),
    Event("channel_left", "know that it was removed from a public channel", ("channels:read",), CHANNELS),
    Event("group_archive", "know that a private channel has ended", ("groups:read",), CHANNELS),
    Event("group_left", "know that it was removed from a private channel", ("groups:read",), CHANNELS),
    Event(
        "member_joined_channel", "know who brought it in, and who is back", ("channels:read", "groups:read"), CHANNELS
    ),
    Event("member_left_channel", "know who is not there any more", ("channels:read", "groups:read"), CHANNELS),
    Event("message.channels", "threads that go on, edits, reading along", ("channels:history",), CHANNELS),
    Event("message.groups", "the same in private channels", ("groups:history",), CHANNELS),
    Event("message.mpim", "the same in chats of several people", ("mpim:history",), CHANNELS),
)

# Method -> scopes of which one is needed; which one may depend on the kind of conversation.
METHODS: Mapping[str, tuple[str, ...]] = {
    "apps.connections.open": (),  # the app-level token has the one it needs, CONNECT_SCOPE
    "assistant.threads.setStatus": ("chat:write",),
    "assistant.threads.setSuggestedPrompts": ("assistant:write",),
    "auth.test": (),
    "chat.getPermalink": (),
    "chat.postEphemeral": ("chat:write",),
    "chat.postMessage": ("chat:write",),
    "chat.update": ("chat:write",),
    "conversations.history": HISTORY,
    "conversations.info": READ,
    "conversations.leave": ("channels:manage", "groups:write"),
    "conversations.members": READ,
    "conversations.open": ("im:write",),
    "conversations.replies": HISTORY,
    "files.completeUploadExternal": ("files:write",),
    "files.getUploadURLExternal": ("files:write",),
    "files.info": ("files:read",),
    "oauth.v2.access": (),  # by the app's id and secret
    "reactions.add": ("reactions:write",),
    "reactions.remove": ("reactions:write",),
    "users.conversations": READ,
    "users.info": ("users:read",),
    "users.list": ("users:read",),
    "views.open": (),
    "views.publish": (),
    "views.update": (),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What differs from app to app. With `url` Slack posts there (mode http); without it the bot asks Slack.

    `back` is where Slack leads people who install the app by its page; empty where that is not wished for.
    """

    profile: str = CHANNELS
    command: str = "/teller"
    todo_command: str = "/todo"
    url: str = ""
    back: str = ""


def manifest(wishes: Wishes) -> str:
    """Return the manifest as YAML, with the reason for each scope and event as a comment."""
    lines = [
        "# The app, for Slack to know it. Open this page and paste everything here (the comments may stay):",
        f"#   {NEW_APP}",
        f'# Choose "From a manifest", your workspace, and YAML. Profile: {wishes.profile}.',
        *("_metadata:", "  major_version: 2", "  minor_version: 1"),
        *("display_information:", "  name: Teller", '  description: "Reminders, to-dos and answers"'),
        *_features(wishes),
        "oauth_config:",
    ]
    if wishes.back:
        lines += ["  redirect_urls:", f"    - {json.dumps(wishes.back)}  # where people come back to who install it"]
    lines += ["  scopes:", "    bot:"]
    lines += [f"      - {scope.name}  # {scope.why}" for scope in scopes(wishes.profile)]
    lines += [f"      - {scope.name}  # {scope.why}" for scope in AGENT]
    return "\n".join([*lines, *_settings(wishes), ""])


def scopes(profile: str) -> tuple[Scope, ...]:
    """Return the scopes of a profile."""
    return tuple(one for one in SCOPES if one.profile in (MINIMAL, profile))


def events(profile: str) -> tuple[Event, ...]:
    """Return the events of a profile."""
    return tuple(one for one in EVENTS if one.profile in (MINIMAL, profile))


def missing(given: Collection[str]) -> tuple[Scope, ...]:
    """Return the scopes that a token lacks; those for channels only if it has some of them."""
    channels = {one.name for one in SCOPES if one.profile == CHANNELS}
    profile = CHANNELS if channels & set(given) else MINIMAL
    return tuple(one for one in scopes(profile) if one.name not in given)


def _features(wishes: Wishes) -> Iterator[str]:
    yield from ("features:", "  bot_user:", "    display_name: Teller", "    always_online: true", "  app_home:")
    yield "    home_tab_enabled: true  # to-dos and reminders at a glance"
    yield "    messages_tab_enabled: true  # the private chat"
    yield "    messages_tab_read_only_enabled: false"
    yield "  agent_view:  # apps made today are agents; Slack cannot undo it where it is added to an older app"
    yield f"    agent_description: {json.dumps(DESCRIPTION)}"
    yield "    suggested_prompts:  # in English; in the private chat they come in everybody's language"
    for prompt in prompts(""):
        yield f"      - title: {json.dumps(prompt['title'])}"
        yield f"        message: {json.dumps(prompt['message'])}"
    yield "  slash_commands:"
    yield from _command(
        wishes.command, "Everything the bot can do", "[help | todo milk | remind tomorrow at 9 …]", wishes
    )
    yield from _command(wishes.todo_command, "Your to-do list", "[call Oma tomorrow at 5 | done milk]", wishes)
    yield "  shortcuts:"
    yield from _shortcut("Remind me about this", "message", "remind_message", "Be reminded of a message")
    yield from _shortcut("New to-do", "global", "new_todo", "Note something on your list")


def _command(name: str, description: str, hint: str, wishes: Wishes) -> Iterator[str]:
    yield f"    - command: {name}"
    yield from _posted("      url", wishes)
    yield f"      description: {json.dumps(description)}"
    yield f"      usage_hint: {json.dumps(hint, ensure_ascii=False)}"
    yield "      should_escape: true  # people and channels come by their ids"


def _shortcut(name: str, kind: str, callback: str, description: str) -> Iterator[str]:
    yield f"    - name: {json.dumps(name)}"
    yield f"      type: {kind}"
    yield f"      callback_id: {callback}"
    yield f"      description: {json.dumps(description)}"


def _settings(wishes: Wishes) -> Iterator[str]:
    yield from ("settings:", "  event_subscriptions:")
    yield from _posted("    request_url", wishes)
    yield "    bot_events:"
    for event in events(wishes.profile):
        yield f"      - {event.name}  # {event.why}"
    yield from ("  interactivity:", "    is_enabled: true")
    yield from _posted("    request_url", wishes)
    yield "  org_deploy_enabled: false"
    yield f"  socket_mode_enabled: {'false' if wishes.url else 'true'}"
    yield "  token_rotation_enabled: false  # a token that runs out could not stand in a configuration"


def _posted(key: str, wishes: Wishes) -> Iterator[str]:
    if wishes.url:
        yield f"{key}: {json.dumps(wishes.url)}"
