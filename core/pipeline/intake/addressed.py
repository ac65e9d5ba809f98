"""Whom a message is for that names people: the bot, where it wishes for a reminder in as many words; else them."""

from __future__ import annotations

import logging

from core.kernel.types import Inbound
from core.language import languages

log = logging.getLogger(__name__)

LONGEST = 2_000


def for_others(message: Inbound) -> bool:
    """Whether a message is for the people it names: not "remind @bob at 5 to call", but "@bob remind me at 5"."""
    return bool(message.mentioned) and (message.forwarded or not _is_wish(message.text.strip()))


def _is_wish(text: str) -> bool:
    """Whether a text wishes for a reminder, in any language, and names people within, not before it. Other orders name
    people as colleagues do among themselves: "done with @bob"."""
    if not text or len(text) > LONGEST or text.startswith("@"):
        return False
    try:
        lines = [language.grammar.command(text) or "" for language in languages().values()]
        return any(line.startswith("/remind ") and "@" in line for line in lines)
    except Exception:
        # Whatever somebody writes, their messages go on.
        log.exception("a grammar failed")
        return False
