"""English."""

from __future__ import annotations

from datetime import datetime

from core.kernel.types import Millis
from core.language import Language, patterns, units
from core.language.en.places import PLACES
from core.language.en.texts import TEXTS as COMMANDS
from core.language.grammar import lazily

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
UNITS = {"day": "d", "hour": "h", "minute": "min", "second": "s"}


def duration(length: Millis) -> str:
    """Such as "2 h 5 min"."""
    return " ".join(f"{n} {UNITS[unit]}" for n, unit in units(length))


def clock(at: datetime) -> str:
    """Such as "17:00"."""
    return f"{at:%H:%M}"


def date(at: datetime) -> str:
    """Such as "Friday 27 November 2026"."""
    return f"{DAYS[at.weekday()]} {at.day} {MONTHS[at.month - 1]} {at.year}"


def moment(at: datetime) -> str:
    """Such as "Fri 27 Nov 17:00"."""
    return f"{DAYS[at.weekday()][:3]} {at.day} {MONTHS[at.month - 1][:3]} {at:%H:%M}"


TEXTS = {
    "greeting": "Hi! I'm Teller. Ask me something, or say “help” to see what works.",
    "greeting_named": "Hi {name}! I'm Teller. Ask me something, or say “help” to see what works.",
    "help": (
        "I'm Teller, an assistant that lives in your chat.\n\n"
        "- I remind you: “remind me tomorrow at 9 to call Oma”, “remind us every weekday at 9:30 stand-up”. Answer a "
        "reminder with “in 2 hours” or “done”. /tasks shows what is scheduled.\n"
        "- I keep your list: “add milk to my list”, “what's on my list?”, or /todo and /lists. /today shows what is "
        "on, /brief 7:30 tells you each morning.\n"
        "- Just write: I answer, one message after the other, and none gets lost.\n"
        "- Reminders, lists and /today work without any model. So do the time and date (“what time is it in Tokyo?”), "
        "“echo hello” and “are you ok?”.\n"
        "- /remind also understands times in many other languages: “/remind morgen um 17:00 Oma anrufen”.\n"
        "- /help shows this, /status how I am, /new begins anew, /undo takes back, /stop stops me.\n"
        "- /language and /timezone set what they say; /privacy and /forget are about what I keep of you."
    ),
    "thanks": "You're welcome!",
    "nod": "👌",
    "bye": "Bye! I'm here when you need me.",
    "time_is": "It is {clock} ({zone}).",
    "no_such_day": "There is no such day.",
    "date_is": "Today is {date} ({zone}).",
    "date_in": "{date}, in {days} days",
    "date_ago": "{date}, {days} days ago",
    "week_is": "Today is {date}, week {week} ({zone}).",
    "week_of": "{date} is in week {week}.",
    "echo": "{text}",
    "tool_failed": "That didn't work: {error}",
    "history_title": "The last things you said:",
    "history_line": "- {text}",
    "history_none": "I have nothing from you here yet.",
    "no_model": (
        "I can't answer that: no model is configured. What works without one: reminders (“remind me tomorrow at 9 to "
        "call Oma”), your list (“add milk to my list”), /today, the time and date. /help shows more."
    ),
    "model_unreachable": (
        "I can't answer that now: the model is unreachable. What works without it: reminders (“remind me tomorrow at 9 "
        "to call Oma”), your list (“add milk to my list”), /today, the time and date. /help shows more."
    ),
    "no_model_short": "I can't answer that without a model.",
    "model_unreachable_short": "I can't answer that now: the model is unreachable.",
    "model_refused_short": "I can't answer that: the model's provider still refuses.",
    "budget_spent_short": "I can't answer that before tomorrow: today's budget for the model is spent.",
    "share_spent_short": "I can't answer that before tomorrow: your share of today's budget is used up.",
    "offer_remind": "Remind me",
    "offer_add": "Add to my list",
    "remind_foreign": "To be reminded, write /remind first, then when and what: /remind {text}",
    "one_wish": "One at a time, please: a message for each of them.",
    "ask_rest_again": "That is all I can do at once. Please ask the rest again.",
    "wish_too_long": "That is too long for me to read without a model: what you wish for has 2,000 characters at most.",
    "remind_watching": (
        "I can't look out for that by myself: without a model I know times, not what happens. Say when: /remind "
        "tomorrow at 9 look at the weather"
    ),
    "model_unreachable_kept": "The model is unreachable. I keep your question and answer when it is back.",
    "drop_kept": "Drop",
    "model_refused": (
        "I can't answer: the model's provider refused the request. The operator has to look at it. What works without "
        "the model: reminders, your list, /today, the time and date. /help shows how."
    ),
    "model_trouble_owner": (
        "⚠️ The model cannot be used. {reason}\n\nUntil that is mended I do what needs no model. This message changes "
        "when the model answers again."
    ),
    "model_trouble_over": "✅ The model answers again, after {duration}. It was: {reason}",
    "model_refused_owner": "⚠️ The model refused a request. {reason}",
    "budget_spent": (
        "Today's budget for the model is spent, so I can't answer that before tomorrow. What works without it: "
        "reminders, your list, /today, the time and date. /help shows how."
    ),
    "share_spent": (
        "Your share of today's budget is used up, so I can't answer that before tomorrow. What works without the "
        "model: reminders, your list, /today, the time and date. /help shows how."
    ),
    "model_said_nothing": "The model gave no answer to that. Try to put it differently.",
    "model_said_nothing_after": "The model gave no answer to that. But I have {done}.",
    "files_kept": "I got your {files}. Without a model I can't look at it; it is kept.",
    "files_not_kept": "I could not keep your {files}: {reason}.",
    "file_too_big": "it is too big",
    "file_unfetched": "it could not be fetched",
    "file_no_room": "there is no room on my disk",
    "file_over_quota": "the space for files here is used up",
    "file_gone": "it was erased",
    "kind_photo": "photo",
    "kind_document": "file",
    "kind_voice": "voice message",
    "kind_audio": "audio file",
    "kind_video": "video",
    "kind_animation": "animation",
    "kind_video_note": "video message",
    "withheld": "The model's provider withheld this answer (content filter).",
    "late": "{duration} late.",
    "late_offline": "{duration} late – I was offline.",
    "late_model": "{duration} late – the model was unreachable.",
    "gave_up": "⚠️ I couldn't finish this one (ref {ref}). It is kept.",
    "gave_up_owner": "⚠️ I gave up on a message (ref {ref}): {reason}",
    "question_broken_owner": "⚠️ A question ({ref}) could not be ended and is withdrawn; the log says why.",
    "file_refused": "⚠️ I could not send you the file {name}: it was refused here. The owner can see why.",
    "send_in_doubt_owner": (
        "⚠️ A message to {chat} may not have arrived (ref {ref}): the connection broke while sending. "
        "I hold it and don't send it again by myself."
    ),
    "try_again": "Try again",
    "answer_button": "✍️ Answer…",
    "skip": "Skip",
    "question_by_reply": "Reply to this message to answer in your own words.",
    "question_default": "⏱ In {duration}: {default}",
    "question_expired": "⏱ No answer in time: {default}",
    "question_timeout": "⏱ No answer in time.",
    "question_skipped": "⏭ Skipped.",
    "question_stopped": "⏹ The task was stopped.",
    "question_answered": "You chose “{answer}”.",
    "question_defaulted": "No answer came, so I go with “{answer}”.",
    "question_unanswered": "No answer came in time.",
    "demo_question": "Tea or coffee?",
    "demo_first": "Tea",
    "demo_second": "Coffee",
    "already_answered": "Already answered.",
    "answer_too_late": "That question has run out.",
    "answer_unasked": "That question is asked no more.",
    "not_your_question": "This question is for somebody else.",
    "edit_changes_nothing": "That edit changes nothing; please say it anew.",
    "share": "Share here",
    "installed": (
        "I am installed here, and you are my owner. Write **/help** to see what I can do. **/people** shows who "
        "else may use me, and **/invite** lets people in one by one."
    ),
    "not_set_up": "I'm not set up for you. Ask {lead}.",
    "not_set_up_alone": "I'm not set up for you. Ask whoever looks after me here.",
    "not_your_button": "This button is for somebody else.",
    "already_pressed": "Already done.",
    "unknown_button": "This button no longer works.",
    "cancelled": "⏭ Skipped.",
    "nothing_to_cancel": "There is no open question.",
    "stopped": "⏹ Stopped. Nothing had been done yet.",
    "stopped_after": "⏹ Stopped. By then I had {done}.",
    # What a tool did, else what those of its family do.
    "did_contacts_send": "sent a message for you",
    "did_schedule": "set a reminder",
    "did_schedule_once": "set a reminder",
    "did_schedule_cron": "set a reminder",
    "did_set_reminder": "set a reminder",
    "did_cancel_schedule": "cancelled a reminder",
    "did_in_chat": "changed something in this chat",
    "did_in_contacts": "changed the contacts",
    "did_in_custom": "used a tool of your own",
    "did_in_governance": "noted a decision",
    "did_in_links": "changed what is linked",
    "did_in_people": "changed who has access",
    "did_forget": "changed what is kept of you",
    "did_in_schedule": "changed a reminder",
    "did_in_settings": "changed a setting",
    "did_in_tasks": "cancelled a reminder",
    "did_in_todo": "changed the to-do list",
    "done_after_others": "After reading what others wrote I {done}.\n↩ {undo}",
    "stopped_unfinished": "⚠️ What could not be broken off and may still be at work: {tools}.",
    "stopped_waiting": "⏹ Stopped. Left unanswered: {count}.",
    "nothing_to_stop": "There is nothing to stop.",
    "ignored_press": "You asked me to ignore you here. /optout off changes that.",
    "invite_refused": "{name} opened your invitation, but was removed before. /people lets them back in.",
    "invite_used": "{name} opened your invitation and may talk to me now. /people shows everybody.",
    "pairing_code": (
        "I don't know you yet. Your code is **{code}**. I have asked my owner; tell them the code, so that they know "
        "it is you. It works for a day."
    ),
    "pairing_owner": "{name} ({address}) would like to talk to me. Code: **{code}**.",
    "allow": "Allow",
    "deny": "Deny",
    "group_intro": (
        "Hello! I answer here when you mention me, reply to me or use a command; where I am sent all messages, also "
        "when you begin with my name. I keep what is said to me and what I answer; what you say to each other I "
        "neither keep nor use.\n\n"
        "/privacy says more, /optout makes me ignore you, /help shows what I can do."
    ),
    "stray_group_owner": "{name} ({address}) added me to the group “{title}”. They have no access, so I left it.",
    "organisation_gone_owner": (
        "⚠️ Slack installations of whole organisations are no longer served, and there is one: {name}. Its workspaces"
        " get no answers until the app is installed in each of them by its page (slack/install). What I know is kept."
    ),
    "preset_owner": (
        "With the model I am an assistant now: I set, move and cancel reminders, keep lists, note contacts and send "
        "messages myself, and show what I did with its buttons. `roles.preset: {preset}` of your configuration means "
        "that; `strict` gives the model only what the permission matrix names."
    ),
    "platform_down_owner": (
        "⚠️ {platform} is down: its token is rejected. The rest goes on.\n{why}\nPut it right and start me again."
    ),
    "left_own_ended": (
        "👋 You are not in {title} any more, so what you had set there for yourself has ended. To be reminded of it "
        "all the same, set it here:\n{items}"
    ),
    "left_own_ended_meanwhile": (
        "👋 While I could not reach you, you counted as gone from {title}, so what you had set there for yourself has "
        "ended. To be reminded of it all the same, set it anew:\n{items}"
    ),
    "left_put_off": "a reminder that was to come again",
    "left_with_open": (
        "👋 {name} has left {title}. What you gave them there is still open, and they are not reminded of it there any"
        " more:\n{items}"
    ),
    "repeated_mark": "↻ Possibly a repeat – the connection broke while sending.",
    "health_here": "I'm here and answering.",
    "health_ok": "All is well.",
    "health_bad": "Something is wrong:",
    "health_line": "- {name}: {value}",
    "yes": "yes",
    "no": "no",
    "limit_reached": "I stopped here: this took too many steps. Ask for a smaller part of it.",
    "unknown_command": "I don't know {command}. /help shows what works.",
    "unknown_command_like": "I don't know {command}. Did you mean {meant}?",
    "unknown_command_again": "I don't know {command}. Write it again as {meant}: I did not keep what stood behind it.",
    "status_uptime": "Up for {duration}.",
    "status_waiting": "Messages waiting: {count}.",
    "status_nothing_waiting": "Nothing is waiting.",
    "status_model": "Model: {model}.",
    "status_model_down": "Model: {model} – unreachable.",
    "status_model_key": "Model: {model} – its provider refuses the key or the model's name.",
    "status_model_quota": "Model: {model} – the account has no credit left.",
    "status_model_none": "Model: none is configured.",
}

