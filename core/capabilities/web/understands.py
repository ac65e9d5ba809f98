"""Free text that asks what stands behind a link, or for a search of the web.

"Summarise https://…", "summarise this" as a reply to a link, "search the web for bees".

Where there is a model, it reads pages and searches by itself, with whatever else is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.capabilities.web.commands import read_page
from core.capabilities.web.links import links_in
from core.capabilities.web.searching import search
from core.language import all_words
from core.language.short_texts import says
from core.toolkit.capability import Candidate, Rank, Understands, Words

_MARKS = " \t\n.,:;!?…。，：；！？「」“”\"'()<>"
_LINK = "://"


def _parse(words: Words) -> Iterator[Candidate]:
    text = " ".join(words.text.split())
    # Chinese needs no space behind a lead.
    sought = [
        rest.strip(_MARKS)
        for lead in all_words("web_search_forms")
        if text[: len(lead)].lower() == lead
        and ((rest := text[len(lead) :])[:1] in {" ", ":", "："} or not lead.isascii())
    ]
    if sought and sought[0]:
        yield Candidate(rank=Rank.LINK, resolve=lambda tx, hearing: search.of(words=sought[0]))
    elif _LINK in text or _LINK in words.quoted:
        yield from _linked(words)


def _linked(words: Words) -> Iterator[Candidate]:
    """What stands behind the one link, if nothing else is asked than that."""
    asked = words.text
    for link in links_in(words.text):
        asked = asked.replace(link, " ")
    links = list(dict.fromkeys(links_in(words.text))) or list(dict.fromkeys(links_in(words.quoted)))
    asked = " ".join(asked.strip(_MARKS).split())
    alone = not asked and not words.quoted
    if len(links) == 1 and (alone or says(asked, "web_read_forms")):
        yield Candidate(rank=Rank.LINK, resolve=lambda tx, hearing: read_page.of(address=links[0]))


UNDERSTANDS = Understands(parse=_parse, without_model=True)
