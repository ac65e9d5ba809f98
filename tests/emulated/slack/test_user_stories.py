"""The driver of the stories over the emulated Slack: it shows what a bot does, and does what people would."""

from __future__ import annotations

import pytest
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.acceptance.slack_driver import SlackPlatform, admitted, owning
from tests.acceptance.stories.platform import Chat, Platform, Shown
from tests.emulators.slack import SlackServer
from tests.emulators.slack_delivery import COMMAND, EVENT, INTERACTIVE
from tests.emulators.slack_world import Json


@pytest.fixture
def platform(server: SlackServer) -> SlackPlatform:
    return SlackPlatform(server)


def keyboard(*labels: str) -> list[Json]:
    texts = [{"type": "plain_text", "text": label} for label in labels]
    buttons = [
        {"type": "button", "text": text, "action_id": f"teller:{n}", "value": f"token:{n}"}
        for n, text in enumerate(texts)
    ]
    return [{"type": "actions", "elements": buttons}]


async def asked(platform: SlackPlatform, client: AsyncWebClient, chat: Chat, *labels: str) -> Shown:
    blocks = [{"type": "markdown", "text": "**Tea** or coffee?"}, *keyboard(*labels)]
    await client.chat_postMessage(channel=chat.key, text="Tea or coffee?", blocks=blocks)
    return platform.shown(chat)[-1]


def test_it_is_a_platform_with_people_whom_the_configuration_knows(platform: SlackPlatform) -> None:
    whole: Platform = platform
    assert f"slack:T0001:{whole.owner.key}" in owning()
    assert f"slack:T0001:{whole.member().key}" in admitted()
    assert whole.stranger().key not in admitted()
    assert whole.member().name == "User2002"


async def test_words_and_mentions_reach_the_bot_and_commands_as_such(
    server: SlackServer, platform: SlackPlatform
) -> None:
    server.mode, server.request_url = "http", "http://127.0.0.1:1/"
    ann = platform.member()
    family = platform.group(ann)
    platform.add_bot(family, ann)
    assert platform.has_bot(family)
    platform.say(ann, "Hello")
    platform.say(ann, "Hello all", family, mention=True)
    platform.say(ann, "/time", family)
    platform.follow(ann, "Let one person write this to me:\n\n`/start abcdefgh12345`")
    trips = platform.thread(family, ann)
    platform.say(ann, "/time", trips)
    events = [one.payload["event"] for one in server.deliveries.of(EVENT, "message")]
    texts = [event["text"] for event in events if event.get("subtype") != "channel_join"]
    assert texts == ["Hello", "<@U0BOT> Hello all", "Let us talk about this here.", "<@U0BOT> /time"]
    commands = [(one.payload["command"], one.payload["text"]) for one in server.deliveries.of(COMMAND)]
    assert commands == [("/teller", "time"), ("/teller", "start abcdefgh12345")]


async def test_a_command_that_nobody_would_take_is_said_to_the_bot_by_name(
    server: SlackServer, platform: SlackPlatform
) -> None:
    platform.say(platform.owner, "/stop")
    (envelope,) = server.deliveries.all
    assert envelope.payload["event"]["text"] == "<@U0BOT> /stop"


async def test_what_the_bot_says_is_shown_where_it_belongs(platform: SlackPlatform, client: AsyncWebClient) -> None:
    ann = platform.member()
    family = platform.group(ann)
    platform.add_bot(family, ann)
    trips = platform.thread(family, ann)
    message = platform.say(ann, "Hello", family, mention=True)
    await client.chat_postMessage(channel=family.key, text=f"Hi <@{ann.key}>", thread_ts=message)
    await client.chat_postMessage(channel=family.key, text="Rome", thread_ts=trips.thread)
    (answer,), (rome,) = platform.shown(family), platform.shown(trips)
    assert (answer.text, answer.reply_to, answer.told) == ("Hi @User2001", message, (ann.key,))
    assert (rome.text, rome.reply_to) == ("Rome", "")
    platform.delete(rome)
    assert platform.shown(trips) == []


async def test_a_whisper_is_the_answer_to_a_press_and_nothing_that_was_said(
    server: SlackServer, platform: SlackPlatform, client: AsyncWebClient
) -> None:
    ann = platform.member()
    family = platform.group(ann)
    platform.add_bot(family, ann)
    server.delivery_fault("slow", INTERACTIVE, delay=60)
    question = await asked(platform, client, family, "Tea", "Coffee")
    assert (question.text, question.labels) == ("Tea or coffee?", ["Tea", "Coffee"])
    press = platform.press(ann, question, "Coffee")
    assert platform.toast(press) is None
    await client.chat_postEphemeral(channel=family.key, user=ann.key, text="Already answered.")
    assert platform.toast(press) == "Already answered."
    assert len(platform.shown(family)) == 1


