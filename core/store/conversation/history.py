"""Lines of the transcript are in the text index from the transaction that writes them on, and are found by it."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from core.kernel import secret_words
from core.kernel.own_words import stands_in
from core.kernel.ports import FOREVER, Row, Tx
from core.kernel.types import Destination, LaneKey, Millis
from core.store.conversation import imports, passages
from core.store.conversation.asides import (
    BESIDE_OTHERS,
    IN_CONTEXT,
    NOTICE,
    OVERHEARD,
    WHISPERED,
    WHISPERED_NOTICE,
)
from core.store.conversation.attachment_text import plain
from core.store.conversation.imports import IMPORTED
from core.store.conversation.passages import PASSAGE
from core.store.people.optouts import HEARD
from core.store.text_index import index, tokeniser
from core.store.text_index.index import Counts, Document, Hit

MESSAGE = "message"
# Whose words a line is that stands in a document: nobody knows.
DOCUMENT = "document"
# What is read of a line; whoever writes lines returns it, with `indexed = 1`.
COLUMNS = "id, tenant_id, scope_id, lane_id, person_id, role, speaker, text, aside, created_at, forgotten_with"
# So many answers of the index are looked at, before those go that somebody may not see.
_LOOKED_AT = 200
# So many passages of one document are an answer: others have one, too.
MOST_OF_DOCUMENT = 3
# A piece of a text that every line with these words has as it stands, whatever the case.
_PIECE = re.compile(r"[a-z0-9]+|[\u3040-\u30ff\u3400-\u9fff]")
# What may stand unseen inside of a word.
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
# So many lines are looked through for what a message quotes, of so many that stand in the lane: where people are read
# along with, hundreds of thousands may.
_QUOTED_AMONG, _QUOTED_WITHIN = 200, 5_000
_SENTENCES = re.compile(r"(?<=[.!?。！？])\s+|\n+")
# The link to a message, by its place and the platform's id (`SendingAdapter.permalink`); empty where there is none.
Permalink = Callable[[Destination, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the transcript, with a link to its message where that is known; `overheard` was said to others;
    `tainted` has words of others.

    What was said elsewhere and brought along has a `source`, and may be of anybody; so has what stands in a document
    that somebody sent, which is the source: on which `part` of it (a `unit`: page, sheet, …), 0 where it has none.
    """

    message_id: int
    at: Millis
    role: str
    speaker: str
    text: str
    person_id: int | None
    link: str = ""
    overheard: bool = False
    tainted: bool = False
    source: str = ""
    unit: str = ""
    part: int = 0


def _no_link(place: Destination, platform_id: str) -> str:
    return ""


def lines(
    tx: Tx,
    lane: LaneKey,
    ids: Sequence[int],
    *,
    reader_id: int | None = None,
    spoken: bool = False,
    but_run: int | None = None,
    permalink: Permalink = _no_link,
) -> list[Line]:
    """Return lines of a lane's scope by their ids, in the order of these; what is of another scope is not there.

    `reader_id` is who reads: what somebody and the bot said between them only they see. With `spoken` only what was
    said to the bot and by it. Of who wants to be left alone in a group there is nothing, nor of the run `but_run`,
    which asks.
    """
    found = tx.many(
        "SELECT message.id, message.tenant_id, message.scope_id, message.created_at, role, speaker, message.text,"
        " message.person_id, aside, message.tainted, forgotten_with, t.external_id AS tenant, c.external_id AS chat,"
        " l.thread, i.platform_id FROM (VALUES :rows) AS v JOIN message ON message.id = v.column1"
        " JOIN lane l ON l.id = message.lane_id JOIN chat c ON c.id = l.chat_id"
        " JOIN tenant t ON t.id = message.tenant_id LEFT JOIN inbox i ON i.id = message.inbox_id"
        f" WHERE COALESCE(message.run_id, 0) <> v.column2 AND {HEARD}",
        [(key, but_run or -1) for key in ids],
    )
    seen = {
        row["id"]: row
        for row in found
        if (row["tenant_id"], row["scope_id"]) == (lane.tenant_id, lane.scope_id)
        and row["forgotten_with"] is None
        and _sees(row, reader_id, spoken=spoken)
        and not (spoken and row["role"] == "event")
    }
    return [_line(seen[key], permalink) for key in dict.fromkeys(ids) if key in seen]


