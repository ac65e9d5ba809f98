"""kill -9 between what comes true, or is due to be worked on, and what people see of it: it is told once."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from core.capabilities.files.paths import CACHE
from tests.acceptance.playing import AHEAD, played
from tests.acceptance.stories.days import DAY, MINUTE, Days
from tests.acceptance.stories.watching import hearing, model, once
from tests.acceptance.telegram_driver import admitted
from tests.acceptance.test_reminders_kill import of
from tests.emulators.openai_answers import Answer, Call, ChatRequest

pytestmark = pytest.mark.asyncio(loop_scope="module")
SETTINGS = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": admitted()}

# Each is one story of one death after the other.
WATCHING = (
    ("before:fire_condition", "after:fire_condition", "before:claim_post", "after:post_sent"),
    ("before:ask_condition", "after:ask_condition", "before:fire_condition", "after:fire_condition"),
)
WORKING = (
    ("before:fire_triggers", "after:fire_triggers", "before:claim_task", "after:claim_task"),
    ("before:end_pass", "after:end_pass", "before:finish_run", "after:finish_run"),
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def program(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Days]:
    """One program for all."""
    async with played(Days, tmp_path_factory.mktemp("deaths"), AHEAD, **SETTINGS) as stage:
        yield stage


async def die(on: Days, failpoints: tuple[str, ...]) -> None:
    """Let one process after the other run into its failpoint, with time between them, and start one that lives."""
    for failpoint in failpoints:
        await on.dies(failpoint)
        on.passes(6 * MINUTE)
    await on.bot.start()


@pytest.mark.parametrize("failpoints", WATCHING, ids=" ".join)
async def test_what_came_true_is_told_once_when_processes_die_at(program: Days, failpoints: tuple[str, ...]) -> None:
    on, ann = program, program.platform.member()
    home = on.platform.private(ann)
    condition = {
        "type": "and",
        "conditions": [{"type": "file_changed", "path": "*.csv"}, {"type": "llm_eval", "prompt": "Is it so?"}],
    }
    wish = {"type": "conditional", "condition": condition, "deliver": "message", "prompt": "a report is there"}
    work = model(
        planner=once("I watch.", Call("schedule", wish)),
        teller=hearing("watch", Call("delegate", {"prompt": "watch the reports"})),
    )

    def answer(request: ChatRequest) -> str | Answer | None:
        return "yes" if str(request.messages[0]["content"]).startswith("You decide") else work(request)

    on.model.reply_with(answer)
    said = await on.says(ann, "watch the folder of reports")
    await on.sees(home, "Told: I watch.", after=said)
    on.passes(MINUTE)
    await on.talk(ann)
    await on.bot.stop()
    scope = on.bot.value("SELECT scope_id FROM chat ORDER BY id DESC LIMIT 1")
    folder = on.bot.data / "folders" / str(scope) / CACHE
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.csv").write_text("1")
    on.passes(MINUTE)
    await die(on, failpoints)
    await on.sees(home, "a report is there")
    on.passes(6 * MINUTE)
    await on.talk(ann)
    assert len(of(on, home, "a report is there\na.csv")) == 1
    await on.says(ann, "/cancel a report is there")


@pytest.mark.parametrize("failpoints", WORKING, ids=" ".join)
async def test_what_is_worked_on_is_told_once_when_processes_die_at(program: Days, failpoints: tuple[str, ...]) -> None:
    on, ann = program, program.platform.member()
    home = on.platform.private(ann)
    call = Call("remind", {"text": "look at the prices", "repeat": "every day at 9", "work": True})
    on.model.reply_with(model(planner=lambda request: "B rose", teller=hearing("every day look", call)))
    await on.says(ann, "/timezone UTC")
    await on.says(ann, "every day look at the prices, would you, and tell us what changed")
    await on.bot.stop()
    on.passes(DAY)
    await die(on, failpoints)
    await on.sees(home, "Told: B rose")
    await on.talk(ann)
    assert len(of(on, home, "Told: B rose")) == 1
    await on.says(ann, "/cancel look at the prices")
