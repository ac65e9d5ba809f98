"""What is scheduled, and how it is looked at and changed, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # What is scheduled, read back.
    "task": "⏰ {when}: {text}",
    "task_for": "⏰ {name}: {when}: {text}",
    "task_line": "- {when}: {text}",
    "when_once": "{moment} ({zone}), in {wait}",
    "when_theirs": "{moment} {zone} ({mine} for you), in {wait}",
    "when_own": "{moment} {zone} ({mine} {here}), in {wait}",
    "when_now": "now",
    "when_again": "{rule} ({zone}), next {next}",
    "when_even": "{rule}, next {next}",
    "task_runs": "⚙ Runs {when}: {text}",
    "task_runs_silent": "⚙ Runs {when}, and says nothing when nothing is new: {text}",
    "when_watch": "whenever {what}, until {day}",
    "when_watched": "whenever {what}",
    "watch_over": (
        "⌛ Thirty days are over, so I no longer wait for a reason to do this: {text}. Tell me if I shall wait again."
    ),
    "maker_left_work": (
        "Whoever set this work has left this group, or no longer has access to me, so I no longer do it: {text}"
    ),
    "maker_gone_work": (
        "Whoever set this work no longer has access to me, so I no longer do it. When it is due I only say what was"
        " wanted, until somebody stops it: {text}"
    ),
    "watch_changed": "a file {path} is new or changes",
    "watch_exists": "there is a file {path}",
    "watch_done": "task {task} is done",
    "watch_failed": "task {task} fails",
    "watch_judged": "“{prompt}” is so",
    "watch_and": "{one} and {other}",
    "watch_or": "{one} or {other}",
    "watch_no_time": "It waits for something to happen, and for no time. /pause lets it rest, /cancel stops it.",
    "when_paused": "{when}, ⏸ paused",
    "when_until_done": "{when}, again until it is done",
    "for_everybody": "everybody",
    "brief_name": "the daily brief",
    "paused": "⏸ paused",
    "change": "Change",
    "resume": "Resume",
    "all_tasks": "All",
    "not_my_zone": "🌍 Not my time zone",
    # For some time, whenever that is; and pronouns, which are no names.
    "later_words": (
        "a bit later|maybe later|not right now|not now|later on|later|in a bit|in a while|in a moment|in a few minutes"
        "|in a few hours|soon|some other time|some time|sometime"
    ),
    "pronouns": "him|her|them|yourself|yourselves|someone|somebody|people",
    # A nod to what was said last; what stands for the text that a line replies to; and what ends what was read back.
    "nod_words": "ok|okay|k|yes|yep|yeah|sure|alright|all right|will do|noted|got it|all good",
    "this_words": "this message|that message|this one|that one|this|that|it",
    "add_this_words": (
        "add this|add this to my list|add this to the list|add this to our list|add it to my list"
        "|add that to my list|put this on my list|put it on my list|put this on the list|add to my list"
        "|add this to my to-do list|add this to my todo list|add this to my todos|add this as a to-do"
    ),
    "ticked_words": (
        "{x} are done|{x} is done|{x} is done now|{x} done|done with {x}|finished with {x}|done {x}|bought {x}"
        "|{x} bought|got {x}|finished {x}|i bought {x}|i got {x}|i've got {x}|ive got {x}|i already got {x}"
        "|picked up {x}|just got {x}|just bought {x}|we got {x}|we bought {x}|{x} ✅|{x}, done|{x}, check|{x}: done"
        "|i finished {x}"
    ),
    "removed_words": (
        "remove {x}|delete {x}|take {x} off|take off {x}|scratch {x}|no more {x}|we don't need {x} anymore"
        "|we dont need {x} anymore|i don't need {x} anymore|i dont need {x} anymore|{x}, off the list"
    ),
    # Of an item these say nothing: "not done", "cancel it".
    "filler_words": (
        "it|this|that|these|those|them|one|ones|all|everything|nothing|something|anything|not|never|well|who|what|me|my"
        "|mine|us|our|you|your|old|new|last|next|first|other|same|whole|thing|things|stuff|now|just|yet|already|almost"
        "|nearly|only|nobody|everybody|there|here|work|job|done|the|and|for|to|of|in|on|at|by|up|from|with|or|is|are|be"
        "|go|so|no"
    ),
    # What may stand between the words of a name, or in front of it, and says nothing of it.
    "articles": "the|my|our|your|and",
    "first_articles": "a|an",
    "verb_prefixes": "-",
    # What is done to all that is bought; behind these, and behind what is brought and measured, even one character
    # names something.
    "buy_words": "buy|get|fetch",
    "carry_words": "bring",
    "measure_words": "kg",
    "only_part": "“{text}” is only a part of this. All of it?",
    "cancelled_words": (
        "cancel the {x}|cancel my {x}|cancel {x}|forget the {x}|no need for {x}|call off the {x}|delete {x}|remove {x}"
    ),
    "stop_words": "stop|stop it|cancel|cancel it|cancel that|delete|delete it|remove it|never mind|forget it",
    "wait_words": "snooze for|snooze|let me sleep|give me|in|for|another",
    # What gives up what was just set or came; and what answers no question, but leaves it.
    "drop_words": (
        "never mind|nevermind|nvm|forget it|forget about it|forget that|no|nope|no thanks|no thank you|scratch that"
        "|drop it|not needed|not any more|not anymore"
    ),
    "asking_words": (
        "what is|what's|what are|what was|what do|what does|who is|who's|where is|where are|when is|when does|why is"
        "|why do|how is|how are|how do|how does|how much|how many|can you|could you|tell me"
    ),
    "skip_words": "never mind|nevermind|cancel|no|nope|nothing|forget it|stop|skip",
    "move_it": "make it {rest}",
    "at_time": "at {rest}",
    "quiet_line": "quiet hours {rest}",
    # Places that are no towns: a zone is shown by its town.
    "countries": "china|germany|india|japan",
    "in_years": "{n} years",
    "time_over": "Its time is over by now, so it stays as it is.",
    "ends_by_then": "It comes no more after that: it ends anyway. /cancel stops it now.",
    "time_too_far": "That is too far away: the last year is 9998.",
    "time_past": "That is in the past: it is {now} now ({zone}).",
    "move_recurs": (
        "“{text}” comes again and again. Shall all of it move to {moment}? "
        "For one time alone, skip the next one and set another."
    ),
    "move_recurs_not_all": (
        "“{text}” comes again and again, and I can't move all of it to {moment}. Shall it come just once more, or "
        "shall the next one be skipped?"
    ),
    "move_series": "From now on {rule}",
    "move_once": "Just once, then no more",
    "zone_word": "zone",
    "which_person": "Whom do you mean by {name}?",
    "person_not_here": (
        "I don't know {name} here. Mention them with their handle (@…), or write /contacts add {name} and the handle."
    ),
    "person_unreachable": (
        "I can't reach {name} from here: I know nobody of that name, or they have never written to me in private, or "
        "want no messages. /contacts add {name} and their handle, such as @anna, tells me who that is."
    ),
    "they": "Whoever that is for",
    "recipient_limit": (
        "{name} gets at most {count} messages from others by way of me within a day, and already has them for then. "
        "The next one can come {when} at the earliest."
    ),
    "recipient_limit_here": (
        "{name} gets at most {count} messages from others by way of me within a day, and already has them for then. "
        "The next one can come {when} at the earliest. What is for all of you has no such limit: “remind us …”."
    ),
    "sender_limit": (
        "You can make me send at most {count} messages to others within an hour, and already have for then. "
        "The next one can come {when} at the earliest."
    ),
    "every_seconds": "every {n} seconds|every {n} second|every {n} secs|every {n} sec|every second",
    "others_too_often": "That is too often: I remind other people of something at most 3 times a day.",
    "everybody_too_often": "That is too often: I remind everybody here at most every 5 minutes.",
    "guest_too_often": "That is too often: for you I do something here at most once an hour.",
    "this_group": "this group",
    "group_list": "In the list of {group}, which everybody there shares.",
    "too_many_tasks": "100 things are scheduled, that is the limit. /tasks shows them; stop one first.",
    # Looking and changing.
    "tasks_title": "What is scheduled: {count}",
    "tasks_title_page": "What is scheduled: {count} · page {page} of {pages}",
    "tasks_group": "👥 {title}",
    "tasks_gone": "👥 {title} · I am not there any more, so this rests:",
    "tasks_none": "Nothing is scheduled. For example: /remind tomorrow at 9 call Oma",
    "tasks_none_here": (
        "Nothing is scheduled in this chat. /tasks shows what is on your other platforms, each with a button."
    ),
    "tasks_none_own": (
        "Nothing that is scheduled here is yours, so I stop nothing. "
        "/tasks shows it: whoever set something, or an administrator, stops it there."
    ),
    "task_usage": "Write {command} and what it is about, or choose it from /tasks.",
    "task_unknown": "I know no such thing here. /tasks shows what is scheduled.",
    "task_ended": "That is over already. /tasks shows what is scheduled.",
    "task_not_yours": "Only whoever made it, an administrator of this group or my owner may do that.",
    "no_calendar": "I keep no calendar: this is a reminder.",
    "none_due": "Nothing is due here then. /tasks shows what is scheduled.",
    "which_task": "Which one?",
    "which_instead": "Nothing here is called “{called}”. Which one do you mean?",
    "due_recurs": "“{text}” comes again. Leave out that time alone, or stop all of it?",
    "due_recurs_before": "“{text}” comes before that, too: only its next time can be left out (/skip). Stop all of it?",
    "skip_time": "That time alone",
    "stop_series": "Stop all of it",
    "task_cancelled": "🗑 Stopped: {text}",
    "tasks_stop_ask": "Stop it?|Stop all {n}?",
    "tasks_stop_yes": "Stop|Stop all",
    "tasks_stop_some": "Stop {n} of {count}",
    "tasks_stop_no": "Keep",
    "tasks_stopped": "🗑 Stopped: {n}",
    "tasks_kept": "Nothing was stopped.",
    "task_skipped": "⏭ {moment} is skipped.",
    "maker_no_access": (
        "It is paused, since whoever made it no longer has access to me. It goes on by itself when they have it again;"
        " /cancel stops it."
    ),
    "skip_paused": "It is paused, so there is no time to leave out. /resume lets it go on.",
    "skip_once": "That comes only once. /cancel stops it, /move gives it another time.",
    "ask_new_time": "When shall it be? “{text}” – for example: tomorrow at 9, Friday at 5pm",
    "ask_until": "Until when shall it rest? For example: Monday, 31 December",
    "until_words": "until|till|til",
    "reminder_words": "reminder|alarm",
    "pause_open": "No end for now",
    "undo_cancel_schedule": "the end of “{text}”",
    "undo_cancel_several": "the end of {n} reminder|the end of {n} reminders",
    "undo_move_schedule": "the new time of “{text}”",
    "undo_schedule": "the change of “{text}”",
    # The brief and quiet hours.
    "brief_usage": "Write when I shall tell you what is on, each day: /brief 7:30. /brief off ends it.",
    "brief_none": "There is no daily brief. For example: /brief 7:30",
    "brief_off": "🗑 No daily brief any more.",
    "off_words": "off|no|never|stop|none",
    "always_words": "always|on",
    "quiet_usage": "Write for example /quiet 22:00-07:00, /quiet always or /quiet off.",
    "quiet_is": "🌙 {hours}: I start nothing by myself then. Reminders come when you set them.",
    "quiet_is_always": "🌙 I start nothing by myself. Reminders come when you set them.",
    "quiet_is_off": "No quiet hours.",
    "quiet_always": "Always",
    "quiet_off": "Off",
    "undo_quiet": "the quiet hours",
    "timezone_moved": "Now at other times: {count}. /tasks shows them.",
    "menu_tasks": "What is scheduled",
    "menu_brief": "What is on, each day at a time",
    "menu_quiet": "When I start nothing by myself",
    "menu_contacts": "The people I know for you",
    "edit_unread": "I can't make sense of that edit, so it stays:\n{task}",
}
