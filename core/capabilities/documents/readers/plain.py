"""Texts: plain ones, tables with commas, calendars, JSON and feeds."""

from __future__ import annotations

import csv
import re
from contextlib import suppress
from io import StringIO
from urllib.parse import urljoin
from xml.etree.ElementTree import Element

from core.capabilities.documents.readers import html
from core.capabilities.documents.readers.found import MOST_TEXT, Found, Unreadable, row, tidy
from core.capabilities.documents.readers.office import parsed

# A text has hardly a control character; what has many is something else.
_MOST_CONTROL = 0.02
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f]")
_PART = 4000
_MOST_ENTRIES, _LONGEST_ENTRY = 100, 1500


def text(body: bytes, charset: str = "", kind: str = "txt") -> Found:
    """Read a plain text; raises `Unreadable` for what is none."""
    found = Found(kind=kind, unit="part")
    said = _decoded(body, charset)
    found.truncated = len(said) > MOST_TEXT
    lines = tidy(said[:MOST_TEXT]).split("\n")
    part: list[str] = []
    size = 0
    for line in lines:
        part.append(line)
        size += len(line) + 1
        if size > _PART:
            found.parts.append("\n".join(part))
            part, size = [], 0
    found.parts += ["\n".join(part)] if part else []
    return found


def table(body: bytes, charset: str = "") -> Found:
    """Read a table with commas, semicolons or tabs between its cells."""
    said = _decoded(body, charset)[:MOST_TEXT]
    try:
        dialect = csv.Sniffer().sniff(said[:8192], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    try:
        lines = [row(cells) for cells in csv.reader(StringIO(said, newline=""), dialect)]
    except csv.Error as error:
        raise Unreadable("damaged") from error
    parts = ["\n".join(lines[at : at + 100]) for at in range(0, len(lines), 100)]
    return Found(kind="csv", unit="part", parts=parts, truncated=len(said) == MOST_TEXT)


def _decoded(body: bytes, charset: str) -> str:
    said = html.decoded(body, charset)
    if len(_CONTROL.findall(said[:20_000])) > _MOST_CONTROL * min(len(said), 20_000):
        raise Unreadable("unknown")
    return said


def feed(body: bytes, url: str = "") -> Found | None:
    """Read RSS or Atom that stands at `url`; None for other XML. Raises `Unreadable`."""
    try:
        tree = parsed(body)
    except Unreadable as problem:
        if problem.code == "damaged":
            return None  # it only begins as XML does
        raise
    name = tree.tag.rpartition("}")[2].lower()
    if name not in {"rss", "feed", "rdf"}:
        return None
    found = Found(kind="feed", unit="entry")
    about = next((one for one in tree.iter() if _name(one) in {"channel", "feed"}), tree)
    found.title = _said(about, "title")
    found.date = _said(about, "lastbuilddate", "updated", "pubdate")
    entries = [one for one in tree.iter() if _name(one) in {"item", "entry"}]
    addresses = [_address(entry, url) for entry in entries[:_MOST_ENTRIES]]
    # The entries' own addresses come first: what is linked in them may be more than is told.
    found.links = list(dict.fromkeys(filter(None, addresses)))
    for entry, where in zip(entries, addresses, strict=False):
        mark = f" [{found.links.index(where) + 1}]" if where else ""
        said = _said(entry, "encoded", "content", "description", "summary")
        if "<" in said:
            parts = html.read(said.encode(), url=where or url, charset="utf-8", links=found.links).parts
        else:
            parts = [tidy(said)]
        text = "\n".join(parts)[:_LONGEST_ENTRY]
        head = " · ".join(
            filter(None, (_said(entry, "pubdate", "published", "updated", "date"), _said(entry, "title")))
        )
        found.parts.append(f"{head}{mark}\n{text}".strip())
    found.truncated = len(entries) > _MOST_ENTRIES
    return found


def _address(entry: Element, url: str) -> str:
    """Return the address of an entry itself, not that of its comments or of a film; empty where it has none."""
    for one in entry:
        if _name(one) == "link" and one.get("rel", "alternate") == "alternate":
            with suppress(ValueError):
                where = urljoin(url, (one.get("href") or one.text or "").strip())
                if where.startswith(("http://", "https://")):
                    return where
    return ""


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2].lower()


def _said(element: Element, *names: str) -> str:
    for name in names:
        for one in element:
            if _name(one) == name and (text := "".join(one.itertext()).strip()):
                return text
    return ""
