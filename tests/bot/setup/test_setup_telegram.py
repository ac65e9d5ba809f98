"""Set-up against the emulated Telegram: one link, one owner, and nothing that waits is lost."""

from __future__ import annotations

import stat
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.adapters.telegram.onboarding import NotReached, Onboarding, TokenUnknown
from bot.config.config import load
from bot.setup.owner import LINK_SECONDS
from core.kernel.errors import ConfigError, TellerError
from tests.emulators.openai import OpenAIServer
from tests.emulators.telegram import DEFAULT_TOKEN, TelegramServer
from tests.onboarding import Desk, EndOfInput, HastyClock, Prepared
from tests.operating import StillClock

ME = 1001


@pytest.fixture
async def server() -> AsyncIterator[TelegramServer]:
    async with TelegramServer() as running:
        yield running


@pytest.fixture
def worker(server: TelegramServer, tmp_path: Path) -> Desk:
    return Desk(tmp_path / "config.yaml", server.url)


def opens(server: TelegramServer, *users: int) -> Callable[[str], object]:
    """Let people press Start as soon as a link is shown."""
    return lambda code: [server.say(f"/start {code}", user) for user in users]


def written(worker: Desk) -> dict[str, Any]:
    """What set-up wrote, but for the key, which is another one each time."""
    found: dict[str, Any] = yaml.safe_load(worker.file.read_text(encoding="utf-8"))
    return {name: value for name, value in found.items() if name != "secret_key"}


async def test_a_token_and_a_press_of_start_make_a_bot_with_an_owner(server: TelegramServer, worker: Desk) -> None:
    talk = Prepared({"Time zone": ["Europe/Berlin"], "Language": ["zh"]}, opens(server, ME))
    await worker.run(talk)
    assert written(worker) == {
        "telegram": {"token": DEFAULT_TOKEN},
        "owners": ["tg:1001"],
        "timezone": "Europe/Berlin",
        "language": "zh",
    }
    assert stat.S_IMODE(worker.file.stat().st_mode) == 0o600
    assert [message.text for message in server.sent(ME)] == [
        "You own this bot now. It answers as soon as it is started. "
        "Then /invite lets somebody else in, and /people shows who may talk to it."
    ]
    assert load(worker.file, {}).problems_at_start() == []
    assert DEFAULT_TOKEN not in talk.text


async def test_what_waited_at_telegram_before_and_behind_the_press_still_waits(
    server: TelegramServer, worker: Desk
) -> None:
    server.say("remember the milk", ME)
    server.say("who are you?", 1002)

    def press(code: str) -> None:
        server.say(f"/start {code}", ME)
        server.say("one more thing", ME)

    await worker.run(Prepared(on_link=press))
    assert server.pending() == 4
    assert [call.params for call in server.calls("getUpdates") if "offset" in call.params] == []


async def test_the_first_who_opens_the_link_owns_the_bot_and_the_second_gets_nothing(
    server: TelegramServer, worker: Desk
) -> None:
    await worker.run(Prepared(on_link=opens(server, 1002, ME)))
    assert written(worker)["owners"] == ["tg:1002"]
    assert server.sent(ME) == []


@pytest.mark.parametrize(
    "text",
    ["/start", "/start nonsense", "/start {code}x", "/start {half}", "{code}", "/START {code}", "/start  {code}"],
)
async def test_only_the_whole_code_counts(server: TelegramServer, worker: Desk, text: str) -> None:
    worker.clock = HastyClock()
    talk = Prepared({"new link": [False]}, lambda code: server.say(text.format(code=code, half=code[:16]), ME))
    with pytest.raises(TellerError, match="No owner yet"):
        await worker.run(talk)
    assert not worker.file.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"chat": {"id": -5, "type": "group", "title": "x"}},
        {"chat": {"id": 7, "type": "private"}},
        {"from": {"id": ME, "is_bot": True, "first_name": "x"}},
        {"from": {"id": "1001", "is_bot": False}},
        {"from": None},
        {"text": ["/start"]},
        {"text": "/start \ud800"},
    ],
)
async def test_a_press_that_is_not_a_persons_in_private_does_not_count(
    server: TelegramServer, worker: Desk, change: dict[str, Any]
) -> None:
    def press(code: str) -> None:
        person = {"id": ME, "is_bot": False, "first_name": "Ann"}
        message = {"message_id": 1, "date": 1, "chat": {"id": ME, "type": "private"}, "from": person}
        server.push({"message": {**message, "text": f"/start {code}", **change}})
        server.push({"message": "nothing"})

    worker.clock = HastyClock()
    with pytest.raises(TellerError, match="No owner yet"):
        await worker.run(Prepared({"new link": [False]}, press))


