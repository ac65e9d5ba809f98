"""To-dos and today, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # What people call themselves, and what stands between a task and whose it is.
    "todo_me": "me|myself|i",
    "todo_for": "for",
    "todo_for_words": "for",
    # What may stand between whose it is and what is to be done: "@bob needs to call Oma".
    "todo_does_words": "to|has to|have to|needs to|need to|should|must|please",
    # What stands between a task and what it becomes, when it is due, and whose it is now.
    "todo_edit_words": "to|into",
    "todo_due_words": "to|on|by|until|for|is",
    "todo_give_words": "to|for",
    # How the last day for it is said.
    "todo_last_day": "{text} due by {when}|{text} due on {when}|{text} due {when}|{text} by {when}",
    "list_shopping": "Shopping",
    "list_packing": "Packing",
    "list_usual": "To do",
    "list_word": "list",
    "list_usual_words": "todo|to-do|to do|todos|to-dos|task|tasks|todo list|to-do list|main|usual|general",
    "list_own_words": "my|our|the|this",
    "list_shopping_words": (
        "shopping|grocery|groceries|shop|supermarket|store|shopping list|grocery list|buy|get|purchase|getting|pick up"
        "|shop for|from the store|at the store|in the store|from the shop|at the shop|from the supermarket"
        "|at the supermarket|from the market|at the market|at the mall|from the shops|at the shops|from the stores"
    ),
    "list_packing_words": "packing|packing list|luggage",
    "list_title": "📝 {name}: {count}",
    "list_title_page": "📝 {name}: {count} · page {page} of {pages}",
    "list_empty": "📝 Nothing is on this list: {name}",
    "list_new": "📝 {name}: nothing is on it yet. Put something there: “add milk to the {name} list”",
    "list_near": "There is no list {new} yet, but {there}. Which one?",
    "lists_title": "🗂 Lists",
    "lists_line": "- {name}: {count}",
    "lists_how": "Name one and it is there: “add milk to the shopping list”, or /todo camping list: tent, stove",
    "lists_more": "🗂 {names}",
    "lists_all": "🗂 Lists",
    "todo_title": "📝 To do: {count}",
    "todo_title_page": "📝 To do: {count} · page {page} of {pages}",
    "todo_empty": "📝 Nothing to do. Add something: /todo milk, or /todo call Oma tomorrow at 5",
    "todo_groups": "From your groups:",
    "todo_done_title": "☑ Done:",
    "todo_done_none": "Nothing was done yet. /todo shows what is open.",
    "todo_overdue": "⚠️ overdue since {when}",
    "todo_today": "today",
    "todo_today_at": "today {clock}",
    "todo_group": "{item} · {group}",
    "todo_by": "{item} ({name})",
    "todo_added": "☐ {item}",
    "todo_again": "🔁 {item}\n{when}, on the list {name}",
    "todo_again_already": "That comes again and again already: 🔁 {item}. /tasks shows it.",
    "todo_again_rests": "That rests: 🔁 {item}. /resume {id} lets it go on.",
    "todo_reminder": "⏰ Reminder in {duration} ({zone}).",
    "todo_raw": "I don't know {name}, so I left the name as it is. /contacts shows whom I know here.",
    "todo_past": "That is in the past, so there is no reminder.",
    # What joins the last of several items; what begins no item of its own; what a list behind it belongs to.
    "todo_and_words": "and|&",
    "todo_goes_on_words": "then|but|because|so|or|if|when|while|which|who|that|she|he|it|they|we|i|you|not|please|asap|"
    "urgent|thanks|e\\.g|etc|as|since|before|after|until|at|in|on|by|for|with|from|to",
    "todo_together_words": "with|for|from|about|between|of|call|ask|tell|email|invite|meet|text|thank|visit|message|"
    "phone|ring|remind|see|write",
    "todo_added_several": "{items}\n\n{n} item is on the list.|{items}\n\n{n} items are on the list.",
    "todo_clear_ask": "Take {n} open item off the list?|Take all {n} open items off the list?",
    "todo_clear_yes": "Clear the list",
    "todo_clear_no": "Keep it",
    "todo_kept": "The list stays as it is.",
    "todo_cleared": "🗑 The list is clear: {n} item is off it.|🗑 The list is clear: {n} items are off it.",
    "todo_cleared_but": (
        "🗑 {n} item is off the list. What was added since then stays."
        "|🗑 {n} items are off the list. What was added since then stays."
    ),
    "undo_todo_several": "{n} new to-do|{n} new to-dos",
    "todo_done_several": "{items}",
    "todo_removed_several": "🗑 Off the list:\n{items}",
    "undo_todo_done": "{n} to-do is open again|{n} to-dos are open again",
    "undo_todo_clear": "the clearing of the list",
    "todo_duplicate": "That is on the list already: ☐ {item}",
    "todo_completed": "☑ {item}",
    "todo_already_done": "That is done already: ☑ {item}",
    "todo_reopened": "Open again: ☐ {item}",
    "todo_changed": "✏️ ☐ {item}",
    "todo_removed": "🗑 Off the list: {item}",
    "todo_unchanged": "Nothing to change: {item}",
    "todo_which": "Which one?",
    "todo_none_called": "Nothing is called “{text}” here.",
    "todo_no_match": "I find nothing open like “{text}”. /todo shows the list.",
    "todo_no_match_new": "I find nothing like “{text}”. /todo shows the list. Or is it something new to do?",
    "todo_ask_edit": "What shall it say instead of “{item}”?",
    "todo_ask_due": "When is “{item}” due? For example: Friday, tomorrow at 5",
    "todo_ask_assign": "Whose is “{item}”? Write a name, for example: Bob, @bob, me",
    "todo_edit_how": "Where does the new text begin? A colon tells me: /todo edit milk: oat milk",
    "todo_edit_unread": "That edit changes nothing on the list. Please say anew what shall be there.",
    "todo_edit_gone": "Done or off the list since, so not added again:\n{items}",
    "todo_edit_stays": "What your message said before stays:\n{items}",
    "todo_there": "{item} is in {place}: it is changed there.",
    "todo_unknown": "I know no such to-do here. /todo shows the list.",
    "todo_nobody": "I know nobody of that name here, or several. /contacts shows whom I know.",
    "todo_reference": "The id in brackets is nobody's I know here. Leave it out, or use one that /contacts shows.",
    "todo_reference_unknown": (
        "The id in brackets is nobody's I know here. Leave it out, or use one that /contacts shows."
    ),
    "todo_long": "That is too long: a to-do has 1,000 characters at most. Shorten it, or make several of it.",
    "todo_many": "These are {count} items, and 50 can be added at once. Send them in several messages.",
    "todo_full": "The list is full: 1,000 are open. Complete or remove some first.",
    "todo_reminders_full": "100 reminders are the limit. Give a day without a time, or cancel one: /tasks",
    "todo_no_time": "I don't understand that time. Examples: tomorrow, Friday at 5pm, 31 December",
    "todo_no_such_year": "I don't understand that time. Examples: tomorrow, Friday at 5pm, 31 December",
    "todo_usage": (
        "/todo shows the list. Then:\n\n"
        "- /todo milk, /todo call Oma tomorrow at 5, /todo add plumber @bob\n"
        "- /todo done milk, /todo done\n"
        "- /todo edit milk: oat milk, /todo due milk Friday, /todo assign milk @bob\n"
        "- /todo reopen milk, /todo remove milk, /todo clear"
    ),
    "undo_todo_add": "the new to-do “{text}”",
    "undo_todo_complete": "“{text}” is open again",
    "undo_todo_reopen": "“{text}” is done again",
    "undo_todo_edit": "the change of “{text}”",
    "undo_todo_assign": "whose “{text}” is",
    "undo_todo_remove": "the removal of “{text}”",
    "undo_todo_restore": "the return of “{text}”",
    "today_title": "📅 **{date}**",
    "today_nothing": "☀️ Nothing is due today. Enjoy it!",
    "tomorrow_nothing": "☀️ Nothing is due tomorrow.",
    "day_nothing": "☀️ Nothing is due then.",
    "today_reminder": "⏰ {clock} {text}",
    "today_reminder_for": "⏰ {clock} {name}: {text}",
    "today_question": "❓ {text}",
    "today_running": "⏳ {text}",
    "today_more": "… and {count} more",
    "today_working": "I'm working on something",
    "menu_todo": "The to-do list",
    "menu_today": "What is on today",
}