_TIME_NOW = (
    r"(?:what|which) (?:time|hour) (?:is it|it is)(?: now)?|what time do you have"
    r"|what(?:'?s| is) the (?:current |exact |local )?time|what the (?:current )?time is"
    r"|(?:do you have |have you got |got )?(?:the )?(?:current |local )?time|how late is it"
)
_NOW = r"(?: right now| now| currently| at the moment| today)?(?:,? please)?"
_TODAY = r"(?: is it)?(?: right now| now)?(?: today)?(?:,? please)?"

INTENTS = {
    "echo": patterns(
        r"echo[:\s]\s*(?P<text>.+)",
        r"repeat(?: after me)?:\s*(?P<text>.+)",
        r"say[:\s]\s*[\"“'](?P<text>[^\"”]+)[\"”']",
        r"say (?P<text>hello|hi|hey)",
    ),
    "greeting": patterns(
        r"(?:hi|hiya|hello|hey|howdy|yo|greetings|good (?:morning|afternoon|evening|day))"
        r"(?: there| again| all| everyone| teller| bot)*",
        r"@?teller",
    ),
    "thanks": patterns(
        r"(?:ok(?:ay)?|great|cool|perfect|nice|many)?[, ]*"
        r"(?:thanks|thank you|thx|ty|cheers)(?: a lot| so much| very much| again| teller)*"
    ),
    "nod": patterns(
        r"ok(?:ay)?|yes|yep|yeah|sure|all ?right|got it|noted|fine|great|cool|perfect|nice|[👍👌]"
        r"|no(?:pe)?|nothing|never ?mind|nvm|forget it"
    ),
    "bye": patterns(r"(?:good)?bye(?: bye)?|good ?night|see (?:you|ya)(?: later| soon| tomorrow)?|cya|so long"),
    "help": patterns(
        r"help(?: me)?|commands|(?:what can|how can|what do) you (?:do|help)(?: for me| me)?|(?:who|what) are you"
        r"|what(?:'s| is) your name|how (?:does this|do you) work|what works(?: without (?:a|the) model)?"
    ),
    "time": patterns(
        rf"(?:{_TIME_NOW}){_NOW}(?: here)?{_NOW}",
        rf"(?:{_TIME_NOW}){_NOW}(?: over)? in (?P<place>.+?){_NOW}",
        r"(?:what(?:'s| is) (?:the )?|which |what )?time ?zone (?:is it )?(?:in|of|for|at) (?P<place>.+)",
    ),
    "date": patterns(
        rf"(?:what(?:'?s| is) )?(?:the |today'?s )?(?:current )?date{_TODAY}",
        r"what(?:'?s| is) today|what today(?:'s date)? is|what (?:the date|day) (?:it )?is(?: today)?",
        rf"(?:what|which) (?:date|day(?: of the (?:week|month))?|weekday|month|year)"
        rf" (?:is it|it is|is today|are we){_TODAY}",
        rf"what(?:'?s| is) (?:the )?(?:current |today'?s )?"
        rf"(?:day|weekday|day of the week|month|year|day and date){_TODAY}",
    ),
    "health": patterns(
        r"are you (?:ok|okay|all ?right|alive|there|up|working|healthy|well|fine|online)"
        r"|how are you(?: doing)?(?: today)?"
        r"|(?:your )?(?:health|status)(?: check)?|ping|is everything (?:ok|okay|all ?right|fine)"
    ),
    "question": patterns(r"ask me (?:something|anything|a question)|quiz me"),
    "history": patterns(
        r"what did i (?:just )?say(?: before| earlier| last)?|what (?:was|were) my last messages?"
        r"|(?:show (?:me )?)?(?:my |the |our )?(?:recent |chat )?history"
    ),
}

