"""The yardstick: the shortest bot one would write with python-telegram-bot and openai. It keeps nothing."""

from __future__ import annotations

import os
from typing import Any

from openai import AsyncOpenAI
from telegram import Update
from telegram.ext import ApplicationBuilder, MessageHandler, filters

PROMPT = "You are an assistant that lives in this chat. Answer briefly."


def main() -> None:
    """Answer every text with the model's answer."""
    root = os.environ["BENCH_TELEGRAM"]
    model = AsyncOpenAI(base_url=os.environ["BENCH_MODEL"], api_key="sk-emulated")

    async def answer(update: Update, context: Any) -> None:
        assert update.message is not None
        messages: list[Any] = [
            {"role": "system", "content": PROMPT},
            {"role": "user", "content": update.message.text},
        ]
        completion = await model.chat.completions.create(model="bench", messages=messages)
        await update.message.reply_text(completion.choices[0].message.content or "")

    builder = ApplicationBuilder().token(os.environ["BENCH_TOKEN"]).concurrent_updates(True)
    app = builder.base_url(f"{root}/bot").base_file_url(f"{root}/file/bot").build()
    app.add_handler(MessageHandler(filters.TEXT, answer))
    app.run_polling()


if __name__ == "__main__":
    main()
