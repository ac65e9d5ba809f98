"""The Slack emulator as a process of its own, driven over HTTP."""

from __future__ import annotations

import asyncio
import base64
import sys

import httpx
from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack_client import refusal


async def test_the_emulator_runs_as_a_process_and_is_driven_over_http() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.emulators.slack", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        assert line.startswith("slack emulator on http://127.0.0.1:")
        await converse(line.split()[-1])
    finally:
        process.terminate()
        assert await process.wait() == 0


async def converse(url: str) -> None:
    async with httpx.AsyncClient(base_url=f"{url}/_control") as tester:
        app = (await tester.get("/app")).json()
        bot = AsyncWebClient(app["tokens"]["T0001"], base_url=f"{url}/api/", retry_handlers=[])
        room = (await tester.post("/channel", json={"members": ["U1"], "name": "general"})).json()["result"]
        said = (await tester.post("/say", json={"text": "hi", "user": "U1", "channel": room})).json()["result"]
        assert (await tester.get("/pending")).json() == {"pending": 1}
        history = await bot.conversations_history(channel=room)
        assert [(m["ts"], m["text"]) for m in history["messages"]] == [(said, "hi")]
        await tester.post("/fault", json={"method": "chat.postMessage", "error": "fatal_error"})
        codes = [await refusal(bot.chat_postMessage(channel=room, text="hello")) for _ in range(2)]
        assert codes == ["fatal_error", ""]
        shown = (await tester.post("/shown", json={"channel": room, "user": "U1"})).json()["result"]
        assert [message["text"] for message in shown] == ["hi", "hello"]
        assert [call["error"] for call in await calls(tester, "chat.postMessage")] == ["fatal_error", ""]
        assert (await tester.post("/fault", json={"kind": "418"})).status_code == 400
        assert (await tester.post("/explode", json={})).status_code == 404
        await settings_and_files(bot, tester)


async def settings_and_files(bot: AsyncWebClient, tester: httpx.AsyncClient) -> None:
    assert (await tester.post("/set", json={"ahead": 3600, "retry_after": [0]})).status_code == 200
    assert (await tester.post("/set", json={"token": "x"})).status_code == 400
    data = base64.b64encode(b"abc").decode()
    assert (await tester.post("/upload", json={"data": data, "name": "a.txt"})).status_code == 200
    opened = await bot.conversations_open(users="U1001")
    (message,) = (await bot.conversations_history(channel=opened["channel"]["id"]))["messages"]
    headers = {"authorization": f"Bearer {bot.token}"}
    assert (await tester.get(message["files"][0]["url_private"], headers=headers)).content == b"abc"


async def calls(tester: httpx.AsyncClient, method: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = (await tester.get("/calls", params={"method": method})).json()
    return found
