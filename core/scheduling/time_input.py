"""What stands behind a command that sets a time: when, what, and for whom, in any language."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import PlainSerializer, PlainValidator, TypeAdapter
from pydantic_core import to_jsonable_python

from core.kernel import ids
from core.kernel.clean_text import cleaned
from core.kernel.markdown import truncated
from core.kernel.timing import clocks
from core.kernel.timing.expressions import At, Delay, Every, Expression, a_day_later
from core.kernel.timing.resolution import Impossible, Reading
from core.kernel.timing.resolve import resolve
from core.kernel.timing.schedule import Once
from core.kernel.timing.zones import to_local
from core.kernel.types import Millis
from core.language import FALLBACK, Language, all_words, dateparser_fallback, languages, pick
from core.language import grammars as all_grammars
from core.language.dateparser_fallback import Found
from core.language.grammar import ME, Grammar, Request, Wish
from core.language.short_texts import time_instead
from core.toolkit.command import CommandRun

# Between a time and a text, where a form has both: neither is taken for a part of the other.
SIGN = "⏰"
NOW = "now"
# Among the names of people: it is for all of a group.
EVERYBODY = "*"
LONGEST, LONGEST_PHRASE = 1_000, 40
UTC = ZoneInfo("UTC")
# Stands where a text would, to see what is left of a line without it.
_BLANK = "zzz"
# Before the text of the message that a line replied to.
_QUOTE = "\n↳ "
_LINK = re.compile(r"↳(https://[^\s()<>\[\]]{1,280})")
_CHOSEN = re.compile(r"#(c[0-9a-z]{6,12})")
# What nobody writes: "#all hands" is a text.
_ALL, _UNTIL_DONE = "#=all", "#=until"
_ME = re.compile(r"(?:me|myself|mich)\b(?!\s+(?:and|und)\b)[\s,:]*", re.IGNORECASE)
_OF = re.compile(r"(?:of|about)\s+", re.IGNORECASE)
_TO = re.compile(r"\A(?:to|of|about|that)\s+(?=\S)", re.IGNORECASE)
_CLOCK = re.compile(r"\d{1,2}(?::\d\d(?:\s?[ap]m)?|\s?[ap]m)\b", re.IGNORECASE)
_SHORT = re.compile(r"(\d{1,4})([mhd])", re.IGNORECASE)
_SECONDS = {"m": 60, "h": 3600}


_KINDS: Mapping[str, TypeAdapter[Any]] = {kind.__name__.lower(): TypeAdapter(kind) for kind in (Once, At, Delay, Every)}


def packed(when: Expression | Once | None) -> dict[str, Any] | None:
    """Return a time as JSON, as intents keep it."""
    return None if when is None else {"kind": type(when).__name__.lower(), **to_jsonable_python(when)}


def _unpacked(stored: Any) -> Any:
    if not isinstance(stored, dict):
        return stored
    fields = dict(stored)
    return _KINDS[fields.pop("kind")].validate_python(fields)


# A time as it was said, also as JSON: the fields of its kind, which is named.
When = Annotated[Expression | Once | None, PlainValidator(_unpacked), PlainSerializer(packed)]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """To be reminded of `text` at `when`, as far as either was said.

    `who` are names as they were written, a handle with its sign; `chosen` the ids of contacts that were picked where a
    name means several; `now` when it shall come at once instead. `link` leads to a message that was replied to, whose
    text is `quoted`; `words` are what it was read from. `names` are whom those may name where they may say nothing else
    but the time: those of others, `ME` alone or `EVERYBODY`. `calendar` when it was wished for on a calendar, which
    there is none of.
    """

    text: str = ""
    when: When = None
    who: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    everybody: bool = False
    until_done: bool = False
    now: bool = False
    link: str = ""
    words: str = ""
    quoted: str = ""
    names: tuple[str, ...] = ()
    calendar: bool = False


def cut(text: str) -> str:
    """Return what others wrote, as much of it as a reminder holds."""
    return truncated(text, LONGEST)


def vague(text: str) -> str:
    """Return a text without the words for some time, whenever that is ("later", "in a bit"), at either end of it."""
    me = "|".join(language["todo_me"] for language in languages().values())
    for words in all_words("later_words"):
        edge = r"\b" if words.isascii() else ""
        if found := re.match(rf"(?:(?:{me})\s*)?{re.escape(words)}{edge}[\s,，]*", text, re.IGNORECASE):
            return text[found.end() :].strip()
        # Elsewhere such a word may be what the text is about: "火车晚点".
        if edge and (found := re.search(rf"\b{re.escape(words)}$", text, re.IGNORECASE)):
            return text[: found.start()].rstrip(" ,")
    return text


def own(text: str) -> str:
    """Return a text without "me" in front, which says whom it is for."""
    found = _ME.match(text)
    return text[found.end() :].strip() if found else text


def subject(text: str) -> str:
    """Return what a text is about that may begin with a time that was not understood: "tommorow at 8 to celebrate"."""
    for language in languages().values():
        if (found := language.mistimed.match(text)) and text[found.end() :].strip():
            return text[found.end() :].strip()
    return _TO.sub("", text, count=1)


def is_this(words: str) -> bool:
    """Return whether a line says nothing but "this": the text that it replies to."""
    said = _OF.sub("", own(words.strip()), count=1).casefold()
    return said in all_words("this_words")


def pronouns() -> frozenset[str]:
    """Return the words of all languages that stand for a name and are none."""
    return frozenset(all_words("pronouns"))


def begins_with_pronoun(words: str) -> bool:
    """Return whether a line begins with one: "him at 9 to call"."""
    first, _, rest = words.casefold().partition(" ")
    return (first in pronouns() and bool(rest)) or any(words.startswith(one) for one in pronouns() if not one.isascii())


def grammars(language: Language) -> Iterator[Grammar]:
    """The grammar of the chat's language, then those of the others."""
    yield language.grammar
    yield from (one for one in all_grammars() if one is not language.grammar)


