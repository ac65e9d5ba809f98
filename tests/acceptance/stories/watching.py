"""Stories of work that comes again and again, and of what is done when something comes true."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.capabilities.files.paths import CACHE
from tests.acceptance.stories.days import DAY, MINUTE, Days
from tests.acceptance.stories.platform import Chat
from tests.acceptance.stories.stage import EVENT, think
from tests.capabilities.documents.made import pdf, word
from tests.emulators.openai_answers import Answer, Call, ChatRequest

WEEK = 7 * DAY
# How what a model is told in a role begins.
BEGINS = {"planner": "You are Teller's planner", "worker": "You are a worker of Teller"}
Rule = Callable[[ChatRequest], str | Answer | None]


def model(**roles: Rule) -> Rule:
    """A model that works in the background by a rule for each role, and tells what came of it as it stands."""

    def answer(request: ChatRequest) -> str | Answer | None:
        first = str(request.messages[0]["content"])
        for name, begins in BEGINS.items():
            if begins in first and name in roles:
                return roles[name](request)
        event = next((str(m["content"]) for m in request.messages if str(m["content"]).startswith(EVENT)), "")
        told = json.loads(event.removeprefix(EVENT)) if event else {}
        if "task_id" in told:
            return f"Told: {told.get('outcome') or told['status']}"
        return roles["teller"](request) if "teller" in roles and not event else think(request)

    return answer


def once(then: str, *calls: Call) -> Rule:
    """Make some calls, then end with a text."""

    def answer(request: ChatRequest) -> str | Answer:
        return then if request.messages[-1]["role"] == "tool" else Answer(calls=calls)

    return answer


def hearing(words: str, *calls: Call) -> Rule:
    """Make some calls when somebody says these words; all else is as in other stories."""

    def answer(request: ChatRequest) -> str | Answer | None:
        if not request.last_user_text.startswith(words):
            return think(request)
        return "I see to it." if request.messages[-1]["role"] == "tool" else Answer(calls=calls)

    return answer


async def _folder(on: Days, chat: Chat) -> Path:
    """The folder of reports of a chat, made where its owner is told that files may be put."""
    told = await on.says(on.platform.owner, "/files", chat)
    found = re.search(rf"folders/\d+/{CACHE}", told.text)
    assert found is not None, told.text
    reports = on.bot.data / found[0] / "reports"
    reports.mkdir(parents=True, exist_ok=True)
    return reports


async def _delegated(on: Days, chat: Chat, words: str) -> None:
    """Somebody asks in a group for work, and is told when that is arranged."""
    answer = await on.says(on.platform.owner, words, chat)
    await on.sees(chat, "Told: ", after=answer)


async def a_folder_tells_a_group_when_a_report_arrives(on: Days) -> None:
    family = await on.family(on.platform.owner, on.platform.member())
    condition = {"type": "file_changed", "path": "reports/*.csv"}
    wish = {"type": "conditional", "condition": condition, "deliver": "message", "prompt": "A report has arrived"}
    on.model.reply_with(
        model(
            planner=once("I watch the folder.", Call("schedule", wish)),
            teller=hearing("watch", Call("delegate", {"prompt": "watch the reports"})),
        )
    )
    await _delegated(on, family, "watch the folder of reports")
    listed = await on.says(on.platform.owner, "/tasks", family)
    assert "whenever a file reports/*.csv is new or changes: A report has arrived" in listed.text, listed.text
    reports = await _folder(on, family)
    async with on.away(MINUTE):
        (reports / "week48.csv").write_text("1")
    first = await on.sees(family, "A report has arrived", after=listed)
    assert "reports/week48.csv" in first.text
    (reports / "week49.csv").write_text("1")
    on.passes(MINUTE)
    second = await on.sees(family, "A report has arrived", after=first)
    assert ["week48" in second.text, "week49" in second.text] == [False, True]
    stopped = await on.says(on.platform.owner, "/cancel A report has arrived", family)
    (reports / "week50.csv").write_text("1")
    on.passes(MINUTE)
    await on.talk(on.platform.owner, family)
    assert not any("week50" in text for text in on.texts(family))
    assert stopped.text.startswith("🗑")


async def what_comes_every_week_is_silent_where_nothing_is_new(on: Days) -> None:
    ann = on.platform.member()
    home = on.platform.private(ann)
    ends: list[Any] = ["B rose", '{"status": "unchanged"}', '{"status": "failed", "text": "No page there"}', "B fell"]
    seen: list[list[str]] = []

    def look(request: ChatRequest) -> str:
        event = next(str(m["content"]) for m in request.messages if str(m["content"]).startswith(EVENT))
        seen.append([one["outcome"] for one in json.loads(event.removeprefix(EVENT))["earlier_outcomes"]])
        return str(ends.pop(0))

    call = Call(
        "remind", {"text": "look at the prices", "repeat": "every monday at 9", "work": True, "only_news": True}
    )
    on.model.reply_with(model(planner=look, teller=hearing("every monday look", call)))
    await on.says(ann, "/timezone UTC")
    shown = await on.says(ann, "every monday look at the prices, would you, and tell us what changed")
    assert shown.text.startswith("⚙ Runs every Monday at 09:00 (UTC), next Mon")
    assert "Undo" in shown.labels
    on.passes(WEEK)
    rose = await on.sees(home, "Told: B rose", after=shown)
    asked = len(on.model.requests)
    on.passes(WEEK)
    # Nothing of this comes to the platform, which therefore cannot tell when it is over. A stop waits for that.
    await on.model.wait_requests(asked + 1)
    async with on.away(0):
        assert len(seen) == 2
    on.passes(WEEK)
    stands = await on.sees(home, "⏰ look at the prices", after=rose)
    # It was due on Monday, and the week that passes ends on another day.
    assert stands.text.startswith("⏰ look at the prices\n\nNo page there\n")
    assert stands.text.endswith(" late.")
    assert [one.key for one in on.platform.shown(home)][-2:] == [rose.key, stands.key]
    on.passes(WEEK)
    await on.sees(home, "Told: B fell", after=stands)
    assert seen == [[], ["B rose"], ["B rose", "B rose"], ["B rose", "B rose"]]


async def a_planner_leaves_a_worker_that_begins_when_a_file_is_there(on: Days) -> None:
    family = await on.family(on.platform.owner, on.platform.member())
    task = {"prompt": "sum it up", "type": "conditional", "condition": {"type": "file_exists", "path": "reports/a.csv"}}
    on.model.reply_with(
        model(
            planner=once("It begins by itself.", Call("delegate", task)),
            worker=lambda request: "The sum is 7.",
            teller=hearing("sum up", Call("delegate", {"prompt": "sum up the report when it comes"})),
        )
    )
    await _delegated(on, family, "sum up the report when it comes")
    reports = await _folder(on, family)
    last = on.platform.shown(family)[-1]
    async with on.away(MINUTE):
        (reports / "a.csv").write_text("7")
    told = await on.sees(family, "Told: The sum is 7.", after=last)
    on.passes(2 * MINUTE)
    await on.talk(on.platform.owner, family)
    assert [text for text in on.texts(family) if text == told.text] == [told.text]


async def three_documents_are_compared_by_two_workers(on: Days) -> None:
    ann = on.platform.member()
    home = on.platform.private(ann)
    given = {
        "north.pdf": pdf([["North asks 300."]]),
        "south.docx": word("South asks 280."),
        "west.txt": b"West asks 250.",
    }
    for name, content in given.items():
        on.platform.give(ann, name, content, "keep this")
        await on.until(lambda name=name: any(name.partition(".")[0] in text.lower() for text in on.texts(home)))  # type: ignore[misc]
    read: list[tuple[str, ...]] = []

    def asks(request: ChatRequest) -> dict[str, int]:
        said = "\n".join(str(message["content"]) for message in request.messages)
        return {name: int(price) for name, price in re.findall(r"(North|South|West) asks (\d+)", said)}

    def plan(request: ChatRequest) -> str | Answer:
        if len(known := asks(request)) == len(given):
            return f"The cheapest is {min(known, key=lambda name: known[name])}."
        parts = ("inbox/north.pdf inbox/south.docx", "inbox/west.txt")
        calls = tuple(Call("delegate", {"prompt": f"What do they ask? {paths}"}) for paths in parts)
        return "Two are reading." if request.messages[-1]["role"] == "tool" else Answer(calls=calls)

    def work(request: ChatRequest) -> str | Answer:
        paths = tuple(dict.fromkeys(re.findall(r"inbox/\w+\.\w+", request.last_user_text)))
        if request.messages[-1]["role"] == "tool":
            read.append(paths)
            return ", ".join(f"{name} asks {price}" for name, price in asks(request).items())
        return Answer(calls=tuple(Call("read_file", {"path": path}) for path in paths))

    asked = Call("delegate", {"prompt": "compare the three offers"})
    on.model.reply_with(model(planner=plan, worker=work, teller=hearing("compare", asked)))
    await on.says(ann, "compare the three offers, please")
    await on.sees(home, "Told: The cheapest is West.")
    assert sorted(read) == [("inbox/north.pdf", "inbox/south.docx"), ("inbox/west.txt",)]
