"""Free text that asks what stands behind a link: "summarise https://…", or "summarise this" as a reply to one.

Where there is a model, it reads pages by itself, with whatever else is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from core.capabilities.web.commands import read_page
from core.capabilities.web.links import links_in
from core.capabilities.web.searching import search
from core.language import languages
from core.language.short_texts import says
from core.toolkit.capability import Candidate, Rank, Understands, Words

_MARKS = " \t\n.,:;!?…。，：；！？「」“”\"'()<>"


def _parse(words: Words) -> Iterator[Candidate]:
    if words.model:
        return
    if sought := _sought(words.text):
        yield Candidate(rank=Rank.LINK, resolve=lambda tx, hearing: search.of(words=sought))
        return
    links = list(dict.fromkeys(links_in(words.text)))
    asked = words.text
    for link in links:
        asked = asked.replace(link, " ")
    if not links:
        links = list(dict.fromkeys(links_in(words.quoted)))
    asked = " ".join(asked.strip(_MARKS).split())
    alone = not asked and words.text.strip() != "" and not words.quoted
    if len(links) == 1 and (alone or says(asked, "web_read_forms")):
        yield Candidate(rank=Rank.LINK, resolve=lambda tx, hearing: read_page.of(address=links[0]))


def _sought(text: str) -> str:
    """What is to be searched for; empty where nothing is."""
    plain = " ".join(text.split())
    for language in languages().values():
        for lead in language["web_search_forms"].split("|"):
            rest = plain[len(lead) :]
            if plain.lower().startswith(lead) and (rest.startswith((" ", ":", "：")) or not lead.isascii()):
                return rest.strip(_MARKS)
    return ""


UNDERSTANDS = Understands(parse=_parse)
