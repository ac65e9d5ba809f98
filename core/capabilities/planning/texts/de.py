"""German: plans."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "plan_what": "Wofür soll der Plan sein?",
    "plan_no_model": "Für einen Plan braucht es ein Modell, und ich habe keins.",
    "plan_no_answer": "Im Moment kann ich keinen Plan machen: Das Modell antwortet nicht. Versuch es später wieder.",
    "plan_unread": "Was das Modell gesagt hat, war kein Plan. Versuch es noch einmal oder sag es mit anderen Worten.",
    "plan_too_long": "Das ist zu lang für einen Plan. Sag es kürzer.",
    "plan_questions": "**Vorher zu klären**",
    "plan_risks": "**Was schiefgehen kann**",
    "plan_completion": "**Fertig ist es, wenn**",
}
