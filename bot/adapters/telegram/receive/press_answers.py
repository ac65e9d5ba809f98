"""Answering presses (https://core.telegram.org/bots/api#answercallbackquery), which ends the waiting on the button."""

from __future__ import annotations

from collections.abc import Mapping

from telegram.constants import CallbackQueryLimit

from bot.adapters.telegram.render.render import cut
from bot.adapters.telegram.send.client import Calls, described
from core.kernel.background import Background


class Answers:
    """Answers in the background. Lossy: what a press did is in the database, this only shows it at once.

    Beyond two hundred at once presses go unanswered: the button stops waiting by itself after a while.
    """

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._background = Background(described)

    def give(self, queries: Mapping[str, str], shown: Mapping[str, str]) -> None:
        """Answer each query with the text shown for its key; those without one get no answer at all."""
        for key, text in shown.items():
            if key in queries:
                # Mostly "query is too old": somebody pressed while we were away.
                fields: dict[str, object] = {"callback_query_id": queries[key]}
                if text:
                    fields["text"] = cut(text, CallbackQueryLimit.ANSWER_CALLBACK_QUERY_TEXT_LENGTH)
                self._background.do("a press was not answered", self._calls("answerCallbackQuery", fields))

    async def close(self) -> None:
        """Give up what is under way."""
        await self._background.close()
