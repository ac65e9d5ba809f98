"""Which reader reads a document: what is in it decides, then what the server says, then its name."""

from __future__ import annotations

import re

from core.capabilities.documents.readers.found import Found, Unreadable, fitted

_PDF_WITHIN = 1024
_HTML = re.compile(rb"<(?:!doctype html|html|head|body|article|div|h1|table)[\s>]", re.IGNORECASE)
_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml|<rss|<feed|<rdf:)", re.IGNORECASE)
# What begins so is none of what is read, whatever it is called.
_OTHERS = (
    b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*", b"OggS", b"ID3", b"fLaC", b"\x1f\x8b", b"BZh",
    b"7z\xbc\xaf", b"Rar!", b"\x7fELF", b"MZ", b"{\\rtf", b"SQLite format 3", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd",
)  # fmt: skip
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_OFFICE = frozenset({"pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub"})


def read(body: bytes, *, name: str = "", media_type: str = "", charset: str = "", url: str = "") -> Found:
    """Read a document, and cut it to what is told; raises `Unreadable`."""
    return fitted(_read(body, name.rpartition(".")[2].lower() if "." in name else "", media_type, charset, url))


def _read(body: bytes, suffix: str, media_type: str, charset: str, url: str) -> Found:
    # Each reader is loaded when it is needed: some take longer than most documents.
    match _kind(body, suffix, media_type):
        case "pdf":
            from core.capabilities.documents.readers import pdf

            return pdf.read(body)
        case "office":
            from core.capabilities.documents.readers import office

            return office.read(body)
        case "html":
            from core.capabilities.documents.readers import html

            return html.read(body, url=url, charset=charset)
        case kind:
            from core.capabilities.documents.readers import plain

            if kind == "xml" and (found := plain.feed(body, url)) is not None:
                return found
            return plain.table(body, charset) if kind == "csv" else plain.text(body, charset, kind)


def _kind(body: bytes, suffix: str, media_type: str) -> str:
    """Return what a document is; raises `Unreadable` for what is none of what is read."""
    if b"%PDF-" in body[:_PDF_WITHIN]:
        return "pdf"
    if body.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return "office"
    if not body.strip():
        raise Unreadable("empty")
    if suffix in _OFFICE:
        raise Unreadable("mismatch", suffix)
    if body.startswith(_OTHERS) or body[4:8] == b"ftyp" or body[:4] == b"RIFF":
        raise Unreadable("unknown", suffix)
    if media_type in _PAGES or suffix in {"html", "htm"} or _HTML.search(body[:2000]):
        return "html"
    if _XML.match(body[:_PDF_WITHIN]):
        return "xml"
    if suffix in {"csv", "tsv"} or media_type == "text/csv":
        return "csv"
    return "ics" if suffix == "ics" or media_type == "text/calendar" else "txt"
