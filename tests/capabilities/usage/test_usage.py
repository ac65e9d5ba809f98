"""What the model was used for is told to everybody of their own, and to owners of all."""

from __future__ import annotations

from pathlib import Path

from core.agents.budget import add_usage
from core.kernel.ports import Database, Tx
from core.kernel.types import LaneKey, Usage
from tests.commanding import friend, said
from tests.fakes import House, house


async def used(home: House, person_id: int, day: str, model: str, tokens: int, cost: int | None) -> None:
    (row,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane ORDER BY id LIMIT 1")
    lane, usage = LaneKey(**row), Usage(model=model, tokens_in=tokens, tokens_out=1)

    def add(tx: Tx) -> None:
        add_usage(tx, lane, person_id, day, usage, cost)

    await home.db.write(add)


async def test_everybody_sees_their_own_and_owners_see_all(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house")
    await said(home, "/help")
    await said(home, "/help", **friend())
    assert "Today: nothing" in await said(home, "/usage")
    await used(home, 1, "2026-09-21", "gpt-5-mini", 1_999, 2_500)
    await used(home, 1, "2026-09-03", "gpt-5-mini", 99, 100)
    await used(home, 2, "2026-09-20", "local", 499, None)
    await used(home, 2, "2026-08-20", "local", 10_000, None)
    shown = await said(home, "/usage")
    assert "Today: calls: 1, tokens: 2,000, $0.0025" in shown
    assert "This month: calls: 2, tokens: 2,100, $0.0026" in shown
    assert "- Name of tg:2: calls: 1, tokens: 500, price unknown of 1" in shown
    assert "- local: calls: 1, tokens: 500, price unknown of 1" in shown
    assert shown.index("- 2026-09-20") < shown.index("- 2026-09-21")
    mine = await said(home, "/usage", **friend())
    assert "This month: calls: 1, tokens: 500, price unknown of 1" in mine
    assert "gpt-5-mini" not in mine


async def test_a_title_with_nothing_below_it_is_left_out(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", model=False)
    await said(home, "/help")
    assert "By day" not in await said(home, "/usage")
    await used(home, 1, "2026-09-03", "gpt-5-mini", 99, 100)
    shown = await said(home, "/usage")
    assert "By person" in shown
    assert "By day" not in shown
    await used(home, 1, "2026-09-21", "gpt-5-mini", 99, 100)
    assert "By day" in await said(home, "/usage")


async def test_numbers_are_written_as_in_the_language(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", language="de")
    await said(home, "/help")
    await used(home, 1, "2026-09-21", "gpt-5-mini", 1_620, None)
    assert "Tokens: 1.621" in await said(home, "/usage")
