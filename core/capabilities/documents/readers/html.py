"""Web pages: the article in them, with its title, its date and its links as `[n]`.

The article is what holds most text in paragraphs and least of it in links. What is hidden from people is left out, as
are menus and forms.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from core.capabilities.documents.readers.found import MOST_LINKS, Found, tidy

_LEFT_OUT = (
    "script, style, noscript, template, svg, canvas, iframe, object, embed, form, button, select, dialog, nav, footer,"
    " aside, [hidden], [aria-hidden=true], [role=navigation], [role=banner], [role=contentinfo], [role=search]"
)
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])")
_BLOCKS = frozenset({
    "address", "article", "blockquote", "body", "dd", "details", "div", "dl", "dt", "figcaption", "figure", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section", "summary", "table", "tbody",
    "td", "th", "thead", "tr", "ul", "br",
})  # fmt: skip
_MARKS = {"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "li": "- "}
_APART = frozenset({"blockquote", "h1", "h2", "h3", "h4", "ol", "p", "pre", "table", "ul"})
_ROWS = frozenset({"br", "dd", "dt", "hr", "tr"})
_LAST_CELL = re.compile(r"(?: \|)+ ?(?=\n|$)")
_DATES = (
    ("meta[property='article:published_time']", "content"),
    ("meta[itemprop=datePublished]", "content"),
    ("meta[name=date]", "content"),
    ("meta[name='DC.date']", "content"),
    ("time[datetime]", "datetime"),
)
_WRITTEN = re.compile(r'"datePublished"\s*:\s*"([^"]{4,40})"')
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([a-zA-Z0-9_:.-]{2,40})", re.IGNORECASE)
# Python's names of what texts are written in. Its other codecs, such as `unicode_escape`, read signs as orders.
_LETTERS = re.compile(
    r"utf-(?:8|16|32).*|ascii|iso8859-\d+|cp\d+|koi8-.|mac-.+|gb.+|hz|big5.*|euc_.+|shift_jis.*|iso2022_.+|johab|tis-620"
)
_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
# Of a paragraph counts so much; a shorter one is a label.
_SHORTEST, _LONGEST = 25, 1500
# An article has at least that part of the text of its page, or all of the page is told.
_LEAST = 0.12
_HEAD = 4096


def decoded(body: bytes, *charsets: str) -> str:
    """Return a text by its byte order mark, by the first of its `charsets` that is one, or as UTF-8."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    for name in charsets:
        try:
            if name and _LETTERS.fullmatch(codecs.lookup(name).name):
                return body.decode(name, "replace")
        except (LookupError, ValueError):
            continue
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body.decode("cp1252", "replace")


def read(body: bytes, *, url: str = "", charset: str = "", links: list[str] | None = None) -> Found:
    """Read a page that stands at `url`; its `links` go behind those of what it is a part of."""
    said = _CHARSET.search(body[:_HEAD])
    # Where its own word for it can be read, a page is not in UTF-16, whatever it says.
    own = "utf-8" if said and said[1].lower().startswith(b"utf") else said[1].decode() if said else ""
    tree = LexborHTMLParser(decoded(body, charset, own))
    found = Found(kind="html", unit="page", title=_title(tree), date=_date(tree), links=[] if links is None else links)
    base = tree.css_first("base[href]")
    with suppress(ValueError):  # one that is none
        url = urljoin(url, (base.attributes.get("href") or "") if base else "")
    for node in tree.css(_LEFT_OUT):
        node.decompose()
    for node in tree.css("[style]"):
        if _UNSEEN.search((node.attributes.get("style") or "").lower()):
            node.decompose()
    if tree.body is None:
        return found
    whole = len(tree.body.text())
    article, before = _article(tree) or tree.body, len(found.links)
    text = _told(article, url, found.links)
    if len(text) < whole * _LEAST:
        del found.links[before:]
        text = _told(tree.body, url, found.links)
    found.parts = [tidy(text)]
    return found


def _title(tree: LexborHTMLParser) -> str:
    for wanted in ("meta[property='og:title']", "title", "h1"):
        node = tree.css_first(wanted)
        if node is not None and (text := tidy(node.attributes.get("content") or node.text())):
            return text
    return ""


def _date(tree: LexborHTMLParser) -> str:
    for wanted, name in _DATES:
        node = tree.css_first(wanted)
        if node is not None and (said := (node.attributes.get(name) or "").strip()):
            return said
    for node in tree.css("script[type='application/ld+json']"):
        if said_in := _WRITTEN.search(node.text()):
            return json.loads(f'"{said_in[1]}"', strict=False) if "\\" not in said_in[1] else ""
    return ""


def _article(tree: LexborHTMLParser) -> LexborNode | None:
    """Return the element whose paragraphs say most."""
    scores: dict[int, tuple[float, LexborNode]] = {}
    for paragraph in tree.css("p, pre, blockquote > div, td, li"):
        said = tidy(paragraph.text())
        if len(said) < _SHORTEST:
            continue
        linked = sum(len(link.text()) for link in paragraph.css("a"))
        worth = (1 + min(len(said), _LONGEST) / 100 + said.count(",")) * (1 - min(1, linked / len(said)))
        node, share = paragraph.parent, worth if paragraph.tag in {"p", "pre"} else worth / 3
        for _ in range(3):
            if node is None or node.tag in {"html", "-undef"}:
                break
            before = scores.get(node.mem_id, (0.0, node))[0]
            scores[node.mem_id] = (before + share, node)
            node, share = node.parent, share / 2
    return max(scores.values(), key=lambda one: one[0])[1] if scores else None


def _told(start: LexborNode, url: str, links: list[str]) -> str:
    """Return the text below an element: blocks on lines of their own, cells of a row on one, links with their
    number."""
    known = {link: number for number, link in enumerate(links, 1)}
    return _LAST_CELL.sub("", "".join(_pieces(start, url, links, known)))


def _pieces(start: LexborNode, url: str, links: list[str], known: dict[str, int]) -> Iterator[str]:
    # What is still to be told, the next at the end: elements, and texts that close one. There may be many levels.
    waiting: list[LexborNode | str] = [start]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            yield node
            continue
        tag = node.tag or ""
        if tag == "-text":
            text = node.text(deep=False) or ""
            yield text if node.parent is not None and node.parent.tag == "pre" else re.sub(r"\s+", " ", text)
            continue
        if tag.startswith("-") or tag == "_comment":
            continue
        if tag in {"td", "th"}:
            waiting.append(" | ")
        elif tag in _BLOCKS:
            yield "\n" + _MARKS.get(tag, "")
            waiting.append("\n\n" if tag in _APART else "\n" if tag not in _MARKS and tag not in _ROWS else "")
        elif tag == "a" and (number := _number(node, url, links, known)):
            waiting.append(f" [{number}]")
        child, children = node.child, []
        while child is not None:
            children.append(child)
            child = child.next
        waiting.extend(reversed(children))


def _number(node: LexborNode, url: str, links: list[str], known: dict[str, int]) -> int:
    """Return the number of a link; 0 where it leads nowhere else."""
    try:
        where = urljoin(url, (node.attributes.get("href") or "").strip()).partition("#")[0]
        parts = urlsplit(where)
    except ValueError:
        return 0
    if parts.scheme not in {"http", "https"} or not parts.netloc or where == url.partition("#")[0]:
        return 0
    if where not in known:
        if len(links) == MOST_LINKS:
            return 0
        links.append(where)
        known[where] = len(links)
    return known[where]
