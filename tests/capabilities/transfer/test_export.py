"""/export sends all of a chat as a file, and nothing of any other."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from bot.config.sections import AccessSection
from core.kernel.ports import Database
from core.kernel.types import Attachment, Document
from tests.fakes import FRIEND, House, house

pytestmark = pytest.mark.databases("sqlite")

GROUP = "-100"


def document(home: House) -> Document:
    """The newest file that arrived."""
    return [sent.document for sent in home.adapter.sent if sent.document is not None][-1]


def unpacked(document: Document) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(document.content)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def whole(document: Document) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(unpacked(document)["teller.json"])
    return found


async def said(home: House, text: str, **fields: Any) -> str:
    """Say something; returns what was answered last."""
    await home.hear(text, **fields)
    await home.work()
    return home.adapter.texts(fields.get("chat", "1"))[-1]


async def test_everything_of_a_private_chat_is_in_it(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    for text in (
        "/todo buy milk",
        "/todo shopping: bread",
        "/todo done milk",
        "/remind every weekday at 9:30 stand-up",
        "/remember I am allergic to nuts",
        "/contacts add Dad @dad",
        "/timezone Europe/Berlin",
    ):
        await said(home, text)
    await said(home, "/export")
    files = unpacked(document(home))
    assert "buy milk" in files["TODO.DONE.md"]
    assert "bread (list shopping)" in files["TODO.WIP.md"]
    assert "allergic to nuts" in files["memory.md"]
    assert "tg:@dad" in files["contacts.md"]
    assert "SUMMARY:stand-up" in files["reminders.ics"]
    parts = json.loads(files["teller.json"])["parts"]
    assert {name: len(rows) for name, rows in parts.items() if name != "history"} == {
        "settings": 1,
        "contacts": 2,
        "schedules": 1,
        "todos": 2,
        "memories": 1,
        "files": 0,
        "hooks": 0,
    }
    assert any(row["text"] == "/todo buy milk" for row in parts["history"])
    assert document(home).mime == "application/zip"
    assert "📦 All of this chat that can be taken along" in home.adapter.texts("1")[-1]


async def test_a_group_is_exported_to_its_administrator_in_private(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False, access=AccessSection(mode="allowlist", allow=(FRIEND,)))
    home.adapter.admins.add((GROUP, FRIEND))
    group = {"chat": GROUP, "chat_kind": "group", "title": "Family", "sender": FRIEND}
    await said(home, "/todo canary-owner", chat="1")
    await said(home, "/todo canary-friend", chat="2", sender=FRIEND)
    await said(home, "/todo buy a tent", **group)
    assert "sent you the file in private" in await said(home, "/export", **group)
    file = home.adapter.sent[-1] if home.adapter.sent[-1].document else home.adapter.sent[-2]
    [place] = {sent.to.chat for sent in home.adapter.sent if sent.document is not None}
    assert place == "2"
    assert file is not None
    text = "".join(unpacked(document(home)).values())
    assert "buy a tent" in text
    assert "canary" not in text
    await said(home, "/export here", **group)
    assert [sent.to.chat for sent in home.adapter.sent if sent.document is not None] == ["2", GROUP]


async def test_a_group_is_exported_by_its_administrators_only(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False, access=AccessSection(mode="allowlist", allow=(FRIEND,)))
    await said(home, "hello", chat="2", sender=FRIEND)
    await said(home, "/export", chat=GROUP, chat_kind="group", title="Family", sender=FRIEND)
    assert [sent for sent in home.adapter.sent if sent.document is not None] == []


@pytest.mark.databases("sqlite", "postgres")
async def test_who_wants_to_be_left_alone_is_in_no_export_of_the_group(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False, access=AccessSection(mode="allowlist", allow=(FRIEND,)))
    group = {"chat": GROUP, "chat_kind": "group", "title": "Family"}
    await said(home, "/todo buy a tent", **group)
    await said(home, "/todo canary-friend", sender=FRIEND, **group)
    assert "canary-friend" in home.adapter.texts(GROUP)[-1]
    await said(home, "/optout", sender=FRIEND, **group)
    await said(home, "/export here", **group)
    spoken = [row["text"] for row in whole(document(home))["parts"]["history"]]
    assert "/todo buy a tent" in spoken
    assert not any("canary-friend" in text for text in spoken)


async def test_what_is_too_big_to_be_sent_is_said(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    home.adapter.most_document_bytes = 100
    assert "I can send 0.0 MB here" in await said(home, "/export")
    assert [sent for sent in home.adapter.sent if sent.document is not None] == []


@pytest.mark.databases("sqlite", "postgres")
async def test_it_is_said_how_many_files_are_not_in_it(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/export")
    assert "Not in it" not in home.adapter.texts("1")[-1]
    for name in ("rent.txt", "lease.txt"):
        home.adapter.files[name] = b"900 euro"
        await said(home, "", attachments=(Attachment(kind="document", file=name, name=name, size=8),))
    await said(home, "/export")
    assert "Not in it: 2 files that were sent" in home.adapter.texts("1")[-1]


async def test_files_of_a_group_that_are_not_in_it_are_said_to_be_shown_there(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path, model=False)
    home.adapter.files["rent.txt"] = b"900 euro"
    attached = (Attachment(kind="document", file="rent.txt", name="rent.txt", size=8),)
    group = {"chat": GROUP, "chat_kind": "group", "title": "Family"}
    await said(home, "hello")
    await said(home, "hello", **group)
    await said(home, "look", attachments=attached, **group)
    await said(home, "/export", **group)
    assert (
        "Not in it: 1 file that was sent, or that it has no room for. /files in the group shows what is there."
        in (home.adapter.texts("1")[-1])
    )


@pytest.mark.databases("sqlite", "postgres")
async def test_the_ledger_says_that_it_was_exported_and_not_what(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    await said(home, "/todo canary")
    await said(home, "/export")
    [arguments] = await home.column(
        "SELECT b.arguments FROM ledger l JOIN ledger_body b ON b.tenant_id = l.tenant_id AND b.n = l.n"
        " WHERE l.tool = 'export_data'"
    )
    assert json.loads(arguments)["counts"]["todos"] == 1
    assert "canary" not in arguments


async def test_a_group_that_is_summed_up_regularly_is_exported_without_that(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path, model=False)
    place: dict[str, Any] = {"chat": GROUP, "chat_kind": "group", "addressed": True}
    await said(home, "hello")
    await said(home, "/readalong on", **place)
    assert "Friday" in await said(home, "/summary every friday at 17", **place)
    await said(home, "/remind every weekday at 9:30 stand-up", **place)
    assert "sent you the file in private" in await said(home, "/export", **place)
    assert [row["text"] for row in whole(document(home))["parts"]["schedules"]] == ["stand-up"]
