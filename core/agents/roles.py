"""Roles as data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files

from core.kernel.types import Role


@dataclass(frozen=True)
class RoleSpec:
    """A role: how long it may be idle (no model answer and no tool result), in seconds, and its prompt file."""

    role: Role
    idle_seconds: float
    prompt_file: str = "teller"

    @cached_property
    def prompt(self) -> str:
        """The text that opens every request of this role."""
        return files("core.agents").joinpath("prompts", f"{self.prompt_file}.md").read_text().strip()


TELLER = RoleSpec(Role.TELLER, idle_seconds=120.0)
# The same with the tools that are made for models (TOOLS: What a model is offered).
ASSISTANT = RoleSpec(Role.TELLER, idle_seconds=120.0, prompt_file="assistant")
# Without a model only the person's own words decide, word for word: that is the person acting (TOOLS: Words, U).
RESPONDER = RoleSpec(Role.PERSON, idle_seconds=30.0)
