"""The ports: every part that can be replaced, on one page. Each method states its contract, which the fakes of the
tests keep, too."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from core.kernel.command_style import Spelling
from core.kernel.types import (
    Answer,
    Attachment,
    Destination,
    Inbound,
    Keyboard,
    Line,
    Millis,
    ModelRequest,
    Page,
    Part,
    Sender,
)
from core.kernel.updates import Update

T = TypeVar("T")
Params = Mapping[str, Any]
Values = Sequence[Any]
Lock = tuple[str, int]


class Row(Protocol):
    """One row of a result, read by column name."""

    def __getitem__(self, column: str, /) -> Any: ...

    def keys(self) -> Any: ...


# An instant that never comes.
FOREVER: Millis = 1 << 62


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A search in the text index: for documents in one of the `places`, with one of the `terms` (with their weights),
    from the instant `after` on and before `before`."""

    places: Sequence[str]
    terms: Mapping[str, float]
    after: Millis
    before: Millis


class Tx(Protocol):
    """One transaction. SQL is written once, with named parameters (`:name`), for both databases."""

    def run(self, sql: str, params: Params = ..., /) -> int:
        """Execute and return the number of rows changed."""

    def one(self, sql: str, params: Params = ..., /) -> Row | None:
        """Return the first row, or None."""

    def all(self, sql: str, params: Params = ..., /) -> list[Row]:
        """Return all rows."""

    def many(self, sql: str, rows: Sequence[Values], /) -> list[Row]:
        """Execute for many rows at once, which `:rows` in the SQL stands for (core.store.bulk); return what it does.

        All rows have as many values; nothing is executed for no rows. The only parameters are those of the rows.
        """

    def lock(self, *keys: Lock) -> None:
        """Lock rows `(table, id)` until commit, in sorted order, also over several calls; else `LockOrder`.

        Held ones may be named again. Tables: chat, lane, ledger_head (its id is the tenant's), person, scope. SQLite
        has one writer and needs no lock.
        """

    def lease_clock(self) -> Millis:
        """Return the clock that decides about leases: monotonic on SQLite (one process), the database's on Postgres."""

    def after_commit(self, call: Callable[[], None]) -> None:
        """Call `call` on the event loop after the commit; never when the transaction fails."""

    def occurrences(self, places: Sequence[str], terms: Sequence[str], most: int, sample: str = "") -> list[int]:
        """Return how many documents there are in places of the text index, then how many of them have each term.

        It counts no further than `most`; with `sample`, only documents that have the name of their place with that
        before it among their tokens.
        """

    def candidates(self, wanted: Wanted, limit: int) -> list[Row]:
        """Return the rows (of `document`) that probably answer best, the best first."""

    def scrub(self) -> None:
        """After the commit, remove what was erased from our files as well, as far as the database can.

        SQLite empties its log. Postgres has nothing like it: erased data go with autovacuum and the recycling of its
        log.
        """


class Database(Protocol):
    """Executes functions of a transaction. Nothing awaits inside, so a transaction cannot be left half-way."""

    name: str

    async def write(self, fn: Callable[[Tx], T], *, order: Hashable = None) -> T:
        """Run `fn` in a transaction of its own; it is durable when this returns. A deadlock runs `fn` again.

        Writes with the same `order` are committed in the order of their calls, within a process. A write with an
        `order` stores what happened outside, which somebody may wait for: it may be done before writes that have none.

        Raises whatever `fn` raised (nothing of it stays), `StorageFull`, `StorageBusy` or `StorageError`.
        """

    async def read(self, fn: Callable[[Tx], T]) -> T:
        """Run `fn` on a consistent view; it may not write."""

    async def open(self, *, upgrade: bool = True) -> str:
        """Take the data for this process alone (`StorageBusy` if another has it), check it, migrate it.

        Without `upgrade` data of a former version stay as they are; returns the newest migration that such data have.
        """

    async def close(self) -> None:
        """Finish what was handed over, then let go of the data."""

    def has_room(self) -> bool:
        """Return whether new messages may be accepted: False from the first full disk until there is space again."""

    async def backup(self, path: str) -> str:
        """Write a complete, checked copy of the running database to `path`; return what was done, for the operator."""


