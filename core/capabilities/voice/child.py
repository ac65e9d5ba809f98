"""The process that writes down one sound, and ends. Sounds are ogg/opus and what else libsndfile reads; a model is read
from its folder and never fetched."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Any

from core.toolkit.confined.child import Limits, Refusal, serve

# A model of a billion parameters in eight bits fits, with what it works on.
LIMITS = Limits(
    memory=6 << 30,
    seconds=900,
    files=256,
    threads=True,
    # What the processor can do.
    paths=("/proc/cpuinfo", "/sys/devices/system/cpu"),
    folders=("folder",),
)
RATE = 16_000
MOST_CHANNELS = 8
# Models hear half a minute at once. A longer sound is cut where it is quietest, within so many seconds.
HEARD_AT_ONCE, CUT_WITHIN, WINDOW = 25 * RATE, 5 * RATE, RATE // 10


def main() -> None:
    """Write down the sound on the standard input."""
    # No model is looked for anywhere but in its folder.
    os.environ.update({"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "OMP_NUM_THREADS": "2"})
    serve(written_down, LIMITS)


def written_down(sound: bytes, *, folder: str, model: str, language: str, most_seconds: int) -> str:
    """Return what is said in a sound, by a model that is loaded from its folder. Raises `Refusal` with one of the codes
    of `Unheard`."""
    wave = decoded(sound, most_seconds)
    try:
        import onnx_asr  # noqa: PLC0415 - only this process needs it, and only with the extra
        import onnxruntime  # noqa: PLC0415

        # It would tell its makers of each model that is loaded.
        onnxruntime.disable_telemetry_events()
        found: Any = onnx_asr.load_model(model, path=folder, providers=["CPUExecutionProvider"])
    except Exception as error:  # a library's errors are of many kinds; each means that the model cannot be used
        raise Refusal("setup", f"{type(error).__name__}: {error}"[:300]) from None
    # Only some models can be told a language.
    told = language and model.startswith(("whisper", "onnx-community/whisper"))
    options: dict[str, Any] = {"language": language} if told else {}
    words = (str(found.recognize(part, sample_rate=RATE, **options)).strip() for part in parts(wave))
    return " ".join(filter(None, words))


def decoded(sound: bytes, most_seconds: int) -> Any:
    """Return a sound as one channel of floats at `RATE`. Raises `Refusal`: it cannot be read, or is too long."""
    try:
        import numpy  # noqa: PLC0415 - only this process needs them, and only with the extra
        import soundfile  # noqa: PLC0415
    except ImportError as error:
        raise Refusal("setup", str(error)) from None
    try:
        with soundfile.SoundFile(io.BytesIO(sound)) as file:
            # A header may say anything: what is there is read, up to the limit.
            if file.samplerate <= 0 or file.channels > MOST_CHANNELS:
                raise Refusal("damaged", "header")
            found = file.read(frames=(most_seconds + 1) * file.samplerate, dtype="float32", always_2d=True)
            rate = file.samplerate
    except (soundfile.SoundFileError, ValueError, OverflowError) as error:
        raise Refusal("damaged", type(error).__name__) from None
    if len(found) > most_seconds * rate:
        raise Refusal("long")
    wave = found.mean(axis=1)
    if rate == RATE or not len(wave):
        return wave
    # Between two samples of speech a straight line is near enough.
    times = numpy.arange(round(len(wave) * RATE / rate)) * (rate / RATE)
    return numpy.interp(times, numpy.arange(len(wave)), wave).astype("float32")


def parts(wave: Any) -> Iterator[Any]:
    """Cut a sound into parts that a model hears at once, where it is quietest."""
    while len(wave) > HEARD_AT_ONCE:
        near = abs(wave[HEARD_AT_ONCE - CUT_WITHIN : HEARD_AT_ONCE])
        loudness = near[: len(near) // WINDOW * WINDOW].reshape(-1, WINDOW).mean(axis=1)
        cut = HEARD_AT_ONCE - CUT_WITHIN + int(loudness.argmin()) * WINDOW + WINDOW // 2
        yield wave[:cut]
        wave = wave[cut:]
    if len(wave):
        yield wave
