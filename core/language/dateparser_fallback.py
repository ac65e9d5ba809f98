"""Finds times in the languages without a grammar of their own, and believes dateparser only where all is plain.

Of "llamar a Ana mañana a las 17:00" the time is 17:00 on the day after, and the rest "llamar a Ana". dateparser
guesses: "Freitag um 23 Uhr" becomes the 23rd, "17:00 3 Eier" a day in March. So what it finds counts only when it has
one of a few shapes and every number of it shows in the result; else somebody is asked "When exactly?".
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from core.kernel.timing.zones import to_instant, to_local
from core.kernel.types import Millis

# dateparser takes up to 0.3 s for long rows of numbers.
LONGEST, MOST_NUMBERS = 200, 8
MINUTE: Millis = 60_000
UNITS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
}
ELAPSING = ("minute", "hour")
# The languages whose words for "every", "next" and "until" are below. In others only a full date with a clock is
# believed.
KNOWN = frozenset({"cs", "da", "de", "es", "fr", "it", "nb", "nl", "no", "pl", "pt", "ru", "sv", "tr", "uk"})
_NUMBER = re.compile(r"\d+")
_TAG = re.compile(r"[A-Za-z]{2,3}")
_WORD = re.compile(r"[^\W\d_]+")
_CLOCK = re.compile(r"(?<![\d:.,/])([01]?\d|2[0-3]):([0-5]\d)(?![\d:/%]|[.,]\d)")
_AT = r"(?:um|gegen|à|a las?|às|as|alle(?: ore)?|om|в|о|kl\.?|klo|o)"
_HOURS = r"(?:uhr|uur|heures?|horas?|часов|часа|час|hs?|ч)"
_SPOKEN = re.compile(
    rf"\b(?:{_AT}\s(?P<at>[01]?\d|2[0-3])(?:\s?{_HOURS}(?:\s?(?P<past>[0-5]\d))?)?(?![\w:/]|[.,]\d)"
    r"|(?P<hour>[01]?\d|2[0-3])(?:\suhr\b(?:\s(?P<minute>[0-5]\d)\b)?|h(?P<after>[0-5]\d)\b))",
    re.IGNORECASE,
)
# Dates beside the clock: 27.11. or 2026-11-27, 27. November 2026, or a word alone.
_DATES = re.compile(
    r"\D*|\D*\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{4})?)?\D*|\D*\d{4}-\d{1,2}-\d{1,2}\D*"
    r"|\D*\d{1,2}(?:\.|º|er|-?е|-?го)?\s(?:de\s|di\s)?[^\W\d_]{3,}\.?(?:\s(?:de\s)?\d{4})?\D*"
)
_FULL_DATE = re.compile(r"\d{1,4}\D{1,3}\d{1,2}\b|\d{1,2}\D{0,5}\s[^\W\d_]{3,}")
_DELAY = re.compile(r"[^\W\d_]+(?:\s[^\W\d_]+)?\s(\d{1,4})\s?[^\W\d_]+")
# Words for what comes again, wherever they stand.
_AGAIN = re.compile(
    r"jede|täglich|wöchentlich|monatlich|jährlich|stündlich|werktags|chaque|tou(?:t|te)?s les|quotidien|cada"
    r"|tod[oa]s|diari|ogni|tutt[ei] |giornalier|elke|ieder|dagelijks|wekelijks|кажд|ежедневн|кожн|щод|codzienn|każd"
    r"|co tydz|varje|hver|dagligen|každ|denně|her gün|her hafta|günlük",
    re.IGNORECASE,
)
# Words that take some of it away ("except"), and a question behind the first sentence.
_MORE = re.compile(
    r"\b(?:außer|ausser|ausgenommen|sauf|excepto|salvo|eccetto|tranne|behalve|кроме|oprócz|utom|undtagen|unntatt|kromě|hariç)\b"
    r"|[.!;]\s.*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)
# Words that make another time of the one they stand beside: next, last, until, before, the half of the day.
_BESIDE = re.compile(
    r"(?:nächst|kommend|übernächst|letzt|vorig|prochain|dernier|próxim|pasad|passad|prossim|scors|volgende|vorige|следующ"
    r"|прошл|наступн|następn|przyszł|zeszł|nästa|næste|neste|förra|příšt|minul|gelecek|önümüzdeki|geçen|abend|morgens|früh"
    r"|vormittag|nachmittag|mittag|nacht|soir|matin|midi|tarde|noche|noite|manhã|mattin|sera|pomerig|avond|ochtend|middag"
    r"|вечер|утра|утром|дня|ночи|wieczor|rano|połud|kväll|aften|večer|akşam|sabah).*"
    r"|bis|vor|nach|ab|seit|zwischen|halb|viertel|nicht|kein|jusqu|avant|après|depuis|entre|pas|hasta|antes|después|desde|no"
    r"|até|depois|não|fino|entro|prima|dopo|da|non|tot|voor|na|vanaf|niet|до|после|с|не|після|від|do|przed|po|od|nie|till"
    r"|före|efter|før|etter|från|inte|ikke|před|ne|kadar|önce|sonra|que|viene",
    re.IGNORECASE,
)
# These do so also within the time itself: "morgen vor 9 Uhr".
_WITHIN = re.compile(
    r"\b(?:vor|nach|bis|ab|avant|après|jusqu|antes|después|depois|hasta|até|prima|dopo|fino|voor|tot|до|после|після|przed"
    r"|före|efter|før|etter)\b",
    re.IGNORECASE,
)
# Directly before the time, these belong to it: "llamar el viernes".
_ARTICLE = re.compile(r"\s(?:el|los|le|il|den|am|op|på|w|we|в|во)$", re.IGNORECASE)
# A day that is left over was not understood, as when somebody writes in another language than theirs.
_DAY = re.compile(
    r"\b(?:(?:über)?morgen\b|heute|montag|dienstag|mittwoch|donnerstag|freitag|sams?tag|sonnabend|sonntag|demain"
    r"|(?:monats|quartals|jahres|wochen)(?:ende|anfang|mitte)|aujourd"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|mañana|hoy\b|lunes|martes|miércoles|jueves|viernes|sábado"
    r"|domingo|domani|oggi|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|amanhã|hoje|segunda|terça|quarta"
    r"|quinta|sexta|(?:over)?morgen|vandaag|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|(?:после)?завтра"
    r"|сегодня|понедельник|вторник|сред[ау]|четверг|пятниц|суббот|воскресен|сьогодні|jutro|pojutrze|dziś|dzisiaj|imorgon"
    r"|idag|i dag\b|i morgon|zítra|dnes|yarın|bugün|tomorrow|today|tonight)",
    re.IGNORECASE,
)
# The verb of a wish to be reminded, with whom.
_REMIND = re.compile(
    r"(?:bitte\s|por favor,?\s|пожалуйста,?\s)?"
    r"(?:erinner\w*\s(?:mich|uns)|rappelle[sz]?[- ](?:moi|nous)|rappelez[- ](?:moi|nous)|recu[eé]rda(?:me|nos)"
    r"|ricorda(?:mi|ci)|lembr[ae][- ](?:me|nos)|me\slembr[ae]|herinner\s(?:me|mij|ons)|напомни(?:те)?(?:\s(?:мне|нам))?"
    r"|нагадай(?:те)?(?:\s(?:мені|нам))?|przypomnij(?:\s(?:mi|nam))?|påminn\s(?:mig|oss)|mind\s(?:mig|os)(?:\som)?"
    r"|minn\s(?:meg|oss)|připomeň(?:\s(?:mi|nám))?)(?:\s(?:bitte|daran))*[\s,:]+(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
# Words that say the day of a clock that stands alone: weeks, months, and feasts.
_PERIOD = re.compile(
    r"woche|monat|jahr|anfang|\bende\b|feiertag|heiligabend|weihnacht|silvester|ostern|ostermontag|pfingst|semaine|\bmois\b"
    r"|année|noël|pâques|semana|\bmes(?:es)?\b|\baño|navidad|settiman|\bmese\b|natale|pasqua|\bmês\b|\bano\b|natal\b"
    r"|\bweek|maand|\bjaar|kerst|pasen|недел|месяц|\bгод|выходн|тижн|місяц|tydzień|tygodni|miesiąc|vecka|månad|helg"
    r"|\buge\b|måned|\buke\b|týden|měsíc|hafta|\bay\b"
    r"|\b(?:jan|feb|fév|fev|mär[zt]|mars|marzo|março|apr|abr|avr|mai\b|mayo|maio|maggio|mei\b|jun[ií]|juin|giugno|jul[iy]|juil"
    r"|luglio|aug|ago|août|sept|set[ei]|okt|oct|ott|out|nov|de[czs]|d[ée]c|янв|фев|март|апр|мая|июн|июл|авг|сент|окт|ноя|дек)",
    re.IGNORECASE,
)
_LEFT_AT = re.compile(rf"\b{_AT}\s*$", re.IGNORECASE)
_NEAR = 2
_DATE_LEFT = re.compile(r"\d[.:/]\d|\d\.(?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Holds a time in a text: the instant, the local time it was said as (empty for a delay), and the other words."""

    at: Millis
    wall: str
    rest: str


