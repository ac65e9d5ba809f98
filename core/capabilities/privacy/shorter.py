"""`/retention`: how long a chat keeps things, which may only be shorter than the configuration says."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.capabilities.privacy import erasure, repository
from core.capabilities.privacy.actions import check_days, forget_older, keep_as_others, keep_for
from core.capabilities.privacy.models import Kind, narrowed
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.types import DAY, Standing
from core.language import Language, all_words
from core.language.short_texts import OFF
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, Confirms, Menu, Quiet, intent
from core.toolkit.keeping import Keep, Whose

_WISH = re.compile(r"(?P<kind>[^\W\d]*)\s*(?P<n>\d{1,5})\s*(?P<unit>[^\W\d]*)")
_UNITS = (1, 7, 30, 365)


def listed(language: Language, days: Mapping[Kind, int]) -> str:
    """Say what a chat wants to be kept for how many days; files go with their messages."""
    kept = {kind: min(n, days.get(Kind.MESSAGES, n)) for kind, n in days.items()}
    spans = [(language[f"retention_kind_{kind}"], language.many("retention_days", n)) for kind, n in kept.items()]
    return language.listed([f"{kind} {span}" for kind, span in spans])


def wish(text: str) -> tuple[Kind, int] | None:
    """Read "messages 3 days", "2 weeks", "文件 3 天" in any language; messages are meant where nothing is named."""
    found = _WISH.fullmatch(text.strip().casefold())
    if found is None:
        return None
    kinds = [kind for kind in Kind if not found["kind"] or _means(f"retention_words_{kind}", found["kind"])]
    units = [days for days in _UNITS if _means(f"retention_words_{days}", found["unit"] or "d")]
    return (kinds[0], int(found["n"]) * units[0]) if kinds and units and int(found["n"]) else None


def _means(key: str, word: str) -> bool:
    return word in all_words(key)


def _retention(run: CommandRun, tx: Tx) -> Reply:
    said = run.rest.lower()
    if said in OFF:
        ended = run.actor.act(tx, keep_as_others)
        return run.say("retention_off" if ended.changed else "retention_off_already")
    asked = wish(said)
    return _shown(run, tx) if asked is None else _asked(run, tx, *asked)


def _shown(run: CommandRun, tx: Tx) -> Reply:
    """Return how long things are kept here, and how to say otherwise."""
    language, days = run.language, repository.days_kept(tx, run.context.lane)
    keep = narrowed(run.context.services.get(Keep), days)
    messages = days.get(Kind.MESSAGES)
    forever = language["retention_forever"]
    spans = {
        Kind.MESSAGES: forever if messages is None else language.many("retention_days", messages),
        Kind.FILES: language.many("retention_days", keep.files),
    }
    lines = [language.say(f"retention_line_{kind}", days=span) for kind, span in spans.items()]
    examples = {
        kind.value: run.typed(f"/retention {language[f'retention_kind_{kind}'].lower()} {days}")
        for kind, days in ((Kind.MESSAGES, 30), (Kind.FILES, min(7, keep.files)))
    }
    usage = language.say("retention_usage", off=run.typed("/retention off"), **examples)
    return run.say("retention_now", lines="\n".join(lines), usage=usage)


def _asked(run: CommandRun, tx: Tx, kind: Kind, days: int) -> Reply:
    """Return whether what is older shall go, if there is something; it cannot be taken back."""
    check_days(tx, run.context, kind, days)
    whose = Whose(lane=run.context.lane, before=0, until=run.context.clock.now() - days * DAY)
    what = run.language.counted(**erasure.counts(tx, erasure.older(kind), whose))
    if not what:
        return _set(run, tx, kind, days)
    span = run.language.many("retention_days", days)
    question = run.language.say("retention_ask", kind=run.language[f"retention_kind_{kind}"], days=span, what=what)
    offers = [
        (run.language["retention_do"], shorten.of(kind=kind, days=days)),
        (run.language["keep"], intents.command("retention", "")),
    ]
    return run.reply(question, offers=offers)


async def _shorten(run: CommandRun, *, kind: Kind, days: int) -> Act:
    """Erase what is older, batch after batch, then keep it so."""
    while (await run.actor.commit(forget_older, kind, days)).left:
        pass
    return lambda tx: _set(run, tx, kind, days)


shorten = intent(intents.SHORTEN, as_command="retention", confirms=Confirms(yes=("retention_do",), no="keep"))(_shorten)


def _set(run: CommandRun, tx: Tx, kind: Kind, days: int) -> Reply:
    run.actor.act(tx, keep_for, kind=kind, days=days)
    span = run.language.many("retention_days", days)
    return run.reply(run.language.say("retention_set", kind=run.language[f"retention_kind_{kind}"], days=span))


INTENTS = (shorten,)
COMMANDS: Mapping[str, Command] = {
    "retention": Command(
        _retention, in_group=Standing.ADMIN, menu=Menu(43, "private", "admin"), quiet=Quiet.ASKED, asks_platform=True
    ),
}
