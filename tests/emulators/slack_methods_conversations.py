"""conversations.* and users.conversations: which places there are, and who is in them."""

from __future__ import annotations

from tests.emulators.slack_asking import Ask, Method
from tests.emulators.slack_forms import channel_form
from tests.emulators.slack_methods_chat import reachable
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_world import Channel, Json

# conversations.open, "too_many_users".
MOST_TOGETHER = 8


class Conversations:
    """The methods for places; reading them is in ``slack_methods_history``."""

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "conversations.open": self._open,
            "conversations.list": self._list,
            "conversations.info": self._info,
            "conversations.members": self._members,
            "conversations.join": self._join,
            "conversations.leave": self._leave,
            "users.conversations": self._mine,
        }

    def _open(self, ask: Ask) -> Json:
        if ask.params.get("channel"):
            channel = ask.channel(ask.params["channel"])
            if not channel.is_direct:
                raise ApiError("method_not_supported_for_channel_type")
            return self._opened(ask, channel, known=True)
        names = [name for name in (ask.params.get("users") or "").split(",") if name]
        if not names:
            raise ApiError("users_list_not_supplied")
        if len(names) > MOST_TOGETHER:
            raise ApiError("too_many_users")
        ask.need("im:write" if len(names) == 1 else "mpim:write")
        for name in names:
            reachable(ask.person(name))
        if any(name not in ask.team.users for name in names):
            raise ApiError("user_not_visible")
        return self._between(ask, names)

    def _between(self, ask: Ask, names: list[str]) -> Json:
        if len(names) == 1:
            known = ask.team.dm(names[0]) is not None
            return self._opened(ask, ask.team.dm_with(names[0]), known=known)
        members = {*names, ask.team.bot_user}
        found = next((c for c in ask.team.channels.values() if c.kind == "mpim" and c.members == members), None)
        if found is None:
            found = Channel(id=ask.world.next_id("G"), kind="mpim", name=f"mpdm-{'--'.join(names)}-1", members=members)
            ask.team.channels[found.id] = found
        return self._opened(ask, found, known=False)

    @staticmethod
    def _opened(ask: Ask, channel: Channel, *, known: bool) -> Json:
        form = channel_form(channel, ask.team) if ask.params.get("return_im") else {"id": channel.id}
        return {"channel": form} | ({"no_op": True, "already_open": True} if known else {})

    def _list(self, ask: Ask) -> Json:
        kinds = ask.kinds()
        found = [c for c in ask.team.channels.values() if c.kind in kinds and _seen(ask, c)]
        return self._listed(ask, found)

    def _mine(self, ask: Ask) -> Json:
        kinds = ask.kinds()
        user = ask.params.get("user") or ask.team.bot_user
        ask.person(user)
        found = [c for c in ask.team.channels.values() if c.kind in kinds and user in c.members and _seen(ask, c)]
        return self._listed(ask, found)

    @staticmethod
    def _listed(ask: Ask, found: list[Channel]) -> Json:
        if ask.params.get("exclude_archived"):
            found = [channel for channel in found if not channel.archived]
        part, cursor = ask.page(found, most=999)
        forms = [channel_form(channel, ask.team) for channel in part]
        return {"channels": forms, "response_metadata": {"next_cursor": cursor}}

    def _info(self, ask: Ask) -> Json:
        channel = ask.channel(ask.params["channel"], scope="read")
        form = channel_form(channel, ask.team, members=bool(ask.params.get("include_num_members")))
        return {"channel": form | ({"locale": "en-US"} if ask.params.get("include_locale") else {})}

    def _members(self, ask: Ask) -> Json:
        channel = ask.channel(ask.params["channel"], scope="read")
        part, cursor = ask.page(sorted(channel.members))
        return {"members": part, "response_metadata": {"next_cursor": cursor}}

    def _join(self, ask: Ask) -> Json:
        ask.need("channels:join")
        channel = ask.channel(ask.params["channel"])
        if channel.kind != "channel":
            raise ApiError("method_not_supported_for_channel_type")
        if channel.archived:
            raise ApiError("is_archived")
        if ask.team.bot_user in channel.members:
            return {"channel": channel_form(channel, ask.team), "warning": "already_in_channel"}
        channel.members.add(ask.team.bot_user)
        ask.hooks.joined(ask.team, channel, ask.team.bot_user)
        return {"channel": channel_form(channel, ask.team)}

    def _leave(self, ask: Ask) -> Json:
        channel = ask.channel(ask.params["channel"])
        if channel.is_direct:
            raise ApiError("method_not_supported_for_channel_type")
        ask.need("channels:manage" if channel.kind == "channel" else "groups:write")
        if channel.archived:
            raise ApiError("is_archived")
        if ask.team.bot_user not in channel.members:
            return {"not_in_channel": True}
        if len(channel.members) == 1:
            raise ApiError("last_member")
        channel.members.discard(ask.team.bot_user)
        ask.hooks.left(ask.team, channel, ask.team.bot_user)
        return {}


def _seen(ask: Ask, channel: Channel) -> bool:
    return channel.kind == "channel" or ask.team.bot_user in channel.members
