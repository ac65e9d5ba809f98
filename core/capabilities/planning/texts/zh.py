"""Chinese: plans."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "plan_what": "要为什么做计划？",
    "plan_no_model": "做计划需要模型，而我没有。",
    "plan_no_answer": "现在做不了计划：模型没有回应。请过一会儿再试。",
    "plan_unread": "模型给出的不是计划。请再试一次，或换个说法。",
    "plan_too_long": "内容太长，做不了计划。请说得短一些。",
    "plan_questions": "**先要弄清的**",
    "plan_risks": "**可能出的问题**",
    "plan_completion": "**怎样算完成**",
}
