"""Each request begins as the one before it: then its provider has read most of it already."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bot.config.sections import LlmSection
from core.delivery.composer import Composer
from core.kernel.ports import Database
from core.kernel.types import LaneKey
from tests.commanding import said
from tests.fakes import FRIEND, House, house

pytestmark = pytest.mark.databases("sqlite")

GROUP: dict[str, Any] = {"chat": "-5", "chat_kind": "group", "title": "Family"}
TURNS = 20
# What belongs to the last turn alone: the situation, and what was said.
LAST = 2


def written(home: House, n: int, last: int) -> bytes:
    """The tools and the messages of a request, without the last ones."""
    assert home.model is not None
    request = home.model.requests[n]
    messages = request.messages[: len(request.messages) - last]
    return json.dumps([list(request.tools), *messages], ensure_ascii=False).encode().rstrip(b"]")


@pytest.mark.parametrize("where", [{}, GROUP], ids=["private", "group"])
async def test_each_request_but_for_its_last_turn_begins_the_next_one(
    database: Database, tmp_path: Path, where: dict[str, Any]
) -> None:
    home = await house(database, tmp_path / "house", lambda request: f"I hear: {request.heard[-1]}")
    for n in range(TURNS):
        sender = {"sender": FRIEND} if where and n % 3 == 0 else {}
        await said(home, f"tell me something of thing number {n}, would you?", **where, **sender)
        home.clock.advance(61 if n % 5 else 3_700)
    assert home.model is not None
    assert len(home.model.requests) == TURNS
    shares = []
    for n in range(1, TURNS):
        before, now = written(home, n - 1, LAST), written(home, n, 0)
        assert now.startswith(before)
        shares.append(len(before) / len(now))
    assert shares[-1] >= 0.9
    assert len({request.cache_key for request in home.model.requests}) == 1


async def test_where_the_past_is_cut_the_tools_and_the_prompt_stay(database: Database, tmp_path: Path) -> None:
    llm = LlmSection(context_tokens=500)
    home = await house(database, tmp_path / "house", lambda request: "I see. " * 20, llm=llm)
    for n in range(TURNS):
        await said(home, f"tell me something of thing number {n}, would you?")
        home.clock.advance(61)
    assert home.model is not None
    kept = [written(home, n, 0).startswith(written(home, n - 1, LAST)) for n in range(1, TURNS)]
    head = {json.dumps([list(one.tools), one.messages[0]]) for one in home.model.requests}
    assert len(head) == 1
    # It is cut now and then, not each time.
    assert 0 < kept.count(False) <= TURNS // 4
    sizes = [sum(len(str(one["content"])) for one in request.messages[1:]) for request in home.model.requests]
    assert max(sizes) < 2_700


async def test_what_a_message_replies_to_stands_before_it(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", lambda request: "fine")
    await said(home, "the bins go out on fridays", message_id="77")
    await said(home, "could you put that in other words?", reply_to="77", quoted="the bins\ngo out")
    assert home.model is not None
    last = str(home.model.requests[-1].messages[-1]["content"])
    assert last == '[in reply to "Name of tg:1", Mon 14:13: "the bins\\ngo out"]\ncould you put that in other words?'
    answer = home.shown()[-1].platform_id
    await said(home, "and shorter, too?", reply_to=answer, quoted="x" * 3_000)
    last = str(home.model.requests[-1].messages[-1]["content"])
    assert last.startswith('[in reply to you: "xxx')
    assert len(last) < 1_100


async def test_times_stand_where_they_jump(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", lambda request: "fine")
    for seconds in (60, 3_600, 86_400, 60):
        await said(home, "how are things, dear?")
        home.clock.advance(seconds)
    await said(home, "and now?")
    assert home.model is not None
    lines = [str(one["content"]) for one in home.model.requests[-1].messages[1:-2] if one["role"] == "user"]
    assert lines == [
        "[Mon 2026-09-21 14:13] how are things, dear?",
        "how are things, dear?",
        "[Mon 2026-09-21 15:14] how are things, dear?",
        "[Tue 2026-09-22 15:14] how are things, dear?",
    ]


async def test_what_we_say_of_ourselves_and_secrets_are_in_no_request(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", lambda request: "fine")
    link = await said(home, "/invite")
    assert "https://" in link
    refused = await said(home, "/remind Zed tomorrow at 9 to come")
    of_itself = [await said(home, command) for command in ("/start", "/help", "/status", "/people", "/usage", "/id")]
    (row,) = await home.rows("SELECT tenant_id, scope_id, chat_id, id AS lane_id FROM lane")
    lane = LaneKey(**row)
    composer = home.app.container.get(Composer)
    await home.db.write(lambda tx: composer.tell(tx, lane, "near", "📊 Over 80 % of your share"))
    await said(home, "/todo milk")
    await said(home, "how are things, dear?")
    assert home.model is not None
    seen = json.dumps(home.model.requests[-1].messages, ensure_ascii=False)
    code = max(link.replace("`", " ").split(), key=len)
    assert code not in seen
    assert not [text for text in [refused, "📊 Over", *of_itself] if text.splitlines()[0][:30] in seen]
    assert "milk" in seen


@pytest.mark.parametrize("command", ["/invite", "/link"])
async def test_a_secret_that_was_shown_once_is_kept_nowhere_and_quoted_to_nobody(
    database: Database, tmp_path: Path, command: str
) -> None:
    home = await house(database, tmp_path / "house", lambda request: "fine")
    shown = await said(home, command)
    found = re.search(r"start=(\S{16,})|/link (\w{8})", shown)
    assert found is not None
    secret = str(found[1] or found[2])
    answer = home.shown()[-1].platform_id
    await said(home, "what would this be good for, dear?", reply_to=answer, quoted=shown)
    await said(home, "and this part of it?", reply_to=answer, quoted=shown[shown.index(secret) - 20 :])
    await said(home, "remind me of this tomorrow at 9", reply_to=answer, quoted=shown)
    await said(home, "how are things, dear?")
    assert home.model is not None
    assert len(home.model.requests) == 3
    kept = [
        row
        for table in ("inbox", "message", "step", "trigger", "ledger_body")
        for row in await home.rows(f"SELECT * FROM {table}")
    ]
    texts = [*(str([request.messages, request.heard]) for request in home.model.requests), *map(str, map(tuple, kept))]
    assert any("in reply to you" in text for text in texts)
    assert not [text for text in texts if secret in text]