def when_of(text: str, language: Language) -> Expression | None:
    """Return a time and nothing else, in any language; "10m", "1h" and "3d" in all of them."""
    if short := _SHORT.fullmatch(text.strip()):
        n, unit = int(short[1]), short[2].lower()
        return Delay(days=n) if unit == "d" else Delay(seconds=n * _SECONDS[unit])
    return next((found for one in grammars(language) if (found := one.when(text)) is not None), None)


def request_of(text: str, language: Language) -> Request | None:
    """Return a wish for a reminder, in any language."""
    return next((found for one in grammars(language) if (found := one.request(text)) is not None), None)


def instant_of(text: str, zone: ZoneInfo) -> Once | None:
    """Return an instant as buttons say it: ISO 8601 with an offset, and a time."""
    try:
        said = datetime.fromisoformat(text.strip())
        local = said.astimezone(zone).replace(tzinfo=None)
    except (OverflowError, ValueError):
        return None
    if said.tzinfo is None:
        return None
    return Once(at=round(said.timestamp() * 1000), wall=local.isoformat(timespec="minutes"))


def offered(language: Language, zone: ZoneInfo, now: Millis) -> list[str]:
    """Return the times that a question when offers: those that are still to come."""
    found = {time: when_of(time, language) for time in language["time_offers"].split("|")}
    known = {time: reading(when, now, zone).schedule for time, when in found.items() if when is not None}
    return [time for time, at in known.items() if isinstance(at, Once) and at.at > now]


def readings(when: Expression | Once, said_at: Millis, zone: ZoneInfo, speaker: ZoneInfo) -> list[Reading]:
    """Return what a time may mean in a zone: by the day that it was for the `speaker`, and by the day there, if these
    differ. Times that are past are left out. Raises `Impossible`.
    """
    there, day = reading(when, said_at, zone), to_local(said_at, speaker).date()
    if not isinstance(when, At) or day == to_local(said_at, zone).date():
        return [there]
    here = resolve(when, said_at, zone, day)
    both = [here] if here.schedule == there.schedule else [here, there]
    return [one for one in both if isinstance(one.schedule, Once) and one.schedule.at > said_at] or [there]


def reading(when: Expression | Once, said_at: Millis, zone: ZoneInfo) -> Reading:
    """Return what a time means in a zone. Raises `Impossible`."""
    if not isinstance(when, Once):
        return resolve(when, said_at, zone)
    try:
        wall = to_local(when.at, zone).replace(tzinfo=None).isoformat(timespec="minutes")
    except (OverflowError, ValueError) as error:
        raise Impossible("no calendar reaches that far") from error
    return Reading(schedule=replace(when, wall=wall if when.wall else ""))


def read(rest: str, language: Language, *, quoted: str = "", link: str = "") -> Asked:
    """Read what stands behind a command that sets a reminder; `quoted` is the text of what it replies to."""
    marks, words = _marks(rest)
    words, _, kept = words.partition(_QUOTE)
    quoted = cut((kept or quoted).strip())
    found = _read(words, language, quoted)
    who = _with_signs(found.who, words)
    names = ("text", "when", "everybody", "until_done")
    said = {name: getattr(found, name) or getattr(marks, name) for name in names}
    asked = replace(marks, **said, who=who, link=marks.link or link, words=words, quoted=quoted)
    return replace(asked, names=_names(asked, language))


