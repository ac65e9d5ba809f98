"""Compare a JSON value with a type of the openai SDK, in the words of the OpenAI API."""

from __future__ import annotations

import collections.abc
import types
import typing
from functools import cache
from typing import Any

import typing_extensions

_UNIONS = (typing.Union, types.UnionType)
_NAMES = {str: "a string", int: "an integer", float: "a decimal", bool: "a boolean", type(None): "null"}


class Refusal(Exception):
    """A 4xx answer with the body that OpenAI gives it."""

    def __init__(
        self,
        message: str,
        *,
        param: str | None = None,
        code: str | None = None,
        status: int = 400,
        kind: str = "invalid_request_error",
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"error": {"message": message, "type": kind, "param": param, "code": code}}


def check(value: object, kind: Any, path: str = "") -> None:
    """Raise ``Refusal`` unless *value* is of the type *kind*; unknown keys are refused at every level."""
    origin = typing.get_origin(kind)
    if kind in (object, Any):
        return
    if origin in _UNIONS:
        _check_union(value, typing.get_args(kind), path)
    elif origin in (typing.Literal, typing_extensions.Literal):
        _check_choice(value, typing.get_args(kind), path)
    elif typing_extensions.is_typeddict(kind):
        _check_object(value, kind, path)
    elif origin is dict:
        _check_map(value, typing.get_args(kind)[1], path)
    elif origin is not None:
        _check_array(value, typing.get_args(kind)[0], path)
    elif not _is_scalar(value, kind):
        raise _wrong_type(value, [kind], path)


def _check_choice(value: object, choices: tuple[Any, ...], path: str) -> None:
    if value not in choices:
        raise _wrong_value(value, choices, path)


def _is_scalar(value: object, kind: type) -> bool:
    if kind is float:
        return type(value) in (int, float)
    return type(value) is kind


@cache
def fields(kind: Any) -> dict[str, tuple[Any, bool]]:
    """Return the keys of a TypedDict, each with its type and whether it is required."""
    plain = typing_extensions.get_type_hints(kind)
    marked = typing_extensions.get_type_hints(kind, include_extras=True)
    required: tuple[Any, ...] = (typing.Required, typing_extensions.Required)
    return {name: (plain[name], typing.get_origin(marked[name]) in required) for name in plain}


def _check_object(value: object, kind: Any, path: str) -> None:
    if not isinstance(value, dict):
        raise _wrong_type(value, [kind], path)
    known = fields(kind)
    for name in value:
        if name not in known:
            where = _join(path, name)
            raise Refusal(f"Unknown parameter: '{where}'.", param=where, code="unknown_parameter")
    for name, (field_kind, required) in known.items():
        if name in value:
            check(value[name], field_kind, _join(path, name))
        elif required:
            where = _join(path, name)
            raise Refusal(f"Missing required parameter: '{where}'.", param=where, code="missing_required_parameter")


def _check_map(value: object, kind: Any, path: str) -> None:
    if not isinstance(value, dict):
        raise _wrong_type(value, [dict], path)
    for name, item in value.items():
        check(item, kind, _join(path, name))


def _check_array(value: object, kind: Any, path: str) -> None:
    if not isinstance(value, list):
        raise _wrong_type(value, [list], path)
    for number, item in enumerate(value):
        check(item, kind, f"{path}[{number}]")


def _check_union(value: object, kinds: tuple[Any, ...], path: str) -> None:
    fitting = [kind for kind in kinds if _fits(value, kind)]
    if not fitting:
        raise _wrong_type(value, kinds, path)
    if len(fitting) > 1 and isinstance(value, dict):
        fitting = _tagged(value, fitting, path)
    last: Refusal | None = None
    for kind in fitting:
        try:
            return check(value, kind, path)
        except Refusal as refusal:
            last = refusal
    assert last is not None
    raise last


def _fits(value: object, kind: Any) -> bool:
    """Tell whether *value* has the outer shape of *kind*."""
    origin = typing.get_origin(kind)
    if kind in (object, Any):
        return True
    if origin in _UNIONS:
        return any(_fits(value, member) for member in typing.get_args(kind))
    if typing_extensions.is_typeddict(kind) or origin is dict:
        return isinstance(value, dict)
    if origin in (typing.Literal, typing_extensions.Literal):
        return isinstance(value, tuple({type(choice) for choice in typing.get_args(kind)}))
    if origin is not None:
        return isinstance(value, list)
    return _is_scalar(value, kind)


def _flat(kinds: collections.abc.Iterable[Any]) -> list[Any]:
    flat: list[Any] = []
    for kind in kinds:
        flat += _flat(typing.get_args(kind)) if typing.get_origin(kind) in _UNIONS else [kind]
    return flat


def _tagged(value: dict[str, Any], kinds: list[Any], path: str) -> list[Any]:
    """Keep the objects whose tag, such as role or type, is that of *value*."""
    kinds = _flat(kinds)
    for tag in ("role", "type"):
        choices = {kind: _choices(kind, tag) for kind in kinds}
        if not all(choices.values()):
            continue
        if tag not in value:
            where = _join(path, tag)
            raise Refusal(f"Missing required parameter: '{where}'.", param=where, code="missing_required_parameter")
        kept = [kind for kind in kinds if value[tag] in choices[kind]]
        if not kept:
            raise _wrong_value(value[tag], sum(choices.values(), ()), _join(path, tag))
        return kept
    return kinds


def _choices(kind: Any, tag: str) -> tuple[Any, ...]:
    if not typing_extensions.is_typeddict(kind) or tag not in fields(kind):
        return ()
    return typing.get_args(fields(kind)[tag][0])


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _name(kind: Any) -> str:
    if typing_extensions.is_typeddict(kind) or kind is dict or typing.get_origin(kind) is dict:
        return "an object"
    if typing.get_origin(kind) in (typing.Literal, typing_extensions.Literal):
        return "a string"
    return _NAMES.get(kind, "an array")


def _wrong_type(value: object, kinds: collections.abc.Iterable[Any], path: str) -> Refusal:
    expected = list(dict.fromkeys(_name(kind) for kind in _flat(kinds)))
    wanted = expected[0] if len(expected) == 1 else "one of " + " or ".join(expected)
    text = f"Invalid type for '{path}': expected {wanted}, but got {_name(type(value))} instead."
    return Refusal(text, param=path, code="invalid_type")


def _wrong_value(value: object, choices: tuple[Any, ...], path: str) -> Refusal:
    supported = ", ".join(f"'{choice}'" for choice in choices)
    text = f"Invalid value: '{value}'. Supported values are: {supported}."
    return Refusal(text, param=path, code="invalid_value")
