"""The process that writes down one sound, and ends. Sounds are ogg/opus and what else libsndfile reads; a model is read
from its folder and never fetched.

It gets one line of JSON and the sound on its standard input, and writes one line of JSON.
"""

from __future__ import annotations

import io
import json
import resource
import sys
from collections.abc import Callable, Iterator
from typing import Any

# A model of a billion parameters in eight bits fits, with what it works on.
MEMORY, CPU_SECONDS, OPEN_FILES = 6 << 30, 900, 256
RATE = 16_000
MOST_CHANNELS = 8
# Models hear half a minute at once. A longer sound is cut where it is quietest, within so many seconds.
HEARD_AT_ONCE, CUT_WITHIN, WINDOW = 25 * RATE, 5 * RATE, RATE // 10

# Makes of sound (one channel of floats, at `RATE`) what is said in it.
Recognise = Callable[[Any], str]


class Problem(Exception):
    """Why nothing was written down: one of the codes of `Unheard`, and a detail for the log."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code, self.detail = code, detail


def main() -> None:
    """Write down the sound on the standard input."""
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.setrlimit(what, (most, most))
        except (ValueError, OSError):
            sys.stderr.write(f"the limit {what} is not set\n")
    options = json.loads(sys.stdin.buffer.readline())
    sound = sys.stdin.buffer.read()
    try:
        wave = decoded(sound, options["most_seconds"])
        recognise = loaded(options["model"], options["folder"], options["language"])
        answer = {"text": " ".join(filter(None, (recognise(part).strip() for part in parts(wave))))}
    except Problem as problem:
        answer = {"problem": problem.code, "detail": problem.detail}
    except MemoryError:
        answer = {"problem": "damaged", "detail": "memory"}
    sys.stdout.write(f"\n{json.dumps(answer)}\n")


def decoded(sound: bytes, most_seconds: int) -> Any:
    """Return a sound as one channel of floats at `RATE`. Raises `Problem`: it cannot be read, or is too long."""
    try:
        import numpy  # noqa: PLC0415 - only this process needs them, and only with the extra
        import soundfile  # noqa: PLC0415
    except ImportError as error:
        raise Problem("setup", str(error)) from None
    try:
        with soundfile.SoundFile(io.BytesIO(sound)) as file:
            # A header may say anything: what is there is read, up to the limit.
            if file.samplerate <= 0 or file.channels > MOST_CHANNELS:
                raise Problem("damaged", "header")
            found = file.read(frames=(most_seconds + 1) * file.samplerate, dtype="float32", always_2d=True)
            rate = file.samplerate
    except (soundfile.SoundFileError, ValueError, OverflowError) as error:
        raise Problem("damaged", type(error).__name__) from None
    if len(found) > most_seconds * rate:
        raise Problem("long")
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


def loaded(model: str, folder: str, language: str) -> Recognise:
    """Load a model from its folder. Raises `Problem`."""
    try:
        import onnx_asr  # noqa: PLC0415 - as above

        found: Any = onnx_asr.load_model(model, path=folder, providers=["CPUExecutionProvider"])
    except Exception as error:  # a library's errors are of many kinds; each means that the model cannot be used
        raise Problem("setup", f"{type(error).__name__}: {error}"[:300]) from None
    # Only some models can be told a language.
    options: dict[str, Any] = (
        {"language": language} if language and model.startswith(("whisper", "onnx-community/whisper")) else {}
    )
    return lambda wave: str(found.recognize(wave, sample_rate=RATE, **options))
