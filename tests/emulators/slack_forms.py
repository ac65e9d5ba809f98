"""How the emulated Slack writes people, channels, messages and views on the wire."""

from __future__ import annotations

from tests.emulators.slack_world import Channel, Json, Message, Team, User, View, World


def ts_key(ts: str) -> tuple[int, int]:
    """Return *ts* as numbers that sort; raise ``ValueError`` for no time stamp."""
    seconds, _, micros = ts.partition(".")
    return int(seconds), int(micros[:6].ljust(6, "0"))


def user_form(user: User, team: Team, *, locale: bool = False) -> Json:
    """Return a user object as *team* sees it; one that is deleted, or without a zone, has no field for it."""
    form: Json = {
        "id": user.id,
        "team_id": user.team_id,
        "name": user.name,
        "deleted": user.deleted,
        "real_name": user.real_name or user.name,
        "profile": _profile(user, team),
        "is_admin": user.is_admin,
        "is_owner": False,
        "is_restricted": user.is_restricted,
        "is_ultra_restricted": user.is_ultra_restricted,
        "is_bot": user.is_bot,
        "is_app_user": False,
        "updated": user.updated,
    }
    if user.tz and not user.deleted:
        form |= {"tz": user.tz, "tz_label": user.tz, "tz_offset": user.tz_offset}
    if user.team_id != team.id:
        form["is_stranger"] = False
    return form | ({"locale": user.locale} if locale else {})


def _profile(user: User, team: Team) -> Json:
    # A bot has the name that the app was given, and none to be displayed in its place.
    own = {
        "display_name": "" if user.is_bot else user.name,
        "real_name": user.real_name or user.name,
        "team": user.team_id,
    }
    if user.id == team.bot_user:
        return own | {"bot_id": team.bot_id, "api_app_id": team.app_id}
    return own


def channel_form(channel: Channel, team: Team, *, members: bool = False) -> Json:
    """Return a conversation object, as the bot of *team* sees it."""
    form: Json = {
        "id": channel.id,
        "created": 1700000000,
        "is_archived": channel.archived,
        "is_channel": channel.kind == "channel",
        "is_group": channel.kind == "group",
        "is_im": channel.kind == "im",
        "is_mpim": channel.kind == "mpim",
        "is_private": channel.kind != "channel",
        "is_org_shared": False,
        "is_shared": channel.is_ext_shared,
        "is_ext_shared": channel.is_ext_shared,
        "context_team_id": team.id,
    }
    if channel.kind == "im":
        form |= {"user": channel.user, "is_user_deleted": False}
    else:
        form |= {"name": channel.name, "creator": channel.creator, "is_member": team.bot_user in channel.members}
    return form | ({"num_members": len(channel.members)} if members else {})


def message_form(world: World, message: Message, *, metadata: bool = True) -> Json:
    """Return a message object; its metadata are left out unless wanted."""
    form: Json = {"type": "message", "ts": message.ts, "text": message.text, "team": _home(world, message)}
    optional: Json = {
        "subtype": message.subtype,
        "user": message.user,
        "client_msg_id": message.client_msg_id,
        "blocks": message.blocks,
        "attachments": message.attachments,
        "files": message.files,
        "thread_ts": message.thread_ts,
        "edited": message.edited,
        "metadata": message.metadata if metadata else None,
        **message.extra,
    }
    if message.bot_id:
        form |= _bot(world, message)
    if message.reactions:
        form["reactions"] = [{"name": n, "users": who, "count": len(who)} for n, who in message.reactions.items()]
    return form | {name: value for name, value in optional.items() if value}


def _home(world: World, message: Message) -> str:
    team = world.teams[message.team]
    author = team.users.get(message.user) or world.user(message.user)
    return author.team_id if author else team.id


def _bot(world: World, message: Message) -> Json:
    team = world.teams[message.team]
    if message.bot_id != team.bot_id:
        return {"bot_id": message.bot_id}
    profile = {"id": team.bot_id, "app_id": team.app_id, "name": team.bot.name, "deleted": False, "team_id": team.id}
    return {"bot_id": message.bot_id, "app_id": team.app_id, "bot_profile": profile}


def thread_form(world: World, channel: Channel, message: Message, *, metadata: bool = True) -> Json:
    """Return a message object with what it says of its thread, a tombstone for a deleted one that has answers."""
    form = message_form(world, message, metadata=metadata)
    answers = replies(channel, message.ts)
    if message.deleted:
        form = {"type": "message", "ts": message.ts, "subtype": "tombstone", "hidden": True, "user": "USLACKBOT"}
        form["text"] = "This message was deleted."
    if answers:
        users = list(dict.fromkeys(answer.user for answer in answers))
        form |= {"thread_ts": message.ts, "reply_count": len(answers), "latest_reply": answers[-1].ts}
        form |= {"reply_users": users[:5], "reply_users_count": len(users)}
    return form


def replies(channel: Channel, root: str) -> list[Message]:
    """Return the answers in the thread of *root* that are still there, oldest first."""
    found = [m for m in channel.messages.values() if m.thread_ts == root != m.ts and not m.deleted]
    return sorted(found, key=lambda message: ts_key(message.ts))


def view_form(view: View, team: Team) -> Json:
    """Return a view object with everything that Slack adds to what the bot sent."""
    defaults: Json = {
        "title": None,
        "submit": None,
        "close": None,
        "callback_id": "",
        "private_metadata": "",
        "external_id": "",
        "clear_on_close": False,
        "notify_on_close": False,
    }
    return (
        defaults
        | view.content
        | {
            "id": view.id,
            "team_id": team.id,
            "app_id": team.app_id,
            "app_installed_team_id": team.id,
            "bot_id": team.bot_id,
            "hash": view.hash,
            "state": view.state,
            "root_view_id": view.root_id or view.id,
            "previous_view_id": view.previous_id or None,
        }
    )
