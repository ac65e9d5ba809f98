"""What a run has already said by `reply`, read from its journal: it is released even when the run ends badly."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.agents.transcript import load
from core.kernel.replies import Reply, Step
from core.kernel.types import ToolCall


def said(steps: Sequence[Step]) -> list[Reply]:
    """The replies of committed `reply` calls. The calls of an answer have the numbers after its own, in order."""
    calls: dict[int, ToolCall] = {}
    replies = []
    for step in steps:
        if step.kind == "answer":
            calls |= dict(enumerate(load(step.content).calls, step.n + 1))
        elif step.tool == "reply" and step.state == "done" and json.loads(step.content)["success"]:
            replies.append(Reply(n=step.n, text=str(calls[step.n].arguments["text"])))
    return replies
