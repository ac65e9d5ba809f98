"""A message that has set a reminder was edited: what that is to be now."""

from __future__ import annotations

from core.capabilities.reminders.wishes import wished
from core.kernel.clean_text import cleaned
from core.kernel.timing.expressions import Expression
from core.kernel.timing.schedule import Once
from core.language.grammar import ME
from core.language.short_texts import is_small_talk, is_wish, leaves, time_instead
from core.scheduling import time_input
from core.scheduling.service import Scheduled
from core.scheduling.time_input import Asked
from core.toolkit.command import CommandRun


def read(
    run: CommandRun, text: str, task: Scheduled, *, named: bool, worded: bool
) -> tuple[Expression | str | None, str] | None:
    """Return when the message wants it now, and its text: words where it is a time alone, which keeps the text, as does
    a wish whose text stands elsewhere, in what was forwarded with it. Where it only `named` what this is about, it
    wants nothing but that, or says when instead, unless it is none of what may be called so when it is asked. Where it
    `worded` it as an answer, it is what the command would be given, too. None when it is no wish for the same people
    any more."""
    names = named and not (leaves(text) or is_wish(text) or is_small_talk(text))
    if names and time_input.instead(text, None, run.language) is None:
        return (None, cleaned(text)) if len(text) <= time_input.LONGEST else None
    if time := time_instead(text):
        return time, ""
    asked = wished(run, text) or Asked()
    if worded and asked.when is None:
        asked = wished(run, f"/remind {text}") or Asked()
    if asked.when is None or isinstance(asked.when, Once) or len(asked.text) > time_input.LONGEST:
        return None
    # It must be for whom it was.
    former = [name.casefold().split() for name in task.names]
    who = [name.removeprefix("@").casefold() for name in asked.who if name != ME]
    same = len(who) == len(former) and all(any(one in words for words in former) for one in who)
    return (asked.when, asked.text) if same and asked.everybody == task.everybody else None
