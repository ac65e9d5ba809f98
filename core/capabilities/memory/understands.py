"""What free text wants of memories: that something is remembered or forgotten, what is known, and "no, …" right after.

Their forms are texts of each language: what is to be remembered is anything, so no grammar reads it. With a model only
what surely asks for memories is understood here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from core.capabilities.memory import repository as memories
from core.capabilities.memory.commands import correct, find, forget, keep
from core.capabilities.memory.models import MEMORY, Source
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.types import Millis
from core.language import languages
from core.language.short_texts import says
from core.store.text_index import index
from core.toolkit.capability import Candidate, Hearing, Rank, Understands, Words

# Around what is to be remembered, and so long after it was noted it is corrected by a word.
_MARKS = " \t\n,;:，；：、"
_ENDS = " \t\n.!?。！？"
_PAUSE, _GAP = re.compile("([,，:：])"), re.compile(r"[\s,，;；.。!！]+")
RIGHT_AFTER: Millis = 600_000


def _parse(words: Words) -> Iterator[Candidate]:
    text = words.text
    for language in languages().values():
        # "Please", "hey Teller".
        if lead := language.lead.match(text):
            text = text[lead.end() :].strip()
    if about := _in_forms(text, "memory_note_forms").strip(_MARKS):
        # It may stand elsewhere: "remember that for me: …".
        first, mark, rest = [*_PAUSE.split(about, maxsplit=1), "", ""][:3]
        if says(first, "memory_no_fact"):
            about = rest.strip(_MARKS) if mark in {":", "："} else ""
        # "Remember that song?" asks, and "…, remind me at five" wants more than to be remembered.
        if about and not text.endswith(("?", "？")) and not _reminds(about):
            yield Candidate(rank=Rank.KEPT, resolve=lambda tx, hearing: keep.of(text=about))
    elif asked := _in_forms(text.rstrip(_ENDS), "memory_find_forms").strip(_MARKS):
        # Of the world a model knows more: with one it is about whoever speaks.
        if _is_own(asked) or not words.model:
            yield Candidate(rank=Rank.KEPT, resolve=partial(_where_known, asked, find.of(words=asked)))
    elif gone := _in_forms(text.rstrip(_ENDS), "memory_forget_forms").strip(_MARKS):
        if not says(gone, "memory_vague"):
            yield Candidate(rank=Rank.KEPT, resolve=partial(_where_known, gone, forget.of(words=gone)))
    elif otherwise := _otherwise(text):
        yield Candidate(rank=Rank.RESTATED, resolve=partial(_corrected, otherwise))


def _reminds(text: str) -> bool:
    """Return whether some part of a text wishes for a reminder."""
    starts = [0, *(gap.end() for gap in _GAP.finditer(text))]
    return any(language.reminding.match(text, start) for language in languages().values() for start in starts)


def _is_own(text: str) -> bool:
    """Return whether a text is about whoever speaks ("me", "my sister")."""
    own = [word for language in languages().values() for word in language["memory_own_words"].split("|")]
    return says(text, "memory_me") or any(
        f"{text.lower()} ".startswith(f"{word} " if word.isascii() else word) for word in own
    )


def _where_known(about: str, order: Intent, tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what is wanted of memories. Where nothing is remembered of what is somebody's own ("forget my
    appointment"), a model may know better what is meant."""
    if not hearing.model or says(about, "memory_me") or not _is_own(about):
        return order
    lane = hearing.lane
    hits = index.search(tx, about, tenant_id=lane.tenant_id, scopes=(lane.scope_id,), kinds=(MEMORY,), limit=1)
    return order if hits else None


def _in_forms(text: str, key: str) -> str:
    """Return what stands in the place of {x} in a form of any language; of what stands behind a "<", too. The longest
    form counts."""
    folded, found = text.lower().replace("’", "'"), list[tuple[int, str]]()
    if len(folded) != len(text):
        return ""
    for language in languages().values():
        for form in language[key].split("|"):
            before, _, after = form.replace("<", "").partition("{x}")
            start = len(form.partition("<")[0]) if "<" in form else len(before)
            if folded.startswith(before) and folded.endswith(after) and len(text) > len(before) + len(after):
                found.append((len(before) + len(after), text[start : len(text) - len(after)]))
    return max(found, default=(0, ""))[1]


def _otherwise(text: str) -> str:
    """Return what a text says otherwise ("no, I meant decaf"); empty where it says no more than no, or asks."""
    if text.endswith(("?", "？")):
        return ""
    for language in languages().values():
        for word in language["memory_no_words"].split("|"):
            rest = text[len(word) :]
            if text.lower().startswith(word) and rest.lstrip(" ")[:1] in {
                ",",
                "，",
                ":",
                "：",
                ".",
                "。",
                "!",
                "！",
                "–",
                "-",
            }:
                said = rest.strip(" ,，:：.。!！–-")
                return said if len(said) > len(word) and (" " in said or not said.isascii()) else ""
    return ""


def _corrected(text: str, tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what corrects that which was noted last, where reading it back was the last that the bot said to them."""
    lane, sent_at = hearing.lane, hearing.message.sent_at
    if hearing.replies:
        return None
    last = tx.one(
        "SELECT run_id FROM message WHERE lane_id = :lane_id AND tenant_id = :tenant_id AND role = 'assistant'"
        " ORDER BY id DESC LIMIT 1",
        lane.params(),
    )
    noted = memories.of_run(tx, lane, last["run_id"]) if last is not None and last["run_id"] is not None else []
    mine = [one for one in noted if one.person_id == hearing.participant.person.person_id]
    if len(mine) != 1 or sent_at - mine[0].created_at > RIGHT_AFTER:
        return None
    # What a model noted while it answered may be no answer to this.
    if hearing.model and mine[0].source != Source.PERSON:
        return None
    return correct.of(text=text, older=mine[0].ref)


UNDERSTANDS = Understands(parse=_parse)
