"""Triggers: a hundred thousand that wait, beside APScheduler, and what it takes to fire one."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import TypeVar

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from bot.adapters.telegram import TelegramAdapter
from bot.app import App, build
from bot.config_sections import AccessSection
from core.clock import SystemClock
from core.ports import Database, Tx
from core.store import chats, people, triggers
from core.store.chats import Place
from core.store.sqlite import SqliteDatabase
from core.store.triggers import Trigger
from core.types import LaneKey, Millis, Sender
from core.when.schedule import Once, dump
from tests.emulators.telegram import DEFAULT_TOKEN
from tests.fakes import config

WAITING, CREATED, LOOKED, STARTED = 100_000, 2_000, 2_000, 20
FIRED, WARM_UP = 10_000, 200
AT_ONCE = 1_000  # seeded in a transaction
PEOPLE = 1_000
DAY: Millis = 86_400_000
T = TypeVar("T")
