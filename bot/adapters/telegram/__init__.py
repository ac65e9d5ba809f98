"""Telegram: receiving by long polling or webhook, sending text with entities."""

import sys

# For Telegram Passport, which nobody is asked for here, the library would load cryptography: 8 MB. It does without
# where that is not installed; who needs it later loads it as ever.
if "cryptography" not in sys.modules:
    sys.modules["cryptography"] = None  # type: ignore[assignment]
    try:
        import telegram as telegram
    finally:
        del sys.modules["cryptography"]

from bot.adapters.telegram.adapter import TelegramAdapter
from bot.adapters.telegram.receive.receiver import Timing
from bot.adapters.telegram.receive.webhook import Webhook

__all__ = ["TelegramAdapter", "Timing", "Webhook"]
