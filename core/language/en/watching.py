"""English: wishes that wait for something to happen, or for news, where nobody can tell when that is."""

from __future__ import annotations

import re

# What nobody needs to be reminded of: who wants to hear of it wants to know how it is then.
_NEWS = (
    r"(?:weather|forecast|news|headlines|prices?|stocks?|scores?|traffic|temperature|changes|updates|bitcoin"
    r"|exchange\srates?|new\s(?:\S{1,30}\s)?(?:e?-?mails?|messages?|posts?|articles?|episodes?|releases?|versions?))"
)
_TELL = r"(?:(?:remind|alert|notify|nudge|warn|ping)\s(?:me|us)|let\s(?:me|us)\sknow)"
_ONCE = r"(?:when(?:ever)?|if|once(?!\s(?:more|again|an?|per|every)\b)|as\ssoon\sas|in\scase)"
# What I do myself I can tell the time of, and "when" and "if" may be what a question or a text is about.
_OTHERS = r"(?!\s(?:i|we|you|is|are|was|were|do|does|did|to)\b)(?!'?s?\s(?:[\w']{1,20}\s){1,3}(?:is|are|was|were)\W*$)"
_PLAIN = r"(?:(?!(?:to|that|about|of)\b)[^\s,.;?]{1,20}\s){0,4}"
_THINGS = (
    r"(?:(?:it|the\sweather)(?:'s|\sis|\sgets|\sstarts)?\s(?:rain|snow|cold|hot|warm|sun|wind|storm)"
    rf"|(?:the\s)?(?:\S{{1,20}}\s)?{_NEWS})"
)

WATCHING = re.compile(
    rf"{_TELL}\s(?:{_PLAIN}{_ONCE}\b{_OTHERS}\s\S|[^?]{{1,100}}?\b{_ONCE}\s{_THINGS}"
    rf"|(?<!remind\sme\s)(?<!remind\sus\s)(?:[^\s,.;?]{{1,20}}\s){{0,4}}(?:of|about|on|with)\s(?:[^\s,.;?]{{1,30}}\s){{0,4}}{_NEWS}\b)",
    re.IGNORECASE,
)