def _sees(row: Row, reader_id: int | None, *, spoken: bool) -> bool:
    """Return whether somebody may see what a line says, as `lines` has it."""
    aside = row["aside"]
    return aside == 0 or (aside == OVERHEARD and not spoken) or (aside == WHISPERED and row["person_id"] == reader_id)


def _line(row: Row, permalink: Permalink) -> Line:
    place = Destination(tenant=row["tenant"], chat=row["chat"], thread=row["thread"])
    return Line(
        message_id=row["id"],
        at=row["created_at"],
        role=row["role"],
        speaker=row["speaker"],
        text=secret_words.without_sealed(row["text"]),
        person_id=row["person_id"],
        link=permalink(place, row["platform_id"]) if row["platform_id"] else "",
        overheard=row["aside"] == OVERHEARD,
        tainted=bool(row["tainted"]),
    )


def find(
    tx: Tx,
    lane: LaneKey,
    query: str,
    *,
    reader_id: int | None,
    limit: int = 10,
    after: Millis = 0,
    before: Millis = FOREVER,
    language: str = "",
    spoken: bool = False,
    but_run: int | None = None,
    answers: Callable[[Line], bool] = bool,
    permalink: Permalink = _no_link,
) -> list[Line]:
    """Return the lines of a lane's scope that answer a question best, the best first; the rest as in `lines`.

    Only those from `after` on and before `before`, and those that `answers` takes for an answer.
    """
    hits = index.search(
        tx,
        query,
        tenant_id=lane.tenant_id,
        scopes=(lane.scope_id,),
        kinds=(MESSAGE, IMPORTED, PASSAGE),
        limit=_LOOKED_AT,
        after=after,
        before=before,
        reader_id=reader_id,
        language=language,
        counts=counting(tx, lane, reader_id=reader_id, spoken=spoken, but_run=but_run, answers=answers),
    )
    found = of_hits(
        tx, lane, hits, query=query, reader_id=reader_id, spoken=spoken, but_run=but_run, permalink=permalink
    )
    return [line for line in found.values() if answers(line)][:limit]


def counting(
    tx: Tx,
    lane: LaneKey,
    *,
    reader_id: int | None,
    spoken: bool,
    but_run: int | None,
    answers: Callable[[Line], bool] = bool,
) -> Counts:
    """Return what tells of the index which lines of the transcript count for whoever asks: those that `lines` shows
    them and that `answers` takes for an answer. What is found beside others is found beside none that they don't see.
    """

    def count(documents: Sequence[tuple[str, int]]) -> set[tuple[str, int]]:
        ids = [number for kind, number in documents if kind == MESSAGE]
        seen = lines(tx, lane, ids, reader_id=reader_id, spoken=spoken, but_run=but_run)
        there = {line.message_id for line in seen if answers(line)}
        return {(kind, number) for kind, number in documents if kind != MESSAGE or number in there}

    return count


def of_hits(
    tx: Tx,
    lane: LaneKey,
    hits: Sequence[Hit],
    *,
    query: str,
    reader_id: int | None,
    spoken: bool = False,
    but_run: int | None = None,
    permalink: Permalink = _no_link,
) -> dict[tuple[str, int], Line]:
    """Return the lines that the index has found, of the transcript, brought along and of documents, in the order of the
    hits, by these' kind and number; the rest as in `lines`. What stands in a document begins where it answers `query`.
    """
    ids = [hit.owner_id for hit in hits if hit.kind == MESSAGE]
    here = lines(tx, lane, ids, reader_id=reader_id, spoken=spoken, but_run=but_run, permalink=permalink)
    found = {(MESSAGE, line.message_id): line for line in here}
    brought = imports.by_numbers(tx, lane, [hit.owner_id for hit in hits if hit.kind == IMPORTED])
    found |= {(IMPORTED, row["id"]): _brought(row) for row in brought}
    read = passages.by_numbers(tx, lane, [hit.owner_id for hit in hits if hit.kind == PASSAGE])
    sought = frozenset(tokeniser.query_tokens(query)) if read else frozenset()
    for row in read:
        if _sees(row, reader_id, spoken=spoken):
            found[PASSAGE, row["id"]] = _passage(row, sought, permalink)
    return {place: found[place] for place in _few_of_each(hits, read) if place in found}


