"""English: what commands say, and their menu."""

from __future__ import annotations

TEXTS = {
    "undo": "Undo",
    "undone": "↩ Taken back: {what}.",
    "undone_shared": "What you shared here stays as it was said.",
    "undo_nothing": "There is nothing to take back: I only remember what you did here in the last 24 hours.",
    "undo_ask": "Nothing is taken back by that. The last thing here was: {what}.",
    "undo_not_yours": "That stays: only whoever did it can take it back, in the same place and within 24 hours.",
    "posted_stays_done": "“{text}” stays done. A button brings it again.",
    "posted_stays_off": "“{text}” comes again: {moment}. A button ends it.",
    "today_usage": "I can tell what is on at a day: /today, /today tomorrow, /today friday. All reminders: /tasks",
    "undo_done": "That is taken back already.",
    "undo_outdated": "That was changed again since, so I leave it as it is now.",
    "undo_late": "That is more than 24 hours ago; it can't be taken back any more.",
    "undo_language": "the choice of language",
    "undo_timezone": "the choice of time zone",
    "undo_readalong": "the change of reading along",
    "undo_new": "the new beginning; I know again what we talked about",
    "undo_remove": "the removal",
    "undo_restore": "the restored access",
    "undo_pair": "the new access",
    "not_here": "I am not in this chat any more, so nobody here would see it. Add me again, then ask once more.",
    "refused_owner": "Only my owner may do that.",
    "refused_admin": "Only an administrator of this group may do that.",
    "ask_anonymous": "You write as the group, so I can't tell your answer: write all of it anew, in one message.",
    "refused_anonymous": "I can't tell who you are. Turn off “Remain anonymous” in your rights and try again.",
    "refused_guest": "You have no access to me any more. In groups only /privacy, /optout and /forget work for you.",
    "refused_member": "Only administrators of this group, and people my owner has let in, may do that.",
    "failed": "That didn't work.",
    "failed_invalid": "That didn't work: I don't understand what stands behind the command. /help shows what works.",
    "failed_not_permitted": "You may not do that here any more.",
    "failed_too_many": "That didn't work: there are as many of those as there may be.",
    "failed_disabled": "My operator has switched that off.",
    "help_owner": (
        "Because you own me:\n\n"
        "- /invite gives a link for one person, who may then talk to me.\n"
        "- /people shows who may talk to me, and takes access away."
    ),
    "help_threads": "Slash commands don't work in threads. There, mention me and write the command behind: {example}",
    "history_usage": (
        "/history shows the last messages, /history 5 the last five, /history cake what was said about a cake."
    ),
    "history_me": "Teller",
    "history_you": "You",
    "time_unknown": "I don't know the place {place}. Examples: /time Berlin, /time Europe/Berlin",
    "private_only": "Not here: write it to me in our private chat.",
    "groups_only": "That works in a group only.",
    "automatic": "automatic",
    "language_now": "Language: {language}. Choose another:",
    "language_set": "Language: {language}.",
    "language_unknown": "I don't know the language {language}. I know: {known}. Example: /language en",
    "timezone_now": "Time zone: {zone}. Where are you? A town is enough, such as Tokyo, later with /timezone Tokyo",
    "timezone_offers": "London|Berlin|New York|Los Angeles",
    "timezone_set": "Time zone: {zone}.",
    "profile_zone": (
        "🌍 Your profile says {zone} now, so what I do for you at a time of day goes by that. Now at other times:"
    ),
    "profile_zone_keep": "Stay with {zone}",
    "timezone_automatic": "The time zone is the one I was set up with again.",
    # What people say around the name of the place where they are; and what shows that a text names none.
    "place_leads": (
        "in|i'm in|im in|i am in|we're in|we are in|i live in|we live in|i'm living in|i'm based in|based in"
        "|i'm currently in|currently in|i'm from|from|it's|it is|i'm at|near|i'm near|here in"
    ),
    "place_ends": "now|right now|at the moment|currently|time|time zone|timezone|please|here",
    "not_places": (
        "work|home|bed|school|office|meeting|call|bus|train|car|way|hurry|maybe|ok|okay|yes|thanks|thank|hello|hi|hey|what"
        "|monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|evening|night|dinner|lunch|breakfast"
    ),
    "timezone_unknown": "I don't know the place {place}. Examples: /timezone Berlin, /timezone Europe/Berlin",
    "new_usage": "Nothing has changed. By itself, /new leaves alone what we talked about.",
    "new_done": "✨ A new beginning. I leave what we talked about alone; what I remember stays.",
    "id_person": "You: {id}",
    "id_chat": "This chat: {id}",
    "id_thread": "This topic: {id}",
    "standing_owner": "owner",
    "standing_admin": "administrator",
    "standing_member": "member",
    "standing_guest": "guest",
    "standing_stranger": "no access",
    "standing_removed": "removed",
    "status_standing": "You here: {standing}.",
    "status_reads_along": "I read along in this group.",
    "status_reads_not": "I don't read along in this group.",
    "status_reads_blind": "Reading along is on, but I am only sent what is said to me. /readalong on says what helps.",
    "status_language": "Language: {language}.",
    "status_timezone": "Time zone: {zone}.",
    "readalong_usage": "Write /readalong on or /readalong off.",
    "readalong_on": (
        "👀 From now on I read along: I see what you say to each other here and keep it for {days} days, so that I "
        "know what you talk about. Whoever does not want that writes /optout, and /forget erases their own words."
    ),
    "readalong_blind": (
        "I can't read along here: I am only sent what mentions me, replies to me or is a command. Make me an "
        "administrator of this group. Or let my owner switch privacy mode off (@BotFather, /setprivacy, Disable), then "
        "remove me here and add me again. After that write /readalong on once more."
    ),
    "readalong_off": (
        "From now on I don't read along: I only see what is said to me. What I read before goes after {days} days, "
        "or at once with /forget."
    ),
    "readalong_already_on": "I read along here already.",
    "readalong_already_off": "I don't read along here.",
    "retry_usage": "Write /retry and the reference of the message, such as /retry m12ab34.",
    "dropped_kept": "Dropped: I don't answer that any more.",
    "dropped_none": "There is nothing kept any more.",
    "retry_again": "I'll try it again.",
    "retry_at_work": "I'm working on it already.",
    "retry_answered": "That one is answered already.",
    "retry_not_yours": "Only whoever wrote it, or my owner, may do that.",
    "retry_gone": "I don't have its text any more. Please write it again.",
    "retry_unknown": "I know no such message in this chat.",
    "invite_nobody": "Nobody else can talk to me on this console. Invite from a chat app, such as Telegram.",
    "invite_usage": "Write /invite alone: it gives a link for one person.",
    "invite_link": "Send this link to one person; whoever opens it first within 24 hours may talk to me:\n\n{link}",
    "invite_word": (
        "Let one person write this to me; whoever does so first within 24 hours may talk to me:\n\n`/start {word}`"
    ),
    "people_title": "Who may talk to me:",
    "people_line": "- {address} · {standing} · {name}",
    "people_unseen": "- {address} · has not written yet",
    "people_whole": "- everybody of this workspace (full members; guests only by name)",
    "people_none": "Nobody on this page.",
    "people_groups": "My groups:",
    "people_remove": "Remove {name}",
    "people_restore": "Restore {name}",
    "people_usage": (
        "Write /people, /people 2, /people remove and an id such as p12ab34 or an address such as tg:1002, or "
        "/people restore."
    ),
    "more": "More",
    "person_removed": "{name} ({address}) has no access any more.",
    "person_restored": "{name} ({address}) has access again.",
    "person_already": "{name} ({address}): nothing to change.",
    "person_owner": "{name} ({address}) is an owner. Owners are named in the configuration and can't be removed here.",
    "person_unknown": "I know no such person. /people shows everybody.",
    "pair_usage": "Write /pair and the code, or /pair deny and the code.",
    "pair_allowed": "✅ {name} ({address}) may talk to me now.",
    "pair_denied": "{name} ({address}) stays out. I don't tell them.",
    "pair_used": "That code is used up already.",
    "pair_old": "That code is too old; they can ask again.",
    "pair_unknown": "I know no such code.",
    "pairing_welcome": "You may talk to me now. /help shows what works.",
    "privacy_private": "**What I see:** what you write to me here, with the files you send.",
    "privacy_group": (
        "**What I see:** I am sent all messages here, but I don't read along: what you say to each other I neither "
        "keep nor use."
    ),
    "privacy_group_blind": (
        "**What I see:** what mentions me, replies to me or is a command. I am not sent what you say to each other."
    ),
    "privacy_reads_along_blind": (
        "**What I see:** what mentions me, replies to me or is a command. Reading along is on, but I am not sent what "
        "you say to each other. When I am, I keep it for {days} days."
    ),
    "privacy_reads_along": (
        "**What I see:** everything that is said here, since an administrator has switched reading along on. "
        "What is not said to me I keep for {days} days."
    ),
    "privacy_kept": (
        "**What I keep:** this chat's history, until it is forgotten. As it came in: {inbox} days; as it went out: "
        "{outbox} days; the steps of my answers: {journal} days; files: {files} days. A record of what I did stays; "
        "its texts can be erased."
    ),
    "privacy_readers": (
        "**Who can read it:** whoever runs this bot. If a model answers, its provider sees what the answer needs."
    ),
    "privacy_ways": "/forget erases what I keep of you. In groups /optout makes me ignore you.",
    "privacy_ways_group": "/optout makes me ignore you here, /forget erases your own words in this group.",
    "optout_on": "🙈 From now on I ignore what you write here and keep none of it. What I kept goes with /forget.",
    "optout_off": "I listen to you here again.",
    "optout_private": (
        "Here I only hear what you write to me. If you don't want that, don't write. /forget erases what I have. "
        "In a group /optout makes me ignore you."
    ),
    "optout_usage": "Write /optout, or /optout off to be heard again.",
    "listen_again": "Listen to me again",
    "forget_ask": (
        "Shall I forget everything of this chat? That is its history ({what}), with questions, language and time zone. "
        "It can't be taken back. Your access stays."
    ),
    "forget_ask_group": (
        "Shall I forget what you said in this group, and what I answered you? That is {what}. It can't be taken back. "
        "What others said stays, and what I answered them. To do it, write /forget me"
    ),
    "forget_none": "no messages",
    # How many there are of something, in the forms of the language; and the signs of a list of such.
    "count_messages": "{n} message|{n} messages",
    "count_files": "{n} file|{n} files",
    "count_triggers": "{n} reminder or other thing scheduled|{n} reminders and other things scheduled",
    "count_todos": "{n} open to-do|{n} open to-dos",
    "count_people": "{n} contact|{n} contacts",
    "count_own_triggers": "{n} reminder you set|{n} reminders you set",
    "count_own_todos": "{n} to-do you noted|{n} to-dos you noted",
    "count_own_people": "what I know of you as a contact",
    "list_more": "{before}, {last}",
    "list_last": "{before} and {last}",
    "list_also": "{before}, {last}",
    "named": "{name}: {text}",
    "aside": "{text} ({aside})",
    "forget_everything": "Forget everything",
    "forget_me": "Forget my words",
    "keep": "Keep",
    "forget_usage": (
        "Nothing was forgotten. By itself, /forget asks whether I shall forget everything; /memory shows what I "
        "remember, to be forgotten one by one."
    ),
    "forget_kept": "Nothing was forgotten.",
    "forgotten": "🧹 Forgotten. We begin anew.",
    "forgotten_group": (
        "🧹 Forgotten: what you said here, and what I answered you. What others said of you, and my answers to them, "
        "stay; so do the messages in the chat itself."
    ),
    "page_todos": "To do",
    "page_no_todos": "Nothing to do.",
    "page_done": "☑ Done",
    "page_reminders": "Reminders",
    "page_no_reminders": "Nothing is scheduled.",
    "page_reminder": "⏰ {when}: {text}",
    "page_hour_later": "+1 h",
    "page_cancel": "Cancel",
    "page_settings": "Settings",
    "hush_done": "🤫 Mention me when you need me.",
    "hush_nothing": (
        "There is nothing to hush: here I only answer when I'm mentioned. Where I go on in a thread, write it there."
    ),
    # What is said in private for /help.
    "help_words": "help|help me|commands",
    # What makes the bot stop answering in a thread.
    "hush_words": (
        "hush|hush now|shush|shh|be quiet|be silent|quiet please|stop talking|stop answering|stop replying|shut up"
        "|stop answering me|be quiet now"
    ),
    "shared_by_you": "↪ Shared",
    "shared": "{answer}\n\n↪ Shared by {name}",
    "share_usage": "That shows everybody an answer that only you see: the button below such an answer does it.",
    "menu_start": "Say hello",
    "menu_help": "What I can do",
    "menu_stop": "Stop what I'm doing",
    "menu_new": "Begin a new conversation",
    "menu_status": "How I am",
    "menu_undo": "Take back the last change",
    "menu_language": "Choose the language",
    "menu_timezone": "Choose the time zone",
    "menu_privacy": "What I see and keep",
    "menu_optout": "Make me ignore you here",
    "menu_forget": "Erase what I keep of you",
    "menu_time": "What time it is",
    "menu_history": "What was said here, also about something",
    "menu_id": "The ids of you and this chat",
    "menu_readalong": "Let me read along, or not",
}
