"""What people say of their files in words: to see them, and that one goes."""

from __future__ import annotations

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
