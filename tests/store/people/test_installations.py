"""Rows of installations: newer tokens are fetched by one, kept once, and forgotten when the app is removed."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from core.kernel.ports import Database, Tx
from core.store.people import installations
from core.store.people.installations import Installation

NOW = 1_790_000_000_000
ONE = Installation(external_id="T1", bot_user="U0BOT", sealed="one", installer="U1", expires_at=NOW + 1000)
SLACK = "slack"


async def put(db: Database, row: Installation = ONE, now: int = NOW) -> bool:
    def keep(tx: Tx) -> bool:
        return installations.put(tx, SLACK, row, now)

    return await db.write(keep)


async def the_one(db: Database) -> Installation:
    found = await db.read(lambda tx: installations.one(tx, SLACK, "T1"))
    assert found is not None
    return found


async def claim(db: Database, *, epoch: int = 1, now: int = NOW) -> bool:
    return await db.write(lambda tx: installations.claim(tx, SLACK, "T1", epoch, now, now + 60_000))


async def renew(db: Database, epoch: int, sealed: str) -> bool:
    return await db.write(lambda tx: installations.renew(tx, SLACK, "T1", epoch, sealed, NOW + 9000))


async def revoke(db: Database, now: int = NOW) -> bool:
    return await db.write(lambda tx: installations.revoke(tx, SLACK, "T1", now))


async def test_only_one_fetches_newer_tokens(database: Database) -> None:
    await put(database)
    assert sorted(await asyncio.gather(*(claim(database) for _ in range(5)))) == [False, False, False, False, True]
    assert not await claim(database, now=NOW + 59_999)
    assert await claim(database, now=NOW + 60_000)


async def test_who_could_not_lets_others_try(database: Database) -> None:
    await put(database)
    await claim(database)
    await database.write(lambda tx: installations.let_go(tx, SLACK, "T1", 1))
    assert await claim(database)


async def test_newer_tokens_take_the_place_of_those_they_follow_alone(database: Database) -> None:
    await put(database)
    assert await renew(database, 1, "two")
    assert not await renew(database, 1, "another two")
    found = await the_one(database)
    assert (found.sealed, found.epoch, found.expires_at) == ("two", 2, NOW + 9000)
    assert not await claim(database, epoch=1)


async def test_a_revoked_one_has_no_tokens_and_gets_none(database: Database) -> None:
    await put(database)
    assert await revoke(database)
    assert not await revoke(database)
    found = await the_one(database)
    assert (found.active, found.sealed, found.expires_at, found.ended_at) == (False, "", None, NOW)
    assert not await renew(database, 1, "two")
    assert not await claim(database)
    reseal = database.write(lambda tx: installations.reseal(tx, SLACK, "T1", "", "three"))
    assert not await reseal


async def test_who_installed_it_first_stays_that_until_it_is_removed(database: Database) -> None:
    assert await put(database)
    assert not await put(database, replace(ONE, installer="U2", sealed="two"))
    assert ((await the_one(database)).installer, (await the_one(database)).epoch) == ("U1", 2)
    await revoke(database)
    assert await put(database, replace(ONE, installer="U2", sealed="three"))
    found = await the_one(database)
    assert (found.installer, found.active, found.ended_at, found.epoch) == ("U2", True, None, 3)


async def test_a_revoked_one_is_forgotten_in_the_end_and_an_active_one_is_not(database: Database) -> None:
    await put(database)
    assert await database.write(lambda tx: installations.forget(tx, NOW + 1, 10)) == 0
    await revoke(database)
    assert await database.write(lambda tx: installations.forget(tx, NOW, 10)) == 0
    assert await database.write(lambda tx: installations.forget(tx, NOW + 1, 10)) == 1


async def test_what_was_begun_is_used_once_in_time(database: Database) -> None:
    async def begun(digest: str, now: int = NOW) -> None:
        await database.write(lambda tx: installations.begin(tx, digest, now, now + 1000, 2))

    async def finish(digest: str, now: int = NOW) -> bool:
        return await database.write(lambda tx: installations.finish(tx, digest, now))

    await begun("a")
    await begun("b", NOW + 1)
    assert (await finish("a"), await finish("a"), await finish("nothing")) == (True, False, False)
    assert not await finish("b", NOW + 1001)


async def test_of_too_many_that_were_begun_the_oldest_goes(database: Database) -> None:
    def begin_and_finish(tx: Tx) -> list[bool]:
        for at, digest in enumerate("abc"):
            installations.begin(tx, digest, NOW + at, NOW + 1000 + at, 2)
        return [installations.finish(tx, digest, NOW + 3) for digest in "abc"]

    assert await database.write(begin_and_finish) == [False, True, True]
