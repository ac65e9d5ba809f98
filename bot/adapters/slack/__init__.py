"""Slack: receiving by Socket Mode or HTTP, sending blocks."""

from bot.adapters.slack.adapter import SlackAdapter
from bot.adapters.slack.installing import Installing
from bot.adapters.slack.socket import Timing

__all__ = ["Installing", "SlackAdapter", "Timing"]
