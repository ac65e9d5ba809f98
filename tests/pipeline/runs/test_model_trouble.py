"""While the model cannot be used: who is told, what goes on, and when what is kept is asked again."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.agents.llm.scripted import Said
from core.kernel.errors import AccountRefused, ModelError, ModelUnreachable, QuotaSpent
from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, Usage
from tests.fakes import FRIEND, House, house

pytestmark = pytest.mark.databases("sqlite")

KEPT = "The model is unreachable. I keep your question and answer when it is back."
PROBE_TAKES = Usage(model="m", tokens_in=9, tokens_out=1)
REASON = "The provider refused the key of model m (401)."


class Provider:
    """A provider that is in trouble or answers; `asked` counts what reached it, `probed` what asked for one token.

    `slow` when only what is longer than that is in trouble. What holds its `poison` comes to `harm`.
    """

    poison = "poison"
    harm: ModelError = ModelUnreachable("not available (500)")

    def __init__(self, trouble: ModelError | None = None) -> None:
        self.trouble = trouble
        self.asked = self.probed = 0
        self.slow = False

    def __call__(self, request: ModelRequest) -> Said:
        if request.most_tokens == 1:
            self.probed += 1
            return Answer(text="ok", usage=PROBE_TAKES) if self.slow or self.trouble is None else self.trouble
        self.asked += 1
        if any(self.poison in text for text in request.heard):
            return self.harm
        return self.trouble or f"re: {' + '.join(request.heard)}"


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
async def home(database: Database, tmp_path: Path, provider: Provider) -> House:
    """The owner has talked to the bot in private."""
    home = await house(database, tmp_path / "house", provider)
    await say(home, "/time UTC")
    return home


async def say(home: House, text: str, chat: str = "1", sender: str = "tg:1") -> str:
    """Say something; returns the newest message of the chat."""
    await home.hear(text, chat=chat, sender=sender)
    await home.work()
    return home.shown(chat)[-1].text


def notices(home: House) -> list[str]:
    """What the owner reads of the model's trouble, as it reads now."""
    return [sent.text for sent in home.shown() if "model cannot be used" in sent.text or "answers again" in sent.text]


@pytest.mark.parametrize("trouble", [AccountRefused(REASON), QuotaSpent(REASON)], ids=["key", "quota"])
async def test_owners_are_told_once_an_incident_and_the_notice_changes_when_it_is_over(
    home: House, provider: Provider, trouble: ModelError
) -> None:
    provider.trouble = trouble
    for text in ("why?", "how?", "when?"):
        await say(home, text, "2", FRIEND)
    (notice,) = notices(home)
    assert notice.startswith("⚠️ The model cannot be used. The provider refused the key of model m")
    assert not any("401" in sent.text for sent in home.shown("2"))
    provider.trouble = None
    home.clock.advance(600)
    await say(home, "and now?", "2", FRIEND)
    (notice,) = notices(home)
    assert notice.startswith("✅ The model answers again, after 10 min.")
    provider.trouble = trouble
    await say(home, "again?", "2", FRIEND)
    assert len(notices(home)) == 2


async def test_owners_are_told_of_an_account_that_runs_empty_while_a_question_waits(
    home: House, provider: Provider
) -> None:
    provider.trouble = ModelUnreachable("not available (500)")
    assert await say(home, "why?", "2", FRIEND) == KEPT
    provider.trouble = QuotaSpent(REASON)
    for _ in range(4):
        await home.later(15)
    (notice,) = notices(home)
    assert notice.startswith("⚠️ The model cannot be used. The provider refused the key of model m")
    assert provider.asked == 1
    provider.trouble = None
    for _ in range(2):
        await home.later(15)
    assert [notice[0] for notice in notices(home)] == ["✅"]
    assert home.shown("2")[-1].text.endswith("re: why?")


@pytest.mark.databases("sqlite", "postgres")
async def test_an_incident_is_one_also_over_a_restart(database: Database, tmp_path: Path, provider: Provider) -> None:
    provider.trouble = AccountRefused(REASON)
    home = await house(database, tmp_path / "house", provider)
    await say(home, "why?")
    again = await house(database, tmp_path / "house", provider, adapter=home.adapter, clock=home.clock)
    again.keys = home.keys
    await say(again, "how?")
    assert len(notices(home)) == 1
    provider.trouble = None
    await say(again, "and now?")
    assert [notice[0] for notice in notices(home)] == ["✅"]


