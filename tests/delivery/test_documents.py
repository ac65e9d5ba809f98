"""A file goes out by the outbox as any other message, and is deleted with the body of its row."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.capabilities.privacy.retention import Retention
from core.delivery.composer import Composer
from core.kernel.errors import SendDoubtful, SendRefused
from core.kernel.ports import Database
from core.store.files import Files, StoredFile
from core.toolkit.keeping import Drawer
from tests.delivery.test_sender import MARK, furnished, lane, pump
from tests.fakes import Hitch, House

pytestmark = pytest.mark.databases("sqlite")

CONTENT = b"PK\x05\x06" + bytes(18)


@pytest.fixture
async def home(database: Database, tmp_path: Path) -> House:
    return await furnished(database, tmp_path)


async def queue(home: House, text: str = "There you are.", key: str = "export:1") -> StoredFile:
    """Queue a file for the owner, with a text below it."""
    place = await lane(home)
    stored = home.app.container.get(Files).store(place.scope_id, "export.zip", "application/zip", CONTENT)
    composer = home.app.container.get(Composer)
    outgoing = composer.outgoing("telegram", key, text, document=stored, person_id=1)
    await home.db.write(lambda tx: composer.say(tx, place, outgoing))
    return stored


def lying(home: House) -> list[str]:
    folder = home.app.config.data_dir / "files"
    return sorted(str(one.relative_to(folder)) for one in folder.glob("*/*"))


@pytest.mark.databases("sqlite", "postgres")
async def test_a_file_arrives_before_its_text(home: House) -> None:
    stored = await queue(home)
    await pump(home)
    file, text = home.adapter.sent[-2:]
    assert file.document is not None
    assert (file.document.name, file.document.mime, file.document.content) == ("export.zip", "application/zip", CONTENT)
    assert file.document.place.endswith(stored.path)
    assert (file.text, text.text, text.document) == ("", "There you are.", None)
    said = await home.column("SELECT text FROM message WHERE role = 'assistant' ORDER BY id DESC LIMIT 1")
    assert said == ["There you are."]


async def test_the_last_repeat_of_a_file_in_doubt_comes_when_a_short_outage_is_over(home: House) -> None:
    home.adapter.finds = True
    home.adapter.hitches.extend([Hitch(error=SendDoubtful("cut"), effect=False)] * 2)
    await queue(home)
    for _ in range(6):
        await home.later(5)
    assert not [sent for sent in home.adapter.sent if sent.document]
    await home.later(60)
    assert len([sent for sent in home.adapter.sent if sent.document]) == 1


async def test_a_file_in_doubt_is_sent_once_more_and_marked(home: House) -> None:
    home.adapter.finds = True
    home.adapter.hitches.append(Hitch(error=SendDoubtful("cut"), effect=True))
    await queue(home)
    await pump(home)
    home.clock.advance(120)
    await pump(home)
    marks = [one.repeated for one in home.adapter.sent if one.document is not None]
    assert marks == ["", MARK]
    # There is no place for a key in a file: nothing is looked up.
    assert home.adapter.looked == []


async def test_a_refused_file_is_told_and_keeps_nothing_back(home: House) -> None:
    home.adapter.hitches.append(Hitch(error=SendRefused("missing_scope")))
    await queue(home)
    await pump(home)
    text, told = home.adapter.texts("1")[-2:]
    assert text == "There you are."
    assert "export.zip" in told
    assert await home.column("SELECT error FROM outbox WHERE state = 'dead'") == ["missing_scope"]


@pytest.mark.parametrize("change", ["gone", "changed"])
async def test_a_file_that_is_not_what_was_queued_is_not_sent(home: House, change: str) -> None:
    stored = await queue(home)
    path = home.app.config.data_dir / "files" / stored.path
    if change == "gone":
        path.unlink()
    else:
        path.write_bytes(b"something else")
    await pump(home)
    assert all(one.document is None for one in home.adapter.sent)
    [error] = await home.column("SELECT error FROM outbox WHERE state = 'dead'")
    assert error.startswith("its file cannot be read")


async def test_a_file_goes_once_it_was_sent(home: House) -> None:
    await queue(home)
    await pump(home)
    assert lying(home) == []
    assert await home.column("SELECT count(*) FROM outbox WHERE file <> ''") == [0]


async def test_a_file_that_is_read_where_it_lies_goes_when_the_body_of_its_row_expires(home: House) -> None:
    home.adapter.documents_stay = True
    stored = await queue(home)
    await pump(home)
    retention = home.app.container.get(Retention)
    home.clock.advance(29 * 86_400)
    await retention.forget()
    assert lying(home) == [stored.path]
    home.clock.advance(2 * 86_400)
    await retention.forget()
    assert lying(home) == []
    assert await home.column("SELECT count(*) FROM outbox WHERE file <> ''") == [0]


async def test_forget_deletes_the_file_and_what_was_never_queued(home: House) -> None:
    home.adapter.documents_stay = True
    await queue(home)
    await pump(home)
    place = await lane(home)
    home.app.container.get(Files).store(place.scope_id, "export.zip", "application/zip", CONTENT)
    assert len(lying(home)) == 2
    await home.hear("/forget yes")
    await home.work()
    assert lying(home) == []


@pytest.mark.databases("sqlite", "postgres")
async def test_a_file_that_is_forgotten_on_its_way_is_sent_and_goes(home: House) -> None:
    stored = await queue(home)
    # As `/forget` leaves what is unsent.
    await home.db.write(lambda tx: tx.run("UPDATE outbox SET forgotten = 1 WHERE file <> ''"))
    assert lying(home) == [stored.path]
    await pump(home)
    assert [one.document.content for one in home.adapter.sent if one.document is not None] == [CONTENT]
    assert lying(home) == []
    assert await home.column("SELECT count(*) FROM outbox WHERE file <> ''") == [0]


async def test_a_file_whose_row_never_came_goes_after_a_day_and_no_other(home: House) -> None:
    stored = await queue(home)
    place = await lane(home)
    home.app.container.get(Files).store(place.scope_id, "export.zip", "application/zip", CONTENT)
    for one in lying(home):
        old = home.clock.now() / 1000 - 2 * 86_400
        os.utime(home.app.config.data_dir / "files" / one, (old, old))
    assert await home.app.container.get(Drawer).sweep(home.clock.now()) == 1
    assert lying(home) == [stored.path]
