"""A page of the web as text, whatever it is: an article, a feed, a PDF or another document."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.capabilities.documents.models import DocumentText
from core.capabilities.documents.readers.found import Unreadable
from core.capabilities.documents.service import Documents
from core.capabilities.web.links import ReadLinks
from core.kernel.errors import Refused
from core.kernel.types import Json
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.values import Fetch, Fetched, FetchError, Whose
from core.toolkit.services import Services
from core.toolkit.tool import ToolContext

# A page, and a document that is one.
MOST_BYTES, SECONDS = 16 << 20, 25.0
OK, ERRORS = 200, 400
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{2,40})", re.IGNORECASE)
_ACCEPT = "text/html,application/xhtml+xml,application/pdf;q=0.9,application/xml;q=0.8,text/plain;q=0.8,*/*;q=0.5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What was read at an address: the one it came from in the end, and what stands there."""

    url: str
    document: DocumentText

    @property
    def text(self) -> str:
        """Return all of it."""
        return self.document.text


def whose(context: ToolContext) -> Whose:
    """For whom a run fetches: who wrote in a linked account pays as the person they are."""
    return Whose(lane=context.lane, person_id=context.principal.person_id)


async def fetch(context: ToolContext, request: Fetch, *, added: bool = False) -> Fetched:
    """Fetch for a run, if it may; raises `FetchError`. What links came is noted. `added` says that a model has written
    something beside the address."""
    links = context.services.get(ReadLinks)
    tainted = context.tainted or await context.db.read(context.is_tainted)
    links.check(replace(context, tainted=tainted), request.url, added=added)
    fetched = await context.services.get(Fetcher).fetch(request)
    links.note(context, [fetched.url])
    return fetched


async def read(context: ToolContext, url: str, profile: str = "") -> Page:
    """Read a page for a run. Raises `Refused`: `web_…` with the code of a `FetchError`, `web_status`, and
    `document_…` where there is no text in what came."""
    request = Fetch(
        url=url,
        most=MOST_BYTES,
        seconds=SECONDS,
        profile=profile,
        whose=whose(context),
        headers={"accept": _ACCEPT, "accept-language": f"{context.language},en;q=0.5"},
    )
    try:
        fetched = await fetch(context, request)
    except FetchError as error:
        raise Refused(f"web_{error.code}", why=str(error)) from error
    if fetched.status >= ERRORS or not fetched.body:
        raise Refused("web_status", status=fetched.status)
    document = await _document(context, fetched)
    context.services.get(ReadLinks).note(context, document.links)
    return Page(url=fetched.url, document=document)


async def _document(context: ToolContext, fetched: Fetched) -> DocumentText:
    charset = _CHARSET.search(fetched.headers.get("content-type", ""))
    name = fetched.url.partition("?")[0].rpartition("/")[2]
    media = fetched.media_type
    try:
        document = await context.services.get(Documents).read(
            fetched.body,
            # A page may be called as its writer likes; of a document the server says the type.
            "" if media.startswith("text/html") else name,
            media,
            charset=charset[1] if charset else "",
            url=fetched.url,
        )
    except Unreadable as problem:
        # Its end is missing because we read no further.
        code = "huge" if fetched.truncated and problem.code == "damaged" else problem.code
        raise Refused(f"document_{code}", name=name[:60] or media) from problem
    return replace(document, truncated=document.truncated or fetched.truncated)


def told(page: Page, first: int, most: int) -> dict[str, Json]:
    """Return a page as a model gets it, from a character on: its text up to `most` characters, where it goes on
    (`more`), or that there is more than was read (`truncated`), and the links in that part by their numbers."""
    text = page.text
    part = text[first : first + most]
    numbers = {int(number) for number in re.findall(r"\[(\d{1,3})\]", part)}
    links: Sequence[str] = [
        f"[{number}] {link}" for number, link in enumerate(page.document.links, 1) if number in numbers
    ]
    result: dict[str, Json] = {"title": page.document.title, "text": part, "links": links, "tainted": True}
    if page.document.date:
        result["date"] = page.document.date
    if first + most < len(text):
        result["more"] = first + len(part)
    elif page.document.truncated:
        result["truncated"] = True
    return result


async def run(services: Services) -> None:
    """Close what is open to the web when the program ends."""
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        await services.get(Fetcher).close()
