"""Tenants, people and the places they talk in: platform addresses are rows that point to internal ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.kernel.access import Access, at_home, may
from core.kernel.errors import SenderUnknown
from core.kernel.markdown import folded
from core.kernel.ports import Row, Serves, Tx
from core.kernel.timing.zones import known_zone
from core.kernel.types import Destination, LaneKey, Millis, Person, Sender, Standing
from core.store.bulk import values
from core.store.people import tenants


def inserted(row: Row | None) -> int:
    """Return the id that an INSERT … RETURNING id gave."""
    assert row is not None
    return int(row["id"])


def tenant(tx: Tx, platform: str, external_id: str, name: str, now: Millis) -> int:
    """Return the id of a tenant, made on first sight, with an empty ledger; one that had ended is served again, and
    one without a name (its erasing takes it) is called as it is now."""
    params: Mapping[str, Any] = {"platform": platform, "external_id": external_id, "name": name, "now": now}
    changed = tx.run(
        "INSERT INTO tenant (platform, external_id, name, created_at) VALUES (:platform, :external_id, :name, :now)"
        " ON CONFLICT (platform, external_id) DO UPDATE SET ended_at = NULL, erased_at = NULL"
        " WHERE tenant.ended_at IS NOT NULL",
        params,
    )
    found = inserted(tx.one("SELECT id FROM tenant WHERE platform = :platform AND external_id = :external_id", params))
    if changed:
        tenants.bury(tx, found, now)
    tx.run("UPDATE tenant SET name = :name WHERE id = :id AND name = '' AND name <> :name", {"id": found, "name": name})
    tx.run(
        "INSERT INTO ledger_head (tenant_id, n, mac) VALUES (:tenant_id, 0, '') ON CONFLICT (tenant_id) DO NOTHING",
        {"tenant_id": found},
    )
    return found


def scope(tx: Tx, tenant_id: int, kind: str, now: Millis) -> int:
    """Make a scope (`private` or `group`) and return its id."""
    return inserted(
        tx.one(
            "INSERT INTO scope (tenant_id, kind, created_at) VALUES (:tenant_id, :kind, :now) RETURNING id",
            {"tenant_id": tenant_id, "kind": kind, "now": now},
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Somebody in a place. `standing` is what the database says of them, `chat_state` and `title` of the chat;
    `changed` when the platform now says something else of them; `noted` when they are known to have spoken there;
    `attended` when the bot spoke to them last in this thread."""

    person_id: int
    lane: LaneKey
    standing: str
    chat_state: str
    title: str
    reads_along: bool
    opted_out: bool
    changed: bool
    noted: bool
    attended: bool


_SEEN = (
    "SELECT p.id AS person_id, p.name, p.language, p.handle, p.kin, p.told_timezone, l.id, l.scope_id,"
    " CASE WHEN p.owns = 1 THEN 'owner' ELSE p.standing END AS standing, l.chat_id, l.attends, c.state, c.title,"
    " c.reads_along,"
    " EXISTS (SELECT 1 FROM optout o WHERE o.tenant_id = a.tenant_id AND o.scope_id = l.scope_id"
    " AND o.person_id = p.id) AS opted_out,"
    " EXISTS (SELECT 1 FROM contact k WHERE k.scope_id = l.scope_id AND k.person_id = p.id"
    " AND k.met = 1 AND k.left_at IS NULL) AS noted FROM address a"
    " JOIN person p ON p.id = a.person_id JOIN chat c ON c.tenant_id = a.tenant_id AND c.external_id = :chat"
    " JOIN lane l ON l.tenant_id = a.tenant_id AND l.chat_id = c.id AND l.thread = :thread"
    " WHERE a.tenant_id = :tenant_id AND a.external_id = :address"
)


def find(tx: Tx, tenant_id: int, sender: Sender, chat: str, thread: str) -> Seen | None:
    """Return what is known of a sender and their place, None where either is new: one query for most messages."""
    row = tx.one(_SEEN, {"tenant_id": tenant_id, "address": sender.address, "chat": chat, "thread": thread})
    if row is None:
        return None
    return Seen(
        person_id=row["person_id"],
        lane=lane_key(tenant_id, row),
        standing=row["standing"] or sender.kin or (row["kin"] if sender.unknown else ""),
        chat_state=row["state"],
        title=row["title"],
        reads_along=bool(row["reads_along"]),
        opted_out=bool(row["opted_out"]),
        changed=_differs(row, sender),
        noted=bool(row["noted"]),
        attended=row["attends"] == row["person_id"],
    )


