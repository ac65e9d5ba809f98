"""SQL of installations: where the app was installed by its page, with tokens that are sealed.

active(epoch) → active(epoch + 1, newer tokens) → revoked, without tokens; installed again, it is active once more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from core.kernel.ports import Row, Tx
from core.kernel.types import Millis


class InstallationState(StrEnum):
    """Whether the app is installed in a workspace."""

    # It is.
    ACTIVE = "active"
    # It was removed, or its tokens were taken back.
    REVOKED = "revoked"


_COLUMNS = (
    "external_id, name, enterprise, whole, state, app, bot_user, bot, installer, scopes, sealed, expires_at, epoch,"
    " installed_at, ended_at"
)
_THIS = "platform = :platform AND external_id = :external_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class Installation:
    """One installation: in a workspace, or (`whole`) in an organisation, which is kept and not served.

    `external_id` is the platform's id of either, `enterprise` that of the organisation, empty when there is none;
    `installer` the id of who installed it; `scopes` stand with commas between them. `expires_at` is when the token
    runs out, None for one that does not.
    """

    external_id: str
    bot_user: str
    sealed: str = field(repr=False)
    name: str = ""
    enterprise: str = ""
    whole: bool = False
    active: bool = True
    app: str = ""
    bot: str = ""
    installer: str = ""
    scopes: str = ""
    expires_at: Millis | None = None
    epoch: int = 1
    installed_at: Millis = 0
    ended_at: Millis | None = None


def put(tx: Tx, platform: str, found: Installation, now: Millis) -> bool:
    """Keep a new installation, or newer tokens of one; returns whether there was none, or none that was active."""
    key = {"platform": platform, "external_id": found.external_id}
    before = tx.one(f"SELECT state FROM installation WHERE {_THIS}", key)
    tx.run(
        "INSERT INTO installation (platform, external_id, name, enterprise, state, app, bot_user, bot,"
        " installer, scopes, sealed, expires_at, installed_at) VALUES (:platform, :external_id, :name, :enterprise,"
        " 'active', :app, :bot_user, :bot, :installer, :scopes, :sealed, :expires_at, :now)"
        " ON CONFLICT (platform, external_id) DO UPDATE SET name = excluded.name, enterprise = excluded.enterprise,"
        " state = 'active', app = excluded.app, bot_user = excluded.bot_user,"
        " bot = excluded.bot, installer = CASE WHEN installation.state = 'active' THEN installation.installer"
        " ELSE excluded.installer END, scopes = excluded.scopes, sealed = excluded.sealed,"
        " expires_at = excluded.expires_at, epoch = installation.epoch + 1, claimed_until = 0,"
        " installed_at = excluded.installed_at, ended_at = NULL",
        {
            **key,
            "name": found.name,
            "enterprise": found.enterprise,
            "app": found.app,
            "bot_user": found.bot_user,
            "bot": found.bot,
            "installer": found.installer,
            "scopes": found.scopes,
            "sealed": found.sealed,
            "expires_at": found.expires_at,
            "now": now,
        },
    )
    return before is None or before["state"] != "active"


def all_of(tx: Tx, platform: str) -> list[Installation]:
    """Return all installations, revoked ones too, in the order in which they came."""
    rows = tx.all(f"SELECT {_COLUMNS} FROM installation WHERE platform = :platform ORDER BY id", {"platform": platform})
    return [_installation(row) for row in rows]


def one(tx: Tx, platform: str, external_id: str) -> Installation | None:
    """Return an installation, None when there is none."""
    key = {"platform": platform, "external_id": external_id}
    row = tx.one(f"SELECT {_COLUMNS} FROM installation WHERE {_THIS}", key)
    return None if row is None else _installation(row)


def claim(tx: Tx, platform: str, external_id: str, epoch: int, now: Millis, until: Millis) -> bool:
    """Claim the fetching of newer tokens until an instant; False when somebody else has claimed or done it."""
    return bool(
        tx.run(
            f"UPDATE installation SET claimed_until = :until WHERE {_THIS} AND epoch = :epoch AND state = 'active'"
            " AND claimed_until <= :now",
            {"platform": platform, "external_id": external_id, "epoch": epoch, "now": now, "until": until},
        )
    )


def let_go(tx: Tx, platform: str, external_id: str, epoch: int) -> None:
    """Give up the claim on an installation whose newer tokens could not be fetched, so that anybody may try."""
    tx.run(
        f"UPDATE installation SET claimed_until = 0 WHERE {_THIS} AND epoch = :epoch",
        {"platform": platform, "external_id": external_id, "epoch": epoch},
    )


def renew(tx: Tx, platform: str, external_id: str, epoch: int, sealed: str, expires_at: Millis | None) -> bool:
    """Keep newer tokens in the place of those of `epoch`; False when these are not the last ones any more."""
    return bool(
        tx.run(
            "UPDATE installation SET sealed = :sealed, expires_at = :expires_at, epoch = epoch + 1, claimed_until = 0"
            f" WHERE {_THIS} AND epoch = :epoch AND state = 'active'",
            {
                "platform": platform,
                "external_id": external_id,
                "epoch": epoch,
                "sealed": sealed,
                "expires_at": expires_at,
            },
        )
    )


def reseal(tx: Tx, platform: str, external_id: str, before: str, sealed: str) -> bool:
    """Keep the same tokens sealed anew; False when they have changed meanwhile."""
    return bool(
        tx.run(
            f"UPDATE installation SET sealed = :sealed WHERE {_THIS} AND sealed = :before AND state = 'active'",
            {"platform": platform, "external_id": external_id, "before": before, "sealed": sealed},
        )
    )


def revoke(tx: Tx, platform: str, external_id: str, now: Millis) -> bool:
    """Note that the app was removed, and forget its tokens; False when that was known."""
    return bool(
        tx.run(
            "UPDATE installation SET state = 'revoked', sealed = '', expires_at = NULL, ended_at = :now"
            f" WHERE {_THIS} AND state = 'active'",
            {"platform": platform, "external_id": external_id, "now": now},
        )
    )


def forget(tx: Tx, before: Millis, limit: int) -> int:
    """Delete installations that were revoked before an instant."""
    due = "state = 'revoked' AND ended_at < :before"
    return tx.run(
        f"DELETE FROM installation WHERE {due} AND id IN (SELECT id FROM installation WHERE {due} LIMIT :limit)",
        {"before": before, "limit": limit},
    )


# The state that goes to the platform and comes back.


def begin(tx: Tx, digest: str, now: Millis, until: Millis, most: int) -> None:
    """Remember that somebody began to install. Those whose time is up go, and where `most` have begun, the oldest: a
    crowd that never finishes keeps nobody out who does so soon."""
    tx.run(
        "DELETE FROM install_state WHERE expires_at <= :now OR digest IN"
        " (SELECT digest FROM install_state ORDER BY expires_at DESC, digest LIMIT 1000000 OFFSET :kept)",
        {"now": now, "kept": most - 1},
    )
    tx.run(
        "INSERT INTO install_state (digest, expires_at) VALUES (:digest, :until)", {"digest": digest, "until": until}
    )


def finish(tx: Tx, digest: str, now: Millis) -> bool:
    """Use what was begun; False when nothing was, or too long ago, or when it was used."""
    known = tx.one("SELECT expires_at FROM install_state WHERE digest = :digest", {"digest": digest})
    used = tx.run("DELETE FROM install_state WHERE digest = :digest", {"digest": digest})
    return bool(used) and known is not None and known["expires_at"] > now


def serves(tx: Tx, platform: str, external_id: str) -> bool:
    """Return whether a workspace is served, by whatever token: one that was never heard of or has ended is not."""
    row = tx.one(
        "SELECT 1 AS found FROM tenant WHERE platform = :platform AND external_id = :external_id AND ended_at IS NULL",
        {"platform": platform, "external_id": external_id},
    )
    return row is not None


def _installation(row: Row) -> Installation:
    fields = {name: row[name] for name in _COLUMNS.split(", ") if name not in ("whole", "state")}
    return Installation(**fields, whole=bool(row["whole"]), active=row["state"] == "active")