async def test_a_link_runs_out_after_ten_minutes_and_its_code_is_worth_nothing_then(
    server: TelegramServer, worker: Desk
) -> None:
    clock = StillClock()
    worker.clock = clock
    talk = Prepared({"new link": [True, False]})

    def late(code: str) -> None:
        if len(talk.codes) > 1:
            server.say(f"/start {talk.codes[0]}", ME)

    talk.on_link = late
    with pytest.raises(TellerError, match="No owner yet"):
        await worker.run(talk)
    assert len(set(talk.codes)) == 2
    assert sum(clock.naps) == pytest.approx(2 * LINK_SECONDS)
    assert not worker.file.exists()


async def test_a_wrong_token_is_told_and_asked_for_again(server: TelegramServer, worker: Desk) -> None:
    worker.environ = {"TELLER_TELEGRAM__TOKEN": ""}
    talk = Prepared({"token": ["nonsense", "1000:another_token", DEFAULT_TOKEN]}, opens(server, ME))
    await worker.run(talk)
    assert "is not a token of @BotFather" in talk.text
    assert "does not know this token" in talk.text
    assert "another_token" not in talk.text
    assert written(worker)["telegram"] == {"token": DEFAULT_TOKEN}


async def test_a_wrong_token_given_in_advance_ends_set_up(worker: Desk) -> None:
    with pytest.raises(ConfigError, match="does not work"):
        await worker.run(Prepared(), token="1000:another_token")
    assert not worker.file.exists()


@pytest.mark.parametrize("kind", ["502", "cut", "garbage", "429"])
async def test_trouble_with_the_network_is_told_and_tried_again(
    server: TelegramServer, worker: Desk, kind: str
) -> None:
    server.fault("getMe", kind=kind)
    server.fault("getUpdates", kind=kind, times=3)
    talk = Prepared(on_link=opens(server, ME))
    await worker.run(talk)
    assert talk.asked[0] == "Try again?"
    assert sum("Still trying" in text for text in talk.said) == 1
    assert DEFAULT_TOKEN not in talk.text
    assert written(worker)["owners"] == ["tg:1001"]


async def test_an_open_link_outlives_a_server_that_forgets_the_token_for_a_moment(
    server: TelegramServer, worker: Desk
) -> None:
    server.fault("getUpdates", kind="404", times=2)
    await worker.run(Prepared(on_link=opens(server, ME)))
    assert written(worker)["owners"] == ["tg:1001"]


async def test_trouble_with_the_network_may_end_set_up(server: TelegramServer, worker: Desk) -> None:
    server.fault("getMe", kind="502")
    with pytest.raises(NotReached):
        await worker.run(Prepared({"Try again": [False]}))


async def test_another_program_with_the_token_is_named(server: TelegramServer, worker: Desk) -> None:
    server.fault("getUpdates", kind="409", times=2)
    talk = Prepared(on_link=opens(server, ME))
    await worker.run(talk)
    assert sum("Another program receives with this token" in text for text in talk.said) == 1


async def set_webhook(server: TelegramServer) -> None:
    async with Onboarding(DEFAULT_TOKEN, server.url) as api:
        await api._call("setWebhook", url="https://old.example.org/secret-path")


async def test_a_webhook_is_named_and_removed_and_what_waits_is_kept(server: TelegramServer, worker: Desk) -> None:
    server.say("hello", ME)
    await set_webhook(server)
    talk = Prepared(on_link=opens(server, ME))
    await worker.run(talk)
    assert "old.example.org" in talk.text
    assert "secret-path" not in talk.text
    assert server.pending() == 2


