"""English for the contract of grammars: what is printed, what is left over, and what is hostile."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from core.kernel.timing.schedule import Rule

ZONE = ZoneInfo("Europe/Berlin")
SAID = 1_795_251_600_000  # 2026-11-21T10:00 in Berlin, a Saturday
VERB = "remind me "

RULES = (
    (Rule(cron="0 8 * * *", zone="UTC"), "every day at 08:00"),
    (Rule(cron="0 8,20 * * *", zone="UTC"), "every day at 08:00 and 20:00"),
    (Rule(cron="0 8 * * *", zone="UTC", every=3, unit="day", anchor="2026-11-21"), "every 3 days at 08:00"),
    (Rule(cron="0 9 * * 1-5", zone="UTC"), "every weekday at 09:00"),
    (Rule(cron="0 10 * * 0,1,4", zone="UTC"), "every Monday, Thursday and Sunday at 10:00"),
    (Rule(cron="0 10 * * 1", zone="UTC", every=2, unit="week", anchor="2026-11-23"), "every other Monday at 10:00"),
    (Rule(cron="0 9 * * 5L", zone="UTC"), "on the last Friday of the month at 09:00"),
    (Rule(cron="0 9 1 * *", zone="UTC"), "on the 1st of each month at 09:00"),
    (Rule(cron="0 9 L * *", zone="UTC"), "on the last day of the month at 09:00"),
    (Rule(cron="0 9 1,15 * *", zone="UTC"), "on the 1st and 15th of each month at 09:00"),
    (Rule(cron="0 9 1,15,L * *", zone="UTC"), "on the 1st, 15th and last day of each month at 09:00"),
    (Rule(cron="0 9 31 * *", zone="UTC", unit="month"), "on the 31st of each month at 09:00"),
    (Rule(cron="0 9 3 5 *", zone="UTC"), "every year on 3 May at 09:00"),
)
BY_CRON = "by cron "
WITHOUT_WORDS = (
    "*/5 * * * *", "0 9 31 * *", "0 9 * 5 1", "0 9 1-7 * 1", "0 9 * * MON", "0 * * * 5#5", "1-3 9 * * *",
)  # fmt: skip
INSTANT = ("Sat 21 Nov 2026 10:00", "Sat 21 Nov 2026 04:00")
INTERVALS = {60: "every minute", 90: "every 90 seconds", 1_800: "every 30 minutes", 7_200: "every 2 hours"}

# Behind the verb, or as the line of the command: something of time, or another wish, is left over.
LEFT = (
    "at 9 this week to call Oma", "this month at 9 to call Oma",
    "at 9 to call Oma, and at 10 to eat", "in 20 minutes to call Oma and turn off the stove in 30 minutes",
    "at 9 to call Oma and Bob at 10 to eat", "tomorrow to call Oma and on Friday to call Opa",
    "at 9 to call Oma about the trip tomorrow", "at 9 tell Bo to come on Friday", "at 9 to call Oma or tomorrow",
    "tomorrow at 9 to call Oma at 10", "to take 2 pills at 8 and 2 at 20", "to call Oma on Friday about the trip at 5",
    "tomorrow at 9 to leave 2 hours before the flight",
    "at 9pm the day before the party", "to call Oma tomorrow before 9",
    "to go to the party from 5 to 9 tomorrow", "at 9 to wait until Friday",
    # What takes some of it away.
    "every day except Sunday morning at 9 to x", 
     
     
    
    "every day at 9 three times to x",
    "every day starting tomorrow at 9 to call", "every day from monday to friday at 9", "at 9 twice to x",
    "every 2 hours during the day to drink", "every friday the 13th to hide", "every day at 9 if it rains to stay",
    "in 20 minutes or so to check", "at 5pm Oslo time to call",
    "at 5 their time to call", "on Friday 27.11. to call", "tomorrow if it rains", "at 9 unless Bob comes",
    # Days that are not understood: misspelt, of no calendar, of another language.
    "to call mum tumorow at 5pm", "5 pm tumorow to buy milk", "to call mum wendsday at 17:00",
    "at 9am wensday to shop", "to call mum nxt friday at 3pm", "to pay evry month at 9am", "to pay in january at 9am",
    "to call on easter at 9am", "at 9am in winter to pay", "at 9am on easter to call", "at 9 yesterday to call",
    "to call on 2026-13-45 at 9am", "to call yesterday at 9am",
    "to howl every full moon at 9pm", "Oma anrufen morgen 17:00", "Zahnarzt nächsten Freitag 15:00",
    "17:00 morgen Oma anrufen", "Müll jeden Montag 20:00", "Arzt am 3. Dezember 9:30", "dentista mañana 9:30",
    "позвонить завтра 17:00", "call mum last friday at 9",
    # Another wish, or a question.
    "at 9 to call Oma. Also, what's the weather?", "at 9 to call Oma. Remind me at 10 to eat.",
    "at 5 to call bob and remind me at 6 to call anna", "at 9 to call Oma and tell me a joke",
    "tomorrow at 5 to call bob, what is his number?", "at 9 to call Oma! And add milk to my list",
    "to call Oma. What is the weather?",
)  # fmt: skip
# Times that are plainly part of the text.
CONTENT = {
    "tomorrow to prepare for the meeting on Friday": "prepare for the meeting on Friday",
    "tomorrow to buy tickets for Friday": "buy tickets for Friday",
    "at 9 to finish the report by Friday": "finish the report by Friday",
    "tomorrow that the meeting is at 5": "the meeting is at 5",
    "to catch the 5pm train tomorrow": "catch the 5pm train",
    "to watch the sunday game tomorrow at 8": "watch the sunday game",
    "about yesterday's talk tomorrow": "yesterday's talk",
    "at 9: call Oma at 10": "call Oma at 10",
    "at 9 to sing “Tomorrow at 5”": "sing “Tomorrow at 5”",
    "every day at 9 to walk for 20 minutes": "walk for 20 minutes",
    "at 9 to call Oma. It is her birthday": "call Oma. It is her birthday",
    "at 9 to buy milk; eggs; bread": "buy milk; eggs; bread",
    "to text Elke at 9": "text Elke",
    "at 9 to ask Dr. Who": "ask Dr. Who",
}

WORDS = (
    "at", "9", "tomorrow", "on", "every", "Monday", "and", "Friday", "the", "1st", "of", "month", "in", "20", "minutes",
    "to", "call", "remind", "me", "us", "Bob", ":", ",", "3/5", "27.11.", "until", "done", "add", "milk", "my", "list",
)  # fmt: skip
JOINT = " "
LEADS = ("", "remind me ", "tomorrow to ", "every day at 9 to ")
HOSTILE = (
    "at 9 ", "a", " ", "every ", "on the ", "Bob and ", "Bob, ", "@a, ", "monday, ", "1/", "1:", "in 2h ", "until ",
    "\n", "remind me at 9 ", "add x to my ", "done ", "mark ", "(", '"', "at 8, ", "a couple of ",
    "every monday and ", "i'm ", "for friday ", "the 5pm ", "tumorow ", "x. ", ", and ", "me and ", "1 time ",
)  # fmt: skip
TOO_LONG = ("tomorrow at 9 to call ", "Oma")
