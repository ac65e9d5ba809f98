"""A strict reader for JSON that others wrote: what a model returns, what a call brings.

`loads` refuses what Python's own reader lets through or dies of: duplicate keys, NaN and Infinity, integers beyond 64
bits, lone surrogates, NUL characters, deep nesting (which raises RecursionError there) and texts without end. Every
refusal is one sentence that tells a model what to change.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

MAX_BYTES = 256 * 1024
MAX_BODY = 8 * 1024 * 1024
MAX_DEPTH = 32
MAX_INTEGER = 2**63 - 1
MAX_DIGITS = 20

# Possessive quantifiers: a string without an end costs one pass, not a pass for each of its quotes.
TOKENS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_SUSPECT_ESCAPE = re.compile(r"\\u(?:[dD][89a-fA-F]|0000)")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class BadJson(ValueError):
    """The text is not the JSON we accept; the message tells a model what to change."""


def loads(data: str | bytes, limit: int = MAX_BYTES) -> Any:
    """Read strict JSON of at most `limit` bytes; raises `BadJson` and nothing else."""
    text = _text(data, limit, MAX_DEPTH)
    try:
        value = _STRICT.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise BadJson(f"Broken JSON at {where}: {error.msg}. Send it again as valid JSON.") from None
    except RecursionError:  # cannot be: the depth was checked; but this reader never raises anything else
        raise BadJson("The JSON is nested too deeply. Make it flatter.") from None
    if ("e" in text or "E" in text) and any(isinstance(one, float) and math.isinf(one) for one in _leaves(value)):
        raise BadJson("A number is too large. Send a smaller one.")
    if _SUSPECT_ESCAPE.search(text) or _SURROGATE.search(text):
        texts = (leaf for leaf in _leaves(value) if isinstance(leaf, str))
        if any(clean(leaf) != leaf for leaf in texts):
            raise BadJson("A text holds half a character (a lone surrogate) or a NUL. Leave it out.")
    return value


def parse_arguments(arguments: object) -> tuple[dict[str, Any], str]:
    """Read the arguments of a call, JSON text or an object already; return them and the problem (`""` for none).

    Nothing, blank text and `null` mean no arguments: many models send that for a tool without parameters.
    """
    if arguments is None or arguments == "":
        return {}, ""
    try:
        found = loads(arguments if isinstance(arguments, str) else _again(arguments))
        if isinstance(found, str) and found.lstrip().startswith("{"):
            # Small models write the object as a text, with quotes around it.
            found = loads(found)
    except BadJson as error:
        return {}, f"The arguments could not be read: {error}"
    if found is None:
        return {}, ""
    if not isinstance(found, dict):
        return {}, f"The arguments must be one JSON object such as {{}}, not {kind(found)}."
    return found, ""


def kind(value: object) -> str:
    """Name the JSON type of `value` for a message."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")


def clean(text: str) -> str:
    """Make text storable and sendable: no NUL, and U+FFFD in place of half a character."""
    return _SURROGATE.sub("\ufffd", text).replace("\0", "")


class Doubled(dict[str, Any]):
    """An object that came with a key twice; `key` is that key."""

    key = ""


def read_body(data: bytes, limit: int) -> Any:
    """Read a provider's body: as strict about size, depth and syntax, but a flaw inside spoils only its own part.

    Duplicate keys are kept as `Doubled`, the rest is found when the part is used. Raises `BadJson`.
    """
    text = _text(data, limit, 2 * MAX_DEPTH)  # arguments given as an object lie some levels below the body
    try:
        return _TOLERANT.decode(text)
    except (ValueError, RecursionError) as error:
        raise BadJson(f"The body is not JSON: {error}") from None


def _text(data: str | bytes, limit: int, levels: int) -> str:
    """Return `data` as text. Raises `BadJson` beyond `limit` bytes, or where it is nested deeper than `levels`."""
    try:
        raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        if len(raw) > limit:
            raise BadJson(f"The JSON has {len(raw)} bytes, {limit} are allowed. Send less.")
        text = data if isinstance(data, str) else raw.decode("utf-8")
    except UnicodeDecodeError:
        raise BadJson("The text is not UTF-8.") from None
    if text.count("[") + text.count("{") <= levels:
        return text
    depth = 0
    for token in TOKENS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > levels:
            raise BadJson(f"The JSON is nested deeper than {levels} levels. Make it flatter.")
    return text


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise BadJson(f"The key {_shown(_twice(pairs))} appears twice in one object. Give each key once.")
    return found


def _tolerant(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    doubled = Doubled(pairs)
    doubled.key = _twice(pairs)
    return doubled


def _twice(pairs: list[tuple[str, Any]]) -> str:
    return Counter(key for key, _ in pairs).most_common(1)[0][0]


def _shown(text: str) -> str:
    return json.dumps(clean(text)[:40], ensure_ascii=False)


def _no_constant(name: str) -> Any:
    raise BadJson(f"{name} is not JSON. Use a number or null.")


def _integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS or abs(number := int(digits)) > MAX_INTEGER:
        raise BadJson("An integer is beyond 64 bits. Send it as text or make it smaller.")
    return number


def _lenient_int(digits: str) -> int | float:
    # Python refuses to read integers of thousands of digits; whoever uses this value finds it too large either way.
    return int(digits) if len(digits) <= 10 * MAX_DIGITS else math.inf


_STRICT = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_integer)
_TOLERANT = json.JSONDecoder(object_pairs_hook=_tolerant, parse_int=_lenient_int)


def _leaves(value: Any) -> Iterator[Any]:
    """Walk keys and plain values without recursion."""
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, dict):
            rest.extend(one.keys())
            rest.extend(one.values())
        elif isinstance(one, list):
            rest.extend(one)
        else:
            yield one


def _again(value: object) -> str:
    """Write a value that was read as part of a body, so that it meets the same rules as text."""
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, Doubled):
            raise BadJson(f"The key {_shown(one.key)} appears twice in one object. Give each key once.")
        if isinstance(one, (dict, list)):
            rest.extend(one.values() if isinstance(one, dict) else one)
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        raise BadJson("It is not JSON.") from None
