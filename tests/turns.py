"""Turns of the event loop, for servers that end with a test."""

from __future__ import annotations

import asyncio

# asyncio takes a connection in one turn, makes its transport, tells its protocol and begins its handler in later ones.
TURNS = 6


async def all_begun() -> None:
    """Let a server begin to serve all that has connected to it; call this before it closes.

    Who gives up sooner than that, as a client does whose time is up on a busy machine, leaves a connection of which the
    server does not know yet. Nobody would close it, and some later test would fail by that.
    """
    for _ in range(TURNS):
        await asyncio.sleep(0)
