"""German: wishes for reminders, times, and schedules in words; what else is wished is left to others."""

from __future__ import annotations

from core.language.de.format import say
from core.language.de.requests import request, wish
from core.language.de.times import READER
from core.language.grammar import Grammar

GRAMMAR = Grammar(when=READER.when, request=request, wish=wish, say=say)
