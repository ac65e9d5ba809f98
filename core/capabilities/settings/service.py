"""Settings of a person or of a group: language, time zone, quiet hours, context and reading along; and taking back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.kernel import ids
from core.kernel.access import may
from core.kernel.errors import Refused
from core.kernel.ports import Row, Tx
from core.kernel.timing.quiet_hours import ALWAYS, HOURS
from core.kernel.timing.zones import zone_named
from core.kernel.types import DAY, LaneKey, Millis, Standing
from core.language import languages, pick
from core.scheduling import firing
from core.scheduling import repository as triggers
from core.scheduling.firing import Triggers
from core.scheduling.service import follow_zone
from core.store.conversation import inbox, keyboards, undo
from core.store.people import chats, people
from core.toolkit.acting_as import own_chat
from core.toolkit.action import action, note_undo
from core.toolkit.former_lines import undos
from core.toolkit.tool import ToolContext

UNDO_LASTS: Millis = DAY
# What chooses something that an edited message chooses anew.
CHOICES = frozenset({"choose_timezone", "choose_quiet"})
# So many lines of the ledger are looked at for what a message has chosen that is edited.
RECENT = 1_000
# What a choice is called among the arguments of what takes it back, where that has another name.
_ARGUMENT = {"readalong": "on"}


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Something was chosen; `undo` takes it back. `moved` is how many times changed with it."""

    undo: str = ""
    moved: int = 0


@dataclass(frozen=True, kw_only=True)
class Switched:
    """Something is on or off; not `changed` when it was so before."""

    on: bool
    changed: bool
    undo: str = ""


@dataclass(frozen=True, kw_only=True)
class Act:
    """Something that was done and may be taken back: by the call of `tool` with `arguments`."""

    undo: str
    label: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Former:
    """What a message has chosen, and may still be taken back: the keyboard below it, and how it is taken back."""

    keyboard_id: int
    undo: str
    tool: str


def _allow(context: ToolContext) -> None:
    """Raise `Refused` in a group unless an administrator asks: they alone change its settings."""
    if context.participant.group and not may(context.standing, Standing.ADMIN):
        raise Refused("not_permitted")


def _choose(tx: Tx, context: ToolContext, **chosen: str) -> None:
    """Set it for the group, or for the person."""
    if context.participant.group:
        chats.choose(tx, context.lane, **chosen)
    else:
        people.choose(tx, context.lane, context.principal.person_id, **chosen)


def _note(
    tx: Tx, context: ToolContext, tool: str, what: str, chosen: object, former: object, *, said_in: str = ""
) -> str:
    """Note that `tool` takes back what was chosen for the scope; return the id of that, empty where it is as it was.
    `said_in` is the language in which it will be said, where that changes."""
    if chosen == former:
        return ""
    label, about = pick(said_in or context.language)[f"undo_{what}"], f"{what}:{context.lane.scope_id}"
    arguments: Mapping[str, Any] = {_ARGUMENT.get(what, what): former}
    return note_undo(tx, context, label, tool, about=about, **arguments).get("undo", "")


@action("settings", concerns_all=lambda _: True)
def choose_language(tx: Tx, context: ToolContext, language: str) -> Chosen:
    """Choose the language of the bot's own texts, for the person or for the group: a code, or empty for automatic."""
    _allow(context)
    if language and language not in languages():
        raise Refused("invalid")
    former = people.participant(tx, context.lane, context.principal.person_id).language
    _choose(tx, context, language=language)
    undo = _note(tx, context, "choose_language", "language", language, former, said_in=language)
    return Chosen(undo=undo)


@action("settings", concerns_all=lambda _: True)
def choose_timezone(tx: Tx, context: ToolContext, timezone: str) -> Chosen:
    """Choose the time zone, for the person or for the group: an IANA name, or empty for the zone of whoever has chosen
    none. What goes by it is due at the new times.

    A time of day that was said for once stays the instant it was, unless nobody knew the zone until now.
    """
    _allow(context)
    zone = zone_named(timezone) if timezone else context.home
    if zone is None:
        raise Refused("invalid")
    former = people.participant(tx, context.lane, context.principal.person_id).timezone
    _choose(tx, context, timezone=timezone)
    guessed = not former or (context.undoing and not timezone)
    before = {one.trigger_id: one.next_at for one in triggers.following(tx, context.lane)}
    moved = follow_zone(tx, context.lane, zone, context.clock.now(), walls=guessed)
    for trigger in moved:
        firing.trigger_moved(context.services, tx, trigger)
    context.services.get(Triggers).release_held(tx, context.lane)
    later = sum(one.next_at != before[one.trigger_id] for one in moved)
    return Chosen(moved=later, undo=_note(tx, context, "choose_timezone", "timezone", timezone, former))


@action("settings", concerns_all=lambda _: True)
def choose_quiet(tx: Tx, context: ToolContext, quiet: str) -> Chosen:
    """Choose when the bot starts nothing by itself, for the person or for the group: such as 22:00-07:00, or always;
    empty for never."""
    _allow(context)
    if quiet not in {"", ALWAYS} and not HOURS.fullmatch(quiet):
        raise Refused("invalid")
    former, _ = people.quiet(tx, context.lane)
    _choose(tx, context, quiet=quiet)
    context.services.get(Triggers).release_held(tx, context.lane)
    return Chosen(undo=_note(tx, context, "choose_quiet", "quiet", quiet, former))


