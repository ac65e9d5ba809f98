"""Stories of hooks: programs post over real sockets, and it is said, or worked on, once; phones read."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from core.capabilities.hooks.calls import MOST, MOST_BODY
from core.kernel import secret_words
from tests.acceptance.stories.days import Days
from tests.acceptance.stories.platform import Chat, Person
from tests.acceptance.stories.stage import EVENT
from tests.emulators.openai_answers import Answer, ChatRequest, text_of

ALERT = {"alert": "disk full", "host": "db1"}
ADVICE = "Delete the old logs of db1."


@dataclass(frozen=True)
class Told:
    """What a program is answered."""

    status: int
    id: str = ""
    headers: dict[str, str] = field(default_factory=dict)


def advise(request: ChatRequest) -> str | Answer | None:
    """A planner says what to do about an alert that it sees as data; the Teller tells that; all else is repeated."""
    said = [text_of(message["content"]) for message in request.messages]
    if "planner" in said[0][:40]:
        return ADVICE if any("disk full" in text for text in said[1:]) else "There is no alert."
    event = next((text for text in said if text.startswith(EVENT)), "")
    return f"About the alert: {json.loads(event.removeprefix(EVENT))['outcome']}" if event else None


async def _post(on: Days, address: str, body: Any = b"", *, method: str = "POST", **headers: str) -> Told:
    """Post to an address; a `body` that is no text is JSON."""
    content = body if isinstance(body, bytes | str) else json.dumps(body)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, address, data=content, headers=named) as answer,
    ):
        text = await answer.text()
        told = json.loads(text) if text.startswith("{") else {}
        return Told(answer.status, told.get("id", ""), dict(answer.headers))


async def _made(on: Days, person: Person, line: str, chat: Chat | None = None) -> str:
    """Let somebody make a hook or a feed; returns the address that they are shown, in their private chat."""
    private = on.platform.private(person)
    before = len(on.texts(private))
    on.platform.openly(person, line, chat) if chat else on.platform.say(person, line)
    shape = re.compile(rf"http://\S+/(?:hook|calendar)/{secret_words.SHAPE.pattern}(?:\.ics)?")

    def addresses() -> list[str]:
        return [found[0] for text in on.texts(private)[before:] if (found := shape.search(text))]

    await on.until(lambda: bool(addresses()))
    return addresses()[0]


def _heard(on: Days, chat: Chat, words: str) -> int:
    """How often some words were said in a chat."""
    return sum(words in text for text in on.texts(chat))


async def what_a_program_posts_is_said_in_the_chat(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    await on.talk(ann)
    address = await _made(on, ann, "/hook new message deploys")
    answer = await _post(on, address, {"title": "Release", "text": "*2.1* is out"})
    assert answer.status == 202
    await on.sees(chat, "2.1")
    assert (_heard(on, chat, "deploys"), _heard(on, chat, "Release")) == (2, 1)
    # A replay is one, and says so.
    for status in (202, 200, 200):
        assert (await _post(on, address, "the backup is done", Idempotency_Key="b1")).status == status
    bearer = f"Bearer {address.rpartition('/')[2]}"
    assert (await _post(on, address.rpartition("/")[0], "by its head", Authorization=bearer)).status == 202
    await on.sees(chat, "by its head")
    assert _heard(on, chat, "the backup is done") == 1


async def a_group_hears_what_its_administrator_wants_posted(on: Days) -> None:
    # Whoever owns the bot administers every group.
    ann = on.platform.owner
    family = await on.family(ann, on.platform.member())
    address = await _made(on, ann, "/hook new message deploys", family)
    assert _heard(on, family, secret_words.ADDRESS) == 0
    assert (await _post(on, address, "build 7 failed @everyone <!here>")).status == 202
    await on.sees(family, "build 7 failed")


async def a_phone_reads_what_waits_in_a_group(on: Days) -> None:
    ann, bob = on.platform.owner, on.platform.member()
    family = await on.family(ann, bob)
    await on.talk(bob)
    await on.says(ann, "/remind everybody tomorrow at 9 to sweep, then rest", family)
    address = await _made(on, bob, "/calendar feed", family)
    assert _heard(on, family, secret_words.FEED) == 0
    async with aiohttp.ClientSession() as phone:
        async with phone.get(address) as answer:
            assert (answer.status, answer.content_type) == (200, "text/calendar")
            assert "SUMMARY:sweep\\, then rest" in await answer.text()
        async with phone.get(address.replace(".ics", "")) as answer:
            assert answer.status == 404
    assert (await _post(on, address)).status == 405


async def a_task_works_on_what_was_posted_and_the_chat_is_told(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    await on.talk(ann)
    on.model.reply_with(advise)
    address = await _made(on, ann, "/hook new task look at the alert and tell us what to do")
    first = await _post(on, address, ALERT, X_GitHub_Delivery="d1")
    again = await _post(on, address, ALERT, X_GitHub_Delivery="d1")
    assert (first.status, again.status, first.id) == (202, 200, again.id)
    await on.sees(chat, f"About the alert: {ADVICE}")
    await on.talk(ann)
    assert _heard(on, chat, ADVICE) == 1


async def a_program_that_is_killed_before_it_answers_has_kept_it_or_not(on: Days) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    await on.talk(ann)
    address = await _made(on, ann, "/hook new message deploys")
    # What was kept is known, and what was not is taken in: nothing is lost, nothing comes twice.
    for failpoint, status in (("before:take_hook_call", 202), ("after:take_hook_call", 200)):
        await on.bot.stop()
        await on.bot.start(failpoint=failpoint)
        words = f"kept or not {failpoint}"
        try:
            broken = await _post(on, address, words, Idempotency_Key=failpoint)
        except aiohttp.ClientError:
            broken = None
        assert broken is None
        assert await on.bot.wait(30) == -9
        await on.bot.start()
        assert (await _post(on, address, words, Idempotency_Key=failpoint)).status == status
        await on.sees(chat, words)
        await on.talk(ann)
        assert _heard(on, chat, words) == 1


async def who_has_no_right_address_hears_nothing(on: Days) -> None:
    ann = on.platform.member()
    await on.talk(ann)
    address = await _made(on, ann, "/hook new message deploys")
    root = address.partition("/hook/")[0]
    nowhere = await _post(on, f"{root}/nowhere", "x")
    for wrong in (f"{root}/hook", f"{root}/hook/x", f"{address}x", f"{address}/", address[:-1]):
        answer = await _post(on, wrong, b"x" * (MOST_BODY + 1))
        assert (answer.status, answer.headers.keys()) == (404, nowhere.headers.keys())
    assert (await _post(on, address, method="GET")).status == 405
    assert (await _post(on, address, b"x" * (MOST_BODY + 1))).status == 413
    assert (await _post(on, address, bytes(range(256)))).status == 202


async def a_flood_is_refused_and_keeps_nobody_else_out(on: Days) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    await on.talk(ann)
    await on.talk(bob)
    address = await _made(on, ann, "/hook new message deploys")
    other = await _made(on, bob, "/hook new message deploys")
    wrong = f"{address.rpartition('/')[0]}/{secret_words.made(secret_words.ADDRESS)}"
    at_once = asyncio.Semaphore(20)

    async def flood(n: int) -> Told:
        async with at_once:
            return await _post(on, address, f"flood {n}")

    answers = await asyncio.gather(*map(flood, range(2 * MOST)))
    assert sorted(one.status for one in answers) == [202] * MOST + [429] * MOST
    assert all(int(one.headers["Retry-After"]) <= 60 for one in answers if one.status == 429)
    assert {(await _post(on, wrong)).status for _ in range(2 * MOST)} == {404}
    assert (await _post(on, other, "not kept out")).status == 202
    await on.sees(on.platform.private(bob), "not kept out")


async def who_is_removed_has_no_hook_any_more(on: Days) -> None:
    ann, boss = on.platform.member(), on.platform.owner
    await on.talk(ann)
    address = await _made(on, ann, "/hook new message deploys")
    people = await on.says(boss, "/people")
    await on.pressed(boss, people, f"Remove {ann.name}")
    await on.sees(on.platform.private(boss), "has no access any more", after=people)
    assert (await _post(on, address, "x")).status == 410
    await on.sees(on.platform.private(boss), "It rests now")
