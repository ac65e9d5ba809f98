"""Orders to the bot among what people say to one another: what a grammar understands whole is said to nobody else."""

from __future__ import annotations

import logging

from core.language import languages
from core.types import Inbound

log = logging.getLogger(__name__)

LONGEST = 2_000


def for_others(message: Inbound) -> bool:
    """Whether a message is for the people it names: not "remind @bob at 5 to call", but "@bob remind me at 5"."""
    return bool(message.mentioned) and (message.forwarded or not _is_order(message.text.strip()))


def _is_order(text: str) -> bool:
    """Whether a text is an order, in any language, and names people within, not before it."""
    if not text or len(text) > LONGEST or text.startswith("@"):
        return False
    try:
        return any("@" in (language.grammar.command(text) or "") for language in languages().values())
    except Exception:
        # Whatever somebody writes, their messages go on.
        log.exception("a grammar failed")
        return False