def quiet_hours(tx: Tx, lane: LaneKey) -> str:
    """Return when the bot starts nothing by itself there."""
    return people.quiet(tx, lane)[0]


@action("settings", concerns_all=lambda switched: switched.changed)
def read_along(tx: Tx, context: ToolContext, on: bool) -> Switched:
    """Switch reading along, what people of a group say to each other, on or off."""
    _allow(context)
    if not context.participant.group:
        raise Refused("invalid")
    if not chats.read_along(tx, context.lane, on):
        return Switched(on=on, changed=False)
    return Switched(on=on, changed=True, undo=_note(tx, context, "read_along", "readalong", on, not on))


def chosen_by(tx: Tx, lane: LaneKey, person_id: int, run_id: int) -> Former | None:
    """Return what a run, or that of the last edit of its message, has chosen for this person; None where all of that is
    taken back, or something else was chosen since."""
    for one in (*reversed(inbox.runs_of_edits(tx, lane, person_id, run_id)), run_id):
        keyboard_row = keyboards.newest_of_run(tx, lane, one)
        taken = next(iter(undos(keyboard_row)), "")
        row = undo.find(tx, lane, person_id, ids.number("u", taken) or 0, others=False) if taken else None
        if keyboard_row is None or row is None or row["ended_at"] is not None or row["tool"] not in CHOICES:
            continue
        if undo.outdated(tx, lane.tenant_id, row):
            return None
        return Former(keyboard_id=keyboard_row.keyboard_id, undo=taken, tool=row["tool"])
    return None


def chose_what_was(tx: Tx, lane: LaneKey, person_id: int, run_id: int) -> str:
    """Return the action by which a run has chosen what was so before; empty where it has changed something, or chosen
    nothing, or where that was chosen anew since, or an edit of its message was followed. Only the last lines of the
    ledger are looked at."""
    rows = tx.all(
        "SELECT tool, run_id FROM ledger WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
        f" AND n > (SELECT h.n FROM ledger_head h WHERE h.tenant_id = :tenant_id) - {RECENT}"
        " AND success = 1 AND tool IN ('choose_timezone', 'choose_quiet') ORDER BY n",
        lane.params(),
    )
    last = {str(row["tool"]): row["run_id"] for row in rows}
    changed = keyboards.newest_of_run(tx, lane, run_id) is not None or inbox.runs_of_edits(tx, lane, person_id, run_id)
    return "" if changed else next((tool for tool, chose in last.items() if chose == run_id), "")


def find_undo(tx: Tx, context: ToolContext, undo_id: str | None) -> Act:
    """Return what the person could take back, for a day: the last thing where `undo_id` is None. Raises `Refused`."""
    since = context.clock.now() - UNDO_LASTS
    row = _meant(tx, context, undo_id, since)
    if row is None:
        raise Refused("undo_nothing" if undo_id is None else "undo_not_yours")
    if row["ended_at"] is not None:
        raise Refused("undo_done")
    if row["created_at"] < since:
        raise Refused("undo_late")
    if undo.outdated(tx, context.lane.tenant_id, row):
        raise Refused("undo_outdated")
    arguments: dict[str, Any] = json.loads(row["arguments"])
    return Act(undo=ids.ref("u", row["id"]), label=row["label"], tool=row["tool"], arguments=arguments)


def replied_to(tx: Tx, context: ToolContext) -> str | None:
    """Return the id of what a reply is to take back: what the message that it replies to, of anybody, was answered, or
    offers; empty where that is nothing, or several things. None for a message that is no reply."""
    said = context.said
    if said is None or said.reply_to in ("", context.participant.place.thread):
        return None
    answered = inbox.answered_by(tx, context.lane, None, said.reply_to)
    keyboard_row = keyboards.by_message(tx, context.lane, said.reply_to)
    if answered is not None and keyboard_row is None:
        keyboard_row = keyboards.newest_of_run(tx, context.lane, answered[0])
    found = undos(keyboard_row)
    return found[0] if len(found) == 1 else ""


def todo_of(tx: Tx, context: ToolContext, undo_id: str | None) -> int | None:
    """Return the number of the to-do that would be changed by taking something back; None when it would be none."""
    row = _meant(tx, context, undo_id, context.clock.now() - UNDO_LASTS)
    arguments = {} if row is None else json.loads(row["arguments"])
    return ids.number("t", str(arguments.get("todo_id", ""))[:40])


def taken_back(tx: Tx, context: ToolContext, act: Act) -> None:
    """Note that something is taken back, so that it is not once more."""
    number = ids.number("u", act.undo)
    if number is not None:
        undo.end(tx, number, context.clock.now())


def _meant(tx: Tx, context: ToolContext, undo_id: str | None, since: Millis) -> Row | None:
    """Return the row of what is to be taken back: one of this chat or, where only the principal sees the answer, also
    what they did with reminders of their own chat."""
    own, found = own_chat(tx, context), list[Row]()
    number = None if undo_id is None else ids.number("u", undo_id)
    for place in (context,) if own is None else (context, own):
        lane, person_id, others = place.lane, place.principal.person_id, may(place.standing, Standing.MEMBER)
        row = None
        if undo_id is None:
            row = undo.newest(tx, lane, person_id, since, others=others, lane_first=True)
        elif number is not None:
            row = undo.find(tx, lane, person_id, number, others=others)
        if row is not None and (place is context or str(row["subject"]).startswith("schedule:")):
            found.append(row)
    return max(found, key=lambda row: int(row["id"]), default=None)