def opted_out(tx: Tx, tenant_id: int, person: Row | None, chat: Row | Mapping[str, Any] | None) -> bool:
    """Return whether a person (a row with `id`) does not want to be heard in a chat (a row with `scope_id`)."""
    return person is not None and chat is not None and opted_out_of(tx, tenant_id, chat["scope_id"], person["id"])


def named_so(tx: Tx, lane: LaneKey, nickname: str) -> list[str]:
    """Return the names that those have themselves who are called otherwise in a lane's book, by that nickname."""
    rows = tx.all(
        "SELECT c.nickname, p.name FROM contact c JOIN person p ON p.id = c.person_id WHERE c.tenant_id = :tenant_id"
        " AND c.scope_id = :scope_id AND c.status = 'active' AND c.nickname <> '' AND p.name NOT IN ('', c.nickname)"
        " ORDER BY c.id",
        lane.params(),
    )
    return [row["name"] for row in rows if folded(row["nickname"]) == folded(nickname)]


def opted_out_of(tx: Tx, tenant_id: int, scope_id: int, person_id: int) -> bool:
    """Return whether somebody does not want to be heard, or known, in a scope."""
    found = tx.one(
        "SELECT 1 AS found FROM optout WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
        " AND person_id = :person_id",
        {"tenant_id": tenant_id, "scope_id": scope_id, "person_id": person_id},
    )
    return found is not None


# What the database says of somebody: that they own the bot here, were let in or removed, else what they are to their
# workspace.
STANDING = "CASE WHEN p.owns = 1 THEN 'owner' WHEN p.standing <> '' THEN p.standing ELSE p.kin END AS standing"


def left_alone(tx: Tx, lane: LaneKey, address: str) -> bool:
    """Return whether somebody, by their address, does not want to be heard in a group."""
    row = known(tx, lane.tenant_id, address)
    return opted_out(tx, lane.tenant_id, row, {"scope_id": lane.scope_id})


def known(tx: Tx, tenant_id: int, address: str) -> Row | None:
    """Return the person behind an address: id, scope_id, name, kin and standing; None when there is none."""
    return tx.one(
        f"SELECT p.id, p.scope_id, p.name, p.kin, {STANDING} FROM address a JOIN person p ON p.id = a.person_id"
        " WHERE a.tenant_id = :tenant_id AND a.external_id = :address",
        {"tenant_id": tenant_id, "address": address},
    )


def addresses(tx: Tx, tenant_id: int, person_id: int) -> list[str]:
    """Return the addresses of a person."""
    rows = tx.all(
        "SELECT external_id FROM address WHERE tenant_id = :tenant_id AND person_id = :person_id ORDER BY external_id",
        {"tenant_id": tenant_id, "person_id": person_id},
    )
    return [row["external_id"] for row in rows]


def set_standing(tx: Tx, tenant_id: int, person_id: int, standing: str) -> bool:
    """Make somebody a `member`, or `removed`; False when they were that already."""
    return bool(
        tx.run(
            "UPDATE person SET standing = :standing WHERE id = :id AND tenant_id = :tenant_id"
            " AND standing <> :standing",
            {"standing": standing, "id": person_id, "tenant_id": tenant_id},
        )
    )


def lane_key(tenant_id: int, row: Row) -> LaneKey:
    """Return the lane in a row with `id`, `scope_id` and `chat_id`."""
    return LaneKey(tenant_id=tenant_id, scope_id=row["scope_id"], chat_id=row["chat_id"], lane_id=row["id"])


def meet(tx: Tx, tenant_id: int, sender: Sender, now: Millis) -> tuple[int, int]:
    """Return (person id, private scope id) of a sender, made on first sight; what the platform says is kept current."""
    row = tx.one(
        "SELECT p.id, p.scope_id, p.name, p.language, p.handle, p.kin, p.told_timezone FROM address a"
        " JOIN person p ON p.id = a.person_id"
        " WHERE a.tenant_id = :tenant_id AND a.external_id = :address",
        {"tenant_id": tenant_id, "address": sender.address},
    )
    if row is None:
        return _introduce(tx, tenant_id, sender, now)
    if _differs(row, sender):
        _free_handle(tx, tenant_id, sender)
        tx.run(
            "UPDATE person SET name = :name, language = :language, handle = :handle, kin = :kin,"
            " told_timezone = COALESCE(NULLIF(:told_timezone, ''), told_timezone)"
            " WHERE id = :id AND tenant_id = :tenant_id",
            {"id": row["id"], "tenant_id": tenant_id, **_told(sender)},
        )
    return row["id"], row["scope_id"]