async def test_a_webhook_is_no_matter_where_no_link_is_needed(server: TelegramServer, worker: Desk) -> None:
    await set_webhook(server)
    await worker.run(Prepared(), owner="1001")
    await worker.run(Prepared())
    assert server.calls("deleteWebhook") == []


async def test_a_webhook_that_must_stay_is_left_alone(server: TelegramServer, worker: Desk) -> None:
    await set_webhook(server)
    with pytest.raises(ConfigError, match="--owner"):
        await worker.run(Prepared({"Remove it": [False]}))
    assert server.calls("deleteWebhook") == []


async def test_behind_a_full_queue_nothing_is_forgotten_without_asking(server: TelegramServer, worker: Desk) -> None:
    for number in range(100):
        server.say(f"spam {number}", 2000)
    with pytest.raises(TellerError, match="--owner"):
        await worker.run(Prepared(on_link=opens(server, ME)))
    assert server.pending() == 101


async def test_a_full_queue_makes_room_when_the_person_says_so(server: TelegramServer, worker: Desk) -> None:
    for number in range(150):
        server.say(f"spam {number}", 2000)
    talk = Prepared({"Forget the oldest": [True]}, opens(server, ME))
    await worker.run(talk)
    assert written(worker)["owners"] == ["tg:1001"]
    assert server.pending() == 51


async def test_the_owner_may_be_named_instead(server: TelegramServer, worker: Desk) -> None:
    await worker.run(Prepared(), owner="1001")
    assert written(worker)["owners"] == ["tg:1001"]
    assert server.calls("getUpdates") == []


async def test_an_owner_that_is_there_is_kept_and_another_may_join(server: TelegramServer, worker: Desk) -> None:
    worker.file.write_text(f'owners: ["tg:1001"]\ntelegram: {{token: "{DEFAULT_TOKEN}"}}\n', encoding="utf-8")
    await worker.run(Prepared())
    assert written(worker)["owners"] == ["tg:1001"]
    assert server.calls("getUpdates") == []
    await worker.run(Prepared({"another owner": [True]}, opens(server, 1002)))
    assert written(worker)["owners"] == ["tg:1001", "tg:1002"]


async def test_other_keys_and_a_copy_of_the_file_are_kept(server: TelegramServer, worker: Desk) -> None:
    before = "# mine\nlog: {level: debug}\nlanguage: zh # for Oma\n"
    worker.file.write_text(before, encoding="utf-8")
    worker.file.chmod(0o644)
    await worker.run(Prepared({"Language": ["en"], "language in": [True]}, opens(server, ME)))
    found = written(worker)
    assert (found["log"], found["language"]) == ({"level": "debug"}, "en")
    assert "# mine" in worker.file.read_text(encoding="utf-8")
    backup = worker.file.with_name("config.yaml.bak")
    assert backup.read_text(encoding="utf-8") == before
    assert [stat.S_IMODE(path.stat().st_mode) for path in (worker.file, backup)] == [0o600, 0o600]


async def test_a_value_is_overwritten_only_after_asking(server: TelegramServer, worker: Desk) -> None:
    worker.file.write_text("timezone: Asia/Tokyo\n", encoding="utf-8")
    talk = Prepared({"Time zone": ["Europe/Berlin"], "Replace it": [False]}, opens(server, ME))
    await worker.run(talk)
    assert "timezone in config.yaml is Asia/Tokyo. Replace it by Europe/Berlin?" in talk.asked
    assert written(worker)["timezone"] == "Asia/Tokyo"


async def test_who_stops_after_the_link_has_a_bot_with_an_owner_all_the_same(
    server: TelegramServer, worker: Desk
) -> None:
    class Gone(Prepared):
        def ask(self, question: str, default: str | None = None, *, hidden: bool = False) -> str:
            raise EndOfInput

    with pytest.raises(EndOfInput):
        await worker.run(Gone(on_link=opens(server, ME)))
    assert written(worker)["owners"] == ["tg:1001"]


