"""The menus of commands that platforms show, for each audience and language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.language import FALLBACK, languages

# What a newcomer comes for stands first.
_FIRST = ("remind", "todo", "today", "tasks", "every", "brief")
_EVERYWHERE = ("help", "stop", "status", "undo", "time", "history", "id")
_OFFERED: Mapping[str, tuple[str, ...]] = {
    "private": (
        *_FIRST,
        "contacts",
        "quiet",
        "start",
        "new",
        *_EVERYWHERE,
        "language",
        "timezone",
        "privacy",
        "forget",
    ),
    "group": (*_FIRST, *_EVERYWHERE, "privacy", "optout", "forget"),
    "admin": (
        *_FIRST,
        "quiet",
        "new",
        *_EVERYWHERE,
        "language",
        "timezone",
        "readalong",
        "privacy",
        "optout",
        "forget",
    ),
}


def menus() -> Mapping[tuple[str, str], Sequence[tuple[str, str]]]:
    """(audience, language) → (command, what it does in 60 characters at most).

    Audiences are `private`, `group` and `admin` (of a group); the empty language is for everybody else's. What only an
    owner may do is in no menu: those are seen by all.
    """
    return {
        (audience, "" if code == FALLBACK else code): [(name, texts[f"menu_{name}"]) for name in names]
        for audience, names in _OFFERED.items()
        for code, texts in languages().items()
    }
