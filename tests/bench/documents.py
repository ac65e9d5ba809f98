"""How long documents take to be read, each in a process of its own; and until they are found."""

from __future__ import annotations

import statistics
import time

from core.capabilities.documents.searchable import divided
from core.capabilities.documents.service import Documents
from core.store.text_index import tokeniser
from tests.capabilities.documents.made import pdf

ROUNDS, PAGES = 7, 50
_LINE = "The quick brown fox number {n} jumps over the lazy dog, and so on to the end of line."
_PARAGRAPH = f"<p>{_LINE} It has <a href='/more'>a link</a> and <b>bold words</b>. {_LINE}</p>"
# What is read, by what it is called.
READ = {
    "a text of a line: the process alone": (b"one line", "a.txt"),
    "a page with 100 paragraphs": (
        f"<html><title>Page</title><article>{_PARAGRAPH * 100}</article></html>".encode(),
        "a.html",
    ),
    f"a PDF of {PAGES} pages": (pdf([[_LINE.format(n=n) for n in range(40)]] * PAGES), "a.pdf"),
}


async def measure() -> str:
    """Read each several times; the median and the slowest."""
    documents = Documents()
    lines = [f"{'':52}{'median, ms':>12}{'slowest':>10}"]
    for what, (body, name) in READ.items():
        times = []
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            found = await documents.read(body, name)
            times.append(1000 * (time.perf_counter() - begun))
        lines.append(f"{what:52}{statistics.median(times):12.0f}{max(times):10.0f}")
    begun = time.perf_counter()
    passages = divided(found)
    for passage in passages:
        tokeniser.tokens(passage.text)
    took = 1000 * (time.perf_counter() - begun)
    lines.append(f"{f'its {len(passages)} passages, in tokens':52}{took:12.0f}")
    return "\n".join(lines)
