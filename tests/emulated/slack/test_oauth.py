"""Installing the app into workspaces of the Slack emulator, with Bolt's own flow and the library's rotation."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import httpx
import pytest
from aiohttp import web
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_sdk.oauth.installation_store import Bot, FileInstallationStore
from slack_sdk.oauth.state_store import FileOAuthStateStore
from slack_sdk.oauth.token_rotation.async_rotator import AsyncTokenRotator
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack import SlackServer
from tests.emulators.slack_client import client_for, refusal
from tests.emulators.slack_world import User

# The library writes the header with something that aiohttp wants to drop one day.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
BACK = "http://127.0.0.1:1/slack/oauth_redirect"


@pytest.fixture
def plain(server: SlackServer) -> AsyncWebClient:
    return AsyncWebClient(base_url=server.api, retry_handlers=[])


def keys(server: SlackServer) -> dict[str, str]:
    return {"client_id": server.world.app.client_id, "client_secret": server.world.app.client_secret}


async def granted(server: SlackServer, **changes: str) -> dict[str, str]:
    """Return what the page sends back to the app, or the text of the page when it sends nobody anywhere."""
    query = {"client_id": server.world.app.client_id, "scope": "chat:write", "redirect_uri": BACK, "state": "s"}
    async with httpx.AsyncClient() as browser:
        page = await browser.get(server.authorize_url, params=query | changes)
    if page.status_code != 302:
        return {"page": page.text}
    return {name: values[0] for name, values in parse_qs(urlsplit(page.headers["location"]).query).items()}


async def test_a_code_is_exchanged_once_for_a_token_with_the_scopes_asked_for(
    server: SlackServer, plain: AsyncWebClient
) -> None:
    server.world.team("T0002", installed=False).users["U5"] = User(id="U5", team_id="T0002", name="eve")
    server.oauth.choose("T0002", "U5")
    answer = await granted(server)
    assert answer["state"] == "s"
    tokens = await plain.oauth_v2_access(**keys(server), code=answer["code"], redirect_uri=BACK)
    assert (tokens["team"]["id"], tokens["authed_user"]["id"], tokens["scope"]) == ("T0002", "U5", "chat:write")
    me = await client_for(server, tokens["access_token"]).auth_test()
    assert (me["team_id"], me.headers["x-oauth-scopes"]) == ("T0002", "chat:write")
    again = plain.oauth_v2_access(**keys(server), code=answer["code"], redirect_uri=BACK)
    assert await refusal(again) == "invalid_code"


async def test_the_page_refuses_what_is_not_the_app_and_a_person_may_cancel(server: SlackServer) -> None:
    server.world.app.redirect_uri = BACK
    assert "invalid_client_id" in (await granted(server, client_id="1.1"))["page"]
    assert "no_scopes" in (await granted(server, scope=""))["page"]
    assert "bad_redirect_uri" in (await granted(server, redirect_uri="http://evil.example/"))["page"]
    server.oauth.choose("T0001", "U1", deny=True)
    assert await granted(server) == {"error": "access_denied", "state": "s"}


async def test_an_exchange_with_something_wrong_is_refused(server: SlackServer, plain: AsyncWebClient) -> None:
    async def error(**changes: str) -> str:
        code = (await granted(server))["code"]
        return await refusal(plain.oauth_v2_access(**{**keys(server), "code": code, "redirect_uri": BACK, **changes}))

    assert await error(client_id="1.1") == "invalid_client_id"
    assert await error(client_secret="wrong") == "bad_client_secret"
    assert await error(code="wrong") == "invalid_code"
    assert await error(redirect_uri="http://127.0.0.1:2/") == "bad_redirect_uri"
    assert await error(grant_type="password") == "invalid_grant_type"
    code = (await granted(server))["code"]
    server.ahead = 601
    late = plain.oauth_v2_access(**keys(server), code=code, redirect_uri=BACK)
    assert await refusal(late) == "invalid_code"


async def test_a_second_installation_gives_the_same_token_until_the_app_is_uninstalled(
    server: SlackServer, plain: AsyncWebClient, client: AsyncWebClient
) -> None:
    async def install() -> str:
        code = (await granted(server))["code"]
        return str((await plain.oauth_v2_access(**keys(server), code=code, redirect_uri=BACK))["access_token"])

    old = server.team.bot_token
    assert await install() == old
    await client.apps_uninstall(**keys(server))
    assert await refusal(client.auth_test()) == "account_inactive"
    new = await install()
    assert new != old
    assert await refusal(client_for(server, new).auth_test()) == ""
    assert await refusal(client.auth_test()) == "account_inactive"


async def test_a_revoked_token_is_of_no_more_use(server: SlackServer, client: AsyncWebClient) -> None:
    assert (await client.auth_revoke(test=True))["revoked"] is False
    assert (await client.auth_revoke())["revoked"] is True
    assert await refusal(client.auth_test()) == "token_revoked"


async def test_tokens_expire_and_are_renewed_once_for_each_refresh_token(
    server: SlackServer, plain: AsyncWebClient
) -> None:
    server.world.app.rotation = True
    code = (await granted(server))["code"]
    tokens = await plain.oauth_v2_access(**keys(server), code=code, redirect_uri=BACK)
    expires_at = int(time.time()) + tokens["expires_in"]
    bot = Bot(
        team_id="T0001",
        bot_token=tokens["access_token"],
        bot_id="B0BOT",
        bot_user_id="U0BOT",
        bot_refresh_token=tokens["refresh_token"],
        bot_token_expires_at=expires_at,
        installed_at=time.time(),
    )
    rotator = AsyncTokenRotator(**keys(server), client=plain)
    renewed = await rotator.perform_bot_token_rotation(bot=bot, minutes_before_expiration=24 * 60)
    assert renewed is not None
    assert renewed.bot_token not in (None, bot.bot_token)
    old = plain.oauth_v2_access(**keys(server), grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert await refusal(old) == "invalid_refresh_token"
    server.ahead = tokens["expires_in"] + 60
    assert await refusal(client_for(server, tokens["access_token"]).auth_test()) == "token_expired"


@pytest.fixture
async def installing(server: SlackServer, tmp_path: Path) -> AsyncIterator[str]:
    """Yield the address of a Bolt app that installs itself from the emulator."""
    settings = AsyncOAuthSettings(
        client_id=server.world.app.client_id,
        client_secret=server.world.app.client_secret,
        scopes=["chat:write", "im:write"],
        authorization_url=server.authorize_url,
        install_page_rendering_enabled=False,
        installation_store=FileInstallationStore(base_dir=str(tmp_path)),
        state_store=FileOAuthStateStore(expiration_seconds=60, base_dir=str(tmp_path)),
    )
    app = AsyncApp(
        signing_secret=server.world.app.signing_secret,
        client=AsyncWebClient(base_url=server.api),
        oauth_settings=settings,
    )
    runner = web.AppRunner(app.web_app())
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    server.world.app.redirect_uri = f"http://{host}:{port}/slack/oauth_redirect"
    yield f"http://{host}:{port}"
    await runner.cleanup()


async def test_bolts_own_flow_installs_with_the_cookie_and_not_without(
    server: SlackServer, installing: str, tmp_path: Path
) -> None:
    jar = aiohttp.CookieJar(unsafe=True, treat_as_secure_origin=[installing])
    async with aiohttp.ClientSession(cookie_jar=jar) as browser, browser.get(f"{installing}/slack/install") as page:
        assert page.status == 200
        assert "code" in page.url.query
    stored = FileInstallationStore(base_dir=str(tmp_path)).find_bot(enterprise_id=None, team_id="T0001")
    assert stored is not None
    assert (stored.bot_token, stored.bot_id) == (server.team.bot_token, "B0BOT")
    async with httpx.AsyncClient(follow_redirects=True) as forgetful:
        refused = await forgetful.get(f"{installing}/slack/install")
    assert refused.status_code == 400
    assert len(server.calls("oauth.v2.access")) == 1
