"""Sound is written down on this machine, in a process of its own: a model takes much memory, and a sound may be made to
harm whoever reads it."""

from __future__ import annotations

from importlib.util import find_spec

from core.capabilities.voice.settings import VoiceSettings
from core.kernel.errors import Unheard
from core.kernel.types import Json
from core.toolkit.confined.child import Refusal
from core.toolkit.confined.parent import run_confined

_CHILD = "core.capabilities.voice.child"
# What is no code of `Unheard`: a sound that takes more memory than there is.
_CODES = {"bomb": "damaged"}


def missing(settings: VoiceSettings) -> str:
    """Say what is missing here to write down sound on this machine; empty when nothing is."""
    if find_spec("onnx_asr") is None or find_spec("soundfile") is None or find_spec("onnxruntime") is None:
        return "the extra voice is not installed; run: make voice (or install teller with [voice])"
    if settings.folder is None or not settings.folder.is_dir():
        return f"voice.folder ({settings.folder}) is no folder; put the model's files there"
    return ""


async def transcribe(settings: VoiceSettings, sound: bytes) -> str:
    """Return what is said in a sound. Raises `Unheard`."""
    options: dict[str, Json] = {
        "folder": str(settings.folder),
        "model": settings.model,
        "language": settings.language,
        "most_seconds": settings.most_seconds,
    }
    try:
        return str(await run_confined(_CHILD, options, sound, settings.timeout))
    except Refusal as refusal:
        raise Unheard(_CODES.get(refusal.code, refusal.code), refusal.detail) from refusal
