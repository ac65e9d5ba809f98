"""Spoken on both platforms, by the whole program; and kill -9 around it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.acceptance.harness import MARK, Bot, texts
from tests.acceptance.playing import SLACK, TELEGRAM, Way
from tests.acceptance.slack_driver import SlackPlatform
from tests.acceptance.stories.stage import Stage
from tests.acceptance.telegram_driver import TelegramPlatform
from tests.emulators.telegram import TelegramServer
from tests.emulators.transcriptions import DEFAULT_KEY, TranscriptionServer

MUM = "Remind me at five to call mum."
SHOWN = "🎤 “Remind me at five to call mum.”"


@pytest.fixture
async def voice() -> AsyncIterator[TranscriptionServer]:
    async with TranscriptionServer(MUM) as server:
        yield server


def settings(voice: TranscriptionServer) -> dict[str, str]:
    return {
        "VOICE__BASE_URL": f"{voice.url}/v1",
        "VOICE__API_KEY": DEFAULT_KEY,
        "VOICE__MODEL": "whisper-1",
    }


def speak(on: Stage) -> None:
    """The owner records a note in their private chat."""
    match on.platform:
        case TelegramPlatform() as telegram:
            user = int(on.platform.owner.key)
            telegram.server.send_media("voice", user, user, data=b"OggS said")
        case SlackPlatform() as slack:
            chat = on.platform.private(on.platform.owner).key
            slack.server.upload(b"OggS said", on.platform.owner.key, chat, name="audio.ogg", clip=True)


@pytest.mark.parametrize("way", [TELEGRAM, SLACK], ids=["telegram", "slack"])
async def test_what_is_said_is_shown_and_read(
    way: Way, voice: TranscriptionServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with way.play(Stage, tmp_path_factory.mktemp("voice"), **settings(voice)) as on:
        speak(on)
        chat = on.platform.private(on.platform.owner)
        await on.until(lambda: any(SHOWN in text for text in on.texts(chat)))
        assert [heard.content for heard in voice.heard] == [b"OggS said"]
        await on.until(lambda: any("call mum" in text and "🎤" not in text for text in on.texts(chat)))
        # It is set by its words: the model, which repeats what it hears, was not asked.
        assert not any("You said" in text and "call mum" in text for text in on.texts(chat))


POINTS = [
    f"{when}:{where}"
    for where in ("accept", "claim_lane", "keep_files", "count_sound", "finish_run", "post_sent", "send")
    for when in ("before", "after")
]


@pytest.mark.parametrize("failpoint", POINTS)
async def test_a_note_is_heard_once_when_the_process_dies_at(
    plain: Bot, telegram: TelegramServer, voice: TranscriptionServer, failpoint: str
) -> None:
    plain.module = ["tests.killable"]
    plain.settings |= settings(voice)
    telegram.send_media("voice", data=b"OggS said")
    await plain.launch(failpoint=failpoint)
    assert await plain.wait(30) == -9, plain.output
    await plain.start()
    await plain.until(lambda: any("call mum" in text and "🎤" not in text for text in texts(telegram)))
    await plain.stop()
    assert plain.value("SELECT count(*) FROM trigger WHERE state = 'active'") == 1
    assert 1 <= voice.asked <= 2
    shown = [text for text in texts(telegram) if "🎤" in text]
    assert sum(not text.startswith(MARK) for text in shown) <= 1
    assert 1 <= len(shown) <= 2
