"""Whether a condition has come true, by what was seen of its parts. Pure: nobody looks here, and nothing is stored.

Each part is `true` or not, and `fresh` while what made it true has not been done yet. What is an event (a file that
changed, a model that said yes) stays true until it was done, so it is kept while the other half of an `and` is not
there. What lasts (a file that is there, a task that has ended) is fresh when it becomes true, and not while it is.
A condition fires when it is true and something in it is fresh; only what made it true is done by that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.kernel.conditions import All, Condition, Either, FileChanged, FileExists, Judged, Leaf, TaskEnded, leaves

# So many files of a part are named to whoever is told; of the others it is said how many they are.
NAMED = 5
# Of more files than these a mark of so many bytes is kept, in the place of their names.
MOST_FILES, MARKS, MARK_BYTES = 300, "", 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """How far one part of a condition is known. `seen` are the states of its files, by their paths, at the last look,
    None before the first; of many files it is a mark of each, all of them below no path. `names` are the first
    files that made it true, and `more` is how many others did: one that changed at two looks counts twice. `failed` is
    how often in a row a model gave no answer to it."""

    true: bool = False
    fresh: bool = False
    seen: Mapping[str, str] | None = None
    names: tuple[str, ...] = ()
    more: int = 0
    failed: int = 0


# What a look has found of a part: the states of files, or whether it is so; None where nobody could look.
Sight = Mapping[str, str] | bool | None


def observe(leaf: Leaf, part: Part, sight: Sight) -> Part:
    """Return a part as it is known after a look."""
    if sight is None:
        return part
    match leaf:
        case FileChanged(fire_on_init=fire):
            assert isinstance(sight, Mapping)
            # What was deleted is no change, but it is one when it comes back.
            known = part.seen if part.seen is not None else {} if fire else sight
            many, marked = len(sight) > MOST_FILES, frozenset(known.get(MARKS, "").split())
            marks = {one: _mark(one, sight) for one in sight} if many or marked else {}
            names = tuple(one for one in sorted(sight) if known.get(one) != sight[one] and marks.get(one) not in marked)
            seen = {MARKS: " ".join(marks.values())} if many else dict(sight)
            if not names:
                return replace(part, seen=seen)
            found = tuple(dict.fromkeys((*part.names, *names)))
            more = part.more + len(found[NAMED:])
            return Part(true=True, fresh=True, seen=seen, names=found[:NAMED], more=more)
        case Judged():
            return Part(true=bool(sight), fresh=bool(sight))
        case FileExists() | TaskEnded():
            names = tuple(sorted(sight)) if isinstance(sight, Mapping) else ()
            fresh, more = bool(sight) and (part.fresh or not part.true), len(names[NAMED:])
            return Part(true=bool(sight), fresh=fresh, names=names[:NAMED], more=more)


def _mark(name: str, sight: Mapping[str, str]) -> str:
    """Return a short digest of a file's name and state, which is kept in their place when a folder has many files."""
    return hashlib.blake2b(f"{name}\0{sight[name]}".encode("utf-8", "replace"), digest_size=MARK_BYTES).hexdigest()


def fires(condition: Condition, parts: Sequence[Part]) -> bool:
    """Return whether it is true, and something that makes it so has not been done."""
    return all(_weighed(condition, parts))


def names(condition: Condition, parts: Sequence[Part]) -> tuple[list[str], int]:
    """Return the files that made it true, as they are named, and how many others did."""
    true = [part for made, part in _made(condition, parts) if made]
    return list(dict.fromkeys(name for part in true for name in part.names)), sum(part.more for part in true)


def done(condition: Condition, parts: Sequence[Part]) -> list[Part]:
    """Return the parts of a condition that has fired: what made it true is done, and no part has failed yet."""
    after = []
    for leaf, (made, part) in zip(leaves(condition), _made(condition, parts), strict=True):
        event = isinstance(leaf, FileChanged | Judged)
        spent = Part(seen=part.seen) if event else replace(part, fresh=False)
        after.append(spent if made else replace(part, failed=0))
    return after


def worth_asking(condition: Condition, parts: Sequence[Part]) -> list[int]:
    """Return the places of the parts that a model judges, if it would fire by their yes, and does not without."""
    judged = [n for n, leaf in enumerate(leaves(condition)) if isinstance(leaf, Judged) and not parts[n].true]
    would_be = [Part(true=True, fresh=True) if n in judged else part for n, part in enumerate(parts)]
    return judged if not fires(condition, parts) and fires(condition, would_be) else []


def _weighed(condition: Condition, parts: Sequence[Part]) -> tuple[bool, bool]:
    """Return whether a condition is true, and whether something that makes it so is fresh."""
    match condition:
        case All() | Either():
            weighed = [_weighed(one, some) for one, some in _split(condition, parts)]
            true = [fresh for is_true, fresh in weighed if is_true]
            enough = len(true) == len(weighed) if isinstance(condition, All) else bool(true)
            return enough, enough and any(true)
        case _:
            (part,) = parts
            return part.true, part.true and part.fresh


def _made(condition: Condition, parts: Sequence[Part], *, above: bool = True) -> list[tuple[bool, Part]]:
    """Return each part with whether it is one of those that made all above it true."""
    made = above and _weighed(condition, parts)[0]
    if isinstance(condition, All | Either):
        return [one for inner, some in _split(condition, parts) for one in _made(inner, some, above=made)]
    return [(made, parts[0])]


def _split(condition: All | Either, parts: Sequence[Part]) -> list[tuple[Condition, Sequence[Part]]]:
    found, begin = list[tuple[Condition, Sequence[Part]]](), 0
    for one in condition.conditions:
        end = begin + sum(1 for _ in leaves(one))
        found.append((one, parts[begin:end]))
        begin = end
    return found
