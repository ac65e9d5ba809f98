"""Telegram: receiving by long polling, sending text with entities."""

from bot.adapters.telegram.adapter import TelegramAdapter
from bot.adapters.telegram.polling import Timing

__all__ = ["TelegramAdapter", "Timing"]
