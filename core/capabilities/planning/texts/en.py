"""English: plans."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "plan_what": "What is the plan to be for?",
    "plan_no_model": "To make a plan takes a model, and I have none.",
    "plan_no_answer": "I can't make a plan at the moment: the model doesn't answer. Try again in a while.",
    "plan_unread": "What the model said was no plan. Try again, or say what it is about in other words.",
    "plan_too_long": "That is too long for a plan. Say it in fewer words.",
    "plan_questions": "**To be settled first**",
    "plan_risks": "**What may go wrong**",
    "plan_completion": "**It is done when**",
}
