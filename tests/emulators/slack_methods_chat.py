"""chat.*: what the bot says, changes and takes back."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.emulators.slack_asking import Ask, Method
from tests.emulators.slack_blocks import checked_blocks, readable
from tests.emulators.slack_forms import message_form, replies
from tests.emulators.slack_rules import ApiError, Params
from tests.emulators.slack_world import Channel, Json, Message, User

# chat.postMessage, "Truncating content"; chat.update, "msg_too_long"; "markdown_text"; "Message metadata".
POST_TEXT, UPDATE_TEXT, MARKDOWN_TEXT, METADATA_BYTES = 40_000, 4_000, 12_000, 16_000
STAMP = re.compile(r"\d{10}\.\d{6}")
LOOKS = frozenset({"username", "icon_emoji", "icon_url"})
CONTENT = ("text", "blocks", "attachments", "markdown_text")


class Chat:
    """The methods that send, change and delete messages."""

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "chat.postMessage": self._post,
            "chat.postEphemeral": self._post_ephemeral,
            "chat.update": self._update,
            "chat.delete": self._delete,
            "chat.getPermalink": self._permalink,
        }

    def _post(self, ask: Ask) -> Json:
        check_author(ask)
        channel = postable(ask, ask.params["channel"])
        said = content(ask.params, POST_TEXT)
        thread = threaded(ask, channel)
        said["metadata"] = checked_metadata(ask.params.get("metadata"))
        if thread and ask.params.get("reply_broadcast"):
            said |= {"subtype": "thread_broadcast", "extra": {"root": {"ts": thread}}}
        message = post(ask, channel, thread_ts=thread, **said)
        return {"channel": channel.id, "ts": message.ts, "message": message_form(ask.world, message)}

    def _post_ephemeral(self, ask: Ask) -> Json:
        check_author(ask)
        channel = postable(ask, ask.params["channel"], direct=False)
        if ask.params["user"] not in channel.members:
            raise ApiError("user_not_in_channel")
        said = content(ask.params, POST_TEXT)
        message = ask.world.post(
            ask.team,
            channel,
            user=ask.team.bot_user,
            bot_id=ask.team.bot_id,
            ephemeral_for=ask.params["user"],
            thread_ts=threaded(ask, channel),
            call=ask.call,
            **said,
        )
        return {"message_ts": message.ts}

    def _update(self, ask: Ask) -> Json:
        message = _own(ask, "cant_update_message")
        if ask.team.channels[message.channel].archived:
            raise ApiError("is_inactive")
        said = _changes(ask.params)
        before = message_form(ask.world, message)
        message.edits.append(before)
        for name, value in said.items():
            setattr(message, name, value)
        if not message.blocks:
            message.edited = {"user": ask.team.bot_user, "ts": ask.world.next_ts()}
        ask.hooks.edited(message, before)
        form = message_form(ask.world, message)
        return {"channel": message.channel, "ts": message.ts, "text": message.text, "message": form}

    def _delete(self, ask: Ask) -> Json:
        message = _own(ask, "cant_delete_message")
        message.deleted = True
        ask.hooks.removed(message)
        return {"channel": message.channel, "ts": message.ts}

    def _permalink(self, ask: Ask) -> Json:
        channel = ask.channel(ask.params["channel"])
        message = ask.message(channel, ask.params["message_ts"])
        link = f"https://{ask.team.domain}.slack.com/archives/{channel.id}/p{message.ts.replace('.', '')}"
        if message.thread_ts and message.thread_ts != message.ts:
            link += f"?thread_ts={message.thread_ts}&cid={channel.id}"
        return {"channel": channel.id, "permalink": link}


def check_author(ask: Ask) -> None:
    """Raise ``ApiError`` when the bot may not write, or not under the name or picture it wants."""
    ask.need("chat:write")
    if ask.params.get("as_user"):
        raise ApiError("as_user_not_supported")
    if ask.params.keys() & LOOKS:
        ask.need("chat:write.customize")


def postable(ask: Ask, name: str, *, direct: bool = True) -> Channel:
    """Return where a message may go; *direct* lets a user's id stand for the conversation with them."""
    if direct and name[:1] in ("U", "W"):
        channel = _direct(ask, name)
    else:
        named = (c.id for c in ask.team.channels.values() if c.name and c.name == name.removeprefix("#"))
        channel = ask.channel(next(named, name))
    if channel.archived:
        raise ApiError("is_archived")
    if ask.team.bot_user not in channel.members and "chat:write.public" not in ask.team.scopes:
        raise ApiError("not_in_channel")
    if channel.kind == "im" and not ask.world.app.messages_tab:
        raise ApiError("messages_tab_disabled")
    return channel


