"""Stories that hold on every platform: each is a function of a stage, and none says which platform it is on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from inspect import iscoroutinefunction
from types import ModuleType

from tests.acceptance.stories.stage import Stage

Story = Callable[[Stage], Awaitable[None]]


def told_in(module: ModuleType) -> list[Story]:
    """The stories of a module in the order they are written."""
    own = [one for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__]
    return [one for one in own if iscoroutinefunction(one) and not one.__name__.startswith("_")]


def name(story: Story) -> str:
    """The sentence that a story is."""
    return getattr(story, "__name__", "")