def _brought(row: Row) -> Line:
    return Line(
        message_id=0,
        at=row["said_at"],
        role=row["role"],
        speaker=row["speaker"],
        text=row["text"],
        person_id=row["person_id"],
        tainted=True,
        source=row["source"],
    )


def _few_of_each(hits: Sequence[Hit], read: Sequence[Row]) -> list[tuple[str, int]]:
    """Return what was found, of each document the passages that answer best."""
    files, counts = {row["id"]: row["attachment_id"] for row in read}, Counter[int]()
    few: list[tuple[str, int]] = []
    for hit in hits:
        if hit.kind == PASSAGE:
            file_id = files.get(hit.owner_id, 0)
            counts[file_id] += 1
            if counts[file_id] > MOST_OF_DOCUMENT:
                continue
        few.append((hit.kind, hit.owner_id))
    return few


def _passage(row: Row, sought: frozenset[str], permalink: Permalink) -> Line:
    place = Destination(tenant=row["tenant"], chat=row["chat"], thread=row["thread"])
    # Of the sentences before the one that answers there is no need.
    sentences = _SENTENCES.split(row["text"])
    answering = (n for n, one in enumerate(sentences) if not sought.isdisjoint(tokeniser.tokens(one)))
    text = " ".join(sentences[next(answering, 0) :])
    return Line(
        message_id=0,
        at=row["created_at"],
        role=DOCUMENT,
        speaker=row["speaker"],
        text=text,
        person_id=row["person_id"],
        link=permalink(place, row["platform_id"]) if row["platform_id"] else "",
        overheard=row["aside"] == OVERHEARD,
        tainted=True,
        source=plain(row["name"]) or "?",
        unit=row["unit"],
        part=row["part"],
    )


def line_of(tx: Tx, lane: LaneKey, inbox_id: int) -> int | None:
    """Return the id of the line of the transcript that a message is."""
    row = tx.one(
        "SELECT id FROM message WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND inbox_id = :inbox_id",
        {**lane.params(), "inbox_id": inbox_id},
    )
    return None if row is None else int(row["id"])


def spoken(tx: Tx, lane: LaneKey, *, group: bool) -> list[Row]:
    """Return all lines of a scope in their order: in a group those that all of its people could hear, and none of who
    wants to be left alone there, nor what they were answered."""
    heard = f"0, {OVERHEARD}" if group else f"0, {OVERHEARD}, {WHISPERED}, {NOTICE}, {WHISPERED_NOTICE}"
    return tx.all(
        f"SELECT {COLUMNS} FROM message WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND role <> 'event'"
        f" AND forgotten_with IS NULL AND aside IN ({heard}) AND {HEARD} ORDER BY id",
        lane.params(),
    )


def said(tx: Tx, lane: LaneKey, lines: Sequence[tuple[Millis, str]]) -> set[tuple[Millis, str]]:
    """Return which lines, by instant and text, are in the transcript of a scope."""
    times = [at for at, _ in lines]
    if not times:
        return set()
    rows = tx.all(
        "SELECT created_at, text FROM message WHERE lane_id IN (SELECT id FROM lane WHERE tenant_id = :tenant_id"
        " AND scope_id = :scope_id) AND scope_id = :scope_id AND created_at BETWEEN :first AND :last",
        {"first": min(times), "last": max(times), **lane.params()},
    )
    return {(row["created_at"], row["text"]) for row in rows} & set(lines)


