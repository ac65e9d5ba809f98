"""The workspaces that are received from, and what is known of the people in them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.directory.workspaces import Workspace, Workspaces, user_of
from bot.adapters.slack.send.client import described
from core.kernel.types import Destination, Sender

log = logging.getLogger(__name__)

DIRECT_SECONDS = 5.0


class Directory:
    """`served` are the workspaces that are received from, by their ids; `workspaces` all that can be sent to."""

    def __init__(self, workspaces: Workspaces) -> None:
        self.workspaces = workspaces
        self.served: dict[str, Served] = {}

    async def people(self, workspace: Workspace, users: Iterable[str]) -> Mapping[str, Sender]:
        """Find out who these are; raises whatever the Web API does."""
        at = self.served.get(workspace.team)
        return (await at.people.known(users)).people if at else {}

    def own_name(self, team: str) -> str:
        """Return what the bot is called in a workspace; empty as long as Slack has not told."""
        at = self.served.get(team)
        return at.people.own_name if at else ""

    async def direct(self, to: Destination, address: str) -> tuple[Sender, str] | None:
        """Open the conversation with somebody of the workspace (conversations.open), who sees nothing of it yet."""
        user, workspace = user_of(address), self.workspaces.get(to.tenant)
        if workspace is None or not user:
            return None
        try:
            async with asyncio.timeout(DIRECT_SECONDS):
                found = (await self.people(workspace, [user]))[user]
                # People of other workspaces, in channels that are shared, are not written to.
                if found.address != address:
                    return None
                return found, await self.served[to.tenant].people.direct(user)
        except Exception as error:
            log.info("no conversation with somebody: %s", described(error))
            return None
