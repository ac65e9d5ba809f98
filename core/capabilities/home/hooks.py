"""What the spine asks of the page: to be shown anew."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.home.service import Pages
from core.delivery.composer import Composer
from core.toolkit.services import Services


def services(house: Services) -> Sequence[object]:
    """Return what shows pages."""
    pages = Pages(
        house.db,
        house.clock,
        house.adapters,
        access=house.access,
        composer=house.get(Composer),
        serves=house.serves,
        zone=house.zone,
    )
    return (pages,)


async def show(house: Services, person_id: int) -> None:
    """Show somebody their page as it is now."""
    await house.get(Pages).show(person_id)
