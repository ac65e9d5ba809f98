"""Help for tests of links: one program on two platforms, each with its owner."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.app import build
from bot.config.sections import AccessSection
from core.kernel.ports import Database
from tests.commanding import pressed, said
from tests.fakes import FRIEND, OWNER, FakeAdapter, FakeClock, FakeModel, House, settings

ANN, BO = "slack:T1:U1", "slack:T1:U2"
# Where who owns the bot on the second platform talks in private.
DM: dict[str, Any] = {"chat": "D1", "sender": ANN}
CODE = re.compile(r"/link ([A-Z0-9]{8})\*\*")


async def platforms(
    db: Database, folder: Path, *, model: FakeModel | None = None, **options: Any
) -> tuple[House, House]:
    """The same program as it is seen on Telegram and on Slack; both owners have said hello."""
    telegram, slack, clock = FakeAdapter(), FakeAdapter("slack"), FakeClock()
    access = AccessSection(mode="allowlist", allow=(FRIEND, BO))
    config = settings(folder / "house", owners=(OWNER, ANN), access=access, **options)
    app = build(config, {"telegram": telegram, "slack": slack}, db=db, clock=clock, model=model)
    one = House(
        app=app,
        db=db,
        clock=clock,
        adapter=telegram,
        model=model,
        tenant_id=await app.inbox.tenant("telegram", "bot"),
        keys=itertools.count(1),
    )
    other = replace(one, adapter=slack, tenant_id=await app.inbox.tenant("slack", "T1", "Acme"))
    await said(one, "hello")
    await said(other, "hello", **DM)
    return one, other


async def allowed(db: Database, folder: Path, **options: Any) -> tuple[House, House]:
    """The same, where both owners allow links."""
    one, other = await platforms(db, folder, **options)
    await said(one, "/link allow")
    await said(other, "/link allow", **DM)
    return one, other


async def code_of(home: House, **fields: Any) -> str:
    """Ask for a code."""
    found = CODE.search(await said(home, "/link", **fields))
    assert found is not None
    return found[1]


async def asked(one: House, other: House, **fields: Any) -> str:
    """Write a code of the first side on the second one, say that it is one's own, and return what that is answered."""
    where = {**DM, **fields}
    await said(other, f"/link {await code_of(one)}", **where)
    return await pressed(other, "Yes, that is me", **where)


async def linked(
    db: Database, folder: Path, *, share: str = "Reminders and to-dos", **options: Any
) -> tuple[House, House]:
    """The same, where the two owners are one person."""
    one, other = await allowed(db, folder, **options)
    await asked(one, other)
    await one.work()
    await pressed(one, share)
    await other.work()
    return one, other
