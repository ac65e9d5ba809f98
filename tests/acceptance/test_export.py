"""A fresh bot takes an export in, on both platforms; kill -9 around it loses nothing and doubles only in doubt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.harness import MARK, Bot
from tests.acceptance.packing import answered, exported, filled, parts
from tests.acceptance.playing import AHEAD, SLACK, TELEGRAM, Way
from tests.acceptance.stories.stage import Stage
from tests.emulators.telegram import TelegramServer

WAYS = [pytest.param(TELEGRAM, id="telegram"), pytest.param(SLACK, id="slack")]
OWNER = 1001


def told(content: bytes) -> dict[str, Any]:
    """What the lists of an export say to people: by what a file that is not trusted keeps."""
    found = parts(content)
    return {
        "todos": [(row["content"], row["state"], row["list_key"]) for row in found["todos"]],
        "schedules": [(row["text"], row["spec"], row["next_at"]) for row in found["schedules"]],
        "memories": [(row["content"], row["state"]) for row in found["memories"]],
    }


async def taken(on: Stage, name: str, content: bytes) -> str:
    """Let the owner import a file, and agree; returns what is said then."""
    chat = on.platform.private(on.platform.owner)
    on.platform.give(on.platform.owner, name, content, "/import")
    await on.until(lambda: any("has:" in text for text in on.texts(chat)))
    await on.pressed(on.platform.owner, on.platform.shown(chat)[-1], "Import")
    await on.until(lambda: any("📥" in text for text in on.texts(chat)))
    return next(text for text in on.texts(chat) if "📥" in text)


@pytest.mark.parametrize("way", WAYS)
async def test_a_fresh_bot_takes_an_export_in_and_has_the_same_lists(way: Way, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    async with way.play(Stage, tmp_path / "one") as on:
        await filled(on, on.platform.owner)
        name, content = await exported(on, on.platform.owner)
    async with way.play(Stage, tmp_path / "other") as on:
        assert "📥 Imported" in await taken(on, name, content)
        assert "buy milk" in (await answered(on, on.platform.owner, "/todo", "📝")).text
        _, again = await exported(on, on.platform.owner)
        assert told(again) == told(content)


# Where bytes may have left before the end, as far as the next process can know; and where they have.
EXPORT = {
    "before:finish_run": (1, False),
    "after:finish_run": (1, True),
    "before:send:document": (1, True),
    "after:send:document": (2, True),
    "before:post_sent": (2, True),
}
# With the file known to have arrived the text below it is in doubt: on Slack that is looked up, which takes minutes.
DIES = [pytest.param(way.values[0], point, id=f"{way.id}-{point}") for way in WAYS for point in EXPORT]
DIES.append(pytest.param(TELEGRAM, "after:post_sent", id="telegram-after:post_sent"))


@pytest.mark.parametrize(("way", "failpoint"), DIES)
async def test_an_export_is_sent_whatever_dies(way: Way, failpoint: str, tmp_path: Path) -> None:
    arrived, doubtful = EXPORT.get(failpoint, (1, True))
    async with way.play(Stage, tmp_path) as on:
        chat = on.platform.private(on.platform.owner)
        await answered(on, on.platform.owner, "/todo buy milk", "buy milk")
        await on.bot.stop()
        on.platform.say(on.platform.owner, "/export")
        await on.dies(failpoint)
        await on.bot.start()
        await on.until(lambda: any("📦" in text for text in on.texts(chat)))
        await on.talk(on.platform.owner)
        files = on.platform.files(chat)
        assert len(files) == arrived
        assert all("buy milk" in str(parts(content)["todos"]) for _, content in files)
        assert any(MARK in text for text in on.texts(chat)) == doubtful
        await on.bot.stop()
        assert on.bot.value("SELECT count(*) FROM outbox WHERE state != 'sent'") == 0
        named = {row["file"] for row in on.bot.rows("SELECT file FROM outbox WHERE file <> ''")}
        assert all((on.bot.data / "files" / path).is_file() for path in named)


CONVERSATIONS = [
    {
        "uuid": "k1",
        "name": "Camp",
        "created_at": "2025-01-01T12:00:00Z",
        "chat_messages": [
            {"sender": "human", "text": f"line {n}", "created_at": "2025-01-01T12:00:00Z"} for n in range(1200)
        ],
    }
]


@pytest.mark.parametrize(
    "failpoint", ["before:commit_action", "after:commit_action", "before:finish_run", "after:finish_run"]
)
async def test_an_import_is_finished_whatever_dies(
    failpoint: str, plain: Bot, telegram: TelegramServer, tmp_path: Path
) -> None:
    plain.module = list(AHEAD)
    await plain.start()
    telegram.send_media(
        "document",
        OWNER,
        OWNER,
        data=json.dumps(CONVERSATIONS).encode(),
        caption="/import",
        file_name="conversations.json",
    )
    await plain.until(lambda: any("1200 lines" in text for text in plain.told(OWNER)))
    await plain.stop()
    asked = next(one for one in telegram.sent() if "1200 lines" in one.text)
    telegram.press(asked, "Import")
    await plain.launch(failpoint=failpoint)
    assert await plain.wait(30) == -9, plain.output
    if failpoint != "after:finish_run":
        # Nothing of it is shown before all of it is there.
        assert plain.value("SELECT count(*) FROM import_job WHERE state = 'done'") == 0
    await plain.start()
    await plain.until(lambda: any("📥" in text for text in plain.told(OWNER)))
    await plain.stop()
    assert any("Imported from conversations.json: 1200 lines" in text for text in plain.told(OWNER))
    assert plain.value("SELECT count(*) FROM imported_line") == 1200
    assert plain.value("SELECT count(*) FROM document WHERE kind = 'imported'") == 1200
    assert plain.value("SELECT count(*) FROM import_job WHERE state = 'done'") == 1
