"""What people see: messages, views and the Home tab, with their blocks read as text and buttons."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tests.emulators.slack_payloads import unescaped
from tests.emulators.slack_world import Channel, Json, Message, Team, View

MENTION = re.compile(r"<@([UW]\w+)(?:\|[^>]*)?>")
DATE = re.compile(r"<!date\^[^|>]*\|([^>]*)>")
LABELLED = re.compile(r"<[^|>]*\|([^>]*)>")
BARE = re.compile(r"<((?:https?://|mailto:|[@#!])[^>]*)>")
# Of Markdown: what has its looks taken away when it is shown. Code is left as it is written.
FENCE = re.compile(r"```\w*\n(.*?)\n?```", re.S)
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"!?\[([^\]]*)\]\(([^)]*)\)")
STRONG = re.compile(r"(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1", re.S)
SOFT = re.compile(r"(?<![\w*\\])([*_])(?=[^\s*_])(.+?)(?<=[^\s*_\\])\1(?![\w*])", re.S)
HEADING = re.compile(r"^#{1,6} +", re.M)
ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
# Elements that somebody can use, with the field of their label.
PRESSED = frozenset({"button", "workflow_button"})
INPUTS = "element"


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A button as it is shown, and what pressing it brings."""

    label: str
    value: str
    action_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMessage:
    """A message as *somebody* sees it now; *told* are the ids of those whom it names, so that they hear of it."""

    ts: str
    channel: str
    user: str
    by_bot: bool
    text: str
    buttons: tuple[Button, ...]
    edits: int
    thread: str
    ephemeral: bool
    told: tuple[str, ...]

    @property
    def labels(self) -> list[str]:
        """What is written on the buttons."""
        return [button.label for button in self.buttons]


def messages(team: Team, channel: Channel, user: str = "", *, thread: str | None = None) -> list[ShownMessage]:
    """Return what *user* sees in *channel*, oldest first; without a user what everybody sees.

    *thread* keeps only what is in it, its root aside; "" keeps what is in none.
    """
    everyone = [m for m in channel.messages.values() if not m.deleted]
    alone = [m for m in channel.ephemeral if user and m.ephemeral_for == user and not m.deleted]
    found = sorted([*everyone, *alone], key=lambda message: message.ts)
    if thread is not None:
        found = [m for m in found if _thread(m) == thread]
    return [shown(team, message) for message in found]


def _thread(message: Message) -> str:
    return "" if message.thread_ts == message.ts else message.thread_ts


def shown(team: Team, message: Message) -> ShownMessage:
    """Return *message* as it reads now."""
    raw = "\n".join([message.text, *_raw(message.blocks)])
    return ShownMessage(
        ts=message.ts,
        channel=message.channel,
        user=message.user,
        by_bot=message.bot_id == team.bot_id,
        text=text_of(team, message.blocks) if message.blocks else plain(team, message.text),
        buttons=tuple(buttons(message.blocks)),
        edits=len(message.edits),
        thread=_thread(message),
        ephemeral=bool(message.ephemeral_for),
        told=tuple(dict.fromkeys(MENTION.findall(raw))),
    )


def text_of(team: Team, blocks: list[Json]) -> str:
    """Return the readable text of *blocks*, one paragraph for each of them."""
    parts = [part for block in blocks for part in _texts(team, block)]
    return "\n\n".join(part for part in parts if part)


def view_text(team: Team, view: View) -> str:
    """Return the readable text of a view, its title first."""
    title = view.content.get("title", {}).get("text", "")
    return "\n\n".join(part for part in (title, text_of(team, view.content.get("blocks", []))) if part)


def _texts(team: Team, block: Json) -> Iterator[str]:
    kind = block.get("type")
    if kind == "markdown":
        yield markdown(team, block["text"])
    elif kind == "rich_text":
        yield "".join(_rich(team, block))
    elif kind == "context":
        yield " ".join(_text(team, one) for one in block["elements"] if one["type"] != "image")
    elif kind in ("section", "header", "input"):
        found = [block.get("text"), block.get("label"), *block.get("fields", ())]
        yield "\n".join(_text(team, one) for one in found if one)


def _text(team: Team, text: Json) -> str:
    return plain(team, text["text"]) if text["type"] == "mrkdwn" else str(text["text"])


def _rich(team: Team, element: Json) -> Iterator[str]:
    if element["type"] == "user":
        yield f"@{_name(team, element['user_id'])}"
    elif element["type"] == "broadcast":
        yield f"@{element['range']}"
    elif element["type"] == "channel":
        room = team.channels.get(element["channel_id"])
        yield f"#{room.name if room else element['channel_id']}"
    elif element["type"] in ("text", "link"):
        yield str(element.get("text") or element["url"])
    for part in element.get("elements", ()):
        yield from _rich(team, part)


def plain(team: Team, text: str) -> str:
    """Return a text with Slack's own marks (``text`` and mrkdwn) as it is read."""
    text = MENTION.sub(lambda found: f"@{_name(team, found[1])}", text)
    text = BARE.sub(r"\1", LABELLED.sub(r"\1", DATE.sub(r"\1", text)))
    return unescaped(text)


def markdown(team: Team, text: str) -> str:
    """Return the text of a markdown block as it is read: without the marks, which its looks stand for."""
    text = MENTION.sub(lambda found: f"@{_name(team, found[1])}", DATE.sub(r"\1", text))
    pieces: list[str] = []

    def kept(found: re.Match[str]) -> str:
        pieces.append(found[1])
        return f"\0{len(pieces) - 1}\0"

    text = ESCAPE.sub(kept, CODE.sub(kept, FENCE.sub(kept, text)))
    text = LINK.sub(r"\1", HEADING.sub("", text))
    text = SOFT.sub(r"\2", STRONG.sub(r"\2", text))
    return re.sub("\0(\\d+)\0", lambda found: pieces[int(found[1])], unescaped(text))


def _name(team: Team, user: str) -> str:
    return team.users[user].name if user in team.users else user


def buttons(blocks: list[Json]) -> Iterator[Button]:
    """Yield the buttons of *blocks* in the order they are shown."""
    for _, element in elements(blocks):
        if element["type"] in PRESSED:
            value, action = element.get("value", ""), element.get("action_id", "")
            yield Button(label=element["text"]["text"], value=value, action_id=action)


def elements(blocks: list[Json]) -> Iterator[tuple[Json, Json]]:
    """Yield every element that somebody can use, after its block."""
    for block in blocks:
        if block["type"] in ("actions", "context_actions"):
            yield from ((block, element) for element in block["elements"])
        for name in ("accessory", INPUTS):
            if name in block and block[name]["type"] != "image":
                yield block, block[name]


def _raw(blocks: list[Json]) -> Iterator[str]:
    for block in blocks:
        inner = block.get("text", "")
        yield inner if isinstance(inner, str) else inner["text"]
        yield from (one["text"] for one in block.get("fields", ()))
        yield from (str(one.get("text", "")) for one in block.get("elements", ()) if block["type"] == "context")
