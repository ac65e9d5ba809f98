"""What a Bot API call must look like, read from the signatures and constants of python-telegram-bot.

Error texts are those of tdlib/telegram-bot-api where it has one; the texts starting with "emulator:" mark
places where the real server would silently accept or repair, and this one refuses.
"""

from __future__ import annotations

import inspect
import json
import re
import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any

import telegram
from telegram._utils.defaultvalue import DefaultValue

Params = dict[str, Any]


class ApiError(Exception):
    """A refusal, as the Bot API words it."""

    def __init__(self, code: int, description: str, parameters: dict[str, Any] | None = None) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def as_json(self) -> dict[str, Any]:
        """Return the body of the answer."""
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        if self.parameters is not None:
            body["parameters"] = self.parameters
        return body


def bad(description: str) -> ApiError:
    """Return a 400 with the usual prefix."""
    return ApiError(400, f"Bad Request: {description}")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came with a call, as its part of the body names it."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a method: its accepted Python types, empty for a JSON value."""

    name: str
    accepts: frozenset[type]
    required: bool


def _atoms(annotation: object) -> frozenset[type]:
    """Return the plain types of *annotation*, or nothing when it holds an object or a list."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        members = typing.get_args(annotation)
        found = [_atoms(m) for m in members if m is not type(None) and not _is_default(m)]
        plain = [part for part in found if part]
        return frozenset().union(*plain) if plain and len(plain) == len(found) else frozenset()
    if annotation in (str, int, bool):
        return frozenset({typing.cast("type", annotation)})
    if getattr(annotation, "__name__", "") == "timedelta":
        return frozenset({int})
    return frozenset()


def _is_default(annotation: object) -> bool:
    return (typing.get_origin(annotation) or annotation) is DefaultValue


def _wire(function: object) -> list[inspect.Parameter]:
    """Return what travels: keyword-only parameters are conveniences of the library."""
    signature = inspect.signature(typing.cast("typing.Callable[..., object]", function))
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [p for p in signature.parameters.values() if p.kind is kind and p.name != "self"]


@cache
def method_parameters(method: str) -> dict[str, Parameter]:
    """Return the parameters of *method*, by name, in the order of the signature."""
    return {
        p.name: Parameter(p.name, _atoms(p.annotation), p.default is inspect.Parameter.empty)
        for p in _wire(getattr(telegram.Bot, method))
    }


@cache
def object_fields(kind: type) -> dict[str, bool]:
    """Return the fields of the object *kind*, each with whether it is required."""
    return {p.name: p.default is inspect.Parameter.empty for p in _wire(kind)}


def check_object(value: object, kind: type) -> dict[str, Any]:
    """Return *value* when it is an object with the fields of *kind* and no others."""
    where = kind.__name__
    if not isinstance(value, dict):
        raise bad(f"can't parse {where}: expected an Object")
    fields = object_fields(kind)
    for name, required in fields.items():
        if required and value.get(name) is None:
            raise bad(f"can't parse {where}: Can't find field \"{name}\"")
    unknown = value.keys() - fields.keys()
    if unknown:
        raise bad(f"emulator: unknown field {min(unknown)!r} in {where}")
    return value


def check_list(value: object, where: str) -> list[Any]:
    """Return *value* when it is an array."""
    if not isinstance(value, list):
        raise bad(f"can't parse {where}: expected an Array")
    return value


# What the server says of a missing required parameter, where it says something of its own.
_MISSING = {
    "chat_id": "chat_id is empty",
    "text": "message text is empty",
    "message_id": "message identifier is not specified",
    "action": "wrong parameter action in request",
    "commands": "can't parse commands: expected an Array",
}


# The library takes objects for these and sends their id.
_TEXTS = frozenset({"file_id"})


def decode(method: str, raw: dict[str, Any]) -> Params:
    """Return the parameters of a call as Python values.

    Raises ``ApiError`` for an unknown, a missing or an unreadable one.
    """
    known = method_parameters(method)
    params: Params = {}
    for name, value in raw.items():
        parameter = known.get(name)
        if parameter is None:
            raise bad(f"emulator: unknown parameter {name!r} of {method}")
        if value is not None:
            params[name] = _value(parameter, value)
    for parameter in known.values():
        if parameter.required and parameter.name not in params:
            raise bad(_MISSING.get(parameter.name, f"emulator: parameter {parameter.name!r} is required"))
    return params


def _value(parameter: Parameter, value: object) -> Any:
    if isinstance(value, Upload):
        return value
    if parameter.name in _TEXTS:
        return str(value)
    if not parameter.accepts:
        return _json(parameter.name, value)
    if bool in parameter.accepts:
        return _boolean(parameter.name, value)
    if int in parameter.accepts:
        return _integer(parameter, value)
    if not isinstance(value, str):
        raise bad(f"emulator: parameter {parameter.name!r} must be a string")
    return value


def _json(name: str, value: object) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise bad(f"can't parse {name}: invalid JSON") from None


def _boolean(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false", "True", "False", "1", "0"):
        return value in ("true", "True", "1")
    raise bad(f"emulator: parameter {name!r} must be a boolean")


def _integer(parameter: Parameter, value: object) -> int | str:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,19}", value):
        return int(value)
    if isinstance(value, str) and str in parameter.accepts:
        return value
    raise bad(f"emulator: parameter {parameter.name!r} must be an integer")
