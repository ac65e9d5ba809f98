"""Hooks, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "hook_usage": (
        "Write /hook new message deploys for an address at which other programs leave messages for this chat, or "
        "/hook new task and what I am to do with what they send. /hook shows what there is."
    ),
    "hook_made_message": "🪝 What a program posts here is said in the chat, as **{name}**:\n\n{url}",
    "hook_made_task": "🪝 What a program posts here starts the task **{name}**:\n\n{url}",
    "hook_key": "It has to be signed as GitHub does (X-Hub-Signature-256), with this key as the secret:\n\n{secret}",
    "hook_shown_once": (
        "I show this only now and keep it nowhere. Whoever has it can post here: give it to nobody but the program. "
        "/hook shows, pauses and removes it."
    ),
    "hook_made_here": "🪝 The hook **{name}** of this chat is made. Its address is in your private chat with me.",
    "hook_list": "🪝 **Hooks of this chat**",
    "hook_none": "There is no hook here. /hook new message deploys makes one.",
    "hook_is_message": "says what is posted",
    "hook_is_task": "starts a task: {prompt}",
    "hook_used": "{times}, last {at}",
    "hook_times": "used {n} time|used {n} times",
    "hook_unused": "not used yet",
    "hook_signed": "only what is signed",
    "hook_by": "of {person}",
    "hook_paused_asked": "paused",
    "hook_paused_access": "paused, since who made it has no access any more",
    "hook_paused_left": "paused, since who made it has left the group",
    "hook_pause": "⏸ {name}",
    "hook_resume": "▶️ {name}",
    "hook_remove": "🗑 {name}",
    "hook_paused": "⏸ **{name}** rests: who posts there is refused.",
    "hook_resumed": "▶️ **{name}** goes on, with your rights.",
    "hook_removed": "🗑 **{name}** is removed. Its address leads nowhere now.",
    "hook_no_access": "⏸ The hook **{name}** rests: who made it has no access any more. /hook lets it go on.",
    "hook_no_access_owner": "⏸ A hook of {person} was used, who has no access any more. It rests now.",
    "failed_hook_unknown": "There is no such hook here. /hook shows what there is.",
    "failed_hook_several": (
        "{n} hooks here are called {name}: {refs}. Give the id of the one you mean, or press its button: /hook."
    ),
    "failed_hook_too_many": "That would be more than {most} hooks. Remove one first: /hook.",
    "failed_hook_needs_member": "A hook needs somebody to whom my owner has given access.",
    "hook_no_url": (
        "No program reaches me yet: whoever runs me has to say at which address I can be reached (http.port and "
        "http.public_url in the configuration)."
    ),
    "hook_no_key": (
        "I cannot keep a key encrypted: whoever runs me has to set secret_key in the configuration. Without "
        "“signed” it works."
    ),
    "hook_no_prompt": "What shall I do with what is posted? /hook new task look at the alert and tell us what to do",
    "hook_no_model": "Without a model I can work on no tasks. /hook new message says what is posted.",
    "hook_long": "That is too long: {most} characters at most.",
    "hook_private_first": "The address is only for you: write to me in private first, then again here.",
    "count_hooks": "{n} hook|{n} hooks",
}
