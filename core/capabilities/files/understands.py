"""What free text asks of files: to see which there are, and that one goes."""

from __future__ import annotations

import mimetypes

from core.capabilities.files import inbox
from core.capabilities.files.commands import ask_which_to_delete, delete, turn_to
from core.kernel.intent import Intent
from core.kernel.ports import Tx
from core.language.grammar import Wish
from core.store.conversation import attachments, keyboards
from core.store.conversation.last_words import RIGHT_AFTER
from core.toolkit.capability import Hearing, Resolve, Understands, Words


def _all(wish: Wish, words: Words) -> Resolve:
    return lambda tx, hearing: turn_to.of(page=1)


def _deleted(wish: Wish, words: Words) -> Resolve:
    """Delete the file of its kind that is surely meant; of others it is asked which one. Where there is a model, it
    knows better what is meant that no reply tells."""

    def resolve(tx: Tx, hearing: Hearing) -> Intent | None:
        path = "" if wish.text else _meant(tx, hearing, wish.kind)
        if path:
            return delete.of(path=path)
        return None if hearing.model else ask_which_to_delete.of(words=wish.text)

    return resolve


def _meant(tx: Tx, hearing: Hearing, kind: str) -> str:
    """Return the path of "that file": the only one of its kind in the message that is replied to, else, without a
    model, in what was said or pressed just before; empty where that is none or several, or a file came with the
    words."""
    lane, message, since = hearing.lane, hearing.message, hearing.message.sent_at - RIGHT_AFTER
    if inbox.brought(tx, message.inbox_id):
        return ""
    if hearing.replies:
        came = {one.attachment_id for one in attachments.of_message(tx, lane, message.reply_to)}
        sent = [one for one in inbox.load(tx, lane) if one.attachment_id in came]
        keyboard_row = keyboards.by_message(tx, lane, message.reply_to)
    elif hearing.model:
        return ""
    else:
        person_id = hearing.participant.person.person_id
        sent, pressed = inbox.just_before(tx, lane, message.inbox_id, person_id, since)
        board = None if pressed is None else keyboards.load(tx, lane, pressed)
        keyboard_row = None if board is None else keyboards.below(tx, lane, board.message_key)
    offers = [order for _, order in keyboard_row.offers] if keyboard_row is not None else []
    deletes = [one for one in offers if isinstance(one, Intent) and one.name == delete.name]
    paths = [one.path for one in sent] or [str(one.arguments["path"]) for one in deletes]
    paths = [path for path in paths if (mimetypes.guess_type(path, strict=False)[0] or "").startswith(kind)]
    return paths[0] if len(paths) == 1 else ""


UNDERSTANDS = Understands(wishes={"files": _all, "files.delete": _deleted})
