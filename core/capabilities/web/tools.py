"""Tools of the web. `read_page` is made for models; the others are those of seeds 002 and 004.

All of them read. Whatever sends something is off until people can approve it.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from core.capabilities.files import tools as files
from core.capabilities.web import reading
from core.kernel.errors import ToolError
from core.kernel.types import Json, Role
from core.toolkit.fetch.values import CODES, Fetch, Fetched, FetchError
from core.toolkit.params import Integer, Number, Params
from core.toolkit.tool import Change, Effect, Offered, ToolContext, told_to_model, tool

TIMEOUT = 60.0
MOST_TEXT, USUAL_BYTES, MOST_BYTES, LONGEST_SECONDS = 9_000, 512 << 10, 16 << 20, 55.0
TOLD = {
    **dict.fromkeys((f"web_{code}" for code in CODES), "{why}"),
    "web_status": "the server answers {status}; there is no such page now",
    "document_unknown": "{name} is of a kind that is not read; PDFs, office documents, books, tables and texts are",
    "document_mismatch": "{name} is not what its name says, and is not read",
    "document_damaged": "{name} is damaged and cannot be read",
    "document_encrypted": "{name} is closed with a password; ask for one that is open",
    "document_empty": "there is no text in {name}; it may be a scan or a picture",
    "document_bomb": "{name} unfolds into more than is read",
    "document_slow": "{name} takes too long to read",
    "document_huge": "{name} is too large to be read",
}
SENDS = "{tool} sends nothing: requests that are no GET or HEAD are off until people can approve them. Read with GET"


class ReadPageParams(Params):
    """`url`: of a page, PDF or feed. `start`: where to go on, from `more`."""

    url: str = Field(max_length=4000)
    start: Integer = Field(default=0, ge=0, le=2_000_000)


@tool(
    *(Role.TELLER, Role.WORKER),
    category="network",
    timeout=TIMEOUT,
    idempotent=True,
    offered=Offered.ROOM,
    matrix=False,
)
async def read_page(params: ReadPageParams, context: ToolContext) -> Json:
    """Read a web page or PDF."""
    with told_to_model("read_page", TOLD):
        page = await reading.read(context, params.url)
    return {"url": page.url, **reading.told(page, params.start, MOST_TEXT)}


class HttpGetParams(Params):
    """`headers`: beside the usual ones."""

    url: str = Field(max_length=4000)
    headers: dict[str, str] = Field(default_factory=dict)


class UrlFetchParams(HttpGetParams):
    """`download_path`: a file to keep the body in. `auth_profile`: one of the owner's."""

    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    auth_profile: str | None = Field(default=None, max_length=60)
    body: Any = None
    download_path: str | None = None
    timeout_seconds: Number | None = Field(default=None, gt=0, le=120)
    max_bytes: Integer | None = Field(default=None, ge=1)


class HttpSendParams(HttpGetParams):
    """Off: nothing is sent."""

    method: str = "POST"
    body: Any = None


@tool(Role.WORKER, category="network", timeout=TIMEOUT, effect=Effect.WRITE)
async def url_fetch(params: UrlFetchParams, context: ToolContext) -> Change:
    """Fetch an address (GET or HEAD): status, headers and body; or keep the body in a file (download_path)."""
    if params.method not in {"GET", "HEAD"} or params.body is not None:
        raise ToolError("url_fetch", SENDS.format(tool=f"url_fetch with {params.method}"))
    most = min(params.max_bytes or (MOST_BYTES if params.download_path else USUAL_BYTES), MOST_BYTES)
    request = Fetch(
        url=params.url,
        method=params.method,
        headers=params.headers,
        most=most,
        seconds=min(params.timeout_seconds or LONGEST_SECONDS, LONGEST_SECONDS),
        profile=params.auth_profile or "",
        whose=reading.whose(context),
    )
    fetched = await _fetched("url_fetch", context, request)
    if params.download_path is None:
        shown = _shown("url_fetch", fetched)
        return lambda tx: shown
    if fetched.truncated:
        raise ToolError("url_fetch", f"it is larger than {most} bytes; nothing was kept")
    kept: dict[str, Json] = {
        "status": fetched.status,
        "bytes": len(fetched.body),
        "content_type": fetched.headers.get("content-type", ""),
        "tainted": True,
    }
    return await files.keep("url_fetch", context, params.download_path, fetched.body, kept)


@tool(Role.WORKER, category="network", timeout=TIMEOUT, idempotent=True)
async def http_get(params: HttpGetParams, context: ToolContext) -> Json:
    """Fetch an address by GET: status, headers and body."""
    request = Fetch(
        url=params.url,
        headers=params.headers,
        most=USUAL_BYTES,
        seconds=LONGEST_SECONDS,
        whose=reading.whose(context),
    )
    return _shown("http_get", await _fetched("http_get", context, request))


@tool(Role.WORKER, category="network")
async def http_post(params: HttpSendParams, context: ToolContext) -> Json:
    """Off until people can approve what is sent."""
    raise ToolError("http_post", SENDS.format(tool="http_post"))


@tool(Role.WORKER, category="network", timeout=TIMEOUT)
async def http_request(params: HttpSendParams, context: ToolContext) -> Json:
    """Off until people can approve what is sent; GET and HEAD read."""
    if params.method.upper() not in {"GET", "HEAD"} or params.body is not None:
        raise ToolError("http_request", SENDS.format(tool=f"http_request with {params.method[:10]}"))
    request = Fetch(
        url=params.url,
        method="HEAD" if params.method.upper() == "HEAD" else "GET",
        headers=params.headers,
        most=USUAL_BYTES,
        seconds=LONGEST_SECONDS,
        whose=reading.whose(context),
    )
    return _shown("http_request", await _fetched("http_request", context, request))


async def _fetched(name: str, context: ToolContext, request: Fetch) -> Fetched:
    try:
        return await reading.fetch(context, request, added=bool(request.headers))
    except FetchError as error:
        raise ToolError(name, str(error)) from error


def _shown(name: str, fetched: Fetched) -> Json:
    """Return the answer as a model gets it; raises `ToolError` for what is no text."""
    try:
        body = fetched.body.decode()
    except UnicodeDecodeError:
        body = fetched.body.decode("latin-1")
        if "\0" in body[:1000] or not fetched.media_type.startswith(("text/", "application/json", "application/xml")):
            kind = fetched.media_type or "no type"
            raise ToolError(
                name, f"the body is no text ({kind}); read_page reads documents, download_path keeps it"
            ) from None
    cut = {"truncated": True} if fetched.truncated else {}
    return {"status": fetched.status, "headers": dict(fetched.headers), "body": body, "tainted": True, **cut}
