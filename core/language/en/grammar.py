"""English: the grammar of the language."""

from __future__ import annotations

from core.language.en.format import say
from core.language.en.phrases import MACROS, TABLES, VAGUE
from core.language.en.requests import LEAD, RULES
from core.language.en.times import READER
from core.language.engine.phrases import Phrases
from core.language.engine.reminders import Reminders
from core.language.engine.requests import Requests
from core.language.grammar import Grammar

REQUESTS = Requests(READER, RULES, MACROS, ours=("today", "tomorrow", "tonight"))
REMINDERS = Reminders(REQUESTS, line="{} to {}", done=" until done")
TEXTS = {"lead": LEAD, "vague": VAGUE, "theirs": "<whose>|'"}
PHRASES = Phrases(TABLES, MACROS, texts=TEXTS, reminders=REMINDERS)
GRAMMAR = Grammar(
    when=READER.when, request=REQUESTS.read, wish=PHRASES.wish, say=say, asks=REMINDERS.asks, times=REQUESTS.times
)
