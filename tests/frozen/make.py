"""Makes the frozen data folders of this package: `python -m tests.frozen.make`.

It was run with version 0.1.0 and its schema of four migrations, and what it made is kept as it was then. It must not
be run again: files that a later version has written say nothing about whether it still understands this one's. It is
kept to show how they came to be, and goes once it no longer fits the code.

The program runs as a process against the emulators, says and does everything by itself, and is killed with work in
every state. Its clock is that of 2035, so that a test may put the clock forward to the moment of the end.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
import subprocess
import tarfile
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg

from tests.acceptance.harness import KEY, TOKEN, Bot, model_settings
from tests.acceptance.playing import AHEAD
from tests.acceptance.sites import PageSite
from tests.acceptance.stories.days import MINUTE, Days
from tests.acceptance.stories.platform import Chat
from tests.acceptance.stories.stage import HOUR, think
from tests.acceptance.telegram_driver import TelegramPlatform, admitted
from tests.emulators.openai import OpenAIServer
from tests.emulators.openai_answers import Answer, Call, ChatRequest
from tests.emulators.slack import SlackServer
from tests.emulators.telegram import TelegramServer
from tests.frozen import grid
from tests.frozen.memory import remembered
from tests.postgres_server import PostgresServer

HERE = Path(__file__).parent
BEGIN = "2035-03-07T09:00+00:00"
KNOCKING = ("tests.frozen.knocking",)
# A minute of the last message, after which nothing is done any more.
LAST = "feed the cat"
PEOPLE = (
    *("ann", "bob", "cat", "dan", "dora", "eve", "fay", "gil", "hal", "ida", "jon", "kim", "kit"),
    *("leo", "mia", "ned", "ola", "pat", "quin", "rob", "sue", "tom", "uma", "vic", "wes"),
)


def thinks(request: ChatRequest) -> str | Answer | None:
    """The model of the stories, which also knocks."""
    if request.last_user_text.startswith("knock"):
        return Answer(calls=(Call("knock", {}),))
    return think(request)


class Freezing:
    """One frozen conversation in the making."""

    def __init__(self, on: Days, server: TelegramServer) -> None:
        self.on, self.server = on, server
        on.model.reply_with(thinks)
        self.who = {name: on.platform.member() for name in PEOPLE}
        self.family = Chat(key="")

    def home(self, name: str) -> Chat:
        """The private chat of somebody."""
        return self.on.platform.private(self.who[name])

    async def says(self, name: str, *words: str) -> None:
        """Let somebody write things one after the other, each answered."""
        for one in words:
            await self.on.says(self.who[name], one)

    async def sees(self, name: str, words: str) -> None:
        """Wait for words in somebody's private chat."""
        await self.on.sees(self.home(name), words)

    async def pressed(self, name: str, words: str, label: str) -> None:
        """Press a button of the message with these words."""
        await self.on.pressed(self.who[name], await self.on.sees(self.home(name), words), label)

    async def stored(self, sql: str) -> None:
        """Wait until a query finds something while the program runs."""
        for _ in range(300):
            self._alive()
            conn = sqlite3.connect(f"file:{self.on.bot.data / 'teller.db'}?mode=ro", uri=True)
            try:
                if conn.execute(sql).fetchone():
                    return
            finally:
                conn.close()
            await asyncio.sleep(0.05)
        raise AssertionError(sql)

    def _alive(self) -> None:
        assert self.on.bot.running, self.on.bot.output

    # What is set while all is well.

    async def settle(self) -> None:
        """Everybody has spoken; lists, people, reminders and schedules are there."""
        on = self.on
        for name in ("bob", "cat", "vic"):
            await on.talk(self.who[name])
        await self.says(
            "ann", "/todo buy milk", "/todo call Oma tomorrow at 5", "/todo done milk", "/todo water plants"
        )
        await self.says("ann", "/remind tomorrow at 9 to call Oma")
        await self.says("dan", "/remind tomorrow at 11 to pay the rent")
        await self.says("dora", "/remind tomorrow at 11 to wash the car")
        await self.says("gil", "/remind every day at 12:30 to stretch", "/every monday at 8 water the garden")
        await self.says("gil", "/every weekday at 7:15 take the pills", "/brief 17:30")
        await self.says("rob", "/quiet 22:00-07:00", "/timezone New York", "/language 中文")
        await on.says(on.platform.owner, "/invite")
        self.server.send_media("photo", int(self.who["tom"].key), data=b"a picture", caption="Look at this")
        await self.sees("tom", "You said: Look at this")
        await self._link()
        await self._group()
        await self.says("bob", f"/send {self.who['vic'].name} I'm late")
        await on.bot.stop()

    async def _link(self) -> None:
        """Tom and Uma become one person."""
        on = self.on
        offered = await on.says(self.who["tom"], "/link")
        code = offered.text.partition("/link ")[2].split("`")[0].split()[0]
        await self.says("uma", f"/link {code}")
        await self.pressed("uma", "Is that you?", "Yes, that is me")
        await self.pressed("tom", "has written your code", "Reminders and to-dos")
        await self.stored("SELECT 1 FROM link")

    async def _group(self) -> None:
        on, who = self.on, self.who
        self.family = await on.family(who["ann"], who["bob"], who["cat"], who["vic"])
        for name in ("bob", "cat", "vic"):
            await on.talk(who[name], self.family)
        await on.says(who["ann"], "/remind everybody every day at 12:30 stand-up", self.family)
        await on.says(who["ann"], f"/todo bring cake @{who['bob'].name.lower()}", self.family)
        await on.says(who["ann"], f"/remind {who['bob'].name} and {who['cat'].name} in 70 minutes to vote", self.family)
        await on.says(who["ann"], f"/remind {who['vic'].name} in 70 minutes to call back", self.family)

    async def reminded(self) -> None:
        """Reminders have come: one waits, one is put off, one is done, one repeats, one could not be delivered."""
        on = self.on
        for name, text in {"bob": "sweep", "cat": "iron", "quin": "rest"}.items():
            await self.says(name, f"/remind in 60 minutes to {text}")
        await self.says("hal", "/remind in 60 minutes to lock the door until done")
        await self.says("mia", "/remind in 60 minutes to breathe")
        await self.says("leo", "/remind in 100 minutes to look up", "/remind in 100 minutes to look down")
        await self.says("sue", "/remind in 60 minutes to sing", "/remind in 3 hours to dance")
        await self.says("wes", "/remind in 60 minutes to whistle")
        self.server.block(int(self.who["mia"].key))
        self.server.fault("sendMessage", chat=int(self.who["wes"].key), kind="400")
        on.passes(71 * MINUTE)
        for name, text in {
            "bob": "sweep",
            "cat": "iron",
            "quin": "rest",
            "hal": "lock the door",
            "sue": "sing",
        }.items():
            await self.sees(name, f"⏰ {text}")
        await self.pressed("cat", "⏰ iron", "+1 h")
        await self.pressed("quin", "⏰ rest", "Done")
        await on.until(lambda: any("Done" in one.labels for one in on.platform.shown(self.family)))
        vote = next(one for one in on.platform.shown(self.family) if "Done" in one.labels)
        await on.pressed(self.who["bob"], vote, "Done")
        await on.becomes(vote, "1 of 2:")
        await self.stored("SELECT 1 FROM outbox WHERE state = 'dead'")
        await self._paused("take the pills", "in 9 days")
        await self._paused("water the garden", "no end for now")

    async def _paused(self, text: str, until: str) -> None:
        """One that recurs rests."""
        on = self.on
        tasks = await on.says(self.who["gil"], "/tasks")
        await on.pressed(self.who["gil"], tasks, text)
        await on.until(lambda: "Pause until…" in on.now(tasks).labels)
        await on.pressed(self.who["gil"], on.now(tasks), "Pause until…")
        question = await on.sees(self.home("gil"), "Until when", after=tasks)
        await on.says(self.who["gil"], until, reply_to=question)

    async def asked(self) -> None:
        """Questions are open: of the model, and of commands that lack a time."""
        on, who = self.on, self.who
        await on.tea(who["eve"], default="Tea")
        await on.tea(who["fay"], default="Tea")
        await self.says("dora", "/remind to sow the carrots")
        change = next(one for one in on.platform.shown(self.home("dan")) if "Change" in one.labels)
        await on.pressed(who["dan"], change, "Change")
        await on.count(self.home("dan"), 2)

    # What is under way at the end.

    async def waiting(self) -> None:
        """Telegram has Leo's chat wait: an answer, a reminder, and behind that one another that is not written yet."""
        self.server.fault("sendMessage", chat=int(self.who["leo"].key), kind="429", retry_after=36_000, times=2)
        self.on.platform.say(self.who["leo"], "/time")
        await self.stored("SELECT 1 FROM outbox WHERE state = 'new' AND attempt > 0")
        self.on.passes(30 * MINUTE)
        await self.stored("SELECT 1 FROM outbox WHERE state = 'new' AND payload LIKE '{\"unwritten\"%'")

    async def at_work(self) -> None:
        """The model is in the middle of runs; a tool has been let out into the world; a message waits behind one."""
        on, who = self.on, self.who
        await on.at_work(who["ida"], "decide this", answers=1)
        await on.at_work(who["ned"], "think hard")
        on.platform.say(who["ned"], "And this, too.")
        on.platform.say(who["jon"], "knock")
        await self.stored("SELECT 1 FROM step WHERE state = 'started'")
        await self.stored("SELECT 1 FROM inbox WHERE state = 'new' AND text = 'And this, too.'")
        on.model.fault("502", times=50)
        await self.says("pat", "what is love?")
        await self.stored("SELECT 1 FROM inbox WHERE state = 'new' AND held_until > 0")

    async def end(self) -> None:
        """Two messages are on their way, of which one arrives; and the program dies while it carries a command out."""
        on, who = self.on, self.who
        self.server.fault("sendMessage", chat=int(who["kim"].key), kind="slow_after", delay=HOUR)
        self.server.fault("sendMessage", chat=int(who["kit"].key), kind="slow", delay=HOUR)
        for name in ("kim", "kit"):
            on.platform.say(who[name], "/time")
        await self.sees("kim", "UTC")
        await self.stored("SELECT 1 FROM outbox WHERE state = 'sending' GROUP BY state HAVING count(*) = 2")
        on.platform.say(who["ola"], f"remind me tomorrow at 10 to {LAST}")
        assert await on.bot.wait(30) == -9, on.bot.output
        on.platform.say(who["rob"], "Anybody there?")