def of_wish(wish: Wish, *, quoted: str = "") -> Asked:
    """Return what free text asks for that wishes for a reminder; `quoted` is the text of what it replies to."""
    request, words = wish.request, cleaned(wish.text)
    # What it replies to may be its text, what lacks a time may be one, a sign parts them, and a mark is no text.
    if request is None or quoted or SIGN in words or words != wish.text or not any(map(str.isalnum, request.text)):
        found = read(words, pick(FALLBACK), quoted=quoted)
        # A wish that lacks a time is about its text, also where that is a name: "erinnere mich an Brot".
        return replace(found, names=found.names if request or quoted else (), calendar=wish.calendar)
    who = _with_signs(request.who, words)
    return replace(_asked(request, request.text), who=who, words=words, names=wish.names, calendar=wish.calendar)


def _marks(rest: str) -> tuple[Asked, str]:
    """Return what buttons and questions of a former version put in front: contacts, a link, whether it shall be now,
    for whom, and until when."""
    chosen: list[str] = []
    found, words = Asked(), rest.strip()
    while words:
        first, _, others = words.partition(" ")
        contact, link = _CHOSEN.fullmatch(first), _LINK.fullmatch(first)
        if contact and ids.number("c", contact[1]) is not None:
            chosen.append(contact[1])
        elif link:
            found = replace(found, link=link[1])
        elif first == NOW and others:
            found = replace(found, now=True)
        elif first == _ALL:
            found = replace(found, everybody=True)
        elif first == _UNTIL_DONE:
            found = replace(found, until_done=True)
        else:
            break
        words = others.strip()
    return replace(found, chosen=tuple(chosen)), words


def _read(words: str, language: Language, quoted: str) -> Asked:
    if SIGN in words and (parted := _parted(words, language)):
        return parted
    when = when_of(words, language) if words else None
    if when is not None:
        return Asked(text=quoted, when=when)
    if quoted and (this := _about_this(words, language)):
        return replace(this, text=quoted)
    request, lacking = request_of(words, language), _without_text(words, language)
    if lacking is not None and (quoted or request is None):
        return replace(lacking, text=quoted)
    if request is None:
        return Asked(text="\n\n".join(filter(None, (words, quoted))))
    return _asked(request, "\n\n".join(filter(None, (request.text, quoted))))


def _about_this(words: str, language: Language) -> Asked | None:
    """Return a time and for whom, and "this" for a text."""
    for word in all_words("this_words"):
        edge = r"\b" if word.isascii() else ""
        for found in re.finditer(rf"{edge}{re.escape(word)}{edge}", words[:LONGEST], re.IGNORECASE):
            request = request_of(f"{words[: found.start()]}{_BLANK}{words[found.end() :]}", language)
            if request is not None and request.text == _BLANK:
                return _asked(request, "")
    return None


def _asked(request: Request, text: str) -> Asked:
    return Asked(
        text=text,
        when=request.when,
        who=request.who,
        everybody=request.everybody,
        until_done=request.until_done,
    )


def _parted(words: str, language: Language) -> Asked | None:
    """Return a time, the sign and the text; or the text, the sign and the time."""
    first, _, last = words.partition(SIGN)
    before = when_of(first.strip(), language) or instant_of(first, UTC)
    if before is not None:
        return Asked(text=last.strip(), when=before)
    if found := _without_text(first.strip(), language):
        return replace(found, text=last.strip())
    first, _, last = words.rpartition(SIGN)
    after = when_of(last.strip(), language) or None
    return None if after is None else _answered(first.strip(), last.strip(), after, language)


def answered(asked: Asked, said: str, language: Language) -> Asked:
    """Return a line of a reminder with the time that was given for it; without one if that is only a time of day."""
    when = when_of(said, language)
    if when is None:
        return replace(asked, when=None)
    if asked.quoted and asked.text == asked.quoted:
        return replace(asked, when=None if isinstance(when, At) and when.day is None else when)
    found = _answered(asked.text, said, when, language)
    return replace(
        asked,
        text=found.text,
        when=found.when,
        who=_with_signs(found.who, asked.text) or asked.who,
        everybody=found.everybody or asked.everybody,
        until_done=found.until_done or asked.until_done,
    )


