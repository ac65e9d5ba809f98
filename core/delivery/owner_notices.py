"""Notices to owners: what they are told in private, and who is named as one."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from core.kernel.access import at_home
from core.kernel.ids import ref
from core.kernel.ports import Tx
from core.kernel.replies import Offer
from core.kernel.types import LaneKey
from core.language import Language
from core.store.conversation.outbox import NO_SOURCE, Doubt, Post, Source, SourceKind
from core.store.people import people, tenants

if TYPE_CHECKING:
    from core.delivery.composer import Composer


class OwnerNotices:
    """Tells owners: those of the configuration, by address, and who installed the app where it works.

    `platforms` are those that are served here.
    """

    def __init__(self, composer: Composer, owners: Sequence[str], *, platforms: Collection[str]) -> None:
        self._composer, self._owners, self._platforms = composer, list(owners), platforms

    def lead(self, tx: Tx, tenant_id: int, address: str) -> str:
        """Markdown that names an owner in the workspace that somebody (`address`) belongs to; empty when none is."""
        workspace = f"{address.rpartition(':')[0]}:"
        owners = [one for one in self._owners_of(tx, tenant_id) if one.startswith(workspace)]
        met = {one: row["name"] for one in owners if (row := people.known(tx, tenant_id, one)) is not None}
        # If none has written yet one is named all the same: a mention needs no name.
        lead = next(iter([*met, *owners]), "")
        return self._composer.mention(address.partition(":")[0], lead, met.get(lead, "")) if lead else ""

    def _owners_of(self, tx: Tx, tenant_id: int) -> list[str]:
        """Addresses of the owners: of the configuration, where they are at home, and who installed the app there."""
        named = (one for one in self._owners if at_home(one, people.workspace(tx, tenant_id)))
        return list(dict.fromkeys([*named, *tenants.owners(tx, tenant_id)]))

    def lanes(self, tx: Tx, tenant_id: int) -> list[tuple[LaneKey, Language]]:
        """Return where each owner talks to the bot in private, with the texts for it."""
        private = people.private_lanes(tx, tenant_id, self._owners_of(tx, tenant_id))
        return [(lane, self._composer.texts(tx, lane, "")) for lane in private]

    def tell_doubt(self, tx: Tx, doubt: Doubt | Post) -> None:
        """Tell the owners of a message that may not have arrived and is not sent again; not of such a notice itself."""
        if doubt.source.kind is SourceKind.DOUBT:
            return
        _, place = people.place(tx, doubt.lane)
        words: dict[str, Any] = {"chat": place.chat, "ref": ref("o", doubt.outbox_id)}
        key, source = f"doubt:{doubt.outbox_id}", Source(SourceKind.DOUBT, doubt.outbox_id)
        self.tell(tx, doubt.lane, key, "send_in_doubt_owner", here=True, source=source, **words)

    def tell_operators(self, tx: Tx, key: str, text: str, **values: object) -> None:
        """One notice, once a key, to each owner of the configuration who has talked to the bot in private."""
        for tenant_id, platform, workspace in tenants.present(tx):
            owners = [one for one in self._owners if at_home(one, workspace)] if platform in self._platforms else []
            for lane in people.private_lanes(tx, tenant_id, owners):
                words = self._composer.texts(tx, lane, "").say(text, **values)
                self._composer.tell(tx, lane, f"{key}:owner:{lane.lane_id}", words)

    def tell(
        self,
        tx: Tx,
        about: LaneKey,
        key: str,
        text: str,
        offers: Sequence[Offer] = (),
        *,
        here: bool = False,
        source: Source = NO_SOURCE,
        **values: object,
    ) -> None:
        """One notice to each owner who has talked to the bot in private; `here` also in the chat it is about.

        The labels of `offers` are keys of texts.
        """
        for lane, language in self.lanes(tx, about.tenant_id):
            if here or lane.lane_id != about.lane_id:
                buttons = [(language[label], said) for label, said in offers]
                words = language.say(text, **values)
                self._composer.tell(tx, lane, f"{key}:owner:{lane.lane_id}", words, buttons, source=source)
