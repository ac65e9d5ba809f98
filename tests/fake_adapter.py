"""A fake platform: an adapter that keeps what it is sent."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.kernel.command_style import SLASHES
from core.kernel.errors import FetchFailed
from core.kernel.markdown import called
from core.kernel.ports import Intake
from core.kernel.types import Attachment, Button, Destination, Document, Keyboard, Line, Millis, Page, Part, Sender


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A message that reached the platform. `serial` is that of its rendering: one outbox row has one."""

    to: Destination
    text: str
    serial: int
    repeated: str
    platform_id: str
    keyboard: Keyboard | None = None
    choices: tuple[str, ...] = ()
    document: Document | None = None
    only_for: str = ""


@dataclass(frozen=True, kw_only=True)
class Hitch:
    """What goes wrong with one send; `effect` when the message arrives all the same."""

    error: BaseException
    effect: bool = False


class FakeAdapter:
    """A platform that keeps what it is sent. `hitches` are met one by one; a form feed in a text parts messages.

    `drafting` is whether the platform shows drafts, `files` what `fetch` finds (an exception is raised), `admins` the
    chats with the addresses of their administrators; `absent` the same for who is not in a chat, as everybody else is;
    `direct_chats` are the people it can write to first;
    `seeing` when groups are heard whole. With `finds` what became of a message can be looked up, which brings `found`;
    `threads` are the lines that are kept of a thread, `pages` what was shown to whom, `deaf` the tenants that are
    not heard; without `links` messages have none. It is `answering` when it is asked whether it does.
    """

    drafting, seeing, ok, links = True, True, True, True
    answering = True
    finds: bool = False
    marks_private = False
    opens = True
    edits_asking = False
    most_document_bytes = 1 << 20
    documents_stay = False
    has_pages = True
    whispers = False
    spelling = SLASHES

    def __init__(self, platform: str = "telegram") -> None:
        self.platform = platform
        self.sent: list[Sent] = []
        self.tried: list[tuple[int, str]] = []
        self.hitches: deque[Hitch | None] = deque()
        self.typed: list[Destination] = []
        self.looked: list[str] = []
        self.pings: list[str] = []
        self.since_try: list[Millis] = []
        self.marks: list[tuple[Destination, str, bool]] = []
        self.drafts: list[tuple[Destination, int, str]] = []
        self.left: list[str] = []
        self.files: dict[str, bytes | Exception] = {}
        self.admins: set[tuple[str, str]] = set()
        self.absent: set[tuple[str, str]] = set()
        self.direct_chats: dict[str, Sender] = {}
        self.found: str | Exception | None = None
        self.threads: dict[str, Sequence[Line]] = {}
        self.threads_read: list[str] = []
        self.pages: list[tuple[str, Page]] = []
        self.deaf: set[str] = set()
        self.gate: asyncio.Event | None = None
        self.begun = asyncio.Event()
        self.caught_up = asyncio.Event()
        self.caught_up.set()
        self._serials, self._ids = itertools.count(1), itertools.count(100)
        self._news = asyncio.Condition()
        self._closed = False

    def serves(self, tenant: str) -> bool:
        return True

    def hears(self, tenant: str) -> bool:
        return self.caught_up.is_set() and self.ok and tenant not in self.deaf

    async def run(self, intake: Intake) -> None:
        await asyncio.get_running_loop().create_future()

    async def close(self) -> None:
        self._closed = True

    def render(self, text: str, choices: Sequence[str] = (), keyboard: Keyboard | None = None) -> Sequence[Part]:
        payloads: list[dict[str, Any]] = [{"text": part, "serial": next(self._serials)} for part in text.split("\f")]
        if choices:
            payloads[-1]["choices"] = list(choices)
        if keyboard is not None:
            buttons = [[button.label, button.data] for button in keyboard.buttons]
            payloads[-1]["keyboard"] = {"buttons": buttons, "reply": keyboard.reply}
        return [Part(payload=payload) for payload in payloads]

    def permalink(self, to: Destination, message_id: str) -> str:
        return f"https://chat.example/{to.chat}/{message_id}" if self.links else ""

    def leaving(self) -> Part:
        return Part(payload={"text": "", "serial": next(self._serials), "leave": True})

    async def send(self, to: Destination, part: Part, *, repeated: str = "") -> str:
        if self._closed:
            raise AssertionError("sent after close")
        self.tried.append((part.payload.get("serial", 0), part.payload["text"]))
        self.begun.set()
        if self.gate is not None:
            await self.gate.wait()
        hitch = self.hitches.popleft() if self.hitches else None
        platform_id = to.replaces or str(next(self._ids))
        if hitch is None or hitch.effect:
            await self._arrive(to, part, repeated, platform_id)
        if hitch is not None:
            raise hitch.error
        return platform_id

    async def _arrive(self, to: Destination, part: Part, repeated: str, platform_id: str) -> None:
        payload = part.payload
        if payload.get("leave"):
            self.left.append(to.chat)
        else:
            self.sent.append(
                Sent(
                    to=to,
                    text=payload["text"],
                    only_for=payload.get("only_for", ""),
                    serial=payload.get("serial", 0),
                    repeated=repeated,
                    platform_id=platform_id,
                    keyboard=_keyboard(payload.get("keyboard")),
                    choices=tuple(payload.get("choices", ())),
                    document=part.document,
                )
            )
        async with self._news:
            self._news.notify_all()

    async def until(self, count: int, seconds: float = 10.0) -> None:
        """Wait until `count` messages have arrived."""
        async with asyncio.timeout(seconds), self._news:
            await self._news.wait_for(lambda: len(self.sent) >= count)

    async def find(self, to: Destination) -> str | None:
        self.looked.append(to.key)
        self.since_try.append(to.begun)
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    async def answers(self, tenant: str) -> bool:
        self.pings.append(tenant)
        if self.gate is not None:
            await self.gate.wait()
        return self.answering

    async def thread(self, to: Destination, most: int) -> Sequence[Line]:
        self.threads_read.append(to.thread)
        return self.threads.get(to.thread, ())[-most:]

    async def page(self, tenant: str, address: str, page: Page) -> None:
        self.pages.append((address, page))

    async def typing(self, to: Destination, language: str = "") -> None:
        self.typed.append(to)

    async def mark(self, to: Destination, message_id: str, *, working: bool) -> None:
        self.marks.append((to, message_id, working))

    async def draft(self, to: Destination, draft_id: int, text: str) -> bool:
        if self.drafting:
            self.drafts.append((to, draft_id, text))
        return self.drafting

    async def administers(self, to: Destination, address: str) -> bool:
        return (to.chat, address) in self.admins

    async def belongs(self, to: Destination, address: str, *, fresh: bool = False) -> bool:
        return (to.chat, address) not in self.absent

    async def direct(self, to: Destination, address: str) -> tuple[Sender, str] | None:
        found = self.direct_chats.get(address)
        return None if found is None else (found, f"D-{address}")

    def mention(self, address: str, name: str) -> str:
        return f"[{called(name, address)}]({address})"

    async def sees_all(self, to: Destination) -> bool:
        return self.seeing

    async def fetch(self, attachment: Attachment, most_bytes: int) -> bytes:
        found = self.files.get(attachment.file, FetchFailed("no such file", for_good=True))
        if isinstance(found, Exception):
            raise found
        if len(found) > most_bytes:
            raise FetchFailed("the file is too big", for_good=True)
        return found

    def link(self, payload: str) -> str:
        return f"https://chat.example/bot?start={payload}"

    def health(self) -> Mapping[str, Any]:
        return {"ok": self.ok}

    @property
    def keyboards(self) -> list[Keyboard]:
        """The keyboards that arrived, oldest first."""
        return [sent.keyboard for sent in self.sent if sent.keyboard is not None]

    def texts(self, chat: str | None = None) -> list[str]:
        """What arrived, in one chat or in all."""
        return [sent.text for sent in self.sent if chat is None or sent.to.chat == chat]


def _keyboard(stored: Mapping[str, Any] | None) -> Keyboard | None:
    if stored is None:
        return None
    buttons = tuple(Button(label=label, data=data) for label, data in stored["buttons"])
    return Keyboard(buttons=buttons, reply=stored["reply"])
