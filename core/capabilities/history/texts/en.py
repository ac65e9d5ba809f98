"""What was said, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "history_brought": "{name} (in {source})",
    "history_in_part": "{source}, {part}",
    "part_page": "page {n}",
    "part_sheet": "sheet {n}",
    "part_slide": "slide {n}",
    "part_chapter": "chapter {n}",
    "part_entry": "entry {n}",
    "history_found": "🔎 What was said about “{words}”:",
    "history_nothing": "I found nothing that was said here about “{words}”.",
    "history_quote": "{name}, {when}: {text}",
    "summary_title": "🗞 {group}: {count} since {since}",
    "summary_messages": "{n} message|{n} messages",
    "summary_silent": "🗞 {group}: nothing was said since {since}.",
    "summary_newest": "Only the newest {n} of them are in this.",
    "summary_open": "❓ Open questions",
    "summary_answered": "💬 Answered questions",
    "summary_decided": "✅ Decided",
    "summary_decision": "{name}: {answer} ({question})",
    "summary_noted": "📝 New on the list",
    "summary_done": "☑ Done",
    "summary_times": "🗓 With a time",
    "summary_only_talk": "No questions, no dates, and nothing new on the list.",
    "summary_since_words": "since|from|for the last|for|the last|the past|last",
    "summary_yesterday": "yesterday",
    "summary_usage": (
        "/summary tells you what was said since you last wrote, /summary since monday or /summary 3 days since then. "
        "In a group an administrator may write /summary every friday at 17, and /summary off."
    ),
    "summary_which": "Of which group?",
    "summary_no_group": "There is no group that I read along in and that you are in.",
    "summary_not_read": (
        "I don't read along here, so I can't tell. An administrator may change that with /readalong on."
    ),
    "summary_sent": "🗞 I'm sending it to you in private.",
    "summary_start": "I can't write to you in private yet: open {link} and press Start. Then write /summary there.",
    "summary_start_here": "I can't write to you in private yet: write to me there, and then /summary.",
    "summary_name": "a summary of what was said",
    "summary_scheduled": "🗞 {rule} I sum up here what was said since the last time, first {next}.",
    "summary_stopped": "I no longer sum up anything here by myself.",
    "summary_ended": "🗞 I don't read along here any more, so the regular summary has ended.",
    "summary_not_scheduled": "I don't sum up anything here by myself.",
    "menu_summary": "What you missed in a group",
}
