"""What is asked where two languages read a text differently, in English: what each reading would do; and which
answers do what was asked with buttons."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "either_ask": "That can be read in two ways. Which one is meant?",
    "either_of": "{name}: {about}",
    "either_remind": "Remind",
    "either_todo": "Show the list",
    "either_lists": "Show the lists",
    "either_todo_add": "Add to the list",
    "either_todo_done": "Tick off",
    "either_todo_remove": "Take off the list",
    "either_todo_clear": "Clear the list",
    "either_done": "It is done",
    "either_date": "Say the date",
    "either_time": "Say the time",
    "either_today": "Show what is on",
    "either_tasks": "Show the reminders",
    "either_contacts": "Show the contacts",
    "either_brief": "Daily brief",
    "either_brief_off": "No daily brief",
    "either_quiet": "Quiet hours",
    "either_undo": "Undo the last thing",
    "either_cancel": "Cancel",
    "either_cancel_due": "Cancel what is due",
    "either_cancel_all": "Cancel all reminders",
    "either_cancel_which": "Cancel a reminder",
    "either_move": "Move",
    "either_mute": "Mute",
    "either_unmute": "Unmute",
    "either_timezone": "Time zone",
    # Answers that do what was asked with buttons; and what is said where only the button does it.
    "confirm_words": (
        "yes|yep|yeah|yup|sure|ok|okay|yes please|yes, please|please do|do it|go ahead|yes, do it|yes do it|of course"
    ),
    "confirm_by_button": "Nothing has happened yet: press the button for that.",
}
