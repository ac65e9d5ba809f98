"""A calendar of somebody's private chat, shown in a group, too.

Its address is said in private alone: there the bot asks which one is meant when somebody wants to add one to a group.
"""

from __future__ import annotations

from core.capabilities.calendars import repository as calendars
from core.capabilities.calendars.service import share_calendar
from core.delivery.composer import Composer
from core.kernel.access import may
from core.kernel.markdown import labelled, literal
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.kernel.types import Standing
from core.store.people import people
from core.store.people.chats import ChatState
from core.toolkit.command import Act, CommandRun, intent
from core.toolkit.other_chats import belongs


def ask(run: CommandRun, address_said: bool, tx: Tx) -> Reply:
    """Ask in private which calendar is to show in this group; say so here, and what to do where everybody has read an
    address."""
    context, person_id = run.context, run.context.principal.person_id
    lane = people.private_lane(tx, context.lane.tenant_id, person_id)
    asked = None if lane is None else people.participant(tx, lane, person_id)
    if lane is None or asked is None or asked.chat_state == ChatState.GONE:
        return run.say("calendar_private")
    composer = context.services.get(Composer)
    texts = composer.language(asked)
    offers = [
        (labelled(one.name, one.ref), share.of(calendar=one.ref, lane=context.lane.lane_id))
        for one in calendars.all_in(tx, lane)
        if one.sealed and not calendars.is_known(tx, context.lane, one.digest)
    ]
    text = texts.say("calendar_which" if offers else "calendar_which_none", group=literal(context.participant.title))
    key = f"calendar_which:{context.run_id}"
    composer.say(tx, lane, composer.outgoing(asked.platform, key, text, offers, person_id=person_id))
    return run.say("calendar_asked_said" if address_said else "calendar_asked")


@intent("calendars.share", as_command="calendar")
async def share(run: CommandRun, *, calendar: str, lane: int) -> Reply | Act:
    """Show a calendar of this private chat in a group, if its person is in it."""
    context = run.context
    there = await context.db.read(lambda tx: people.lane(tx, context.lane.tenant_id, lane))
    if there is None or run.adapter is None or run.group:
        return run.say("failed_calendar_unknown")
    seat = await context.db.read(lambda tx: people.participant(tx, there, context.principal.person_id))
    works = seat.group and seat.chat_state == ChatState.ALLOWED
    person_id = context.principal.person_id
    alone = await context.db.read(lambda tx: people.opted_out_of(tx, there.tenant_id, there.scope_id, person_id))
    allowed = may(people.standing_here(context.access, seat), Standing.MEMBER) and not alone
    if not (works and allowed and await belongs(run.adapter, seat.place, context.principal.address, fresh=True)):
        return run.say("calendar_not_there", group=literal(seat.title))

    def shown(tx: Tx) -> Reply:
        made = run.actor.act(tx, share_calendar, calendar=calendar, lane=there.lane_id)
        composer, name = context.services.get(Composer), literal(made.name) or made.calendar
        who = literal(people.name(tx, context.lane, context.principal.person_id))
        told = composer.language(seat).say("calendar_shown_here", name=name, who=who)
        composer.tell(tx, there, f"calendar:{made.calendar}:shown", told)
        return run.say("calendar_shown", name=name, group=literal(seat.title))

    return shown
