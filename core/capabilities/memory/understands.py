"""What free text wants of memories: that something is remembered or forgotten, what is known, and "no, …" right after.

Their forms are texts of each language: what is to be remembered is anything, so no grammar reads it. With a model only
what surely asks for memories is understood here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from core.capabilities.memory import repository as memories
from core.capabilities.memory import service
from core.capabilities.memory.commands import correct, edit, find, forget, keep
from core.capabilities.memory.models import MEMORY, MemoryState, Source
from core.capabilities.memory.nearness import may_correct
from core.capabilities.memory.views import names_us
from core.kernel.access import command_name
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.kernel.types import LaneKey, Millis
from core.language import all_words, forms, languages
from core.language.short_texts import is_wish, says
from core.store.conversation import inbox, keyboards, outbox
from core.store.conversation.last_words import last_words
from core.store.text_index import index, tokeniser
from core.toolkit.capability import Candidate, Hearing, Rank, Understands, Words

# Around what is to be remembered, and so long after it was noted it is corrected by a word.
_MARKS = " \t\n,;:，；：、"
_ENDS = " \t\n.!?。！？"
_BEHIND_NO = frozenset(",，:：.。!！–-")
_PAUSE, _GAP = re.compile("([,，:：])"), re.compile(r"[\s,，;；.。!！]+")
RIGHT_AFTER: Millis = 600_000


def _parse(words: Words) -> Iterator[Candidate]:
    text = _without_lead(words.text)
    if _in_forms(text, "memory_note_forms"):
        if about := _to_note(text):
            # "Remember my appointment tomorrow at 9" may want to be reminded as well.
            timed = any(grammar.request(about) is not None for grammar in words.grammars)
            yield Candidate(rank=Rank.KEPT, resolve=lambda tx, hearing: keep.of(text=about, timed=timed))
    elif asked := _in_forms(text.rstrip(_ENDS), "memory_find_forms").strip(_MARKS):
        # Of the world a model knows more: with one it is about whoever speaks.
        if _is_own(asked) or not words.model:
            yield Candidate(rank=Rank.KEPT, resolve=partial(_where_known, asked, find.of(words=asked)))
    elif gone := _in_forms(text.rstrip(_ENDS), "memory_forget_forms").strip(_MARKS):
        if not says(gone, "memory_vague"):
            yield Candidate(rank=Rank.KEPT, resolve=partial(_where_known, gone, forget.of(words=gone)))
    elif (otherwise := _otherwise(text)) and not is_wish(otherwise):
        yield Candidate(rank=Rank.RESTATED, resolve=partial(_corrected, text, otherwise))


def _to_note(text: str) -> str:
    """Return what a text wants remembered; empty for nothing."""
    about = _in_forms(text, "memory_note_forms").strip(_MARKS)
    # It may stand elsewhere: "remember that for me: …".
    first, mark, rest = [*_PAUSE.split(about, maxsplit=1), "", ""][:3]
    if says(first, "memory_no_fact"):
        about = rest.strip(_MARKS) if mark in {":", "："} else ""
    # "Remember that song?" asks, and "…, remind me at five" wants more than to be remembered.
    starts = [0, *(gap.end() for gap in _GAP.finditer(about))]
    reminds = any(language.reminding.match(about, start) for language in languages().values() for start in starts)
    return "" if reminds or text.endswith(("?", "？")) else about


def _is_own(text: str) -> bool:
    """Return whether a text is about whoever speaks ("me", "my sister")."""
    return names_us(text) or any(
        f"{text.lower()} ".startswith(f"{word} " if word.isascii() else word) for word in all_words("memory_own_words")
    )


def _where_known(about: str, order: Intent, tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what is wanted of memories. Where nothing is remembered of what is somebody's own ("forget my
    appointment"), a model may know better what is meant."""
    if not hearing.model or names_us(about) or not _is_own(about):
        return order
    lane = hearing.lane
    hits = index.search(tx, about, tenant_id=lane.tenant_id, scopes=(lane.scope_id,), kinds=(MEMORY,), limit=1)
    return order if hits else None


def _in_forms(text: str, key: str) -> str:
    """Return what stands in the place of {x} in a form of any language; of what stands behind a "<", too. The longest
    form counts."""
    # "İ" is two letters when it is small; what a form holds is cut out of the text by its place.
    folded, found = text.replace("İ", "I").lower().replace("’", "'"), list[tuple[int, str]]()
    for before, after, start in forms(key):
        if folded.startswith(before) and folded.endswith(after) and len(text) > len(before) + len(after):
            found.append((len(before) + len(after), text[start : len(text) - len(after)]))
    return max(found, default=(0, ""))[1]


