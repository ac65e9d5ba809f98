"""Office documents and books: zips with XML in them. Only what holds text is unpacked, and no more than is read."""

from __future__ import annotations

import posixpath
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from io import BytesIO
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from core.capabilities.documents.readers import html
from core.capabilities.documents.readers.found import MOST_LINKS, MOST_PARTS, MOST_TEXT, Found, Unreadable, row, tidy

MOST_FILES, MOST_UNPACKED = 10_000, 96 << 20
# Of a sheet, rows and columns.
MOST_ROWS, MOST_COLUMNS = 100_000, 200
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LENGTH = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_BLANKS = re.compile(r"\s+")
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
# Formats of dates and times that need no code in the file (ECMA-376, 18.8.30).
_USUAL_FORMATS = {
    **{str(number): "d" for number in (*range(14, 18), 22, *range(27, 37), *range(50, 59))},
    **{str(number): "h" for number in (*range(18, 22), 32, 33, 45, 47)},
    "46": "[h]",
}
_CELL = re.compile(r"([A-Z]{1,3})(\d+)")


class Package:
    """A zip whose files are unpacked one by one, up to a limit for all of them."""

    def __init__(self, body: bytes) -> None:
        try:
            self._zip = zipfile.ZipFile(BytesIO(body))
        except (zipfile.BadZipFile, ValueError, OverflowError, OSError, NotImplementedError) as error:
            raise Unreadable("damaged") from error
        files = self._zip.infolist()
        if len(files) > MOST_FILES or sum(one.file_size for one in files) > 50 * MOST_UNPACKED:
            raise Unreadable("bomb")
        self.names = {one.filename: one for one in files}
        self._left = MOST_UNPACKED

    def read(self, name: str) -> bytes:
        """Return a file of it; raises `Unreadable`, also for one that it has not."""
        info = self.names.get(name)
        if info is None:
            raise Unreadable("damaged", name[:80])
        if info.flag_bits & 1:
            raise Unreadable("encrypted")
        try:
            with self._zip.open(info) as file:
                body = file.read(self._left + 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            ValueError,
            OSError,
            NotImplementedError,
            RuntimeError,
        ) as error:
            raise Unreadable("damaged", name[:80]) from error
        self._left -= len(body)
        if self._left < 0:
            raise Unreadable("bomb")
        return body

    def xml(self, name: str) -> Element:
        """Return a file of it as XML, without entities and what they unfold into; raises `Unreadable`."""
        return parsed(self.read(name))


def parsed(body: bytes) -> Element:
    """Parse the XML of others; raises `Unreadable`."""
    try:
        return fromstring(body, forbid_dtd=False, forbid_entities=True, forbid_external=True)  # type: ignore[no-any-return]
    except DefusedXmlException as error:
        raise Unreadable("bomb") from error
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise Unreadable("damaged") from error


def read(body: bytes) -> Found:
    """Read an office document or a book, by what is in it; raises `Unreadable`."""
    if body.startswith(_OLE):
        # An office document with a password lies in a container of the old kind.
        raise Unreadable("encrypted" if "EncryptedPackage".encode("utf-16-le") in body[: 1 << 20] else "unknown", "ole")
    package = Package(body)
    kind = _kind(package)
    if kind is None:
        raise Unreadable("unknown", "zip")
    found = _READERS[kind](package)
    found.kind = kind
    if "docProps/core.xml" in package.names:
        said = {_local(one): one.text or "" for one in package.xml("docProps/core.xml")}
        found.title = said.get("title", "") or found.title
        found.date = said.get("modified", "") or said.get("created", "")
    return found


def _kind(package: Package) -> str | None:
    for kind, name in (("docx", "word/document.xml"), ("xlsx", "xl/workbook.xml"), ("pptx", "ppt/presentation.xml")):
        if name in package.names:
            return kind
    if "mimetype" not in package.names:
        return None
    said = package.read("mimetype")[:80].strip()
    return "epub" if said == b"application/epub+zip" else _OPEN_DOCUMENT.get(said)


_OPEN_DOCUMENT = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
}


