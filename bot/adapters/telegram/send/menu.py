"""The menu of commands (https://core.telegram.org/bots/api#setmycommands), set only when it is another one."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Mapping, Sequence

from bot.adapters.telegram.send.client import Calls, Flooded, described
from core.kernel.ports import Clock, Intake

log = logging.getLogger(__name__)

CURSOR = "commands"
SCOPES = {"private": "all_private_chats", "group": "all_group_chats", "admin": "all_chat_administrators"}
FIRST_PAUSE = 60.0
LONGEST_PAUSE = 3600.0

# (audience, language) → (command, description); the language is empty for everybody else's.
Menus = Mapping[tuple[str, str], Sequence[tuple[str, str]]]


class Menu:
    """Offers the commands of each audience: `private`, `group` or `admin` (of a group)."""

    def __init__(self, calls: Calls, clock: Clock, menus: Menus) -> None:
        self._calls, self._clock, self._menus = calls, clock, menus

    async def offer(self, intake: Intake, tenant: int) -> None:
        """Set the menus if they are not those that were set last; try until it works."""
        pause = FIRST_PAUSE
        offered = sorted((*key, *map(list, commands)) for key, commands in self._menus.items())
        digest = hashlib.sha256(json.dumps(offered).encode()).hexdigest()
        while self._menus:
            try:
                if await intake.cursor(tenant, CURSOR) == digest:
                    return
                for (audience, language), commands in self._menus.items():
                    fields: dict[str, object] = {
                        "commands": [{"command": name, "description": text} for name, text in commands],
                        "scope": {"type": SCOPES[audience]},
                    }
                    if language:
                        fields["language_code"] = language
                    await self._calls("setMyCommands", fields)
                await intake.accept(tenant, [], (CURSOR, digest))
            except Exception as error:
                # Nobody waits for it, and nothing else may fail because of it.
                asked = error.seconds if isinstance(error, Flooded) else 0.0
                log.warning("the menu of commands could not be set, trying again later: %s", described(error))
                await self._clock.sleep(max(pause, asked))
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                log.info("the menu of commands was set")
                return
