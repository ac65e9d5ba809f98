"""Stories of the console without a terminal: what is piped in is answered, then the program ends."""

from __future__ import annotations

import asyncio
import gzip
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.acceptance import nursery
from tests.acceptance.harness import environment, model_settings
from tests.emulators.openai import OpenAIServer
from tests.operating import COLD

# What is to be done with the weather in the frozen database of memories: the number of its trigger.
WEATHER = 4


async def piped(
    folder: Path, text: str, settings: dict[str, str], command: str = "run", *, cold: bool = COLD
) -> tuple[str, str]:
    """Pipe `text` into the program; return what it wrote to its output and to its error stream. It must end with 0.

    A `cold` one starts from nothing, as in everyday life.
    """
    env = environment({"DATA_DIR": str(folder / "data"), "TIMEZONE": "UTC", **settings})
    if cold:
        words = [sys.executable, "-m", "bot", command]
        start = partial(subprocess.run, words, cwd=folder, env=env, input=text, capture_output=True, text=True)
        done = await asyncio.to_thread(start, timeout=60)
    else:
        done = await asyncio.to_thread(nursery.perform, ["bot", command], folder, env, text, 60)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


@pytest.mark.parametrize("command", ["run", "chat"])
async def test_piped_lines_are_answered_and_the_program_ends(tmp_path: Path, command: str) -> None:
    out, _ = await piped(tmp_path, "echo one\n/time Asia/Tokyo\necho 三\n\nWhat is love?", {}, command, cold=True)
    answers = out.split("teller> ")[1:]
    assert "one" in answers[0]
    assert "(Tokyo)" in out
    assert out.index("one") < out.index("(Tokyo)") < out.index("三") < out.index("no model")


async def test_no_input_is_no_trouble(tmp_path: Path) -> None:
    out, _ = await piped(tmp_path, "", {}, "chat")
    assert "teller> " not in out


async def test_the_console_speaks_with_a_model(tmp_path: Path, llm: OpenAIServer) -> None:
    llm.call("echo", {"value": "parrot"})
    llm.answer("It said parrot.")
    out, _ = await piped(tmp_path, "Use a tool.\n", model_settings(llm))
    assert "It said parrot." in out
    assert llm.requests[0].last_user_text == "Use a tool."


async def test_answers_that_nobody_can_see_are_told_by_the_exit_code(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_shell(
        f"{sys.executable} -m bot chat > /dev/full",
        cwd=tmp_path,
        env=environment({"DATA_DIR": str(tmp_path / "data"), "TIMEZONE": "UTC"}),
        stdin=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(60):
        _, errors = await process.communicate(b"echo one\n")
    assert process.returncode == 1
    assert "messages that were not shown: 1" in errors.decode()
    assert b"Traceback" not in errors


async def test_a_conversation_in_german(tmp_path: Path) -> None:
    lines = (
        "Hallo",
        "Erinnere mich morgen um 9 daran, Oma anzurufen",
        "Setz Milch, Eier und Brot auf die Einkaufsliste",
        "was muss ich einkaufen?",
        "streich Eier von der Einkaufsliste",
        "welche Listen habe ich?",
        "jeden Freitag den Müll rausbringen",
        "/todo jeden Freitag: Müll rausbringen",
        "was steht morgen an?",
        "verschieb Oma anzurufen auf Freitag um 10",
        "lösch die Erinnerung an Oma anzurufen",
        "welcher Tag ist heute?",
        "Wie wird das Wetter?",
    )
    out, _ = await piped(tmp_path, "\n".join(lines), {"LANGUAGE": "de"})
    for said in (
        "Ich bin Teller",
        "09:00 (UTC)",
        "Oma anzurufen",
        "Brot",
        "Einkauf: 3",
        "Von der Liste: Eier — Einkauf",
        "🗂 Listen",
        "🔁 Müll rausbringen",
        "jeden Freitag um 06:00",
        "Heute ist",
        "kein Modell eingerichtet",
    ):
        assert said in out, (said, out)


async def test_a_database_of_the_version_before_work_in_the_background_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    frozen = Path(__file__).parents[1] / "frozen" / "memories.db.gz"
    (data / "teller.db").write_bytes(gzip.decompress(frozen.read_bytes()))
    # Without a key of the ledger nothing starts; this one proves none of the rows.
    (data / "ledger.key").write_text("0" * 64)
    lines = ("/memory", "/todo", "/lists", "/tasks", "/history locker", "/files", "/status", "/todo done milk", "/undo")
    out, _ = await piped(tmp_path, "\n".join(lines), {})
    # What was due since is said; the rest is listed.
    for words in (
        "Oma is allergic to nuts",
        "milk",
        "Shopping",
        "look at the prices",
        "call Oma",
        "look at the weather",
    ):
        assert words in out
    assert out.count("milk") >= 3
    with closing(sqlite3.connect(data / "teller.db")) as db:
        # The weather is due since the 27th of November 2026, 9:00 UTC: one task, which no model works on here.
        assert db.execute("SELECT trigger_id, count(*) FROM task GROUP BY trigger_id").fetchall() in (
            [],
            [(WEATHER, 1)],
        )
        assert db.execute("SELECT count(*) FROM inbox WHERE state = 'dead'").fetchone() == (0,)
