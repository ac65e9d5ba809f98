"""What people say of their files in words: to see them, and that one goes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.kernel.ports import Database
from core.kernel.types import Attachment
from tests.commanding import GROUP, home, labels, pressed, said
from tests.fakes import House, house

pytestmark = pytest.mark.databases("sqlite")

NAMES = ("budget.txt", "photo.txt")


def text_file(name: str) -> Attachment:
    return Attachment(kind="document", file=name, name=name, mime="text/plain", size=4)


async def sent(at: House, *names: str, text: str = "", **fields: object) -> str:
    """Send files in one message, and return its id."""
    at.adapter.files.update(dict.fromkeys(names, b"plum"))
    key = await at.hear(text, attachments=tuple(map(text_file, names)), **fields)
    await at.work()
    return str((await at.column("SELECT platform_id FROM inbox WHERE update_key = '" + key + "'"))[0])


async def left(at: House) -> list[object]:
    return await at.column("SELECT name FROM attachment WHERE discarded_at IS NULL ORDER BY id")


async def numbers(at: House) -> list[object]:
    return await at.column("SELECT id FROM attachment WHERE discarded_at IS NULL ORDER BY id")


@pytest.mark.parametrize(
    "words", ["show my files", "what files have I sent?", "zeig meine Dateien", "看看我的文件", "我发过哪些文件？"]
)
async def test_files_are_shown_by_words_as_by_the_command(database: Database, tmp_path: Path, words: str) -> None:
    at = await home(database, tmp_path)
    await sent(at, "budget.txt")
    assert "budget.txt (4 " in (await said(at, words)).replace("\\", "")
    assert labels(at)[0] == "budget.txt"


@pytest.mark.parametrize("words", ["delete that file", "lösch diese Datei", "删除这个文件"])
async def test_that_file_is_the_one_of_the_message_replied_to_or_said_just_before(
    database: Database, tmp_path: Path, words: str
) -> None:
    at = await home(database, tmp_path)
    first = await sent(at, "budget.txt")
    await sent(at, "photo.txt")
    await said(at, words, reply_to=first)
    assert await left(at) == ["photo.txt"]
    await said(at, "/undo")
    await sent(at, "plan.txt")
    await said(at, words)
    assert await left(at) == list(NAMES)


async def test_that_file_is_the_one_that_was_just_opened(database: Database, tmp_path: Path) -> None:
    at = await home(database, tmp_path)
    for name in NAMES:
        await sent(at, name)
    await said(at, "show my files")
    await pressed(at, "budget.txt")
    await said(at, "delete that file")
    assert await left(at) == ["photo.txt"]


async def test_where_it_is_not_certain_which_file_is_meant_it_is_asked(database: Database, tmp_path: Path) -> None:
    at = await home(database, tmp_path)
    assert "no files" in await said(at, "delete that file")
    both = await sent(at, *NAMES)
    for fields in ({}, {"reply_to": both}):
        assert "Which file" in await said(at, "delete that file", **fields)
        assert sorted(labels(at)) == list(NAMES)
    await said(at, "hello")
    assert "Which file" in await said(at, "delete the file")
    assert await left(at) == list(NAMES)
    await pressed(at, "photo.txt")
    assert await left(at) == ["budget.txt"]
    assert "Deleted: budget.txt" in (await said(at, "delete the file budget.txt")).replace("\\", "")
    assert "No file here" in await said(at, "delete the file budget.txt")


async def test_a_file_that_came_later_is_not_deleted_by_the_button_of_one_that_is_called_the_same(
    database: Database, tmp_path: Path
) -> None:
    at = await home(database, tmp_path)
    await sent(at, "budget.txt")
    await said(at, "hello")
    await said(at, "delete the file")
    await sent(at, "budget.txt")
    assert await pressed(at, "budget.txt") == "🗑 Deleted: budget.txt"
    assert await numbers(at) == [2]
    await sent(at, "budget.txt")
    await said(at, "/files")
    await pressed(at, "budget.txt")
    button = at.button("Delete")
    await pressed(at, "Delete", data=button)
    assert await numbers(at) == [2]
    assert "not here" in await pressed(at, "Delete", data=button)
    assert await numbers(at) == [2]


async def test_a_button_of_the_list_shows_and_sends_its_file_whatever_came_since(
    database: Database, tmp_path: Path
) -> None:
    at = await home(database, tmp_path)
    await sent(at, "budget.txt")
    await said(at, "/files")
    button = at.button("budget.txt")
    at.adapter.files["newer"] = b"plums and pears"
    await at.hear("", attachments=(replace(text_file("budget.txt"), file="newer", size=15),))
    await at.work()
    await pressed(at, "budget.txt", data=button)
    (opened,) = [one.text for one in at.shown() if one.text.startswith("📄")]
    assert "inbox/1-budget.txt" in opened
    assert "4 bytes" in opened
    await pressed(at, "Send me")
    (document,) = [one.document for one in at.shown() if one.document is not None]
    assert (document.name, document.content) == ("budget.txt", b"plum")


async def test_a_file_that_comes_with_the_words_is_not_the_one_before_it(database: Database, tmp_path: Path) -> None:
    at = await home(database, tmp_path)
    first = await sent(at, "budget.txt")
    for fields in ({}, {"reply_to": first}):
        await sent(at, "photo.txt", text="delete that file", **fields)
        assert "Which file" in at.shown()[-1].text
    assert await numbers(at) == [1, 2, 3]


async def test_another_kind_of_file_than_the_one_that_is_said_is_not_deleted(
    database: Database, tmp_path: Path
) -> None:
    at = await home(database, tmp_path)
    at.adapter.files["cat"] = b"\x89PNG\r\n\x1a\n" + bytes(64)
    picture = Attachment(kind="photo", file="cat", name="cat.png", mime="image/png", size=72)
    await sent(at, "budget.txt")
    for words in ("delete the photo", "lösch das Bild", "删除这张照片", "delete that pdf"):
        await said(at, "/files")
        await pressed(at, "budget.txt")
        assert "?" in (await said(at, words)).replace("？", "?")
        await sent(at, "budget.txt")
        assert "?" in (await said(at, words)).replace("？", "?")
    await at.hear("", attachments=(text_file("budget.txt"), picture))
    await at.work()
    assert "Deleted: cat.png" in (await said(at, "delete the photo")).replace("\\", "")
    assert len(await numbers(at)) == 6


async def test_of_a_name_that_is_only_a_part_it_is_asked(database: Database, tmp_path: Path) -> None:
    at = await home(database, tmp_path)
    await sent(at, "latest.txt")
    for words in ("delete the file called test", "delete the file test.txt", "delete the file called inbox"):
        assert "Which file" in await said(at, words)
        assert labels(at) == ["latest.txt"]
    assert "Deleted: latest.txt" in (await said(at, "delete the file called Latest")).replace("\\", "")


async def test_what_is_on_a_list_or_set_goes_though_it_begins_as_a_file_does(
    database: Database, tmp_path: Path
) -> None:
    at = await home(database, tmp_path)
    await said(at, "add picture frame, Foto Shooting and document scanner to my list")
    await said(at, "put 文件整理 on my list")
    for words in (
        "remove the document scanner",
        "delete the picture frame",
        "entferne das Foto Shooting",
        "删除文件整理",
    ):
        await said(at, words)
    assert await at.column("SELECT content FROM todo WHERE state = 'open'") == []
    await said(at, "remind me tomorrow at 9 of the document review")
    assert "document review" in await said(at, "delete the document review reminder")
    assert "What shall I remind you of?" in await said(at, "remind me tomorrow at 9")
    assert "UTC), in" in await said(at, "documents")


async def test_what_somebody_else_has_opened_is_not_meant(database: Database, tmp_path: Path) -> None:
    at = await home(database, tmp_path)
    await said(at, "/help", **GROUP)
    for name in NAMES:
        await sent(at, name, text="look", **GROUP)
    await said(at, "/help", sender="tg:2", **GROUP)
    await said(at, "/files", sender="tg:2", **GROUP)
    await pressed(at, "budget.txt", sender="tg:2", chat="-5")
    assert "Which file" in await said(at, "delete that file", **GROUP)
    assert await left(at) == list(NAMES)


async def test_in_a_group_nobody_deletes_by_words_what_another_sent(database: Database, tmp_path: Path) -> None:
    at = await home(database, tmp_path)
    await said(at, "/help", **GROUP)
    sent_by_owner = await sent(at, "budget.txt", text="look", **GROUP)
    await said(at, "/help", sender="tg:2", **GROUP)
    answer = await said(at, "delete that file", reply_to=sent_by_owner, sender="tg:2", **GROUP)
    assert "only its administrators" in answer
    assert await left(at) == ["budget.txt"]


async def test_a_model_is_left_to_find_out_what_no_reply_tells(database: Database, tmp_path: Path) -> None:
    at = await house(database, tmp_path, "thanks", "Which one?")
    first = await sent(at, "budget.txt", text="look")
    assert await said(at, "delete that file") == "Which one?"
    assert await left(at) == ["budget.txt"]
    await said(at, "delete that file", reply_to=first)
    assert await left(at) == []
