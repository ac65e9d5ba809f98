"""Where something may be missing: of which workspaces all is here, and into whose conversations we are to look."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable


class Watch:
    """Counts the looks into each workspace: what one found is all only if no other was asked for meanwhile.

    A workspace is `current` while nothing that was said there is missing here, as far as anybody can know. That it is
    heard (`hears`) asks for less: it is not where nobody listened for a while, or something was refused, until somebody
    has looked. It is `pending` from when a look is asked for until one begins.
    """

    def __init__(self) -> None:
        self.current: set[str] = set()
        self.pending: set[str] = set()
        # Set when somebody is to look.
        self.wanted = asyncio.Event()
        # The number of the newest look that was asked for, by team.
        self.asked: Counter[str] = Counter()
        # By team that is not heard the number of the look after which it is again.
        self._unheard: dict[str, int] = {}

    def add(self, team: str) -> None:
        """Look into a workspace that is new here, when others are looked into."""
        self._count(team)
        self._unheard[team] = self.asked[team]

    def ask(self, teams: Iterable[str]) -> None:
        """Look into workspaces, though nothing is known to be missing there."""
        for team in teams:
            self._count(team)
        self.wanted.set()

    def doubt(self, teams: Iterable[str], *, heard: bool = False) -> None:
        """Look into workspaces where something is missing, or may be. They are `heard` if that is only a guess."""
        doubted = tuple(teams)
        self.current.difference_update(doubted)
        self.ask(doubted)
        if not heard:
            self._unheard.update({team: self.asked[team] for team in doubted})

    def again(self, team: str) -> None:
        """Go on looking into a workspace: what was asked for has not been seen whole."""
        self.pending.add(team)
        self.wanted.set()

    def hears(self, team: str) -> bool:
        """Return whether what was said in a workspace up to now is here, but for what nobody knows of."""
        return team not in self._unheard

    def looked(self, team: str, look: int) -> bool:
        """Note that a look found all there was when it was asked for; return whether that is all there is now."""
        if look >= self._unheard.get(team, look):
            self._unheard.pop(team, None)
        if look != self.asked[team]:
            return False
        self.current.add(team)
        return True

    def leave(self, team: str) -> None:
        """Look no more."""
        self.pending.discard(team)
        self.current.discard(team)
        self._unheard.pop(team, None)

    def _count(self, team: str) -> None:
        self.asked[team] += 1
        self.pending.add(team)
