"""Telegram: receiving by long polling or webhook, sending text with entities."""

from bot.adapters.telegram.adapter import TelegramAdapter
from bot.adapters.telegram.receive.receiver import Timing
from bot.adapters.telegram.receive.webhook import Webhook

__all__ = ["TelegramAdapter", "Timing", "Webhook"]
