"""Workspaces install the app by its page: whoever does it owns the bot there, and nobody sees a token."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest

from bot.adapters.slack.manifest import scopes
from core.kernel.errors import ConfigError, StorageError
from core.kernel.updates import Installed, Update
from core.pipeline.intake.inbox import Inbox
from core.store.people.encryption import Sealer
from tests.emulators.slack import SlackServer
from tests.memory_intake import DEADLINE
from tests.slack_installed import ANN, FIRST, KEY, SECOND, SERVED, Running, answered, configured, installed, running

STRICT = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


async def test_who_installs_it_is_greeted_as_owner_and_answered(server: SlackServer, bot: Running) -> None:
    await installed(server, bot)
    assert "you are my owner" in (await answered(server, 1))[0]
    server.say("/people", ANN)
    assert "ann" in (await answered(server, 2))[1]
    assert await bot.rows("SELECT name, owns FROM person") == [("ann", 1)]


async def test_nobody_else_of_the_workspace_gets_anything(server: SlackServer, bot: Running) -> None:
    await installed(server, bot)
    server.user("U1002")
    server.say("hello", "U1002")
    theirs = server.team.channels[server.dm("U1002")]
    await server.wait_until(lambda: bool(theirs.ephemeral), DEADLINE)
    assert "Ask <@U1001" in theirs.ephemeral[0].text
    # Once a day is enough.
    assert (await server.command("/teller help", "U1002").envelope.settled()).response is None
    assert server.said(server.dm("U1002")) == []
    assert await bot.rows("SELECT updates FROM stranger WHERE external_id = 'slack:T0001:U1002'") == [(2,)]


async def test_the_page_of_an_agent_asks_for_what_agents_need(server: SlackServer, tmp_path: Path) -> None:
    for agent in ("true", "false"):
        config = configured(server, tmp_path, TELLER_SLACK__AGENT=agent)
        async with running(config) as bot, aiohttp.ClientSession() as browser:
            page = await browser.get(f"{bot.url}/slack/install", allow_redirects=False)
        [asked] = parse_qs(urlsplit(page.headers["location"]).query)["scope"]
        assert ("assistant:write" in asked.split(",")) is (agent == "true")


async def test_the_page_asks_for_the_scopes_of_the_profile(server: SlackServer, tmp_path: Path) -> None:
    async with running(configured(server, tmp_path, TELLER_SLACK__PROFILE="minimal")) as bot:
        async with aiohttp.ClientSession() as browser:
            page = await browser.get(f"{bot.url}/slack/install", allow_redirects=False)
        query = parse_qs(urlsplit(page.headers["location"]).query)
        assert page.status == 302
        assert query["scope"] == [",".join(one.name for one in scopes("minimal"))]
        assert query["redirect_uri"] == [f"{bot.url}/slack/oauth"]
        assert {name: page.headers[name] for name in STRICT} == STRICT
        cookie = page.headers["set-cookie"]
        assert re.fullmatch(r"teller_install=[\w-]{43}; Path=/; Max-Age=600; HttpOnly; SameSite=Lax", cookie)


@pytest.mark.parametrize(
    ("headers", "more", "root"),
    [
        ({"x-forwarded-proto": "https", "host": "bot.example.org"}, {}, "https://bot.example.org"),
        ({"host": "inside"}, {"TELLER_SLACK__PUBLIC_URL": "https://bot.example.org/"}, "https://bot.example.org"),
    ],
)
async def test_behind_a_proxy_the_cookie_is_for_https_alone(
    server: SlackServer, tmp_path: Path, headers: dict[str, str], more: dict[str, str], root: str
) -> None:
    async with running(configured(server, tmp_path, **more)) as bot, aiohttp.ClientSession() as browser:
        page = await browser.get(f"{bot.url}/slack/install", allow_redirects=False, headers=headers)
        assert parse_qs(urlsplit(page.headers["location"]).query)["redirect_uri"] == [f"{root}/slack/oauth"]
        assert page.headers["set-cookie"].endswith("; Secure")


async def begun(bot: Running) -> tuple[str, str]:
    """Begin to install, and return the state and the cookie of the browser."""
    async with aiohttp.ClientSession() as browser:
        page = await browser.get(f"{bot.url}/slack/install", allow_redirects=False)
    [state] = parse_qs(urlsplit(page.headers["location"]).query)["state"]
    return state, page.headers["set-cookie"].partition(";")[0]


async def back(bot: Running, state: str, cookie: str, **query: str) -> tuple[int, str]:
    """Come back from Slack's page."""
    async with aiohttp.ClientSession() as browser:
        page = await browser.get(f"{bot.url}/slack/oauth", params={"state": state, **query}, headers={"cookie": cookie})
        assert {name: page.headers[name] for name in STRICT} == STRICT
        return page.status, await page.text()


