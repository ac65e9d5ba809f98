"""Times in chats of people whose language is none of ours: on their day, or asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.kernel.types import Press, Sender
from tests.commanding import home, said
from tests.conftest import DatabaseMaker
from tests.fakes import House, inbound

# It is Monday 21 September 2026, 14:13 UTC.
WHEN = "When exactly?"


@pytest.fixture
async def house(make_database: DatabaseMaker, tmp_path: Path) -> House:
    return await home(await make_database("sqlite"), tmp_path)


async def heard(house: House, language: str, text: str) -> str:
    """What somebody is answered whose device speaks `language`."""
    sender, before = Sender(address="tg:1", name="Oma", language=language), len(house.adapter.texts("1"))
    message = replace(inbound(text, key=f"abroad{before}", sent_at=house.clock.now()), sender=sender)
    await house.app.inbox.accept(house.tenant_id, [message])
    await house.work()
    return "\n".join(house.adapter.texts("1")[before:])


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        ("de", "/remind Oma anrufen morgen 17:00", "⏰ Tue 22 Sep 17:00 (UTC), in 1 d: Oma anrufen"),
        ("de", "/remind 17:00 morgen Oma anrufen", "⏰ Tue 22 Sep 17:00 (UTC), in 1 d: Oma anrufen"),
        ("de", "/remind Arzt am 3. Dezember 9:30", "⏰ Thu 3 Dec 09:30 (UTC), in 73 d: Arzt"),
        ("fr", "/remind dentiste vendredi prochain 15:00", WHEN),
        ("es", "/remind basura cada lunes 20:00", WHEN),
        ("de", "/remind Müll jeden Montag 20:00", "⏰ every Monday at 20:00 (UTC), next Mon 21 Sep: Müll"),
        ("de", "/remind Abgabe zum Monatsende 15:00", "⏰ Wed 30 Sep 15:00 (UTC), in 9 d: Abgabe"),
        ("de-AT", "/remind Oma anrufen 17:00", "⏰ Mon 21 Sep 17:00 (UTC), in 2 h 47 min: Oma anrufen"),
        ("es", "/remind dentista mañana 9:30", "⏰ Tue 22 Sep 09:30 (UTC), in 19 h 17 min: dentista"),
        ("fr", "/remind dentiste demain 9:30", "⏰ Tue 22 Sep 09:30 (UTC), in 19 h 17 min: dentiste"),
        ("ru", "/remind позвонить завтра 17:00", "⏰ Tue 22 Sep 17:00 (UTC), in 1 d: позвонить"),
        ("ja", "/remind 母に電話 明日 17:00", WHEN),
        ("hi", "/remind Ma ko kal 17:00", WHEN),
    ],
)
async def test_a_clock_beside_words_of_another_language_is_not_all_of_a_time(
    house: House, language: str, text: str, answer: str
) -> None:
    assert (await heard(house, language, text)).startswith(answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/remind tomorrow at 9 call mum", "⏰ Tue 22 Sep 09:00"),
        ("/remind Friday at 17:00 call mum", "⏰ Fri 25 Sep 17:00"),
        ("/remind every weekday at 9:30 stand-up", "⏰ every weekday at 09:30"),
        ("/remind in 20 minutes to stretch", "⏰ Mon 21 Sep 14:33"),
        ("remind me at 5pm to call mum", "⏰ Mon 21 Sep 17:00"),
        ("/remind call mum tumorow at 17:00", WHEN),
    ],
)
async def test_whoever_speaks_another_language_may_write_ours(house: House, text: str, answer: str) -> None:
    assert (await heard(house, "de", text)).startswith(answer)


async def test_to_dos_are_due_on_the_day_that_was_said(house: House) -> None:
    assert (await heard(house, "de", "/todo Oma anrufen morgen 17:00")).startswith("☐ Oma anrufen — Tue 22 Sep 17:00")
    assert (await heard(house, "de", "/todo call Oma at 17:00")).startswith("☐ call Oma — today 17:00")
    assert await heard(house, "ja", "/todo 母に電話 明日 17:00") == "☐ 母に電話 明日 17:00"


@pytest.mark.parametrize(
    ("button", "text", "answer"),
    [
        ("Remind me", "Zahnarzt at 9", "⏰ Mon 21 Sep 21:00"),
        ("Add to my list", "Zahnarzt at 9", "☐ Zahnarzt — today 21:00"),
        ("Add to my list", "9:00 Arzt nachgucken", "☐ Arzt nachgucken — today 21:00"),
    ],
)
async def test_what_a_button_takes_for_a_wish_began_with_no_verb_of_ours(
    house: House, button: str, text: str, answer: str
) -> None:
    for question in ("Wie wird das Wetter?", text):
        await heard(house, "de", question)
    sender = Sender(address="tg:1", name="Oma", language="de")
    press = Press(key="press", chat="1", sender=sender, data=house.button(button), raw="{}")
    await house.app.inbox.accept(house.tenant_id, [press])
    await house.work()
    assert house.shown("1")[-1].text.startswith(answer)


async def test_without_a_model_a_wish_in_another_language_is_told_the_command(house: House) -> None:
    answer = await heard(house, "fr", "Rappelle-moi demain à 17:00 d'appeler mamie")
    assert answer.endswith("/remind demain à 17:00 d'appeler mamie")
    assert "no model is configured" in await heard(house, "de", "Wie wird das Wetter?")
    assert "without a model" in await said(house, "mind your head")