async def test_an_owner_who_cannot_be_told_is_the_owner(server: TelegramServer, worker: Desk) -> None:
    server.fault("sendMessage", kind="403")
    talk = Prepared(on_link=opens(server, ME))
    await worker.run(talk)
    assert "could not be told" in talk.text
    assert written(worker)["owners"] == ["tg:1001"]


async def test_a_token_of_the_environment_is_used_and_not_written(server: TelegramServer, worker: Desk) -> None:
    worker.environ = {"TELLER_TELEGRAM__TOKEN": DEFAULT_TOKEN, "TELLER_TIMEZONE": "Asia/Tokyo"}
    await worker.run(Prepared(on_link=opens(server, ME)))
    assert written(worker) == {"owners": ["tg:1001"], "language": "auto"}


async def test_a_key_for_secrets_is_made_once_and_not_shown(server: TelegramServer, worker: Desk) -> None:
    talk = Prepared(on_link=opens(server, ME))
    await worker.run(talk)
    [made] = load(worker.file, {}).secret_keys
    assert "Made secret_key" in talk.text
    assert made not in talk.text
    await worker.run(again := Prepared())
    assert load(worker.file, {}).secret_keys == (made,)
    assert "secret_key" not in again.text


async def test_another_token_than_that_of_the_environment_is_refused(worker: Desk) -> None:
    worker.environ = {"TELLER_TELEGRAM__TOKEN": "1000:another_token"}
    with pytest.raises(ConfigError, match="wins over --token"):
        await worker.run(Prepared(), token=DEFAULT_TOKEN)


async def test_a_zone_that_is_none_is_asked_for_again(server: TelegramServer, worker: Desk) -> None:
    await worker.run(Prepared({"Time zone": ["Atlantis", "Europe/Berlin"]}, opens(server, ME)))
    assert written(worker)["timezone"] == "Europe/Berlin"


@pytest.mark.parametrize(("said", "given"), [("berlin", None), (None, "berlin")])
async def test_a_zone_may_be_said_by_its_town(
    server: TelegramServer, worker: Desk, said: str | None, given: str | None
) -> None:
    talk = Prepared({"Time zone": [said]} if said else {}, opens(server, ME))
    await (worker.run(talk) if given is None else worker.run(talk, timezone=given))
    assert written(worker)["timezone"] == "Europe/Berlin"


async def test_a_model_is_written_when_its_server_lists_it(server: TelegramServer, worker: Desk) -> None:
    async with OpenAIServer(models=["small"]) as provider:
        answers = {"Name of the model": ["small"], "server": [f"{provider.url}/v1"], "Its key": ["sk-emulated"]}
        talk = Prepared(answers, opens(server, ME))
        await worker.run(talk)
        assert provider.requests == []
    assert written(worker)["llm"] == {"model": "small", "base_url": f"{provider.url}/v1", "api_key": "sk-emulated"}
    assert "The model's server answers." in talk.said
    assert "sk-emulated" not in talk.text


async def test_a_model_with_a_wrong_key_or_name_may_be_chosen_again(server: TelegramServer, worker: Desk) -> None:
    async with OpenAIServer(models=["small"]) as provider:
        answers: dict[str, Sequence[str | bool]] = {
            "Name of the model": ["small", "tiny", "small"],
            "server": [f"{provider.url}/v1"] * 3,
            "Its key": ["sk-wrong", "sk-emulated", "sk-emulated"],
            "Keep it": [False, False],
        }
        talk = Prepared(answers, opens(server, ME))
        await worker.run(talk)
    assert "refuses the key (401)" in talk.text
    assert "does not list tiny. It lists: small" in talk.text
    assert written(worker)["llm"]["api_key"] == "sk-emulated"


async def test_errors_never_quote_the_token(server: TelegramServer) -> None:
    for kind in ("502", "cut", "garbage", "404", "500"):
        server.fault("getMe", kind=kind)
        async with Onboarding(DEFAULT_TOKEN, server.url) as api:
            with pytest.raises((NotReached, TokenUnknown)) as caught:
                await api.me()
        assert DEFAULT_TOKEN.partition(":")[2] not in str(caught.value)