async def test_a_state_of_another_browser_or_none_of_ours_is_refused(server: SlackServer, bot: Running) -> None:
    state, cookie = await begun(bot)
    other, another = await begun(bot)
    assert other != state
    for given, shown in ((state, another), (state, ""), ("x" * 43, cookie), ("", cookie), (state, "teller_install=x")):
        status, text = await back(bot, given, shown, code="1.2")
        assert (status, "Nothing was installed" in text) == (400, True)
    assert server.calls("oauth.v2.access") == []


async def test_a_state_is_good_once_and_for_ten_minutes(server: SlackServer, bot: Running) -> None:
    state, cookie = await begun(bot)
    assert (await back(bot, state, cookie, code="1.wrong"))[0] == 400
    assert len(server.calls("oauth.v2.access")) == 1
    assert (await back(bot, state, cookie, code="1.wrong"))[0] == 400
    assert len(server.calls("oauth.v2.access")) == 1
    state, cookie = await begun(bot)
    await bot.db.write(lambda tx: tx.run("UPDATE install_state SET expires_at = expires_at - 600000"))
    assert (await back(bot, state, cookie, code="1.wrong"))[0] == 400
    assert len(server.calls("oauth.v2.access")) == 1


async def test_who_thinks_better_of_it_sees_a_plain_page(server: SlackServer, bot: Running) -> None:
    answer = await server.install(f"{bot.url}/slack/install", ANN, deny=True)
    assert (answer.status, answer.body) == (200, "Nothing was installed.\n")
    state, cookie = await begun(bot)
    status, text = await back(bot, state, cookie, error="<script>alert(1)</script>")
    assert (status, text) == (400, "Nothing was installed.\n")
    assert await bot.rows("SELECT count(*) FROM installation") == [(0,)]


@pytest.mark.parametrize("fault", ["500", "cut", "html", "garbage"])
async def test_when_slack_does_not_answer_it_can_be_done_again(server: SlackServer, bot: Running, fault: str) -> None:
    server.fault("oauth.v2.access", fault)
    answer = await server.install(f"{bot.url}/slack/install", ANN)
    assert answer.status in (400, 502)
    await installed(server, bot)


async def test_strangers_neither_fill_the_database_nor_keep_others_out(server: SlackServer, bot: Running) -> None:
    def fill(tx: object) -> None:
        for n in range(1000):
            tx.run(  # type: ignore[attr-defined] # a transaction
                "INSERT INTO install_state (digest, expires_at) VALUES (:digest, :until)",
                {"digest": str(n), "until": bot.app.clock.now() + 60_000},
            )

    await bot.db.write(fill)
    await installed(server, bot)
    (left,) = await bot.db.read(lambda tx: tx.all("SELECT count(*) AS n FROM install_state"))
    assert left["n"] == 999


async def test_after_a_restart_it_is_still_installed(server: SlackServer, tmp_path: Path) -> None:
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        await answered(server, 1)
    async with running(configured(server, tmp_path)):
        server.say("/id", ANN)
        assert "slack:T0001:U1001" in (await answered(server, 2))[1]


