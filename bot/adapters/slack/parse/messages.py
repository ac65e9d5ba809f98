"""From a message event (docs.slack.dev/reference/events/message) to what somebody said."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.adapters.slack.parse.text import Me, people_in, plain, said
from core.kernel.clean_text import label, storable
from core.kernel.types import Attachment, Inbound, Millis, Sender
from core.kernel.updates import Deleted, Skipped, Update

Fields = Mapping[str, Any]

PREFIX = "slack:"
TS = re.compile(r"(\d{1,11})\.(\d{1,6})", re.ASCII)
# Subtypes of a message that somebody wrote; without a subtype it is an ordinary one.
WRITTEN = frozenset({"", "file_share", "thread_broadcast", "me_message"})
CHANGED, DELETED, TOMBSTONE = "message_changed", "message_deleted", "tombstone"
OF_ONES_OWN = frozenset({"full", "guest"})
SLACKBOT = "USLACKBOT"
# Files that are only named any more, or lie elsewhere.
NO_FILE = frozenset({"tombstone", "hidden_by_limit", "external"})
KINDS = {"image": "photo", "audio": "audio", "video": "video"}
LONGEST_NAME, LONGEST_MIME = 255, 100
MOST_FILES, MOST_SIZE = 20, 2**53
# What Slack calls a version of something.
LONGEST_MARK = 100
# Slack adds to messages and to openings of the Home tab what somebody looks at meanwhile; that is none of ours.
SIGHT = "app_context"
# Of more people than that a message does not say who they are.
MOST_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What was found out before a payload is read: people by their id, and the name of its channel."""

    people: Mapping[str, Sender] = field(default_factory=dict)
    title: str = ""


def address(team: str, user: str) -> str:
    """Return the address of somebody: `slack:T1:U2`."""
    return f"{PREFIX}{team}:{user}"


def text_of(fields: Fields, name: str) -> str:
    """Return a field that is a text, or an empty one where there is none."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def required(fields: Fields, name: str) -> str:
    """Return a field that must be a text; raise `KeyError` or `TypeError`."""
    value = fields[name]
    if not isinstance(value, str) or not value:
        raise TypeError(f"{name} is no text")
    return storable(value)


def stamp(fields: Fields, name: str = "ts") -> str:
    """Return a time stamp such as 1700000000.000100; raise `ValueError` for what is none."""
    value = required(fields, name)
    if not TS.fullmatch(value):
        raise ValueError(f"{name} is no time stamp")
    return value


def instant(ts: str) -> Millis:
    """Return the time of a time stamp; raise `ValueError` for what is none."""
    return order(ts) // 1000


def instant_of(fields: Fields) -> Millis:
    """Return the time of a message, 0 where its time stamp is missing or none."""
    ts = text_of(fields, "ts")
    return instant(ts) if TS.fullmatch(ts) else 0


def order(ts: str) -> int:
    """Return a time stamp as the microseconds it stands for, by which messages are sorted; raise as `instant` does."""
    found = TS.fullmatch(ts)
    if found is None:
        raise ValueError("no time stamp")
    return int(found[1]) * 1_000_000 + int(found[2].ljust(6, "0"))


def is_private(channel: str) -> bool:
    """Whether a channel is a conversation of the bot with one person."""
    return channel.startswith("D")


def thread_of(fields: Fields, channel: str) -> str:
    """Return the thread of a message: in a channel its own or the one it begins, in private only one it is in."""
    ts, root = stamp(fields), text_of(fields, "thread_ts")
    if root and not TS.fullmatch(root):
        raise ValueError("thread_ts is no time stamp")
    if is_private(channel):
        return root if root != ts else ""
    return root or ts


def sender(fields: Fields, me: Me, known: Known, name: str = "user") -> Sender:
    """Return who did it; somebody of whom nothing is known has their id for a name.

    Who comes from another workspace than ours, as the event says, is an outsider, whatever is known of them; but for
    those of whom our organisation knows better.
    """
    user = required(fields, name)
    told = (text_of(fields, one) for one in (("user_team", "source_team", "team") if name == "user" else ()))
    team = next(filter(None, told), me.team)
    who = known.people.get(user) or Sender(address=address(me.team, user), name=user)
    if team in (me.team, me.enterprise) or (me.enterprise and who.kin in OF_ONES_OWN):
        return who
    return replace(who, address=address(storable(team), user), kin="outsider")


def named_in(event: Fields) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of who a message event is by, and of the first ten whom it names."""
    inner = event.get("message") if event.get("subtype") == CHANGED else event
    fields: Fields = inner if isinstance(inner, dict) else {}
    author = tuple(filter(None, (text_of(fields, "user"),)))
    named = tuple(dict.fromkeys(people_in(text_of(fields, "text"))))
    return author, named[:MOST_NAMED]


def is_ours(fields: Fields, me: Me) -> bool:
    """Whether a message is no person's: ours, another bot's, or Slack's own."""
    by_bot = fields.get("bot_id") or fields.get("bot_profile") or fields.get("subtype") == "bot_message"
    return bool(by_bot) or fields.get("user") in (me.user, SLACKBOT, None)


def message(event: Fields, me: Me, known: Known) -> Update:
    """Read a message event. Bots, service messages, and edits that change no word are skipped."""
    channel, subtype = required(event, "channel"), text_of(event, "subtype")
    if subtype == CHANGED:
        return _changed(event, channel, me, known)
    if subtype == DELETED:
        old = event.get("previous_message")
        fields: Fields = old if isinstance(old, dict) else {}
        return _gone(channel, stamp(event, "deleted_ts"), fields, me)
    ts = stamp(event)
    key = f"m:{channel}:{ts}"
    if subtype not in WRITTEN or is_ours(event, me):
        return Skipped(key=key)
    return _inbound(key, event, me, known, channel=channel, raw=dumped(event)) or Skipped(key=key)


