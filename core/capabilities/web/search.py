"""Searching the web, by whoever the owner configured, or without a key by engines that may refuse this server.

Formats: SearXNG's search API (docs.searxng.org/dev/search_api), Tavily (docs.tavily.com), Brave
(api-dashboard.search.brave.com), Exa (exa.ai/docs), and the search that OpenAI's models have built in (Responses API,
developers.openai.com: web search).
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any
from urllib.parse import urlencode

from core.capabilities.documents.readers.found import tidy
from core.kernel.errors import Refused
from core.kernel.strict_json import BadJson, loads
from core.toolkit.fetch.addresses import target
from core.toolkit.fetch.allowance import PersonAllowance
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.values import Fetch, FetchError, Method, Whose

log = logging.getLogger(__name__)

MOST, SECONDS, KEYLESS_SECONDS, MODEL_SECONDS = 20, 15.0, 20.0, 60.0
# What a model's server is asked for its own search; the words are data.
ASKED = (
    "Search the web for these words. Name up to {count} pages, one sentence on each that cites it, and nothing else."
)
LONGEST_TITLE, LONGEST_SNIPPET = 200, 400
OK, UNAUTHORISED, FORBIDDEN, TOO_MANY, UNAVAILABLE = 200, 401, 403, 429, 500
KEYLESS = "ddgs"
# Which of the answer's fields are the address, the title and the snippet.
Fields = tuple[str, str, str]
# When searches of others end, and what else there is.
ENDED = {
    "google": "Google's search API takes no new engines and ends on 2027-01-01",
    "bing": "Bing's search API ended in August 2025",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """One page that was found; all of it is what others wrote."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Who searches: the `provider`, at `base_url` where that is not its own, with its `api_key`, and the `model`
    where it is a model's server; a search costs so many millionths of a dollar."""

    provider: str = KEYLESS
    base_url: str = field(default="", repr=False)
    api_key: str = field(default="", repr=False)
    model: str = ""
    cost: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Provider:
    """How one is asked, and how long it may take: `request` gives path, headers and body of words and a count;
    `results` finds the list."""

    base: str
    method: Method
    request: Callable[[str, int, SearchSettings], tuple[str, Mapping[str, str], Mapping[str, Any] | None]]
    results: Callable[[Any], Any]
    fields: Fields
    seconds: float = SECONDS


def _cited(told: Any) -> Sequence[Mapping[str, str]]:
    """Return what a model's server has found by its own search: the pages that its answer cites, with the words
    before."""
    found = []
    for part in told.get("output"):
        for content in part.get("content") or ():
            for one in content.get("annotations") or ():
                begins = one.get("start_index")
                said = content["text"][:begins][-LONGEST_SNIPPET:] if isinstance(begins, int) else ""
                url = str(one.get("url") or "").removesuffix("utm_source=openai").rstrip("?&")
                found += (
                    [{"url": url, "title": one.get("title"), "text": said}] if one.get("type") == "url_citation" else []
                )
    return found


PROVIDERS: Mapping[str, _Provider] = {
    "openai": _Provider(
        base="https://api.openai.com/v1",
        method="POST",
        request=lambda words, count, by: (
            "/responses",
            {"authorization": f"Bearer {by.api_key}"},
            {
                "model": by.model,
                "tools": [{"type": "web_search"}],
                "tool_choice": "required",
                "store": False,
                "input": f"{ASKED.format(count=count)}\n{json.dumps(words, ensure_ascii=False)}",
            },
        ),
        results=_cited,
        fields=("url", "title", "text"),
        seconds=MODEL_SECONDS,
    ),
    "searxng": _Provider(
        base="",
        method="GET",
        request=lambda words, count, by: (f"/search?{urlencode({'q': words, 'format': 'json'})}", {}, None),
        results=lambda told: told.get("results"),
        fields=("url", "title", "content"),
    ),
    "tavily": _Provider(
        base="https://api.tavily.com",
        method="POST",
        request=lambda words, count, by: (
            "/search",
            {"authorization": f"Bearer {by.api_key}"},
            {"query": words, "max_results": count},
        ),
        results=lambda told: told.get("results"),
        fields=("url", "title", "content"),
    ),
    "brave": _Provider(
        base="https://api.search.brave.com",
        method="GET",
        request=lambda words, count, by: (
            f"/res/v1/web/search?{urlencode({'q': words, 'count': count})}",
            {"x-subscription-token": by.api_key},
            None,
        ),
        results=lambda told: (told.get("web") or {}).get("results"),
        fields=("url", "title", "description"),
    ),
    "exa": _Provider(
        base="https://api.exa.ai",
        method="POST",
        request=lambda words, count, by: (
            "/search",
            {"x-api-key": by.api_key},
            {"query": words, "numResults": count, "contents": {"text": {"maxCharacters": LONGEST_SNIPPET}}},
        ),
        results=lambda told: told.get("results"),
        fields=("url", "title", "text"),
    ),
}