def _direct(ask: Ask, name: str) -> Channel:
    found = ask.team.users.get(name)
    if found is None:
        raise ApiError("channel_not_found")
    reachable(found)
    return ask.team.dm_with(name)


def reachable(user: User) -> None:
    """Raise ``ApiError`` for somebody to whom the bot cannot write."""
    if user.is_bot:
        raise ApiError("cannot_dm_bot")
    if user.deleted:
        raise ApiError("user_disabled")


def threaded(ask: Ask, channel: Channel) -> str:
    """Return the root of the thread asked for; an answer of a thread is refused as one."""
    thread: str = ask.params.get("thread_ts", "")
    if not thread:
        return ""
    if not STAMP.fullmatch(thread):
        raise ApiError("invalid_thread_ts", f"[ERROR] {thread} is not a valid thread_ts")
    root = channel.messages.get(thread)
    if root is None or (root.deleted and not replies(channel, thread)):
        raise ApiError("thread_not_found")
    if root.thread_ts not in ("", root.ts):
        raise ApiError("thread_not_found", "emulator: thread_ts is an answer's, not the root's")
    return thread


def content(params: Params, limit: int) -> dict[str, Any]:
    """Return the text, blocks and attachments of a message; raise ``ApiError`` when there are none or too much."""
    if params.get("markdown_text") is not None:
        return _markdown(params)
    said: dict[str, Any] = {"text": params.get("text") or "", "attachments": params.get("attachments") or []}
    if len(said["text"]) > limit:
        raise ApiError("msg_too_long")
    said["blocks"] = checked_blocks(params["blocks"]) if params.get("blocks") else []
    if not any(said.values()):
        raise ApiError("no_text")
    said["text"] = said["text"] or readable(said["blocks"])
    return said


def _markdown(params: Params) -> dict[str, Any]:
    text = params["markdown_text"]
    if params.get("text") or params.get("blocks"):
        raise ApiError("markdown_text_conflict")
    if not text:
        raise ApiError("no_text")
    if len(text) > MARKDOWN_TEXT:
        raise ApiError("msg_too_long")
    return {"text": text, "blocks": checked_blocks([{"type": "markdown", "text": text}]), "attachments": []}


def checked_metadata(value: Any) -> Json | None:
    """Return the metadata of a message; raise ``ApiError`` when they are not of the documented form."""
    if not value:
        return None
    if not isinstance(value, dict) or not value.keys() <= {"event_type", "event_payload", "entities"}:
        raise ApiError("invalid_metadata_format")
    if "entities" not in value and not isinstance(value.get("event_payload"), dict):
        raise ApiError("invalid_metadata_schema")
    if "event_payload" in value and not (isinstance(value.get("event_type"), str) and value["event_type"]):
        raise ApiError("invalid_metadata_schema")
    if len(json.dumps(value)) > METADATA_BYTES:
        raise ApiError("metadata_too_large")
    return value


def post(ask: Ask, channel: Channel, **fields: Any) -> Message:
    """Post a message of the bot and tell of it."""
    message = ask.world.post(ask.team, channel, user=ask.team.bot_user, bot_id=ask.team.bot_id, call=ask.call, **fields)
    ask.hooks.posted(message)
    return message


def _own(ask: Ask, error: str) -> Message:
    ask.need("chat:write")
    if ask.params.get("as_user"):
        raise ApiError("as_user_not_supported")
    if ask.params.get("reply_broadcast"):
        raise ApiError("cant_broadcast_message", "emulator: an answer is shown to all when it is posted, not later")
    channel = ask.channel(ask.params["channel"])
    message = ask.message(channel, ask.params["ts"])
    if message.bot_id != ask.team.bot_id or message.team != ask.team.id:
        raise ApiError(error)
    return message


def _changes(params: Params) -> dict[str, Any]:
    """Return what chat.update changes: old blocks stay only when nothing is said of text, blocks or attachments."""
    changes: dict[str, Any] = {}
    if any(params.get(name) is not None for name in CONTENT):
        changes = content(params, UPDATE_TEXT)
    elif "metadata" not in params:
        raise ApiError("no_text")
    if "metadata" in params:
        changes["metadata"] = checked_metadata(params["metadata"])
    return changes
