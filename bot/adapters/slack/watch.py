"""Where something may be missing: of which workspaces all is here, and into whose conversations we are to look."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable


class Watch:
    """Looks are counted: what one found is all only if no other was asked for meanwhile.

    A workspace is `current` while nothing that was said there is missing here, as far as anybody can know.
    """

    def __init__(self) -> None:
        self.current: set[str] = set()
        self.missing: set[str] = set()
        # Set when somebody is to look.
        self.wanted = asyncio.Event()
        self._asked: Counter[str] = Counter()

    def add(self, team: str) -> None:
        """Look into a workspace that is new here, when others are looked into."""
        self._asked[team] += 1
        self.missing.add(team)

    def ask(self, teams: Iterable[str]) -> None:
        """Look into workspaces, though nothing is known to be missing there."""
        for team in teams:
            self.add(team)
        self.wanted.set()

    def doubt(self, teams: Iterable[str]) -> None:
        """Look into workspaces where something is missing, or may be."""
        found = tuple(teams)
        self.current.difference_update(found)
        self.ask(found)

    def asked(self, team: str) -> int:
        """Return the number of the newest look that was asked for."""
        return self._asked[team]

    def looked(self, team: str, number: int) -> bool:
        """A look has found all there was when it was asked for; return whether that is all there is now."""
        if number != self._asked[team]:
            return False
        self.current.add(team)
        return True

    def leave(self, team: str) -> None:
        """Look no more."""
        self.missing.discard(team)
        self.current.discard(team)
