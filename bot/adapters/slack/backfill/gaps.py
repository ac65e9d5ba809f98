"""Where something may be missing: of which workspaces all is here, and into whose conversations we are to look."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable


class Watch:
    """Looks are counted: what one found is all only if no other was asked for meanwhile.

    A workspace is `current` while nothing that was said there is missing here, as far as anybody can know. It is heard,
    which asks for less, unless nobody listened for a while, or something was refused, and nobody has looked since.
    """

    def __init__(self) -> None:
        self.current: set[str] = set()
        self.missing: set[str] = set()
        # Set when somebody is to look.
        self.wanted = asyncio.Event()
        self._asked: Counter[str] = Counter()
        # By team the look that is to end its not being heard.
        self._unheard: dict[str, int] = {}

    def add(self, team: str) -> None:
        """Look into a workspace that is new here, when others are looked into."""
        self._count(team)
        self._unheard[team] = self._asked[team]

    def ask(self, teams: Iterable[str]) -> None:
        """Look into workspaces, though nothing is known to be missing there."""
        for team in teams:
            self._count(team)
        self.wanted.set()

    def doubt(self, teams: Iterable[str], *, heard: bool = False) -> None:
        """Look into workspaces where something is missing, or may be. They are `heard` if that is only a guess."""
        found = tuple(teams)
        self.current.difference_update(found)
        self.ask(found)
        if not heard:
            self._unheard.update({team: self._asked[team] for team in found})

    def again(self, teams: Iterable[str]) -> None:
        """Go on looking into workspaces: what was asked for has not been seen whole."""
        found = tuple(teams)
        self.missing.update(found)
        if found:
            self.wanted.set()

    def hears(self, team: str) -> bool:
        """Whether what was said in a workspace up to now is here, but for what nobody knows of."""
        return team not in self._unheard

    def _count(self, team: str) -> None:
        self._asked[team] += 1
        self.missing.add(team)

    def asked(self, team: str) -> int:
        """Return the number of the newest look that was asked for."""
        return self._asked[team]

    def looked(self, team: str, number: int) -> bool:
        """Note that a look found all there was when it was asked for; return whether that is all there is now."""
        if number >= self._unheard.get(team, number):
            self._unheard.pop(team, None)
        if number != self._asked[team]:
            return False
        self.current.add(team)
        return True

    def leave(self, team: str) -> None:
        """Look no more."""
        self.missing.discard(team)
        self.current.discard(team)
        self._unheard.pop(team, None)
