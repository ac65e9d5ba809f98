"""Ten thousand random and mutated buttons, pressed by anybody anywhere: nothing changes, the real ones still work."""

from __future__ import annotations

import random
import string
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.kernel.ports import Database
from core.kernel.types import Answer, ModelRequest, Press, Sender, ToolCall
from core.store.conversation.keyboards import new_token
from tests.fakes import FRIEND, OWNER, House, house

SEED, BATCH = 20261122, 100
# A real Postgres answers as SQLite does, only slower.
PRESSES = {"sqlite": 10_000, "postgres": 1_000}
TABLES = ("question", "keyboard", "inbox", "outbox", "message", "run", "chat", "lane")
GUEST, STRANGER = "tg:77", "tg:99"
WHERE = {"private": {"chat": "1"}, "group": {"chat": "-5", "chat_kind": "group", "title": "Family"}}
CHATS = {"1": "private", "2": "private", "-5": "group", "99": "private", "-404": "group"}
UNKNOWN, ALREADY, ELSE = "This button no longer works.", "Already answered.", "This question is for somebody else."
LATE, UNASKED = "That question has run out.", "That question is asked no more."
LETTERS = string.ascii_letters + string.digits + "_-"
STRANGE = ["", " ", ":", "0", "\n", "\x00", "é", "٣", "Ａ", "𝟙", "'", "%", "--", "9" * 30]


def asks(request: ModelRequest) -> Answer | str:
    """Ask whoever says so; say what came of it."""
    if request.event:
        return "Noted."
    arguments = {"question": "Tea or coffee?", "options": ["Tea", "Coffee"], "default": "Tea", "timeout": 60}
    return Answer(calls=(ToolCall(id="c1", name="ask_user", arguments=arguments),))


async def asked(home: House, sender: str, **where: Any) -> list[str]:
    """What the buttons of a new question to somebody carry."""
    await home.hear("ask me", sender=sender, **where)
    await home.work()
    keyboard = home.shown(where["chat"])[-1].keyboard
    assert keyboard is not None
    return [button.data for button in keyboard.buttons]


def mutated(rng: random.Random, data: str) -> str:
    """A button's data, changed somewhere."""
    place = rng.randrange(len(data) + 1)
    match rng.randrange(6):
        case 0:
            return data[:place] + rng.choice(LETTERS) + data[place + 1 :]
        case 1:
            return data[:place] + rng.choice(STRANGE) + data[place:]
        case 2:
            return data[:place]
        case 3:
            return data[:22] + f":{rng.choice((3, 9, 10, 99, 100, -1, '000', '²', '٣'))}"
        case 4:
            return data.swapcase()
        case _:
            return f"{new_token()}:{rng.randrange(12)}"


def presses(rng: random.Random, real: dict[str, list[str]], closed: list[str], count: int) -> Iterator[Press]:
    """Presses of which none may do anything: `real` are buttons of open questions by chat."""
    known = [data for found in real.values() for data in found]
    everybody = [OWNER, FRIEND, GUEST, STRANGER]
    for number in range(count):
        chat, sender = rng.choice(list(CHATS)), rng.choice(everybody)
        data = rng.choice(known + closed)
        may = {"1": {OWNER}, "-5": {OWNER, FRIEND}}.get(chat, set())
        if sender in may or rng.random() < 0.5:
            data = mutated(rng, data)
        if sender in may and data in real[chat]:
            # What was mutated into itself is no forgery.
            data = ":"
        person = Sender(address=sender, name=f"Name of {sender}", language="en")
        yield Press(key=f"f{number}", chat=chat, chat_kind=CHATS[chat], sender=person, data=data, raw="{}")


async def state(home: House) -> dict[str, list[dict[str, Any]]]:
    """Every row that a press could change."""
    return {table: await home.rows(f"SELECT * FROM {table} ORDER BY id") for table in TABLES}


async def furnished(database: Database, folder: Path) -> tuple[House, dict[str, list[str]], list[str]]:
    """A house with two open questions, and one each that was answered, skipped, and has expired."""
    home = await house(database, folder / "house", asks)
    await home.hear("hello", sender=GUEST, **WHERE["group"])
    closed: list[str] = []
    for label in ("Coffee", "Skip", ""):
        closed += await asked(home, OWNER, **WHERE["private"])
        if label:
            await home.press(label)
        else:
            home.clock.advance(61)
            await home.sweep()
        await home.work()
    real = {"1": await asked(home, OWNER, **WHERE["private"]), "-5": await asked(home, FRIEND, **WHERE["group"])}
    await home.hear("hello", sender=GUEST, **WHERE["group"])
    await home.work()
    return home, real, closed


async def test_forged_and_misplaced_presses_change_nothing(database: Database, tmp_path: Path) -> None:
    rng = random.Random(SEED)
    home, real, closed = await furnished(database, tmp_path)
    before, shown = await state(home), Counter[str | None]()
    forged = list(presses(rng, real, closed, PRESSES[database.name]))
    for start in range(0, len(forged), BATCH):
        batch = forged[start : start + BATCH]
        found = await home.app.inbox.accept(home.tenant_id, batch)
        shown.update(found.get(press.key) for press in batch)
        # Whoever is in the group is a guest there.
        assert not [one for one in batch if one.sender.address == STRANGER and one.chat != "-5" and one.key in found]
        if start == len(forged) // 2:
            home = await house(database, tmp_path / "house", asks, clock=home.clock, adapter=home.adapter)
    assert await state(home) == before
    assert set(shown) == {None, UNKNOWN, ALREADY, ELSE, LATE, UNASKED}
    assert min(shown.values()) > len(forged) // 500
    assert await home.press("", data=real["1"][1]) == "Coffee"
    group = {"chat": "-5", "chat_kind": "group"}
    assert await home.press("", data=real["-5"][0], sender=FRIEND, **group) == "Tea"
    await home.work()
    assert await home.column("SELECT answer FROM question WHERE state = 'answered' ORDER BY id") == [
        "Coffee",
        "Coffee",
        "Tea",
    ]
