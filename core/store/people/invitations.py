"""One-time words that open the door; only their digests are kept."""

from __future__ import annotations

import hashlib
import re

from core.kernel import secret_words
from core.kernel.ports import Row, Tx
from core.kernel.types import LaneKey, Millis
from core.store.people.people import inserted

INVITE, PAIRING = "invite", "pairing"
# No letters and digits that are mistaken for one another.
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
# How our own messages say such a word: in a link, or in the line that is to be written.
_SAID = re.compile(r"(\bstart=|/(?:teller )?(?:start|link|pair) )[A-Za-z0-9_-]{8,64}")


def digest(word: str) -> str:
    """Return what is kept of a word: 64 hexadecimal digits."""
    return hashlib.sha256(word.strip().encode()).hexdigest()


def hidden(text: str) -> str:
    """Return what a message of ours says, without such words and other secrets: whoever replies to it quotes it."""
    return secret_words.hidden(_SAID.sub(rf"\1{secret_words.HIDDEN}", text))


def insert(tx: Tx, lane: LaneKey, kind: str, word: str, person_id: int, *, now: Millis, lasts: Millis) -> int:
    """Keep a word. `person_id` is who invites, or (pairing) who waits to be let in."""
    return insert_digest(tx, lane, kind, digest(word), person_id, now=now, lasts=lasts)


def insert_digest(tx: Tx, lane: LaneKey, kind: str, known: str, person_id: int, *, now: Millis, lasts: Millis) -> int:
    """Keep a word that only its giver knows, by its digest."""
    return inserted(
        tx.one(
            "INSERT INTO invite (tenant_id, scope_id, kind, digest, person_id, created_at, expires_at)"
            " VALUES (:tenant_id, :scope_id, :kind, :digest, :person_id, :now, :expires_at) RETURNING id",
            {
                **lane.params(),
                "kind": kind,
                "digest": known,
                "person_id": person_id,
                "now": now,
                "expires_at": now + lasts,
            },
        )
    )


def find(tx: Tx, tenant_id: int, kind: str, word: str, now: Millis) -> Row | None:
    """Return the open invitation of this word: id, scope_id and person_id."""
    return tx.one(
        "SELECT id, scope_id, person_id FROM invite WHERE tenant_id = :tenant_id AND kind = :kind"
        " AND digest = :digest AND ended_at IS NULL AND expires_at > :now",
        {"tenant_id": tenant_id, "kind": kind, "digest": digest(word), "now": now},
    )


def known(tx: Tx, tenant_id: int, kind: str, word: str) -> Row | None:
    """Return the invitation of this word in any state: ended_at and expires_at."""
    return tx.one(
        "SELECT ended_at, expires_at FROM invite WHERE tenant_id = :tenant_id AND kind = :kind AND digest = :digest",
        {"tenant_id": tenant_id, "kind": kind, "digest": digest(word)},
    )


def use(tx: Tx, invite_id: int, by: int | None, now: Millis) -> bool:
    """Use an invitation up; False when somebody else has."""
    return bool(
        tx.run(
            "UPDATE invite SET used_by = :by, ended_at = :now WHERE id = :id AND ended_at IS NULL",
            {"id": invite_id, "by": by, "now": now},
        )
    )


def waiting(tx: Tx, tenant_id: int, since: Millis, now: Millis, person_id: int | None = None) -> int:
    """Return how many pairings began after `since`, and not later than `now`, of one person or of all."""
    who = "" if person_id is None else " AND person_id = :person_id"
    row = tx.one(
        "SELECT count(*) AS n FROM invite WHERE tenant_id = :tenant_id AND kind = 'pairing' AND created_at > :since"
        f" AND created_at <= :now{who}",
        {"tenant_id": tenant_id, "since": since, "now": now, "person_id": person_id},
    )
    return 0 if row is None else int(row["n"])