def _keyless(words: str, count: int) -> Sequence[Mapping[str, str]]:
    """Ask engines that need no key. It opens connections of its own, to those engines only."""
    # It loads a browser's manners, which takes longer than most searches.
    ddgs = import_module("ddgs")
    found: Sequence[Mapping[str, str]] = ddgs.DDGS(timeout=10).text(words, max_results=count)
    return found


class WebSearch:
    """Searches for people. Raises `Refused`: `search_off`, `search_ended`, `search_blocked` (nobody answers without a
    key), `search_key` (the key is refused), `search_busy`, `search_down`, `search_format`, `web_limit`."""

    def __init__(
        self,
        settings: SearchSettings,
        fetcher: Fetcher,
        allowance: PersonAllowance,
        *,
        keyless: Callable[[str, int], Sequence[Mapping[str, str]]] = _keyless,
    ) -> None:
        self._settings, self._fetcher, self._allowance, self._keyless = settings, fetcher, allowance, keyless
        self._threads = ThreadPoolExecutor(2, thread_name_prefix="search")

    async def search(self, words: str, count: int, whose: Whose, provider: str = "") -> Sequence[SearchResult]:
        """Return at most `count` pages about some words, best first; by a `provider` other than the configured one
        only where that needs no key."""
        name = {"duckduckgo": KEYLESS}.get(provider, provider) or self._settings.provider
        if name in ENDED:
            raise Refused("search_ended", why=ENDED[name])
        if self._settings.provider == "off":
            raise Refused("search_off")
        if name not in {self._settings.provider, KEYLESS}:
            raise Refused("search_other", provider=name[:40], have=self._settings.provider)
        cost = self._settings.cost if name == self._settings.provider else 0
        try:
            await self._allowance.take(whose, requests=0, searches=1, cost=cost)
        except FetchError as error:
            raise Refused("web_limit", why=str(error)) from error
        found = await (
            self._without_key(words, count) if name == KEYLESS else self._asked(PROVIDERS[name], words, count)
        )
        return found[:count]

    async def _asked(self, provider: _Provider, words: str, count: int) -> Sequence[SearchResult]:
        path, headers, body = provider.request(words, count, self._settings)
        content = None if body is None else json.dumps(body).encode()
        request = Fetch(
            url=(self._settings.base_url or provider.base).rstrip("/") + path,
            method=provider.method,
            headers=headers if content is None else {**headers, "content-type": "application/json"},
            body=content,
            seconds=provider.seconds,
            secret=True,
            configured=True,
        )
        try:
            answer = await self._fetcher.fetch(request)
        except FetchError as error:
            log.warning("the search provider %s: %s", self._settings.provider, error.code)
            raise Refused("search_down", provider=self._settings.provider) from error
        name = self._settings.provider
        if answer.status in {UNAUTHORISED, FORBIDDEN}:
            raise Refused("search_format" if name == "searxng" else "search_key", provider=name)
        if answer.status == TOO_MANY:
            raise Refused("search_busy", provider=name)
        if answer.status != OK:
            raise Refused("search_down", provider=name)
        try:
            told = loads(answer.body.decode())
            listed = provider.results(told)
        except (BadJson, UnicodeDecodeError, AttributeError, TypeError, KeyError) as error:
            raise Refused("search_format", provider=name) from error
        if not isinstance(listed, list):
            raise Refused("search_format", provider=name)
        return _results(listed, provider.fields)

    async def _without_key(self, words: str, count: int) -> Sequence[SearchResult]:
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(KEYLESS_SECONDS):
                found = await loop.run_in_executor(self._threads, self._keyless, words, count)
        except Exception as error:
            # Whatever it is, of many engines none answered; its words may hold what was asked.
            log.warning("no search engine answered without a key: %s", type(error).__name__)
            raise Refused("search_blocked") from error
        return _results(found, ("href", "title", "body"))


def _results(listed: Sequence[Any], fields: Fields) -> list[SearchResult]:
    """Return what a provider lists, without what has no web address that can be read, each page once."""
    found: dict[str, SearchResult] = {}
    for one in listed:
        if not isinstance(one, Mapping):
            continue
        url, title, snippet = (str(one.get(name) or "").strip() for name in fields)
        try:
            target(url)
        except FetchError:
            continue
        said = tidy(snippet).replace("\n", " ")[:LONGEST_SNIPPET]
        title = tidy(title)[:LONGEST_TITLE].replace("\n", " ") or url
        found.setdefault(url, SearchResult(title=title, url=url, snippet=said))
    return list(found.values())