# What a time begins with, and what shows that it is one, though nobody can read it: "around 9", "tommorow".
_TIME_BEGINS = (
    r"(?:at|on|in|by|around|every|each|next|this|from|before|after|until|within|about(?= \d)|@|~|\d|tom+or+ow|today)"
)
_NEWS = r"(?:weather|forecast|news|headlines|prices?|stocks?|scores?|traffic|temperature|exchange\srates?)"
_WEEKDAY = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?"
_TIME_WORD = rf"\b(?:to(?:day|night)|tom+or+ow|{_WEEKDAY}|weeks?|months?)\b"
# What names nothing: it is asked what that is.
_UNNAMED = (
    r"(?:something|sth|smth|(?:(?:a|some) )?(?:important )?(?:things?|stuff))(?: important)?"
    rf"\b[\s,:]*(?:$|(?={_TIME_BEGINS}|{_TIME_WORD}))"
)

LANGUAGE = Language(
    code="en",
    name="English",
    texts={**TEXTS, **COMMANDS},
    intents=INTENTS,
    lead=patterns(
        r"(?:(?:hi|hey|hello|ok|okay|so|and|um|uh|please|teller|(?:please )?(?:tell|give|show) me"
        r"|(?:can|could|would) (?:you|u)(?: please)? (?:tell|give|show) me|do you (?:happen to )?know"
        r"|i(?:'d like| want| need) to know|may i (?:know|ask))"
        r"\b[\s,:]*)+"
    )[0],
    places=PLACES,
    choices=("Remind me in 1 minute to stretch", "What's on my list?", "What time is it?"),
    duration=duration,
    clock=clock,
    date=date,
    moment=moment,
    grammar=lazily("core.language.en.grammar"),
    reminding=patterns(
        r"(?:(?:please|pl[sz]|kindly|do|(?:can|could|would|will) (?:you|u)(?: mind)?|(?:can|could|may) i"
        r"|i(?:'d like| would like| should like| want) to)\s+){0,3}"
        rf"(?:i (?:wish|want|need|would like|should like) to be reminded(?: (?:of|about) {_UNNAMED}"
        rf"|(?=\s{_TIME_BEGINS}\b))[\s,:]*"
        r"|(?:remind|(?:alert|notify|nudge)(?= (?:me|us)\b))\b(?!(?: me| us)? (?:of |about )?"
        r"(?:what|who|whom|whose|where|why|how|which|whether|if)\b)(?P<me> me\b(?! and\b)| myself\b)?[\s,:]*"
        rf"(?:(?:(?:of|about|to do) )?{_UNNAMED})?"
        r"|(?:set(?:ting)?(?: up)?|creat(?:e|ing)|mak(?:e|ing)|add(?:ing)?|schedul(?:e|ing)|give me|new|i (?:need|want)"
        r"|(?:can|could|may|might) i (?:have|get))\s+(?:me )?"
        r"(?:(?:an?|another|the|new)\s+){0,2}(?:reminder|timer|alarm)\b(?!\s(?:app|bot|clock|function|program|script|sound|system|tone|widget)s?\b)"
        rf"[\s,:]*(?:(?:for|of|about|to do) {_UNNAMED}|(?:for|to|that)\s+(?:me\b\s*)?)?"
        r"|(?:a )?reminder(?::\s*|\s(?:for|on)\s"
        rf"(?=(?:the )?\d|{_TIME_WORD})))"
    )[0],
    # What I do myself I can tell the time of, and "to", "that" and "about" begin what a wish is about, but for news.
    watching=patterns(
        r"(?:(?:remind|alert|notify|nudge|warn|ping)\s(?:me|us)|let\s(?:me|us)\sknow)\s"
        r"(?:(?:(?!(?:to|that|about|of)\b)[^\s,.;?]{1,20}\s){0,4}(?:when(?:ever)?|if|once(?!\s(?:more|again|an?|per|every)\b)"
        r"|as\ssoon\sas|in\scase)\b(?!\s(?:i|we|you|is|are|was|were|do|does|did|to)\b)\s\S"
        rf"|[^?]{{1,100}}?\b(?:when|if|once|as\ssoon\sas)\s(?:the\s)?{_NEWS}"
        rf"|(?:[^\s,.;?]{{1,20}}\s){{0,4}}(?:of|about|on|with)\s(?:[^\s,.;?]{{1,30}}\s){{0,4}}{_NEWS}\b)"
    )[0],
    mistimed=patterns(
        # It ends with a word of time: what else stands before "to" is no less a part of the text.
        rf"(?={_TIME_BEGINS})(?:(?!\bto\s+(?!\d)).){{0,80}}?(?:\d\S*(?:\s?[ap]\.?m\b\.?)?|{_TIME_WORD}|\btime)[\s,]+to\s+(?!\d)"
    )[0],
)