async def test_no_token_is_to_be_read_in_the_data_nor_in_the_log(
    server: SlackServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        await answered(server, 1)
        [(sealed,)] = await bot.rows("SELECT sealed FROM installation")
        status = str(bot.app.adapters["slack"].health())
    token = server.team.bot_token
    assert token in Sealer([KEY]).open(sealed, "slack:T0001")
    written = await asyncio.to_thread(lambda: [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()])
    assert not [file for file in written if token.encode() in file or server.world.app.client_secret.encode() in file]
    assert token not in caplog.text + status
    assert server.world.app.client_secret not in caplog.text


async def test_a_new_key_seals_what_the_former_one_had_sealed(server: SlackServer, tmp_path: Path) -> None:
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
        [(before,)] = await bot.rows("SELECT sealed FROM installation")
    newer = "another key for tests long enough"
    async with running(configured(server, tmp_path, TELLER_SECRET_KEY=f"{newer},{KEY}")) as bot:
        [(after,)] = await bot.rows("SELECT sealed FROM installation")
    assert after != before
    assert server.team.bot_token in Sealer([newer]).open(after, "slack:T0001")
    with pytest.raises(ConfigError):
        Sealer([KEY]).open(after, "slack:T0001")


async def test_with_another_key_the_workspace_waits_and_the_others_are_served(
    server: SlackServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with running(configured(server, tmp_path)) as bot:
        await installed(server, bot)
    async with running(configured(server, tmp_path, TELLER_SECRET_KEY="quite another key, and one more too")) as bot:
        await installed(server, bot, SECOND)
        assert "own" in (await answered(server, 1, SECOND))[0]
        found = bot.app.adapters["slack"].health()["installations"]
    assert {one["id"]: one["state"] for one in found} == {SECOND: "active", FIRST: "its tokens cannot be read"}
    assert "TELLER_SECRET_KEY" in caplog.text


async def test_somebody_who_installs_it_again_takes_nobodys_place(server: SlackServer, bot: Running) -> None:
    await installed(server, bot)
    await answered(server, 1)
    await installed(server, bot, user="U1002")
    assert await bot.rows("SELECT external_id FROM address a JOIN person p ON p.id = a.person_id WHERE p.owns = 1") == [
        ("slack:T0001:U1001",)
    ]
    assert await bot.rows("SELECT epoch, installer FROM installation") == [(2, ANN)]
    server.say("/id", ANN)
    await answered(server, 2)


async def test_who_installs_it_after_a_removal_owns_it_also_when_that_could_not_be_kept_at_first(
    server: SlackServer, bot: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    await installed(server, bot, SECOND)
    server.uninstall(SECOND)
    await bot.until(SERVED, (SECOND, 0))
    await bot.until("SELECT state FROM installation", ("revoked",))
    server.user("U6666", team=SECOND, name="grace")
    real, failures = Inbox.accept, [StorageError("busy")]

    async def busy_once(self: Inbox, tenant: int, updates: Sequence[Update], *more: Any) -> Mapping[str, str]:
        if failures and any(isinstance(one, Installed) for one in updates):
            raise failures.pop()
        return await real(self, tenant, updates, *more)

    monkeypatch.setattr(Inbox, "accept", busy_once)
    assert (await server.install(f"{bot.url}/slack/install", "U6666", SECOND)).status == 502
    await installed(server, bot, SECOND, "U6666")
    owners = "SELECT a.external_id FROM person p JOIN address a ON a.person_id = p.id WHERE p.owns = 1"
    assert ("slack:T0002:U6666",) in await bot.rows(owners)


async def test_something_for_a_workspace_without_the_app_is_acknowledged_and_logged_once(
    server: SlackServer, bot: Running, caplog: pytest.LogCaptureFixture
) -> None:
    for text in ("one", "two"):
        server.push({"type": "message", "channel": "D1", "user": ANN, "ts": "1.1", "text": text}, team=SECOND)
    await server.wait_until(lambda: not server.pending(), DEADLINE)
    assert caplog.text.count("in which this app is not installed") == 1
    assert await bot.rows("SELECT count(*) FROM inbox") == [(0,)]


async def test_both_ways_of_receiving_work(tmp_path: Path) -> None:
    async with SlackServer(mode="http") as server:
        server.team.installed = False
        secret = server.world.app.signing_secret
        more = {"TELLER_SLACK__MODE": "http", "TELLER_SLACK__SIGNING_SECRET": secret}
        async with running(configured(server, tmp_path, **more)) as bot:
            server.signed.url = f"{bot.url}/slack/events"
            await installed(server, bot)
            await answered(server, 1)
            server.say("/id", ANN)
            assert "slack:T0001:U1001" in (await answered(server, 2))[1]
            assert asyncio.get_running_loop().is_running()
