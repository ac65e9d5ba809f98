"""Documents made by the libraries that people make them with."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta

import docx
import openpyxl
import pptx
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas


def pdf(pages: Sequence[Sequence[str]], *, title: str = "", password: str = "") -> bytes:
    """A PDF with these lines on its pages."""
    file = io.BytesIO()
    encryption = StandardEncryption(password) if password else None
    canvas = Canvas(file, encrypt=encryption)
    canvas.setTitle(title)
    for lines in pages:
        for number, line in enumerate(lines):
            canvas.drawString(50, 800 - 14 * number, line)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def word(*paragraphs: str, heading: str = "", table: Sequence[Sequence[str]] = (), title: str = "") -> bytes:
    """A document with a heading, paragraphs and a table behind them."""
    made = docx.Document()
    made.core_properties.title = title
    if heading:
        made.add_heading(heading, 1)
    for paragraph in paragraphs:
        made.add_paragraph(paragraph)
    if table:
        cells = made.add_table(len(table), len(table[0]))
        for line, values in enumerate(table):
            for column, value in enumerate(values):
                cells.cell(line, column).text = value
    return _saved(made)


def workbook(
    sheets: Mapping[str, Sequence[Sequence[str | float | bool | date | datetime | time | timedelta | None]]],
) -> bytes:
    """A workbook with these rows on its sheets."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for values in rows:
            sheet.append(list(values))
    return _saved(made)


def slides(*texts: tuple[str, str, str]) -> bytes:
    """A presentation: title, text and notes of each slide."""
    made = pptx.Presentation()
    for title, text, notes in texts:
        slide = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = text
        slide.notes_slide.notes_text_frame.text = notes
    return _saved(made)


def zipped(files: Mapping[str, bytes | str], *, packed: bool = True) -> bytes:
    """A zip of files, such as a book or a bomb."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    return file.getvalue()


def book(title: str, chapters: Sequence[str]) -> bytes:
    """An EPUB."""
    items = "".join(f'<item id="c{n}" href="c{n}.xhtml"/>' for n in range(len(chapters)))
    order = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    return zipped({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container><rootfiles><rootfile full-path="o/b.opf"/></rootfiles></container>',
        "o/b.opf": f'<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>{title}</dc:title>'
        f"</metadata><manifest>{items}</manifest><spine>{order}</spine></package>",
        **{f"o/c{n}.xhtml": f"<html><body><p>{text}</p></body></html>" for n, text in enumerate(chapters)},
    })


def open_text(*paragraphs: str) -> bytes:
    """An OpenDocument text."""
    return open_document("".join(f"<t:p>{one}</t:p>" for one in paragraphs))


def open_document(content: str, kind: str = "text") -> bytes:
    """An OpenDocument with this content: `t` is the namespace of texts, `b` that of tables, `x` that of links."""
    spaces = "".join(
        f' xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in (("t", "text"), ("b", "table"), ("d", "drawing"))
    )
    return zipped({
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": f'<o{spaces} xmlns:x="http://www.w3.org/1999/xlink">{content}</o>',
    })


def _saved(made: object) -> bytes:
    file = io.BytesIO()
    made.save(file)  # type: ignore[attr-defined]
    return file.getvalue()
