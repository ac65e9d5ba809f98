"""Replies to questions that were asked of somebody else: they decide nothing, and their writer is told so."""

from __future__ import annotations

from core.kernel.ports import Tx
from core.kernel.types import Inbound
from core.language.short_texts import is_wish
from core.pipeline.runs.answer_reader import option
from core.store.conversation import questions
from core.store.conversation.questions import QuestionState


def is_for_another(tx: Tx, tenant_id: int, message: Inbound, person_id: int) -> bool:
    """Whether a message says in a reply what would answer an open question, which was asked of another person.

    What can stand by itself is no answer. In a thread that began with the question only an option is one: all that is
    said there replies to it.
    """
    text = message.text.strip()
    if not (message.reply_to and text) or text.startswith("/") or message.forwarded or message.edits:
        return False
    question = questions.shown_as(tx, tenant_id, message.chat, message.reply_to)
    if question is None or question.state != QuestionState.OPEN or question.person_id == person_id:
        return False
    if option(question, text) is not None:
        return True
    return not question.options and message.reply_to != message.thread and not is_wish(text)
