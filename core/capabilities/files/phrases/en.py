"""English: what people say to see their files, or to delete one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language.grammar import PhraseTable

MACROS: Mapping[str, str] = {
    "FILES": "files|documents",
    "FILE": "file|document|(pdf=pdf)|(picture=photo|picture|image)",
    "HAVE_SENT": "(WE (have)? (already)?|i've|we've) (sent|uploaded|shared) (you|here|to you)?",
}
ROWS: Mapping[str, Sequence[str]] = {
    "files": (
        "(SHOW)? (all)? (of)? (my|our) (FILES) (here)? NOW?|(SHOW|list) all? FILES",
        "(SHOW|list)? (all)? (the)? (FILES) (that)? (HAVE_SENT) (so far)?",
        "(what|which) (FILES) (do WE have|are there|(have WE|did WE) already? (sent|send|uploaded|upload|got) (you|to"
        " you)?|HAVE_SENT|do you have (of|from)? (me|mine|us|ours)?) (here|so far)? NOW?|WHAT (my|our) (FILES)",
    ),
    "files.delete": (
        "PRE (delete|remove|erase) (that|this|the last|my last) (FILE) (again|HAVE_SENT|WE just sent)?",
        "PRE (delete|remove|erase) (the|my) (FILE) ((that)? (WE just|HAVE_SENT) (sent)? (you)? (last|just now)?)?",
        "PRE (delete|remove|erase) (the|my) (FILE) (called=called|named)? (?!from|off|of|in|on|to|with|about|that|WE"
        "|i've|we've) <x:title>",
    ),
}
PHRASES = PhraseTable(macros=MACROS, rows=ROWS)
