"""The page that a platform has for somebody and the bot (Slack: App Home): what is theirs at a glance, kept current.

It shows what their private chat shows, and to them alone. A button of it says what a command would in that chat; where
the answer is the changed list, it is not said: the page is shown anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from zoneinfo import ZoneInfo

from core.capabilities.home import repository as pages
from core.capabilities.home.views import Line, View, sections
from core.delivery.composer import Composer
from core.kernel.access import Access, may
from core.kernel.intent import Order
from core.kernel.ports import Adapter, Clock, Database, Engine, Serves, Tx
from core.kernel.timing.zones import zone_named
from core.kernel.types import DAY, Button, Item, LaneKey, Millis, Page, Standing
from core.store.people import people
from core.store.people.people import Participant
from core.toolkit import other_chats

# Who has not looked at it for this long finds it made anew when they do.
LOOKED: Millis = 7 * DAY


def look(tx: Tx, engine: Engine, tenant_id: int, person_id: int, now: Millis) -> None:
    """Note that somebody looks at their page, and see that they are shown it."""
    pages.look(tx, tenant_id, person_id, now)
    engine.poke(tx, "page", person_id)


def keep_current(tx: Tx, engine: Engine, tenant_id: int, person_id: int, now: Millis) -> None:
    """See that a page is shown anew, if somebody looked at it lately: what it shows may have changed."""
    if pages.looks(tx, tenant_id, person_id, now - LOOKED):
        engine.poke(tx, "page", person_id)


class Pages:
    """The handler of `page` pokes. `zone` is that of who has none."""

    def __init__(
        self,
        db: Database,
        clock: Clock,
        adapters: Mapping[str, Adapter],
        *,
        access: Access,
        composer: Composer,
        serves: Serves,
        zone: ZoneInfo,
    ) -> None:
        self._db, self._clock, self._adapters = db, clock, adapters
        self._access, self._composer, self._serves, self._zone = access, composer, serves, zone

    async def show(self, person_id: int) -> None:
        """Show somebody their page as it is now; nothing to who has no access, or never looked."""
        found = await self._db.read(lambda tx: self._whose(tx, person_id))
        if found is None:
            return
        lane, participant = found
        adapter, address = self._adapters[participant.platform], participant.person.address
        others = await other_chats.find(self._db, self._adapters, self._access, lane.tenant_id, participant)

        def renew_page(tx: Tx) -> Page:
            tx.lock(("person", person_id))
            view = View(
                tx=tx,
                access=self._access,
                lane=lane,
                person_id=person_id,
                others=others,
                language=self._composer.language(participant),
                zone=zone_named(participant.timezone) or self._zone,
                now=self._clock.now(),
            )
            shown = sections(view)
            offers = [offer for _, lines in shown for _, some in lines for offer in some]
            carried = pages.hang(tx, lane, person_id, offers, view.now)
            return Page(sections=tuple((title, _items(lines, carried)) for title, lines in shown))

        await adapter.page(participant.place.tenant, address, await self._db.write(renew_page))

    def _whose(self, tx: Tx, person_id: int) -> tuple[LaneKey, Participant] | None:
        lane = pages.lane(tx, person_id)
        participant = None if lane is None else people.participant(tx, lane, person_id)
        if lane is None or participant is None or not self._serves(participant.platform, participant.place.tenant):
            return None
        standing = self._access.standing(
            participant.person.address, participant.standing, workspace=participant.place.tenant
        )
        return (lane, participant) if may(standing, Standing.MEMBER) else None


def _items(lines: Sequence[Line], carried: Mapping[Order, str]) -> tuple[Item, ...]:
    return tuple(
        Item(
            text=text, buttons=tuple(Button(label=label, data=carried[said]) for label, said in some if said in carried)
        )
        for text, some in lines
    )
