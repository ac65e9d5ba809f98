"""Single calls to the Bot API on raw JSON, for the receiving half and what goes with it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from bot.adapters.telegram.send.http import Wire, described

if TYPE_CHECKING:
    from telegram.request import RequestData

log = logging.getLogger(__name__)

CALL_SECONDS = 10.0
CLOSE_SECONDS = 5.0


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

    async def renew(self) -> None:
        """Go on over new connections, since the old ones stall, and close those if that is quick."""
        stalled, self._wire = self._wire, self._new_wire()
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await stalled.shutdown()
        except Exception as error:
            log.warning("a stalled connection could not be closed: %s", described(error))

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.shutdown()

    def _new_wire(self) -> Wire:
        return Wire(connections=self._connections, read=CALL_SECONDS)
