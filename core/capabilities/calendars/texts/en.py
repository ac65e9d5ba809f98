"""Calendars, in English."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    "calendar_usage": (
        "Write /calendar add and the secret address of a calendar (it ends with .ics; Google, "
        "Outlook and iCloud have one in the settings of a calendar), or send me an .ics file with "
        "/calendar add. Of a CalDAV account write its address, your name there and the password. "
        "/calendar shows what there is, /calendar remove and /calendar rename change it. "
        "/calendar feed is the other way round: an address at which your phone reads my reminders."
    ),
    "calendar_list": "🗓 **Calendars**",
    "calendar_none": (
        "There is no calendar here. /calendar add and its address adds one, and /calendar add with an .ics file."
    ),
    "calendar_added": "🗓 **{name}** is added: {count} in the next month. They show in /today.",
    "calendar_address": "read every 15 minutes",
    "calendar_file": "from a file",
    "calendar_as_long_as": "as long as {who} is here",
    "calendar_fails": "⚠️ cannot be read now",
    "calendar_left_out": "⚠️ left out: {why}",
    "calendar_left_unclear": "{n} event that I don't understand|{n} events that I don't understand",
    "calendar_left_busy": "{n} event that comes too often|{n} events that come too often",
    "calendar_left_crowded": "{n} later time (too many)|{n} later times (too many)",
    "calendar_remove": "🗑 {name}",
    "calendar_removed": "🗑 **{name}** is removed.",
    "calendar_private": (
        "The address of a calendar is a secret: send it to me in our private chat, and delete your "
        "message here. What I kept of it is gone."
    ),
    "calendar_asked": (
        "The address of a calendar is a secret, so I asked you in our private chat which one is to show here. "
        "An .ics file you can send me here, with /calendar add."
    ),
    "calendar_asked_said": (
        "The address of a calendar is a secret: delete your message here; what I kept of it is gone. I asked you in "
        "our private chat which calendar is to show here."
    ),
    "calendar_which": "🗓 Which calendar is to show in **{group}**? Everybody there sees what stands in it, as long as "
    "you are there, too.",
    "calendar_which_none": (
        "🗓 For **{group}**: add the calendar here first, with /calendar add and its address. Then write /calendar add "
        "there again, and I ask you which one is to show."
    ),
    "calendar_not_there": "I can't show it in **{group}**: you are not in it, or I am not any more, or you want to be "
    "left alone there (/optout).",
    "calendar_shown": "🗓 **{name}** shows in **{group}** in a minute.",
    "calendar_shown_here": "🗓 {who} shows the calendar **{name}** here: /today has what stands in it. /calendar",
    "undo_calendar_remove": "that the calendar {name} was removed",
    "calendar_no_key": (
        "My owner has to set a key first, to keep such an address encrypted: secret_key in the configuration, "
        "which `teller setup` makes. An .ics file works without it."
    ),
    "calendar_bad_address": (
        "That is no address of a calendar. It begins with https:// or webcal:// and mostly ends with .ics."
    ),
    "calendar_bad_file": "I could not take that file. It has to be an .ics file of at most 2 MB.",
    "calendar_down": (
        "⚠️ For a day I could not read the calendar **{name}**. I show what I know of it, and go on trying. /calendar"
    ),
    "calendar_account": "🗓 {names}: added. What stands in them shows in /today in a minute.",
    "calendar_account_full": (
        "🗓 {names}: added. What stands in them shows in /today in a minute. A chat has at most {most} calendars."
    ),
    "calendar_problem_password": "The server does not let this name and password in. Nothing is added.",
    "calendar_problem_not_caldav": (
        "That is no server for calendars (CalDAV). If you meant a name of two words for a calendar at an address: add "
        "it without one, then /calendar rename."
    ),
    "calendar_problem_no_calendars": "That account has no calendar with events.",
    "calendar_problem_elsewhere": "That server sends me on to another one, to which I don't tell your password.",
    "calendar_problem_bad_request": "I say a password over https only: the address has to begin with https://.",
    "calendar_feed_made": (
        "📲 Your phone's calendar shows the reminders and due to-dos of this chat, if it subscribes to this "
        "address:\n\n{url}\n\nI show it only now and keep it nowhere. Whoever has it can read along: "
        "/calendar feed off ends it."
    ),
    "calendar_feed_made_here": "📲 The address for your phone's calendar is in your private chat with me.",
    "calendar_feed_there": (
        "📲 Your phone can read the reminders and due to-dos of this chat, by an address made {at}, {read}."
    ),
    "calendar_feed_read": "read last about {at}",
    "calendar_feed_unread": "not read yet",
    "calendar_feed_new": "🔁 New address",
    "calendar_feed_off": "🗑 End it",
    "calendar_feed_gone": "🗑 The address leads nowhere now. What your phone has read stays there until you remove it.",
    "calendar_feed_none": "There is no such address of yours here. /calendar feed makes one.",
    "calendar_feed_no_url": (
        "No phone reaches me yet: whoever runs me has to say at which address I can be reached (http.port and "
        "http.public_url in the configuration)."
    ),
    "calendar_feed_private_first": "The address is only for you: write to me in private first, then again here.",
    "calendar_problem_damaged": "What I found there is no calendar.",
    "calendar_problem_gone": "The server does not give it to me: the address may be an old one.",
    "calendar_problem_forbidden_address": (
        "I don't read that: it is not on the public net. My owner can allow own networks (web.own_networks)."
    ),
    "calendar_problem_unknown_host": "There is no server with that name.",
    "calendar_problem_down": "I could not read it now. Nothing is added; try again later.",
    "calendar_problem_slow": "It takes too long to read. Nothing is added.",
    "calendar_problem_huge": "It is too large to be read.",
    "calendar_problem_limit": "You have read as much of the web as you may in an hour. Try again in the next one.",
    "calendar_before": "🗓 From now on I tell you {length} before each event of the calendars here that has a time.",
    "calendar_before_stop": "🔕 No more",
    "calendar_before_off": "🗓 I tell you nothing before events any more.",
    "calendar_before_usage": "Write /calendar before and a number of minutes (at most a day), or /calendar before off.",
    "calendar_soon": "🗓 {clock}, in {length}: {title}",
    "calendar_soon_more": "…and {n} more: /today",
    "failed_calendar_none": (
        "There is no calendar here yet. /calendar add and its address adds one, and /calendar add with an .ics file."
    ),
    "failed_calendar_unknown": "There is no such calendar here. /calendar shows what there is.",
    "failed_calendar_many": "Several calendars are called so. Take the id that /calendar shows behind the name.",
    "failed_calendar_known": "That calendar is here already.",
    "failed_calendar_too_many": "That would be more than {most} calendars. Remove one first: /calendar.",
    "calendar_events": "{n} event|{n} events",
    "count_calendars": "{n} calendar|{n} calendars",
    "page_events": "Today",
    "today_event": "🗓 {clock} {text}",
    "today_event_whole": "🗓 {text}",
    "did_in_calendars": "changed calendars",
}
