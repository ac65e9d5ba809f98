"""Parameters of tools: forgiving in spelling, strict in meaning (TOOLS: Conventions).

snake_case, camelCase and declared other names are accepted; two spellings with different values, unknown names and
wrong types are errors that say what to change; `null` means not given; `"5"` is 5 and `true` is no number.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, AllowInfNan, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from core.kernel.errors import ToolValidationError
from core.kernel.types import Json


class Params(BaseModel):
    """Base of all parameters. `spellings` maps other accepted names to fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    spellings: ClassVar[Mapping[str, str]] = {}


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise ValueError("a number is needed, not true or false")
    return value


Integer = Annotated[int, BeforeValidator(_no_boolean)]
# JSON knows neither "nan" nor "inf".
Number = Annotated[float, AllowInfNan(False), BeforeValidator(_no_boolean)]


def _at_least_one(value: int) -> int:
    if value < 1:
        raise ValueError("must be 1 or more")
    return value


Count = Annotated[int, BeforeValidator(_no_boolean), AfterValidator(_at_least_one)]


def capped(count: int, maximum: int) -> tuple[int, dict[str, int]]:
    """Cap a count; the second value goes into the result, empty when nothing was capped."""
    return (maximum, {"capped": maximum}) if count > maximum else (count, {})


@cache
def _names(kind: type[Params]) -> Mapping[str, str]:
    fields = list(kind.model_fields)
    return {**{to_camel(name): name for name in fields}, **kind.spellings, **{name: name for name in fields}}


def read(tool_name: str, kind: type[Params], arguments: Mapping[str, Any]) -> Params:
    """Make parameters of a call's arguments; raises `ToolValidationError`."""
    given: dict[str, Any] = {}
    for spelling, value in arguments.items():
        name = _names(kind).get(spelling)
        if name is None:
            close = difflib.get_close_matches(spelling, list(_names(kind)), n=1)
            takes = ", ".join(kind.model_fields) or "no parameters"
            hint = f"did you mean {close[0]}?" if close else f"it takes {takes}"
            raise ToolValidationError(tool_name, f"unknown parameter {spelling!r}; {hint}")
        if value is None:
            continue
        if name in given and given[name] != value:
            raise ToolValidationError(tool_name, f"{name} is given twice with different values")
        given[name] = value
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        problems = []
        for problem in error.errors(include_url=False, include_context=False, include_input=False):
            place = ".".join(str(part) for part in problem["loc"]) or "arguments"
            missing = problem["type"] == "missing"
            problems.append(f"{place} is required" if missing else f"{place}: {problem['msg']}")
        raise ToolValidationError(tool_name, "; ".join(problems)) from error


@cache
def schema(kind: type[Params]) -> Mapping[str, Any]:
    """Return the JSON schema of parameters for a model, without what costs tokens and says nothing."""
    found = kind.model_json_schema()
    return _slim(_inlined(found, found.pop("$defs", {})))  # type: ignore[no-any-return]


def _inlined(value: Json, parts: Mapping[str, Json]) -> Json:
    """Return a schema with its parts in the place of references, which not every model's server looks up."""
    if isinstance(value, list):
        return [_inlined(item, parts) for item in value]
    if not isinstance(value, dict):
        return value
    if "$ref" in value:
        return _inlined(parts[value["$ref"].rpartition("/")[2]], parts)
    return {key: _inlined(item, parts) for key, item in value.items()}


def _slim(value: Json) -> Json:
    if isinstance(value, list):
        return [_slim(item) for item in value]
    if not isinstance(value, dict):
        return value
    match [item for item in value.get("anyOf", ()) if item != {"type": "null"}]:
        case [real] if {"type": "null"} in value["anyOf"]:
            value = {**{key: item for key, item in value.items() if key not in ("anyOf", "default")}, **real}
    dropped = {"title", "additionalProperties", "description"} if "properties" in value else {"title"}
    # What may be left out needs no word that it is nothing then; of a text that is too long the call's error tells.
    dropped |= {"minLength", "maxLength", "maxItems", "minimum", "maximum"} | (
        set() if value.get("default", True) else {"default"}
    )
    return {
        key: {name: _slim(item) for name, item in inner.items()} if key == "properties" else _slim(inner)
        for key, inner in value.items()
        if key not in dropped
    }
