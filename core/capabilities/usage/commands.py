"""The command that tells how much the model was used: of one's own, and for owners of everybody."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from core.kernel.access import may
from core.kernel.markdown import called
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.timing.zones import to_local
from core.kernel.types import HOUR, Standing
from core.language import Language
from core.toolkit.command import Command, CommandRun, Menu, Quiet
from core.toolkit.fetch.allowance import MEGA, PersonAllowance
from core.toolkit.fetch.allowance import Used as WebUsed
from core.toolkit.fetch.allowance import used as used_of_web

MOST = 10
DAYS = 7


@dataclass(frozen=True, kw_only=True)
class Used:
    """How much was used, by `name`: calls, tokens in and out, millionths of a dollar, and calls of unknown price."""

    name: str = ""
    calls: int = 0
    tokens: int = 0
    cost: int = 0
    unpriced: int = 0


def used(tx: Tx, tenant_id: int, since: str, by: str, person_id: int | None = None) -> Sequence[Used]:
    """Return what was used in a tenant since a day (ISO), most first, `by` a column: person_id, model or day; of one
    person where one is given."""
    columns = {"person_id": "u.person_id", "model": "u.model", "day": "u.day"}
    rows = tx.all(
        f"SELECT {columns[by]} AS name, max(p.name) AS person, sum(u.calls) AS calls, sum(u.tokens_in + u.tokens_out)"
        " AS tokens, sum(u.cost) AS cost, sum(u.unpriced) AS unpriced FROM token_use u LEFT JOIN person p"
        " ON p.id = u.person_id WHERE u.tenant_id = :tenant_id AND u.day >= :since AND (:everybody = 1 OR"
        f" u.person_id = :person_id) GROUP BY {columns[by]} ORDER BY tokens DESC LIMIT {MOST}",
        {"tenant_id": tenant_id, "since": since, "everybody": int(person_id is None), "person_id": person_id or 0},
    )
    return [
        Used(
            name=str(row["person"] or "") if by == "person_id" else str(row["name"]),
            calls=int(row["calls"]),
            tokens=int(row["tokens"]),
            cost=int(row["cost"]),
            unpriced=int(row["unpriced"]),
        )
        for row in rows
    ]


def _usage(run: CommandRun, tx: Tx) -> Reply:
    context, language = run.context, run.language
    today = to_local(context.clock.now(), context.home).date()
    month, week = today.replace(day=1).isoformat(), (today - timedelta(days=DAYS - 1)).isoformat()
    tenant_id, me = context.lane.tenant_id, context.principal.person_id
    mine = [_told(language, used(tx, tenant_id, since, "model", me)) for since in (today.isoformat(), month)]
    lines = [language["usage_title"]]
    lines += [language.say(key, used=one) for key, one in zip(("usage_today", "usage_month"), mine, strict=True)]
    lines += _from_web(run, tx)
    if may(context.standing, Standing.OWNER) and not run.group:
        tables: Sequence[tuple[str, str, str, Callable[[str], str]]] = (
            ("usage_people", "person_id", month, lambda name: called(name, "–")),
            ("usage_models", "model", month, str),
            ("usage_days", "day", week, str),
        )
        for title, by, since, shown in tables:
            found = used(tx, tenant_id, since, by)
            found = sorted(found, key=lambda one: one.name) if by == "day" else found
            told = [f"- {language.say('named', name=shown(one.name), text=_told(language, [one]))}" for one in found]
            lines += ["", language[title], *told] if told else []
    return run.reply("\n".join(lines))


def _from_web(run: CommandRun, tx: Tx) -> Sequence[str]:
    """Return what was fetched from the web in this hour, where anything was."""
    context = run.context
    hour, limits = context.clock.now() // HOUR, context.services.get(PersonAllowance).limits
    used = used_of_web(tx, context.lane.tenant_id, context.principal.person_id, hour)
    if used == WebUsed():
        return ()
    minutes = f"{math.ceil(used.seconds / 60)}/{limits.seconds // 60}"
    spoken = (run.language.say("usage_voice", minutes=minutes),) if used.seconds else ()
    line = run.language.say(
        "usage_web",
        requests=f"{used.requests}/{limits.requests}",
        searches=f"{used.searches}/{limits.searches}",
        size=f"{used.bytes / MEGA:.1f}/{limits.bytes // MEGA}",
    )
    return (f"{line}, ${used.cost / 1_000_000:.4f}" if used.cost else line, *spoken)


def _told(language: Language, found: Sequence[Used]) -> str:
    """Such as "12 calls, 34,567 tokens, $0.12"."""
    calls, tokens = sum(one.calls for one in found), sum(one.tokens for one in found)
    cost, unpriced = sum(one.cost for one in found), sum(one.unpriced for one in found)
    if not calls:
        return language["usage_none"]
    money = f"${cost / 1_000_000:.4f}" if cost or not unpriced else ""
    unknown = language.say("usage_unknown", count=unpriced) if unpriced else ""
    said = language.say("usage_line", calls=calls, tokens=language.number(tokens))
    return language.joined((said, money, unknown), "list_also")


COMMANDS: Mapping[str, Command] = {"usage": Command(_usage, quiet=Quiet.ALWAYS, menu=Menu(20, "private"))}
