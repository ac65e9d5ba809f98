"""Tells why a sentence is read as it is, or is not: `python -m tests.language.why en "set a timer for 5 minutes"`.
Without a sentence it tells what a language reads of those that the tests have of the others.

It says in which classes of the lexicon each word is, what is read as a time and as a request, and of each phrase that
fits the whole sentence the wish, what stands in its slots, and what comes of that. Where no phrase is named
none fits; where one comes to None something in a slot was not understood, which can be asked about by itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from core.capabilities.all import CAPABILITIES
from core.language.engine.slots import Slots
from core.language.engine.tokens import _CODES

# They are all that is in some templates, and say little of one word.
WIDE = frozenset({"timed", "order", "unnamed"})


def why(code: str, text: str) -> Iterator[str]:
    """What there is to say of a sentence in a language, line by line."""
    own = import_module(f"core.language.{code}.grammar")
    alphabet, phrases = own.READER.alphabet, own.PHRASES
    tokens = alphabet.read(text)
    names = sorted(
        {name for name, words in alphabet.classes.items() if words} | (_CODES.keys() if alphabet.gap else set())
    )
    for word, sign in zip(tokens.words, tokens.codes, strict=True):
        yield f"{word}: {', '.join(name for name in names if name not in WIDE and sign in alphabet.one_of(name).first)}"
    yield f"when: {own.GRAMMAR.when(text)}"
    yield f"request: {own.GRAMMAR.request(text)}"
    last = len(tokens.codes)
    while last and tokens.words[last - 1] in ".!?":
        last -= 1
    lead = phrases._texts["lead"].match(tokens, 0, last)
    first = lead.end if lead else 0
    for name, template in phrases._rows(tokens.codes[first], tokens.codes[last - 1]) if first < last else ():
        if match := template.whole(tokens, first, last):
            slots = Slots(match, tokens, text, own.READER, asked=False)
            said = ", ".join(f"{slot}={slots.text(slot)!r}" for slot in match._groups)
            yield f"{name}: {said} -> {phrases._filled(name, slots)}"
    yield f"wish: {own.GRAMMAR.wish(text)}"


def taken(code: str) -> Iterator[str]:
    """What a language reads of the sentences of the others, each with what it reads as."""
    grammar = import_module(f"core.language.{code}.grammar").GRAMMAR
    for table in sorted(Path(__file__).parent.glob("*/*.tsv")):
        for line in table.read_text(encoding="utf-8").splitlines() if table.stem != code else ():
            text = line.partition("\t")[0]
            if read := grammar.wish(text) or grammar.when(text) or grammar.request(text):
                yield f"{table.stem}: {text} -> {read}"


if __name__ == "__main__":
    assert CAPABILITIES  # their phrases are known by now
    told = why if sys.argv[2:] else taken
    print("\n".join(told(*sys.argv[1:3])))
