"""How contacts are forgotten, and handed over with their chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.capabilities.contacts import rows
from core.capabilities.contacts.portable import PORTABLE
from core.kernel.ports import Tx
from core.kernel.types import LaneKey
from core.store.conversation import chat_migration
from core.store.conversation.chat_migration import Merged
from core.store.people.optouts import LeftAlone
from core.toolkit.keeping import OF_SCOPE, Departed, Eraser, Keeps, Phase

_NAMED = (
    "(EXISTS (SELECT 1 FROM addressee WHERE contact_id = contact.id)"
    " OR EXISTS (SELECT 1 FROM assignee WHERE contact_id = contact.id))"
)


ERASERS: Mapping[str, Eraser] = {
    "addresses": Eraser(
        table="contact_address",
        act="DELETE FROM contact_address",
        phase=Phase.PEOPLE,
        own=f"contact_id IN (SELECT id FROM contact WHERE {OF_SCOPE} AND person_id = :person_id)",
        key="external_id",
    ),
    # Whoever others have reminded is left as nobody: a reminder without people would be for whoever made it.
    "people named": Eraser(
        table="contact",
        act="UPDATE contact SET person_id = NULL, status = 'inactive', nickname = '', subject_id = '',"
        " persona_brief = '', persona_traits = '{}', pronouns = '', timezone = '', preference_context = '',"
        " topic_weights = '{}'",
        phase=Phase.PEOPLE,
        counted="people",
        due=f"{_NAMED} AND (nickname <> '' OR person_id IS NOT NULL OR subject_id <> '' OR persona_brief <> ''"
        " OR preference_context <> '' OR topic_weights <> '{}' OR persona_traits <> '{}' OR pronouns <> ''"
        " OR timezone <> '')",
    ),
    "people": Eraser(
        table="contact", act="DELETE FROM contact", phase=Phase.PEOPLE, counted="people", due=f"NOT {_NAMED}"
    ),
}


def merged(tx: Tx, chats: Merged) -> None:
    """Contacts of a chat are those of the chat it became.

    Whom both scopes know is one contact from now on; an address stays whose it was in the scope that stays.
    """
    of_source = "SELECT id, person_id FROM contact WHERE scope_id = :source ORDER BY id"
    for contact in tx.all(of_source, {"source": chats.source}) if chats.lanes else ():
        target = chats.lanes[0][1]
        found = tx.all("SELECT external_id FROM contact_address WHERE contact_id = :id", {"id": contact["id"]})
        addresses = [row["external_id"] for row in found]
        known = rows.same(tx, target, contact["person_id"], addresses or [""])
        tx.run(
            "DELETE FROM contact_address WHERE contact_id = :id AND external_id IN (SELECT external_id"
            " FROM contact_address WHERE tenant_id = :tenant_id AND scope_id = :scope_id)",
            {"id": contact["id"], **target.params()},
        )
        if known is not None:
            rows.join(tx, known["id"], contact["id"])
    chat_migration.hand_over_scope(tx, chats, "contact")
    chat_migration.hand_over_scope(tx, chats, "contact_address")


def departed(tx: Tx, gone: Departed) -> Sequence[tuple[int, str]]:
    """Mark that somebody left a group, with the last time that they did."""
    tx.run(
        "UPDATE contact SET left_at = :at WHERE scope_id = :scope_id AND person_id = :person_id"
        " AND (left_at IS NULL OR left_at < :at)",
        {"scope_id": gone.scope_id, "person_id": gone.person_id, "at": gone.at},
    )
    return ()


def returned(tx: Tx, back: Departed) -> None:
    """Mark that somebody is in a group again, unless they have left since."""
    tx.run(
        "UPDATE contact SET left_at = NULL, returned_at = :at WHERE scope_id = :scope_id AND person_id = :person_id"
        " AND COALESCE(left_at, 0) <= :at AND COALESCE(returned_at, 0) < :at",
        {"scope_id": back.scope_id, "person_id": back.person_id, "at": back.at},
    )


def left_alone(tx: Tx, lane: LaneKey, alone: LeftAlone) -> Mapping[str, int]:
    """Erase somebody as a contact of a group; whatever names them there is for nobody from now on."""
    whose = {**lane.params(), "person_id": alone.person_id}
    mine = f"{OF_SCOPE} AND person_id = :person_id"
    had = tx.one(f"SELECT count(*) AS n FROM contact WHERE {mine}", whose)
    for one in ERASERS.values():
        tx.run(f"{one.act} WHERE {' AND '.join(filter(None, (one.within, one.due, one.own)))}", whose)
    return {"people": 0 if had is None else int(had["n"])}


def noted_elsewhere(tx: Tx, lane: LaneKey, person_id: int) -> Mapping[str, int]:
    """Count in how many other books somebody is noted."""
    found = tx.one(
        "SELECT count(*) AS n FROM contact WHERE tenant_id = :tenant_id AND scope_id <> :scope_id"
        " AND person_id = :person_id",
        {**lane.params(), "person_id": person_id},
    )
    return {"books": 0 if found is None else int(found["n"])}


KEEPS = Keeps(
    left_alone=left_alone,
    noted_elsewhere=noted_elsewhere,
    erasers=ERASERS,
    merged=merged,
    departed=departed,
    returned=returned,
    portable=(PORTABLE,),
)
