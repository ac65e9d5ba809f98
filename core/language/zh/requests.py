"""Chinese: what stands behind a command that sets a reminder: for whom, when, and the text, in either order."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.kernel.timing.expressions import Expression
from core.language.engine.said import STRONG, Said, Scan, expression, join, to_wake, unsigned
from core.language.engine.tokens import MAX_LENGTH
from core.language.grammar import ME, Request
from core.language.zh.addressees import who
from core.language.zh.lexicon import TAILED
from core.language.zh.normalize import Words, fold, is_ours, see
from core.language.zh.remainder import content, may_follow, may_precede, one_wish
from core.language.zh.times import BEGINS, READER, bounds

_TOLD = re.compile("提醒(?:一下)?")
_TAIL = 40
# Until it is done: what shall be done may be named by its verb, "直到我吃了为止".
_WHO = "(?:我们?|他们?|她们?|大家)?"
_ACT = "(?P<act>完成|搞定|[^,.:; 0-9到点周月号天]{1,4}?(?=[了完好掉]))[完好掉]?(?:了|为止|才停|再停)*"
_UNTIL = re.compile(
    rf"[,;: ]{{0,2}}(?:一直|反复|不断){{0,2}}(?:(?:提醒|催){_WHO},?(?=直))?"
    rf"(?:直到|(?:提醒|催)到){_WHO}都?{_ACT}[,;: ]{{0,2}}"
    rf"|[,;: ]{_ACT.replace('act', 'end')}(?:(?<=为止)|(?<=才停)|(?<=再停))$"
    rf"|,(?:没|不)(?P<not>完成|[^,.0-9]{{1,3}}[完好])就?一直提醒{_WHO}$"
)
_GENERAL = frozenset("完搞做办弄处")
_CONNECT = re.compile("(?:[,:;、.]|记得|别忘了?|别忘记|不要忘[了记]|一下|一声|要(?![求账钱饭不是点])(?=..))*")
# Behind a text these are rather a part of it: a fraction, chapter and verse.
_DOUBTFUL = re.compile("[0-9]{1,2}(?:/[0-9]{1,2}|:[0-9][1-46-9])")
_PARTED = re.compile('[,;、.!?() "]')
_AT = re.compile("[在于,;:、 ]+$")
_WAKE = re.compile("起床")
# Said to be friendly, no part of what to do: "去取衣服哈". It is a part of some words.
_FRIENDLY = re.compile("(?<=..)(?<![哈啦哦噢呀嘞呗哎啊])[哈啦哦噢呀嘞呗]$" + "".join(f"(?<!{word})" for word in TAILED))
_NOTHING = re.compile(r"\W*")


@dataclass(frozen=True, slots=True)
class _Found:
    """The time of a request, and where its text stands; `apart` when a colon says that all the rest is text."""

    when: Expression
    said: Said
    start: int
    end: int
    apart: bool = False


def request(text: str) -> Request | None:
    """Read a request whole; None without a time or a text, or when it is not clear which is which."""
    if len(text) > MAX_LENGTH or not is_ours(text):
        return None
    bare = unsigned(text)
    found = None
    if rest := without_until(bare):
        found = _request(rest)
        found = replace(found, until_done=True) if found and found.text in bare else None
    return found or _request(text) or (_request(bare) if bare != text else None)


def without_until(text: str) -> str | None:
    """The rest of a text with "until it is done" in it, parted by a comma, which keeps numbers apart; None without it.

    What shall be done is meant only where it is the task that is named: not "until it is dark"."""
    folded = fold(text)
    for match in _UNTIL.finditer(folded):
        rest = ",".join(one.strip(" ,，") for one in (text[: match.start()], text[match.end() :]) if one.strip(" ,，"))
        act = match[match.lastgroup or 0]
        if act in {"完成", "搞定"} or act[0] in _GENERAL or act[0] in fold(rest):
            return rest
    return None


def _request(text: str) -> Request | None:
    words = see(text)
    start, end = bounds(words.text, 0, len(words.text))
    told = _TOLD.match(words.text, start, end)
    whom = who(words.text, told.end() if told else start, end, told=bool(told))
    begin = bounds(words.text, whom.end, end)[0] if whom.said or told else start
    found = _front(words, begin, end) or _back(words, begin, end)
    said = task(words, found.start, found.end) if found else ""
    if found is None or not said:
        return None
    # Nothing of time, and no other wish, is left over in the text.
    rest = words.text[found.start : found.end]
    if not (one_wish(rest) if found.apart else content(rest.lstrip(",;. "), found.said)):
        return None
    places = {name: words.text.index(name) for name in whom.names if name != ME}
    names = tuple(ME if name == ME else words.original(places[name], places[name] + len(name)) for name in whom.names)
    return Request(text=said, when=meant(found.when, said), who=names, everybody=whom.everybody)


def meant(when: Expression, said: str) -> Expression:
    """When it is to come, which of getting up is rather in the morning."""
    return to_wake(when) if _WAKE.fullmatch(said) else when


def task(words: Words, start: int, end: int) -> str:
    """The text as it was written, without what connected it to its time, and without quotes around all of it."""
    start, end = bounds(words.text, start, end)
    match = _CONNECT.match(words.text, start, end)
    start, end = bounds(words.text, match.end() if match else start, end)
    end -= _FRIENDLY.search(words.text, start, end) is not None
    if (
        end - start > 1
        and words.text[start] == '"' == words.text[end - 1]
        and '"' not in words.text[start + 1 : end - 1]
    ):
        start, end = start + 1, end - 1
    return "" if _NOTHING.fullmatch(words.text, start, end) else words.original(start, end).strip()


def _front(words: Words, start: int, end: int) -> _Found | None:
    """A time, then the text; the clock of a day may come behind the text."""
    first = READER.scan(words.text, start, end)
    if first is None or not may_follow(words.text, first.end, end, first.said):
        return None
    back = _tail(words, first.end, end)
    both = _both(first, back[1]) if back else None
    if both and back:
        return _Found(expression(both) or first.when, both, first.end, back[0])
    return _Found(first.when, first.said, first.end, end, apart=words.text[first.end : first.end + 1] == ":")


def _both(front: Scan, back: Scan) -> Said | None:
    """明天…下午三点, 9点…明天. But "明天订周五下午三点的票" is for tomorrow."""
    clock = front.said.clocks and not (front.said.day or front.said.every or front.said.delay)
    if back.said.delay or ((back.said.day or back.said.every) and not clock):
        return None
    both = join(front.said, back.said)
    return both if both and expression(both) else None


def _back(words: Words, start: int, end: int) -> _Found | None:
    """The text, then a time."""
    found = _tail(words, start, end)
    return _Found(found[1].when, found[1].said, start, found[0]) if found else None


def _tail(words: Words, start: int, end: int) -> tuple[int, Scan] | None:
    """Where the text ends and the longest time behind it, which must be one surely or stand apart."""
    text = words.text
    for at in range(max(start + 1, end - _TAIL), end):
        if text[at] not in BEGINS:
            continue
        parted = words.places[at] - words.places[at - 1] > 1 or bool(_PARTED.match(text[at - 1]))
        found = READER.scan(text, at, end)
        if found and found.end == end:
            # A day alone, or "两点", may be part of the text before it.
            sure = found.said.strength == STRONG or bool(found.said.day and found.said.clocks)
            if not (parted or (sure and may_precede(text, at))) or _DOUBTFUL.fullmatch(text, at, end):
                return None
            before = _AT.search(text, max(start, at - 4), at)
            return before.start() if before else at, found
    return None
