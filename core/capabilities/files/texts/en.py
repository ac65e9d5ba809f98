"""English: files."""

from __future__ import annotations

from collections.abc import Mapping

TEXTS: Mapping[str, str] = {
    "count_written_files": "{n} change of a file|{n} changes of files",
    "count_own_written_files": "{n} change of a file|{n} changes of files",
    "count_brought_files": "{n} file|{n} files",
    "did_in_files": "changed files",
    "files_title": "📁 Files here, the newest first ({used} of {most}):",
    "files_title_about": "📁 Files with “{words}” in their path:",
    "files_none": "There are no files here. Send me one, and it is kept.",
    "files_none_about": "No file here has “{words}” in its path.",
    "files_line": "• {path} ({size}, {day})",
    "files_where": "🗄 Programs may put files here: {path} in my data folder.",
    "files_more": "Older",
    "files_newer": "Newer",
    "files_one": "📄 {path}\n{size}, {day}",
    "files_button_send": "Send me",
    "files_button_delete": "Delete",
    "files_button_all": "All",
    "files_button_deleted": "Replaced and deleted",
    "files_unknown": "That file is not here (any more).",
    "files_delete_which": "Which file shall I delete?",
    "files_deleted": "🗑 Deleted: {name}",
    "files_not_yours": "In a group only its administrators, and who sent a file or had it written, may delete it.",
    "files_on_its_way": "I send you {name} in our private chat.",
    "files_no_private": "Write to me in private first: I send you the file there.",
    "files_too_big": "{name} is too big to be sent here ({size}).",
    "files_no_room": "The disk is full, so I cannot send it now. My operator has to make room.",
    "files_old_title": "🗑 What was replaced or deleted and can be brought back, the newest first:",
    "files_old_none": "Nothing was replaced or deleted here that is still kept. It is kept for {days} days.",
    "files_old_line": "• {path} ({day})",
    "files_back": "↩ It is there again: {name}",
    # Why it was not done.
    "failed_import_full_files": "Nothing was imported: there would be too many files here, or too big ones.",
    "failed_files_disk": "The disk does not take it now ({why}). Nothing was changed. My operator has to look at that.",
    "failed_files_missing": "That file is not here (any more).",
    "failed_files_folder": "That is a folder by now.",
    "failed_files_odd": "There is something else in its place, so I leave it as it is.",
    "failed_files_above": "There is something else in its place, so I leave it as it is.",
    "failed_files_exists": "There is a file of that name again, so I leave it as it is.",
    "failed_files_readonly": "That can only be read.",
    "failed_files_inbox": "What was sent stays as it came.",
    # What is taken back.
    "undo_file_write": "what was written to {name}",
    "undo_file_delete": "that {name} was deleted",
    "undo_file_move": "that {name} was moved",
}
