"""Export and import, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "menu_export": "Everything kept here, as a file",
    "menu_import": "Take in an export or notes from elsewhere",
    "count_brought_todos": "{n} to-do|{n} to-dos",
    "count_brought_contacts": "{n} contact|{n} contacts",
    "count_brought_schedules": "{n} reminder or schedule|{n} reminders and schedules",
    "count_brought_memories": "{n} memory|{n} memories",
    "count_brought_history": "{n} line of conversation|{n} lines of conversation",
    "count_brought_settings": "your settings|your settings",
    "count_lines_brought": "{n} line of another conversation|{n} lines of other conversations",
    "count_own_lines_brought": "{n} line of another conversation|{n} lines of other conversations",
    "export_usage": "Write /export alone: I send you everything that I keep here, as a file.",
    "export_usage_group": "/export sends you what this group has, in private; “/export here” puts it here for all.",
    "export_no_private": "Write to me in private first: I send the file there.",
    "export_nothing": "nothing yet",
    "export_done": "📦 All of this chat that can be taken along: {what}. /import takes such a file in again.",
    "export_done_group": "📦 All of the group {title} that can be taken along: {what}.",
    "export_left_out": (
        "⚠️ Not in it: {n} file that was sent, or that it has no room for.|"
        "⚠️ Not in it: {n} files that were sent, or that it has no room for."
    ),
    "export_see": "/files shows what is there.",
    "export_see_group": "/files in the group shows what is there.",
    "export_stays": "The file stays there {days}, or until /forget.",
    "export_sent_privately": "I have sent you the file in private.",
    "export_too_big": (
        "The export has {size} MB, and I can send {most} MB here. The owner can hand it to you: `teller export`."
    ),
    "failed_export_no_room": "I could not write the file: there is no room on the disk.",
    "import_private": "Import works in our private chat only.",
    "failed_import_private": "Import works in our private chat only.",
    "import_usage": (
        "Send me a file with /import as its caption, or reply /import to a file. I read an export of mine, MEMORY.md, "
        "USER.md, memory.md, TODO.WIP.md, TODO.DONE.md, and the data exports of ChatGPT and Claude (the zip, or its "
        "conversations.json and memories.json)."
    ),
    "import_not_fetched": (
        "I could not fetch the file. Perhaps it is too big for me; its conversations.json alone is smaller."
    ),
    "import_ask": "{name} has: {what}.",
    "import_own": "It is your own export, as I wrote it.",
    "import_foreign": (
        "I did not write it for you here, so I trust it less: what is in it counts as written by others, tasks for the "
        "model rest, and nobody else is reminded."
    ),
    "import_unread": "Not read: {files}.",
    "import_failed": "Without those that I cannot read: {what}.",
    "import_more": "and {n} more",
    "import_nothing": "I found nothing in {name} that I can take in.",
    "import_yes": "Import",
    "import_no": "Cancel",
    "import_left": "Nothing was imported.",
    "import_done": "📥 Imported from {name}: {what}.",
    "import_none_new": "📥 There is nothing new in it.",
    "import_there": "There already, past, or left out: {what}.",
    "failed_import_full_todos": "Nothing was imported: there would be too many to-dos here.",
    "failed_import_full_schedules": "Nothing was imported: there would be too many reminders and schedules here.",
    "failed_import_full_contacts": "Nothing was imported: there would be too many contacts here.",
    "failed_import_full_history": "Nothing was imported: there would be too many lines of conversation here.",
    "failed_import_many": (
        "Nothing was imported: of a file that I did not write, I take {most} rows of a kind at most."
    ),
    "import_bad_gone": "The file {name} is gone; send it once more.",
    "import_bad_empty": "{name} is empty.",
    "import_bad_suffix": "{name} is not what its name says.",
    "import_bad_unknown": "I don't know files such as {name}. /import says which ones I read.",
    "import_bad_broken": "{name} is broken, or no zip that I can read.",
    "import_bad_many": "{name} has too many files.",
    "import_bad_several": "{name} has several exports of mine; send me one of them.",
    "import_bad_big": "{name} is too big when it is unpacked: 64 MB a file, 256 MB in all.",
    "import_bad_bomb": "{name} grows too much when it is unpacked; I leave such files alone.",
    "import_bad_slow": "{name} takes too long to read.",
    "import_bad_json": "{name} has no JSON that I can read.",
    "import_bad_deep": "{name} is nested too deeply.",
    "import_bad_text": "{name} is no text in UTF-8.",
    "import_bad_newer": "{name} was written by a newer version of me.",
    "import_why_path": "a forbidden name",
    "import_why_locked": "locked with a password",
    "import_why_broken": "broken",
    "import_why_json": "no JSON",
    "import_why_deep": "nested too deeply",
    "import_why_text": "no UTF-8",
    "import_why_unknown": "not known",
    "import_why_newer": "of a newer version",
    "import_why_big": "too big",
}
