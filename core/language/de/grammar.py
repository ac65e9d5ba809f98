"""German: the grammar of the language."""

from __future__ import annotations

from core.language.de.format import say
from core.language.de.phrases import MACROS, TABLES, VAGUE
from core.language.de.requests import LEAD, RULES
from core.language.de.times import READER
from core.language.engine.phrases import Phrases
from core.language.engine.reminders import Reminders
from core.language.engine.requests import Requests
from core.language.grammar import Grammar

REQUESTS = Requests(READER, RULES, MACROS)
REMINDERS = Reminders(REQUESTS, line="{}: {}", done=" bis erledigt")
TEXTS = {
    "lead": LEAD,
    "vague": VAGUE,
    "theirs": "<whose>|'",
    "wanted": "(<infinitive>|<waken>) $|sagen ,? dass ich|erinnern|erinnerst|bescheid (sagen|geben)",
}
PHRASES = Phrases(TABLES, MACROS, texts=TEXTS, reminders=REMINDERS)
GRAMMAR = Grammar(
    when=READER.when, request=REQUESTS.read, wish=PHRASES.wish, say=say, asks=REMINDERS.asks, times=REQUESTS.times
)
