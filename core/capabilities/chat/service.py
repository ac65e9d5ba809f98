"""What people do with a conversation: begin it anew, let the bot fall silent, let all see what one of them sees, try
again what was given up, and give up what is kept for the model (docs/states.md: Lane)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.delivery.notifier import Notifier
from core.kernel import ids
from core.kernel.access import may
from core.kernel.errors import Refused
from core.kernel.markdown import called
from core.kernel.ports import Tx
from core.kernel.replies import Offer
from core.kernel.types import Standing
from core.language import pick
from core.store.conversation import dead_letters, history, inbox, keyboards, lanes
from core.store.people import chats
from core.store.people.chats import ChatState
from core.toolkit import intents
from core.toolkit.action import action, note_undo
from core.toolkit.former_lines import as_intent
from core.toolkit.tool import ToolContext


@dataclass(frozen=True, kw_only=True)
class Begun:
    """A conversation begins anew; `undo` takes that back."""

    undo: str = ""


@dataclass(frozen=True, kw_only=True)
class Hushed:
    """Whether somebody was answered in the thread until now."""

    hushed: bool


@dataclass(frozen=True, kw_only=True)
class Shared:
    """An answer is said for all; `offers` are the buttons that are left below it. It `stays` as it was, or says that it
    was shared."""

    text: str
    stays: bool
    offers: Sequence[Offer]


@dataclass(frozen=True, kw_only=True)
class Retried:
    """A message is tried `again`, or is `gone`."""

    status: str


@dataclass(frozen=True, kw_only=True)
class Dropped:
    """How many messages are not answered any more."""

    count: int


@action("settings")
def new_context(tx: Tx, context: ToolContext, after: int | None = None) -> Begun:
    """Begin a conversation without what was said before; nothing that is kept goes. `after` is the number of the
    message it begins behind; the newest when not given.

    The context of a group is everybody's: a guest may not end it.
    """
    if context.participant.group and not may(context.standing, Standing.MEMBER):
        raise Refused("not_permitted")
    former = chats.forget_context(tx, context.lane, after)
    label, about = pick(context.language)["undo_new"], f"context:{context.lane.lane_id}"
    noted = note_undo(tx, context, label, "new_context", about=about, here=True, shared=True, after=former)
    return Begun(undo=noted.get("undo", ""))


@action("chat", concerns_all=lambda hushed: hushed.hushed)
def hush(tx: Tx, context: ToolContext) -> Hushed:
    """End the conversation of a thread: the bot answers nobody there until it is mentioned again."""
    return Hushed(hushed=lanes.attend(tx, context.lane, None))


@action("chat")
def share_answer(tx: Tx, context: ToolContext) -> Shared:
    """Say the answer whose button was pressed once more, for all to see: once, and by whom it was for.

    What is said for all is not taken back with it: whoever does that is told so.
    """
    pressed = None if context.said is None else context.said.pressed
    keyboard_row = None if pressed is None else keyboards.load(tx, context.lane, pressed)
    offers = [] if keyboard_row is None else [(label, as_intent(asks)) for label, asks in keyboard_row.offers]
    if keyboard_row is None or intents.share() not in {asks for _, asks in offers}:
        raise Refused("share_usage")
    me = context.principal
    if not keyboard_row.is_for(me.person_id):
        raise Refused("not_your_button")
    if chats.state(tx, context.lane) == ChatState.GONE:
        raise Refused("not_here")
    name, key = called(me.name, me.address), f"share:{keyboard_row.keyboard_id}"
    foreign = history.quotes_others(tx, context.lane, me.person_id, keyboard_row.text, shared=True)
    context.services.get(Notifier).tell(
        tx, context.lane, me.person_id, key, "shared", foreign=foreign, answer=keyboard_row.text, name=name
    )
    left = [(label, asks) for label, asks in offers if asks != intents.share()]
    if keyboard_row.once:
        # What takes back what all were shown says so.
        left = [
            (label, intents.undo(asks.arguments["undo"], shared=True)) if asks.name == intents.UNDO else (label, asks)
            for label, asks in left
        ]
    return Shared(text=keyboard_row.text, stays=not keyboard_row.once, offers=left)


@action("chat")
def retry_message(tx: Tx, context: ToolContext, message: str) -> Retried:
    """Bring a message back that was given up, and those given up with it: for its writer or an owner, in its place.
    `message` is its id, such as m12ab34."""
    number = ids.number("m", message)
    row = None if number is None else dead_letters.written(tx, context.lane, number)
    if number is None or row is None:
        raise Refused("retry_unknown")
    if row["person_id"] is None:  # erased on request: nobody knows whose it was
        raise Refused("retry_gone")
    if row["person_id"] != context.principal.person_id and not may(context.standing, Standing.OWNER):
        raise Refused("retry_not_yours")
    if row["state"] != "dead":
        raise Refused("retry_answered" if row["state"] == "done" else "retry_at_work")
    together = dead_letters.given_up_with(tx, context.lane, number, row["run_id"])
    again = [dead_letters.retry_inbox(tx, one) is not None for one in together]
    return Retried(status="again" if any(again) else "gone")


@action("chat")
def drop_kept(tx: Tx, context: ToolContext) -> Dropped:
    """End what waits here for the model, of whoever asks: it is not answered any more."""
    person_id, now = context.principal.person_id, context.clock.now()
    return Dropped(count=inbox.drop_waiting(tx, context.lane, person_id, now, "dropped", only_held=True))