def _otherwise(text: str) -> str:
    """Return what a text says otherwise ("no, I meant decaf"); empty where it says no more than no, or asks."""
    if text.endswith(("?", "？")):
        return ""
    for word in all_words("memory_no_words"):
        rest = text[len(word) :]
        if text.lower().startswith(word) and rest.lstrip(" ")[:1] in _BEHIND_NO:
            said = rest.strip(f" {''.join(_BEHIND_NO)}")
            return said if len(said) > len(word) and (" " in said or not said.isascii()) else ""
    return ""


def _corrected(text: str, otherwise: str, tx: Tx, hearing: Hearing) -> Intent | None:
    """Return what corrects a note, or what has corrected that since: the one whose reading back the text replies to, or
    that which was read back last of all that the bot said, a moment ago."""
    lane = hearing.lane
    if hearing.replies:
        source = outbox.source_of(tx, lane, hearing.message.reply_to)
        run_id = None if source is None else source.run()
    else:
        run_id = last_words(tx, lane).run_id or None
    noted = [] if run_id is None else memories.of_run(tx, lane, run_id)
    person_id = hearing.participant.person.person_id
    newest = [service.chain(tx, lane, one)[0] for one in noted if one.person_id == person_id]
    mine = [one for one in newest if one.state == MemoryState.ACTIVE]
    if len(mine) != 1:
        return None
    if not hearing.replies and hearing.message.sent_at - mine[0].created_at > RIGHT_AFTER:
        return None
    # What a model noted while it answered may be no answer to this.
    if hearing.model and mine[0].source != Source.PERSON:
        return None
    instead = _instead(mine[0].content, text, otherwise)
    return correct.of(text=instead, older=mine[0].ref) if instead else None


def _instead(older: str, text: str, otherwise: str) -> str:
    """Return what is to be remembered in the place of a note; empty where a text says nothing otherwise ("no, never
    mind"). What only says what "it" is stands behind what it is about: by itself nobody would find it."""
    same = set(tokeniser.tokens(older)).intersection(tokeniser.query_tokens(otherwise))
    alike = any(len(token) > 1 for token in same)
    other = _in_forms(otherwise, "memory_otherwise_forms")
    if not alike and (not other or says(other, "memory_wrong")):
        return ""
    whole = alike and not any(_in_forms(one, "memory_it_forms") for one in (otherwise, other))
    return otherwise if whole else f"{older.rstrip(_ENDS)} – {text}"


def _edited(tx: Tx, lane: LaneKey, person_id: int, run_id: int, text: str) -> tuple[int, Intent] | None:
    """Return the buttons below what a run read back, and what corrects its one note of this person to what a message
    says now; nothing where that wants nothing remembered, or where the note was deleted."""
    keyboard_row = keyboards.newest_of_run(tx, lane, run_id)
    noted = [one for one in memories.of_run(tx, lane, run_id) if one.person_id == person_id]
    if keyboard_row is None or len(noted) != 1 or noted[0].source != Source.PERSON:
        return None
    newest, said = service.chain(tx, lane, noted[0])[0], _without_lead(text)
    content = text.partition(" ")[2].strip() if command_name(text) == "remember" else _to_note(said)
    if not content and not text.startswith("/"):
        corrected, otherwise = memories.superseded(tx, lane, noted[0].memory_id), _otherwise(said)
        answered = inbox.answer_of(tx, lane, run_id)
        if answered is not None and answered.name == edit.name:
            # It answers what the memory shall say.
            content = text
        elif is_wish(otherwise or said) or text.endswith(("?", "？")):
            return None
        elif otherwise and corrected:
            content = _instead(corrected[0].content, said, otherwise)
        elif may_correct(said, newest.content):
            content = said
    if not content or newest.state != MemoryState.ACTIVE:
        return None
    return keyboard_row.keyboard_id, correct.of(text=content, older=newest.ref)


def _without_lead(text: str) -> str:
    """Return a text without "please", "hey Teller" before it."""
    for language in languages().values():
        if lead := language.lead.match(text):
            text = text[lead.end() :].strip()
    return text


UNDERSTANDS = Understands(parse=_parse, edited=_edited, renamed=memories.rename)
