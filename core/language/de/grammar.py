"""German: times, and schedules in words; wishes are left to others."""

from __future__ import annotations

from dataclasses import replace

from core.language.de.format import say
from core.language.de.times import READER
from core.language.grammar import SILENT

GRAMMAR = replace(SILENT, when=READER.when, say=say)
