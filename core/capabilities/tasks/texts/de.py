"""German: work in the background."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "did_delegate": "Ich habe Arbeit weitergegeben",
    "task_failed": "⚠️ Das hat nicht geklappt: {prompt}\n{reason}",
    "task_in_doubt": "⚠️ Niemand kann wissen, ob das geschehen ist: {done}. Es wurde nicht wiederholt.",
    "task_error_budget": "Was dafür verbraucht werden darf, ist aufgebraucht.",
    "task_error_day_budget": "Was Modelle heute verbrauchen dürfen, ist aufgebraucht.",
    "task_error_gave_up": "Es wurde immer wieder abgebrochen.",
    "task_error_no_model": "Es gibt kein Modell, das daran arbeiten könnte.",
    "task_error_refused": "Der Anbieter des Modells lehnt es ab.",
    "task_error_silent": "Es ist nichts dabei herausgekommen.",
    "task_error_timeout": "Es hat länger gedauert, als es darf.",
}
