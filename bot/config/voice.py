"""The section of voice notes: who writes them down."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from bot.config.sections import LlmSection, Positive, Secret, Section, WebRoot
from core.agents.llm.openai.dialects import is_own
from core.capabilities.voice.settings import VoiceSettings

OPENAI_MODEL = "gpt-4o-mini-transcribe"
# OpenAI's price of a minute with that model, in US dollars.
OPENAI_PRICE = 0.003


class VoiceSection(Section):
    """Who writes down voice notes. `auto`: the endpoint at `base_url`; without one OpenAI's, where the model is asked
    there with a key; else nobody. `local`: a model in `folder` on this machine. `price` is what a minute costs, in US
    dollars."""

    provider: Literal["auto", "endpoint", "local", "off"] = "auto"
    base_url: WebRoot | None = Field(default=None, repr=False)
    api_key: Secret = None
    model: str = ""
    folder: Path | None = None
    language: Annotated[str, Field(pattern=r"^([a-z]{2,3})?$")] = ""
    most_minutes: Positive = 10
    minutes_per_hour: Positive = 60
    timeout_seconds: Annotated[float, Field(gt=0)] = 60.0
    price: Annotated[float, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> VoiceSection:
        if self.provider == "endpoint" and self.base_url is None:
            raise ValueError("endpoint needs base_url, the server's address, such as https://api.openai.com/v1")
        if self.base_url is not None and not self.model:
            raise ValueError("base_url needs a model, such as whisper-1")
        if self.provider == "local" and not (self.folder and self.model):
            raise ValueError("local needs a folder with a model's files, and model, which kind it is (docs/voice.md)")
        return self

    def settings(self, llm: LlmSection) -> VoiceSettings:
        """Who writes them down; what is not said here is as the model's section has it."""
        limits: dict[str, Any] = {
            "most_seconds": 60 * self.most_minutes,
            "timeout": self.timeout_seconds,
            "language": self.language,
        }
        price = round((self.price or 0) * 1_000_000)
        if self.provider == "local":
            folder = self.folder.expanduser().absolute() if self.folder else None
            return VoiceSettings(provider="local", folder=folder, model=self.model, **limits)
        key = self.api_key.get_secret_value() if self.api_key else ""
        if self.provider != "off" and self.base_url is not None:
            return VoiceSettings(
                provider="endpoint", base_url=self.base_url, api_key=key, model=self.model, price=price, **limits
            )
        if self.provider == "auto" and llm.model and llm.api_key is not None and is_own(llm.base_url):
            if self.price is None:
                price = round(OPENAI_PRICE * 1_000_000)
            return VoiceSettings(
                provider="endpoint",
                base_url=llm.base_url,
                api_key=key or llm.api_key.get_secret_value(),
                model=self.model or OPENAI_MODEL,
                price=price,
                **limits,
            )
        return VoiceSettings(**limits)
