"""English: what is kept, being left alone, being forgotten."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "ledger_broken_owner": (
        "⚠️ **My record of what I did (the ledger) is not whole.** Somebody changed it, or a part of it is gone. "
        "Findings: {n}.\n{problems}\nSee them all on my computer with `teller ledger verify`, before you change "
        "anything."
    ),
    "menu_retention": "How long I keep what is said here",
    "count_answers": "the journals of {n} answer|the journals of {n} answers",
    "count_acts": "the texts of {n} act in my record|the texts of {n} acts in my record",
    "count_books": "{n} other book of contacts|{n} other books of contacts",
    "privacy_counts": "**Of this chat I have now:** {what}.",
    "privacy_counts_own": "**Of you I have in this group now:** {what}.",
    "privacy_counts_none": "**Of you I have nothing here now.**",
    "privacy_things": (
        "To-dos, reminders, contacts and memories I keep until somebody removes them, and then for {undo} days so that "
        "it can be taken back; to-dos that are done: {todos} days."
    ),
    "privacy_elsewhere": (
        "**What others keep:** you stand in {what}, of groups you have spoken in or of people who noted you. What "
        "other people wrote about you is theirs, and I show it to nobody but them."
    ),
    "privacy_shorter": "This chat keeps less than I otherwise would (/retention): {what}.",
    "privacy_backups": (
        "**Backups:** whoever runs this bot may have made some. They hold what there was then, also what was forgotten "
        "since, until that person deletes them; nothing deletes them by itself."
    ),
    "optout_nothing_noted": "I note nothing about you here any more, whoever asks for it.",
    "optout_erased": "What was noted here about you is erased: {what}.",
    "forgotten_backups": (
        "Backups made until now still hold it, until whoever runs this bot deletes them; none is deleted by itself."
    ),
    "forgotten_at_work": (
        "Something of this is still being worked on in another thread. When that is answered, write {command} "
        "once more."
    ),
    "retention_now": "Of this chat I keep:\n{lines}\n\n{usage}",
    "retention_line_messages": (
        "- messages {days}: what was said here and what I answered, with what finds it, how it came in and went out, "
        "my journals, the texts of my record, and files"
    ),
    "retention_line_files": "- files {days}",
    "retention_forever": "until they are forgotten",
    "retention_days": "for {n} day|for {n} days",
    "retention_usage": (
        "Write {messages} or {files} to keep less, and {off} to keep as long as I otherwise would. To-dos, reminders, "
        "contacts and memories are no part of this: they stay until somebody removes them."
    ),
    "retention_wider": "That is longer than I keep them at all: {limit} at most. Nothing was changed.",
    "retention_ask": (
        "Shall I keep {kind} of this chat {days} only? What is older goes now: {what}. It can't be taken back."
    ),
    "retention_do": "Erase what is older",
    "retention_set": "🧹 From now on I keep {kind} of this chat {days}. What was older is erased.",
    "retention_off": "From now on I keep what is said here as long as I otherwise would.",
    "retention_off_already": "This chat wishes nothing else: I keep what is said here as long as I otherwise would.",
    "retention_kind_messages": "messages",
    "retention_kind_files": "files",
    "retention_words_messages": "messages|message|history|everything|all|chat",
    "retention_words_files": "files|file|attachments|documents",
    "retention_words_1": "d|day|days",
    "retention_words_7": "w|week|weeks",
    "retention_words_30": "m|month|months",
    "retention_words_365": "y|year|years",
}
