"""A Worker's pause ends when its run does, and what it sees of the environment is what the configuration allows."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.config.config import load
from bot.runtime.logging import Redactor
from core.capabilities.data.environment import Environment
from core.kernel.errors import ConfigError
from core.kernel.types import Role
from tests.calling import caller
from tests.conftest import DatabaseMaker
from tests.fakes import FakeClock, House, house

CANARY = "canary-5f0e2b9c"
VARIABLES = {
    "CITY": "Bern",
    "BACKUP_URL": f"https://me:{CANARY}@host",
    "PROXY": "http://me:unseen-word@proxy:80",
    "TOKENS": f"a {CANARY}",
    "HIDDEN": CANARY,
    "PLAIN": "seen by nobody",
}


@pytest.fixture
async def home(make_database: DatabaseMaker, tmp_path: Path) -> House:
    home = await house(await make_database("sqlite"), tmp_path / "house", clock=FakeClock(waits=True))
    kept = home.app.container.get(Environment)
    # Only what the configuration names, and nothing that holds a secret of it.
    seen = Environment(
        allowed=frozenset({"CITY", "BACKUP_URL", "TOKENS", "PROXY", "MISSING"}),
        variables=VARIABLES,
        redact=Redactor([CANARY]).redact,
    )
    home.app.container._made[type(kept)] = [seen]
    await home.hear("work")
    return home


async def test_sleep_waits_as_long_as_it_is_told_and_no_longer_than_a_call_may_take(home: House) -> None:
    ask, _ = await caller(home, role=Role.WORKER)
    asleep = asyncio.ensure_future(ask("sleep", duration=20))
    await home.clock.until_asleep()
    home.clock.advance(19)
    await asyncio.sleep(0)
    assert not asleep.done()
    home.clock.advance(1)
    assert (await asleep).result == {"slept": 20}
    for wrong in (26, -1, float("nan"), float("inf"), True):
        assert (await ask("sleep", duration=wrong)).error.startswith("Parameter validation failed: duration")


async def test_who_sleeps_is_woken_by_the_end_of_the_run(home: House) -> None:
    ask, _ = await caller(home, role=Role.WORKER)
    asleep = asyncio.ensure_future(ask("sleep", duration=25))
    await home.clock.until_asleep()
    asleep.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asleep


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("CITY", "Bern"),
        ("MISSING", None),
        ("PLAIN", "error"),
        ("BACKUP_URL", "error"),
        ("TOKENS", "error"),
        ("PROXY", "error"),
        ("HOME", "error"),
    ],
)
async def test_a_variable_is_told_when_it_is_allowed_and_no_secret(
    home: House, key: str, told: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    ask, _ = await caller(home, role=Role.WORKER)
    found = await ask("get_env", key=key)
    assert (found.result if found.success else "error") == ("error" if told == "error" else {"value": told})
    # Neither the value of a secret nor that of another variable stands anywhere.
    rows = await home.rows("SELECT * FROM ledger l JOIN ledger_body b ON b.n = l.n")
    rows += await home.rows("SELECT * FROM step")
    kept = f"{found} {rows} {caplog.text}"
    assert [secret for secret in (CANARY, "seen by nobody", "unseen-word") if secret in kept] == []
    if key in ("PLAIN", "HOME"):
        assert found.error.endswith("allowed by the configuration: BACKUP_URL, CITY, MISSING, PROXY, TOKENS")


@pytest.mark.parametrize(
    "name", ["TELLER_LLM__API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "db_password", "BASIC_AUTH"]
)
def test_what_looks_like_the_name_of_a_secret_is_refused_in_the_configuration(name: str, tmp_path: Path) -> None:
    file = tmp_path / "config.yaml"
    file.write_text(f"tools:\n  env: [LANG, {name}]\n")
    with pytest.raises(ConfigError, match=f"{name}.*no tool is ever given one"):
        load(file, {})
    file.write_text("tools:\n  env: [LANG, KEYBOARD, GIT_AUTHOR_NAME]\n")
    assert load(file, {}).tools.env == ("LANG", "KEYBOARD", "GIT_AUTHOR_NAME")
