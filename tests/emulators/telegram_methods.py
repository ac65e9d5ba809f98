"""The methods of the Bot API, each a function of checked parameters, found by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.emulators.telegram_chats import Call, Chats, Method
from tests.emulators.telegram_rules import Params
from tests.emulators.telegram_updates import WEBHOOK_ACTIVE, UpdateQueue, conflict
from tests.emulators.telegram_webhooks import Webhooks


class Methods:
    """What the bot may ask for; ``get`` finds a method by its name in any case."""

    def __init__(
        self, chats: Chats, updates: UpdateQueue, webhooks: Webhooks, tables: Iterable[Mapping[str, Method]]
    ) -> None:
        self._chats = chats
        self._updates = updates
        self._webhooks = webhooks
        own: dict[str, Method] = {"getMe": self._get_me, "getUpdates": self._get_updates}
        parts = (own, webhooks.table(), *tables)
        self._table = {name.lower(): (name, method) for part in parts for name, method in part.items()}

    def get(self, name: str) -> tuple[str, Method] | None:
        """Return the canonical name and the function of a method."""
        return self._table.get(name.lower())

    def _get_me(self, params: Params, call: Call) -> object:
        return self._chats.bot

    def _get_updates(self, params: Params, call: Call) -> object:
        if self._webhooks.active:
            raise conflict(WEBHOOK_ACTIVE)
        if "allowed_updates" in params:
            self._updates.allow(params["allowed_updates"])
        return self._updates.get(
            offset=params.get("offset", 0), limit=params.get("limit", 100), timeout=params.get("timeout", 0)
        )
