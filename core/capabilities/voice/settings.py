"""How voice notes are written down, as the configuration says it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceSettings:
    """Who writes down what is spoken: an `endpoint` (the address of its server, to which `/audio/transcriptions` is
    appended), this machine (`local`, with a model's `folder`), or nobody (`off`).

    `model` is the endpoint's, or says of which kind the one in the folder is (onnx-asr's names); `language` is a code,
    empty where it is to be found out. A note of more than `most_seconds` is not listened to. `price` is what a minute
    costs, in millionths of a dollar; `timeout` is in seconds.
    """

    provider: Literal["endpoint", "local", "off"] = "off"
    base_url: str = field(default="", repr=False)
    api_key: str = field(default="", repr=False)
    model: str = ""
    folder: Path | None = None
    language: str = ""
    most_seconds: int = 600
    price: int = 0
    timeout: float = 60.0
