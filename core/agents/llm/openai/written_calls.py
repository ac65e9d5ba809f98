"""Tool calls that models write into their text, each family in its own way, read as what they mean.

A call counts where its model marks it as one (`<tool_call>`, `[TOOL_CALLS]`, `<function=…>` and the like), or where it
is all of the text. What only stands in a sentence, such as an example, is none: nothing is done by chance. Nor is what
a quoted mark marks: it must begin a line, or stand behind a whole sentence or another call, and in no fence. No text is
run: literals are parsed, and names other than those of offered tools make no call of a text without a mark.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator
from typing import Any

from core.kernel.strict_json import BadJson, loads

LONGEST, DEEPEST, MOST = 20_000, 24, 50
# What a model thinks aloud before its answer, where its server does not take that out. Templates that begin it for the
# model leave the first mark out: then the last one stands in a line of its own, and in no fence. Some have marks of
# their own, of which a server may leave the brackets out ("analysis…assistantfinal…").
_TAGS = "think|thinking|thought|reasoning|seed:think"
_ENDED = (
    rf"\A(?:\s*<({_TAGS})>.*?</\1>)+\s*"
    r"|\A(?>```.*?```|(?!<think>|```).)*?^</think>[ \t]*$\s*"
    r"|\A\s*\[THINK\].*?\[/THINK\]\s*|\A\s*◁think▷.*?◁/think▷\s*"
    r"|\A\s*<\|START_THINKING\|>.*?<\|END_THINKING\|>\s*(?:<\|START_RESPONSE\|>)?"
    r"|\A\s*(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>.*?"
    r"(?:<\|channel\|>final<\|message\|>|(?=<\|channel\|>c))"
    r"|\A\s*analysis(?=[A-Z]).*?assistantfinal(?=\S)"
)
# What a template ends an answer with, where its server leaves that in; behind a space it is a word of a sentence.
END_MARKS = re.compile(
    r"(?<! )(?:(?:<\|(?:im_end|eot_id|end|return|END_RESPONSE|endoftext|end_of_text)\|>|<end_of_turn>"
    r"|<｜end▁of▁sentence｜>)\s*)+\Z"
)
# A thought that has no end in a whole answer: no call stands behind it. A sentence may begin with such a mark.
UNENDED = re.compile(rf"\A\s*<(?:{_TAGS})>(?!(?-i: [a-z])|.*</(?:{_TAGS})>).*", re.DOTALL | re.IGNORECASE)
THOUGHTS = re.compile(_ENDED, re.DOTALL | re.IGNORECASE | re.MULTILINE)
# The same of an answer that ends before its model does: where no thought has ended, all of it is one.
THOUGHTS_SO_FAR = re.compile(
    rf"{_ENDED}|\A\s*(?:<(?:{_TAGS})>|\[THINK\]|◁think▷|<\|START_THINKING\|>|<\|channel\|>analysis).*",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_FENCE = re.compile(r"\A```[\w-]{0,20}[ \t]*\n(.*?)\n?```\s*\Z", re.DOTALL)
_NAME = r"[A-Za-z_][\w.-]{0,63}"
# What stands between such marks is a call. Where the second is missing, the text ends with it.
_MARKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("<tool_call>", ("</tool_call>",)),
    ("<|tool_call|>", ("<|/tool_call|>", "<|end_tool_call|>", "<|tool_call|>")),
    ("<functioncall>", ("</functioncall>",)),
    ("<function_call>", ("</function_call>",)),
    ("<tools>", ("</tools>",)),
    ("<|python_tag|>", ("<|eom_id|>", "<|eot_id|>")),
    ("[TOOL_CALLS]", ("[TOOL_CALLS]", "</s>")),
    ("<|tool_call_begin|>", ("<|tool_call_end|>",)),
    ("<｜tool▁call▁begin｜>", ("<｜tool▁call▁end｜>",)),
    ("<|channel|>commentary to=", ("<|call|>", "<|end|>")),
)
_PARTS = re.compile(
    rf"\s*(?:functions?\.)?(?P<name>{_NAME})(?::\d{{1,3}})?\s*"
    r"(?:\[ARGS\]|<\|tool_call_argument_begin\|>|<\|constrain\|>json<\|message\|>|<\|message\|>|:)?\s*(?P<rest>[{\[].*)\Z",
    re.DOTALL,
)
_DEEPSEEK = re.compile(rf"\s*(?:function)?<｜tool▁sep｜>(?P<name>{_NAME})\s*(?P<rest>.*)\Z", re.DOTALL)
_FUNCTION = re.compile(rf"<(?:function|invoke)(?:=|\s+name=[\"']?)(?P<name>{_NAME})[\"']?\s*>")
_PARAMETER = re.compile(rf"<parameter(?:=|\s+name=[\"']?)(?P<name>{_NAME})[\"']?\s*>(?P<value>[^<]{{0,20000}})")
_KEYS = re.compile(rf"<arg_key>\s*(?P<name>{_NAME})\s*</arg_key>\s*<arg_value>(?P<value>[^<]{{0,20000}})</arg_value>")
_ACTION = re.compile(
    rf"\A(?:(?:Question|Thought):.{{0,20000}}\n)?Action:\s*(?P<name>{_NAME})\s*\nAction Input:\s*(?P<rest>[{{\[].*)\Z",
    re.DOTALL,
)
# What none of all that is without: most answers are looked at no further.
_LIKELY = re.compile(rf"<[|｜a-z]|\[TOOL_CALLS\]|Action Input:|\A\s*(?:[\[{{]|```|{_NAME}\s*[({{:])")
# What a mark may stand behind in its line: a whole sentence, or the end of what else is no prose.
_BEFORE = re.compile(r"(?:\A|[.!?…。！？>\]}]|>assistant)\s*\Z")
_FIELDS = ("arguments", "args", "parameters", "input")

Call = tuple[str, Any]


def read(text: str, offered: Collection[str]) -> list[Call]:
    """Return the calls that a text is, each a name and its arguments as they were written; none where it is a text."""
    if len(text) > LONGEST or not _LIKELY.search(text):
        return []
    body = THOUGHTS.sub("", text, count=1).strip()
    if fenced := _FENCE.match(body):
        body = fenced[1].strip()
    marked = [call for inner in _marked(body) for call in _calls(inner)]
    marked += [] if marked else _functions(body)
    if not marked and (action := _ACTION.match(body)):
        marked = _named(action["name"], action["rest"])
    if marked:
        return marked[:MOST]
    found = _calls(body)
    return found if found and all(name in offered for name, _ in found) else []


def native(found: list[Call]) -> list[dict[str, Any]]:
    """Return calls in the shape of Chat Completions."""
    return [{"function": {"name": name, "arguments": arguments}} for name, arguments in found]


def _marked(body: str) -> Iterator[str]:
    """What stands behind each mark, up to its end."""
    for opening, ends in _MARKS:
        at = 0
        for part in body.split(opening)[1:]:
            at = body.index(opening, at)
            meant = _meant(body, at)
            at += len(opening)
            stop = min((end for one in ends if (end := part.find(one)) >= 0), default=len(part))
            if meant:
                yield part[:stop].strip()


def _meant(body: str, at: int) -> bool:
    """Return whether what stands at a place of a text is said, and not quoted: in no fence, and behind no part of a
    line."""
    line = body[body.rfind("\n", 0, at) + 1 : at]
    return body.count("```", 0, at) % 2 == 0 and line[:1] != ">" and _BEFORE.search(line) is not None


def _functions(body: str) -> list[Call]:
    """<function=name>{…}</function>, with JSON or with a tag for each parameter."""
    found: list[Call] = []
    openings = [one for one in _FUNCTION.finditer(body) if _meant(body, one.start())][:MOST]
    ends = [*(one.start() for one in openings[1:]), len(body)]
    for opening, end in zip(openings, ends, strict=False):
        inner = body[opening.end() : end]
        inner = re.split(r"</(?:function|invoke)>", inner, maxsplit=1)[0].strip()
        if inner.startswith("{"):
            found += _named(opening["name"], inner)
        else:
            pairs = {one["name"]: _value(one["value"]) for one in _PARAMETER.finditer(inner)}
            # Without a parameter only nothing at all is a call; words are a sentence about one.
            found += [(opening["name"], pairs)] if pairs or not inner else []
    return found


def _calls(text: str) -> list[Call]:
    """Return the calls that a text is and nothing else."""
    if tagged := _functions(text):
        return tagged
    if keys := [*_KEYS.finditer(text)]:
        name = text.split("<", 1)[0].strip()
        return [(name, {one["name"]: _value(one["value"]) for one in keys})] if re.fullmatch(_NAME, name) else []
    if sought := _DEEPSEEK.match(text):
        fenced = _FENCE.match(sought["rest"].strip())
        return _named(sought["name"], fenced[1] if fenced else sought["rest"])
    if text[:1] in {"{", "["} and (value := _literal(text)) is not None:
        found = [_shaped(one) for one in (value if isinstance(value, list) else [value])]
        return [one for one in found if one] if all(found) else []
    parts = _PARTS.match(text)
    return _named(parts["name"], parts["rest"]) if parts else _python(text)


def _named(name: str, rest: str) -> list[Call]:
    value = _literal(rest.strip())
    return [(name, value if isinstance(value, dict) else rest)]


def _shaped(value: object) -> Call | None:
    """Return a call as an object, in any of the shapes that are around; None where it is none."""
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    if isinstance(inner, dict):
        return _shaped(inner)
    name = value.get("name") or value.get("tool") or value.get("tool_name") or (inner if isinstance(inner, str) else "")
    given = [value[field] for field in _FIELDS if field in value]
    if not isinstance(name, str) or not name or not given:
        return None
    return name.removeprefix("functions."), _unwrapped(given[0])


def _unwrapped(arguments: object) -> object:
    """Arguments that were written as a string, or as a string of a string."""
    for _ in range(2):
        if isinstance(arguments, str):
            found = _literal(arguments.strip())
            arguments = arguments if found is None else found
    return arguments


def _value(text: str) -> object:
    """Return a parameter between tags: JSON where it is some, else its words."""
    found = _literal(text.strip())
    return text.strip() if found is None else found


def _literal(text: str) -> Any:
    """JSON, or what a model writes in its place: single quotes, True and None, a comma too many. None for neither."""
    try:
        return loads(text, LONGEST)
    except BadJson:
        return _python_literal(text)


def _python_literal(text: str) -> Any:
    if not _shallow(text):
        return None
    try:
        found = ast.literal_eval(text)
        json.dumps(found)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None
    return found


def _python(text: str) -> list[Call]:
    """`name(a="b")`, or a list of such calls."""
    if "(" not in text or not _shallow(text):
        return []
    try:
        tree = ast.parse(text, mode="eval").body
        nodes = tree.elts if isinstance(tree, ast.List) else [tree]
        return [_node(node) for node in nodes]
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []


def _node(node: ast.expr) -> Call:
    if not isinstance(node, ast.Call) or node.args or any(one.arg is None for one in node.keywords):
        raise ValueError("no call")
    name = ast.unparse(node.func).removesuffix(".call")
    return name, {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}


def _shallow(text: str) -> bool:
    """Return whether Python's own parser can be given a text: short, and nested no deeper than a call is."""
    return len(text) <= LONGEST and sum(map(text.count, "([{")) <= 10 * DEEPEST and text.count("-") < LONGEST // 10
