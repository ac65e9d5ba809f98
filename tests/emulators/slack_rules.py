"""What a call of the Web API must look like, read from the signatures of slack_sdk.

Slack itself ignores arguments that a method does not know; here they are refused, as ``invalid_arguments`` with a
message starting with "emulator:", because nobody sends them on purpose.
"""

from __future__ import annotations

import inspect
import json
import typing
from dataclasses import dataclass
from functools import cache
from typing import Any

from slack_sdk.web.async_client import AsyncWebClient

from tests.emulators.slack_world import Json

Params = dict[str, Any]

# Arguments that the documentation has and the library leaves to **kwargs.
_ADDED = {
    "chat.postMessage": ("unfurl_app_links",),
    "chat.update": ("unfurled_attachments",),
    "conversations.open": ("prevent_creation",),
}
# The library sends these as the token, or as the user and password of the request.
_NOT_SENT = frozenset({"self", "kwargs", "app_token"})


# What may be sent by every client of one workspace, and what clears something when it is empty.
COMMON = "team_id"
MAY_BE_EMPTY = frozenset({"status", "title"})


class ApiError(Exception):
    """A refusal with the code that Slack has for it; *fields* travel beside it."""

    def __init__(self, code: str, *messages: str, status: int = 200, retry_after: int | str = 0, **fields: Any) -> None:
        super().__init__(code, *messages)
        self.code = code
        self.status = status
        self.headers = {"retry-after": str(retry_after)} if retry_after else {}
        self.fields = {**fields, "response_metadata": {"messages": list(messages)}} if messages else fields

    def as_json(self) -> Json:
        """Return the body of the answer."""
        return {"ok": False, "error": self.code, **self.fields}


def bad_arguments(message: str) -> ApiError:
    """Return the refusal of a call that is not well formed."""
    return ApiError("invalid_arguments", f"[ERROR] {message}")


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a method: its plain types, empty when it is a JSON value."""

    name: str
    accepts: frozenset[type]
    required: bool


def _atoms(annotation: object) -> frozenset[type]:
    """Return the plain types of *annotation*, or nothing when it may hold an object."""
    if typing.get_origin(annotation) is not typing.Union:
        return (
            frozenset({annotation}) if isinstance(annotation, type) and annotation in (str, int, bool) else frozenset()
        )
    members = [m for m in typing.get_args(annotation) if m is not type(None)]
    found = [_atoms(m) for m in members if typing.get_args(m) != (str,)]
    return frozenset().union(*found) if all(found) else frozenset()


@cache
def parameters(method: str) -> dict[str, Parameter]:
    """Return the arguments of *method*, by name, in the order of the library's signature."""
    function = getattr(AsyncWebClient, method.replace(".", "_"))
    hints = typing.get_type_hints(function)
    known = {
        p.name: Parameter(p.name, _atoms(hints.get(p.name)), p.default is inspect.Parameter.empty)
        for p in inspect.signature(function).parameters.values()
        if p.name not in _NOT_SENT
    }
    added = {name: Parameter(name, frozenset(), required=False) for name in (COMMON, *_ADDED.get(method, ()))}
    return added | known


@cache
def reads_only(method: str) -> bool:
    """Tell whether the library fetches *method* with GET; such methods take no JSON body."""
    function = getattr(AsyncWebClient, method.replace(".", "_"), None)
    return function is not None and 'http_verb="GET"' in inspect.getsource(function)


def decode(method: str, raw: Json) -> Params:
    """Return the arguments of a call as Python values, without those that are null.

    Raises ``ApiError`` for an unknown, a missing or an unreadable one.
    """
    known = parameters(method)
    given = {name: value for name, value in raw.items() if value is not None}
    unknown = given.keys() - known.keys()
    if unknown:
        raise bad_arguments(f"emulator: unknown argument {min(unknown)!r} of {method}")
    for parameter in known.values():
        empty = ("",) if parameter.name not in MAY_BE_EMPTY else ()
        if parameter.required and given.get(parameter.name) in (None, *empty):
            raise bad_arguments(f"missing required field: {parameter.name}")
    return {name: _value(known[name], value) for name, value in given.items()}


def _value(parameter: Parameter, value: object) -> Any:
    if not parameter.accepts:
        return _json(parameter.name, value)
    if bool in parameter.accepts:
        return _boolean(parameter.name, value)
    if int in parameter.accepts:
        return _integer(parameter.name, value)
    if not isinstance(value, str):
        raise bad_arguments(f"must be a string [json-pointer:/{parameter.name}]")
    return value


def _json(name: str, value: object) -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise bad_arguments(f"emulator: no JSON in {name!r}") from None


def _boolean(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if value in ("true", "false", "1", "0", 1, 0):
        return value in ("true", "1", 1)
    raise bad_arguments(f"must be a boolean [json-pointer:/{name}]")


def _integer(name: str, value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    raise bad_arguments(f"must be an integer [json-pointer:/{name}]")
