"""The Bot API emulator as a process of its own, driven over HTTP."""

from __future__ import annotations

import asyncio
import base64
import sys

import httpx
import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup
from telegram.error import Forbidden

from tests.emulators.telegram_client import bot_for

USER = 1001


async def test_the_emulator_runs_as_a_process_and_is_driven_over_http() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.emulators.telegram", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        assert line.startswith("telegram emulator on http://127.0.0.1:")
        await converse(line.split()[-1])
    finally:
        process.terminate()
        assert await process.wait() == 0


async def converse(url: str) -> None:
    async with bot_for(url) as bot, httpx.AsyncClient(base_url=f"{url}/_control") as tester:
        said = (await tester.post("/say", json={"text": "hi", "user": USER})).json()["update_id"]
        assert [update.update_id for update in await bot.get_updates()] == [said]
        assert (await tester.get("/pending")).json() == {"pending": 1}
        await tester.post("/fault", json={"method": "sendMessage", "kind": "403"})
        with pytest.raises(Forbidden):
            await bot.send_message(USER, "refused")
        await bot.send_message(USER, "hello")
        (sent,) = (await tester.get("/sent", params={"chat": USER, "n": 1})).json()
        assert (sent["text"], sent["call"]["delivered"]) == ("hello", True)
        assert len((await tester.get("/calls", params={"method": "sendMessage"})).json()) == 2
        assert (await tester.post("/fault", json={"kind": "418"})).status_code == 400
        await press_over_http(bot, tester)


async def press_over_http(bot: Bot, tester: httpx.AsyncClient) -> None:
    group = {"chat": -5, "title": "Family", "members": {"1001": "creator"}, "bot": "left"}
    assert (await tester.post("/group", json=group)).json() == {"chat": -5}
    await tester.post("/member", json={"chat": -5, "user": 1000, "status": "member"})
    keyboard = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y")]])
    asked = await bot.send_message(-5, "Sure?", reply_markup=keyboard)
    press = {"message": asked.message_id, "chat": -5, "button": "Yes"}
    callback = (await tester.post("/press", json=press)).json()["callback_id"]
    await bot.answer_callback_query(callback, "Done")
    assert [a["text"] for a in (await tester.get("/answers", params={"callback": callback})).json()] == ["Done"]
    assert (await tester.post("/press", json=press | {"button": "No"})).status_code == 400
    voice = {"kind": "voice", "data": base64.b64encode(b"sound").decode()}
    assert (await tester.post("/send_media", json=voice)).status_code == 200
    update = (await bot.get_updates())[-1]
    assert update.message is not None
    assert update.message.voice is not None
    file = await bot.get_file(update.message.voice)
    assert bytes(await file.download_as_bytearray()) == b"sound"
