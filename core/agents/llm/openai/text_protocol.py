"""Tools for models that know none: calls and results travel as JSON in the text (TOOLS: The text protocol)."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from core.agents.llm.openai import written_calls
from core.agents.llm.openai.completion import read_calls
from core.kernel.strict_json import TOKENS, BadJson, clean, loads
from core.kernel.types import Answer

Messages = tuple[Mapping[str, Any], ...]

_MARKS = re.compile(r'"(?:tool_calls|result)"\s*:')
# Part of the text for the model, like the tool results around it.
PICTURE = "[a picture that you cannot see]"
_FINAL_KEYS = frozenset({"status", "text", "question"})
_UNDONE = frozenset({"needs_input", "failed", "unchanged"})
_EXAMPLE = '{"tool_calls":[{"tool":"NAME","args":{}}],"result":{"status":"done","text":""}}'
# Models write the language of the chat whatever these say; a language without its own entry gets the English one.
_INTRO = {
    "en": (
        "Answer with one JSON object, nothing else: {example}\n"
        "Tools you need go into tool_calls; result is then ignored and you get their results. When done: tool_calls [] "
        "and your answer in result.text; status done, needs_input or failed.\nTools (? = optional):"
    ),
    "de": (
        "Antworte mit einem JSON-Objekt, sonst nichts: {example}\n"
        "Werkzeuge, die du brauchst, stehen in tool_calls; result gilt dann nicht, und du bekommst ihre Ergebnisse. Am "
        "Ende: tool_calls [] und deine Antwort in result.text; status done, needs_input oder failed.\nWerkzeuge (? = "
        "optional):"
    ),
    "zh": (
        "只回复一个 JSON 对象，不要别的：{example}\n"
        "要用的工具写进 tool_calls，此时忽略 result，你会收到工具结果。完成时 tool_calls 为 []，回答写在 result.text；"
        "status 为 done、needs_input 或 failed。\n工具（? = 可选）："
    ),
}


def instructions(tools: Sequence[Mapping[str, Any]], language: str = "en") -> str:
    """Return the text that teaches the protocol and `tools` (shape of Chat Completions), in few tokens."""
    lines = [_INTRO.get(language, _INTRO["en"]).replace("{example}", _EXAMPLE)]
    for tool in tools:
        function = tool.get("function", tool)
        schema = function.get("parameters") or {}
        required, parameters = schema.get("required") or (), []
        for name, one in (schema.get("properties") or {}).items():
            kind = one.get("type", "any")
            if "enum" in one:
                kind = "|".join(json.dumps(value, ensure_ascii=False) for value in one["enum"])
            elif isinstance(kind, list):
                kind = "|".join(map(str, kind))
            parameters.append(f"{name}{'' if name in required else '?'}: {kind}")
        lines.append(f"- {function['name']}({', '.join(parameters)}) {function.get('description', '')}".rstrip())
    return "\n".join(lines)


def flatten(messages: Sequence[Mapping[str, Any]]) -> Messages:
    """Rewrite a conversation with calls and results into plain texts; consecutive results become one message.

    A picture becomes a note that there was one.
    """
    names: dict[str, str] = {}
    flat: list[Mapping[str, Any]] = []
    results: list[str] = []
    for message in messages:
        content = message.get("content")
        if isinstance(content, (list, tuple)):
            content = "\n".join(part["text"] if part.get("type") == "text" else PICTURE for part in content)
        if message.get("role") == "tool":
            try:
                shown = json.dumps(loads(str(content)), ensure_ascii=False, separators=(",", ":"))
            except BadJson:
                shown = json.dumps(content, ensure_ascii=False, default=str)
            tool = names.get(str(message.get("tool_call_id")), str(message.get("name", "")))
            results.append(f'{{"tool":{json.dumps(tool, ensure_ascii=False)},"result":{shown}}}')
            continue
        _close(flat, results)
        calls = read_calls(message.get("tool_calls"))
        names.update({call.id: call.name for call in calls})
        plain = {**message, "content": content} if "content" in message else dict(message)
        plain.pop("items", None)
        flat.append({"role": "assistant", "content": encode(Answer(calls=calls))} if calls else plain)
    _close(flat, results)
    return tuple(flat)


def _close(flat: list[Mapping[str, Any]], results: list[str]) -> None:
    if results:
        flat.append({"role": "user", "content": f"results: [{','.join(results)}]"})
        results.clear()


def encode(answer: Answer) -> str:
    """Write an answer as the protocol's JSON, the way a model should."""
    calls = [{"tool": call.name, "args": dict(call.arguments)} for call in answer.calls]
    result: dict[str, Any] = {"status": "done"}
    if not calls:
        result |= {"text": answer.text} | ({"options": list(answer.choices)} if answer.choices else {})
    return json.dumps({"tool_calls": calls, "result": result}, ensure_ascii=False, separators=(",", ":"))


