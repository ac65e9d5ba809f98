"""What the windows of Slack say, in English. A title has room for 24 characters."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "slack_submit": "Send",
    "slack_submit_reminder": "Remind me",
    "slack_submit_todo": "Add",
    "slack_somebody": "somebody",
    "slack_close": "Cancel",
    "slack_answer_title": "Your answer",
    "slack_answer_label": "Answer",
    "slack_reminder_title": "Remind me about this",
    "slack_reminder_when": "When",
    "slack_reminder_what": "What",
    "slack_todo_title": "New to-do",
    "slack_todo_what": "What is to be done",
    "slack_todo_due": "Due",
    "slack_choose": "Choose…",
    "slack_empty": "Please write something.",
    "slack_past": "That is in the past.",
    # The people of a conversation without a name: "Ann, Bob and Chen".
    "slack_together": "{names}, {name}",
    "slack_together_last": "{names} and {name}",
    "slack_thinking": "is thinking…",
    "own_list": "In your own list: I am not in this channel.",
}

# What is worded otherwise there. A doubled slash is a command of another platform, or of Slack itself.
TEXTS |= {
    "slack:not_here": "I am not in this channel. Invite me: `//invite @Teller`, then ask once more.",
    "slack:own_list": "In your own list: I am not in this channel. Invite me: `//invite @Teller`",
    "slack:group_intro": (
        "Hello! I answer here when you mention me or use a command; in a thread I go on with whom I answered last, "
        "until they mention somebody else or write “hush”. I keep what is said to me and what I answer; what you say "
        "to each other I neither keep nor use.\n\n"
        "/privacy says more, /optout makes me ignore you, /help shows what I can do."
    ),
    "slack:readalong_blind": (
        "I can't read along here: I am only sent what mentions me, and commands. Whoever made my app has to give it "
        "the scopes and events of the profile “channels” in its manifest, and install it again. After that write "
        "/readalong on once more."
    ),
    "slack:why_gone": (
        "I am not in that channel, or it takes no messages any more. To invite me, write `//invite @Teller` there"
    ),
    "slack:why_blocked": (
        "they cannot be reached, or I am not in that channel. To invite me, write `//invite @Teller` there"
    ),
    "slack:link_usage": (
        "Write /link for a code, then //link and that code to me on the other platform. /unlink ends a link. "
        "My owners write /link allow or /link forbid."
    ),
    "slack:link_first": (
        "Between two platforms the owners on both sides have to allow it first: each writes //link allow to me (on "
        "Slack /link allow)."
    ),
    "slack:link_unknown": "I don't know that code. Write //link on the other platform for a new one.",
    "slack:link_used": "That code was used already. Write //link on the other platform for a new one.",
    "slack:link_not_allowed": (
        "That has to be allowed first: {sides}, with //link allow (on Slack /link allow). Then write the code again."
    ),
}