def _local(element: Element) -> str:
    """Return the name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _attribute(element: Element, name: str) -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _relation(element: Element) -> str:
    """Return the id of what an element stands for, which has a namespace where its own has none."""
    return next((value for key, value in element.attrib.items() if key.endswith("}id")), "")


def _text(element: Element) -> str:
    return "".join(one.text or "" for one in element.iterfind(".//{*}t"))


def _targets(package: Package, name: str) -> Mapping[str, str]:
    """Return where the relations of a part lead, by their ids."""
    folder, _, file = name.rpartition("/")
    relations = f"{folder}/_rels/{file}.rels"
    if relations not in package.names:
        return {}
    return {
        one.get("Id", ""): posixpath.normpath(posixpath.join("/", folder, one.get("Target", ""))).lstrip("/")
        if one.get("TargetMode") != "External"
        else one.get("Target", "")
        for one in package.xml(relations)
    }


def _docx(package: Package) -> Found:
    found = Found(kind="docx", unit="part")
    body = package.xml("word/document.xml").find("./{*}body")
    targets = _targets(package, "word/document.xml")
    lines: list[str] = []
    for block in () if body is None else body:
        match _local(block):
            case "p":
                style = block.find("./{*}pPr/{*}pStyle")
                heading = (
                    re.fullmatch(r"(?:Heading|berschrift|Titre|标题)?\s*(\d)", _attribute(style, "val"))
                    if style is not None
                    else None
                )
                text = _runs(block, targets, found.links)
                lines.append(f"{'#' * int(heading[1])} {text}" if heading and text else text)
            case "tbl":
                lines += [
                    row(
                        " ".join(_runs(one, targets, found.links) for one in cell.iterfind(".//{*}p"))
                        for cell in line.findall("./{*}tc")
                    )
                    for line in block.iterfind(".//{*}tr")
                ]
            case _:
                lines += [_runs(one, targets, found.links) for one in block.iterfind(".//{*}p")]
    found.parts = _in_parts(lines)
    return found


def _runs(paragraph: Element, targets: Mapping[str, str], links: list[str]) -> str:
    """Return the text of a paragraph, with its links as `[n]`; without what is hidden, or was deleted or moved."""
    said: list[str] = []
    # What is still to be told, the next at the end.
    waiting: list[Element | str] = [paragraph]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            said.append(one)
            continue
        match _local(one):
            case "t":
                said.append(one.text or "")
            case "tab":
                said.append("\t")
            case "br" | "cr":
                said.append("\n")
            case "pPr" | "del" | "moveFrom" | "instrText" | "Fallback":
                continue
            case "r" if one.find("./{*}rPr/{*}vanish") is not None:
                continue
            case name:
                where = targets.get(_relation(one), "") if name == "hyperlink" else ""
                if where.startswith(("http://", "https://")) and len(links) < MOST_LINKS:
                    links.append(where)
                    waiting.append(f" [{len(links)}]")
                waiting.extend(reversed(list(one)))
    return "".join(said).strip()


def _in_parts(lines: Sequence[str], size: int = 3000) -> list[str]:
    """Text without pages, in parts of about a page."""
    parts: list[str] = []
    part: list[str] = []
    length = 0
    for line in lines:
        part.append(line)
        length += len(line) + 1
        if length > size:
            parts.append(tidy("\n".join(part)))
            part, length = [], 0
    return [*parts, tidy("\n".join(part))] if part else parts


def _pptx(package: Package) -> Found:
    found = Found(kind="pptx", unit="slide")
    targets = _targets(package, "ppt/presentation.xml")
    slides = [targets.get(_relation(one), "") for one in package.xml("ppt/presentation.xml").iterfind(".//{*}sldId")]
    for slide in slides[:MOST_PARTS]:
        if slide not in package.names:
            continue
        lines = _on_slide(package.xml(slide))
        notes = [one for one in _targets(package, slide).values() if one.startswith("ppt/notesSlides/")]
        for name in notes[:1]:
            lines += [line for line in _on_slide(package.xml(name)) if not line.isdigit()]
        found.parts.append(tidy("\n".join(lines)))
    return found


def _on_slide(tree: Element) -> list[str]:
    """Return the paragraphs of a slide and the rows of its tables, each a line."""
    lines: list[str] = []
    in_tables: set[Element] = set()
    for one in tree.iter():
        if _local(one) == "tr":
            lines.append(row(" ".join(map(_text, cell.iterfind(".//{*}p"))) for cell in one.findall("./{*}tc")))
            in_tables.update(one.iterfind(".//{*}p"))
        elif _local(one) == "p" and one not in in_tables:
            lines.append(_text(one))
    return [line for line in lines if line]


def _xlsx(package: Package) -> Found:
    found = Found(kind="xlsx", unit="sheet")
    book = package.xml("xl/workbook.xml")
    said = book.find("./{*}workbookPr")
    of_macs = said is not None and said.get("date1904", "0") in {"1", "true"}
    start = datetime(1904, 1, 1, tzinfo=UTC) if of_macs else datetime(1899, 12, 30, tzinfo=UTC)
    shared = _shared(package)
    dated = _dated_styles(package)
    targets = _targets(package, "xl/workbook.xml")
    for sheet in list(book.iterfind(".//{*}sheet"))[:MOST_PARTS]:
        name = targets.get(_relation(sheet), "")
        if sheet.get("state", "visible") != "visible" or name not in package.names:
            continue
        lines: list[str] = []
        size = 0
        for line in package.xml(name).iterfind(".//{*}row"):
            text = row(_cells(line, shared, dated, start))
            size += len(text)
            if size > MOST_TEXT or len(lines) >= MOST_ROWS:
                found.truncated = True
                break
            if text:
                lines.append(text)
        if lines:
            found.parts.append(f"# {tidy(sheet.get('name', ''))}\n" + "\n".join(lines))
    return found


def _shared(package: Package) -> Sequence[str]:
    if "xl/sharedStrings.xml" not in package.names:
        return ()
    return [_text(one) for one in package.xml("xl/sharedStrings.xml").iterfind(".//{*}si")]


def _dated_styles(package: Package) -> Mapping[int, str]:
    """Return which styles of cells show a `date`, a `time` of day or a `length` of time; the others are empty."""
    if "xl/styles.xml" not in package.names:
        return {}
    styles = package.xml("xl/styles.xml")
    own = {one.get("numFmtId"): one.get("formatCode", "") for one in styles.iterfind(".//{*}numFmt")}
    dated: dict[int, str] = {}
    for number, style in enumerate(styles.findall("./{*}cellXfs/{*}xf")):
        format_id = style.get("numFmtId", "0")
        code = own.get(format_id, _USUAL_FORMATS.get(format_id, ""))
        signs = "" if "general" in code.lower() else _QUOTED.sub("", code).lower()
        if _LENGTH.search(code):
            dated[number] = "length"
        elif set("dmyhs") & set(signs):
            dated[number] = "date" if set("dy") & set(signs) or not set("hs") & set(signs) else "time"
    return dated


def _cells(line: Element, shared: Sequence[str], dated: Mapping[int, str], start: datetime) -> list[str]:
    cells: list[str] = []
    for cell in line.findall("./{*}c"):
        place = _CELL.fullmatch(cell.get("r", ""))
        if place:
            column = 0
            for letter in place[1]:
                column = column * 26 + ord(letter) - 64
            if column > MOST_COLUMNS:
                break
            cells += [""] * (column - 1 - len(cells))
        if len(cells) >= MOST_COLUMNS:
            break
        cells.append(_cell(cell, shared, dated, start))
    return cells


def _cell(cell: Element, shared: Sequence[str], dated: Mapping[int, str], start: datetime) -> str:
    value = cell.find("./{*}v")
    said = (value.text or "") if value is not None else ""
    match cell.get("t", "n"):
        case "s":
            return shared[int(said)] if said.isdigit() and int(said) < len(shared) else ""
        case "inlineStr":
            return _text(cell)
        case "b":
            return {"1": "TRUE", "0": "FALSE"}.get(said, said)
        case "n" if said:
            style = cell.get("s", "0")
            return _number(said, dated.get(int(style), "") if style.isdigit() else "", start)
    return said


def _number(said: str, dated: str, start: datetime) -> str:
    """Return a number as people write it: a date or time, or without the noise behind its fifteenth digit."""
    try:
        number = float(said)
        if dated == "length":
            minutes, seconds = divmod(round(abs(number) * 86400), 60)
            written = f"{'-' if number < 0 else ''}{minutes // 60}:{minutes % 60:02}"
            return f"{written}:{seconds:02}" if seconds else written
        if dated:
            moment = start + timedelta(seconds=round(number * 86400))
            if dated == "time" or 0 < number < 1:
                return f"{moment:%H:%M:%S}".removesuffix(":00")
            return moment.date().isoformat() if number == int(number) else f"{moment:%Y-%m-%d %H:%M}"
        return f"{number:.15g}"
    except (ValueError, OverflowError):
        return said


def _open_document(package: Package) -> Found:
    found = Found(kind="odt", unit="part")
    lines: list[str] = []
    size = 0
    done: set[Element] = set()
    for one in package.xml("content.xml").iter():
        name, times = _local(one), 1
        if one in done or name not in {"tracked-changes", "table-row", "p", "h"}:
            continue
        line = ""
        if name in {"p", "h"}:
            line = ("# " if name == "h" else "") + _written(one, found.links)
        else:
            # What was deleted stands in the first, paragraphs of a row are told in it.
            done.update(one.iter())
        if name == "table-row":
            line = row(_open_cells(one, found.links))
            times = min(_repeated(one, "rows"), MOST_ROWS, MOST_TEXT // (len(line) + 1) + 1) if line else 1
        lines += [line] * times
        size += (len(line) + 1) * times
        if len(lines) > MOST_ROWS or size > MOST_TEXT:
            found.truncated = True
            break
    found.parts = _in_parts(lines)
    return found


def _open_cells(line: Element, links: list[str]) -> list[str]:
    """Return the texts of a row's cells, also of those that repeat, and of those that one beside or above them
    covers."""
    cells: list[str] = []
    for cell in line:
        name = _local(cell)
        if name.endswith("table-cell"):
            paragraphs = [] if name.startswith("covered") else [one for one in cell.iter() if _local(one) in {"p", "h"}]
            text = " ".join(_written(one, links) for one in paragraphs)
            most = min(MOST_COLUMNS - len(cells), MOST_TEXT // (len(text) + 1) + 1)
            cells += [text] * min(_repeated(cell, "columns"), most)
    return cells


def _repeated(element: Element, what: str) -> int:
    """Return how many rows or columns an element stands for."""
    times = _attribute(element, f"number-{what}-repeated")
    return int(times[:9]) if times.isdecimal() else 1


def _written(paragraph: Element, links: list[str]) -> str:
    """Return the text of a paragraph of an OpenDocument, with its links as `[n]`. What stands in paragraphs of its own
    within it, such as a note or a box, is told behind it by them."""
    said: list[str] = []
    # What is still to be told, the next at the end.
    waiting: list[Element | str] = [paragraph]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            said.append(one)
            continue
        if one is not paragraph:
            waiting.append(_BLANKS.sub(" ", one.tail or ""))
        match _local(one):
            case "p" | "h" if one is not paragraph:
                continue
            case "note-citation" | "annotation":
                continue
            case "tab":
                said.append("\t")
            case "line-break":
                said.append("\n")
            case "s":
                said.append(" ")
            case name:
                where = _attribute(one, "href") if name == "a" else ""
                if where.startswith(("http://", "https://")) and len(links) < MOST_LINKS:
                    links.append(where)
                    waiting.append(f" [{len(links)}]")
                waiting.extend(reversed(list(one)))
                said.append(_BLANKS.sub(" ", one.text or ""))
    return "".join(said)


def _epub(package: Package) -> Found:
    found = Found(kind="epub", unit="chapter")
    container = package.xml("META-INF/container.xml")
    place = next((one.get("full-path", "") for one in container.iterfind(".//{*}rootfile")), "")
    book = package.xml(place)
    folder = posixpath.dirname(place)
    files = {one.get("id", ""): one.get("href", "") for one in book.iterfind(".//{*}item")}
    found.title = next((one.text or "" for one in book.iterfind(".//{http://purl.org/dc/elements/1.1/}title")), "")
    date = next((one.text or "" for one in book.iterfind(".//{http://purl.org/dc/elements/1.1/}date")), "")
    for one in list(book.iterfind(".//{*}itemref"))[:MOST_PARTS]:
        name = posixpath.normpath(posixpath.join(folder, unquote(files.get(one.get("idref", ""), "")))).lstrip("/")
        if name in package.names:
            found.parts += [part for part in html.read(package.read(name), links=found.links).parts if part]
    found.date = date
    return found


_READERS = {
    "docx": _docx,
    "xlsx": _xlsx,
    "pptx": _pptx,
    "epub": _epub,
    "odt": _open_document,
    "ods": _open_document,
    "odp": _open_document,
}
