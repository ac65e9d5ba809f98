"""Chinese: what is understood of time and lists."""

from __future__ import annotations

from core.language.grammar import Grammar
from core.language.zh_lines import command
from core.language.zh_requests import request
from core.language.zh_say import say
from core.language.zh_time import when

GRAMMAR = Grammar(when=when, request=request, command=command, say=say)
