"""Frozen values that cross rooms. All instants are unix milliseconds, UTC (`Millis`), unless a name says otherwise."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, NamedTuple

from core.kernel.command_style import SLASHES, Spelling
from core.kernel.intent import Intent

Millis = int
SECOND: Millis = 1_000
MINUTE: Millis = 60 * SECOND
HOUR: Millis = 60 * MINUTE
DAY: Millis = 24 * HOUR
Json = Any


class JsonText(str):
    """A text that is JSON already, so that nobody encodes it again."""

    __slots__ = ()


# Made once: with options of its own `json.dumps` makes a new one at each call.
ENCODER = json.JSONEncoder(ensure_ascii=False, default=str)


class Role(StrEnum):
    """Who calls a tool: one of the three agent roles, or a person by command (TOOLS: Who may call what)."""

    TELLER = "teller"
    PLANNER = "planner"
    WORKER = "worker"
    PERSON = "person"


class Standing(StrEnum):
    """What a person is to the bot in a chat (TOOLS: Words, people); see `core.kernel.access` for what each may do."""

    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    GUEST = "guest"
    STRANGER = "stranger"


class Urgency(StrEnum):
    """Class of an outgoing message; an interactive one overtakes the others in its chat (STATES: Outbox)."""

    INTERACTIVE = "0-interactive"
    REMINDER = "1-reminder"
    PROGRESS = "2-progress"


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneKey:
    """Where a conversation lives: ids of tenant, scope, chat and lane. Every query about content names them."""

    tenant_id: int
    scope_id: int
    chat_id: int
    lane_id: int

    @classmethod
    def of(cls, row: Any) -> LaneKey:
        """Return the lane of a row of the database that has the four ids as columns."""
        return cls(tenant_id=row["tenant_id"], scope_id=row["scope_id"], chat_id=row["chat_id"], lane_id=row["lane_id"])

    def params(self) -> dict[str, int]:
        """Return the four ids as SQL parameters."""
        return {
            "tenant_id": self.tenant_id,
            "scope_id": self.scope_id,
            "chat_id": self.chat_id,
            "lane_id": self.lane_id,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to write for a lane, or for a task of that lane: as long as its row shows this owner and epoch."""

    lane: LaneKey
    owner: str
    epoch: int
    task_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who wrote, as the platform says: `address` is `tg:1001`, `slack:T1:U2` or `console:local`.

    `anonymous` is an administrator who writes in the group's own name. `handle` is what others mention them by, such as
    `@anna`, in lower case, or empty. `kin` is what they are to the workspace, on platforms that have such: `full` (a
    member), `guest`, or `outsider` (of another one, in a shared channel). `timezone` is that of their profile (IANA) or
    empty. `unknown` when nothing is said of them, and what is stored stays: `now`, or `ever` where waiting is no help.
    """

    address: str
    name: str = ""
    language: str = ""
    anonymous: bool = False
    handle: str = ""
    kin: str = ""
    timezone: str = ""
    unknown: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """Something that came with a message. `kind` is photo, document, voice, audio, video, animation or video_note.

    `file` is what the platform's adapter fetches it by; `name` is the sender's and hostile; `size` is in bytes, 0 when
    the platform did not say; `seconds` is the length of a sound or film.
    """

    kind: str
    file: str
    name: str = ""
    mime: str = ""
    size: int = 0
    seconds: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbound:
    """One message from a platform, not yet accepted.

    - `key` is unique for a tenant (Telegram: the update id); `twin` is a second key, if the platform may deliver one
      message under two (Slack: `client_msg_id`). `raw` is the platform's JSON as it came.
    - `chat`, `thread`, `message_id` and `reply_to` are the platform's own ids as text; `thread` is empty outside topics
      and threads. `title` is the group's name. `album` is the same for all parts of an album.
    - `edits` is the id of the message that this one replaces, `origin` the key of that message, if it is known, and
      `edited_at` when that was done; 0 if it is not known.
    - `addressed` is False for what people of a group say to each other. `mentioned` are the people it names.
      `converses` when its thread is one conversation, which goes on without addressing the bot again (Slack), and not a
      topic of many.
    - `quoted` is the text of the message that is replied to, `quoted_from` the address of its writer, if it is known,
      and `link` leads to it, if the platform has links. `forwarded` when somebody else wrote this message.
    - `response_url` is where an answer goes that only the sender sees (Slack), a secret of half an hour; with it,
      `direct` is their private chat, if that is known.
    - `polite` when a sender without access is told so once a day, `insists` when each time (Slack: a window waits); see
      `Intake.accept`.
    - `answers` when it is nothing but an answer to the question in `reply_to`: if that does not wait for one from this
      sender, they are told so.
    - `intent` is what a form of ours asks for (Slack: a window), whatever its `text`; nothing that is typed becomes
      one.
    - `sentence` is what was written if `text` is a command only since its first word, without a slash, is the name of
      one (Slack: `/teller cancel all reminders`). If the sentence is a wish by itself, it counts as that.
    """

    key: str
    chat: str
    sender: Sender
    text: str
    sent_at: Millis
    raw: str
    thread: str = ""
    chat_kind: str = "private"
    title: str = ""
    message_id: str = ""
    reply_to: str = ""
    edits: str = ""
    origin: str = ""
    edited_at: Millis = 0
    addressed: bool = True
    album: str = ""
    attachments: tuple[Attachment, ...] = ()
    quoted: str = ""
    quoted_from: str = ""
    link: str = ""
    forwarded: bool = False
    mentioned: tuple[Sender, ...] = ()
    twin: str = ""
    converses: bool = False
    response_url: str = field(default="", repr=False)
    polite: bool = False
    insists: bool = False
    answers: bool = False
    direct: str = ""
    intent: Intent | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """Somebody pressed a button. `data` is what the button carried: hostile until it is found in the database.

    `response_url` changes the message if only the presser sees it (Slack: an ephemeral message). `toasts` when the
    platform shows an answer to a press for a moment only: then the label of a press that counts is shown.
    """

    key: str
    chat: str
    sender: Sender
    data: str
    raw: str
    thread: str = ""
    chat_kind: str = "private"
    message_id: str = ""
    response_url: str = field(default="", repr=False)
    toasts: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """An attachment of an accepted message: `new`, `kept` as a file at `path`, `failed` for a `problem`, or `erased`.

    `path` is below the folder of files.
    The problems are those of core.store.conversation.attachment_text. A kept one has its real size.
    """

    attachment_id: int
    sent: Attachment
    state: str = "new"
    path: str = ""
    problem: str = ""


class Spoken(IntEnum):
    """Tells how far the recording in a message has been listened to."""

    # There is none: the message is written.
    NO = 0
    # It is to be listened to.
    UNHEARD = 1
    # Its words stand in the text.
    HEARD = 2
    # It could not be listened to; the text is what was written beside it.
    UNHEARABLE = 3


# Kinds of attachments that are listened to; and those of them that somebody recorded in the chat, in their own words.
SOUNDS, OWN_SOUNDS = frozenset({"voice", "video_note", "audio"}), frozenset({"voice", "video_note"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """An accepted message of a run.

    - `question_id` is the question that it decided, `trigger_id` the trigger that it stands for, `task_id` the task
      whose outcome it tells.
    - `pressed` is the keyboard whose button was pressed, `intent` what that asks for, if it is no line.
    - `holds` counts how often it was put back to wait for the model, `doubts` how often the model failed at it although
      it answered others.
    - `replied` are the documents of the message that it replies to. `reply_to`, `quoted`, `link`, `forwarded` and
      `response_url` as in `Inbound`.
    """

    inbox_id: int
    text: str
    sent_at: Millis
    platform_id: str
    holds: int = 0
    doubts: int = 0
    question_id: int | None = None
    trigger_id: int | None = None
    task_id: int | None = None
    pressed: int | None = None
    reply_to: str = ""
    quoted: str = ""
    link: str = ""
    forwarded: bool = False
    response_url: str = ""
    intent: Intent | None = None
    attachments: tuple[Received, ...] = ()
    spoken: Spoken = Spoken.NO
    replied: tuple[Received, ...] = ()

    @property
    def brings(self) -> tuple[Received, ...]:
        """Return the attachments but recordings that were written down, which count as their sender's words."""
        own = OWN_SOUNDS if self.spoken == Spoken.HEARD else frozenset()
        return tuple(one for one in self.attachments if one.sent.kind not in own)

    @property
    def by_itself(self) -> bool:
        """Return whether nobody wrote it: a trigger is due, or a task has ended."""
        return self.trigger_id is not None or self.task_id is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """Names the author of the message that another one replies to: the bot itself (`mine`), or somebody by `name`. The
    name is empty, and `sent_at` 0, if it is not known. Models are not told what was `forgotten` with a memory. It is
    `foreign` unless the bot or the person of the run is known to have said it here."""

    name: str = ""
    sent_at: Millis = 0
    mine: bool = False
    forgotten: bool = False
    foreign: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The principal of a run: the one it works for. Empty language or zone means unknown; `anonymous` see `Sender`."""

    person_id: int
    address: str
    name: str
    language: str
    timezone: str
    anonymous: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a lane's transcript. `role` is `user`, `assistant` or `event`; `overheard` was said to others;
    `tainted` has words of others."""

    role: str
    text: str
    created_at: Millis
    speaker: str = ""
    overheard: bool = False
    tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call a model asked for. `problem` tells why `arguments` could not be read (they are empty then)."""

    id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a model call took, in tokens as the provider counts them (our bytes / 4 where it does not).

    Of those in, `cached` were known to it; of those out, `reasoning` were thoughts. `cost_microdollars` is what the
    provider says that it costs, None where it says nothing.
    """

    model: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    reasoning: int = 0
    cost_microdollars: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """Both together, under the name of the later model."""
        costs = [one for one in (self.cost_microdollars, other.cost_microdollars) if one is not None]
        return Usage(
            model=other.model or self.model,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            cached=self.cached + other.cached,
            reasoning=self.reasoning + other.reasoning,
            cost_microdollars=None if not costs else sum(costs),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A model's answer: text or calls. `choices` may be picked instead of typing; `offers` are buttons as in Reply.
    `items` are what the model thought, sealed by its provider: they go back in the same run as they came. `unsaid`
    when the text is ours, for people, since the model gave no answer."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    choices: tuple[str, ...] = ()
    offers: tuple[tuple[str, Intent], ...] = ()
    items: tuple[Mapping[str, Any], ...] = ()
    unsaid: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What was read of a document that came with a message: its `name` and `kind`, how many `parts` it has and what
    these are (`unit`), and how it begins. `problem` says why it was not read, as a code. All of it is its sender's."""

    name: str
    kind: str = ""
    unit: str = ""
    parts: int = 0
    text: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What stands in a document: as data for a model, and its `excerpt` for people."""

    text: str
    excerpt: Excerpt


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One question to a model.

    - `messages` and `tools` have the shape of Chat Completions; `cache_key` is the same for requests that begin alike.
      `role` says which model is asked.
    - What answers without a provider reads other fields: `heard` is what the person said, oldest first, `forwarded`
      what of that others wrote, `attached` what came with it, `excerpts` what was read of that; `event` is the JSON of
      what woke the run, if that was no message; `explained` as in `Brief`; `language`, and `spelling` of commands.
    - `person_id` and `lane` say whose share of the budget it takes; an owner (None) has the whole.
    - After `deadline` (the event loop's clock) the answer is late; it has at most `most_tokens`.
    - `listen` is called with the text as it grows, `lost` with what was spent without an answer.
    - `probed` when the model has just answered a question of one token: then a failure is the question's own.
    """

    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[Mapping[str, Any], ...] = ()
    role: Role = Role.TELLER
    cache_key: str = ""
    heard: tuple[str, ...] = ()
    forwarded: tuple[str, ...] = ()
    attached: tuple[Received, ...] = ()
    excerpts: tuple[Excerpt, ...] = ()
    event: str = ""
    explained: bool = False
    probed: bool = False
    language: str = "en"
    spelling: Spelling = SLASHES
    deadline: float | None = None
    most_tokens: int | None = None
    person_id: int | None = None
    lane: LaneKey | None = None
    listen: Callable[[str], None] | None = field(default=None, compare=False)
    lost: Callable[[Usage], None] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool call came to, in the shape of seed 004; instants are unix milliseconds.

    `code` is the kind of the `error`, without anybody's words (core.kernel.errors). `said` is what the person is shown
    of it, as `core.kernel.replies` packs it. `encoded` is the `result` as JSON, where it is at hand.
    """

    tool_name: str
    success: bool
    started_at: Millis
    completed_at: Millis
    result: Json = None
    error: str = ""
    code: str = ""
    said: Json = None
    encoded: JsonText | None = field(default=None, compare=False)

    @property
    def duration_ms(self) -> int:
        """Length of the call in milliseconds."""
        return self.completed_at - self.started_at

    def shown(self) -> Json:
        """Return the part a model gets to see."""
        return self.result if self.success else {"error": self.error}

    def shown_json(self) -> JsonText:
        """Return what a model gets to see, as JSON."""
        if self.success and self.encoded is not None:
            return self.encoded
        return JsonText(ENCODER.encode(self.shown()))


class Button(NamedTuple):
    """A button below a message. `data` comes back in a `Press`, 64 bytes at most."""

    label: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard:
    """What a message offers beside its text: buttons, or (`reply`) a field that answers this very message.

    `label` is what stands on the field, where it is a button that opens it.
    """

    buttons: tuple[Button, ...] = ()
    reply: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A file on its way to a chat. `place` is where it lies on this machine."""

    name: str
    mime: str
    content: bytes
    place: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One platform message as its adapter rendered it: `payload` is JSON the same adapter can send.

    To what goes out the core may add `only_for`, the address of the only person in a group who is to see it. An adapter
    that cannot do that shows it to all. A part with a `document` is that file, and its text is empty.
    """

    payload: Mapping[str, Any]
    document: Document | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """Where a message goes, in the platform's own ids. `replaces` is the platform id of a message to edit.

    `bulk` when nobody waits for it: it leaves what the platform takes at once to those that are waited for. `key` is
    the message's own for ever, where it may be looked for after a doubt, `since` the instant before which it was not
    sent, and `begun` when the last try to send it began, 0 if there was none. `response_url` as in `Inbound`.
    """

    tenant: str
    chat: str
    thread: str = ""
    reply_to: str = ""
    replaces: str = ""
    bulk: bool = False
    key: str = ""
    since: Millis = 0
    begun: Millis = 0
    response_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What somebody wrote in a thread, as the platform keeps it: hostile. `mine` when it is the bot's own; `outside`
    when a program wrote it, or somebody who is not known to be of the workspace."""

    message_id: str
    address: str
    speaker: str
    text: str
    sent_at: Millis
    mine: bool = False
    outside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line of a page, with what can be done with it: buttons like those of a message."""

    text: str
    buttons: tuple[Button, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What somebody sees of theirs at a glance (Slack: App Home): headed sections of items, and buttons below all."""

    sections: tuple[tuple[str, tuple[Item, ...]], ...]
    buttons: tuple[Button, ...] = ()
