"""One person on several platforms, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "link_code": (
        "🔗 If you also talk to me elsewhere, you can be one person for me. Within 10 minutes write this to me there, "
        "in our private chat:\n\n**{line}**\n\nOn Slack that is {on_slack}. Then I ask you there "
        "and here. Give the code to nobody, and write none that somebody else gave you."
    ),
    "link_first": (
        "Between two platforms the owners on both sides have to allow it first: each writes /link allow to me."
    ),
    "link_list": "Already linked with you:",
    "link_line": "- {name} on {platform} ({account})",
    "link_usage": (
        "Write /link for a code, then /link and that code to me on the other platform. /unlink ends a link. "
        "My owners write /link allow or /link forbid."
    ),
    "link_confirm": (
        "🔗 This code is that of {name} on {platform} ({account}). Is that you? Then whoever uses that account sees "
        "and changes your private to-dos and reminders. If somebody gave you the code, press No."
    ),
    "link_yes": "Yes, that is me",
    "link_drop": "No",
    "link_dropped": "🔗 What I asked on the other platform is taken back. Nothing is linked.",
    "link_asked": "🔗 Good. Now I ask you on {platform}: press the button there within the ten minutes of the code.",
    "link_ask": (
        "🔗 {name} on {platform} ({account}) has written your code and wants to be one person with you. If that is not "
        "you, press No. Else you see each other's:"
    ),
    "link_share_todos": "Reminders and to-dos",
    "link_no": "No",
    "link_made": (
        "🔗 Linked with {name} on {platform} ({account}). /todo, /today and /tasks in our private chats show the "
        "to-dos and reminders of both. Each reminder comes where it was set. /unlink ends it."
    ),
    "link_was_denied": "Not linked with {name} on {platform} ({account}).",
    "link_denied": "🔗 {name} on {platform} ({account}) said no. You are not linked.",
    "link_unknown": "I don't know that code. Write /link on the other platform for a new one.",
    "link_used": "That code was used already. Write /link on the other platform for a new one.",
    "link_old": "That is too late: a code works for ten minutes. Write /link for a new one.",
    "link_own": "That is your own code. Write it to me on the other platform.",
    "link_already": "These two are linked already.",
    "link_full": "There are as many links as there may be: five. /unlink ends one.",
    "link_too_many": "That was wrong too often. Try again in {wait}.",
    "link_no_button": "Only the buttons of my question can answer that.",
    "link_not_allowed": "That has to be allowed first: {sides}, with /link allow. Then write the code again.",
    "link_side": "by my owner on {platform}",
    "link_sides": "{one} and {other}",
    "link_allowed": "🔗 People here may be one person with themselves elsewhere, where the owner there allows it too.",
    "link_forbidden": "🔗 Nobody here may be linked with other platforms any more. Links that ended: {count}.",
    "link_none": "There is no such link. /link makes one.",
    "link_which": "Which link shall end?",
    "link_end": "{name} on {platform}",
    "link_ended": "🔗 The link with {name} on {platform} ({account}) has ended. Neither sees the other's things now.",
    "tasks_linked": "🔗 {title}",
    "todo_linked": "From your other platforms:",
}
