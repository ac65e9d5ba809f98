"""Slack: receiving by Socket Mode or HTTP, sending blocks."""

from bot.adapters.slack.adapter import SlackAdapter
from bot.adapters.slack.app import SlackApp
from bot.adapters.slack.receive.socket_mode import Timing

__all__ = ["SlackAdapter", "SlackApp", "Timing"]