@pytest.mark.parametrize(
    ("trouble", "line"),
    [
        (AccountRefused(REASON), "Model: scripted – its provider refuses the key or the model's name."),
        (QuotaSpent(REASON), "Model: scripted – the account has no credit left."),
    ],
)
async def test_the_status_says_why_the_model_cannot_be_used(
    home: House, provider: Provider, trouble: ModelError, line: str
) -> None:
    provider.trouble = trouble
    await say(home, "why?")
    assert line in await say(home, "/status")
    provider.trouble = None
    await say(home, "and now?")
    assert "Model: scripted." in await say(home, "/status")


async def test_what_needs_no_model_is_answered_while_the_key_is_refused(home: House, provider: Provider) -> None:
    provider.trouble = AccountRefused(REASON)
    assert (await say(home, "hi", "2", FRIEND)).startswith("Hi! I'm Teller.")
    assert "milk" in await say(home, "add milk to my list", "2", FRIEND)
    assert (await say(home, "why?", "2", FRIEND)).startswith("I can't answer: the model's provider refused")


async def test_a_kept_question_can_be_dropped(home: House, provider: Provider) -> None:
    provider.trouble = ModelUnreachable("down")
    assert await say(home, "why?", "2", FRIEND) == KEPT
    await home.press("Drop", chat="2", sender=FRIEND)
    await home.work()
    assert home.shown("2")[-1].text == "Dropped: I don't answer that any more."
    assert set(await home.column("SELECT state FROM inbox")) == {"done"}
    provider.trouble = None
    asked = provider.asked
    await home.later(600)
    assert provider.asked == asked


async def test_a_drop_after_the_answer_says_that_nothing_is_kept(home: House, provider: Provider) -> None:
    provider.trouble = ModelUnreachable("down")
    await say(home, "why?")
    provider.trouble = None
    await home.later(15)
    await home.press("Drop")
    await home.work()
    assert home.shown()[-1].text == "There is nothing kept any more."


async def test_a_kept_question_is_asked_again_soon_after_the_model_is_back_however_long_it_was_away(
    home: House, provider: Provider
) -> None:
    provider.trouble = ModelUnreachable("down")
    for chat in "123":
        await home.hear("why?", chat=chat, sender="tg:1" if chat == "1" else FRIEND)
    await home.work()
    for _ in range(400):
        await home.later(5)
    provider.trouble = None
    await home.later(15)
    assert [home.shown(chat)[-1].text.endswith("re: why?") for chat in "123"] == [True, True, True]


async def test_one_of_those_who_wait_asks_for_all(home: House, provider: Provider) -> None:
    provider.trouble = ModelUnreachable("down")
    for chat in range(10, 30):
        await home.hear("why?", chat=str(chat), sender=FRIEND)
    await home.work()
    before = provider.asked
    for _ in range(120):
        await home.later(5)
    assert provider.asked - before <= 600 / 7.5 + 1


async def test_what_may_cost_something_is_tried_ever_more_rarely(home: House, provider: Provider) -> None:
    provider.trouble = ModelUnreachable("no answer in time", taken=True)
    await say(home, "why?")
    for _ in range(120):
        await home.later(5)
    assert provider.asked <= 7
    # What costs next to nothing finds out in between whether the model is back.
    assert 600 / 15 <= provider.probed <= 600 / 7.5 + 1


async def test_a_model_that_hung_is_noticed_soon_after_it_is_back(home: House, provider: Provider) -> None:
    provider.trouble = ModelUnreachable("no answer in time", taken=True)
    await say(home, "why?")
    for _ in range(180):
        await home.later(5)
    asked, provider.trouble = provider.asked, None
    await home.later(15)
    assert home.shown()[-1].text.endswith("re: why?")
    assert provider.asked == asked + 1


async def test_a_question_that_is_too_long_for_a_model_that_answers_others_is_tried_ever_more_rarely(
    home: House, provider: Provider
) -> None:
    provider.trouble, provider.slow = ModelUnreachable("no answer in time", taken=True), True
    await say(home, "why?")
    for _ in range(120):
        await home.later(5)
    assert provider.asked <= 7


