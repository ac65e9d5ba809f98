"""Doctor's look at what is far away: Telegram, the model's server, and the clock over there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import urlopen

from bot.adapters.telegram.onboarding import NotReached, Onboarding, TokenUnknown, server_ahead
from bot.config.sections import LlmSection
from bot.doctor.finding import Finding, Patient, careful, fine, identity, wrong, wrong_clock
from bot.runtime.spending import limits_that_may_not_hold
from core.agents.llm.openai.dialects import AS_TEXT, WINDOW, is_ollama, is_own
from core.agents.roles import SMALL_WINDOW
from core.capabilities.hooks.calls import PATH as HOOKS
from core.capabilities.voice import local
from core.capabilities.web.search import FORBIDDEN, KEYLESS, OK
from core.kernel.errors import ModelRefused, ModelUnreachable, TellerError

# Well below what a check may take (bot.doctor.doctor): loading the client takes a while, and the reason is to be told.
MODEL_SECONDS = 6.0
MANY, MOST_BYTES = 1000, 1 << 20
# The bot's web server answers so where a path takes posts only (RFC 9110, 15.5.6).
ONLY_POST = 405
# What nobody knows is no small window.
WIDE = 1 << 30


async def telegram(patient: Patient) -> AsyncIterator[Finding]:
    """The token, and what the bot may see in groups."""
    section = patient.config.telegram
    if section.token is None:
        alone = "" if patient.config.platforms else ": console only. For Telegram or Slack run: teller setup"
        yield fine("telegram", f"no token{alone}")
        return
    async with Onboarding(section.token.get_secret_value(), section.base_url) as api:
        me = await identity("telegram", api.me, TokenUnknown, "Then run: teller setup")
    if isinstance(me, Finding):
        yield me
        return
    yield fine("telegram", f"@{me.username} (bot {me.id})")
    if not me.joins:
        yield careful("groups", "nobody may add the bot to groups; @BotFather changes that with /setjoingroups")
    elif me.reads_all:
        yield fine("privacy mode", "off: in groups the bot is sent every message")
    else:
        text = "on: in groups the bot is sent only commands, replies to it and what names it with @"
        yield fine("privacy mode", f"{text}; @BotFather changes that with /setprivacy")


async def webhook(patient: Patient) -> AsyncIterator[Finding]:
    """Where Telegram sends updates, against how the bot is to get them."""
    section = patient.config.telegram
    if section.token is None:
        return
    async with Onboarding(section.token.get_secret_value(), section.base_url) as api:
        try:
            found = await api.webhook()
        except TellerError:
            yield careful("webhook", "not known; see telegram")
            return
    wanted = bool(section.webhook_url)
    waiting = f"{found.pending} waiting at Telegram"
    if found.host and not wanted:
        yield careful("webhook", f"one sends everything to {found.host}; the bot switches it off when it starts")
    elif wanted and not found.host:
        yield careful("webhook", "none is set; the bot sets it when it starts")
    elif wanted and found.url != section.webhook_url:
        where = f"to {found.host}, but not as telegram.webhook_url says"
        yield careful("webhook", f"{where}; the bot sets it when it starts. Does another bot use this token?")
    elif found.host and found.last_error:
        yield careful("webhook", f"to {found.host}, {waiting}; the last try failed: {found.last_error}")
    else:
        way = f"to {found.host}" if found.host else "none, as it should be: the bot asks for updates"
        many = found.pending >= MANY
        yield (careful if many else fine)("webhook", f"{way}; {waiting}{'; does the bot run?' if many else ''}")


async def model(patient: Patient) -> AsyncIterator[Finding]:
    """The model's server: asked for its list of models, which costs nothing."""
    section = patient.config.llm
    if not section.model:
        yield fine("model", "none: the bot answers only what needs none. To choose one run: teller setup")
        return
    if doubt := limits_that_may_not_hold(patient.config.budget, section):
        yield careful("budget", doubt)
    if section.tool_calls == "auto" and (patient.running or {}).get("model_dialect") == AS_TEXT:
        yield careful(
            "model", f"{section.model} refuses tools, so the running bot sends them as text: others do better"
        )
    from core.agents.llm.openai.check import listed_models, window_of  # noqa: PLC0415 - heavy, and only with a model

    key = None if section.api_key is None else section.api_key.get_secret_value()
    try:
        names = await listed_models(section.base_url, key, MODEL_SECONDS)
    except ModelRefused as error:
        yield wrong("model", str(error))
    except ModelUnreachable as error:
        yield careful("model", f"{error} Meanwhile questions are kept. Is llm.base_url right?")
    else:
        if names and section.model not in names:
            yield careful("model", f"{section.model}: its server answers but does not list it; check llm.model")
        else:
            yield fine("model", f"{section.model}; its server answers, {_spoken(section)}")
        window = None
        if not is_own(section.base_url):
            window = await window_of(section.base_url, key, section.model, MODEL_SECONDS)
        small = section.profile == "small" or (section.profile == "auto" and (window or WIDE) <= SMALL_WINDOW)
        if window is not None and window <= SMALL_WINDOW:
            fits = "requests are kept small (llm.profile)" if small else "requests may not fit; set llm.profile: auto"
            widen = f" {WINDOW}" if is_ollama(section.base_url) else ""
            yield careful("model", f"its server shows it {window:,} tokens: {fits}.{widen}")
        elif small:
            yield fine("model", "requests are kept small (llm.profile: small)")


