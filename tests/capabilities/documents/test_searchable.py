"""Documents that people sent are found by their words, with their name and page, by whoever may see their message."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from core.capabilities.documents import searchable
from core.capabilities.documents.models import DocumentText
from core.capabilities.documents.searchable import MOST, SIZE, divided
from core.capabilities.documents.service import Documents
from core.kernel.ports import Database, Tx
from core.kernel.types import Answer, Attachment, LaneKey, ToolCall
from core.store.conversation import passages
from tests.capabilities.documents.made import pdf
from tests.commanding import GROUP, said
from tests.fake_adapter import FakeAdapter
from tests.fakes import FRIEND, House, house

LEASE = Attachment(kind="document", file="l", name="lease [1].pdf", mime="application/pdf", size=1000)
FILLER = [["The quick brown fox jumps over the lazy dog and so on."] * 20] * 4
PAGES = [["This is the lease of a flat."], *FILLER, ["Deposit.", "The marmots in the basement may stay until May."]]


@pytest.fixture
def adapter() -> FakeAdapter:
    made = FakeAdapter()
    made.files = {"l": pdf(PAGES, title="Lease")}
    return made


async def settled(home: House) -> None:
    """Let the background put all that was sent into the index."""
    while await searchable.one(home.app.container):
        pass


async def count(home: House, table: str, where: str = "TRUE") -> int:
    return int((await home.column(f"SELECT count(*) FROM {table} WHERE {where}"))[0])


def ran(sql: str, tx: Tx) -> int:
    return tx.run(sql)


@pytest.mark.databases("sqlite")
async def test_a_document_is_found_with_its_name_and_page(
    database: Database, tmp_path: Path, adapter: FakeAdapter
) -> None:
    home = await house(database, tmp_path / "house", model=False, adapter=adapter)
    await said(home, "here it is", attachments=(LEASE,))
    await settled(home)
    told = (await said(home, "/history marmots")).replace("\\", "")
    assert "(in lease [1].pdf, page 6)" in told
    assert "The marmots in the basement may stay until May." in told
    assert "Deposit" not in told


async def test_a_model_finds_it_and_is_tainted_by_it(database: Database, tmp_path: Path, adapter: FakeAdapter) -> None:
    calls = (ToolCall(id="a", name="search", arguments={"query": "marmots basement"}),)
    note = (ToolCall(id="b", name="remember", arguments={"content": "marmots live in the basement"}),)
    home = await house(
        database, tmp_path / "house", "thanks", Answer(calls=calls), Answer(calls=note), "done", adapter=adapter
    )
    await said(home, "here", attachments=(LEASE,))
    await settled(home)
    await said(home, "please look who lives downstairs")
    assert home.model is not None
    results = [str(one["content"]) for one in home.model.requests[-1].messages if one.get("role") == "tool"]
    assert "lease [1].pdf, page 6" in results[-2]
    assert '"tainted": true' in results[-2]
    assert await count(home, "memory") == 0


async def test_nobody_finds_a_document_of_another_scope(
    database: Database, tmp_path: Path, adapter: FakeAdapter
) -> None:
    home = await house(database, tmp_path / "house", model=False, adapter=adapter)
    await said(home, "here", attachments=(LEASE,))
    await settled(home)
    assert "basement" not in await said(home, "/history marmots", chat="2", sender=FRIEND)
    assert "basement" not in await said(home, "/history marmots", **GROUP)
    [scope_id] = await home.column("SELECT DISTINCT scope_id FROM passage")
    numbers = await home.column("SELECT id FROM passage")
    other = await home.rows("SELECT id, tenant_id, scope_id, chat_id FROM lane WHERE scope_id <> " + str(scope_id))
    for row in other:
        lane = LaneKey(tenant_id=row["tenant_id"], scope_id=row["scope_id"], chat_id=row["chat_id"], lane_id=row["id"])
        assert await home.db.read(partial(passages.by_numbers, lane=lane, numbers=numbers)) == []


async def test_what_is_forgotten_is_found_no_more(database: Database, tmp_path: Path, adapter: FakeAdapter) -> None:
    home = await house(database, tmp_path / "house", model=False, adapter=adapter)
    await said(home, "here", attachments=(LEASE,))
    await settled(home)
    assert await count(home, "document", "kind = 'passage'") == await count(home, "passage") > 0
    # Deleted by its person it may come back; nobody finds it until then.
    for deleted, found in (("1", False), ("NULL", True)):
        await home.db.write(partial(ran, f"UPDATE attachment SET discarded_at = {deleted}"))
        assert ("basement" in await said(home, "/history marmots")) == found
    # The file has had its days: what was read of it goes with it.
    await home.db.write(lambda tx: tx.run("UPDATE attachment SET state = 'erased', path = ''"))
    assert "basement" not in await said(home, "/history marmots")
    while await home.db.write(lambda tx: passages.erase_gone(tx, 1)):
        pass
    assert await count(home, "passage") == await count(home, "document", "kind = 'passage'") == 0


@pytest.mark.databases("sqlite")
async def test_the_row_of_a_file_takes_all_that_was_read_of_it_along(
    database: Database, tmp_path: Path, adapter: FakeAdapter
) -> None:
    home = await house(database, tmp_path / "house", model=False, adapter=adapter)
    await said(home, "here", attachments=(LEASE,))
    await settled(home)
    await home.db.write(lambda tx: tx.run("DELETE FROM attachment"))
    assert await count(home, "passage") == await count(home, "document", "kind = 'passage'") == 0
    assert "basement" not in await said(home, "/history marmots")


async def test_what_was_broken_off_goes_on_where_it_was(
    database: Database, tmp_path: Path, adapter: FakeAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter.files["l"] = pdf([[f"Line {n} says something of its own about number {n}." for n in range(40)]] * 12)
    home = await house(database, tmp_path / "house", model=False, adapter=adapter)
    await said(home, "here", attachments=(LEASE,))
    whole, calls = passages.add_passages, list[int]()

    def dies(tx: Tx, document: passages.Unindexed, found: list[passages.Passage]) -> bool:
        calls.append(1)
        if len(calls) == 2:
            raise RuntimeError("killed")
        return whole(tx, document, found)

    monkeypatch.setattr(passages, "add_passages", dies)
    with pytest.raises(RuntimeError):
        await searchable.one(home.app.container)
    assert await count(home, "passage") == passages.AT_ONCE
    await settled(home)
    positions = await home.column("SELECT position FROM passage ORDER BY position")
    assert positions == list(range(len(positions)))
    assert len(positions) > 2 * passages.AT_ONCE
    assert await home.column("SELECT indexed FROM attachment") == [1]


async def test_what_gives_no_text_is_looked_at_once(database: Database, tmp_path: Path, adapter: FakeAdapter) -> None:
    adapter.files |= {"b": b"%PDF-1.7 and no more", "p": b"\x89PNG\r\n\x1a\n1234"}
    bad = Attachment(kind="document", file="b", name="b.pdf", size=20)
    photo = Attachment(kind="photo", file="p", size=12)
    home = await house(database, tmp_path / "house", model=False, adapter=adapter)
    await said(home, "here", attachments=(bad, photo))
    await settled(home)
    assert await home.column("SELECT indexed FROM attachment") == [1, 1]
    assert await count(home, "passage") == 0


@pytest.mark.databases("sqlite")
async def test_a_document_at_which_a_reader_fails_keeps_no_other_from_being_found(
    database: Database, tmp_path: Path, adapter: FakeAdapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter.files["w"] = b"the worst of all texts"
    worst = Attachment(kind="document", file="w", name="a.txt", mime="text/plain", size=20)
    home = await house(database, tmp_path / "house", model=False, adapter=adapter)
    await said(home, "here", attachments=(LEASE,))
    await said(home, "and here", attachments=(worst,))
    documents = home.app.container.get(Documents)
    whole = documents.read

    async def read(body: bytes, *options: str) -> DocumentText:
        if body == adapter.files["w"]:
            raise ValueError("a bug")
        return await whole(body, *options)

    monkeypatch.setattr(documents, "read", read)
    await settled(home)
    assert "basement" in await said(home, "/history marmots")
    assert await home.column("SELECT indexed FROM attachment") == [1, 1]


def test_passages_are_whole_sentences_of_one_page_each() -> None:
    page = "A sentence of some words that ends here. " * 60
    found = divided(DocumentText(kind="pdf", unit="page", parts=(page, "Second. Page v1.2 here.")))
    assert {one.part for one in found} == {1, 2}
    assert all(len(one.text) <= 2 * SIZE and one.text.endswith(".") for one in found)
    assert "".join(one.text for one in found if one.part == 1).count("sentence") == 60
    assert [one.text for one in found if one.part == 2] == ["Second. Page v1.2 here."]


def test_a_long_document_is_found_as_far_as_it_goes() -> None:
    found = divided(DocumentText(kind="txt", unit="part", parts=("x" * 3_000_000,)))
    assert len(found) == MOST
    assert found[0].part == 0
    assert max(len(one.text) for one in found) == 2 * SIZE
