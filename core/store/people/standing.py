"""What somebody is in a tenant: the rule of access, asked with the tenant's id on its platform."""

from __future__ import annotations

from dataclasses import replace

from core.kernel.access import Access, at_home, may
from core.kernel.errors import SenderUnknown
from core.kernel.ports import Row, Tx
from core.kernel.types import Sender, Standing
from core.store.people import people, tenants
from core.store.people.people import Participant

# Of such a sender the platform may say more at another time (`Sender.unknown`).
NOW = "now"


class Standings:
    """Asks the rule of access."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._workspaces: dict[int, str] = {}

    def of(self, tx: Tx, tenant_id: int, sender: Sender, known_as: str, *, in_allowed_group: bool = False) -> Standing:
        """What somebody is there; `known_as` as in `Access.standing`."""
        here = self._workspace(tx, tenant_id)
        return self._access.standing(sender.address, known_as, workspace=here, in_allowed_group=in_allowed_group)

    def be_sure(self, tx: Tx, tenant_id: int, sender: Sender) -> None:
        """Raise `SenderUnknown` when somebody without access would have it as a full member, and nobody says now what
        they are: then they are no stranger yet."""
        if sender.unknown == NOW:
            best = known_as(people.known(tx, tenant_id, sender.address), replace(sender, kin=sender.kin or "full"))
            if may(self.of(tx, tenant_id, sender, best), Standing.MEMBER):
                raise SenderUnknown

    def invited(self, tx: Tx, tenant_id: int, sender: Sender, chat: str) -> bool:
        """Whether the list names a chat of the workspace, to which somebody belongs."""
        return self._access.invites(sender.address, chat, workspace=self._workspace(tx, tenant_id))

    def owns(self, tx: Tx, tenant_id: int, person_id: int) -> bool:
        """Whether somebody is an owner, by the configuration or by the database."""
        here, theirs = self._workspace(tx, tenant_id), set(people.addresses(tx, tenant_id, person_id))
        named = {one for one in self._access.owners if at_home(one, here)}
        return not theirs.isdisjoint(named.union(tenants.owners(tx, tenant_id)))

    def _workspace(self, tx: Tx, tenant_id: int) -> str:
        """The platform's id of a tenant, which never changes."""
        if tenant_id not in self._workspaces:
            self._workspaces[tenant_id] = people.workspace(tx, tenant_id)
        return self._workspaces[tenant_id]


def here(access: Access, participant: Participant) -> Standing:
    """What somebody is where they sit, as far as the platform need not be asked."""
    address, place, group = participant.person.address, participant.place, participant.group
    return access.standing(address, participant.standing, workspace=place.tenant, in_allowed_group=group)


def known_as(row: Row | None, sender: Sender) -> str:
    """What is known of somebody (a row with `standing`): for somebody new, what they are to their workspace."""
    return (sender.kin if row is None else str(row["standing"])) or sender.kin