def wish(text: str) -> str:
    """Return what stands behind the words that wish for a reminder in one of these languages; empty when none do.

    Of "erinnere mich morgen um 17:00 an Oma" that is "morgen um 17:00 an Oma".
    """
    verb = _REMIND.match(text.strip()[:LONGEST])
    return verb["rest"].strip() if verb else ""


def names_day(text: str, *, ours: Collection[str] = ()) -> bool:
    """Return whether a text names a day, or says what comes again, so that a clock is not all of its time.

    It is read in the languages without a grammar, and in English, but for the words of `ours`.
    """
    # "Elke" is a name as well.
    words = (word.start() for word in _WORD.finditer(text) if word.start() == 0 or not word[0][0].isupper())
    days = (day[0].lower() for day in _DAY.finditer(text))
    return any(day not in ours for day in days) or any(_AGAIN.match(text, at) for at in words)


@dataclass(frozen=True, slots=True)
class _Base:
    """Says from where a time is counted."""

    at: Millis
    zone: ZoneInfo
    wall: datetime


def find(text: str, language: str, said_at: Millis, zone: ZoneInfo) -> Found | None:
    """Return the one time of a text that is certain and after `said_at`; else None. `language` is a tag: "de", "pt-BR".

    Its first call takes 0.3 s for the import, and the first in a language up to 0.1 s: call it in a thread.
    """
    code = _TAG.match(language.strip())
    numbers = _NUMBER.findall(text)
    if code is None or len(text) > LONGEST or not 1 <= len(numbers) <= MOST_NUMBERS:
        return None
    if _AGAIN.search(text) or _MORE.search(text):
        return None
    plain = " ".join(_SPOKEN.sub(_digital, text).split())
    base = _Base(said_at, zone, to_local(said_at, zone).replace(tzinfo=None))
    phrase = _search(plain, code[0].lower(), base)
    if phrase is None or plain.count(phrase[0]) != 1:
        return None
    before, after = plain.split(phrase[0])
    # What stands around a time may make another one of it, or hold more of it.
    beside, left = [*_WORD.findall(before)[-_NEAR:], *_WORD.findall(after)[:_NEAR]], f"{before} {after}"
    more = _DATE_LEFT.search(left) or _DAY.search(left) or _LEFT_AT.search(before)
    if more or _WITHIN.search(phrase[0]) or any(map(_BESIDE.fullmatch, beside)):
        return None
    if code[0].lower() not in KNOWN and not _FULL_DATE.search(_CLOCK.sub(" ", phrase[0])):
        return None
    return _certain(phrase[0], phrase[1], base, " ".join(f"{_ARTICLE.sub('', before.strip())} {after.strip()}".split()))


