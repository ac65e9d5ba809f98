"""Chinese: the grammar of the language."""

from __future__ import annotations

from core.language.engine.phrases import Phrases
from core.language.engine.reminders import Reminders
from core.language.engine.requests import Requests
from core.language.grammar import Grammar
from core.language.zh.format import say
from core.language.zh.people import ChinesePeople
from core.language.zh.phrases import MACROS, TABLES, VAGUE
from core.language.zh.requests import LEAD, RULES
from core.language.zh.times import READER

REQUESTS = Requests(READER, RULES, MACROS, ours=(), people=ChinesePeople)
REMINDERS = Reminders(REQUESTS, line="{}，{}", done="，直到完成", order="提醒")
TEXTS = {"lead": LEAD, "vague": VAGUE, "asking": "[吗么不]", "theirs": "'"}
PHRASES = Phrases(TABLES, MACROS, texts=TEXTS, reminders=REMINDERS)
GRAMMAR = Grammar(
    when=READER.when, request=REQUESTS.read, wish=PHRASES.wish, say=say, asks=REMINDERS.asks, times=REQUESTS.times
)