class Clock(Protocol):
    """Time as a port. Lateness is said by `now`; waiting is measured by `monotonic`."""

    def now(self) -> Millis:
        """Wall clock, unix milliseconds UTC."""

    def monotonic(self) -> float:
        """Seconds that never jump."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class LLM(Protocol):
    """A model."""

    name: str

    async def complete(self, request: ModelRequest) -> Answer:
        """Answer. Raises only `ModelError`s; whatever garbage came is part of the answer as a call with a `problem`."""


class ReachableModel(LLM, Protocol):
    """A model that knows whether its last call went through."""

    @property
    def reachable(self) -> bool:
        """Return whether it can be reached, as far as is known."""

    async def window(self) -> int | None:
        """Return how many tokens its server shows it at most, as the server says; None where nobody knows, or it is
        large."""

    async def close(self) -> None:
        """Close the connections to its server."""


class Intake(Protocol):
    """Takes in the updates of platforms (core.pipeline.intake.inbox)."""

    async def cursor(self, tenant_id: int, name: str) -> str | None:
        """Return the position stored under `name`, or None."""

    async def accept(
        self, tenant_id: int, updates: Sequence[Update], cursor: tuple[str, str] | None = None
    ) -> Mapping[str, str]:
        """Store the updates and the new cursor in one transaction. Acknowledge to the platform only after this.

        Return what to show to whoever pressed a button, by the update's key; an empty text only ends the waiting. Also
        return what to tell a sender without access whose message is `polite`: once a day, or always if it `insists`;
        and what whoever wants to be ignored there is told when they give a command that only they see.
        Raises `StorageError` when nothing was stored: leave the updates with the platform and come again.
        """

    async def refuses(self, tenant_id: int, answer: Inbound) -> str:
        """Return what to tell somebody who is about to write an `answer` (`Inbound.answers`) that would be none: the
        question in `reply_to` is somebody else's, or has ended. Empty when it may be written. Nothing is stored."""

    async def tenant(self, platform: str, external_id: str, name: str = "") -> int:
        """Return the internal id of a tenant, made on first sight."""

    async def threads(self, tenant_id: int, since: Millis) -> Sequence[tuple[str, str]]:
        """Return chat and thread of the conversations in which something was said after `since`, newest first: at most
        100 in threads, and 100 outside of them."""

    async def gone(self, tenant_id: int) -> Sequence[str]:
        """Return the platform's ids of the private chats that are gone, the newest 1,000."""

    async def tell_operators(self, key: str, text: str, **values: str) -> None:
        """Tell the owners whom the configuration names, once a `key`; `text` is its name. Raises `StorageError`."""

    async def settled(self) -> None:
        """Wait until what was accepted is answered and sent, as far as it can be now."""


class ReceivingAdapter(Protocol):
    """The receiving half of a chat platform: updates, and what the platform keeps to be read."""

    platform: str

    @property
    def caught_up(self) -> asyncio.Event:
        """Return an event that is set once everything that the platform kept while we were away is accepted, but for
        tenants that are in trouble."""

    def serves(self, tenant: str) -> bool:
        """Return whether messages of the tenant with this external id are received and sent here."""

    def hears(self, tenant: str) -> bool:
        """Return whether what the platform kept for a tenant that is served is accepted, and nothing known waits
        there."""

    async def run(self, intake: Intake) -> None:
        """Receive until cancelled. Never ends by itself because of the platform or the network."""

    async def close(self) -> None:
        """Let go of connections; called after the last send."""

    async def thread(self, to: Destination, most: int) -> Sequence[Line]:
        """Return the last `most` lines of a thread, oldest first, where the platform keeps them for bots to read; else
        none.

        Lossy like `typing`.
        """

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        """Return an attachment's content. Raises `FetchFailed`, saying whether it may work later."""

    def health(self) -> Mapping[str, Any]:
        """Facts for status: at least `ok` (bool). `hears` (bool) says that all tenants are heard."""


