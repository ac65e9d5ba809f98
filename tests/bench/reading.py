"""What it costs to read a message in all languages together, as every message is: microseconds, and of the longest
hostile texts milliseconds. The aims are for a quiet machine."""

from __future__ import annotations

import time
from collections.abc import Sequence

import core.capabilities.all  # noqa: F401 - what people say is theirs
from core.language import grammars, warm_up
from core.language.engine.tokens import MAX_LENGTH
from tests.bench.understanding import FILES, FRESH, HELD_OUT, NONE, sentences
from tests.language import grammar_de, grammar_en, grammar_zh

ROUNDS = 5
AIM_P50, AIM_P99, AIM_LONGEST = 60, 1_000, 10
TONGUES = {"en": grammar_en, "de": grammar_de, "zh": grammar_zh}


async def measure() -> str:
    """Time all sentences of the sets, those that are no wish apart, and every hostile part as long as may be."""
    warm_up()
    said = [one for code in TONGUES for folder in (FILES, HELD_OUT, FRESH) for one in sentences(code, folder)]
    others = _times([one.sentence for one in said if one.act == NONE])
    wishes = _times([one.sentence for one in said if one.act != NONE])
    longest = _times([(part * MAX_LENGTH)[:MAX_LENGTH] for own in TONGUES.values() for part in own.HOSTILE])
    lines = [f"{'reading a message in all languages, µs':44}{'p50':>10}{'p99':>10}"]
    for name, times in ((f"no wish ({len(others)})", others), (f"wishes ({len(wishes)})", wishes)):
        lines.append(f"{name:44}{times[len(times) // 2]:10.0f}{times[len(times) * 99 // 100]:10.0f}")
    lines.append(f"{'aim':44}{AIM_P50:10}{AIM_P99:10}")
    lines.append(
        f"the slowest of {len(longest)} texts of {MAX_LENGTH} signs: {longest[-1] / 1000:.1f} ms (aim {AIM_LONGEST})"
    )
    return "\n".join(lines)


def _times(texts: Sequence[str]) -> list[float]:
    """The least of some times of each text, in order; each is read among all others, so that none is remembered."""
    least = dict.fromkeys(texts, float("inf"))
    for _ in range(ROUNDS):
        for text in least:
            before = time.perf_counter_ns()
            for grammar in grammars():
                grammar.wish(text)
            least[text] = min(least[text], (time.perf_counter_ns() - before) / 1000)
    return sorted(least.values())
