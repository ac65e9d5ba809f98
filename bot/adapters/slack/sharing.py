"""Channels that several workspaces share: what is said there is handed over once, for one of those with the app.

The payload names that one alone (https://docs.slack.dev/apis/events-api, "authorizations": one entry, whoever else may
see the event), so whose bots are in the channel is asked for (conversations.info).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from bot.adapters.slack.parsing import MESSAGES, event_of, team_of
from bot.adapters.slack.parsing_messages import Fields, text_of
from bot.adapters.slack.people import Served

# What is said, and who came. That a bot has left is told to its own workspace.
TOLD = MESSAGES | {"member_joined_channel", "member_left_channel"}
PATIENCE_SECONDS = 2.0


def sharing(payload: Fields, served: Mapping[str, Served]) -> Sequence[Served]:
    """Return the other workspaces for which an event may be."""
    event, named = event_of(payload), team_of(payload)
    if payload.get("is_ext_shared_channel") is not True or text_of(event, "type") not in TOLD:
        return ()
    return [at for team, at in served.items() if team != named] if text_of(event, "channel") else ()


async def is_for(at: Served, event: Fields) -> bool:
    """Whether the bot of a workspace is in the channel of an event; raises what the Web API does."""
    channel = text_of(event, "channel")
    if text_of(event, "type") not in MESSAGES and event.get("user") == at.me.user:
        at.people.moved(channel)
    async with asyncio.timeout(PATIENCE_SECONDS):
        return (await at.people.place(channel)).member