def decode(
    text: str,
    taken: Collection[str] = (),
    nothing: str = "",
    offered: Collection[str] = (),
    *,
    whole: bool = False,
) -> tuple[Answer, str]:
    """Read what a model wrote; return the answer and the problem (`""` for none).

    Calls of the `offered` tools may be written in the way of any model (core.agents.llm.openai.written_calls).

    Text without the protocol's JSON is the answer itself. With a problem the answer holds the raw text: ask once more
    or show it. `taken` are call ids in use already. `nothing` is said by a result that failed without words. A
    result that is not done is given as the `whole` object where whoever asks reads it so.
    """
    if calls := written_calls.read(text, offered):
        return Answer(calls=read_calls(written_calls.native(calls), taken)), ""
    problem = ""
    for candidate in _candidates(text):
        try:
            found = loads(candidate)
        except BadJson as error:
            problem = problem or str(error)
            continue
        if not isinstance(found, dict):
            continue
        # An answer may quote other JSON.
        result = found.get("result")
        final = isinstance(result, dict) and not _FINAL_KEYS.isdisjoint(result)
        # A call by itself counts only where it is all that was said: in a sentence it may be an example.
        alone = candidate.strip() == text.strip() and "args" in found and isinstance(found.get("tool"), str)
        if "tool_calls" in found or final or alone:
            return _read(found, taken, nothing, whole=whole), ""
    return Answer(text=written_calls.UNENDED.sub("", clean(text).strip())), problem if _MARKS.search(text) else ""


def is_raw_json(answer: Answer, text: str) -> bool:
    """Return whether `answer` is what `decode` made of `text` it could not use, and looks like JSON that nobody should
    see."""
    raw = clean(text).strip()
    return answer == Answer(text=raw) and (raw.startswith("{") or "```json" in raw.lower())


def _candidates(text: str) -> Iterator[str]:
    """Each outermost {…} in the text: models like to add a fence or a sentence.

    One that never closes goes to the end of the text: what stands inside it was not meant alone.
    """
    start = text.find("{")
    while start >= 0:
        depth, end = 0, len(text)
        for token in TOKENS.finditer(text, start):
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
            if depth == 0:
                end = token.end()
                break
        yield text[start:end]
        start = text.find("{", end)


def _read(found: Mapping[str, Any], taken: Collection[str], nothing: str, *, whole: bool) -> Answer:
    calls = found.get("tool_calls") if "tool" not in found else [found]
    if calls:
        native = []
        for call in calls if isinstance(calls, list) else [calls]:
            if isinstance(call, dict):
                function = {
                    "name": call.get("tool", call.get("name")),
                    "arguments": call.get("args", call.get("arguments")),
                }
                native.append({"id": call.get("id"), "function": function})
            else:
                native.append(call)
        return Answer(calls=read_calls(native, taken))
    result = found.get("result")
    if not isinstance(result, dict):
        return Answer(text=clean(result).strip() if isinstance(result, str) else "")
    if whole and result.get("status") in _UNDONE:
        return Answer(text=clean(json.dumps(result, ensure_ascii=False)))
    words = [result.get("text"), result.get("question")]
    text = "\n\n".join(dict.fromkeys(clean(word).strip() for word in words if isinstance(word, str) and word.strip()))
    if not text:
        summary = result.get("summary")
        text = clean(summary).strip() if isinstance(summary, str) else ""
    if not text and result.get("status") == "failed":
        text = nothing
    options = result.get("options")
    choices = [clean(one) for one in options if isinstance(one, str) and one] if isinstance(options, list) else []
    return Answer(text=text, choices=tuple(choices))