async def test_a_message_that_reads_otherwise_is_an_answer_to_a_press(
    server: SlackServer, platform: SlackPlatform, client: AsyncWebClient
) -> None:
    server.delivery_fault("slow", INTERACTIVE, times=2, delay=60)
    ann = platform.member()
    chat = platform.private(ann)
    question = await asked(platform, client, chat, "Tea", "Coffee")
    first, second = (platform.press(ann, question, label) for label in ("Coffee", "Tea"))
    await client.chat_update(channel=chat.key, ts=question.key, text="✅ Coffee — User2001", blocks=[])
    assert [platform.toast(first), platform.toast(second)] == ["Coffee", None]
    await client.chat_postEphemeral(channel=chat.key, user=ann.key, text="Already answered.")
    assert platform.toast(second) == "Already answered."
    assert (platform.shown(chat)[0].edits, platform.shown(chat)[0].buttons) == (1, ())


async def test_an_answer_to_a_command_is_shown_and_its_buttons_work(
    server: SlackServer, platform: SlackPlatform, client: AsyncWebClient
) -> None:
    server.mode, server.request_url = "http", "http://127.0.0.1:1/"
    ann = platform.member()
    chat = platform.private(ann)
    platform.say(ann, "/people")
    (envelope,) = server.deliveries.of(COMMAND)
    await AsyncWebhookClient(envelope.payload["response_url"]).send(text="Who?", blocks=keyboard("Remove"))
    (people,) = platform.shown(chat)
    platform.press(ann, people, "Remove")
    payload = server.deliveries.of(INTERACTIVE)[-1].payload
    assert (payload["container"]["is_ephemeral"], payload["actions"][0]["value"]) == (True, "token:0")


async def test_a_press_that_nobody_takes_shows_that(server: SlackServer, platform: SlackPlatform) -> None:
    ann = platform.member()
    message = platform.say(ann, "Hello")
    shown = Shown(chat=platform.private(ann), key=message, text="", buttons=(), edits=0, reply_to="")
    press = platform.forge(ann, shown, "token:0")
    await server.deliveries.of(INTERACTIVE)[0].settled()
    assert platform.toast(press) == "⚠️"


async def test_old_forged_and_deleted_buttons_can_still_be_pressed(
    server: SlackServer, platform: SlackPlatform, client: AsyncWebClient
) -> None:
    ann = platform.member()
    chat = platform.private(ann)
    question = await asked(platform, client, chat, "Tea", "Coffee")
    platform.forge(ann, question, "token:9")
    await client.chat_update(channel=chat.key, ts=question.key, text="✅", blocks=[])
    platform.press(ann, question, "Coffee")
    platform.delete(platform.shown(chat)[0])
    platform.press(ann, question, "Tea", gone=True)
    actions = [one.payload["actions"][0] for one in server.deliveries.of(INTERACTIVE)]
    assert [one["value"] for one in actions] == ["token:9", "token:1", "token:0"]
    assert {one["action_id"] for one in actions} == {"teller:0"}


async def test_an_option_of_a_menu_is_pressed_like_a_button(
    server: SlackServer, platform: SlackPlatform, client: AsyncWebClient
) -> None:
    chat = platform.private(platform.owner)
    options = [{"text": {"type": "plain_text", "text": name}, "value": f"t:{name}"} for name in ("Tea", "Coffee")]
    menu = {"type": "static_select", "action_id": "teller:select", "options": options}
    blocks: list[Json] = [{"type": "actions", "elements": [menu]}]
    await client.chat_postMessage(channel=chat.key, text="Tea?", blocks=blocks)
    (question,) = platform.shown(chat)
    assert question.labels == ["Tea", "Coffee"]
    platform.press(platform.owner, question, "Coffee")
    (entry,) = server.deliveries.of(INTERACTIVE)[-1].payload["actions"]
    assert entry["selected_option"]["value"] == "t:Coffee"


async def test_every_noise_is_one_that_people_can_make(server: SlackServer, platform: SlackPlatform) -> None:
    eve = platform.stranger()
    for number in range(12):
        platform.noise(eve, number)
    assert platform.waiting() == len(server.deliveries.all) == 14