def profile(tx: Tx, tenant_id: int, address: str) -> tuple[str, str, str]:
    """Return the name of somebody, the zone of their profile, as long as they have chosen none themselves, and what
    they are to their workspace (`kin`); empty when there is none."""
    row = tx.one(
        "SELECT p.name, CASE WHEN p.timezone = '' THEN p.told_timezone ELSE '' END AS zone, p.kin FROM address a"
        " JOIN person p ON p.id = a.person_id WHERE a.tenant_id = :tenant_id AND a.external_id = :address",
        {"tenant_id": tenant_id, "address": address},
    )
    return ("", "", "") if row is None else (row["name"], row["zone"], row["kin"])


def _told(sender: Sender) -> dict[str, str]:
    """Return what the platform says of somebody, by column; a zone that nobody knows is none."""
    return {
        "name": sender.name,
        "language": sender.language,
        "handle": sender.handle,
        "kin": sender.kin,
        "told_timezone": sender.timezone and known_zone(sender.timezone),
    }


def _differs(row: Row, sender: Sender) -> bool:
    """Return whether the platform says something new of somebody. A profile that has no zone just now leaves that it
    had."""
    said = {column: value for column, value in _told(sender).items() if value or column != "told_timezone"}
    return not sender.unknown and any(row[column] != value for column, value in said.items())


def _free_handle(tx: Tx, tenant_id: int, sender: Sender) -> None:
    """Take a handle from whoever had it before: it has one owner at a time."""
    if sender.handle:
        tx.run(
            "UPDATE person SET handle = '' WHERE tenant_id = :tenant_id AND handle = :handle AND handle <> ''",
            {"tenant_id": tenant_id, "handle": sender.handle},
        )


def _introduce(tx: Tx, tenant_id: int, sender: Sender, now: Millis) -> tuple[int, int]:
    _free_handle(tx, tenant_id, sender)
    params: dict[str, Any] = {
        "tenant_id": tenant_id,
        "scope_id": scope(tx, tenant_id, "private", now),
        "address": sender.address,
        "anonymous": int(sender.anonymous),
        **_told(sender),
        "now": now,
    }
    params["person_id"] = inserted(
        tx.one(
            "INSERT INTO person (tenant_id, scope_id, name, language, handle, kin, told_timezone, anonymous,"
            " created_at) VALUES (:tenant_id, :scope_id, :name, :language, :handle, :kin, :told_timezone, :anonymous,"
            " :now) RETURNING id",
            params,
        )
    )
    tx.run(
        "INSERT INTO address (tenant_id, scope_id, external_id, person_id)"
        " VALUES (:tenant_id, :scope_id, :address, :person_id)",
        params,
    )
    return params["person_id"], params["scope_id"]


