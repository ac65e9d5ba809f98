"""Choosing a model, or none."""

from __future__ import annotations

from bot.setup.draft import Draft
from bot.setup.prompts import Talk
from core.agents.llm.openai.dialects import WINDOW, is_ollama
from core.kernel.errors import ModelError

CHECK_SECONDS = 10.0
SHOWN = 8
MODEL, SERVER, KEY = "llm.model", "llm.base_url", "llm.api_key"


async def choose_model(draft: Draft, talk: Talk, model: str | None, base_url: str | None, api_key: str | None) -> None:
    """Ask for the model's name, its server and its key, and have the server list its models, which costs nothing."""
    if model is None and draft.settled(MODEL):
        return
    now = draft.config.llm
    there = "" if now.api_key is None else now.api_key.get_secret_value()
    while True:
        name = draft.ask(MODEL, "Name of the model (- for none)", now.model or "-", model)
        if name in ("", "-", "none"):
            if draft.config.llm.model:
                draft.put(MODEL, None)
            talk.say("No model: the bot answers only what needs none.")
            return
        server = now.base_url if draft.settled(SERVER) else draft.ask(SERVER, "Its server", now.base_url, base_url)
        key = there
        if api_key is not None or not draft.settled(KEY):
            question = "Its key (Enter keeps the one configured)" if there else "Its key (Enter for none)"
            key = draft.ask(KEY, question, there, api_key)
        if await _fine(talk, name, server, key):
            break
        if model is not None or talk.confirm("Keep it all the same?", default=True):
            break
    draft.put(MODEL, name)
    if server != now.base_url:
        draft.put(SERVER, server)
    if key not in ("", there):
        draft.put(KEY, key)


async def _fine(talk: Talk, name: str, server: str, key: str) -> bool:
    from core.agents.llm.openai.check import listed_models  # noqa: PLC0415 - heavy, and only with a model

    try:
        names = await listed_models(server, key, CHECK_SECONDS)
    except ModelError as error:
        talk.say(f"! {error}")
        return False
    if names and name not in names:
        more = " …" if len(names) > SHOWN else ""
        talk.say(f"! The server does not list {name}. It lists: {', '.join(names[:SHOWN])}{more}")
        return False
    talk.say("The model's server answers.")
    if is_ollama(server):
        talk.say(WINDOW)
    return True
