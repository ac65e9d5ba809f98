"""Choosing a model, or none."""

from __future__ import annotations

from bot.setup.draft import Draft
from bot.setup.prompts import Talk
from core.kernel.errors import ModelError

CHECK_SECONDS = 10.0
SHOWN = 8
MODEL, SERVER, KEY = "llm.model", "llm.base_url", "llm.api_key"


async def choose_model(draft: Draft, talk: Talk, model: str | None, base_url: str | None, api_key: str | None) -> None:
    """Ask for the model's name, its server and its key, and have the server list its models, which costs nothing."""
    if model is None and draft.settled(MODEL):
        return
    now = draft.config.llm
    while True:
        name = draft.ask(MODEL, "Name of the model (- for none)", now.model or "-", model)
        if name in ("", "-", "none"):
            if draft.config.llm.model:
                draft.put(MODEL, None)
            talk.say("No model: the bot answers only what needs none.")
            return
        server = now.base_url if draft.settled(SERVER) else draft.ask(SERVER, "Its server", now.base_url, base_url)
        key = _key(draft, api_key)
        if await _fine(talk, name, server, key):
            break
        if model is not None or talk.confirm("Keep it all the same?", default=True):
            break
    draft.put(MODEL, name)
    if server != now.base_url:
        draft.put(SERVER, server)
    if key and (now.api_key is None or key != now.api_key.get_secret_value()):
        draft.put(KEY, key)


def _key(draft: Draft, given: str | None) -> str:
    now = draft.config.llm.api_key
    there = "" if now is None else now.get_secret_value()
    if given is None and draft.settled(KEY):
        return there
    question = "Its key (Enter keeps the one configured)" if there else "Its key (Enter for none)"
    return draft.ask(KEY, question, there, given)


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
    return True
