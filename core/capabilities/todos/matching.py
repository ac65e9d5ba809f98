"""Splitting a text such as "milk: oat milk" into the words that name an item and what the item is to become."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from core.capabilities.todos.repository import Todo
from core.language import languages
from core.language.matching import key, matching

# A sign that ends a name wherever it stands; not the colon of a time or of an address.
_SIGN = re.compile(r"\s*(?:：|:(?!\d)|->|=>|→)\s*")
# Where a name may end: at a space, or anywhere in scripts that write none.
_DENSE = "[\u2e80-\u9fff]"
_BLANK = re.compile(rf"\s+|(?<={_DENSE})(?={_DENSE})")
# Names of items are short, and so are times.
MOST_CUTS = 16

Cut = tuple[str, str]
Fits = Callable[[str], bool]


@dataclass(frozen=True, kw_only=True)
class Meant:
    """The items that `words` may name, and the `change` that is wished; `unclear` where that may begin in several
    places."""

    words: str
    found: Sequence[Todo] = ()
    change: str = ""
    unclear: bool = False


def edited(text: str, items: Sequence[Todo]) -> Meant:
    """Split "milk: oat milk", "milk to oat milk", or "milk oat milk" if an item is called milk."""
    worded, blanks = _worded(text, "todo_edit_words"), _blanks(text)[:MOST_CUTS]
    if sure := _signed(text, items) or _exact(worded, items):
        return sure
    if near := list(_naming(worded, items)):
        # The only name that is a part of some; nobody guesses which of two it was.
        return near[0] if len(near) == 1 else Meant(words=near[0].words, found=near[0].found, unclear=True)
    if sure := _exact(blanks, items):
        return sure
    # The whole names an item; else the shortest beginning of it that names one, and the rest is the change.
    alone, behind = _alone(text, items), list(_naming(blanks, items))
    if alone.found or not behind:
        return alone
    return next((meant for meant in behind if len(meant.found) == 1), behind[0])


def due(text: str, items: Sequence[Todo], is_time: Fits) -> Meant:
    """Split "milk Friday", "milk: Friday" or "milk by Friday" before the longest time that has an item before it."""
    timed = [(before, after) for before, after in _blanks(text)[-MOST_CUTS:] if is_time(after)]
    if found := _signed(text, items) or _first(timed, items):
        return found
    # Nothing is called so, or the item is there and what stands behind it is no time.
    alone = _alone(text, items)
    if alone.found:
        return alone
    return Meant(words=timed[0][0]) if timed else _exact(_blanks(text)[:MOST_CUTS], items) or alone


def untied(text: str) -> str:
    """Return a time without the word that ties it to the item: "by Friday"."""
    tie = re.compile(rf"(?:{_either('todo_due_words')})(?:\s+|(?={_DENSE}))", re.IGNORECASE)
    return tie.sub("", text, count=1) if tie.match(text) else text


def assigned(text: str, items: Sequence[Todo]) -> Meant:
    """Split "milk @bob", "milk: Bob and Chen" or "milk to Bob" behind the longest name of an item."""
    whole = [one for one in items if key(one.content) == key(text)]
    if whole:
        return Meant(words=text, found=whole)
    worded, blanks = _worded(text, "todo_give_words"), _blanks(text)[:MOST_CUTS]
    return (
        _signed(text, items)
        or _exact(worded, items)
        or _first(reversed(worded), items)
        or _exact(blanks, items)
        or _first(reversed(blanks), items)
        or _alone(text, items)
    )


def _signed(text: str, items: Sequence[Todo]) -> Meant | None:
    """Split at the first sign, unless a longer name that has a sign in it is all of an item; None without a sign."""
    cuts = _cuts(_SIGN, text)
    return None if not cuts else _exact(cuts, items) or _meant(cuts[0], items)


def _exact(cuts: Sequence[Cut], items: Sequence[Todo]) -> Meant | None:
    """Return the cut with the longest name that is all of an item; None where there is none."""
    called = {key(one.content) for one in items}
    return next((_meant(cut, items) for cut in reversed(cuts) if key(cut[0]) in called), None)


def _first(cuts: Iterable[Cut], items: Sequence[Todo]) -> Meant | None:
    return next(_naming(cuts, items), None)


def _naming(cuts: Iterable[Cut], items: Sequence[Todo]) -> Iterator[Meant]:
    """Return what those cuts mean whose name fits some items."""
    return (meant for cut in cuts if (meant := _meant(cut, items)).found)


def _alone(text: str, items: Sequence[Todo]) -> Meant:
    return Meant(words=text, found=matching(text, items))


def _meant(cut: Cut, items: Sequence[Todo]) -> Meant:
    before, after = cut
    return Meant(words=before, found=matching(before, items), change=after)


def _worded(text: str, name: str) -> list[Cut]:
    """Return the cuts at words, of any language, that say what something becomes ("to")."""
    return _cuts(re.compile(rf"\s+(?:{_either(name)})\s+|(?<={_DENSE})(?:{_either(name)})", re.IGNORECASE), text)


def _either(name: str) -> str:
    return "|".join(language[name] for language in languages().values())


def _blanks(text: str) -> list[Cut]:
    return _cuts(_BLANK, text)


def _cuts(gap: re.Pattern[str], text: str) -> list[Cut]:
    cuts = [(text[: one.start()].strip(), text[one.end() :].strip()) for one in gap.finditer(text)]
    return [(before, after) for before, after in cuts if before and after]