def _changed(event: Fields, channel: str, me: Me, known: Known) -> Update:
    """Read an edit. A link that Slack shows more of is a change of the message, and no edit."""
    new, old = event["message"], event.get("previous_message") or {}
    ts = stamp(new)
    if text_of(new, "subtype") == TOMBSTONE:
        return _gone(channel, ts, old, me)
    edited = storable(text_of(new.get("edited") or {}, "ts"))[:LONGEST_MARK]
    key = f"e:{channel}:{ts}:{edited or stamp(event)}"
    if is_ours(new, me) or text_of(new, "subtype") not in WRITTEN or text_of(new, "text") == text_of(old, "text"):
        return Skipped(key=key)
    found = _inbound(key, new, me, known, channel=channel, raw=dumped(event))
    if found is None:
        return Skipped(key=key)
    edited_at = instant(edited) if TS.fullmatch(edited) else 0
    return replace(found, edits=ts, origin=f"m:{channel}:{ts}", edited_at=edited_at, twin="", polite=False)


def _gone(channel: str, ts: str, old: Fields, me: Me) -> Deleted | Skipped:
    key = f"d:{channel}:{ts}"
    if old and is_ours(old, me):
        return Skipped(key=key)
    return Deleted(key=key, chat=channel, message_id=ts, thread=thread_of({**old, "ts": ts}, channel))


def _inbound(key: str, fields: Fields, me: Me, known: Known, *, channel: str, raw: str) -> Inbound | None:
    """Return what a message says; None when it says nothing."""
    private, thread, ts = is_private(channel), thread_of(fields, channel), stamp(fields)
    own, (passed_on, link, author) = said(text_of(fields, "text"), me, known.people), _passed_on(fields, me, known)
    files = attachments(fields.get("files"), me.team)
    text, quoted = (own.text, passed_on) if own.text else (passed_on, "")
    who, to_me = sender(fields, me, known), private or own.to_me
    if not (text or files):
        return None
    number = text_of(fields, "client_msg_id")
    return Inbound(
        key=key,
        twin=f"c:{storable(number)[:100]}" if number else "",
        chat=channel,
        thread=thread,
        chat_kind="private" if private else "group",
        title="" if private else known.title,
        sender=who,
        text=text,
        addressed=to_me,
        # A colleague is told that they have no access; whoever comes from elsewhere gets nothing.
        polite=to_me and who.kin != "outsider",
        converses=not private or bool(thread),
        message_id=ts,
        # What begins a thread is what its messages answer, as far as anybody can know.
        reply_to="" if thread == ts else thread,
        quoted=quoted,
        quoted_from=author if quoted else "",
        link=link,
        forwarded=bool(passed_on) and not own.text,
        mentioned=mentioned(text_of(fields, "text"), me, known),
        attachments=files,
        sent_at=instant(ts),
        raw=raw,
    )


def mentioned(text: str, me: Me, known: Known) -> tuple[Sender, ...]:
    """Return the people a text names of whom more is known, without the bot."""
    return tuple(known.people[one] for one in people_in(text) if one != me.user and one in known.people)


def _passed_on(fields: Fields, me: Me, known: Known) -> tuple[str, str, str]:
    """Return what somebody else wrote that the message shares (attachments with `is_share`), the link to it, and the
    address of who wrote it (`author_id`)."""
    shared = fields.get("attachments")
    for one in shared if isinstance(shared, list) else ():
        if isinstance(one, dict) and (one.get("is_share") or one.get("is_msg_unfurl")):
            text = plain(text_of(one, "text") or text_of(one, "fallback"), me, known.people)
            link = text_of(one, "from_url")
            if text:
                author = text_of(one, "author_id")
                shown = storable(link) if link.startswith("https://") else ""
                return text, shown, address(me.team, storable(author)) if author else ""
    return "", "", ""


def attachments(files: object, team: str) -> tuple[Attachment, ...]:
    """Return the files of a message (docs.slack.dev/reference/objects/file-object) that can be fetched.

    They are fetched by where they are, or by their id, behind the workspace whose token reads them.
    """
    given = [one for one in files if isinstance(one, dict)] if isinstance(files, list) else []
    fetched = [one for one in given if one.get("mode") not in NO_FILE and not one.get("is_external")]
    found = list[Attachment]()
    for file in fetched[:MOST_FILES]:
        where = text_of(file, "url_private_download") or text_of(file, "url_private") or text_of(file, "id")
        if not storable(where):
            continue
        mime = text_of(file, "mimetype")
        sound = file.get("subtype") == "slack_audio"
        found.append(
            Attachment(
                kind="voice" if sound else KINDS.get(mime.partition("/")[0], "document"),
                file=f"{team} {storable(where)}",
                name=label(file.get("name"), LONGEST_NAME),
                mime=label(mime, LONGEST_MIME),
                size=_count(file.get("size")),
                seconds=_count(file.get("duration_ms")) // 1000,
            )
        )
    return tuple(found)


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value < MOST_SIZE else 0


def dumped(fields: Fields, without: Sequence[str] = ()) -> str:
    """Return JSON as it came, but for what is secret, is none of ours or says nothing."""
    # An event may hold a whole message, such as one that was changed.
    kept = {
        k: {name: one for name, one in v.items() if name != SIGHT} if isinstance(v, dict) else v
        for k, v in fields.items()
        if k not in without and k != SIGHT
    }
    raw = json.dumps(kept, ensure_ascii=False, separators=(",", ":"), default=str)
    try:
        raw.encode()
    except UnicodeEncodeError:
        return json.dumps(kept, separators=(",", ":"), default=str)
    return raw
