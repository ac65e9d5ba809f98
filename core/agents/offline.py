"""The deterministic responder: no key, no network, microseconds. It never pretends to understand.

It answers like a model would: first the calls of the tools it needs, then, with their results, the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from operator import methodcaller
from typing import Any, Literal

from core.kernel.markdown import lines, literal, platform_name
from core.kernel.replies import Offer
from core.kernel.strict_json import BadJson, loads
from core.kernel.types import Answer, Excerpt, ModelRequest, Received, ToolCall, Usage
from core.language import Language, dateparser_fallback, detect, grammars, languages, pick
from core.language.short_texts import LONGEST, first, several
from core.language.small_talk import Intent, understand
from core.store.conversation.attachment_text import is_document
from core.store.conversation.attachments import AttachmentState
from core.toolkit import intents
from core.toolkit.executor import CALLS_A_RUN

Notice = Literal["no_model", "model_unreachable", "model_refused", "budget_spent", "share_spent"]

HISTORY = 10
SHOWN_HISTORY = 5
_PLAIN = frozenset({"greeting", "thanks", "nod", "bye", "help"})
_UNANSWERED = "question_unanswered"
# What buttons may say.
LONGEST_OFFER = 1_000
# By so much of its beginning a text that is too long to be read is seen to wish something.
LOOKED_AT = 60
DEMO_SECONDS = 120
_TOOLS = {
    "question": "ask_user",
    "time": "current_time",
    "date": "current_time",
    "health": "query_state",
    "history": "get_recent_history",
}


class Offline:
    """An LLM without a model. `notice` is the text that says why there is none."""

    name = "offline"

    def __init__(self, notice: Notice = "no_model") -> None:
        self._notice = notice

    def understands(self, text: str, language: str = "en") -> bool:
        """Return whether the whole text can be answered without a model. `language` is that of the person."""
        return bool(understand(text, languages().values()))

    async def complete(self, request: ModelRequest) -> Answer:
        """Ask for the tools that are needed, or answer everything that was heard. Raises nothing."""
        texts = _texts(request)
        if request.event:
            # A question has ended.
            ended = _value(request.event)
            told = ended if isinstance(ended, dict) else {}
            key = {"user": "question_answered", "default": "question_defaulted"}.get(str(told.get("source")))
            words = texts.say(key, answer=literal(str(told.get("answer")))) if key else texts[_UNANSWERED]
            return Answer(text=words, usage=Usage(model=self.name))
        # Every wish with its language and the id its call has, the same in each step of a run, and for the same wish.
        asked: list[tuple[Language, Intent, str]] = []
        named: dict[Intent, str] = {}
        for n, text in enumerate(request.heard):
            language = _texts(request, detect(text) or "")
            intents = understand(text, languages().values()) or (Intent("unknown", text),)
            asked += [
                (language, intent, named.setdefault(intent, f"offline_{n}_{m}")) for m, intent in enumerate(intents)
            ]
        offered = {str(tool.get("function", {}).get("name")) for tool in request.tools}
        # What the tools of this run gave back, by call id.
        results = {
            str(message.get("tool_call_id")): _value(message.get("content"))
            for message in request.messages
            if message.get("role") == "tool"
        }
        calls = {call.id: call for each in asked if (call := _call(*each, offered))}
        missing = tuple(call for call in islice(calls.values(), CALLS_A_RUN) if call.id not in results)
        if missing:
            return Answer(calls=missing, usage=Usage(model=self.name))
        answer = self._answer(asked, results, explained=request.explained, forwarded=request.forwarded)
        if not (request.attached or request.excerpts):
            return answer
        # What became of the files; and why there is no model, where that is not said by the words.
        said = answer.text or ("" if self._notice == "no_model" else texts[self._notice])
        # What was read speaks for itself.
        others = [one for one in request.attached if not (request.excerpts and is_document(one))]
        came = (*received(texts, others), *(_excerpt(texts, one) for one in request.excerpts))
        return replace(answer, text="\n\n".join(filter(None, (said, *came))))

    def _answer(
        self,
        asked: list[tuple[Language, Intent, str]],
        results: Mapping[str, Any],
        *,
        explained: bool,
        forwarded: Sequence[str],
    ) -> Answer:
        """Say why something is not answered at length, or where that was `explained` in a line; with two ways on, to be
        reminded of it or to have it on one's list, unless it is a question."""
        texts: list[str] = []
        choices: tuple[str, ...] = ()
        offers: tuple[Offer, ...] = ()
        for language, intent, call_id in asked:
            text = _said(language, intent, results[call_id]) if call_id in results else _plain(language, intent)
            if not text and intent.name in _TOOLS and len(results) >= CALLS_A_RUN:
                text = language["ask_rest_again"]
            if not text:
                # Somebody waits for what has no time, or wishes in a language that only the command understands.
                lead = language.lead.match(intent.text)
                if language.watching.match(intent.text, lead.end() if lead else 0):
                    text = language["remind_watching"]
                elif several(intent.text, grammars()):
                    text = language["one_wish"]
                elif len(intent.text) > LONGEST and first(methodcaller("wish", intent.text[:LOOKED_AT]), grammars()):
                    text = language["wish_too_long"]
                elif wish := dateparser_fallback.wish(intent.text):
                    text = language.say("remind_foreign", text=literal(wish))
            texts.append(text or language[f"{self._notice}_short" if explained else self._notice])
            if not text:
                quotes = any(line.lstrip().startswith(">") for line in intent.text.splitlines())
                offers = _ways_on(language, intent.text, others=quotes or intent.text in forwarded)
            if intent.name == "help" or not (text or explained):
                choices = language.choices
        said = "\n\n".join(dict.fromkeys(texts))
        return Answer(text=said, choices=() if offers else choices, offers=offers, usage=Usage(model=self.name))


