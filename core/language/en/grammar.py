"""English: the grammar of the language."""

from __future__ import annotations

from core.language.en.format import say
from core.language.en.phrases import MACROS, ROWS, VAGUE
from core.language.en.requests import LEAD, RULES
from core.language.en.times import READER
from core.language.engine.phrases import Phrases
from core.language.engine.requests import Requests
from core.language.grammar import Grammar

REQUESTS = Requests(
    READER,
    RULES,
    MACROS,
    times=("in {}", "{}", "at {}"),
    line="{} to {}",
    done=" until done",
    ours=("today", "tomorrow", "tonight"),
)
PHRASES = Phrases(READER, ROWS, MACROS, vague=VAGUE, requests=REQUESTS, lead=LEAD)
GRAMMAR = Grammar(when=READER.when, request=REQUESTS.read, wish=PHRASES.wish, say=say)
