"""Notices to other people: what somebody is told of what another one did, in their own language."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.delivery.composer import Composer
from core.kernel.markdown import lines
from core.kernel.ports import Tx
from core.kernel.replies import Offer
from core.kernel.types import LaneKey
from core.store.conversation.outbox import Post
from core.store.people import people


class Notifier:
    """Tells people. `told` hears whom (tenant, person): what is shown to them elsewhere may have changed."""

    def __init__(self, composer: Composer, told: Callable[[Tx, int, int], None]) -> None:
        self._composer, self._told = composer, told

    def tell(
        self,
        tx: Tx,
        lane: LaneKey,
        person_id: int,
        key: str,
        text: str,
        offers: Sequence[Offer] = (),
        *,
        foreign: bool = False,
        **values: object,
    ) -> None:
        """Queue the text with the key `text` of the language files where `lane` is, once a `key`.

        `offers` are buttons for that person: the key of a label, and what a press says. It is `foreign` when it has
        words of others.
        """
        language = self._composer.language(people.participant(tx, lane, person_id))
        buttons = [(language.say(label, **values), says) for label, says in offers]
        presser = person_id if buttons else None
        words = language.say(text, **values)
        self._composer.tell(tx, lane, key, words, buttons, notice=False, foreign=foreign, person_id=presser)
        self._told(tx, lane.tenant_id, person_id)

    def file_refused(self, tx: Tx, post: Post) -> None:
        """Tell whoever waits for a file that the platform refused it; why is for the operator, beside the dead row."""
        if post.document is not None and post.person_id is not None:
            key = f"{post.key}:refused"
            self.tell(tx, post.lane, post.person_id, key, "file_refused", name=lines(post.document.name))
