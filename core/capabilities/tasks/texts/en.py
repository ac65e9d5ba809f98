"""English: work in the background."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "did_delegate": "I handed work over",
    "task_failed": "⚠️ This did not work: {prompt}\n{reason}",
    "task_in_doubt": "⚠️ Nobody can know whether this happened: {done}. It was not done again.",
    "task_error_budget": "What it may use is used up.",
    "task_error_day_budget": "What models may use today is used up.",
    "task_error_gave_up": "It was broken off again and again.",
    "task_error_no_model": "There is no model to work on it.",
    "task_error_refused": "The model's provider refuses it.",
    "task_error_silent": "Nothing came of it.",
    "task_error_timeout": "It took longer than it may.",
}