@pytest.mark.databases("sqlite", "postgres")
async def test_a_question_at_which_the_model_fails_while_it_answers_others_is_given_up_and_kept(home: House) -> None:
    await say(home, "poison", "2", FRIEND)
    for n in range(60):
        await home.later(15)
        if n % 3 == 0:
            assert (await say(home, f"hello {n}")).endswith(f"re: hello {n}")
    kept, given_up = home.adapter.texts("2")
    assert kept == KEPT
    assert given_up.startswith("⚠️ I couldn't finish this one (ref m")
    assert [sent.text for sent in home.shown("1") if "I gave up on a message" in sent.text] != []
    assert await home.column("SELECT state FROM inbox WHERE text = 'poison'") == ["dead"]
    assert await home.column("SELECT error FROM run WHERE state = 'failed' AND error LIKE 'given up%'") == [
        "given up: the model answers others, but not this: not available (500)"
    ]


async def test_what_is_said_after_a_question_at_which_the_model_fails_is_answered(home: House) -> None:
    await say(home, "poison")
    await say(home, "and a good question")
    for _ in range(12):
        await home.later(5)
    assert home.shown()[-1].text.endswith("re: and a good question")
    for n in range(60):
        await say(home, f"hello {n}")
        await home.later(15)
    texts = home.adapter.texts("1")
    assert [text for text in texts if "couldn't finish" in text] != []
    assert {f"re: hello {n}" for n in range(60)} <= set(texts)


async def waiting(home: House) -> list[tuple[str, int]]:
    """What waits, and how often it was doubted."""
    return [(row["text"], row["doubts"]) for row in await home.rows("SELECT * FROM inbox WHERE state = 'new'")]


async def test_what_was_asked_beside_a_question_at_which_the_model_fails_is_not_doubted(home: House) -> None:
    await say(home, "poison")
    home.clock.advance(16)
    await home.hear("and a good question")
    await home.work()
    assert home.shown()[-1].text.endswith("re: and a good question")
    assert await waiting(home) == [("poison", 1)]


@pytest.mark.databases("sqlite", "postgres")
async def test_who_asks_something_else_in_the_pause_of_a_question_at_which_the_model_failed_is_answered_at_once(
    home: House, provider: Provider
) -> None:
    provider.harm = ModelUnreachable("not available (429)", 200.0, limited=True)
    await say(home, "poison")
    await home.later(8)
    assert (await say(home, "and a good question")).endswith("re: and a good question")
    assert await waiting(home) == [("poison", 1)]


@pytest.mark.databases("sqlite", "postgres")
async def test_a_question_that_failed_while_the_clock_was_ahead_is_asked_again_soon_after_it_is_set_right(
    home: House, provider: Provider
) -> None:
    await home.sweep()
    home.clock.jump(30 * 86_400)
    await home.sweep()
    provider.trouble = ModelUnreachable("not available (500)")
    assert await say(home, "why?") == KEPT
    home.clock.jump(-30 * 86_400)
    provider.trouble = None
    for _ in range(4):
        await home.sweep()
        await home.later(15)
    assert home.shown()[-1].text.endswith("re: why?")


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_in_doubt_waits_for_no_later_day_when_the_clock_that_was_ahead_is_set_right(
    home: House, provider: Provider
) -> None:
    await home.sweep()
    home.clock.jump(30 * 86_400)
    await home.sweep()
    await say(home, "poison")
    home.clock.jump(-30 * 86_400)
    await home.later(1)
    assert (await say(home, "and a good question")).endswith("re: and a good question")
    (until,) = await home.column("SELECT held_until FROM inbox WHERE text = 'poison'")
    assert until <= home.clock.now() + 300_000


async def test_a_question_in_an_outage_waits_for_none_that_is_in_doubt_and_is_told(
    home: House, provider: Provider
) -> None:
    await say(home, "poison")
    for _ in range(20):
        await home.later(10)
    assert await waiting(home) == [("poison", 1)]
    provider.trouble = ModelUnreachable("down")
    assert await say(home, "why?") == KEPT
    provider.trouble = None
    await home.later(15)
    assert home.shown()[-1].text.endswith("re: why?")


