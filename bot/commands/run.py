"""What a command has at hand, and how it answers."""

from __future__ import annotations

import unicodedata
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

from core.agents.loop import Reply
from core.language import Language, pick
from core.markdown import literal
from core.ports import Adapter
from core.retention import Keep
from core.store.keyboards import Offer
from core.toolkit.executor import Executor
from core.toolkit.tool import ToolContext
from core.types import ToolCall, ToolResult

LONGEST_NAME, LONGEST_LABEL = 64, 24
# Letters that show nothing: fillers of Hangul, and the empty Braille pattern.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")


class CommandRun:
    """One command being carried out: `rest` is what stands behind its name."""

    def __init__(
        self, executor: Executor, context: ToolContext, rest: str, adapter: Adapter | None, keep: Keep
    ) -> None:
        self.context, self.rest, self.adapter, self.keep = context, rest, adapter, keep
        self.language: Language = pick(context.language)
        self._executor, self._n = executor, 0

    @property
    def group(self) -> bool:
        """Whether others hear the answer."""
        return self.context.seat.group

    async def call(self, name: str, *, undoing: bool = False, **arguments: Any) -> ToolResult:
        """Call a tool as the person, as the next step of the run; `undoing` when it takes something back."""
        self._n += 1
        call = ToolCall(id=f"command_{self._n}", name=name, arguments=arguments)
        return await self._executor.call(replace(self.context, undoing=undoing), self._n, call)

    def reply(self, text: str, choices: tuple[str, ...] = (), offers: Sequence[Offer] = ()) -> Reply:
        """Answer `text`, with suggestions or with buttons."""
        return Reply(n=self._n, text=text, choices=choices, offers=tuple(offers))

    def say(self, key: str, **values: object) -> Reply:
        """Answer the text of `key`."""
        return self.reply(self.language.say(key, **values))

    def failed(self, result: ToolResult) -> Reply:
        """Say what went wrong."""
        return self.say("tool_failed", error=literal(result.error))

    def done(self, result: ToolResult, text: str, language: Language | None = None) -> Reply:
        """Answer `text`; what can be taken back has a button for it."""
        undo = result.result.get("undo")
        label = (language or self.language)["undo"]
        return self.reply(text, offers=[(label, f"/undo {undo}")] if undo else ())


Command = Callable[[CommandRun], Awaitable[Reply]]


def visible(name: str) -> str:
    """A name on one line without what cannot be seen or turns the line round; empty when nothing is left."""
    shown = "".join(" " if one.isspace() else one for one in name[:1000] if one.isspace() or _shows(one))
    words = " ".join(shown.split())
    return words if any(unicodedata.category(one)[0] != "M" for one in words) else ""


def _shows(character: str) -> bool:
    return unicodedata.category(character)[0] != "C" and character not in _BLANK


def called(name: str, address: str) -> str:
    """How somebody is named in a text: their name, cut, as it stands; their address when they have none."""
    return literal(_cut(visible(name) or address, LONGEST_NAME))


def labelled(name: str, address: str) -> str:
    """How somebody is named on a button."""
    return _cut(visible(name) or address, LONGEST_LABEL)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
