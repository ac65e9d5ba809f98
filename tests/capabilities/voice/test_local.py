"""Sound is read and cut on this machine; a model recognises what is said in it."""

from __future__ import annotations

import io
import struct
import time
from pathlib import Path

import numpy
import pytest
import soundfile

from core.capabilities.voice import child, local
from core.capabilities.voice.lengths import played
from core.capabilities.voice.settings import VoiceSettings
from core.kernel.errors import Unheard
from core.toolkit.confined.child import Refusal

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


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000])
@pytest.mark.parametrize("tag", [b"", b"ID3\4\0\0\0\0\x02\0" + b"\xff\xfb\x90\0" * 64, b"\0", b"\xff\xfb\x90"])
def test_how_long_an_mp3_plays_is_counted_by_its_frames(rate: int, tag: bytes) -> None:
    file = io.BytesIO()
    soundfile.write(file, numpy.sin(numpy.arange(33 * rate) / 9), rate, format="MP3", subtype="MPEG_LAYER_III")
    made = file.getvalue()
    assert played(tag + made, 60) == 33
    assert played(tag + made, 10) == 11
    # Decoders go on behind what is no frame, and so is it here.
    at = len(made) // 2
    assert 31 <= played(tag + made[:at] + b"\xff\xfb and no frame" + made[at:], 60) <= 33


def film(scale: int, length: int, *, wide: bool = False, first: bytes = b"") -> bytes:
    """The parts of a film that say how long it is."""
    times = struct.pack(">QQIQ" if wide else ">IIII", 0, 0, scale, length)
    header = bytes([wide, 0, 0, 0]) + times + bytes(80)
    moov = struct.pack(">I", 16 + len(header)) + b"moov" + struct.pack(">I", 8 + len(header)) + b"mvhd" + header
    return struct.pack(">I", 16) + b"ftypM4A " + bytes(4) + first + moov


@pytest.mark.parametrize(
    "first", [b"", struct.pack(">I", 12) + b"mdatdata", struct.pack(">I4sQ", 1, b"mdat", 20) + b"data"]
)
def test_a_film_is_as_long_as_its_header_says(first: bytes) -> None:
    assert played(film(600, 600 * 33, first=first), 60) == 33
    assert played(film(600, 600 * 33, first=first, wide=True), 60) == 33
    assert played(film(1, 0xFFFF_FFFE, first=first), 60) == 61


@pytest.mark.parametrize(
    "hostile",
    [
        film(0, 0), film(1, 0xFFFF_FFFF), film(1, 0xFFFF_FFFF_FFFF_FFFF, wide=True), film(600, 600)[:40],
        film(1, 1, first=bytes(8)), film(1, 9, first=struct.pack(">I4sQ", 1, b"mdat", 1 << 63)),
        film(1, 9, first=struct.pack(">I", 8) + b"free" + struct.pack(">I", 3) + b"mdat"),
        film(1, 9, first=(struct.pack(">I", 8) + b"free") * 1_000_000),
        b"\xff\xfb\x90\0" * 10_000, b"\xff" * 20_000_000,
        b"ID3\4\0\0\x7f\x7f\x7f\x7f", b"ID3", b"", b"\xff\xfb\x90",
    ],
)  # fmt: skip
def test_headers_that_lie_say_nothing_and_take_no_time(hostile: bytes) -> None:
    began = time.process_time()
    assert played(hostile, 600) == 0
    assert time.process_time() - began < 2


def test_frames_behind_much_that_looks_like_some_are_not_counted_as_none() -> None:
    # At 64 kbit/s and 44,100 Hz a frame has 208 bytes and plays for 26 ms.
    made, began = (b"\xff\xfb\x50\0" + bytes(204)) * 2_000, time.process_time()
    assert played(made, 600) == 52
    assert played(b"\xff\xfb\x90\0" * 20_000 + made, 600) >= 52
    for hostile in (b"\xff\xfb\x90\0" * 5_000_000, b"\xff\xe3\x10" * 7_000_000):
        assert played(hostile, 600) == 601
    assert time.process_time() - began < 2


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
