"""English: what people ask for in few words about lists, done things, quiet and briefs."""

from __future__ import annotations

import re
from dataclasses import replace

from core.kernel.timing.expressions import At, Clock, Every, InDays
from core.language.en.remainder import is_question, one_wish
from core.language.en.times import READER
from core.language.en.words import HALF, part_of
from core.language.engine.said import Part, within
from core.language.grammar import Wish

# "A list" is any: "add two numbers in a list".
_LIST = r"(?:my|our|the) (?:(?:to-?do|to do|shopping|grocery|groceries|task)s? )?lists?"
_TODOS = r"(?:to-?dos?(?: lists?)?|to do lists?|(?:shopping|grocery|task) lists?|lists?)"
_SHOW = r"(?:(?:show|list|see|open|give|tell)(?: me)? )?(?:all )?(?:(?:of )?(?:my|our|the) )?"
_WHAT = r"what(?:'?s| is| are)"
_REMINDERS = r"(?:reminders?|schedules?|scheduled (?:reminders?|messages?|things))"
_X = r"(?P<x>\S.{0,1900}?)"
# Few words, so that "complete the following sentence" stays a question for a model.
_SHORT = (
    r"(?P<x>(?!(?:this|that|it|the (?:following|sentence|text|story|list)|he|she|we|they|i|you|who|what|when|where|how"
    r"|why|if|until|after|before|once|nothing|everything|all)\b)\S{1,30}(?: \S{1,30}){0,3})"
)
_CLOCK = rf"(?P<%sh>2[0-3]|[01]?\d)(?::(?P<%sm>[0-5]\d))?(?P<%shalf>{HALF})?(?: o'?clock)?"
_EACH = r"(?:every|each) (?P<part>morning|afternoon|evening|night|day)"
_BRIEF = r"(?:(?:a|the|my|our) )?(?:(?:daily|morning|evening|short) )?brief(?:ing)?"
_SEND = rf"(?:(?:send|give|post|write)(?: (?:me|us))? {_BRIEF}|brief (?:me|us)|{_BRIEF})"
_FROM = rf"(?:from |between )?{_CLOCK % (('a',) * 3)} ?(?:to|till|until|and|-|–) ?{_CLOCK % (('b',) * 3)}"
_AT = rf"at {_CLOCK % (('a',) * 3)}"
_LATE, _EARLY, _NOON = range(6, 12), range(6, 10), 12


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ?", r"\s{0,3}").replace(" ", r"\s{1,3}"), re.IGNORECASE | re.DOTALL)


_YES = r"(?:(?:ok(?:ay)?|yes|yep|yeah|all|already|just|now),? ){0,3}"
_IT = r"(?:(?:it'?s|that'?s|it is|that is|this is|i'?m|i am|i've|i have|we'?re|we've) )?"
_ADD = r"(?:add|create)(?: me)?(?: an?)?(?: new)?"
_TASK = r"(?:to-?do|task)(?: item)?"
_ONTO = r"(?:to|on|onto|in|into)"
_DO = (
    r"ask|book|bring|buy|call|check|clean|cook|email|fill|find|finish|fix|get|make|merge|order|pay|phone|pick|plan"
    r"|prepare|print|read|reply|review|send|sign|submit|update|upload|wash|write"
)
_OFF = r"(?:off|out)"

_END = r"(?:cancel|delete|remove|stop|drop|end|turn off|switch off|get rid of)"
_ANY = r"(?:all|both|any|every|each|these|those|this|that|it|my|our|the|an?)"
_NAMED = rf"(?P<x>(?!{_ANY}(?: (?:of|other|more|one)s?\b.*)?$)\S{{1,60}}(?: \S{{1,60}}){{0,11}})"
_SOMEBODY = (
    r"(?P<x>(?!(?:this|that|the|it|me|us|you|yourself|all|everyone|everybody|everything|notifications?|chat|group|my|our)\b)"
    r"\S{1,40}(?: \S{1,40}){0,2})"
)
_PLACE = r"(?P<x>[^\W\d_][\w/+'. -]{1,40})"

