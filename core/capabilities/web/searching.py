"""Searching the web: `search_web` for an assistant, `web_search` of the seeds for a Worker, /search for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar
from urllib.parse import urlsplit

from pydantic import Field

from core.capabilities.web.links import ReadLinks
from core.capabilities.web.reading import whose
from core.capabilities.web.search import MOST, WebSearch
from core.kernel.errors import Refused
from core.kernel.markdown import literal
from core.kernel.replies import Reply
from core.kernel.types import Json, Role, Standing
from core.toolkit.command import Command, CommandRun, intent
from core.toolkit.params import Count, Params, capped
from core.toolkit.tool import Offered, ToolContext, told_to_model, tool

# What would end the target of a link in Markdown.
_ESCAPED = str.maketrans({"(": "%28", ")": "%29", " ": "%20"})
USUAL, SHOWN, TIMEOUT = 10, 5, 40.0
TOLD = {
    "search_off": "searching the web is switched off",
    "search_ended": "{why}; the owner can configure searxng, tavily, brave or exa",
    "search_other": "{provider} is not configured; leave provider out to use {have}",
    "search_blocked": "no search engine answers this server without a key; the owner can configure one (web.search)",
    "search_key": "{provider} refuses the key of the configuration; tell the person that the owner must look at it",
    "search_busy": "{provider} takes no more searches now; try again later",
    "search_down": "{provider} does not answer now; try again later",
    "search_format": "{provider} answers in a way that cannot be read (SearXNG: allow the format json)",
    "web_limit": "{why}",
}


class SearchWebParams(Params):
    """`query`: words."""

    query: str = Field(min_length=1, max_length=400)


class WebSearchParams(SearchWebParams):
    """`query`: words. `max_results`: 20 at most. `provider`: another than the usual one."""

    spellings: ClassVar[Mapping[str, str]] = {"q": "query", "limit": "max_results", "maxResults": "max_results"}

    max_results: Count = USUAL
    provider: str | None = Field(default=None, max_length=40)


@tool(Role.TELLER, category="network", timeout=TIMEOUT, offered=Offered.ROOM, matrix=False)
async def search_web(params: SearchWebParams, context: ToolContext) -> Json:
    """Search the web; cite pages as links."""
    return await _told(context, "search_web", params.query, USUAL)


@tool(Role.WORKER, category="network", timeout=TIMEOUT)
async def web_search(params: WebSearchParams, context: ToolContext) -> Json:
    """Search the web; cite pages as links."""
    count, note = capped(params.max_results, MOST)
    return {**await _told(context, "web_search", params.query, count, params.provider or ""), **note}


async def _told(context: ToolContext, name: str, words: str, count: int, provider: str = "") -> dict[str, Json]:
    with told_to_model(name, TOLD):
        found = await context.services.get(WebSearch).search(words, count, whose(context), provider.lower())
    context.services.get(ReadLinks).note(context, [one.url for one in found])
    results = [{"title": one.title, "url": one.url, "snippet": one.snippet} for one in found]
    return {"results": results, "tainted": True}


async def _search(run: CommandRun) -> Reply:
    """Search for what stands behind the command; ask for it where nothing does."""
    if run.asks:
        return run.ask(run.language["search_what"], search.asking("words"))
    return await _found(run, run.rest)


@intent("web.search", as_command="search")
async def search(run: CommandRun, *, words: str) -> Reply:
    """Search the web."""
    return await _found(run, words)


async def _found(run: CommandRun, words: str) -> Reply:
    try:
        found = await run.context.services.get(WebSearch).search(words, SHOWN, whose(run.context))
    except Refused as refusal:
        return run.say(refusal.code, **refusal.values)
    if not found:
        return run.say("search_nothing", words=literal(words))
    lines = [run.language.say("search_found", words=literal(words))]
    for number, one in enumerate(found, 1):
        link = f"[{literal(one.title)}]({one.url.translate(_ESCAPED)})"
        lines.append(f"{number}. {link} ({_host(one.url)})\n{literal(one.snippet)}".strip())
    return replace(run.reply("\n\n".join(lines)), foreign=True)


def _host(url: str) -> str:
    try:
        return literal(urlsplit(url).hostname or "")
    except ValueError:
        return ""


COMMANDS: Mapping[str, Command] = {"search": Command(_search, needs=Standing.MEMBER)}
INTENTS = (search,)
