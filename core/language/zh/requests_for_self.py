"""Chinese: what is understood of time and lists."""

from __future__ import annotations

from core.language.grammar import Grammar
from core.language.zh.format import say
from core.language.zh.free_text import wish
from core.language.zh.requests import request
from core.language.zh.times import when

GRAMMAR = Grammar(when=when, request=request, wish=wish, say=say)
