"""Which addresses a run may fetch. One that has read what others wrote fetches only what its person named, or what was
a link in what it read, as it stood there: so nothing that it knows can leave in an address (TOOLS: What a model is
offered).
"""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator

from core.kernel.types import Json
from core.toolkit.fetch.addresses import target
from core.toolkit.fetch.values import FetchError
from core.toolkit.tool import ToolContext

MOST_IN_A_RUN = 10
_RUNS, _LINKS = 200, 1_000
_READING = frozenset({"read_page", "search_web", "web_search", "url_fetch", "http_get", "http_request"})
_LINK = re.compile(r"https?://[^\s<>\"'`|\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]{1,3000}", re.IGNORECASE)
_ENDS = ".,;:!?*_~…"
_PAIRS = {")": "(", "]": "[", "}": "{"}


def links_in(text: str) -> Iterator[str]:
    """The web addresses in a text, without the punctuation behind them."""
    for found in _LINK.finditer(text):
        link = found[0].rstrip(_ENDS)
        while link and link[-1] in _PAIRS and link.count(link[-1]) > link.count(_PAIRS[link[-1]]):
            link = link[:-1].rstrip(_ENDS)
        yield link


class ReadLinks:
    """The links that runs have read, by their trace and their lane: what a Planner has found, its Workers may read, and
    what was found before, whoever goes on talking of it. And how often each run fetched after that. Kept while the
    process lives: of what an earlier one read, the steps of the run say it."""

    def __init__(self) -> None:
        self._links: OrderedDict[str | int, set[str]] = OrderedDict()
        self._fetched: OrderedDict[int, int] = OrderedDict()

    def note(self, context: ToolContext, links: Iterable[str]) -> None:
        """Note the links that a run has read: it may fetch them."""
        plain = set(_plain(links))
        for key in (context.trace_id, context.lane.lane_id):
            known = self._links.setdefault(key, set())
            known.update(plain)
            while len(known) > _LINKS:
                known.pop()
            self._links.move_to_end(key)
        while len(self._links) > _RUNS:
            self._links.popitem(last=False)

    def check(self, context: ToolContext, url: str, *, added: bool = False) -> None:
        """Raise `FetchError` for what the run may not fetch, or not with what its model `added` to the address."""
        if not context.tainted:
            return
        if added:
            raise FetchError("bad_request", "you have read what others wrote: now an address is read without headers")
        if self._fetched.get(context.run_id, 0) >= MOST_IN_A_RUN:
            raise FetchError("forbidden_address", f"at most {MOST_IN_A_RUN} pages are read after what others wrote")
        wanted = target(url).url
        if wanted not in self._known(context):
            raise FetchError(
                "forbidden_address",
                "you have read what others wrote: now only an address is read that the person named, or that stood as "
                "a link in what you read, exactly as it stood there",
            )
        self._fetched[context.run_id] = self._fetched.pop(context.run_id, 0) + 1
        while len(self._fetched) > _RUNS:
            self._fetched.popitem(last=False)

    def _known(self, context: ToolContext) -> set[str]:
        said = context.said
        # What came of a task is told in the words of its model, and is nobody's wish.
        others = () if said is None or said.by_itself else (said.text, said.quoted)
        texts = [*context.heard, *others]
        links = [link for text in texts for link in (*links_in(text), *_bare(text))]
        for step in context.steps.values():
            # Other tools say again what a model gave them.
            links += _in_json(json.loads(step.content).get("result") if step.tool in _READING else None)
        noted = (self._links.get(key, set()) for key in (context.trace_id, context.lane.lane_id))
        return set(_plain(links)).union(*noted)


def _bare(text: str) -> Iterator[str]:
    """Addresses without their beginning ("example.org/page"), as people write them."""
    for word in text.split():
        if "." in word.strip(_ENDS) and "://" not in word and "@" not in word:
            yield f"https://{word.strip(_ENDS)}"
            yield f"http://{word.strip(_ENDS)}"


def _in_json(value: Json) -> list[str]:
    if isinstance(value, str):
        return list(links_in(value))
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [link for part in parts for link in _in_json(part)]


def _plain(links: Iterable[str]) -> Iterator[str]:
    for link in links:
        try:
            yield target(link).url
        except FetchError:
            continue