_ADDED, _TOMORROW = Wish(name="todo.add"), Wish(name="today", when=At(day=InDays(days=1)))
# Whole texts of one of these forms, and what they wish: x is what was named, as it was written.
_FORMS: dict[Wish, tuple[str, ...]] = {
    Wish(name="done"): (
        rf"{_YES}{_IT}(?:all |already |just |now )?(?:done|finished|completed)(?: (?:it|that|this|now))?",
        rf"{_YES}(?:i |we )?(?:just |already )?did (?:it|that)(?: already)?",
        r"[✅✔☑]\ufe0f?",
    ),
    Wish(name="todo"): (
        rf"{_WHAT} (?:still )?(?:on|in) (?:my|our|the) {_TODOS}(?: now| right now)?",
        rf"{_WHAT} (?:my|our|the) (?:open )?to-?dos",
        rf"{_SHOW}(?:open )?{_TODOS}",
        r"(?:what|anything)(?: else)?(?:'s| is)? left to do",
        r"what do (?:i|we) (?:still )?(?:have|need) to do",
        r"what(?:'?s| is) (?:there )?(?:still )?to do",
        r"do i have anything (?:left )?to do",
        r"my open (?:items|tasks)",
        rf"{_WHAT} (?:still )?left (?:on|in) (?:my|our|the) {_TODOS}(?: now)?",
    ),
    _ADDED: (
        rf"(?:add|put|append|save) {_X} {_ONTO} {_LIST}",
        rf"write (?!(?:a|an|your|the) ){_X} {_ONTO} {_LIST}",
        rf"(?:add|put|write|append) {_ONTO} {_LIST}:? {_X}",
        rf"(?:new |{_ADD} )?to-?do(?: item)? ?: ?{_X}",
        # "Task: translate this: …" is one for a model.
        rf"(?:new |{_ADD} )?task(?: item)? ?: ?(?!\S.{{0,200}}?(?:: |\bthe following\b)){_X}",
        # Without a colon only what surely is to be done: "todo lists are fun" is none.
        rf"to-?do (?P<x>(?:@\w|(?:{_DO}) )\S.{{0,1900}})",
        rf"(?:new|{_ADD}) {_TASK} (?!lists?\b)(?:(?:to|for|called) )?{_X}",
    ),
    Wish(name="todo.done"): (
        rf"done(?: with)? ?: ?{_X}",
        rf"(?:done|finished) with {_SHORT}",
        rf"(?:tick|check|cross|strike) {_OFF} {_SHORT}(?: (?:from|on|off) {_LIST})?",
        rf"(?:tick|check|cross|strike) {_SHORT} {_OFF}(?: (?:(?:of|from|on) )?{_LIST})?",
        rf"mark {_X} (?:as |off as )?(?:done|complete|completed|finished)",
        rf"complete {_SHORT}",
        rf"{_SHORT} is done(?: now)?",
    ),
    Wish(name="todo.remove"): (rf"(?:remove|delete|drop|erase|strike|take) {_X} (?:from|off|off of) {_LIST}",),
    # It asks first. "Clear the list" of what, where something stands behind it, is a model's to find out.
    Wish(name="todo.clear"): (
        rf"(?:clear|empty|wipe|clean)(?: out| up)? {_LIST}",
        r"(?:clear|empty|wipe) (?:my|our|the) to-?dos",
        rf"(?:clear|remove|delete|take|erase|wipe) (?:everything|all(?: (?:the )?(?:items|entries|to-?dos|tasks))?)"
        rf" (?:from|off|off of|on|in) {_LIST}",
        r"(?:clear|remove|delete) all (?:of )?(?:my|our|the) to-?dos",
    ),
    Wish(name="today"): (
        r"today|my (?:day|today)",
        r"(?:my |our |today'?s )?agenda(?: for today)?",
        rf"{_WHAT} (?:due|on|up|planned|scheduled|happening)(?: for)?(?: me| us)? today",
        rf"{_WHAT} on (?:my|our|the) (?:agenda|plate)(?: for)?(?: today)?",
        r"what do (?:i|we) have (?:to do |on |planned |due )?(?:for )?today",
        r"(?:show|tell)(?: me)? my day",
        r"(?:how does my day look|what does my day look like)(?: today)?",
    ),
    _TOMORROW: (
        rf"{_WHAT} (?:due|on|up|planned|scheduled|happening)(?: for)?(?: me| us)? tomorrow",
        rf"{_WHAT} on (?:my|our|the) (?:agenda|plate)(?: for)? tomorrow",
        r"what do (?:i|we) have (?:to do |on |planned |due )?(?:for )?tomorrow",
        r"(?:my |our )?agenda for tomorrow|tomorrow'?s agenda",
        r"(?:how does my day look|what does my day look like) tomorrow",
    ),
    Wish(name="tasks"): (
        rf"{_SHOW}(?:open |active |current )?{_REMINDERS}",
        r"(?:(?:list|show)(?: me)? (?:my |all |our )?|my )tasks",
        r"(?:what|which) (?:open |active )?reminders (?:do (?:i|we) have|are (?:set|there|active|open))(?: set)?",
        r"(?:do i have )?any reminders",
        rf"{_WHAT} (?:scheduled|(?:my|our|the) reminders)",
        r"(?:cancel|delete|remove|stop|change|edit|manage) (?:all )?(?:of )?(?:my|our|the|a|all) reminders?",
    ),
    Wish(name="contacts"): (
        r"whom? do you know",
        r"who(?:'?s| is| are) (?:in|among|on) (?:my|our|your|the) (?:contacts|contact list|address book)",
        r"(?:(?:show|list|open)(?: me)? )?(?:all )?(?:my|our|your|the) contacts",
        r"(?:(?:show|list) )?contacts",
    ),
    Wish(name="brief.off"): (
        r"(?:stop|cancel|no(?: more)?|turn off|switch off) (?:the |my )?(?:daily |morning )?brief(?:ing)?s?",
    ),
    Wish(name="quiet"): (r"no (?:more )?quiet hours|quiet hours off|(?:turn|switch) off (?:the )?quiet hours",),
}
_MORE: dict[Wish, tuple[str, ...]] = {
    Wish(name="tasks"): (r"tasks",),
    Wish(name="today"): (r"what(?:'?s| is| are)(?: still)? (?:overdue|late)",),
    Wish(name="undo"): (
        r"(?:oops,? )?undo(?: (?:that|this|it|the last (?:one|thing|change)))?",
        r"(?:oops,? )?take (?:that|it) back",
    ),
    Wish(name="cancel"): (
        rf"{_END} (?:(?:the|my|our|that) )?(?!reminders?\b){_NAMED} reminders?",
        rf"{_END} (?:(?:the|my|our|that) )?reminders? (?:(?:to|for|about|of|called|named|that says) |: ?)?{_NAMED}",
        rf"(?:stop|quit) reminding (?:me|us) (?:to|about|of|that) {_NAMED}",
        rf"(?:don't|do not|dont) remind (?:me|us) (?:to|about|of) {_NAMED} (?:any ?more|again)",
        rf"no more reminders (?:to|about|for|of) {_NAMED}",
    ),
    Wish(name="mute"): (rf"mute {_SOMEBODY}",),
    Wish(name="unmute"): (rf"unmute {_SOMEBODY}",),
    Wish(name="timezone"): (
        r"(?:what(?:'?s| is) |show |which is )?my time ?zone|(?:change|set) (?:my|the|our) time ?zone",
        # "Time zone in France" is a question.
        r"(?:(?:set|change|switch) )?(?:(?:my|the|our) )?time ?zone(?! (?:in|of|for|at)\b)(?: to| is| as|:| =)?"
        rf" {_PLACE}",
        rf"i (?:live|am living|moved|have moved) (?:now )?(?:in|to) {_PLACE}",
        rf"(?:i'm|i've) (?:living|moved) (?:now )?(?:in|to) {_PLACE}",
    ),
}
_WISHES = tuple((_words(form), wish) for forms in (_FORMS, _MORE) for wish, some in forms.items() for form in some)
_DATED = _words(rf"(?:add|put) {_X} {_ONTO} {_LIST},? (?P<when>\S.{{0,60}})")
_GIVEN = _words(rf"(?:add|put) {_X} {_ONTO} {_LIST},? (?P<who>for @\S{{1,60}})")
# Nothing by name: what is meant stands elsewhere, or nowhere.
_VAGUE = _words(
    r"(?:(?:this|that|these|those) ?.{0,40}|it|them|me|us|you|him|her|something|anything|everything|all|items?|things?"
    r"|(?:an?|the|some|all|one|two|another|every|each|any)"
    r" (?:items?|tasks?|things?|entry|entries|to-?dos?|elements?|words?|numbers?))"
)
_BRIEFS = tuple(
    _words(pattern)
    for pattern in (
        rf"{_SEND}(?: {_EACH}| daily)? {_AT}",
        rf"{_SEND} {_AT} (?:{_EACH}|daily)",
        rf"(?:{_EACH}|daily) {_AT},? {_SEND}",
    )
)
_QUIET = _words(
    r"(?:(?:set |make )?(?:my |our |the )?quiet(?: hours| time)?|be quiet|no messages"
    r"|leave (?:me|us) (?:alone|in peace)"
    rf"|(?:don't|do not|dont) (?:disturb|bother|message|write to|write|ping)(?: me| us)?):? {_FROM}"
)


