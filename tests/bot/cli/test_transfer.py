"""`teller export` writes everybody's export; `teller import` takes a file in for somebody."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path

import pytest

from bot.cli.operations import House as Teller
from bot.cli.operations import perform
from bot.cli.report import imported
from bot.config.sections import AccessSection
from core.kernel.errors import TellerError
from core.kernel.ports import Database
from core.kernel.types import Attachment
from core.toolkit.ledger.ledger import Ledger
from tests.fakes import FRIEND, House, house


async def furnished(database: Database, folder: Path) -> tuple[House, Teller]:
    access = AccessSection(mode="allowlist", allow=(FRIEND,))
    home = await house(database, folder, model=False, access=access)
    await home.hear("/todo canary-owner")
    await home.hear("/todo canary-friend", chat="2", sender=FRIEND)
    await home.work()
    app = home.app
    return home, Teller(config=app.config, db=database, clock=home.clock, ledger=app.container.get(Ledger))


async def test_all_chats_are_exported_apart(database: Database, tmp_path: Path) -> None:
    _, teller = await furnished(database, tmp_path)
    (tmp_path / "out").mkdir()
    done = await perform(teller, "export", {"path": str(tmp_path / "out")})
    assert isinstance(done, dict)
    written = done["written"]
    assert done["left_out"] == 0
    texts = []
    for path in map(Path, map(str, written)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with zipfile.ZipFile(path) as archive:
            texts.append("".join(archive.read(name).decode() for name in archive.namelist()))
    assert [("canary-owner" in text, "canary-friend" in text) for text in texts] == [(True, False), (False, True)]


@pytest.mark.databases("sqlite")
async def test_how_many_files_are_in_no_export_is_said(database: Database, tmp_path: Path) -> None:
    home, teller = await furnished(database, tmp_path)
    for name in ("a.pdf", "b.pdf"):
        home.adapter.files[name] = b"contents"
        await home.hear("", attachments=(Attachment(kind="document", file=name, name=name, size=8),))
        await home.work()
    (tmp_path / "out").mkdir()
    done = await perform(teller, "export", {"path": str(tmp_path / "out")})
    assert isinstance(done, dict)
    assert (len(done["written"]), done["left_out"]) == (2, 2)


@pytest.mark.databases("sqlite")
async def test_an_unknown_tenant_is_said(database: Database, tmp_path: Path) -> None:
    _, teller = await furnished(database, tmp_path)
    with pytest.raises(TellerError, match="telegram:bot"):
        await perform(teller, "export", {"path": str(tmp_path), "tenant": "telegram:1"})


async def test_a_file_is_taken_in_for_somebody_once(database: Database, tmp_path: Path) -> None:
    home, teller = await furnished(database, tmp_path)
    file = tmp_path / "conversations.json"
    message = {"sender": "human", "text": "Where is the tent?", "created_at": "2025-01-01T12:00:00Z"}
    file.write_text(json.dumps([{"uuid": "k1", "name": "Camp", "chat_messages": [message]}]))
    done = await perform(teller, "import", {"path": str(file), "person": FRIEND})
    assert imported(done) == "history: 1 new of 1"
    await perform(teller, "import", {"path": str(file), "person": FRIEND})
    assert await home.column("SELECT count(*) FROM imported_line") == [1]
    rows = await home.rows("SELECT role, tool FROM ledger WHERE tool = 'import_data'")
    assert rows == [{"role": "operator", "tool": "import_data"}] * 2
    await home.hear("/history tent", chat="2", sender=FRIEND)
    await home.hear("/history tent")
    await home.work()
    assert "Where is the tent?" in home.adapter.texts("2")[-1]
    assert "Where is the tent?" not in home.adapter.texts("1")[-1]


@pytest.mark.databases("sqlite")
@pytest.mark.parametrize(
    ("name", "content", "person", "why"),
    [
        ("MEMORY.md", b"- tea", "tg:77", "Nobody with the address"),
        ("virus.exe", b"MZ", FRIEND, "don't know"),
        ("notes.zip", b"PK nothing", FRIEND, "broken"),
    ],
)
async def test_what_cannot_be_taken_in_is_said(
    database: Database, tmp_path: Path, name: str, content: bytes, person: str, why: str
) -> None:
    _, teller = await furnished(database, tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(TellerError, match=why):
        await perform(teller, "import", {"path": str(tmp_path / name), "person": person})
