"""Where the bot is: it is installed, added to groups and removed, blocked and unblocked (STATES: Chat)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from core.delivery.composer import Composer
from core.kernel.access import may
from core.kernel.markdown import literal
from core.kernel.ports import Clock, Tx
from core.kernel.types import DAY, LaneKey, Sender, Standing
from core.kernel.updates import Installed, Presence
from core.pipeline.intake.conversations import Profiles
from core.store.conversation import outbox
from core.store.people import chats, people, tenants
from core.store.people.chats import ChatState, Place
from core.store.people.people import Standings, known_as

STRAY_GROUPS_A_DAY = 10
SHOWN_NAME = 64


class BotPresence:
    """Notes where the bot is. `back` is told of a chat that is there again; `profiles` keeps those of the people it
    meets."""

    def __init__(
        self,
        standings: Standings,
        composer: Composer,
        clock: Clock,
        profiles: Profiles,
        back: Callable[[Tx, LaneKey], None],
    ) -> None:
        self._standings, self._composer, self._clock, self.profiles = standings, composer, clock, profiles
        self.back = back

    def changed(self, tx: Tx, tenant_id: int, presence: Presence, turned_away: Counter[str]) -> None:
        """Note that the bot was added to a chat, removed, blocked or unblocked, or has other rights there."""
        chat = chats.find(tx, tenant_id, presence.chat)
        allowed = chat is not None and chat["state"] == ChatState.ALLOWED
        if not presence.present or presence.chat_kind == "private" or allowed:
            if chat is not None:
                state = ChatState.GONE if not presence.present else ChatState.ALLOWED if allowed else ChatState.NONE
                whole = LaneKey(tenant_id=tenant_id, scope_id=chat["scope_id"], chat_id=chat["id"], lane_id=0)
                chats.set_state(tx, whole, state, presence.title)
                if presence.present:
                    self.back(tx, whole)
            return
        known = known_as(people.known(tx, tenant_id, presence.sender.address), presence.sender)
        standing = self._standings.of(tx, tenant_id, presence.sender, known)
        if may(standing, Standing.MEMBER) or self._standings.invited(tx, tenant_id, presence.sender, presence.chat):
            place = Place(chat=presence.chat, kind="group", title=presence.title)
            self.adopt(tx, tenant_id, place, presence.sender, presence.key)
        else:
            self._leave(tx, tenant_id, presence, turned_away)

    def installed(self, tx: Tx, tenant_id: int, installed: Installed) -> None:
        """Note that the app was installed. Whoever did it owns the bot there, unless it was there before and has an
        owner."""
        if not installed.fresh and tenants.owners(tx, tenant_id):
            return
        address, now = installed.sender.address, self._clock.now()
        row = people.known(tx, tenant_id, address)
        met = people.meet(tx, tenant_id, installed.sender, now) if row is None else (row["id"], row["scope_id"])
        tenants.own(tx, tenant_id, met[0])
        self.profiles.let_in(tx, tenant_id, met[0])
        if installed.chat:
            lane = chats.lane(tx, tenant_id, Place(chat=installed.chat), met[1], now)
            self.chat_returned(tx, lane)
            words = self._composer.texts(tx, lane, installed.sender.language)["installed"]
            self._composer.tell(tx, lane, f"installed:{installed.key}", words)

    def chat_returned(self, tx: Tx, lane: LaneKey) -> None:
        """Note that a private chat can be reached; if it was gone before, what was paused for that goes on."""
        if chats.set_state(tx, lane, ChatState.NONE, ""):
            self.back(tx, lane)

    def adopt(self, tx: Tx, tenant_id: int, place: Place, sender: Sender, key: str) -> None:
        """Allow a group, and tell it once what the bot sees and keeps."""
        now = self._clock.now()
        _, private_scope = self.profiles.meet(tx, tenant_id, sender)
        lane = chats.lane(tx, tenant_id, place, private_scope, now)
        outbox.keep_in(tx, lane, now)
        if chats.set_state(tx, lane, ChatState.ALLOWED, place.title):
            self.back(tx, lane)
            words = self._composer.texts(tx, lane, sender.language)["group_intro"]
            self._composer.tell(tx, lane, f"introduction:{lane.chat_id}:{key}", words)

    def _leave(self, tx: Tx, tenant_id: int, presence: Presence, turned_away: Counter[str]) -> None:
        """Leave a group to which somebody without access added the bot, and tell the owners once."""
        self._standings.be_sure(tx, tenant_id, presence.sender)
        now = self._clock.now()
        if chats.strays(tx, tenant_id, now - DAY, now) >= STRAY_GROUPS_A_DAY:
            turned_away[presence.sender.address] += 1
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
