"""Documents that are damaged, closed, misnamed or made to harm: each is refused by a name of its own, and nothing of
them is left, neither a file nor a process."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from core.capabilities.documents.readers.found import Unreadable
from core.capabilities.documents.service import AT_ONCE, MOST_BYTES, Documents
from core.toolkit.confined.child import Limits
from tests.capabilities.documents.made import book, pdf, slides, word, workbook, zipped

WHOLE = {
    "a.pdf": pdf([["one", "two"], ["three"]]),
    "a.docx": word("one", table=[["a", "b"]]),
    "a.xlsx": workbook({"a": [["one", 2]]}),
    "a.pptx": slides(("a", "b", "c")),
    "a.epub": book("a", ["one"]),
}


async def outcome(body: bytes, name: str, documents: Documents | None = None) -> str:
    """Return what becomes of a document: the code of its refusal, or `read`."""
    try:
        found = await (documents or Documents()).read(body, name)
    except Unreadable as refusal:
        return refusal.code
    return "read" if found.text else "read, without a text"


async def test_a_hundred_damaged_documents_are_read_as_far_as_they_go_or_refused() -> None:
    chance = random.Random(7)
    damaged: list[tuple[bytes, str]] = []
    for name, body in WHOLE.items():
        damaged += [(body[: len(body) * part // 10], name) for part in range(1, 10)]
        for _ in range(11):
            flipped = bytearray(body)
            for at in chance.sample(range(len(body)), 12):
                flipped[at] ^= 1 << chance.randrange(8)
            damaged.append((bytes(flipped), name))
    assert len(damaged) == 100
    before = _children()
    documents = Documents()
    outcomes = Counter(await asyncio.gather(*(outcome(body, name, documents) for body, name in damaged)))
    assert outcomes.keys() <= {"read", "damaged", "empty", "bomb", "unknown", "encrypted", "mismatch"}
    assert outcomes["damaged"] > 30
    assert _children() <= before


def _of(child: int, what: str) -> str:
    return Path(f"/proc/{child}/{what}").read_text()


def _children() -> set[int]:
    return {int(one) for one in Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()}


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.pdf"])
async def test_what_needs_a_password_is_said_to(name: str) -> None:
    closed = {
        "a.pdf": pdf([["secret"]], password="word"),
        "a.docx": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
        + b"\0" * 600
        + "EncryptedPackage".encode("utf-16-le")
        + b"\0" * 600,
        "a.xlsx": _closed_zip(),
    }[name]
    assert await outcome(closed, name) == "encrypted"


def _closed_zip() -> bytes:
    body = bytearray(zipped({"xl/workbook.xml": "<workbook/>"}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        body[body.index(mark) + offset] |= 1
    return bytes(body)


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.xlsx", "a.pptx", "a.epub"])
async def test_what_is_not_what_its_name_says_is_named(name: str) -> None:
    for body in (b"\x89PNG\r\n\x1a\n" + b"\0" * 50, b"just a text", b"<html><p>page"):
        assert await outcome(body, name) == "mismatch"


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b"\x89PNG\r\n\x1a\n", "a.png"), (b"\xff\xd8\xff\xe0", "a.jpg"), (b"OggS\0", "a.ogg"), (b"\x7fELF\2", "a"),
        (b"\0\1\2\3\4" * 500, "a.bin"), (zipped({"a.txt": "x"}), "a.zip"), (b"{\\rtf1 x}", "a.rtf"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "a.doc"), (b"\x1f\x8b\x08\0", "a.gz"),
    ],
)  # fmt: skip
async def test_what_is_none_of_the_kinds_is_said_to_be_unknown(body: bytes, name: str) -> None:
    assert await outcome(body, name) == "unknown"


async def test_a_scan_and_an_empty_file_have_no_text() -> None:
    for body, name in ((pdf([[], []]), "a.pdf"), (b"", "a.txt"), (b" \n", "a.txt"), (word(), "a.docx")):
        assert await outcome(body, name) == "empty"


LAUGHS = '<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {chr(97 + n)} "{f"&{chr(96 + n)};" * 10}">' for n in range(1, 10)
)
# Each is made when it is wanted: two of them take a while.
BOMBS: dict[str, Callable[[], tuple[bytes, str]]] = {
    "laughs in a document": lambda: (zipped({"word/document.xml": LAUGHS + "]><w>&j;</w>"}), "a.docx"),
    "laughs in a feed": lambda: (LAUGHS.encode() + b"]><rss><channel><title>&j;</title></channel></rss>", "a.xml"),
    "a file from outside": lambda: (
        b'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel>&x;</channel></rss>',
        "a.xml",
    ),
    "a mountain in a zip": lambda: (zipped({"word/document.xml": b"<w>" + b" " * (200 << 20)}), "a.docx"),
    "a mountain of files": lambda: (zipped({f"word/{n}.xml": "" for n in range(10_001)}, packed=False), "a.docx"),
}


@pytest.mark.parametrize("what", BOMBS)
async def test_what_unfolds_into_more_than_is_read_is_refused(what: str) -> None:
    assert await outcome(*BOMBS[what]()) == "bomb"


async def test_a_mountain_in_a_pdf_is_refused() -> None:
    packer = zlib.compressobj(9, wbits=-15)
    piece = packer.compress(b" " * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    stream = b"\x78\xda" + piece * 1_500 + b"\x03\x00"
    objects = (
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(stream), stream),
    )
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % (n, one) for n, one in enumerate(objects, 1))
    assert await outcome(b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>", "a.pdf") == "bomb"


async def test_a_zip_that_lies_about_its_sizes_is_refused() -> None:
    body = bytearray(zipped({"word/document.xml": b"<w>" + b" " * (200 << 20)}))
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = body.index(mark) + offset
        body[at : at + 4] = (100).to_bytes(4, "little")
    assert await outcome(bytes(body), "a.docx") in {"bomb", "damaged"}


async def test_a_sheet_with_a_million_rows_is_cut() -> None:
    rows = "".join(f'<row><c r="A{n}" t="inlineStr"><is><t>row {n}</t></is></c></row>' for n in range(110_000))
    body = zipped({
        "xl/workbook.xml": '<workbook xmlns:r="r"><sheets><sheet name="s" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": '<R><r Id="r1" Target="worksheets/s.xml"/></R>',
        "xl/worksheets/s.xml": f"<worksheet><sheetData>{rows}</sheetData></worksheet>",
    })  # fmt: skip
    found = await Documents().read(body, "a.xlsx")
    assert found.truncated
    assert len(found.text) <= 2_000_000


async def test_a_nested_zip_stays_closed() -> None:
    inner = zipped({"deep.txt": "deep"})
    assert await outcome(zipped({"word/document.xml": "<w/>", "inner.zip": inner}), "a.docx") == "empty"


async def test_a_path_out_of_a_book_leads_nowhere() -> None:
    body = zipped({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<c><rootfile full-path="b.opf"/></c>',
        "b.opf": '<p><item id="a" href="../../../../etc/passwd"/><itemref idref="a"/></p>',
    })
    assert await outcome(body, "a.epub") == "empty"


async def test_what_takes_too_long_is_killed_with_all_that_it_started() -> None:
    before = _children()
    assert await outcome(b"<div>" * 200_000, "a.html", Documents(seconds=0.5)) == "slow"
    assert _children() <= before


async def test_a_reader_has_no_environment_and_narrow_limits_and_may_be_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TELLER_CANARY", "secret")
    before = _children()
    reading = asyncio.create_task(outcome(b"<div>" * 200_000, "a.html"))
    confined: dict[int, str] = {}
    while not confined:
        assert not reading.done()
        await asyncio.sleep(0.01)
        limits = {child: _of(child, "limits") for child in _children() - before}
        confined = {child: said for child, said in limits.items() if "Max processes             0 " in said}
    [(child, said)] = confined.items()
    assert _of(child, "environ") == ""
    assert f"Max address space         {Limits().memory} " in said
    assert f"Max open files            {Limits().files} " in said
    assert "Max file size             0 " in said
    os.kill(child, signal.SIGKILL)
    assert await reading == "slow"


async def test_what_is_too_large_is_not_even_looked_at() -> None:
    assert await outcome(b"x" * (MOST_BYTES + 1), "a.txt") == "huge"


async def test_of_ten_at_once_two_are_read_at_a_time() -> None:
    documents, before, most = Documents(), _children(), 0
    reading = asyncio.gather(*(outcome(WHOLE["a.pdf"], "a.pdf", documents) for _ in range(10)))
    while not reading.done():
        most = max(most, len(_children() - before))
        await asyncio.sleep(0.002)
    assert await reading == ["read"] * 10
    assert most == AT_ONCE
    assert _children() <= before