async def test_a_question_that_was_given_up_and_is_tried_again_in_an_outage_begins_anew(
    home: House, provider: Provider
) -> None:
    await say(home, "poison", "2", FRIEND)
    for n in range(60):
        await home.later(15)
        await say(home, f"hello {n}")
    provider.poison, provider.trouble = "nothing of that kind", ModelUnreachable("down")
    await home.press("Try again", chat="2", sender=FRIEND)
    await home.work()
    assert await waiting(home) == [("poison", 0)]
    await home.later(8)
    assert await waiting(home) == [("poison", 0)]
    provider.trouble = None
    await home.later(15)
    assert home.shown("2")[-1].text.endswith("re: poison")


async def test_what_a_rate_limit_holds_back_stands_alone_and_is_never_given_up(home: House, provider: Provider) -> None:
    provider.harm = ModelUnreachable("not available (429)", 200.0, limited=True)
    await say(home, "poison")
    asked = provider.asked
    for n in range(200):
        await home.later(15)
        assert (await say(home, f"hello {n}")).endswith(f"re: hello {n}")
    assert await waiting(home) == [("poison", 1)]
    assert provider.asked - asked - 200 <= 3_000 / 200
    provider.poison = "nothing of that kind"
    await home.later(300)
    assert home.shown()[-1].text.endswith("re: poison")


async def test_nothing_is_given_up_within_minutes(home: House) -> None:
    await say(home, "poison", "2", FRIEND)
    for n in range(39):
        await home.later(15)
        await say(home, f"hello {n}")
    assert [text for text, _ in await waiting(home)] == ["poison"]


async def test_where_nobody_else_is_answered_a_question_is_never_given_up(home: House, provider: Provider) -> None:
    provider.trouble, provider.slow = ModelUnreachable("no answer in time", taken=True), True
    for chat in ("1", "2", "3"):
        await say(home, "why?", chat, FRIEND if chat == "2" else "tg:1")
    for _ in range(300):
        await home.later(60)
    assert await home.column("SELECT state FROM inbox WHERE text = 'why?'") == ["new"] * 3
    provider.trouble = None
    for _ in range(10):
        await home.later(60)
    assert [home.shown(chat)[-1].text.splitlines()[-1] for chat in ("1", "2", "3")] == ["re: why?"] * 3


async def test_what_is_asked_again_tells_the_model_of_the_probe(database: Database, tmp_path: Path) -> None:
    home = await house(database, tmp_path / "house", ModelUnreachable("down"), "at last", "unused")
    await say(home, "why?")
    await home.later(15)
    assert home.model is not None
    assert [request.probed for request in home.model.requests] == [False, True]


async def test_without_a_model_the_long_explanation_comes_once_a_chat_and_day(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", model=False)
    long = await say(home, "write me a poem")
    assert long.startswith("I can't answer that: no model is configured. What works without one")
    assert await say(home, "the plumber") == "I can't answer that without a model."
    assert await say(home, "write me a poem", "2", FRIEND) == long
    again = await house(database, tmp_path / "house", model=False, adapter=home.adapter, clock=home.clock)
    again.keys = home.keys
    assert await say(again, "the gardener") == "I can't answer that without a model."
    again.clock.advance(86_400)
    assert await say(again, "write me a poem") == long


@pytest.mark.databases("sqlite", "postgres")
async def test_what_a_probe_takes_is_counted(home: House, provider: Provider) -> None:
    counted = "SELECT COALESCE(sum(tokens_in + tokens_out), 0) FROM token_use"
    provider.trouble = ModelUnreachable("no answer in time", taken=True)
    provider.slow = True
    await say(home, "why?")
    (before,) = await home.column(counted)
    while not provider.probed:
        await home.later(5)
    assert await home.column(counted) == [before + PROBE_TAKES.tokens_in + PROBE_TAKES.tokens_out]


async def test_it_is_offered_to_remind_and_to_add_what_was_written_from_the_first_time(
    database: Database, tmp_path: Path
) -> None:
    home = await house(database, tmp_path / "house", model=False)
    await say(home, "the plumber")
    await home.press("Add to my list")
    await home.work()
    assert await home.column("SELECT content FROM todo") == ["the plumber"]
    await say(home, "the dentist")
    await home.press("Remind me")
    await home.work()
    assert home.shown()[-1].text.startswith("When")
    await say(home, "tomorrow at 9")
    assert await home.column("SELECT text FROM trigger WHERE ended_at IS NULL") == ["the dentist"]
