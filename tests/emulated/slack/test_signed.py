"""HTTP mode of the Slack emulator, seen by the real Bolt behind its own web server."""

from __future__ import annotations

import asyncio
import json
import time

import httpx
import pytest
from aiohttp import web

from tests.emulated.slack.bolting import USER, Heard, bolt, listening
from tests.emulators.slack import SlackServer


@pytest.fixture
def heard() -> Heard:
    return Heard()


async def test_an_address_that_answers_the_challenge_is_taken(server: SlackServer, heard: Heard) -> None:
    async with listening(server, bolt(server, heard)):
        assert await server.signed.verify()


async def test_what_is_signed_is_heard(server: SlackServer, heard: Heard) -> None:
    async with listening(server, bolt(server, heard)):
        server.say("Hello", USER)
        envelope = await server.deliveries.all[0].settled()
    assert envelope.acked
    assert heard.events == ["message"]
    assert "x-slack-retry-num" not in heard.headers[0]


async def test_what_fails_comes_again_and_says_so(server: SlackServer, heard: Heard) -> None:
    server.retry_after = (0.0, 0.01)
    heard.down = 1
    async with listening(server, bolt(server, heard)):
        server.say("Hello", USER)
        envelope = await server.deliveries.all[0].settled()
    assert (envelope.acked, envelope.reasons) == (True, ["http_error"])
    assert heard.headers[1]["x-slack-retry-num"] == ["1"]
    assert heard.headers[1]["x-slack-retry-reason"] == ["http_error"]


@pytest.mark.parametrize("how", ["secret", "body", "stale", "future"])
async def test_forged_and_stale_requests_are_refused_by_bolt(server: SlackServer, heard: Heard, how: str) -> None:
    body = json.dumps({"type": "event_callback", "event": {"type": "message", "text": "x"}})
    async with listening(server, bolt(server, heard)):
        if how == "secret":
            answer = await server.signed.post(body, secret="another")
        elif how == "body":
            headers = server.signed.headers("something else", "application/json")
            answer = await server.signed.post(body, headers=headers)
        else:
            seconds = -361 if how == "stale" else 361
            answer = await server.signed.post(body, timestamp=str(int(time.time()) + seconds))
        assert answer.status == 401
    assert heard.bodies == []


async def test_nobody_at_the_address_is_a_failed_connection(server: SlackServer) -> None:
    server.mode, server.signed.url = "http", "http://127.0.0.1:1/slack/events"
    server.retry_after = (0.0,)
    server.say("Hello", USER)
    envelope = await server.deliveries.all[0].settled()
    assert (envelope.gone, envelope.reasons) == (True, ["connection_failed"] * 2)


async def served(handler: web.RequestHandler | object) -> tuple[web.AppRunner, str]:
    app = web.Application()
    app.router.add_post("/", handler)  # type: ignore[arg-type]  # any handler of the tests
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    return runner, f"http://{host}:{port}/"


async def test_an_answer_that_is_late_is_a_timeout(server: SlackServer) -> None:
    never = asyncio.Event()

    async def silent(request: web.Request) -> web.Response:
        await never.wait()
        return web.Response()

    runner, server.signed.url = await served(silent)
    server.mode, server.retry_after, server.deliveries.ack_seconds = "http", (), 0.05
    server.say("Hello", USER)
    envelope = await server.deliveries.all[0].settled()
    never.set()
    await runner.cleanup()
    assert envelope.reasons == ["http_timeout"]


async def test_who_asks_for_no_retry_gets_none_and_who_redirects_too_often_fails(server: SlackServer) -> None:
    async def refusing(request: web.Request) -> web.Response:
        return web.Response(status=500, headers={"X-Slack-No-Retry": "1"})

    async def turning(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect("/")

    server.mode, server.retry_after = "http", (0.0,)
    for handler, reasons in ((refusing, ["http_error"]), (turning, ["too_many_redirects"] * 2)):
        runner, server.signed.url = await served(handler)
        server.say("Hello", USER)
        envelope = await server.deliveries.all[-1].settled()
        await runner.cleanup()
        assert envelope.reasons == reasons


async def test_interactions_and_commands_come_as_forms_and_never_again(server: SlackServer) -> None:
    requests: list[tuple[str, bytes]] = []

    async def broken(request: web.Request) -> web.Response:
        requests.append((request.content_type, await request.read()))
        return web.Response(status=500)

    runner, server.signed.url = await served(broken)
    server.mode = "http"
    for press in (server.command("/teller help", USER), server.shortcut("new_todo", USER)):
        envelope = await press.envelope.settled()
        assert (envelope.gone, envelope.attempts) == (True, 1)
    await runner.cleanup()
    assert {kind for kind, _ in requests} == {"application/x-www-form-urlencoded"}
    assert sorted(httpx.QueryParams(body.decode()).keys() >= {"payload"} for _, body in requests) == [False, True]


async def test_a_mode_that_is_none_is_refused(server: SlackServer) -> None:
    with pytest.raises(ValueError, match="no mode"):
        server.mode = "pigeon"