def instead(text: str, former: Expression | Once | None, language: Language) -> Expression | None:
    """Return the time that a text says instead of a former one, with the day or the clock of that where it says none
    itself; None for a text that says no time, and for a day without a word that corrects, which may be a text."""
    said = time_instead(text, bare=False)
    when = when_of(said or text, language)
    to_the_minute = isinstance(when, Delay) or (isinstance(when, At) and when.clock is not None)
    corrects = said not in {"", text.strip()}
    if not (to_the_minute or corrects):
        return None
    if isinstance(when, At) and isinstance(former, At | Every):
        when, former = _near(when, former)
    return when if when is None or former is None or isinstance(former, Once) else _on_day(when, former) or when


def _near(when: At, former: At | Every) -> tuple[At, At | Every]:
    """Return a time with its clock in the half of the day where it is near that of a former time, and the former one on
    the next day where it is near there: "at 12" of Friday at 23:00. Where that cannot be, its clock is as said, and
    where none was it is the former one."""
    before = (former.clock,) if isinstance(former, At) else former.clocks
    if len(before) != 1 or before[0] is None:
        return when, former
    if when.clock is None:
        return replace(when, clock=before[0]), former
    close, later = clocks.near(when.clock, clocks.times(before[0])[0])
    if not later:
        return replace(when, clock=close), former
    after = a_day_later(former) if when.day is None else None
    # "At 11" of half past midnight is the evening before, which only what comes on any day can be.
    if after is None or (later < 0 and after != former):
        return when, former
    return replace(when, clock=close), after


def _with_signs(names: Sequence[str], words: str) -> tuple[str, ...]:
    """Names as they were written, handles with their signs."""
    return tuple(f"@{name}" if f"@{name}".casefold() in words.casefold() else name for name in names)


def _answered(text: str, said: str, when: Expression, language: Language) -> Asked:
    """Return a text, and the time that was asked for: with what the text says of it already, where both are one
    time."""
    for line in (f"{text} {said}", f"{said} {text}"):
        request = request_of(line, language)
        if request is not None and (request.when == when or _on_day(when, request.when) == request.when):
            return _asked(request, subject(request.text))
    for first, rest in _first_phrases(text, language):
        if both := _on_day(when, first):
            return Asked(text=subject(rest), when=both)
    # A clock alone, beside what may say the day: better once more than on the wrong one.
    half = isinstance(when, At) and when.day is None and len(text) <= LONGEST
    return Asked(text=text if half else subject(text), when=None if half else when)


def _first_phrases(text: str, language: Language) -> Iterator[tuple[Expression, str]]:
    """The times that a text begins with, the longest first, each with what stands behind it."""
    for at in range(min(len(text), LONGEST_PHRASE), 1, -1):
        if at < len(text) and not text[at].isspace() and text[at - 1].isascii():
            continue
        first, rest = when_of(text[:at], language), text[at:].strip()
        if rest and first is not None:
            yield first, rest


def begins_with_day(text: str, language: Language) -> bool:
    """Return whether a text that says no time as a whole begins with a day: "friday around 9 to call"."""
    days = (first for first, _ in _first_phrases(text, language))
    return any(isinstance(first, At) and first.day is not None for first in days)


def _on_day(when: Expression, other: Expression) -> Expression | None:
    """Return a clock on the day, or on the days, that another time names; None when one of them is not such a one."""
    if not isinstance(when, At) or when.day is not None or when.clock is None:
        return None
    match other:
        case At(day=day) if day is not None:
            return replace(other, clock=when.clock, zone=when.zone)
        case Every(unit=unit) if unit not in {"minute", "hour"} and when.zone is None:
            return replace(other, clocks=(when.clock,))
    return None


def _without_text(words: str, language: Language) -> Asked | None:
    """Return a time and for whom, if the line only lacks a text."""
    request = request_of(f"{words} {_BLANK}", language)
    return _asked(request, "") if request is not None and request.text == _BLANK else None


def _names(asked: Asked, language: Language) -> tuple[str, ...]:
    """Return whom a line may name that says nothing else but a time, if that: "Bob at 9", "Bob and Anna"."""
    words = asked.words
    if asked.when is None:
        found = _only_people(own(words) or words, language)
        return () if found is None else found.who or ((EVERYBODY,) if found.everybody else (ME,))
    if asked.who or asked.quoted or not asked.text or SIGN in words:
        return ()
    # A name that begins with a small letter is one here, too.
    for line in dict.fromkeys((words, words[:1].upper() + words[1:])):
        lacking = _without_text(line, language)
        if lacking is not None and lacking.who and lacking.when == asked.when:
            return lacking.who
    return ()


