"""Data tools (seed 004): JSON and base64, for whoever works with what a tool or a file brought."""

from __future__ import annotations

import base64
import json
from typing import Any

from pydantic import Field

from core.kernel.errors import ToolError
from core.kernel.strict_json import MAX_BYTES, BadJson, loads
from core.kernel.types import Json, Role
from core.toolkit.params import Params
from core.toolkit.tool import ToolContext, tool


class JsonParseParams(Params):
    """`text`: JSON, 256 KB at most."""

    text: str


@tool(Role.PLANNER, Role.WORKER, idempotent=True)
async def json_parse(params: JsonParseParams, context: ToolContext) -> Json:
    """Read JSON text."""
    try:
        return {"data": loads(params.text)}
    except BadJson as error:
        raise ToolError("json_parse", str(error)) from error


class JsonStringifyParams(Params):
    """`data`: anything; `pretty`: on several lines."""

    data: Any = None
    pretty: bool = False


@tool(Role.PLANNER, Role.WORKER, idempotent=True)
async def json_stringify(params: JsonStringifyParams, context: ToolContext) -> Json:
    """Write data as JSON text."""
    try:
        text = json.dumps(params.data, ensure_ascii=False, allow_nan=False, indent=2 if params.pretty else None)
        # What no reader would take: half a character, a list in a list in a list.
        loads(text)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, BadJson) else "the data hold what JSON has no word for (NaN, Infinity)"
        raise ToolError("json_stringify", reason) from error
    return {"text": text}


class Base64EncodeParams(Params):
    """`text`: to be encoded, as UTF-8."""

    text: str = Field(max_length=MAX_BYTES)


@tool(Role.PLANNER, Role.WORKER, idempotent=True)
async def base64_encode(params: Base64EncodeParams, context: ToolContext) -> Json:
    """Encode text as base64."""
    return {"encoded": base64.b64encode(params.text.encode()).decode()}


class Base64DecodeParams(Params):
    """`encoded`: base64 of a text."""

    encoded: str = Field(max_length=2 * MAX_BYTES)


@tool(Role.PLANNER, Role.WORKER, idempotent=True)
async def base64_decode(params: Base64DecodeParams, context: ToolContext) -> Json:
    """Decode base64 (also the one of web addresses) to text."""
    plain = "".join(params.encoded.split()).translate(str.maketrans("-_", "+/"))
    try:
        return {"decoded": base64.b64decode(plain, validate=True).decode()}
    except UnicodeDecodeError as error:
        raise ToolError("base64_decode", "that is no text: what it encodes is not UTF-8") from error
    except ValueError as error:
        # It is `binascii.Error`, or about signs that no base64 has.
        raise ToolError("base64_decode", f"that is not base64: {error}") from error
