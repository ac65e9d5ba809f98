"""What one call that sends or changes a message carries, and how it gets simpler when Slack refuses a piece of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.adapters.slack.directory.workspaces import user_of
from bot.adapters.slack.parse.messages import is_private
from bot.adapters.slack.render.blocks import MOST_LABEL, Block, context, label, labels, texts
from bot.adapters.slack.render.sanitize import defused, escaped
from core.kernel.errors import SendRefused
from core.kernel.types import Destination, Part

# https://docs.slack.dev/reference/methods/chat.postMessage and chat.update, text: less is left to the mark of a repeat.
MOST_POSTED, MOST_EDITED = 39_000, 3_900
NO_THREAD = frozenset({"thread_not_found", "invalid_thread_ts", "cannot_reply_to_message"})
BAD_BLOCKS = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "block_mismatch"})
# The id of what only one person sees: such a message can be reached by nothing but its hook.
EPHEMERAL = "ephemeral"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One call; `replaces` is the time stamp of the message to edit, `only_for` the user who alone is to see it."""

    channel: str
    text: str
    blocks: Sequence[Block]
    thread: str = ""
    replaces: str = ""
    key: str = ""
    only_for: str = ""
    response_url: str = ""

    @property
    def overheard(self) -> bool:
        """Whether it is for one person's eyes in a place of many."""
        return bool(self.response_url or self.only_for or self.replaces == EPHEMERAL)

    def simpler(self, refusal: str) -> Attempt | None:
        """Return this without what Slack refused, or None when that is the message itself."""
        if self.thread and refusal in NO_THREAD:
            return replace(self, thread="")
        if self.blocks and refusal in BAD_BLOCKS:
            # A question can still be answered by text: its buttons are a list then.
            bodies = [
                text if block["type"] == "section" else escaped(text)
                for block in self.blocks
                for text in texts([block])
            ]
            lines = "\n".join(f"• {escaped(text)}" for text in labels(self.blocks))
            most = MOST_EDITED if self.replaces else MOST_POSTED
            return replace(self, blocks=(), text="\n\n".join(filter(None, (*bodies, lines)))[:most])
        return None

    def content(self) -> dict[str, Any]:
        """Return what every method takes. Blocks are always named: without them those of an edited message stay."""
        return {"text": self.text, "blocks": list(self.blocks)}


def attempt(to: Destination, part: Part, repeated: str) -> Attempt:
    """Put a call together; raise `SendRefused` for parts that are not ours."""
    mark = label(repeated, MOST_LABEL) if repeated.strip() else ""
    try:
        said = part.payload.get("blocks", ()) if part.document is not None else part.payload["blocks"]
        blocks = [*([context(defused(mark))] if mark else []), *said]
        text, named = str(part.payload["text"]), str(part.payload.get("only_for", ""))
    except (KeyError, TypeError, AttributeError) as error:
        raise SendRefused(f"the message cannot be put together ({type(error).__name__})") from error
    # A message that all see is edited where it is, whoever caused it.
    shown_to_all = bool(to.replaces) and to.replaces != EPHEMERAL
    alone = "" if shown_to_all or is_private(to.chat) else user_of(named)
    if named and not (alone or shown_to_all or is_private(to.chat)):
        raise SendRefused("it is for one person's eyes, who is nobody of Slack")
    return Attempt(
        channel=to.chat,
        text="\n".join(filter(None, (escaped(mark), text))),
        blocks=blocks,
        thread=to.thread,
        replaces=to.replaces,
        key=to.key,
        only_for=alone,
        response_url="" if shown_to_all else to.response_url,
    )
