"""What was said in a thread before the bot was called into it: read where the platform keeps it, and not stored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from core.kernel.ports import Database, ReceivingAdapter
from core.pipeline.runs.run_context import RunContext
from core.store.conversation import inbox
from core.store.people import chats, people

MOST_LINES = 100
# What a thread may take of the room for the past, beside the lane's own transcript.
SHARE_OF_HISTORY = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """What others said in a thread, as JSON; empty for nothing. `outside` when some of it is of who has no part in the
    workspace, or of a program: such may have others' words."""

    text: str = ""
    outside: bool = False


class Threads:
    """Reads the thread of a run for the model: what others said in it, as data."""

    def __init__(self, adapters: Mapping[str, ReceivingAdapter], db: Database) -> None:
        self._adapters, self._db = adapters, db

    async def __call__(self, run: RunContext) -> Thread:
        """Return the newest lines of a run's thread that fit, oldest first.

        Left out are the bot's own lines, which the transcript has, the messages of the run itself, and what people
        wrote who do not want to be heard in this group. The platform is asked only for what our rows lack.
        """
        if await self._is_known(run):
            return Thread()
        lines = await self._adapters[run.participant.platform].thread(run.participant.place, MOST_LINES)
        if not lines:
            return Thread()
        answered = {message.platform_id for message in run.messages}
        others = [line for line in lines if not line.mine and line.message_id not in answered]
        speakers = {line.address for line in others}
        silent = await self._db.read(lambda tx: {one for one in speakers if people.left_alone(tx, run.lane, one)})
        room, kept, outside = run.services.history_bytes // SHARE_OF_HISTORY, list[str](), False
        for line in reversed([line for line in others if line.address not in silent]):
            at = datetime.fromtimestamp(line.sent_at / 1000, UTC).isoformat(timespec="seconds")
            shown = json.dumps({"speaker": line.speaker, "at": at, "text": line.text}, ensure_ascii=False)
            room -= len(shown.encode())
            if room < 0:
                break
            kept.append(shown)
            outside = outside or line.outside
        return Thread(text=f"[{', '.join(reversed(kept))}]" if kept else "", outside=outside)

    async def _is_known(self, run: RunContext) -> bool:
        """Return whether the transcript has all of a thread: it begins with a message of the run, or with one that was
        overheard in a group where the bot reads along."""
        root = run.participant.place.thread
        if root in {message.platform_id for message in run.messages}:
            return True
        return await self._db.read(
            lambda tx: inbox.writer_of(tx, run.lane, root)[1] > 0 and chats.reads_along(tx, run.lane)
        )
