"""English: what people say to ask what was said, or for a summary of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

ROWS: Mapping[str, Sequence[str]] = {
    # What was said: quotes of it are the answer.
    "history": (
        "who (was|were|is|are)? (going|supposed|meant|about) to <y:text>",
        "who (wanted|promised|offered|volunteered|agreed|decided|said|suggested|mentioned|asked) <y:text>",
        "(what|when|where|why) (did|has|have) (?!the <news>) <w:few> (say|said|write|written|mention|mentioned|tell us"
        "|told us|suggest|suggested|decide|decided|agree|agreed) (about|regarding) <y:text>",
        "when did (WE|anyone|anybody|somebody|someone|they) (last)? (talk|speak|chat|write) about <y:text>",
        "(has|did) (anyone|anybody|somebody|someone) (say|said|mention|mentioned|ask|asked) (anything|something)?"
        " (about|for) <y:text>",
    ),
    "summary": (
        "what (did|have|had) WE (miss|missed) (here|today|so far|in here)?|what WE (missed|have missed)",
        "(catch|fill) (me|us) (up|in)|(bring|get) (me|us) up to (speed|date)",
        "(sum|summarize|summarise) (up)? (this|the|our|my)? (chat|talk|conversation|discussion|group|group chat)",
        "what (happened|was said|went on) (here)? while WE (was|were) (away|gone|asleep|out|offline|busy)",
    ),
}
PHRASES = PhraseTable(rows=ROWS)
