"""Who may do what: five standings, and one table of what each family of tools needs.

Fails closed: whoever is not admitted is a stranger, and a family that the table does not name needs an owner. What a
command needs stands with it (core.toolkit.command).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from core.kernel.types import Standing

# From the least to the most; each may do what those before it may.
RANKS = (Standing.STRANGER, Standing.GUEST, Standing.MEMBER, Standing.ADMIN, Standing.OWNER)

# Families of tools: guests of an allowed group may use its chat, to-dos, reminders and memory, not hands.
FAMILIES: Mapping[str, Standing] = {
    "chat": Standing.GUEST,
    "data": Standing.GUEST,
    "governance": Standing.GUEST,
    "history": Standing.GUEST,
    "memory": Standing.GUEST,
    "schedule": Standing.GUEST,
    "settings": Standing.GUEST,
    "system": Standing.GUEST,
    "todo": Standing.GUEST,
    "transfer": Standing.GUEST,
    "calendars": Standing.MEMBER,
    "contacts": Standing.MEMBER,
    "custom": Standing.MEMBER,
    "files": Standing.MEMBER,
    "hooks": Standing.MEMBER,
    "links": Standing.MEMBER,
    "mcp": Standing.MEMBER,
    "network": Standing.MEMBER,
    "shell": Standing.MEMBER,
    "tasks": Standing.MEMBER,
    "people": Standing.OWNER,
    "privacy": Standing.STRANGER,
}


def order(text: str, *, forwarded: bool) -> str:
    """Return the command that a message is, whole; empty when it is none. What somebody else wrote, and was passed on
    (`Inbound.forwarded`), is never one, however it begins."""
    return text if text.startswith("/") and not forwarded else ""


def command_name(text: str) -> str:
    """Return the name of the command a text is, in lower case and without the bot's name; empty when it is none."""
    word = text.split(maxsplit=1)[0] if text.startswith("/") else ""
    return word[1:].partition("@")[0].lower()


def may(standing: Standing, needed: Standing) -> bool:
    """Return whether a standing is enough."""
    return RANKS.index(standing) >= RANKS.index(needed)


def family_needs(category: str) -> Standing:
    """Return the least standing for a family of tools."""
    return FAMILIES.get(category, Standing.OWNER)


def workspace_of(address: str) -> str:
    """Return the workspace that an address names (`slack:T1:U2`); empty for one that names none (`tg:1001`)."""
    return address.partition(":")[2].rpartition(":")[0]


def at_home(address: str, workspace: str) -> bool:
    """Return whether an address is of a workspace (the tenant's id). One that names none is at home everywhere."""
    return workspace_of(address) in ("", workspace)


@dataclass(frozen=True, kw_only=True)
class Access:
    """`mode` is owner, allowlist, pairing or open; `owners` and `allowed` are addresses such as `tg:1001`."""

    mode: str = "owner"
    owners: frozenset[str] = frozenset()
    allowed: frozenset[str] = field(default_factory=frozenset)

    def standing(self, address: str, known_as: str = "", *, workspace: str, in_allowed_group: bool = False) -> Standing:
        """Return what somebody is in a workspace (the tenant's id). `known_as` is what the database says: owner,
        member, removed, else their kin (`Sender`).

        Who is an owner to the database installed the app in that tenant. Being removed outweighs the configuration's
        list, not its owners. Who comes from another workspace is nobody's guest, and what the configuration says of
        them counts there alone.
        """
        named = at_home(address, workspace)
        if (named and address in self.owners) or known_as == "owner":
            return Standing.OWNER
        if known_as == "removed":
            return Standing.STRANGER
        # By name; as a full member of a workspace that is listed whole (`slack:T1`); or everybody is welcome.
        whole = known_as == "full" and address.rpartition(":")[0] in self.allowed
        listed = address in self.allowed or whole or (self.mode == "open" and known_as != "outsider")
        if known_as == "member" or (named and self.mode != "owner" and listed):
            return Standing.MEMBER
        return Standing.GUEST if in_allowed_group and named and known_as != "outsider" else Standing.STRANGER

    def invites(self, address: str, chat: str, *, workspace: str) -> bool:
        """Return whether the list names a chat (`slack:T1:C2`) of a workspace, to which somebody belongs."""
        listed = f"{address.rpartition(':')[0]}:{chat}" in self.allowed
        return self.mode != "owner" and at_home(address, workspace) and listed

    def here(self, beside: str, workspace: str) -> Access:
        """Return what the configuration says of one workspace, of whose platform is the address `beside`."""
        platform, apart = f"{beside.partition(':')[0]}:", bool(workspace_of(beside))

        def kept(addresses: frozenset[str]) -> frozenset[str]:
            own = {one: one.removeprefix(platform).partition(":")[0] for one in addresses if one.startswith(platform)}
            return frozenset(one for one, first in own.items() if not apart or first == workspace)

        return replace(self, owners=kept(self.owners), allowed=kept(self.allowed))


def access(mode: str, owners: Iterable[str], allowed: Iterable[str] = ()) -> Access:
    """Return the rule of access; the console's person is always an owner of the console."""
    return Access(mode=mode, owners=frozenset(owners) | {"console:local"}, allowed=frozenset(allowed))