def _dated(text: str, folded: str, start: int, end: int) -> Wish | None:
    """With a time behind it, or whom it is for: "add milk to my list tomorrow"."""
    given = _GIVEN.fullmatch(folded, start, end)
    match = given or _DATED.fullmatch(folded, start, end)
    if match is None:
        return None
    more = "who" if given else "when"
    if not given and READER.whole(folded, match.start("when"), match.end("when")) is None:
        return None
    found = _filled(text, match, _ADDED, asked="?" in folded[end:])
    return replace(found, text=f"{found.text} {text[match.start(more) : match.end(more)]}") if found else None


def wish_of(text: str, folded: str, start: int, end: int) -> Wish | None:
    """Return what a stretch of text wishes that is one of these; None when it is none of them."""
    asked = "?" in folded[end:]
    for pattern, wish in _WISHES:
        match = pattern.fullmatch(folded, start, end)
        # "Done?" is not "done".
        if match and not (asked and wish.name.endswith("done")) and (found := _filled(text, match, wish, asked=asked)):
            return found
    return _dated(text, folded, start, end) or _brief(folded, start, end) or _quiet(folded, start, end)


def _filled(text: str, match: re.Match[str], wish: Wish, *, asked: bool) -> Wish | None:
    name = next((name for name, value in match.groupdict().items() if value), None)
    if name is None:
        return wish
    if _VAGUE.fullmatch(match[name]) or is_question(match[name], marked=asked) or not one_wish(match[name]):
        return None
    named = text[match.start(name) : match.end(name)].strip(' \n\t,;:."“”')
    return replace(wish, text=named) if named else None


