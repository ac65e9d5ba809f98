"""The installations that the database keeps, with their tokens sealed: what of them is written down, and when."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field, replace

from bot.adapters.slack.directory.workspaces import PLATFORM
from bot.adapters.slack.install.oauth import Granted, Tokens
from core.kernel.errors import ConfigError
from core.kernel.ports import Clock, Database
from core.kernel.types import MINUTE, Millis
from core.store.people import installations
from core.store.people.encryption import Sealer
from core.store.people.installations import Installation

log = logging.getLogger(__name__)

# How long somebody who fetches newer tokens is left alone with it.
CLAIM: Millis = MINUTE
STATE_LASTS: Millis = 600_000
MOST_BEGUN = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """An installation with its tokens; None when the key does not open them, or when it is not served any more."""

    row: Installation
    tokens: Tokens | None = field(repr=False)


class Installations:
    """What the database knows. All methods raise `StorageError`."""

    def __init__(self, db: Database, sealer: Sealer, clock: Clock) -> None:
        self._db, self._sealer, self._clock = db, sealer, clock

    async def all(self) -> list[Known]:
        """Return all of them; tokens that a former key encrypted are encrypted anew."""
        rows = await self._db.read(lambda tx: installations.all_of(tx, PLATFORM))
        return [await self._opened(row) for row in rows]

    async def one(self, key: str) -> Known | None:
        """Return the one of a workspace, None when there is none."""
        row = await self._db.read(lambda tx: installations.one(tx, PLATFORM, key))
        return None if row is None else await self._opened(row)

    async def keep(self, granted: Granted, bot: str) -> bool:
        """Keep a new one, or newer tokens; returns whether there was none that was active."""
        now, tokens = self._clock.now(), granted.tokens
        row = Installation(
            external_id=granted.key,
            name=granted.name,
            enterprise=granted.enterprise,
            app=granted.app,
            bot_user=granted.bot_user,
            bot=bot,
            installer=granted.installer,
            scopes=granted.scopes,
            sealed=self._seal(granted.key, tokens),
            expires_at=_end(tokens, now),
        )
        return await self._db.write(lambda tx: installations.put(tx, PLATFORM, row, now))

    async def claim(self, row: Installation) -> bool:
        """Claim the fetching of newer tokens for a minute; return False when somebody else has it."""
        now = self._clock.now()
        return await self._db.write(
            lambda tx: installations.claim(tx, PLATFORM, row.external_id, row.epoch, now, now + CLAIM)
        )

    async def let_go(self, row: Installation) -> None:
        """Let others fetch newer tokens: we could not."""
        await self._db.write(lambda tx: installations.let_go(tx, PLATFORM, row.external_id, row.epoch))

    async def renew(self, row: Installation, tokens: Tokens) -> bool:
        """Keep newer tokens, before anybody uses them; False when others came in between."""
        sealed, ends = self._seal(row.external_id, tokens), _end(tokens, self._clock.now())
        return await self._db.write(
            lambda tx: installations.renew(tx, PLATFORM, row.external_id, row.epoch, sealed, ends)
        )

    async def revoke(self, key: str) -> bool:
        """Keep that the app was removed; return False when that was known."""
        now = self._clock.now()
        return await self._db.write(lambda tx: installations.revoke(tx, PLATFORM, key, now))

    async def serves(self, team: str) -> bool:
        """Whether a workspace is served, by whatever token."""
        return await self._db.read(lambda tx: installations.serves(tx, PLATFORM, team))

    async def _opened(self, row: Installation) -> Known:
        if not row.active or row.whole:
            return Known(row=row, tokens=None)
        context = _context(row.external_id)
        try:
            text = self._sealer.open(row.sealed, context)
        except ConfigError as error:
            log.error("the tokens for %s cannot be read: %s", row.external_id, error)
            return Known(row=row, tokens=None)
        found = json.loads(text)
        tokens = Tokens(access=found["access"], refresh=found["refresh"])
        if self._sealer.is_current(row.sealed, context):
            return Known(row=row, tokens=tokens)
        sealed = self._seal(row.external_id, tokens)
        resealed = await self._db.write(
            lambda tx: installations.reseal(tx, PLATFORM, row.external_id, row.sealed, sealed)
        )
        return Known(row=replace(row, sealed=sealed) if resealed else row, tokens=tokens)

    def _seal(self, key: str, tokens: Tokens) -> str:
        text = json.dumps({"access": tokens.access, "refresh": tokens.refresh})
        return self._sealer.seal(text, _context(key))


class BegunInstalls:
    """The installs that somebody has begun at the page and not finished. All methods raise `StorageError`."""

    def __init__(self, db: Database, clock: Clock) -> None:
        self._db, self._clock = db, clock

    async def begin(self, digest: str) -> None:
        """Remember for ten minutes that somebody began to install, or until many others did."""
        now = self._clock.now()
        await self._db.write(lambda tx: installations.begin(tx, digest, now, now + STATE_LASTS, MOST_BEGUN))

    async def finish(self, digest: str) -> bool:
        """Use what was begun; False when nothing was, or too long ago, or when it was used."""
        now = self._clock.now()
        return await self._db.write(lambda tx: installations.finish(tx, digest, now))


def _context(key: str) -> str:
    return f"{PLATFORM}:{key}"


def _end(tokens: Tokens, now: Millis) -> Millis | None:
    return None if tokens.seconds is None else now + 1000 * tokens.seconds