class SendingAdapter(Protocol):
    """The sending half of a chat platform: messages, and signs that an answer is being worked on."""

    # Whether `find` may know what became of a message.
    finds: bool
    # Whether a mark is all that shows work in a private chat.
    marks_private: bool
    # Whether a message without buttons that asks for a reply can be edited (Bot API, editMessageText: only messages
    # without reply markup or with an inline keyboard can).
    edits_asking: bool
    # Whether people have a page with the bot there (`page`).
    has_pages: bool
    # Whether what is for one person of a group (`only_for`) is shown to them alone.
    whispers: bool
    # How people write commands there.
    spelling: Spelling
    # How many bytes a document may have that is sent there.
    most_document_bytes: int
    # Whether a document is read where it lies with us (on the console); elsewhere our copy goes once it was sent.
    documents_stay: bool

    def render(self, text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
        """Turn Markdown into platform messages within the platform's limits; the last one has the keyboard. Pure."""

    def leaving(self) -> Part:
        """Return what makes the bot leave a group when it is sent there."""

    def mention(self, address: str, name: str) -> str:
        """Markdown that names somebody so that the platform tells them: by their address (`tg:1001`, `tg:@anna`).

        `name` is theirs and hostile; what comes back is safe to put into Markdown.
        """

    def link(self, payload: str) -> str:
        """Return a link that opens a private chat with the bot and hands it `payload`; empty where there is none."""

    def permalink(self, to: Destination, message_id: str) -> str:
        """Return the link that leads whoever is in a chat to a message there; empty where there is none. Pure."""

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        """Send one part and return the platform's message id; `repeated` is a mark to show on a possible repeat.

        A document that is too big is refused before a byte of it leaves.
        Raises `SendMoved`, `SendUnsent`, `SendRefused` or `SendDoubtful`; anything else counts as doubtful.
        """

    async def find(self, to: Destination) -> str | None:
        """Look whether the message with the key of `to` has arrived, after a doubt.

        Returns its platform id, empty when it certainly has not, None when nobody can know. Raises `SendUnsent` when
        that can be asked later.
        """

    async def answers(self, tenant: str) -> bool:
        """Ask the platform something that changes nothing, and return whether it answers a tenant; never raises."""

    async def page(self, tenant: str, address: str, page: Page) -> None:
        """Show somebody their page, where the platform has such. Lossy like `typing`."""

    async def typing(self, to: Destination, language: str = "") -> None:
        """Show that an answer is being worked on, in a `language` (a code) where that takes words. Lossy: never raises
        for the platform's sake.
        """

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        """Show on a message that it is being worked on, or no longer: in groups, and where `typing` shows nothing.

        Lossy like `typing`.
        """

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        """Show an answer that is being written; False when this chat cannot. Lossy like `typing`."""


class PeopleDirectory(Protocol):
    """Tells which people are in which chats, as far as a chat platform knows."""

    # Whether `direct` may open a chat with somebody who has never written.
    opens: bool

    async def administers(self, to: Destination, address: str) -> bool:
        """Return whether a person is an administrator of the chat now. False when the platform cannot be asked."""

    async def belongs(self, to: Destination, address: str, *, fresh: bool = False) -> bool:
        """Return whether a person is in the chat now. False when the platform cannot be asked.

        An answer may be a minute old, unless it has to be `fresh`.
        """

    async def sees_all(self, to: Destination) -> bool:
        """Return whether the platform hands over everything that is said in the chat, not only what is said to the bot.

        True when the platform cannot be asked: people are rather told of too many readers than of too few.
        """

    async def direct(self, to: Destination, address: str) -> tuple[Sender, str] | None:
        """Open the private chat with somebody of the tenant of `to` who has never written; nothing is said there.

        Returns who they are, and the chat. None where a bot cannot begin (Telegram), or cannot do so now.
        """


class Adapter(ReceivingAdapter, SendingAdapter, PeopleDirectory, Protocol):
    """A chat platform at the edge, whole. Whoever needs a part of it asks for that part."""


Handler = Callable[[int], Awaitable[None]]
Serves = Callable[[str, str], bool]


class Engine(Protocol):
    """Wakes handlers. A poke is a hint: it may come twice or never, and cannot fail a transaction."""

    def poke(self, tx: Tx, kind: str, key: int, *, bulk: bool = False) -> None:
        """After the commit of `tx`, run the handler of `kind` for `key` soon; `bulk` ones never hold up the others."""

    def wake(self, at: Millis) -> None:
        """Look for due rows at `at` at the latest."""

    async def run(self, handlers: Mapping[str, Handler], due: Callable[[], Awaitable[Millis | None]]) -> None:
        """Serve pokes until stopped; `due` pokes what is due now and returns when the next row is."""

    async def stop(self, grace: float) -> None:
        """Start nothing new, give running handlers `grace` seconds, then cancel them."""