def _spoken(section: LlmSection) -> str:
    """How the model is asked, as far as the configuration says: what it refuses shows when it is asked."""
    if section.tool_calls == "json":
        return "asked with its tools as text (llm.tool_calls: json)"
    responses = section.api == "responses" or (section.api == "auto" and is_own(section.base_url))
    return f"asked by {'Responses' if responses else 'Chat Completions'} (llm.api: {section.api})"


async def voice(patient: Patient) -> AsyncIterator[Finding]:
    """Who writes down voice notes: the extra and the model's folder, or the server's list of models."""
    settings = patient.config.voice.settings(patient.config.llm)
    if settings.provider == "off":
        yield fine("voice", "nobody writes down voice notes (voice in config.yaml; docs/voice.md)")
        return
    if settings.provider == "local":
        problem = local.missing(settings)
        where = f"{settings.model} in {settings.folder}, on this machine"
        yield wrong("voice", problem) if problem else fine("voice", where)
        return
    from core.agents.llm.openai.check import listed_models  # noqa: PLC0415 - heavy, and only with an endpoint

    try:
        names = await listed_models(settings.base_url, settings.api_key or None, MODEL_SECONDS)
    except ModelRefused as error:
        yield wrong("voice", f"{error} Look at voice.base_url and voice.api_key.")
    except ModelUnreachable as error:
        yield careful("voice", f"{error} Is voice.base_url right?")
    else:
        if names and settings.model not in names:
            yield careful("voice", f"{settings.model}: its server answers but does not list it; check voice.model")
        else:
            yield fine("voice", f"{settings.model}; its server answers")


async def web(patient: Patient) -> AsyncIterator[Finding]:
    """Who searches the web, and whether one's own SearXNG gives the format that is read (docs.searxng.org)."""
    section = patient.config.web.search
    settings = section.settings
    if settings.provider == "off":
        yield fine("web search", "off (web.search.provider)")
    elif settings.provider == KEYLESS:
        yield fine("web search", "ddgs, without a key; many engines refuse servers: then set web.search (docs/web.md)")
    elif settings.provider != "searxng":
        yield fine("web search", f"{settings.provider}, with a key that is tried when somebody searches")
    else:
        yield await _searxng(settings.base_url)


def _get(url: str) -> tuple[int, bytes]:
    """Ask an address of the configuration; return the status, and the body of what is no error."""
    try:
        with urlopen(url, timeout=MODEL_SECONDS) as answer:
            return answer.status, answer.read(MOST_BYTES)
    except HTTPError as error:
        with error:
            return error.code, b""


async def public(patient: Patient) -> AsyncIterator[Finding]:
    """Ask whether `http.public_url` leads to the bot: there the path of hooks, which takes posts only, answers 405."""
    http = patient.config.http
    if not http.public_url:
        return
    if not http.port:
        yield wrong("public address", "http.public_url needs the web server; set http.port")
        return
    if patient.running is None:
        yield fine("public address", f"{http.public_url}; whether it leads to the bot is seen while that runs")
        return
    try:
        status, _ = await asyncio.to_thread(_get, f"{http.public_url}{HOOKS}")
    except (OSError, HTTPException) as error:
        text = f"{http.public_url} is not reached from here ({type(error).__name__}); is it up for others?"
        yield careful("public address", text)
        return
    if status == ONLY_POST:
        yield fine("public address", f"{http.public_url} leads to the bot")
    else:
        text = f"{http.public_url}{HOOKS} answers {status}, which is not the bot; does the proxy pass {HOOKS} on?"
        yield careful("public address", text)


async def _searxng(base_url: str) -> Finding:
    try:
        status, body = await asyncio.to_thread(_get, f"{base_url.rstrip('/')}/search?q=teller&format=json")
    except (OSError, HTTPException) as error:
        return careful("web search", f"SearXNG is not reached ({type(error).__name__}); is web.search.base_url right?")
    if status == FORBIDDEN or (status == OK and not body.lstrip().startswith(b"{")):
        return wrong("web search", "SearXNG gives no JSON; add json to search.formats in its settings.yml, restart it")
    if status != OK:
        return careful("web search", f"SearXNG answers {status}; is web.search.base_url right?")
    return fine("web search", "SearXNG; it answers in JSON")


async def clock(patient: Patient) -> AsyncIterator[Finding]:
    """Our clock against that of the Bot API server."""
    if patient.config.telegram.token is None:
        return
    try:
        ahead = await server_ahead(patient.config.telegram.base_url)
    except NotReached:
        yield careful("clock", "not compared; see telegram")
        return
    if ahead is None:
        yield careful("clock", "not compared: the server does not tell its time")
    else:
        yield wrong_clock("clock", "Telegram", ahead) or fine("clock", "right within a minute")


CHECKS: dict[str, Callable[[Patient], AsyncIterator[Finding]]] = {
    "telegram": telegram,
    "webhook": webhook,
    "model": model,
    "voice": voice,
    "web search": web,
    "public address": public,
    "clock": clock,
}