def _brief(folded: str, start: int, end: int) -> Wish | None:
    """At a time of day, in the half of it that is said: "daily brief at 7:30"."""
    match = next((found for one in _BRIEFS if (found := one.fullmatch(folded, start, end))), None)
    if match is None:
        return None
    part = match.groupdict().get("part") or "day"
    clock = _shown(match, "a", None if part == "day" else part_of(part))
    return Wish(name="brief", when=Every(unit="day", clocks=(clock,))) if clock else None


def _shown(match: re.Match[str], which: str, part: Part | None) -> Clock | None:
    clock = READER.clock(f"{match[f'{which}h']}:{match[f'{which}m'] or '00'}{match[f'{which}half'] or ''}")
    if clock is None or clock.certain or part is None:
        return clock
    found = within(clock, part)
    return found[0] if found else None


def _quiet(folded: str, start: int, end: int) -> Wish | None:
    match = _QUIET.fullmatch(folded, start, end)
    if match is None:
        return None
    first, last = _shown(match, "a", None), _shown(match, "b", None)
    if first is None or last is None:
        return None
    # "From 10 to 7" is the night; "from 10 to 12" is not.
    late = not first.certain and first.hour in _LATE and last.hour <= first.hour
    night = _hours(replace(first, hour=first.hour + _NOON) if late else first, last)
    # "From 9 to 5" may be the day just as well.
    day = _hours(first, replace(last, hour=last.hour + _NOON)) if late and first.hour in _EARLY else ""
    either = day if not last.certain and last.hour < _NOON else ""
    return Wish(name="quiet", hours=tuple(filter(None, (night, either)))) if night else None


def _hours(first: Clock, last: Clock) -> str:
    """Empty when they are the same."""
    begin, until = f"{first.hour:02}:{first.minute:02}", f"{last.hour:02}:{last.minute:02}"
    return f"{begin}-{until}" if begin != until else ""
