"""Single calls to the Bot API on raw JSON, for the receiving half and what goes with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from bot.adapters.telegram.send.http import Wire

if TYPE_CHECKING:
    from telegram.request import RequestData

CALL_SECONDS = 10.0


class _Form:
    """Fields as the body of a request; as much of the library's `RequestData` as its request looks at."""

    contains_files = False
    multipart_data = None

    def __init__(self, fields: Mapping[str, object]) -> None:
        self.json_parameters = {name: _written(value) for name, value in fields.items()}


def _written(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class Calls:
    """Calls by name over connections of their own."""

    def __init__(self, token: str, root: str, *, connections: int) -> None:
        self._url = f"{root}/bot{token}"
        self._connections = connections
        self._wire = self._new_wire()

    async def __call__(self, method: str, fields: Mapping[str, object], seconds: float = CALL_SECONDS) -> object:
        """Return the result of a method, waiting up to `seconds` for it; raise `TelegramError`."""
        form = cast("RequestData", _Form(fields))
        return cast("object", await self._wire.post(f"{self._url}/{method}", form, read_timeout=seconds))

    def renew(self) -> Wire:
        """Go on over new connections; return the old ones, for the caller to close."""
        old, self._wire = self._wire, self._new_wire()
        return old

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.shutdown()

    def _new_wire(self) -> Wire:
        return Wire(connections=self._connections, read=CALL_SECONDS)
