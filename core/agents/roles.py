"""Roles as data.

Servers of one's own show a model 4,096 or 8,192 tokens, and what is longer is refused or cut without a word. So a small
model is offered 8 tools at most, and its requests are fitted into 3,000 tokens (`core.agents.fitting`). Those of any
other whose window is known are fitted into that: what tools bring in a run may be longer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from typing import Literal

from core.kernel.types import Role

# How many tokens a model is shown; None if nobody knows.
Window = Callable[[], Awaitable[int | None]]
Profile = Literal["auto", "default", "small"]

SMALL_TOOLS, SMALL_TOKENS, SMALL_ANSWER = 8, 3_000, 1_000
# A server that shows its model no more than this many tokens has a small one.
SMALL_WINDOW = 8_192
# The part of a larger window that a request may fill, since tokens are only estimated, and what it leaves to an answer.
FILLED, LEFT = 2 / 3, 4_000


@dataclass(frozen=True)
class RoleSpec:
    """A role: how long it may be idle (no model answer and no tool result), in seconds, and its prompt file.

    `most_tools` are offered at once, a request has `most_tokens` at most and an answer `most_answer`; 0 is no limit.
    """

    role: Role
    idle_seconds: float
    prompt_file: str = "teller"
    most_tools: int = 0
    most_tokens: int = 0
    most_answer: int = 0

    @cached_property
    def prompt(self) -> str:
        """Return the text that opens every request of this role."""
        return files("core.agents").joinpath("prompts", f"{self.prompt_file}.md").read_text().strip()


TELLER = RoleSpec(Role.TELLER, idle_seconds=120.0)
# The same with the tools that are made for models (TOOLS: What a model is offered).
ASSISTANT = RoleSpec(Role.TELLER, idle_seconds=120.0, prompt_file="assistant")
# Work in the background (TOOLS: Tasks).
PLANNER = RoleSpec(Role.PLANNER, idle_seconds=600.0, prompt_file="planner")
WORKER = RoleSpec(Role.WORKER, idle_seconds=600.0, prompt_file="worker")
# Without a model only the person's own words decide, word for word: that is the person acting (TOOLS: Words, U).
RESPONDER = RoleSpec(Role.PERSON, idle_seconds=30.0)


class Roles:
    """Fits roles to the model that is asked. `window` returns how many tokens it can read, None if nobody knows."""

    def __init__(self, spec: RoleSpec, profile: Profile, window: Window | None) -> None:
        self._spec, self._profile, self._window = spec, profile, window

    async def spec(self, role: RoleSpec | None = None) -> RoleSpec:
        """Return a role, or the one in which people are talked with, with the limits of the model's window: those of a
        small one where that is configured, or where its server says so."""
        spec, window = role or self._spec, None
        if self._profile == "auto" and self._window is not None:
            window = await self._window()
        if self._profile == "small" or (window is not None and window <= SMALL_WINDOW):
            return replace(spec, most_tools=SMALL_TOOLS, most_tokens=SMALL_TOKENS, most_answer=SMALL_ANSWER)
        return spec if window is None else replace(spec, most_tokens=min(int(window * FILLED), window - LEFT))
