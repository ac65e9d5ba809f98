"""What the spine asks of the page: to be shown anew."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.home.service import Pages
from core.delivery.composer import Composer
from core.toolkit.services import Services


def services(services: Services) -> Sequence[object]:
    """Return what shows pages."""
    pages = Pages(
        services.db,
        services.clock,
        services.adapters,
        access=services.access,
        composer=services.get(Composer),
        serves=services.serves,
        zone=services.zone,
    )
    return (pages,)


async def show(services: Services, person_id: int) -> None:
    """Show somebody their page as it is now."""
    await services.get(Pages).show(person_id)
