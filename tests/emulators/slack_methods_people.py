"""users.* and reactions.*: who somebody is, and the emoji below a message."""

from __future__ import annotations

import re

from tests.emulators.slack_asking import Ask, Method, moment
from tests.emulators.slack_forms import message_form, user_form
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_world import Json, Message

EMOJI = re.compile(r"[\w+'-]+(::skin-tone-[2-6])?")


class People:
    """The methods about people and what they feel."""

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "users.info": self._info,
            "users.list": self._list,
            "reactions.add": self._add,
            "reactions.remove": self._remove,
            "reactions.get": self._get,
        }

    def _info(self, ask: Ask) -> Json:
        ask.need("users:read")
        person = ask.person(ask.params["user"])
        return {"user": user_form(person, ask.team, locale=bool(ask.params.get("include_locale")))}

    def _list(self, ask: Ask) -> Json:
        ask.need("users:read")
        part, cursor = ask.page(list(ask.team.users.values()), usual=1000)
        forms = [user_form(user, ask.team, locale=bool(ask.params.get("include_locale"))) for user in part]
        return {"members": forms, "cache_ts": int(ask.world.now()), "response_metadata": {"next_cursor": cursor}}

    def _add(self, ask: Ask) -> Json:
        message, name = _reacted(ask, "reactions:write"), _emoji(ask)
        who = message.reactions.setdefault(name, [])
        if ask.team.bot_user in who:
            raise ApiError("already_reacted")
        who.append(ask.team.bot_user)
        return {}

    def _remove(self, ask: Ask) -> Json:
        message, name = _reacted(ask, "reactions:write"), _emoji(ask)
        who = message.reactions.get(name, [])
        if ask.team.bot_user not in who:
            raise ApiError("no_reaction")
        who.remove(ask.team.bot_user)
        message.reactions = {emoji: users for emoji, users in message.reactions.items() if users}
        return {}

    def _get(self, ask: Ask) -> Json:
        message = _reacted(ask, "reactions:read")
        return {"type": "message", "channel": message.channel, "message": message_form(ask.world, message)}


def _reacted(ask: Ask, scope: str) -> Message:
    ask.need(scope)
    if not ask.params.get("channel") or not ask.params.get("timestamp"):
        raise ApiError("no_item_specified")
    channel = ask.joined(ask.params["channel"])
    if channel.archived and scope == "reactions:write":
        raise ApiError("is_archived")
    moment(ask.params["timestamp"], "bad_timestamp")
    return ask.message(channel, ask.params["timestamp"])


def _emoji(ask: Ask) -> str:
    name: str = ask.params["name"]
    if not EMOJI.fullmatch(name):
        raise ApiError("invalid_name")
    return name
