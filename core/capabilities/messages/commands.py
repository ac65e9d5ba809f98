"""Commands that send somebody a message, and that end such messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from core.capabilities.contacts.commands import for_id, for_one, opening
from core.capabilities.contacts.reaching import in_private, know
from core.capabilities.contacts.service import Person
from core.capabilities.messages import mutes
from core.capabilities.messages.actions import LONGEST, contacts_send
from core.capabilities.messages.mutes import Mute
from core.kernel.markdown import called, labelled, lines, truncated
from core.kernel.ports import Tx
from core.kernel.replies import Offer, Reply
from core.kernel.types import Standing
from core.scheduling.views import in_place, zone_name
from core.toolkit import intents
from core.toolkit.command import Act, Command, CommandRun, Confirms, Quiet, intent

# What is read back of a message.
SHOWN = 300


async def _send(run: CommandRun) -> Reply | Act:
    if not run.rest:
        return run.say("send_usage", command=run.typed("/send Bob"))
    meant = await opening(run, run.rest)
    if not meant.people and await know(run, [run.rest[:SHOWN]]):
        meant = await opening(run, run.rest)
    return await for_one(
        run, meant, run.rest, lambda contact, text: text_answered.of(contact=contact, text=text), _send_to
    )


async def _send_to(run: CommandRun, person: Person, text: str) -> Reply | Act:
    name = called(person.name, "–")
    if not text:
        return run.ask(run.language.say("send_what", name=name), text_answered.asking("text", contact=person.contact))
    if len(text) > LONGEST:
        return run.say("send_too_long")
    # What stands in the way of it is said by the action.
    await in_private(run, person)
    return partial(_deliver, run, person.contact, name, text)


@intent("messages.send", as_command="send", confirms=Confirms(yes=("assistant_yes",)))
async def text_answered(run: CommandRun, *, contact: str, text: str = "") -> Reply | Act:
    """Send somebody what an answer says; without a text it is asked for."""
    return await for_id(run, contact, text, _send_to)


def _deliver(run: CommandRun, contact_id: str, name: str, text: str, tx: Tx) -> Reply:
    sent = run.actor.act(tx, contacts_send, contact_id=contact_id, message_text=text)
    if sent.duplicate:
        return run.say("send_again", name=name)
    words = lines(truncated(text, SHOWN))
    if sent.held_until:
        when = run.language.moment(datetime.fromisoformat(sent.held_until))
        if not run.context.participant.timezone:
            # Nobody has said which zone it is.
            zone = zone_name(run.language, run.context.zone.key)
            when = run.language.say("moment_in_zone", moment=when, zone=zone)
        return run.say("send_held", name=name, words=words, when=when)
    return run.say("send_queued", name=name, words=words)


async def _mute(run: CommandRun) -> Act:
    if not run.rest:
        return partial(_list, run)
    return await _silenced(run, run.rest)


@intent(intents.MUTE, as_command="mute")
async def mute(run: CommandRun, *, person: str) -> Act:
    """End the messages of whom an id means, or a name."""
    return await _silenced(run, person)


@intent("messages.unmute", as_command="unmute")
def unmute(run: CommandRun, tx: Tx, *, person: str) -> Reply:
    """Let messages of somebody come again."""
    return _heard(run, tx, person)


async def _silenced(run: CommandRun, name: str) -> Act:
    person = name[:200]
    # Whom a former version looked for in this run, before it was killed, is not looked for again.
    if not run.actor.replays("mute_person") and not await run.context.db.read(
        lambda tx: mutes.meant(tx, run.context, person)
    ):
        await know(run, [name[:SHOWN]])
    return lambda tx: _changed(run, run.actor.act(tx, mutes.mute_person, person=person), name, "mute", "muted")


def _unmute(run: CommandRun, tx: Tx) -> Reply:
    if not run.rest:
        return _list(run, tx)
    return _heard(run, tx, run.rest)


def _heard(run: CommandRun, tx: Tx, name: str) -> Reply:
    found = run.actor.act(tx, mutes.unmute_person, person=name[:200])
    return _changed(run, found, name, "unmute", "unmuted")


def _changed(run: CommandRun, found: Mute, said: str, command: str, key: str) -> Reply:
    match found.status:
        case "several":
            text = "\n".join([
                run.language["contact_which"],
                *(
                    f"- {called(other.name, other.address)}: {run.typed(f'/{command} {other.person}')}"
                    for other in found.candidates
                ),
            ])
            act = mute if command == "mute" else unmute
            offers = [(labelled(other.name, other.address), act.of(person=other.person)) for other in found.candidates]
            return _personal(run, text, offers)
        case "unknown":
            return run.say(f"{key}_unknown", name=called(said, "–"))
        case "self":
            return run.say("muted_self")
        case "already":
            return run.say("muted_already", name=called(found.name, found.address))
        case _:
            back = [(run.language["undo"], intents.undo(found.undo))] if found.undo else []
            text = run.language.say(key, name=called(found.name, found.address))
            return _personal(run, text, back, edits=command == "unmute")


def _personal(run: CommandRun, text: str, offers: Sequence[Offer], *, edits: bool = True) -> Reply:
    """Return an answer that is nobody else's business: in a group all see buttons, so it has none there.

    It takes the place of a list of ours (`edits`), but not of somebody's message that had the button.
    """
    if run.group:
        return run.reply(text)
    return in_place(run, text, offers) if edits else run.reply(text, offers=offers)


def _list(run: CommandRun, tx: Tx) -> Reply:
    """List whom somebody has muted, with a button each to hear them again."""
    found = mutes.muted(tx, run.context)
    if not found:
        return run.say("muted_none", command=run.typed("/mute Anna"))
    text = "\n".join([run.language["muted_list"], *(f"- {called(one.name, one.address)}" for one in found)])
    offers = [
        (run.language.say("unmute", name=labelled(one.name, one.address)), unmute.of(person=one.person))
        for one in found
    ]
    return _personal(run, text, offers)


INTENTS = (text_answered, mute, unmute)
COMMANDS: Mapping[str, Command] = {
    "send": Command(_send, in_group=Standing.MEMBER, takes_words=True),
    "mute": Command(_mute, quiet=Quiet.ALWAYS, takes_words=True),
    "unmute": Command(_unmute, quiet=Quiet.ALWAYS, takes_words=True),
}