async def listen(bot: Bot, server: TelegramServer) -> None:
    """Start the program, which dies when it carries the last command out."""
    polls = len(server.calls("getUpdates"))
    await bot.launch(failpoint=f"before:finish_run:{LAST}")
    await bot.until(lambda: len(server.calls("getUpdates")) > polls)


async def telegram(folder: Path) -> None:
    """The one on Telegram."""
    async with TelegramServer(token=TOKEN) as server, OpenAIServer(key=KEY) as llm:
        settings = {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": admitted(), "LLM__RETRY_SECONDS": "300"}
        bot = Bot(server, folder, settings | model_settings(llm), KNOCKING)
        on = Days(TelegramPlatform(server), bot, llm)
        freezing = Freezing(on, server)
        on.at(BEGIN)
        try:
            await listen(bot, server)
            await on.talk(on.platform.owner)
            await freezing.settle()
            await listen(bot, server)
            for part in (freezing.reminded, freezing.waiting, freezing.asked, freezing.at_work, freezing.end):
                await part()
        finally:
            if bot.running:
                await bot.kill()
        clock = on.clock.isoformat(timespec="seconds")
        people = {name: one.key for name, one in freezing.who.items()}
        facts = {"clock": clock, "people": people, "family": freezing.family.key, **remembered(server)}
        keep(bot, "telegram", facts)


async def slack(folder: Path) -> None:
    """One on Slack, where an organisation and a workspace of its own have installed the app."""
    async with SlackServer() as server:
        grid.build(server)
        site = PageSite(server)
        bot = Bot(site, folder, {"ACCESS__MODE": "allowlist", "ACCESS__ALLOW": grid.allowed()}, AHEAD)
        bot.advance((datetime.fromisoformat(BEGIN) - datetime.now(UTC)).total_seconds())
        server.ahead = bot.ahead
        try:
            await bot.start()
            for team in (grid.FIRST, grid.ALONE):
                server.world.app.whole = team == grid.FIRST
                assert (await server.install(site.page, grid.PEOPLE[team], team)).status == 200
            server.world.app.whole = True
            for team, user in grid.PEOPLE.items():
                await spoken(bot, server, team, user)
        finally:
            await bot.kill()
        clock = (datetime.now(UTC) + timedelta(seconds=bot.ahead)).isoformat(timespec="seconds")
        keep(bot, "slack", {"clock": clock, **grid.remembered(server)})


async def spoken(bot: Bot, server: SlackServer, team: str, user: str) -> None:
    """Somebody has a list, a reminder that waits and one to come, and has looked at their page."""

    def said(words: str) -> bool:
        return any(words in one.text for one in server.said(server.dm(user, team), team=team))

    for words, answer in {
        f"/todo add plan of {team}": f"plan of {team}",
        f"/remind in 10 minutes to water {team}": f"water {team}",
        f"/remind tomorrow at 9 to feed {team}": f"feed {team}",
    }.items():
        server.say(words, user, team=team)
        await bot.until(lambda answer=answer: said(answer))  # type: ignore[misc]
    server.open_home(user, team=team)
    await bot.until(lambda: f"plan of {team}" in server.home_text(user, team))
    bot.advance(10 * MINUTE)
    server.ahead = bot.ahead
    await bot.until(lambda: said(f"⏰ water {team}"))


def keep(bot: Bot, name: str, facts: dict[str, object]) -> None:
    """Pack the data folder, and what the platform knows."""
    (HERE / f"{name}.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n")
    sqlite3.connect(bot.data / "teller.db").execute("PRAGMA wal_checkpoint(TRUNCATE)").connection.close()
    with tarfile.open(HERE / f"{name}.tar.gz", "w:gz") as packed:
        for file in ("teller.db", "ledger.key", "ledger.anchor", "files"):
            if (bot.data / file).exists():
                packed.add(bot.data / file, file)


def postgres() -> None:
    """The rows of the one on Telegram as a Postgres of the same version would have them."""
    server = PostgresServer()
    url = server.create()
    with tempfile.TemporaryDirectory() as folder, tarfile.open(HERE / "telegram.tar.gz") as packed:
        packed.extract("teller.db", folder, filter="data")
        load(sqlite3.connect(Path(folder) / "teller.db"), url)
    # What was applied when is that of the server's template.
    words = [str(server.programs / "pg_dump"), "--column-inserts", "--no-owner", "--no-privileges", url]
    dumped = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    # Without commands that are psql's own.
    kept = [line for line in dumped.split("\n") if not line.startswith("\\")]
    (HERE / "postgres.sql.gz").write_bytes(gzip.compress("\n".join(kept).encode(), mtime=0))
    server.stop()


def load(rows: sqlite3.Connection, url: str) -> None:
    """Copy all rows, and let new ones come after them."""
    rows.row_factory = sqlite3.Row
    with psycopg.connect(url) as conn:
        conn.execute("SET session_replication_role = replica")
        names = [row["name"] for row in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for name in (one for one in names if not one.startswith("sqlite_") and one != "migration"):
            for row in rows.execute(f"SELECT * FROM {name}"):
                columns, places = ", ".join(row.keys()), ", ".join(["%s"] * len(row))
                sql = f"INSERT INTO {name} ({columns}) OVERRIDING SYSTEM VALUE VALUES ({places})"
                conn.execute(sql.encode(), tuple(row))
        for name, last in rows.execute("SELECT name, seq FROM sqlite_sequence"):
            conn.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", (name, last))


async def main() -> None:
    """Make them all."""
    with tempfile.TemporaryDirectory() as folder:
        await telegram(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        await slack(Path(folder))
    postgres()


if __name__ == "__main__":
    asyncio.run(main())