def _ways_on(language: Language, text: str, *, others: bool) -> tuple[Offer, ...]:
    """Offer to remind of a text that is not answered, which `others` may have written, and to add it to the list. A
    question is offered neither, but where it only ends as one and names a time: "Could you prompt me every hour?"."""
    if len(text) > LONGEST_OFFER or language.grammar.asks(text):
        return ()
    if text.rstrip().endswith(("?", "？")) and not any(any(one.times(text)) for one in grammars()):
        return ()
    remind, add = intents.remind(text, others=others), intents.add(text, others=others)
    return (language["offer_remind"], remind), (language["offer_add"], add)


def _texts(request: ModelRequest, code: str = "") -> Language:
    """Return the texts of a language, that of the person unless another is named, as they read where this is
    answered."""
    return pick(code or request.language).spelled(request.spelling)


def received(language: Language, attached: Sequence[Received]) -> Iterator[str]:
    """What became of the files that came: which are kept, and which are not, and why."""
    if kept := [one for one in attached if one.state == AttachmentState.KEPT]:
        yield language.say("files_kept", files=_kinds(language, kept))
    lost = [one for one in attached if one.state != AttachmentState.KEPT]
    for problem in dict.fromkeys(one.problem for one in lost):
        files = _kinds(language, [one for one in lost if one.problem == problem])
        reason = language.texts.get(f"file_{problem}", language["file_gone"])
        yield language.say("files_not_kept", files=files, reason=reason)


def _excerpt(language: Language, one: Excerpt) -> str:
    """Return how a document begins, or why it was not read."""
    name = literal(one.name)
    if one.problem:
        return language.say(f"document_{one.problem}", name=name)
    parts = language.many(f"document_n_{one.unit}", one.parts)
    return f"📄 **{name}** ({one.kind}, {parts})\n{lines(one.text)}"


def _kinds(language: Language, files: Sequence[Received]) -> str:
    """Such as "photo × 3, file"."""
    names = Counter(language.texts.get(f"kind_{one.sent.kind}", language["kind_document"]) for one in files)
    return ", ".join(name if n == 1 else f"{name} × {n}" for name, n in names.items())


def _call(language: Language, intent: Intent, call_id: str, offered: set[str]) -> ToolCall | None:
    name = _TOOLS.get(intent.name, intent.name)
    if name not in offered:
        return None
    options = [language["demo_first"], language["demo_second"]]
    arguments: dict[str, dict[str, Any]] = {
        "echo": {"value": intent.text},
        "current_time": {"timezone": intent.zone} if intent.zone else {},
        "query_state": {"state_name": "health"},
        "get_recent_history": {"count": HISTORY},
        "ask_user": {
            "question": language["demo_question"],
            "options": options,
            "default": options[0],
            "timeout": DEMO_SECONDS,
        },
    }
    return ToolCall(id=call_id, name=name, arguments=arguments[name]) if name in arguments else None


def _value(content: object) -> Any:
    try:
        return loads(content) if isinstance(content, str) else content
    except BadJson:
        return content


def _plain(language: Language, intent: Intent) -> str:
    """Return the answer that needs no tool; nothing when there is none."""
    if intent.name == "echo":
        return language.say("echo", text=intent.text)
    if intent.name == "health":
        return language["health_here"]
    return language[intent.name] if intent.name in _PLAIN else ""


def _said(language: Language, intent: Intent, result: Any) -> str:
    """Put a tool's result into a sentence."""
    if isinstance(result, dict) and "error" in result:
        return language.say("tool_failed", error=result["error"])
    if intent.name == "health":
        return _health(language, result)
    if intent.name == "history":
        return _history(language, result)
    if intent.name in {"time", "date"}:
        return _time(language, intent, result)
    return language.say("echo", text=result if isinstance(result, str) else intent.text)


def _time(language: Language, intent: Intent, result: Any) -> str:
    told = result if isinstance(result, dict) else {}
    try:
        at = datetime.fromisoformat(str(told.get("iso")))
    except ValueError:
        return language.say("tool_failed", error=str(result)[:200])
    zone = intent.text or language.town(str(told.get("timezone", "")))
    if intent.name == "date":
        return language.say("date_is", date=language.date(at), zone=zone)
    return language.say("time_is", clock=language.clock(at), zone=zone)


def _health(language: Language, result: Any) -> str:
    facts = result if isinstance(result, dict) else {}
    lines = [language["health_ok" if facts.get("ok", True) is not False else "health_bad"]]
    if isinstance(up := facts.get("uptime_s"), int):
        lines.append(language.say("status_uptime", duration=language.duration(up * 1000)))
    if isinstance(waiting := facts.get("waiting"), int):
        lines.append(language.say("status_waiting", count=waiting) if waiting else language["status_nothing_waiting"])
    # The rest is of platforms and the model; what is well need not be said.
    wrong = [name for name, value in facts.items() if value is False and name not in {"ok", "model_reachable"}]
    lines += [language.say("health_line", name=platform_name(name), value=language["no"]) for name in wrong]
    if facts.get("model") and facts.get("model_reachable") is False:
        lines.append(language.say("status_model_down", model=facts["model"]))
    return "\n".join(lines)


def _history(language: Language, result: Any) -> str:
    messages = result.get("messages") if isinstance(result, dict) else None
    said = [
        str(one.get("text", ""))
        for one in (messages if isinstance(messages, list) else [])
        if isinstance(one, dict) and one.get("role") == "user"
    ]
    if not said:
        return language["history_none"]
    lines = [language.say("history_line", text=text) for text in said[-SHOWN_HISTORY:]]
    return "\n".join([language["history_title"], *lines])
