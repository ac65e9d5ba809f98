"""What becomes of somebody's things in a group when they leave it, and when they are back."""

from __future__ import annotations

from collections.abc import Sequence

from core.delivery.composer import Composer
from core.kernel.access import may
from core.kernel.markdown import called, lines, literal
from core.kernel.ports import Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.types import DAY, Millis, Sender, Standing
from core.kernel.updates import Left, Profile, Returned
from core.pipeline.intake.admission import Admission
from core.pipeline.intake.batch import Batch
from core.scheduling import pausing
from core.scheduling import repository as triggers
from core.scheduling.firing import GONE
from core.scheduling.notices import a_notice
from core.scheduling.repository import Deliver
from core.store.people import chats, groups, people
from core.store.people.chats import ChatState, Place
from core.toolkit.keeping import Departed

# How much is named of what was given to somebody who left a group.
GIVEN_MOST, GIVEN_SHOWN = 20, 100


class Departures:
    """Tells the capabilities who left a group and who is back."""

    def __init__(self, composer: Composer, admission: Admission) -> None:
        self._composer, self._admission, self._capabilities = composer, admission, admission.capabilities

    def left(self, batch: Batch, left: Left) -> None:
        """End what somebody has in a group that they left.

        Whoever gave them something there is told once; the group is told which work of theirs ended; and they are told
        in private, if they may talk to the bot, which of their reminders ended. An update that comes late or twice does
        nothing to somebody who has come back since.
        """
        tx, tenant_id, now = batch.tx, batch.tenant_id, batch.now
        if left.at and groups.returned_since(tx, tenant_id, left.address, left.chat, left.at):
            return
        ended = triggers.leave(tx, tenant_id, left.address, left.chat, now)
        _, standing = self._admission.known(tx, tenant_id, Sender(address=left.address))
        if may(standing, Standing.MEMBER):
            self._tell_own(tx, [one for one in ended if one.deliver == Deliver.MESSAGE], now)
        for work in (one for one in ended if one.deliver == Deliver.TASK):
            texts = self._composer.language(people.participant(tx, work.lane, work.person_id))
            words = texts.say("maker_left_work", text=lines(work.text))
            self._composer.tell(tx, work.lane, f"{work.trigger_id}:maker-left", words, person_id=work.person_id)
        group, person = chats.find(tx, tenant_id, left.chat), people.known(tx, tenant_id, left.address)
        if group is None or group["kind"] != "group" or person is None:
            return
        departed = Departed(tenant_id=tenant_id, scope_id=group["scope_id"], person_id=person["id"], at=left.at or now)
        given: dict[int, list[str]] = {}
        for capability in self._capabilities:
            hears = None if capability.keeps is None else capability.keeps.departed
            for giver_id, text in () if hears is None else hears(tx, departed):
                given.setdefault(giver_id, []).append(f"- {literal(text[:GIVEN_SHOWN])}")
        for giver_id, items in given.items():
            lane = people.private_lane(tx, tenant_id, giver_id)
            lane = lane or chats.lane(tx, tenant_id, Place(chat=left.chat, kind="group"), 0, now)
            shown = {"name": called(person["name"], "–"), "title": called(group["title"], "–")}
            said = self._composer.language(people.participant(tx, lane, giver_id)).say(
                "left_with_open", items="\n".join(items[:GIVEN_MOST]), **shown
            )
            self._composer.tell(tx, lane, f"left:{group['id']}:{person['id']}:{giver_id}:{now // DAY}", said)

    def reachable(self, batch: Batch, profile: Profile) -> None:
        """Note whether somebody can be written to. If not, nothing is sent to their private chat any more, and they
        have left every group."""
        tx, tenant_id, address = batch.tx, batch.tenant_id, profile.sender.address
        person = people.known(tx, tenant_id, address)
        if person is None:
            return
        own = people.private_lane(tx, tenant_id, person["id"])
        if not profile.gone:
            if own is not None:
                self._admission.presence.chat_returned(tx, own)
            return
        if own is not None:
            chats.set_state(tx, own, ChatState.GONE, "")
        for group in groups.with_member(tx, tenant_id, person["id"]):
            self.left(batch, Left(key=profile.key, chat=group.place.chat, address=address))

    def _tell_own(self, tx: Tx, ended: Sequence[Trigger], now: Millis) -> None:
        """Tell somebody who left a group, in private, which of their reminders ended; if that chat is gone, once it is
        there again. What others had asked for, and they put off, is told without its words."""
        own = people.private_lane(tx, ended[0].lane.tenant_id, ended[0].person_id) if ended else None
        if own is None:
            return
        title = called(people.participant(tx, ended[0].lane, ended[0].person_id).title, "–")
        texts = self._composer.language(people.participant(tx, own, ended[0].person_id))
        of_others = triggers.of_what_others_asked(tx, ended)
        words = [
            texts["left_put_off"] if one.trigger_id in of_others else literal(one.text[:GIVEN_SHOWN]) for one in ended
        ]
        items = "\n".join(f"- {one}" for one in dict.fromkeys(words))
        key, person_id = f"{ended[0].trigger_id}:left", ended[0].person_id
        if chats.state(tx, own) != ChatState.GONE:
            said = texts.say("left_own_ended", title=title, items=items)
            self._composer.tell(tx, own, key, said, person_id=person_id)
            return
        said = texts.say("left_own_ended_meanwhile", title=title, items=items)
        tainted = any(one.tainted for one in ended)
        rests = triggers.insert(tx, a_notice(own, person_id, key, said, now, tainted=tainted), now)
        pausing.pause(tx, rests, GONE)

    def returned(self, batch: Batch, back: Returned) -> None:
        """Note that some people are in a group again. Those whom the bot has never met are passed over; an update that
        comes late or twice does nothing for somebody who has left since."""
        tx, tenant_id, at = batch.tx, batch.tenant_id, back.at or batch.now
        group = chats.find(tx, tenant_id, back.chat)
        if group is None or group["kind"] != "group":
            return
        hear = [one.keeps.returned for one in self._capabilities if one.keeps is not None and one.keeps.returned]
        for person in filter(None, (people.known(tx, tenant_id, address) for address in back.addresses)):
            returned = Departed(tenant_id=tenant_id, scope_id=group["scope_id"], person_id=person["id"], at=at)
            for hears in hear:
                hears(tx, returned)
