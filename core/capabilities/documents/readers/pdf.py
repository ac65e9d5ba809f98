"""PDFs, page by page."""

from __future__ import annotations

import re
from contextlib import suppress

import pypdfium2
import pypdfium2.raw as pdfium

from core.capabilities.documents.readers.found import MOST_PARTS, MOST_TEXT, Found, Unreadable, tidy

# D:20260102030405+01'00' (ISO 32000-1, 7.9.4)
_DATE = re.compile(r"D?:?(\d{4})(\d\d)?(\d\d)?")
# A word that a line's end divides.
_DIVIDED = re.compile(r"(?<=[^\W\d_])(?:\u00ad|\ufffe|-)\r?\n(?=[^\W\d_])")


def read(body: bytes) -> Found:
    """Read a PDF; raises `Unreadable`."""
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("encrypted" if error.err_code == pdfium.FPDF_ERR_PASSWORD else "damaged") from error
    said = dict.fromkeys(("Title", "CreationDate"), "")
    for name in said:
        with suppress(UnicodeDecodeError):  # one that is garbled
            said[name] = document.get_metadata_value(name)
    date = _DATE.match(said["CreationDate"])
    found = Found(kind="pdf", unit="page", title=said["Title"])
    found.date = "-".join(filter(None, date.groups())) if date else ""
    size = 0
    for number in range(min(len(document), MOST_PARTS)):
        text = _page(document, number)
        found.parts.append(text)
        size += len(text)
        if size > MOST_TEXT:
            break
    found.truncated = len(found.parts) < len(document)
    return found


def _page(document: pypdfium2.PdfDocument, number: int) -> str:
    """Return the text of a page; empty for one that is damaged, among others that are not."""
    try:
        page = document[number]
        text = page.get_textpage().get_text_bounded()
        page.close()
    except pypdfium2.PdfiumError:
        return ""
    return tidy(_DIVIDED.sub("", text))
