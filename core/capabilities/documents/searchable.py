"""In the background documents that people sent are put into the text index, a passage of a few sentences each."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator

from core.capabilities.documents.models import DocumentText
from core.capabilities.documents.readers.found import Unreadable
from core.capabilities.documents.service import Documents
from core.store.conversation import passages
from core.store.conversation.passages import Passage, Unindexed
from core.store.files import Files
from core.toolkit.services import Services

log = logging.getLogger(__name__)

# A passage has about so many characters; of a document so many are found.
SIZE, MOST = 600, 1_000
# Who has nothing to do looks again after so many seconds.
NAP, NAP_AFTER_ERROR = 5.0, 300.0
_SENTENCE = re.compile(r"[^\n.!?。！？]*(?:[.!?](?!\s)[^\n.!?。！？]*)*[.!?。！？\n]*\s*")


async def run(services: Services) -> None:
    """Put what people send into the index, until cancelled."""
    while True:
        nap = 0.0
        try:
            if not await one(services):
                nap = NAP
        except Exception:  # a bug must not end it: then nothing new would be found
            log.exception("a document could not be made searchable; next try in %.0f s", NAP_AFTER_ERROR)
            nap = NAP_AFTER_ERROR
        await services.clock.sleep(nap)


async def one(services: Services) -> bool:
    """Put the next document into the index, from where that was broken off; False when there was none."""
    passed, document = await services.db.read(passages.unindexed)
    if passed:
        await services.db.write(lambda tx: passages.settle_files(tx, passed))
    if document is None:
        return bool(passed)
    found = await _passages(services, document)
    while await services.db.write(lambda tx: passages.add_passages(tx, document, found)):
        log.debug("some of document %s is in the index", document.file.attachment_id)
    return True


async def _passages(services: Services, document: Unindexed) -> list[Passage]:
    sent = document.file.sent
    try:
        body = await asyncio.to_thread(services.get(Files).read, document.file.path)
        text = await services.get(Documents).read(body, sent.name, sent.mime)
        return divided(text)
    except (Unreadable, OSError):
        return []
    except Exception:  # a bug at one document must not keep those before it from being found
        log.exception("document %s could not be read, and is not searchable", document.file.attachment_id)
        return []


def divided(document: DocumentText) -> list[Passage]:
    """Return the passages of a document, each on one page or the like, as far as they are found."""
    paged = len(document.parts) > 1 and document.unit != "part"
    found: list[Passage] = []
    for number, part in enumerate(document.parts, 1):
        unit, place = (document.unit, number) if paged else ("", 0)
        found += [Passage(unit=unit, part=place, text=text) for text in _pieces(part)]
        if len(found) >= MOST:
            break
    return found[:MOST]


def _pieces(text: str) -> Iterator[str]:
    """Yield a text in pieces that end with a line or a sentence, a longer sentence by itself and cut."""
    piece = ""
    for sentence in _SENTENCE.findall(text):
        if piece and len(piece) + len(sentence) > SIZE:
            yield piece.strip()
            piece = ""
        piece += sentence
        while len(piece) > 2 * SIZE:
            yield piece[: 2 * SIZE].strip()
            piece = piece[2 * SIZE :]
    if piece.strip():
        yield piece.strip()