def _digital(spoken: re.Match[str]) -> str:
    """Return a clock with a colon, which dateparser reads: "um 17:00" for "um 17 Uhr"."""
    name = "at" if spoken["at"] else "hour"
    minute = spoken["past"] or spoken["minute"] or spoken["after"] or "00"
    return f"{spoken.string[spoken.start() : spoken.start(name)]}{spoken[name]}:{minute}"


def _search(text: str, language: str, base: _Base) -> tuple[str, datetime] | None:
    """Return the one phrase that dateparser takes for a time, and what it makes of it; None for several, or none."""
    # It loads 0.3 s of tables, for nothing where everybody has a grammar.
    from dateparser.search import search_dates  # noqa: PLC0415

    settings = {
        "PREFER_DATES_FROM": "future",
        "RELATIVE_BASE": base.wall,
        "TIMEZONE": base.zone.key,
        "DEFAULT_LANGUAGES": [],
    }
    try:
        dates = search_dates(text, languages=["nb" if language == "no" else language], settings=settings)
    except Exception:  # its errors on odd texts are of any kind, and mean no more than that nothing was found
        return None
    if not dates or len(dates) != 1 or dates[0][1].tzinfo is not None:
        return None
    return dates[0][0].strip(), dates[0][1]


def _certain(phrase: str, wall: datetime, base: _Base, rest: str) -> Found | None:
    """Return a time if all of its phrase shows in it."""
    if delay := _DELAY.fullmatch(phrase):
        return _delayed(int(delay[1]), wall, base, rest)
    clocks = _CLOCK.findall(phrase)
    if len(clocks) != 1 or (wall.hour, wall.minute, wall.second) != (int(clocks[0][0]), int(clocks[0][1]), 0):
        return None
    day = _CLOCK.sub(" ", phrase).strip()
    if not day and wall.minute % 5:
        return None  # chapter and verse: "Johannes 3:16"
    if not day and _PERIOD.search(rest):
        return None
    if not _DATES.fullmatch(day) or not _shown([int(n) for n in _NUMBER.findall(day)], wall):
        return None
    at = to_instant(wall, base.zone)
    return Found(at=at, wall=wall.isoformat(timespec="minutes"), rest=rest) if at > base.at else None


def _shown(numbers: list[int], wall: datetime) -> bool:
    """Return whether each number is another one of day, month and year; without a day there is none of the others."""
    parts = [wall.day, wall.month, wall.year]
    for number in numbers:
        if number not in parts:
            return False
        parts.remove(number)
    return not numbers or wall.day in numbers


def _delayed(n: int, wall: datetime, base: _Base, rest: str) -> Found | None:
    """Return the time in n minutes, hours, days or weeks, if one of them is what passes until then."""
    passed = wall - base.wall
    unit = next((unit for unit, size in UNITS.items() if passed == n * size), None)
    if unit is None or n == 0:
        return None
    at = base.at + passed // timedelta(milliseconds=1) if unit in ELAPSING else to_instant(wall, base.zone)
    return Found(at=at, wall="", rest=rest)
