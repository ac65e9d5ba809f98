"""What people say aloud is written down: by a provider, or on this machine."""

from __future__ import annotations

from core.capabilities.voice.service import Transcriber
from core.capabilities.voice.settings import VoiceSettings
from core.capabilities.voice.texts import de, en, zh
from core.toolkit.capability import Capability
from core.toolkit.fetch.allowance import PersonAllowance
from core.toolkit.fetch.client import Fetcher
from core.toolkit.services import Services


def _services(services: Services) -> tuple[Transcriber]:
    allowance = services.get(PersonAllowance)
    return (Transcriber(services.get(VoiceSettings), services.get(Fetcher), allowance, services.clock),)


CAPABILITY = Capability(
    name="voice",
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    services=_services,
)
