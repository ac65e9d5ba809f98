"""Sound is written down on this machine, in a process of its own: a model takes much memory, and a sound may be made to
harm whoever reads it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from core.capabilities.voice.settings import VoiceSettings
from core.kernel.errors import Unheard

MOST_ANSWER = 1 << 20
# Where this very code lies: the child finds it though its environment is nearly empty.
_HERE = str(Path(__file__).resolve().parents[3])
_START = f"import sys; sys.path.insert(0, {_HERE!r}); from core.capabilities.voice.child import main; main()"
# The child must not look for models anywhere but in its folder.
_ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1", "OMP_NUM_THREADS": "2"}


def missing(settings: VoiceSettings) -> str:
    """Say what is missing here to write down sound on this machine; empty when nothing is."""
    if find_spec("onnx_asr") is None or find_spec("soundfile") is None or find_spec("onnxruntime") is None:
        return "the extra voice is not installed; run: make voice (or install teller with [voice])"
    if settings.folder is None or not settings.folder.is_dir():
        return f"voice.folder ({settings.folder}) is no folder; put the model's files there"
    return ""


async def transcribe(settings: VoiceSettings, sound: bytes) -> str:
    """Return what is said in a sound. Raises `Unheard`."""
    options: dict[str, object] = {
        "folder": str(settings.folder),
        "model": settings.model,
        "language": settings.language,
    }
    options |= {"most_seconds": settings.most_seconds}
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-B", "-c", _START),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=_ENVIRONMENT,
        start_new_session=True,
        limit=MOST_ANSWER,
    )
    try:
        async with asyncio.timeout(settings.timeout):
            told, _ = await child.communicate(json.dumps(options).encode() + b"\n" + sound)
    except TimeoutError:
        raise Unheard("slow") from None
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            await child.wait()
    try:
        # Whatever a library prints stands before the last line.
        answer = json.loads(told.splitlines()[-1])
    except (ValueError, IndexError):
        raise Unheard("damaged", f"exit {child.returncode}") from None
    if "problem" in answer:
        raise Unheard(str(answer["problem"]), str(answer["detail"]))
    return str(answer["text"])