def keep(tx: Tx, lines: Sequence[Row]) -> None:
    """Put lines of the transcript into the index, or what has become of them.

    Events, notices and what is forgotten are not in it.
    """
    index.add(
        tx,
        [
            Document(
                tenant_id=line["tenant_id"],
                scope_id=line["scope_id"],
                kind=MESSAGE,
                owner_id=line["id"],
                text=line["text"],
                at=line["created_at"],
                speaker=line["speaker"],
                session_id=line["lane_id"],
                position=line["id"],
                person_id=line["person_id"],
                whispered=line["aside"] == WHISPERED,
            )
            for line in lines
            if line["role"] != "event" and line["aside"] < NOTICE and line["forgotten_with"] is None
        ],
    )


def of_run(tx: Tx, lane: LaneKey, run_id: int, *, after: int = 0, among: Collection[int] | None = None) -> list[Line]:
    """Return what the transcript has of a run: what somebody said, and what they were answered. Only lines behind the
    id `after` are looked at; or only those `among` which they are sought."""
    rows = tx.all(
        f"SELECT id FROM message WHERE {_within(after, among)} AND run_id = :run_id AND role <> 'event' ORDER BY id",
        {"run_id": run_id, **lane.params()},
    )
    mine = tx.one("SELECT person_id FROM run WHERE id = :run_id", {"run_id": run_id})
    return lines(tx, lane, [row["id"] for row in rows], reader_id=None if mine is None else mine["person_id"])


def _within(after: int, among: Collection[int] | None) -> str:
    """Return the condition for lines of a scope behind the id `after`, or for those `among` which something is
    sought."""
    if among is not None:
        # A plus keeps the database from walking through lanes.
        numbers = ", ".join(map(str, among)) or "0"
        return f"id IN ({numbers}) AND +tenant_id = :tenant_id AND +scope_id = :scope_id"
    return (
        "lane_id IN (SELECT id FROM lane WHERE tenant_id = :tenant_id AND scope_id = :scope_id)"
        f" AND tenant_id = :tenant_id AND scope_id = :scope_id AND id > {after}"
    )


def newest(tx: Tx) -> int:
    """Return the id of the newest line of all transcripts, 0 where there is none."""
    row = tx.one("SELECT max(id) AS id FROM message")
    return 0 if row is None else row["id"] or 0


def forget(tx: Tx, lane: LaneKey, ids: Sequence[int], memory_id: int) -> None:
    """Hide lines that hold what is forgotten with a memory: nobody finds them any more, and no model sees them."""
    for message_id in ids:
        tx.run(
            "UPDATE message SET forgotten_with = :memory_id WHERE id = :id AND tenant_id = :tenant_id"
            " AND scope_id = :scope_id AND forgotten_with IS NULL",
            {"memory_id": memory_id, "id": message_id, **lane.params()},
        )
    index.remove(tx, MESSAGE, ids)


def holding(
    tx: Tx,
    lane: LaneKey,
    text: str,
    shortest: int,
    *,
    person_id: int | None,
    after: int = 0,
    among: Collection[int] | None = None,
) -> list[int]:
    """Return the ids of the lines that have the words of a text, one behind the other; or only the first of them before
    an ellipsis, at least `shortest` characters.

    `person_id` is whose words and answers are looked through, beside what the bot showed that is no talk; None for all
    of the scope. Also lines that are in no index count. Only those behind the id `after` are looked at, which takes
    long where they are many; or only those `among` which they are sought.
    """
    whole, begins = tokeniser.spaced(text), tokeniser.spaced(text[:shortest]).rstrip()
    if not whole.strip():
        return []
    pieces = _PIECE.findall(text[:shortest].lower())
    longest = max(begins.split(), key=len, default="")
    shown = f"role = 'assistant' AND aside IN ({NOTICE}, {WHISPERED_NOTICE})"
    theirs = "" if person_id is None else f" AND (person_id = :person_id OR ({shown}))"
    rows = tx.all(
        f"SELECT id, text FROM message WHERE {_within(after, among)} AND role <> 'event' AND forgotten_with IS NULL"
        f"{theirs} AND lower(text) LIKE :piece",
        {"piece": f"%{max(pieces, key=len, default='')}%", "person_id": person_id, **lane.params()},
    )
    found = list[int]()
    for row in rows:
        # To take a text to words takes twenty times as long as to see that it has not the longest of them.
        if longest not in _folded(row["text"]):
            continue
        shortened = (tokeniser.spaced(part).rstrip() for part in row["text"].split("…")[:-1] if begins)
        if whole in tokeniser.spaced(row["text"]) or any(
            begins in one and whole.startswith(one[one.rfind(begins) :]) for one in shortened
        ):
            found.append(row["id"])
    return found


