"""A text that two languages read differently: which of both was meant is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from core.kernel.clean_text import label
from core.kernel.intent import Intent, unpacked
from core.kernel.replies import Reply
from core.kernel.timing.expressions import At
from core.kernel.timing.resolution import Impossible
from core.kernel.timing.schedule import next_after
from core.kernel.timing.zones import to_local
from core.scheduling import time_input
from core.scheduling.time_input import When
from core.toolkit import intents
from core.toolkit.command import CommandRun, intent

# What a button shows of what something is about: the time behind it must be seen as well.
LONGEST_ABOUT = 40
# Wishes whose day is meant as a whole.
_OF_A_DAY = frozenset({"today", "date", "cancel.due", "move"})


class Way(BaseModel):
    """One reading: the intent that it comes to, the name of the wish, what it is about, and when."""

    model_config = ConfigDict(extra="forbid")
    order: Mapping[str, object]
    wish: str
    about: str
    when: When = None


@intent(intents.EITHER, as_command="time")
async def ask_which(run: CommandRun, *, ways: Sequence[Way]) -> Reply:
    """Ask which of several is meant, each with a button that says all that it would do."""
    offers: dict[str, Intent] = {}
    for way in ways:
        about = run.language.joined((label(way.about, LONGEST_ABOUT), _when(run, way)), "list_also")
        name = run.language[f"either_{way.wish.replace('.', '_')}"]
        said = run.language.say("either_of", name=name, about=about) if about else name
        # What nobody could tell apart is as good as the first.
        offers.setdefault(said, unpacked(way.order))
    return run.reply(run.language["either_ask"], offers=list(offers.items()))


def _when(run: CommandRun, way: Way) -> str:
    """Return when it is, as a date and a clock; empty without a time, or of one that never is."""
    zone, now = run.context.zone, run.context.clock.now()
    if way.when is None:
        return ""
    try:
        schedule = time_input.readings(way.when, now, zone, run.clock_zone)[0].schedule
    except Impossible:
        return ""
    at = next_after(schedule, now)
    if at is not None and way.wish in _OF_A_DAY and isinstance(way.when, At) and way.when.clock is None:
        return run.language.date(to_local(at, zone))
    return run.language.grammar.say(schedule, zone)
