"""Sound is read and cut on this machine; a model recognises what is said in it."""

from __future__ import annotations

import io
from pathlib import Path

import numpy
import pytest
import soundfile

from core.capabilities.voice import child, local
from core.capabilities.voice.service import played
from core.capabilities.voice.settings import VoiceSettings
from core.kernel.errors import Unheard
from core.toolkit.apart.child import Refusal

SETTINGS = VoiceSettings(provider="local", model="whisper-base", folder=Path("/nowhere"), timeout=30)


def sound(seconds: float, rate: int = 48_000, channels: int = 1) -> bytes:
    """An ogg/opus file with a tone, and silence in its 23rd second."""
    times = numpy.arange(round(seconds * rate)) / rate
    wave = numpy.sin(times * 2_000) * 0.4
    wave[(times >= 23) & (times < 24)] = 0
    file = io.BytesIO()
    soundfile.write(file, numpy.stack([wave] * channels, axis=1), rate, format="OGG", subtype="OPUS")
    return file.getvalue()


def test_what_is_missing_is_said() -> None:
    assert "no folder" in local.missing(SETTINGS)


@pytest.mark.parametrize("channels", [1, 2])
def test_a_voice_note_is_read_as_one_channel_at_the_models_rate(channels: int) -> None:
    wave = child.decoded(sound(2.0, channels=channels), 60)
    assert wave.ndim == 1
    assert wave.dtype == "float32"
    assert len(wave) == pytest.approx(2 * child.RATE, abs=400)


def test_a_long_note_is_cut_where_it_is_quiet_and_nothing_of_it_is_lost() -> None:
    wave = child.decoded(sound(60.0), 600)
    parts = list(child.parts(wave))
    assert sum(map(len, parts)) == len(wave)
    assert all(0 < len(part) <= child.HEARD_AT_ONCE for part in parts)
    assert 23 <= len(parts[0]) / child.RATE < 24.1


def test_a_note_longer_than_it_says_is_not_heard() -> None:
    with pytest.raises(Refusal, match="long"):
        child.decoded(sound(3.0), 2)


@pytest.mark.parametrize("seconds", [1, 33])
def test_how_long_a_note_plays_is_counted_by_its_packets(seconds: int) -> None:
    assert played(sound(seconds), 60) == seconds
    # Whoever makes one may write into its pages what they like.
    assert played(sound(seconds).replace(b"OggS\0\0", b"OggS\0\4"), 60) == seconds
    assert played(b"fLaC and no packets", 60) == 0


async def test_what_is_no_sound_ends_with_a_reason() -> None:
    """In the process of its own, as in everyday life."""
    with pytest.raises(Unheard) as raised:
        await local.transcribe(SETTINGS, b"OggS, and then nothing that is one")
    assert raised.value.code == "damaged"


async def test_a_folder_without_a_model_is_a_matter_of_the_setup(tmp_path: Path) -> None:
    settings = VoiceSettings(provider="local", model="whisper-base", folder=tmp_path, timeout=60)
    with pytest.raises(Unheard) as raised:
        await local.transcribe(settings, sound(1.0))
    assert raised.value.code == "setup"