def _folded(text: str) -> str:
    """Return a text in which each of its words stands as the tokeniser has it."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", _UNSEEN.sub("", text)).casefold())


def hides(tx: Tx, lane: LaneKey, platform_id: str, run_id: int | None) -> bool:
    """Return whether a line is hidden with a memory: the message with that id of the platform, or one of a run, whose
    answers are hidden with what they answer."""
    row = tx.one(
        # A plus keeps the database from walking through the lane: what is forgotten anywhere is little.
        "SELECT 1 AS found FROM message WHERE forgotten_with > 0 AND +lane_id = :lane_id"
        " AND +tenant_id = :tenant_id AND (run_id = :run_id OR inbox_id IN (SELECT id"
        " FROM inbox WHERE platform_id = :platform_id AND lane_id = :lane_id)) LIMIT 1",
        {"platform_id": platform_id, "run_id": run_id, **lane.params()},
    )
    return row is not None


def quotes_others(tx: Tx, lane: LaneKey, person_id: int, quoted: str, *, shared: bool = False) -> bool:
    """Return whether what somebody quotes may be of others: it does not stand, word for word, in one of the last lines
    of the lane that the bot or that person said, and that have no words of others. What a model said beside such counts
    as its own only within that conversation, where it binds by itself; not where it is `shared` with people who were
    not told what stood before it."""
    if not quoted.strip():
        return False
    rows = tx.all(
        "SELECT text FROM (SELECT * FROM message WHERE lane_id = :lane_id ORDER BY id DESC LIMIT :within) AS last"
        " WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
        f" AND (tainted = 0 OR (tainted = {BESIDE_OTHERS} AND :shared = 0 AND {IN_CONTEXT}))"
        " AND forgotten_with IS NULL AND aside < :notice AND (role = 'assistant'"
        " OR (role = 'user' AND person_id = :person_id)) ORDER BY id DESC LIMIT :most",
        {
            "person_id": person_id,
            "notice": NOTICE,
            "most": _QUOTED_AMONG,
            "within": _QUOTED_WITHIN,
            "shared": int(shared),
            **lane.params(),
        },
    )
    return not stands_in((row["text"] for row in rows), quoted)


def recall(tx: Tx, lane: LaneKey, memory_id: int) -> list[int]:
    """Show again what was hidden with a memory; return the ids of these lines."""
    shown = tx.all(
        "UPDATE message SET forgotten_with = NULL, indexed = 1 WHERE forgotten_with = :memory_id"
        f" AND tenant_id = :tenant_id AND scope_id = :scope_id RETURNING {COLUMNS}",
        {"memory_id": memory_id, **lane.params()},
    )
    keep(tx, shown)
    return [row["id"] for row in shown]


def erase_forgotten(tx: Tx, memory_id: int) -> None:
    """Erase what was hidden with a memory that is gone."""
    tx.run("DELETE FROM message WHERE forgotten_with = :memory_id", {"memory_id": memory_id})


def catch_up(tx: Tx, limit: int) -> int:
    """Put up to `limit` lines that are not looked at yet, as those of a former version, into the index; the newest
    first. Return how many."""
    lines = tx.all(
        "UPDATE message SET indexed = 1 WHERE indexed = 0 AND id IN"
        f" (SELECT id FROM message WHERE indexed = 0 ORDER BY id DESC LIMIT :limit) RETURNING {COLUMNS}",
        {"limit": limit},
    )
    keep(tx, lines)
    return len(lines)