# The zone that somebody chose, else the one of their profile.
ZONE = "CASE WHEN p.timezone <> '' THEN p.timezone ELSE p.told_timezone END"
_PLACE = "t.platform, t.external_id AS tenant, c.external_id AS chat, l.thread"
_OF_LANE = (
    "lane l JOIN chat c ON c.id = l.chat_id JOIN tenant t ON t.id = l.tenant_id"
    "{more} WHERE l.id = :lane_id AND l.tenant_id = :tenant_id AND l.scope_id = :scope_id"
)
PARTICIPANT_COLUMNS = (
    f"p.id, p.name, p.language, {ZONE} AS timezone, {STANDING}, p.anonymous, p.chosen_language,"
    " a.external_id AS address, c.kind, c.title, c.state, c.language AS chat_language, c.timezone AS chat_timezone,"
    f" {_PLACE}, c.explained_on"
)
_SEAT = (
    f"SELECT {PARTICIPANT_COLUMNS} FROM "
    + _OF_LANE.format(more=" JOIN person p ON p.id = :person_id JOIN address a ON a.person_id = p.id")
    + " AND p.tenant_id = :tenant_id AND a.tenant_id = :tenant_id LIMIT 1"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """Who is worked for, and where. `language` and `timezone` were chosen for this chat; empty when nobody chose.

    `chat_state` is what the database says of the chat; `explained_on` is the day (ISO) on which it was last told at
    length why there is no model.
    """

    person: Person
    standing: str
    platform: str
    place: Destination
    group: bool
    title: str
    language: str
    timezone: str
    chat_state: str
    explained_on: str = ""


def participant(tx: Tx, lane: LaneKey, person_id: int) -> Participant:
    """Return a person of this tenant with one address, and the lane they talk in; a group has its own language and
    zone."""
    row = tx.one(_SEAT, {"person_id": person_id, **lane.params()})
    assert row is not None
    return participant_of(row)


def participant_of(row: Row) -> Participant:
    """Return the participant of a row that begins with `PARTICIPANT_COLUMNS`."""
    number, name, language, zone, standing, anonymous, chosen, address, *more = values(row)
    kind, title, state, chat_language, chat_zone, platform, tenant, chat, thread, explained_on, *_ = more
    group = kind == "group"
    return Participant(
        person=Person(
            person_id=number,
            address=address,
            name=name,
            language=language,
            timezone=known_zone(zone),
            anonymous=bool(anonymous),
        ),
        standing=standing,
        platform=platform,
        place=Destination(tenant=tenant, chat=chat, thread=thread),
        group=group,
        title=title,
        language=chat_language if group else chosen,
        timezone=known_zone(chat_zone if group else zone),
        chat_state=state,
        explained_on=explained_on,
    )


def workspace(tx: Tx, tenant_id: int) -> str:
    """Return the platform's id of a tenant."""
    row = tx.one("SELECT external_id FROM tenant WHERE id = :id", {"id": tenant_id})
    return "" if row is None else str(row["external_id"])


def name(tx: Tx, lane: LaneKey, person_id: int) -> str:
    """Return what a person of this tenant is called."""
    row = tx.one(
        "SELECT name FROM person WHERE id = :id AND tenant_id = :tenant_id", {"id": person_id, **lane.params()}
    )
    return "" if row is None else str(row["name"])


def lane(tx: Tx, tenant_id: int, lane_id: int) -> LaneKey | None:
    """Return a lane of the tenant by its number."""
    row = tx.one(
        "SELECT id, scope_id, chat_id FROM lane WHERE id = :id AND tenant_id = :tenant_id",
        {"id": lane_id, "tenant_id": tenant_id},
    )
    return None if row is None else lane_key(tenant_id, row)


def quiet(tx: Tx, lane: LaneKey) -> tuple[str, str]:
    """Return when the bot starts nothing in a lane by itself, and in which zone: the group's, or the person's."""
    row = tx.one(
        "SELECT CASE WHEN c.kind = 'group' THEN c.quiet ELSE p.quiet END AS quiet,"
        f" CASE WHEN c.kind = 'group' THEN c.timezone ELSE {ZONE} END AS timezone"
        " FROM chat c LEFT JOIN person p ON p.scope_id = c.scope_id WHERE c.id = :chat_id AND c.tenant_id = :tenant_id",
        lane.params(),
    )
    return ("", "") if row is None else (row["quiet"] or "", known_zone(row["timezone"]))


def elsewhere(tx: Tx, serves: Serves) -> list[int]:
    """Tenants in this database that this process does not serve."""
    rows = tx.all("SELECT id, platform, external_id FROM tenant ORDER BY id")
    return [row["id"] for row in rows if not serves(row["platform"], row["external_id"])]


def place(tx: Tx, lane: LaneKey) -> tuple[str, Destination]:
    """Platform of a lane, and its address there."""
    row = tx.one(f"SELECT {_PLACE} FROM {_OF_LANE.format(more='')}", lane.params())
    assert row is not None
    return row["platform"], Destination(tenant=row["tenant"], chat=row["chat"], thread=row["thread"])


def private_lanes(tx: Tx, tenant_id: int, addresses: Sequence[str]) -> list[LaneKey]:
    """Lanes of the private chats of these addresses, as far as they have talked to the bot."""
    found = []
    for address in addresses:
        row = tx.one(
            "SELECT l.id, l.scope_id, l.chat_id FROM address a"
            " JOIN chat c ON c.scope_id = a.scope_id AND c.kind = 'private' AND c.tenant_id = a.tenant_id"
            " JOIN lane l ON l.chat_id = c.id AND l.tenant_id = c.tenant_id"
            " WHERE a.tenant_id = :tenant_id AND a.external_id = :address"
            " ORDER BY l.id LIMIT 1",
            {"tenant_id": tenant_id, "address": address},
        )
        if row is not None:
            found.append(lane_key(tenant_id, row))
    return found


def private_lane(tx: Tx, tenant_id: int, person_id: int) -> LaneKey | None:
    """Return the lane of a person's private chat, if they have talked to the bot."""
    row = tx.one(
        "SELECT l.id, l.scope_id, l.chat_id FROM person p JOIN chat c ON c.scope_id = p.scope_id"
        " AND c.kind = 'private' AND c.tenant_id = p.tenant_id JOIN lane l ON l.chat_id = c.id"
        " AND l.tenant_id = c.tenant_id"
        " WHERE p.tenant_id = :tenant_id AND p.id = :person_id ORDER BY l.id LIMIT 1",
        {"tenant_id": tenant_id, "person_id": person_id},
    )
    return None if row is None else lane_key(tenant_id, row)


def chosen(tx: Tx, lane: LaneKey, person_id: int) -> tuple[str, str, str]:
    """Return what a person has chosen for themselves: language, zone and quiet hours, empty where nothing."""
    row = tx.one(
        "SELECT chosen_language, timezone, quiet FROM person WHERE id = :id AND tenant_id = :tenant_id",
        {"id": person_id, "tenant_id": lane.tenant_id},
    )
    return ("", "", "") if row is None else (row["chosen_language"] or "", row["timezone"] or "", row["quiet"] or "")


def choose(
    tx: Tx,
    lane: LaneKey,
    person_id: int,
    *,
    language: str | None = None,
    timezone: str | None = None,
    quiet: str | None = None,
) -> None:
    """Set what a person has chosen for themselves; None leaves it."""
    tx.run(
        "UPDATE person SET chosen_language = COALESCE(:language, chosen_language),"
        " timezone = COALESCE(:timezone, timezone), quiet = COALESCE(:quiet, quiet)"
        " WHERE id = :id AND tenant_id = :tenant_id",
        {"language": language, "timezone": timezone, "quiet": quiet, "id": person_id, "tenant_id": lane.tenant_id},
    )


# What somebody is in a tenant: the rule of access, asked with the tenant's id on its platform.

# Of such a sender the platform may say more at another time (`Sender.unknown`).
NOW = "now"


class Standings:
    """Asks the rule of access."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._workspaces: dict[int, str] = {}

    def of(self, tx: Tx, tenant_id: int, sender: Sender, known_as: str, *, in_allowed_group: bool = False) -> Standing:
        """Return what somebody is there; `known_as` as in `Access.standing`."""
        here = self._workspace(tx, tenant_id)
        return self._access.standing(sender.address, known_as, workspace=here, in_allowed_group=in_allowed_group)

    def be_sure(self, tx: Tx, tenant_id: int, sender: Sender) -> None:
        """Raise `SenderUnknown` when somebody without access would have it as a full member, and nobody says now what
        they are: then they are no stranger yet."""
        if sender.unknown == NOW:
            best = known_as(known(tx, tenant_id, sender.address), replace(sender, kin=sender.kin or "full"))
            if may(self.of(tx, tenant_id, sender, best), Standing.MEMBER):
                raise SenderUnknown

    def invited(self, tx: Tx, tenant_id: int, sender: Sender, chat: str) -> bool:
        """Return whether the list names a chat of the workspace, to which somebody belongs."""
        return self._access.invites(sender.address, chat, workspace=self._workspace(tx, tenant_id))

    def owns(self, tx: Tx, tenant_id: int, person_id: int) -> bool:
        """Return whether somebody is an owner, by the configuration or by the database."""
        here, theirs = self._workspace(tx, tenant_id), set(addresses(tx, tenant_id, person_id))
        named = {one for one in self._access.owners if at_home(one, here)}
        return not theirs.isdisjoint(named.union(tenants.owners(tx, tenant_id)))

    def _workspace(self, tx: Tx, tenant_id: int) -> str:
        """Return the platform's id of a tenant, which never changes."""
        if tenant_id not in self._workspaces:
            self._workspaces[tenant_id] = workspace(tx, tenant_id)
        return self._workspaces[tenant_id]


def standing_here(access: Access, participant: Participant) -> Standing:
    """Return the standing of a participant, as far as it is known without asking the platform."""
    address, place, group = participant.person.address, participant.place, participant.group
    return access.standing(address, participant.standing, workspace=place.tenant, in_allowed_group=group)


def known_as(row: Row | None, sender: Sender) -> str:
    """Return what is known of somebody (a row with `standing`): for somebody new, what they are to their workspace."""
    return (sender.kin if row is None else str(row["standing"])) or sender.kin
