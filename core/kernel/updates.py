"""What platforms hand over beside messages and presses: frozen values, and `Update`, which is any of them all."""

from __future__ import annotations

from dataclasses import dataclass

from core.kernel.types import Inbound, Millis, Press, Sender


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """The bot's own place in a chat changed: `sender` did it, and it is `present` now or not (removed, blocked)."""

    key: str
    chat: str
    sender: Sender
    present: bool
    raw: str
    chat_kind: str = "private"
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A chat has a new id on its platform (Telegram: a group became a supergroup)."""

    key: str
    chat: str
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Somebody is not in a group any more; `address` is theirs, `at` when that was, 0 where nobody says it."""

    key: str
    chat: str
    address: str
    at: Millis = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Returned:
    """Some people are in a group now, maybe again; `addresses` are theirs, `at` as in `Left`."""

    key: str
    chat: str
    addresses: tuple[str, ...]
    at: Millis = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Deleted:
    """Somebody deleted what they wrote: `message_id` in `thread` of `chat`."""

    key: str
    chat: str
    message_id: str
    thread: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What the platform knows of somebody changed; nothing is made of people whom nobody has met. They are `gone` when
    they cannot be written to any more, nor are in any channel (Slack: a deactivated account)."""

    key: str
    sender: Sender
    gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Somebody looks at the page that the platform has for them and the bot (Slack: App Home); `chat` is private."""

    key: str
    chat: str
    sender: Sender


@dataclass(frozen=True, slots=True, kw_only=True)
class Installed:
    """The app was installed in the workspace, for the first time or again, by `sender`, whose private chat is `chat`
    (empty: it could not be opened). They own the bot there if it is `fresh`, or has no other owner."""

    key: str
    sender: Sender
    chat: str = ""
    fresh: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Uninstalled:
    """The app was removed from the workspace, or its tokens revoked."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """An update that could not be parsed; it is kept as a dead row with `error`, the rest goes on."""

    key: str
    raw: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An update that carries nothing for us (a kind we do not handle); only the cursor moves."""

    key: str


Update = (
    Inbound
    | Press
    | Presence
    | Moved
    | Left
    | Returned
    | Deleted
    | Profile
    | Opened
    | Installed
    | Uninstalled
    | Unreadable
    | Skipped
)
