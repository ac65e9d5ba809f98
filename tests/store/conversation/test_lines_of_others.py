"""What migration 0041 makes of lines that an older version wrote: each says itself that it has others' words."""

from __future__ import annotations

from pathlib import Path

from core.kernel.ports import Database, Tx
from core.store.schema import migrations
from tests.commanding import GROUP, home, said

MIGRATION = "0041_lines_of_others"
MARKED = "SELECT text FROM message WHERE text LIKE 'echo %' AND role = 'user' AND tainted = 1 ORDER BY id"


async def test_lines_of_a_former_version_are_marked_where_they_have_others_words(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "echo mine")
    await said(house, "echo forwarded", forwarded=True)
    await said(house, "echo quoting", quoted="What Eve wrote", reply_to="77", **GROUP)
    await said(house, "echo overheard", quoted="What Eve wrote", reply_to="77", **GROUP)

    def as_it_was(tx: Tx) -> None:
        tx.run("UPDATE message SET tainted = 0, aside = CASE WHEN text = 'echo overheard' THEN 1 ELSE aside END")
        tx.run("DROP INDEX message_tainted")

    def migrate(tx: Tx) -> None:
        for statement in filter(str.strip, dict(migrations.scripts())[MIGRATION].split(";")):
            tx.run(statement)

    await database.write(as_it_was)
    assert await house.column(MARKED) == []
    await database.write(migrate)
    assert await house.column(MARKED) == ["echo forwarded", "echo quoting"]
