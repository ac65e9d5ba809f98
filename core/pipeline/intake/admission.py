"""Admission decides who gets in, and what happens to those who don't (STATES: Admission)."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.delivery.composer import Composer
from core.kernel.access import Access, may, order
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Tx
from core.kernel.timing.trigger import Trigger
from core.kernel.types import Inbound, LaneKey, Millis, Press, Sender, Standing
from core.kernel.updates import Installed, Opened, Presence
from core.language import Language, pick
from core.pipeline.intake.addressed import Addressing, Expects
from core.pipeline.intake.profiles import Profiles, nothing_depends
from core.store.conversation import outbox
from core.store.people import chats, invitations, people, strangers, tenants
from core.store.people.chats import Place
from core.store.people.people import Seen
from core.store.people.standing import Standings, known_as
from core.toolkit.capability import Capability
from core.toolkit.command import CommandTable

TOLD_AGAIN: Millis = 24 * 3_600_000
PAIRING_LASTS: Millis = 24 * 3_600_000
PAIRINGS_A_DAY = 20
SHOWN_NAME = 64
STRAY_GROUPS_A_DAY = 10
INVITED = re.compile(r"/start(?:@\w+)?\s+([A-Za-z0-9_-]{8,64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """Somebody who got in. `overheard` when they did not speak to the bot, in a group that wants it to read along."""

    person_id: int
    lane: LaneKey
    standing: Standing
    overheard: bool = False


class Admission:
    """Looks at whoever comes; `away` gets whom it turns away. `expects` says whether a text is a free answer that is
    waited for; `back` hears that a chat is there again; `moved` hears of a trigger that is due at another time."""

    def __init__(
        self,
        access: Access,
        composer: Composer,
        clock: Clock,
        expects: Expects,
        back: Callable[[Tx, LaneKey], None],
        *,
        capabilities: Sequence[Capability],
        language: str = "auto",
        moved: Callable[[Tx, Trigger], None] = nothing_depends,
    ) -> None:
        self._access, self._composer, self._clock, self._expects, self._back = access, composer, clock, expects, back
        self._language, self.profiles = language, Profiles(composer, clock, moved, language)
        self._standings, self.capabilities = Standings(access), capabilities
        self._addressing = Addressing(expects, capabilities)
        self.commands = CommandTable(*(one.commands for one in capabilities))

    def message(self, tx: Tx, tenant_id: int, message: Inbound, away: Counter[str]) -> Admitted | None:
        """Let a message in, or None: then its sender was turned away at most."""
        seen = people.find(tx, tenant_id, message.sender, message.chat, message.thread)
        found = (self._private if message.chat_kind == "private" else self._group)(tx, tenant_id, message, seen)
        if isinstance(found, Standing):
            self._turn_away(tx, tenant_id, message.sender, away)
            return None
        if found is None or not message.response_url or message.chat_kind == "private":
            return found
        return self._apart(tx, tenant_id, message, found)

    def refusal(self, tx: Tx, tenant_id: int, message: Inbound, away: Counter[str]) -> str:
        """What to tell the sender of a polite message that was not let in: that they have no access, once a day."""
        address = message.sender.address
        asked = message.polite and address in away
        first = asked and strangers.tell(tx, tenant_id, address, self._clock.now(), TOLD_AGAIN)
        if not first and not message.insists:
            return ""
        texts = pick(self._tag(message.sender.language))
        lead = self._composer.owners.lead(tx, tenant_id, address)
        return texts.say("not_set_up", lead=lead) if lead else texts["not_set_up_alone"]

    def presser(self, tx: Tx, tenant_id: int, press: Press, away: Counter[str]) -> Standing:
        """What somebody is who presses a button; a stranger is turned away."""
        row, chat = people.known(tx, tenant_id, press.sender.address), chats.find(tx, tenant_id, press.chat)
        allowed = chat is not None and chat["state"] == chats.ALLOWED
        known = known_as(row, press.sender)
        standing = self._standings.of(tx, tenant_id, press.sender, known, in_allowed_group=allowed)
        if not may(standing, Standing.GUEST):
            self._turn_away(tx, tenant_id, press.sender, away)
        return standing

    def known(self, tx: Tx, tenant_id: int, sender: Sender) -> tuple[int, Standing]:
        """The number of somebody, 0 of whom the bot has not met, and what they are."""
        row = people.known(tx, tenant_id, sender.address)
        standing = self._standings.of(tx, tenant_id, sender, known_as(row, sender))
        return 0 if row is None else int(row["id"]), standing

    def profile(self, tx: Tx, tenant_id: int, sender: Sender) -> None:
        """Keep what the platform says of somebody whom the bot has met."""
        if people.known(tx, tenant_id, sender.address) is not None:
            self.profiles.meet(tx, tenant_id, sender)

    def visitor(self, tx: Tx, tenant_id: int, opened: Opened) -> Admitted | None:
        """Somebody with access who looks at their page, in the chat they have, or will have, with the bot."""
        _, standing = self.known(tx, tenant_id, opened.sender)
        if not may(standing, Standing.MEMBER):
            return None
        now = self._clock.now()
        person_id, private_scope = self.profiles.meet(tx, tenant_id, opened.sender)
        lane = chats.lane(tx, tenant_id, Place(chat=opened.chat), private_scope, now)
        return Admitted(person_id=person_id, lane=lane, standing=standing)

    def ignores(self, tx: Tx, tenant_id: int, press: Press) -> bool:
        """Whether the presser does not want to be heard in this chat."""
        row, chat = people.known(tx, tenant_id, press.sender.address), chats.find(tx, tenant_id, press.chat)
        return people.opted_out(tx, tenant_id, row, chat)

    def installed(self, tx: Tx, tenant_id: int, installed: Installed) -> None:
        """The app was installed: who did it owns the bot there, unless it was there already and has an owner."""
        if not installed.fresh and tenants.owners(tx, tenant_id):
            return
        address, now = installed.sender.address, self._clock.now()
        row = people.known(tx, tenant_id, address)
        met = people.meet(tx, tenant_id, installed.sender, now) if row is None else (row["id"], row["scope_id"])
        tenants.own(tx, tenant_id, met[0])
        if installed.chat:
            lane = chats.lane(tx, tenant_id, Place(chat=installed.chat), met[1], now)
            if chats.set_state(tx, lane, "", ""):
                self._back(tx, lane)
            words = self._texts(tx, lane, installed.sender.language)["installed"]
            self._composer.tell(tx, lane, f"installed:{installed.key}", words)

    def presence(self, tx: Tx, tenant_id: int, presence: Presence, away: Counter[str]) -> None:
        """The bot was added to a chat, removed from it, blocked or unblocked."""
        chat = chats.find(tx, tenant_id, presence.chat)
        if not presence.present or presence.chat_kind == "private":
            if chat is not None:
                state = "" if presence.present else chats.GONE
                whole = _whole(tenant_id, chat["scope_id"], chat["id"])
                chats.set_state(tx, whole, state, presence.title)
                if presence.present:
                    self._back(tx, whole)
            return
        if chat is not None and chat["state"] == chats.ALLOWED:
            return
        _, standing = self.known(tx, tenant_id, presence.sender)
        if may(standing, Standing.MEMBER) or self._standings.invited(tx, tenant_id, presence.sender, presence.chat):
            place = Place(chat=presence.chat, kind="group", title=presence.title)
            self._adopt(tx, tenant_id, place, presence.sender, presence.key)
        else:
            self._leave(tx, tenant_id, presence, away)

    def _private(self, tx: Tx, tenant_id: int, message: Inbound, seen: Seen | None) -> Admitted | Standing | None:
        """Let a message of a private chat in; its sender's standing where they are to be turned away."""
        known = self._known_as(tx, tenant_id, message.sender, seen)
        standing = self._standings.of(tx, tenant_id, message.sender, known)
        if may(standing, Standing.MEMBER) or self._invited(tx, tenant_id, message):
            admitted = self._settle(tx, tenant_id, message, seen, standing)
            if seen is not None and seen.chat_state == chats.GONE:
                chats.set_state(tx, admitted.lane, "", "")
                self._back(tx, admitted.lane)
            return admitted
        self._standings.be_sure(tx, tenant_id, message.sender)
        if self._access.mode == "pairing" and not message.edits and self._pair(tx, tenant_id, message):
            return None
        return standing

    def _group(self, tx: Tx, tenant_id: int, message: Inbound, seen: Seen | None) -> Admitted | Standing | None:
        chat = None if seen is not None else chats.find(tx, tenant_id, message.chat)
        state = seen.chat_state if seen is not None else "" if chat is None else chat["state"]
        allowed = state == chats.ALLOWED
        row = None if seen is not None else people.known(tx, tenant_id, message.sender.address)
        known = seen.standing if seen is not None else known_as(row, message.sender)
        standing = self._standings.of(tx, tenant_id, message.sender, known, in_allowed_group=allowed)
        if not allowed:
            listed = self._standings.invited(tx, tenant_id, message.sender, message.chat)
            if listed:
                standing = self._standings.of(tx, tenant_id, message.sender, known, in_allowed_group=True)
            return self._newcome(tx, tenant_id, message, seen, standing, listed=listed)
        opted_out = seen.opted_out if seen is not None else people.opted_out(tx, tenant_id, row, chat)
        if self.commands.for_everybody(order_of(message)) and message.addressed:
            return self._settle(tx, tenant_id, message, seen, standing)
        if standing is Standing.STRANGER:
            # Counted only where they are told: what people of a group say to each other is not ours to count.
            return standing if message.polite else None
        if opted_out:
            return None
        if message.addressed or self._addressing.means_the_bot(tx, tenant_id, message, seen):
            return self._settle(tx, tenant_id, message, seen, standing)
        reads_along = seen.reads_along if seen is not None else chat is not None and bool(chat["reads_along"])
        return self._settle(tx, tenant_id, message, seen, standing, overheard=True) if reads_along else None

    def _apart(self, tx: Tx, tenant_id: int, message: Inbound, admitted: Admitted) -> Admitted:
        """What is asked for one person's eyes belongs to their own conversation, if they may have one; not a command,
        which is for the place where it is given, nor an answer that is waited for there."""
        row = people.known(tx, tenant_id, message.sender.address)
        if admitted.overheard or not message.direct or row is None or not may(admitted.standing, Standing.MEMBER):
            return admitted
        own = chats.lane(tx, tenant_id, Place(chat=message.direct), row["scope_id"], self._clock.now())
        stays = order_of(message) or self._expects(tx, admitted.lane, admitted.person_id, message.text)
        return admitted if stays else replace(admitted, lane=own)

    def _newcome(
        self, tx: Tx, tenant_id: int, message: Inbound, seen: Seen | None, standing: Standing, *, listed: bool
    ) -> Admitted | Standing | None:
        """A message of a group that is not allowed: whoever has access takes the group on by speaking to the bot, and
        everybody of a group that is `listed`."""
        if not message.addressed:
            return None
        if not may(standing, Standing.GUEST if listed else Standing.MEMBER):
            return standing
        place = Place(chat=message.chat, kind="group", title=message.title)
        self._adopt(tx, tenant_id, place, message.sender, message.key)
        return self._settle(tx, tenant_id, message, seen, standing)

    def _known_as(self, tx: Tx, tenant_id: int, sender: Sender, seen: Seen | None) -> str:
        if seen is not None:
            return seen.standing
        return known_as(people.known(tx, tenant_id, sender.address), sender)

    def _settle(
        self,
        tx: Tx,
        tenant_id: int,
        message: Inbound,
        seen: Seen | None,
        standing: Standing,
        *,
        overheard: bool = False,
    ) -> Admitted:
        """Person and lane of a message; what is new is made, what has changed is noted."""
        now = self._clock.now()
        if seen is not None and not seen.changed:
            person_id, lane, noted = seen.person_id, seen.lane, seen.noted
        else:
            person_id, private_scope = self.profiles.meet(tx, tenant_id, message.sender)
            place = Place(chat=message.chat, thread=message.thread, kind=message.chat_kind, title=message.title)
            lane, noted = chats.lane(tx, tenant_id, place, private_scope, now), False
        admitted = Admitted(person_id=person_id, lane=lane, standing=standing, overheard=overheard)
        if may(standing, Standing.GUEST) and not (
            seen.opted_out if seen else people.opted_out_of(tx, tenant_id, lane.scope_id, person_id)
        ):
            for capability in self.capabilities:
                capability.understands.learns(tx, lane, person_id, message, now, noted=noted)
        return admitted

    def _turn_away(self, tx: Tx, tenant_id: int, sender: Sender, away: Counter[str]) -> None:
        self._standings.be_sure(tx, tenant_id, sender)
        away[sender.address] += 1

    def _invited(self, tx: Tx, tenant_id: int, message: Inbound) -> bool:
        """Whether a stranger came by an open invitation of an owner; it is used up, and who gave it is told."""
        word = None if message.forwarded else INVITED.fullmatch(message.text.strip())
        now = self._clock.now()
        found = invitations.find(tx, tenant_id, invitations.INVITE, word[1], now) if word is not None else None
        if found is None or not self._standings.owns(tx, tenant_id, found["person_id"]):
            return False
        host, name = people.private_lane(tx, tenant_id, found["person_id"]), literal(message.sender.name[:SHOWN_NAME])
        if self._known_as(tx, tenant_id, message.sender, None) == "removed":
            self._report(tx, host, f"not-invited:{found['id']}", "invite_refused", name)
            return False
        person_id, _ = people.meet(tx, tenant_id, message.sender, now)
        if not invitations.use(tx, found["id"], person_id, now):
            return False
        people.set_standing(tx, tenant_id, person_id, "member")
        self._report(tx, host, f"invited:{found['id']}", "invite_used", name)
        return True

    def _report(self, tx: Tx, lane: LaneKey | None, key: str, text: str, name: str) -> None:
        """Tell who invited somebody what became of it."""
        if lane is not None:
            self._composer.tell(tx, lane, key, self._texts(tx, lane, "").say(text, name=name))

    def _pair(self, tx: Tx, tenant_id: int, message: Inbound) -> bool:
        """Give a stranger a code and ask the owners; False when there are too many, or they have one already."""
        now = self._clock.now()
        if invitations.waiting(tx, tenant_id, now - PAIRING_LASTS) >= PAIRINGS_A_DAY:
            return False
        row = people.known(tx, tenant_id, message.sender.address)
        if row is not None and (
            row["standing"] == "removed" or invitations.waiting(tx, tenant_id, now - PAIRING_LASTS, row["id"])
        ):
            return False
        admitted = self._settle(tx, tenant_id, message, None, Standing.STRANGER)
        code = "".join(secrets.choice(invitations.CODE_LETTERS) for _ in range(8))
        lane, kind = admitted.lane, invitations.PAIRING
        n = invitations.insert(tx, lane, kind, code, admitted.person_id, now=now, lasts=PAIRING_LASTS)
        words = self._texts(tx, lane, message.sender.language).say("pairing_code", code=code)
        self._composer.tell(tx, lane, f"pairing:{n}", words)
        self._composer.owners.tell(
            tx,
            lane,
            f"pairing:{n}",
            "pairing_owner",
            [("allow", f"/pair {code}"), ("deny", f"/pair deny {code}")],
            name=literal(message.sender.name[:SHOWN_NAME]),
            address=message.sender.address,
            code=code,
        )
        return True

    def _adopt(self, tx: Tx, tenant_id: int, place: Place, sender: Sender, key: str) -> None:
        """A group is allowed from now on; it is told once what the bot sees and keeps."""
        now = self._clock.now()
        _, private_scope = self.profiles.meet(tx, tenant_id, sender)
        lane = chats.lane(tx, tenant_id, place, private_scope, now)
        outbox.keep_in(tx, lane, now)
        if chats.set_state(tx, lane, chats.ALLOWED, place.title):
            self._back(tx, lane)
            words = self._texts(tx, lane, sender.language)["group_intro"]
            self._composer.tell(tx, lane, f"introduction:{lane.chat_id}:{key}", words)

    def _leave(self, tx: Tx, tenant_id: int, presence: Presence, away: Counter[str]) -> None:
        """Somebody without access added the bot to a group: it leaves, and the owners are told once."""
        self._standings.be_sure(tx, tenant_id, presence.sender)
        now = self._clock.now()
        if chats.strays(tx, tenant_id, now - PAIRING_LASTS) >= STRAY_GROUPS_A_DAY:
            self._turn_away(tx, tenant_id, presence.sender, away)
            return
        lane = chats.lane(tx, tenant_id, Place(chat=presence.chat, kind="group", title=presence.title), 0, now)
        self._composer.leave(tx, lane, f"leave:{presence.key}")
        self._composer.owners.tell(
            tx,
            lane,
            f"stray:{lane.chat_id}",
            "stray_group_owner",
            title=literal(presence.title[:SHOWN_NAME]),
            name=literal(presence.sender.name[:SHOWN_NAME]),
            address=presence.sender.address,
        )

    def _texts(self, tx: Tx, lane: LaneKey, tag: str) -> Language:
        return self._composer.texts(tx, lane, self._tag(tag))

    def _tag(self, tag: str) -> str:
        """The configured language, else that of somebody."""
        return tag if self._language == "auto" else self._language


def order_of(message: Inbound) -> str:
    """Return the command line that a message is; empty when it is none."""
    return order(message.text, forwarded=message.forwarded)


def _whole(tenant_id: int, scope_id: int, chat_id: int) -> LaneKey:
    """A chat as a key, where no lane of it is meant."""
    return LaneKey(tenant_id=tenant_id, scope_id=scope_id, chat_id=chat_id, lane_id=0)
