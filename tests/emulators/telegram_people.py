"""The side of those who run groups: members, rights, topics, upgrades."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.emulators.telegram_groups import KINDS, PRESENT, RESTRICTED, Group, Topic
from tests.emulators.telegram_user import DEFAULT_USER, UNSEEN, UserSide

UPGRADE_GAP = 2_000_000_000


class GroupSide(UserSide):
    """What happens in and to groups; an action returns the update_id, 0 when the bot is not told."""

    def group(
        self,
        chat: int,
        title: str | None = None,
        *,
        members: Mapping[int, str] | None = None,
        bot: str = "member",
        forum: bool = False,
        username: str = "",
    ) -> int:
        """Make a group, without any update, and return its id; those beginning with -100 are supergroups.

        *members* maps user ids to a status (creator, administrator, member, restricted, left, kicked), *bot* is the
        bot's own; a group with a *username* is public.
        """
        fields = self.chats.open(chat)
        if (forum or username) and fields["type"] != "supergroup":
            raise ValueError("only a supergroup has topics, or is public")
        fields |= ({"title": title} if title is not None else {}) | ({"is_forum": True} if forum else {})
        fields |= {"username": username} if username else {}
        people = {int(user): status for user, status in (members or {}).items()}
        for user, status in {**people, self.bot_id: bot}.items():
            self._group(chat).set(user, _known(status))
            self.chats.user(user)
        return chat

    def member(self, chat: int, user: int, status: str, *, by: int = DEFAULT_USER) -> int:
        """Let *by* give *user*, maybe ``bot_id``, a status, and tell the bot as Telegram does.

        Its own change is a my_chat_member update, anybody else's a chat_member one (asked for, and only for an
        administrator); joining and leaving are service messages too.
        """
        if chat not in self.chats.groups:
            self.group(chat, bot="left" if user == self.bot_id else "member")
        group = self._group(chat)
        group.members.setdefault(by, "member")
        old = group.status(user)
        group.set(user, _known(status))
        if user == self.bot_id:
            number = self._bot_changed(chat, by, old, status)
        else:
            told = self.chats.rules(chat)
            number = self._membership("chat_member", chat, by, user, old, status) if told else UNSEEN
        return self._joined_or_left(chat, user, old, status, by) or number

    def _joined_or_left(self, chat: int, user: int, old: str, new: str, by: int) -> int:
        if (old in PRESENT) == (new in PRESENT):
            return UNSEEN
        who = self.chats.user(user)
        if new in PRESENT:
            return self._service(chat, by, new_chat_participant=who, new_chat_member=who, new_chat_members=[who])
        return self._service(chat, by, left_chat_participant=who, left_chat_member=who)

    def restrict(self, chat: int, *, by: int = DEFAULT_USER) -> int:
        """Take the bot's right to post; ``member(chat, bot_id, "member")`` gives it back."""
        return self.member(chat, self.bot_id, RESTRICTED, by=by)

    def migrate(self, chat: int, *, by: int = DEFAULT_USER) -> int:
        """Let *by* turn a group into a supergroup and return the id of that.

        The service messages come in both; the old id is refused with migrate_to_chat_id from now on.
        """
        old = self._group(chat)
        if old.chat["type"] != "group" or old.migrated_to is not None:
            raise ValueError(f"{chat} is no group that can be upgraded")
        new = int(f"-100{abs(chat) + UPGRADE_GAP}")
        self.group(new, old.chat["title"], members=old.members, bot=old.status(self.bot_id))
        self._service(chat, by, migrate_to_chat_id=new)
        self._service(new, by, migrate_from_chat_id=chat)
        old.migrated_to = new
        return new

    def topic(self, chat: int, thread: int, name: str = "", *, by: int = DEFAULT_USER) -> int:
        """Let *by* open a topic of a forum."""
        if not self._group(chat).chat.get("is_forum"):
            raise ValueError(f"{chat} is no forum")
        title = name or f"Topic {thread}"
        self.chats.topics[chat, thread] = Topic(name=title)
        created = {"name": title, "icon_color": 0x6FB9F0}
        return self._service(chat, by, thread=thread, forum_topic_created=created)

    def close_topic(self, chat: int, thread: int, *, by: int = DEFAULT_USER) -> int:
        """Let *by* close a topic: TOPIC_CLOSED for all but administrators."""
        self.chats.topics[chat, thread].closed = True
        return self._service(chat, by, thread=thread, forum_topic_closed={})

    def reopen_topic(self, chat: int, thread: int, *, by: int = DEFAULT_USER) -> int:
        """Let *by* open a closed topic again."""
        self.chats.topics[chat, thread].closed = False
        return self._service(chat, by, thread=thread, forum_topic_reopened={})

    def delete_topic(self, chat: int, thread: int) -> None:
        """Delete a topic; nobody is told."""
        del self.chats.topics[chat, thread]

    def _group(self, chat: int) -> Group:
        group = self.chats.groups.get(chat)
        if group is None:
            raise ValueError(f"{chat} is no group")
        return group

    def _service(self, chat: int, by: int, *, thread: int | None = None, **fields: Any) -> int:
        context = {} if thread is None else {"message_thread_id": thread, "is_topic_message": True}
        number = self.chats.next_message_id()
        return self._deliver("message", {"message_id": number, **self._act(chat, by), **context, **fields})


def _known(status: str) -> str:
    if status not in KINDS:
        raise ValueError(f"unknown status {status!r}, known: {sorted(KINDS)}")
    return status
