"""Answering presses (https://core.telegram.org/bots/api#answercallbackquery), which ends the waiting on the button."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from telegram.constants import CallbackQueryLimit

from bot.adapters.telegram.calls import Calls
from bot.adapters.telegram.units import cut
from bot.adapters.telegram.wire import described

log = logging.getLogger(__name__)

# Beyond this many at once presses go unanswered: the button stops waiting by itself after a while.
MOST_AT_ONCE = 200


class Answers:
    """Answers in the background. Lossy: what a press did is in the database, this only shows it at once."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._under_way: set[asyncio.Task[None]] = set()

    def give(self, queries: Mapping[str, str], shown: Mapping[str, str]) -> None:
        """Answer each query with the text shown for its key; those without one get no answer at all."""
        for key, text in shown.items():
            if key in queries and len(self._under_way) < MOST_AT_ONCE:
                task = asyncio.create_task(self._answer(queries[key], text))
                self._under_way.add(task)
                task.add_done_callback(self._under_way.discard)

    async def close(self) -> None:
        """Give up what is under way."""
        tasks = list(self._under_way)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _answer(self, query: str, text: str) -> None:
        fields: dict[str, object] = {"callback_query_id": query}
        if text:
            fields["text"] = cut(text, CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH)
        try:
            await self._calls("answerCallbackQuery", fields)
        except Exception as error:
            # Mostly "query is too old": somebody pressed while we were away.
            log.debug("a press was not answered: %s", described(error))
