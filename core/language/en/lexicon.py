"""English: the words of time by class, each with what it says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.kernel.timing.expressions import Clock, Date, Delay, Every, Holiday, InDays, NthWeekday, Weekday
from core.language.en.places import CLOCKS_OF
from core.language.engine.said import AFTERNOON, EVENING, MORNING, NIGHT

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = ("mon", "tue tues", "wed weds", "thu thur thurs", "fri", "sat", "sun")
_DAYS_SHORT = {name: n for n, names in enumerate(_SHORT) for name in names.split()}
_WEEKDAYS = {name: n for n, name in enumerate(_DAYS)} | _DAYS_SHORT
_PLURALS = {f"{name}s": n for name, n in _WEEKDAYS.items() if f"{name}s" not in _WEEKDAYS}
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december")  # fmt: skip
_MONTH_WORDS = {word: n + 1 for n, name in enumerate(_MONTHS) for word in (name, name[:3])} | {"sept": 9}
_FESTIVALS = {
    "christmas": (25, 12), "christmas day": (25, 12), "xmas": (25, 12), "xmas day": (25, 12),
    "christmas eve": (24, 12), "xmas eve": (24, 12), "boxing day": (26, 12), "new year's eve": (31, 12),
    "new years eve": (31, 12), "new year's day": (1, 1),
    "new years day": (1, 1), "valentine's day": (14, 2), "halloween": (31, 10), "groundhog day": (2, 2),
    "st patrick's day": (17, 3), "april fool's day": (1, 4), "juneteenth": (19, 6), "veteran's day": (11, 11),
}  # fmt: skip
_YEAR_END = Date(day=31, month=12)
# The weekday, which one of the month, and the month; as most of those have them who call them so.
_HOLIDAYS = {
    "mlk day": (0, 3, 1), "martin luther king day": (0, 3, 1), "martin luther king jr day": (0, 3, 1),
    "president's day": (0, 3, 2), "mother's day": (6, 2, 5), "memorial day": (0, -1, 5), "father's day": (6, 3, 6),
    "labor day": (0, 1, 9), "columbus day": (0, 2, 10)}  # fmt: skip
_MOVING = ("good friday", "easter monday", "thanksgiving", "palm sunday", "ash wednesday", "maundy thursday")
_HOUR_NAMES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HOURS = {word: n + 1 for n, word in enumerate(_HOUR_NAMES)}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_NUMBERS = _HOURS | {
    "a": 1, "an": 1, "couple of": 2, "a couple of": 2, "a couple": 2, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, **_TENS, "sixty": 60, "ninety": 90,
    **{f"{ten} {name}": tens + one for ten, tens in _TENS.items() for name, one in _HOURS.items() if one in range(10)},
}  # fmt: skip
_MINUTES = {word: n for word, n in _NUMBERS.items() if n in {15, 20, 25, 30, 35, 40, 45, 50, 55}}
_UP_TO_NINTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_MINUTE = dict.fromkeys(("m", "min", "mins", "minute", "minutes"), "minute")
_HOUR = dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), "hour")
_ORDINALS = (
    *_UP_TO_NINTH, "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth",
    "eighteenth", "nineteenth", "twentieth", *(f"twenty {nth}" for nth in _UP_TO_NINTH), "thirtieth", "thirty first",
)  # fmt: skip
_NTH = {word: n + 1 for n, word in enumerate(_ORDINALS)}
_WORKING, _FREE = Every(unit="week", weekdays=frozenset(range(5))), Every(unit="week", weekdays=frozenset({5, 6}))
_WORK = ("weekday", "workday", "work day", "business day", "working day")
_ADVERBS: Mapping[str, Every] = {
    "hourly": Every(unit="hour"), "daily": Every(unit="day"), "everyday": Every(unit="day"),
    "weekly": Every(unit="week"), "monthly": Every(unit="month"), "yearly": Every(unit="year"),
    "annually": Every(unit="year"), "fortnightly": Every(unit="week", n=2), "quarterly": Every(unit="month", n=3),
}  # fmt: skip
_DOING = (
    "ask", "book", "bring", "buy", "call", "check", "clean", "cook", "email", "fill", "find", "finish", "fix", "get",
    "make", "merge", "order", "pay", "phone", "pick", "plan", "prepare", "print", "read", "reply", "review", "send",
    "sign", "submit", "update", "upload", "wash", "write")  # fmt: skip
# Not names at the beginning of a text: "Call Oma …", "Talk to …", "Dentist on Monday …".
_DEEDS = (
    *_DOING, "add", "answer", "apply", "appointment", "arrange", "attend", "back", "be", "begin", "birthday",
    "breakfast", "cancel", "collect", "come", "complete", "dentist", "dinner", "do", "doctor", "donate", "drink",
    "drive", "eat", "feed", "flight", "fly", "give", "go", "gym", "hand", "have", "he", "head", "help", "i", "invite",
    "it", "join", "keep", "learn", "leave", "listen", "look", "lunch", "me", "meet", "meeting", "message", "move",
    "myself", "need", "pack", "party", "play", "please", "put", "remember", "report", "respond", "return", "ride",
    "ring", "run", "say", "schedule", "sell", "set", "share", "she", "show", "speak", "standup", "start", "stop",
    "study", "subscribe", "take", "talk", "tell", "text", "thank", "they", "throw", "train", "travel", "try", "turn",
    "us", "use", "visit", "wait", "wake", "walk", "want", "watch", "water", "we", "welcome", "wish", "work", "yoga",
    "you")  # fmt: skip
_ASKING = ("what", "what's", "who", "whom", "whose", "where", "when", "why", "how", "which", "whether", "if")
_PRONOUNS = (
    "this", "that", "it", "he", "she", "they", "i", "you", "we", "there", "until", "after", "before", "once", "nothing",
    "everything", "all", "anything", "anyone", "anybody", "someone", "somebody")  # fmt: skip
_ADDING = ("add", "put", "append", "save", "include", "insert", "stick", "throw", "note", "jot", "pop", "chuck", "toss")
_REMOVING = ("remove", "delete", "drop", "forget", "erase", "strike", "take", "scratch", "cut", "scrap", "rm", "del")
_SHOWING = ("show", "display", "open", "see", "view", "tell", "give", "print", "recite")
# What never stands in what is only named.
_ORDER = (
    *_ASKING, *_PRONOUNS, *_ADDING, *_REMOVING, *_SHOWING, "list", "lists", "is", "are", "was", "were", "be", "do",
    "does", "did", "have", "has", "had", "need", "needs", "want", "wants", "can", "could", "will", "would",
    "should", "must", "my", "your", "me", "us", "i'm", "i've", "i'd", "it's", "that's", "don't", "not", "no",
    "let's", "let", "remind", "read", "write", "check", "tick", "cross", "mark", "clear", "empty", "cancel", "stop",
    "switch", "navigate", "scroll", "something", "somewhere", "already", "isn't", "aren't", "never", "because",
)  # fmt: skip
_BOUND = (
    "until", "till", "til", "from", "since", "between", "before", "after", "by", "through", "within", "during",
    "starting", "beginning", "ending", "except")  # fmt: skip
_HANGING = (
    "around", "sometime", "anytime", "some time", "any time", "first thing", "last thing", "some point", "any point",
    "maybe", "perhaps", "possibly", "probably", "preferably", "ideally", "hopefully", "eventually")  # fmt: skip
_NEAR = (
    *_HANGING, "roughly", "approximately", "circa", "early", "earlier", "late", "later", "this time", "nightly",
    "same time", "the same time", "mid", "evenings", "only", "soon", "rather", "even", "especially", "already", "asap",
    "definitely", "latest", "immediately", "biweekly", "bimonthly", "quarterly", "unless", "instead of", "as early as",
    "as late as",
    "all day", "all week", "on the dot", "l8r", "mwf", "thru", "alternate", "last night", "cob")  # fmt: skip
_BEING = (
    "is", "are", "was", "were", "due", "start", "starts", "begin", "begins", "end", "ends", "open", "opens", "close",
    "closes", "leaves", "arrives", "departs", "happens")  # fmt: skip
_TO_ENJOY = ("books to read", "movies to watch", "films to watch", "shows to watch")
_ARTICLES = ("the", "a", "an", "my", "your", "our", "his", "her", "their", "this", "that")
_OTHERS: Mapping[str, Mapping[str, Any]] = {name: dict.fromkeys(words) for name, words in {
    # Of requests: what stands beside a time.
    "greeting": (
        "hi", "hey", "hello", "ok", "okay", "so", "and", "now", "then", "please", "pls", "plz", "teller", "just",
        "kindly", "um", "uh", "er", "erm", "yo", "hiya", "oh", "dude", "bot", "alexa", "siri", "hey google",
        "ok google", "okay google", "btw", "mate", "good morning", "good afternoon", "good evening"),
    # What nobody needs to be reminded of: who wants to hear of it wants to know how it is then.
    "news": ("weather", "forecast", "news", "headlines", "price", "prices", "stock", "stocks", "scores", "traffic"),
    "article": (*_ARTICLES, "these", "those", "me", "him", "us", "them", "it"),
    "noname": (
        *_ARTICLES, "em", "him", "people", "somebody", "someone", "them", "yourself", "it", "these", "those", "and",
        "or", "not", "to", "about", "for", "of", "pills", "laundry", "medicine", "all", "who", "what", "when", "if",
        "users", "server", "customers", "management", "god"), "bound": _BOUND, "near": _NEAR, "hanging": _HANGING,
    "exact": ("exactly", "precisely", "promptly", "punctually", "directly"),  # no more than the time itself
    "being": _BEING,
    # They tie something to a time, or say more of one, at the end of a text.
    "tying": (
        *_BEING, "be", "been", "than", "with", "the", "a", "an", "last", "past", "half", "quarter", "coming",
        "following", "every", "each", "next", "expiring", "dated", "opening", "closing", "leaving", "arriving", "my",
        "your", "our", "his", "their", "midnight"),
    # Before a day of the week they make it another one, or one that comes once a year.
    "special": (
        "black", "cyber", "good", "easter", "whit", "ash", "palm", "holy", "maundy", "shrove", "super", "giving",
        "pancake", "trinity", "remembrance", "advent", "passion",
        *_ORDINALS[:5], "previous", "version", "release", "build", "chapter", "section"),
    "season": ("nye", "easter", "new year", "new years", "new year's", "midsummer", "ramadan", "diwali", "hanukkah"),
    # A number behind these is no hour.
    "numbered": (
        "chapter", "chapters", "page", "pages", "room", "part", "step", "version", "number", "bus", "line", "gate",
        "platform", "episode", "season", "ticket", "issue", "exercise", "flight", "train", "week", "day"),
    # No typing errors, but other words, or those of other languages.
    "lookalike": (
        "evenings", "afternoons", "augusta", "augusto", "frida", "reminds", "remainder", "shipping", "stopping",
        "minuten", "januar", "februar", "oktober", "dezember", "everly", "mourning", "mornings", "alarme", "timed",
        "tiger", "timber", "tamer", "cancer", "cancels", "canceln", "deleted", "deletes", "deplete", "removed",
        "removes", "remover", "remote", "scheduler", "calendars", "calendly"),
    # More than one typing error, or in short.
    "misspelt": (
        "moro", "morro", "overmorrow", "eom", "eow", "evry", "evey", "nxt", "nite", "tmrow", "tmorow", "tomoz",
        "tomo", "morow", "morrow"),
    "ing": ("*ing",), "whose": ("*'s",),
    "teatime": ("lunch", "lunchtime", "teatime", "tea time", "sunrise", "sunset", "dawn", "dusk", "bedtime"),
    # Of phrases: what people ask for in few words.
    "kind": ("shopping", "grocery", "groceries", "packing", "task", "tasks", "errand", "errands", "chore", "chores"),
    # What people call a list without that word.
    "toenjoy": _TO_ENJOY, "onelist": (
        "groceries", "shopping", "packing", "chores", "errands", "wishlist", "watchlist", "backlog", *_TO_ENJOY),
    "list": ("list", "lists"), "daynames": tuple(_WEEKDAYS), "show": _SHOWING, "adding": _ADDING, "doing": _DOING,
    "removing": _REMOVING, "asking": _ASKING, "pronoun": (*_ASKING, *_PRONOUNS), "order": _ORDER,
    "making": ("set", "create", "make", "schedule", "add", "start", "put", "give", "begin", "run", "do", "send"),
    "alarm": ("alarm", "timer", "countdown", "countdown timer", "pomodoro"),
    "alarms": ("alarms", "timers"), "siren": ("fire", "smoke", "car", "burglar", "house", "security", "door"),
    # What is said of an alarm, and is no name of one.
    "state": ("off", "again", "extra", "left", "cancelled", "pause", "paused", "running", "loud", "sucks", "works"),
    "plans": ("plans", "appointments", "meetings", "mtgs", "events", "commitments", "engagements"),
    "gathering": (
        "meeting", "appointment", "call", "lunch", "dinner", "breakfast", "interview", "visit", "session", "event",
        "date", "checkup", "party", "haircut", "drinks", "sync", "review"),
    "calendar": ("calendar", "agenda", "planner", "diary"), "brief": ("brief", "briefing"),
    "any_of": ("all", "both", "any", "every", "each", "these", "those", "this", "that", "it", "my", "our", "the", "an",
        "a", "everything"),
    "nobody": (
        "this", "that", "the", "it", "me", "us", "you", "yourself", "all", "everyone", "everybody", "everything",
        "notification", "notifications", "chat", "group", "my", "our", "your"),
    # Nor in the name of a list: "the top of the list".
    "unnamed": (
        *_ORDER, "of", "the", "a", "an", "in", "on", "at", "to", "for", "from", "with", "and", "whole", "entire",
        "complete", "current", "same", "other", "long", "short", "following", "above", "below", "new", "old", "first",
        "second", "third", "last", "next", "top", "bottom", "end", "named", "called", "contact", "contacts", "mailing"),
}.items()}  # fmt: skip

CLASSES: Mapping[str, Mapping[str, Any]] = {
    "number": _NUMBERS, "hour": _HOURS, "suffix": dict.fromkeys(("st", "nd", "rd", "th")), "spelled": _MINUTES,
    # Of all minutes in words only "at six forty five" is a clock before anything: "nine thirty two eggs" is none.
    "minutewords": {word: n for word, n in _NUMBERS.items() if n in range(13, 60)},
    "nthword": _NTH, "nth": {}, "dayfigure": {}, "month": _MONTH_WORDS,
    "which": {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1},
    "fourth": {"fourth": 4, "last": -1, "first": 1}, "monthday": _NTH | {"first day": 1, "last day": -1, "end": -1},
    "edgeday": {"first day": 1, "last day": -1}, "twice": {"other": 2, "second": 2},
    "count": _NUMBERS | {"other": 2, "second": 2, "third": 3, "fourth": 4},
    "unit": {
        **_MINUTE, **_HOUR, "d": "day", "day": "day", "days": "day", "w": "week", "wk": "week", "wks": "week",
        "week": "week", "weeks": "week", "month": "month", "months": "month", "y": "year", "yr": "year", "yrs": "year",
        "year": "year", "years": "year",
    },
    "minutes": _MINUTE, "hours": _HOUR, "seconds": dict.fromkeys(("s", "sec", "secs", "second", "seconds"), "second"),
    "length": {
        **{f"{half} hour": (0, 0, 1_800) for half in ("half", "half a", "half an", "a half", "a half an")},
        "quarter of an hour": (0, 0, 900), "a quarter of an hour": (0, 0, 900),
        "three quarters of an hour": (0, 0, 2_700),
        "fortnight": (0, 14, 0), "a fortnight": (0, 14, 0), "half a year": (6, 0, 0), "an hour's time": (0, 0, 3_600),
        "a day's time": (0, 1, 0), "a week's time": (0, 7, 0), "a month's time": (1, 0, 0),
    }, "fortnight": {"fortnight": 2, "a fortnight": 2}, "aweek": {"week": 1}, "theday": {"day": Delay(days=1)},
    "sametime": {f"{one} time tomorrow": (0, 1, 0) for one in ("this", "same", "the same", "at the same")},
    "weekday": _WEEKDAYS | _PLURALS, "singleday": _WEEKDAYS,
    # The others are words of their own as well, and time only in good company.
    "sureday": {name: n for name, n in _WEEKDAYS.items() if name not in {"mon", "wed", "weds", "sat", "sun"}},
    "plural": {f"{name}s": n for n, name in enumerate(_DAYS)}, "deed": dict.fromkeys(_DEEDS),
    "plainmonth": {name: n for name, n in _MONTH_WORDS.items() if not name.startswith("ma")},
    "part": {"morning": MORNING, "afternoon": AFTERNOON, "arvo": AFTERNOON, "evening": EVENING, "night": NIGHT},
    "tonight": dict.fromkeys(("tonight", "2nite", "2night", "tonite"), NIGHT),
    "day": {
        "today": 0, "tomorrow": 1, "tommorow": 1, "tmrw": 1, "tmr": 1, "2day": 0, "2moro": 1, "tmro": 1, "2morrow": 1,
        "day after tomorrow": 2, "the day after tomorrow": 2,
    },
    "half": {"am": "am", "pm": "pm"}, "dotted": {"a m": "am", "p m": "pm"}, "letterhalf": {"+a": "am", "+p": "pm"},
    "oclock": dict.fromkeys(("o'clock", "oclock", "o clock")),
    "by": {"half": 30, "quarter": 15, "a quarter": 15}, "halfpast": {"half": 30},
    "side": {"past": 1, "to": -1}, "otherside": {"after": 1, "till": -1, "before": -1},
    "sharp": dict.fromkeys(("sharp", "on the dot")),
    "holiday": {
        **{name: Date(day=day, month=month) for name, (day, month) in _FESTIVALS.items()},
        **{name: NthWeekday(weekday=day, nth=nth, month=month) for name, (day, nth, month) in _HOLIDAYS.items()},
        **{name: Holiday(holiday=name) for name in _MOVING}, "easter sunday": Holiday(holiday="easter"),
        "thanksgiving day": Holiday(holiday="thanksgiving"), "chinese new year": Holiday(holiday="spring festival"),
    },
    "yearend": dict.fromkeys(("end of the year", "end of year", "the end of the year", "the end of year"), _YEAR_END),
    "noon": dict.fromkeys(("noon", "noonish", "midday", "high noon"), Clock(hour=12))
    | {"midnight": Clock(hour=0, certain=False)},
    "lunch": {"lunchtime": Clock(hour=12)}, "cob": {"cob": Clock(hour=17)},
    "dayend": dict.fromkeys(
        ("eod", "end of day", "end of the day", "close of business", "close of play", "end of play"), Clock(hour=17)),
    # A day where its date is asked for: "at Easter" is one of four.
    "feast": dict.fromkeys(("new year", "the new year", "new years", "new year's"), Date(day=1, month=1))
    | {"easter": Holiday(holiday="easter"), "easter next year": Holiday(holiday="easter", years=1)},
    "weekof": {"this week": 0, "next week": 1}, "monthof": {"this month": 0, "next month": 1},
    "nextmonth": {"next month": 1}, "nextyear": {"next year": 1}, "weekend": {"weekend": 5}, "this": {"this": 0},
    "early": {"first thing": MORNING},
    "every": dict.fromkeys(("every", "each", "every single", "each single")),
    "workday": dict.fromkeys(_WORK, _WORKING) | {"weekend": _FREE},
    "workdays": {f"{one}s": _WORKING for one in _WORK} | {"weekends": _FREE}, "free": {"weekends": frozenset({5, 6})},
    "adverb": _ADVERBS, "zone": CLOCKS_OF,
    "cycle": {
        "half an hour": Every(unit="minute", n=30), "half hour": Every(unit="minute", n=30),
        "quarter hour": Every(unit="minute", n=15), "quarter of an hour": Every(unit="minute", n=15),
        "fortnight": Every(unit="week", n=2), "quarter": Every(unit="month", n=3),
    },
    # Forgiven a typing error: no other word is one away from these.
    "keys": dict.fromkeys((
        "tomorrow", "tonight", *_DAYS, "january", "february", "august", "september", "october", "november", "december",
        "evening", "afternoon", "weekend", "weekday", "remind", "reminder", "minutes", "shopping", "grocery", "every",
        "morning", "alarm", "timer", "cancel", "delete", "remove", "schedule", "calendar")),
    **_OTHERS,
    "wake": dict.fromkeys(("wake", "woken", "waking", "rouse"), "wake up"),
    "rouse": {"get me up": "wake up", "get me out of bed": "wake up"},
    "rising": dict.fromkeys(("up", "awake", "out of bed", "let me sleep past", "let me sleep in past"), "wake up"),
    "daysof": {"today's": InDays(days=0), "tonight's": InDays(days=0), "tomorrow's": InDays(days=1)}
    | {f"{name}'s": Weekday(weekday=n) for n, name in enumerate(_DAYS)},
    # What may not stand at the edge of a text beside a time, as it says something of that.
    "edges": dict.fromkeys((
        *_BOUND, *_NEAR, "at", "on", "in", "o'clock", "sharp", "ago", "yesterday", "every", "each", "next", "last",
        "coming", "following", "ish")),
    "glued": dict.fromkeys((
        *_MINUTE, *_HOUR, "d", "day", "days", "w", "wk", "wks", "week", "weeks", "y", "yr", "yrs", "s", "sec", "secs",
        "am", "pm", "ish", "t", "z")),
}  # fmt: skip
