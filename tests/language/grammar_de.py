"""German for the contract of grammars: what is printed, and what is hostile."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from core.kernel.timing.schedule import Rule

ZONE = ZoneInfo("Europe/Berlin")
SAID = 1_795_251_600_000  # 2026-11-21T10:00 in Berlin, a Saturday

RULES = (
    (Rule(cron="0 8 * * *", zone="UTC"), "jeden Tag um 08:00"),
    (Rule(cron="0 8,20 * * *", zone="UTC"), "jeden Tag um 08:00 und 20:00"),
    (Rule(cron="0 8 * * *", zone="UTC", every=3, unit="day", anchor="2026-11-21"), "alle 3 Tage um 08:00"),
    (Rule(cron="0 9 * * 1-5", zone="UTC"), "jeden Werktag um 09:00"),
    (Rule(cron="0 10 * * 0,1,4", zone="UTC"), "jeden Montag, Donnerstag und Sonntag um 10:00"),
    (Rule(cron="0 7 * * 1,2,3,4,5,6", zone="UTC"), "jeden Tag außer sonntags um 07:00"),
    (Rule(cron="0 10 * * 1", zone="UTC", every=2, unit="week", anchor="2026-11-23"), "jeden zweiten Montag um 10:00"),
    (Rule(cron="0 9 * * 5L", zone="UTC"), "am letzten Freitag des Monats um 09:00"),
    (Rule(cron="0 9 1 * *", zone="UTC"), "am 1. jedes Monats um 09:00"),
    (Rule(cron="0 9 L * *", zone="UTC"), "am letzten Tag des Monats um 09:00"),
    (Rule(cron="0 9 1,15,L * *", zone="UTC"), "am 1., 15. und letzten Tag jedes Monats um 09:00"),
    (Rule(cron="0 9 31 * *", zone="UTC", unit="month"), "am 31. jedes Monats um 09:00"),
    (Rule(cron="0 9 3 5 *", zone="UTC"), "jedes Jahr am 3. Mai um 09:00"),
)
BY_CRON = "nach cron "
WITHOUT_WORDS = (
    "*/5 * * * *", "0 9 31 * *", "0 9 * 5 1", "0 9 1-7 * 1", "0 9 * * MON", "0 * * * 5#5", "1-3 9 * * *",
)  # fmt: skip
INSTANT = ("Sa. 21. Nov. 2026 10:00", "Sa. 21. Nov. 2026 04:00")
VERB = "erinnere mich "
INTERVALS = {60: "jede Minute", 90: "alle 90 Sekunden", 1_800: "alle 30 Minuten", 7_200: "alle 2 Stunden"}

WORDS = (
    "am", "um", "9", "morgen", "jeden", "Montag", "und", "Freitag", "der", "1.", "Monats", "in", "20", "Minuten", "Uhr",
    "halb", "viertel", "nach", "bis", "3.5.", "27.11.", "nächste", "Woche", "früh", "alle", "zwei", "Mai", ",",
)  # fmt: skip
JOINT = " "
LEADS = ("", "Oma ", "jeden Tag um 9 Oma ")
HOSTILE = (
    "um 9 ", "a", " ", "jeden ", "am ", "montag, ", "1.", "1:", "in 2h ", "bis ", "\n", "(", "um 8, ", "eine halbe ",
    "jeden Montag und ", "über", "1. und ", "halb ", "fünf vor ", "nächste woche ", "am 1., ", "bitte ", "!", ".",
    ", ", "- ", "erinnere mich, ", "und, ",
)  # fmt: skip
TOO_LONG = ("morgen um 9 ", "Oma")

# Behind the verb, or as the line of the command: something of time, or another wish, is left over.
LEFT = (
    "diese Woche um 9 Oma anrufen",
    "morgen um 9 Oma anrufen und um 10 essen", "um 9 Oma anrufen, wenn es regnet", "täglich außer im Mai um 9 laufen",
    "morgen um 9 Oma anrufen und erinner mich um 10 ans Essen", "um 9 bis 10 laufen", "gegen 9 Oma anrufen",
    "Oma anrufen spätestens morgen", "morgen um 9 Uhr Osloer Zeit Oma anrufen", "am Freitag oder Samstag putzen",
    "um 9 nicht laufen", "morgen früher Oma anrufen", "vor 9 Oma anrufen", 
)  # fmt: skip
