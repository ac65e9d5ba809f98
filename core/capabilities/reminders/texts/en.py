"""What reminders say when they are due, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "edit_unread": "I can't make another time of that edit, so it stays:\n{task}",
    # What stands before a time that is to be another one, and behind it: "no, make it 4", "friday instead".
    "correct_words": (
        "make it|make that|make this|let's make it|let's say|actually|no|nope|wait|sorry|oops|oh|i meant|i mean|rather"
        "|better|i want it|set it to|change it to|change that to|change to|move it to|move that to|instead"
    ),
    "correct_ends": "instead|please|rather|actually|better|sorry|thanks|then|i mean|i meant|pls",
    "reminder": "⏰ {text}",
    "reminder_to": "⏰ {who}: {text}",
    "reminder_from": "⏰ {name} asked me to remind you: {text}",
    "reminder_again": "(once more, {n} of {most})",
    "reminder_link": "↳ {link}",
    "reminder_progress": "{done} of {all}: {people}",
    "reminder_done": "✅ {clock}",
    "reminder_done_by": "✅ {name} {clock}",
    "reminder_stopped": "🗑 Stopped",
    "reminder_put_off": "💤 {when}",
    "reminder_put_off_by": "💤 {name} {when}",
    "reminder_told_done": "{name} ✅ {clock}: {text}",
    "reminder_told_stopped": "{name} doesn't want to be reminded again: {text}",
    "reminder_told_put_off": "{name} 💤 {when}: {text}",
    "reminder_lapsed": "I stop repeating this: {text}",
    "reminder_told_lapsed": "No answer from {name}: {text}",
    "reminder_unseen": "I couldn't remind {name} of “{text}”: {reason}.",
    "reminder_undelivered": "I couldn't deliver “{text}”: {reason}.",
    "answer_undelivered": "I couldn't answer you in {title}: {reason}.",
    "reminder_rests": "{said} It rests now; /tasks shows it and lets it go on.",
    "reminder_unseen_owner": "⚠️ A reminder ({ref}) could not be delivered, and nobody could be told. The log says why.",
    "reminder_paused": "I couldn't deliver “{text}”: {reason}. It rests until that changes; /tasks shows it.",
    "why_blocked": "they have blocked me, or I was removed there",
    "why_never": "they don't talk to me in private",
    "why_gone": "I am not in that group any more",
    "why_muted": "they don't want messages of that kind",
    "why_recipient_limit": "others have made me send 3 messages there within a day, which is the most",
    "why_sender_limit": "you have made me send 10 messages to others within an hour, which is the most",
    "why_refused": "the platform refused the message",
    "maker_gone": "Whoever set this no longer has access to me. It goes on until somebody stops it: {text}",
    "trigger_broken": "⚠️ This failed on my side, so it is paused ({ref}): {text}",
    "trigger_broken_owner": "⚠️ A trigger ({ref}) failed and is paused; the log says why. Who made it knows.",
    "button_done": "Done",
    "button_ten_minutes": "+10 min",
    "button_hour": "+1 h",
    "button_tomorrow": "tomorrow",
    "button_ok": "OK",
    "button_mute": "Mute {name}",
    "button_skip_next": "Skip next",
    "button_pause": "Pause until…",
    "button_stop": "Stop",
}