def _only_people(words: str, language: Language) -> Request | None:
    """Return what a line says that names people and nothing else ("me", "Bob and Anna"), with any time; else None."""
    for one in grammars(language) if words else ():
        time = one.say(Once(at=0), ZoneInfo("UTC"))
        found = one.request(f"{words} {time} {_BLANK}") if time else None
        if found is not None and found.text == _BLANK:
            return found
    return None


def too_quick(text: str) -> bool:
    """Return whether a text wishes for something every so many seconds, in any language."""
    return any(form.search(text) for language in languages().values() for form in _forms(language["every_seconds"]))


@cache
def _forms(texts: str) -> list[re.Pattern[str]]:
    """Forms such as "every {n} seconds" as patterns."""
    filled = (re.escape(text).replace(r"\{n\}", r"[0-9一二三四五六七八九十两]{1,3}") for text in texts.split("|"))
    return [re.compile(rf"(?<![a-z]){one}(?![a-z])", re.IGNORECASE) for one in filled]


def every(rest: str, language: Language) -> str:
    """Return the line of a reminder that recurs, with the word of a language before it where that is left out."""
    words = [*language["every_words"].split("|"), *all_words("every_words")]
    lines = [rest, *(f"{word} {rest}" if word.isascii() else f"{word}{rest}" for word in words)]
    if _CLOCK.match(rest):  # "/every 8:00 pills" is each day
        lines += [one.say("each_day", rest=rest) for one in languages().values()]
    for text in lines:
        request = request_of(text, language)
        when = request.when if request is not None else when_of(text, language)
        if isinstance(when, Every):
            return text
    return ""


# A time of day as all of our languages read it.
_ANY_CLOCK = "17:00"


async def settle(run: CommandRun, asked: Asked) -> Asked:
    """Return a line of a reminder with a time that can be relied on, or without one.

    A clock alone may be half of a time: the other half stands in a language that we don't know. There dateparser is
    asked, and where it finds nothing that is certain, our reading only counts in a language of ours.
    """
    if asked.now or not asked.words or SIGN in asked.words or ours(run) or not _half(asked.when):
        return asked
    if when_of(asked.words, run.language):
        return asked
    found = await elsewhere(run, asked.words)
    if found is not None and agree(run, asked.when, found):
        return asked
    if found is not None and whole(run, found):
        text = "\n\n".join(filter(None, (found.rest, asked.quoted)))
        words = asked.words if text else found.wall
        return replace(asked, text=text, when=Once(at=found.at, wall=found.wall), words=words, names=())
    if asked.when is None or sure(run, asked.when):
        return asked
    text = "\n\n".join(filter(None, (asked.words, asked.quoted)))
    return replace(asked, when=None, text=text, who=(), everybody=False, until_done=False, names=())


def ours(run: CommandRun) -> bool:
    """Return whether the person speaks a language of ours, so that nothing is left for another to read."""
    return _ours(run.context.principal.language)


def sure(run: CommandRun, when: Expression | Once | None) -> bool:
    """Return whether a time that our languages read is one, whatever the person speaks.

    What began with one of our verbs, and became a command by that, is in our language; not what a button sets or adds.
    """
    said = run.context.said
    free = said is not None and said.pressed is None and not (run.rest or said.text.startswith("/"))
    return free or not _half(when) or ours(run)


def _half(when: Expression | Once | None) -> bool:
    return when is None or (isinstance(when, At) and when.day is None)


def _ours(tag: str) -> bool:
    return not tag or re.split(r"[-_]", tag.lower())[0] in languages()


async def elsewhere(run: CommandRun, words: str) -> Found | None:
    """Return the time of a line in the person's language; None when there is none that is certain.

    In a thread: to load all that takes longer than anybody else should wait.
    """
    tag, zone = run.context.principal.language, run.context.zone
    if _ours(tag):
        return None
    found = await asyncio.to_thread(dateparser_fallback.find, words, tag, _said_at(run), zone)
    return found if found is not None and (found.rest or found.wall) else None


def whole(run: CommandRun, found: Found) -> bool:
    """Return whether nothing of time is left over: whoever speaks German may write English."""
    request = request_of(f"{found.rest} {_ANY_CLOCK}", run.language)
    return not found.rest or (request is not None and (request.text == found.rest or bool(request.who)))


def agree(run: CommandRun, when: Expression | Once | None, found: Found | None) -> bool:
    """Return whether our reading of a time comes to the same as that in the person's language."""
    if when is None or found is None:
        return False
    try:
        ours = reading(when, _said_at(run), run.context.zone).schedule
    except Impossible:
        return False
    return isinstance(ours, Once) and ours.at == found.at


def _said_at(run: CommandRun) -> Millis:
    said = run.context.said
    return run.context.clock.now() if said is None else said.sent_at
