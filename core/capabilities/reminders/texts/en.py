"""What is said of reminders when they are set, when they are due and when they are answered, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # What stands before a time that is to be another one, and behind it: "no, make it 4", "friday instead".
    "correct_words": (
        "make it|make that|make this|let's make it|let's say|actually|no|nope|wait|sorry|oops|oh|i meant|i mean|rather"
        "|better|i want it|set it to|change it to|change that to|change to|move it to|move that to|instead"
    ),
    "correct_ends": "instead|please|rather|actually|better|sorry|thanks|then|i mean|i meant|pls",
    "reminder": "⏰ {text}",
    "reminder_to": "⏰ {who}: {text}",
    "reminder_to_from": "⏰ {who} (from {name}): {text}",
    "reminder_everybody": "⏰ {who}: {text}\n👥 for {n} people",
    "reminder_everybody_more": "⏰ {who} ↓",
    "reminder_from": "⏰ {name} asked me to remind you: {text}",
    "reminder_again": "(once more, {n} of {most})",
    "reminder_link": "↳ {link}",
    "reminder_progress": "{done} of {all}: {people}",
    "reminder_done": "✅ {clock}",
    "reminder_done_by": "✅ {name} {clock}",
    "reminder_closed": "· closed by {name}",
    "reminder_stopped": "🗑 Stopped",
    "reminder_put_off": "💤 {when}",
    "reminder_put_off_by": "💤 {name} {when}",
    "reminder_told_done": "{name} ✅ {clock}: {text}",
    "reminder_told_stopped": "{name} doesn't want to be reminded again: {text}",
    "reminder_told_back": "{name} takes that back: {text}",
    "reminder_told_put_off": "{name} 💤 {when}: {text}",
    "reminder_lapsed": "I stop repeating this: {text}",
    "reminder_told_lapsed": "No answer from {name}: {text}",
    "reminder_unseen": "I couldn't remind {name} of “{text}”: {reason}.",
    "reminder_undelivered": "I couldn't deliver “{text}”: {reason}.",
    "outcome_meanwhile": "While I could not reach this chat, this came of “{text}”:\n\n{said}",
    "answer_undelivered": "I couldn't answer you in {title}: {reason}.",
    "reminder_rests": "{said} It rests now; /tasks shows it and lets it go on.",
    "reminder_unseen_owner": "⚠️ A reminder ({ref}) could not be delivered, and nobody could be told. The log says why.",
    "reminder_waits": "{said} It rests until that changes.",
    "why_blocked": "they have blocked me, or I was removed there",
    "why_left": "they have left the group",
    "why_never": "they don't talk to me in private",
    "why_gone": "I am not in that group any more",
    "why_muted": "they don't want messages of that kind",
    "why_recipient_limit": "others have made me send 3 messages there within a day, which is the most",
    "why_sender_limit": "you have made me send 10 messages to others within an hour, which is the most",
    "why_forgotten": "what I kept of the chat where it was due has been erased",
    "why_refused": "the platform refused the message",
    "maker_gone": "Whoever set this no longer has access to me. It goes on until somebody stops it: {text}",
    "trigger_broken": "⚠️ This failed on my side, so it is paused ({ref}): {text}",
    "trigger_broken_owner": "⚠️ A trigger ({ref}) failed and is paused; the log says why. Who made it knows.",
    "watch_unjudged": (
        "⚠️ Three times the model gave no answer to whether this has happened, so I no longer "
        "look ({ref}). Resume it, or set it anew in other words: {text}"
    ),
    "watch_unjudged_owner": (
        "⚠️ The model gave no answer to a condition ({ref}) three times, so it is paused; the "
        "log says why. Who made it knows."
    ),
    "watch_refused": "⚠️ I cannot look whether this has happened: it fails on my side. I keep trying ({ref}): {text}",
    "trigger_refused": "⚠️ This is due, but fails on my side; I keep trying ({ref}): {text}",
    "trigger_refused_owner": (
        "⚠️ The database refuses what is due ({ref}); I keep trying. The log says why. Who made it knows."
    ),
    "button_done": "Done",
    "button_ten_minutes": "+10 min",
    "button_hour": "+1 h",
    "button_tomorrow": "tomorrow",
    "button_ok": "OK",
    "button_mute": "Mute {name}",
    "button_skip_next": "Skip next",
    "button_pause": "Pause until…",
    "button_stop": "Stop",
    "undo_for": "Undo: {name}",
    "zone_guessed": (
        "I don't know what time it is where {name} is, so I took {zone}. /contacts zone {name} and a town changes that."
    ),
    # Setting one.
    "every_words": "every",
    "remind_usage": (
        "Write when and what: /remind tomorrow at 9 call Oma, /remind me in 20 minutes to stretch, /remind Bob on "
        "Friday at 3 to send the report, /remind everybody every weekday at 9:30 stand-up. Or reply to a message with "
        "/remind tomorrow at 9."
    ),
    "every_usage": "Write how often, when and what: /every weekday at 9:30 stand-up, /every other Monday at 10 bins",
    # What says that a reminder is done.
    "done_words": "taken care of",
    # Nods that may as well be answers to a question.
    "assent_words": "yes|yep|yeah|sure|alright|all right",
    "about_this": "{rest} of this",
    # What puts a reminder off, whenever to.
    "snooze_words": "snooze|later today|not yet",
    # What beside a time, at either side, says nothing of it.
    "remind_more": (
        "again|then|once more|instead|please|pls|and|so|maybe|about it|about that|of it|of that|about this|remind me"
        "|let me know|nudge me|ping me|alert me"
    ),
    "remind_whom": "Whom shall I remind? Write a name, for example: /remind Bob at 9 to call",
    "each_day": "every day at {rest}",
    "ask_when": "When exactly? “{text}” – for example: tomorrow at 5pm",
    "ask_day": "On which day, and when? “{text}” – for example: tomorrow at 9, Friday at 5pm",
    "ask_what": "What shall I remind you of?",
    "ask_what_when": "What shall I remind you of, and when?",
    "reminder_dropped": "Dropped.",
    "reminder_too_long": "That is too long: a reminder has 1,000 characters at most.",
    "time_but_holidays": (
        "I can leave out holidays of what comes by days, where your time zone is that of a country (/timezone Berlin)."
        " When exactly? “{text}”"
    ),
    "time_ends_before": (
        "It would end before its first time. When exactly? “{text}” – for example: every day at 9 until Friday"
    ),
    "time_impossible": "There is no such time. When exactly? “{text}” – for example: tomorrow at 9, Friday at 5pm",
    "time_instead": "When instead? “{text}” – for example: tomorrow at 9, Friday at 5pm",
    "time_offers": "In 1 hour|Tonight|Tomorrow 9:00",
    "was_due": "“{text}” was due {duration} ago, while I was offline.",
    "remind_now": "Remind me now",
    "from_now": "In {wait} from now",
    "drop": "Drop",
    "too_quick": "That is too often: once a minute is the most. For example: /every minute breathe",
    "clash": "🗓 You have {title} then.",
    "comes_here": "It comes here, where everybody sees it.",
    "comes_to_you": "It comes in your own chat with me, where only you see it.",
    "in_group_instead": "In {group} instead",
    "undo_done_reminder": "the ✅ of “{text}”",
    "undo_put_off": "the later time of “{text}”",
    "undo_reminder": "the reminder “{text}”",
    "undo_place_reminder": "where “{text}” comes",
    # Those that were posted.
    "posted_unknown": "I don't see which reminder you mean: reply to it, or press its buttons.",
    "posted_none": "👌 No reminder is waiting for an answer.",
    "posted_none_later": (
        "No reminder is waiting for an answer. For a new one say what it is about: remind me in 10 minutes to stretch"
    ),
    "posted_which": "Which one do you mean?",
    "posted_drop": "“{text}” waits for an answer: “done” ends it, a time such as “in 2 hours” puts it off.",
    "posted_not_yours": "That reminder is for somebody else.",
    "posted_settled": "All whom it is for have done that, or put it off themselves.",
    "posted_past": "That is over already. For example: /snooze in 2 hours, /snooze tomorrow at 9",
    "snooze_usage": "Write when it shall come again: /snooze in 2 hours, /snooze tomorrow at 9",
    "ask_later": "When shall it come again? For example: in 2 hours, tomorrow at 9",
    "menu_remind": "Remind me or others",
    "menu_every": "Remind again and again",
}
