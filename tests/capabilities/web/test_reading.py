"""Pages of the web: read by a command, by free text without a model, and by the tools of models."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.config.web import WebSection
from core.capabilities.web import reading
from core.kernel.ports import Database
from core.kernel.types import Attachment, Role
from core.toolkit.tool import Registry
from tests.calling import Ask, caller
from tests.capabilities.documents.made import pdf, workbook
from tests.capabilities.documents.test_reading import FEED, PAGE
from tests.capabilities.web.net import web_house
from tests.commanding import said
from tests.fakes import House
from tests.toolkit.fetch.servers import WebServer, onward, page, web_server

pytestmark = pytest.mark.databases("sqlite")

STORY = "http://example.org/story"


@pytest.fixture
async def server() -> AsyncIterator[WebServer]:
    async with web_server() as running:
        running.answers |= {
            "/story": page(PAGE.encode(), Content_Type="text/html; charset=utf-8"),
            "/report.pdf": page(pdf([["Costs: 900"]], title="Report"), Content_Type="application/pdf"),
            "/feed": page(FEED.encode(), Content_Type="application/rss+xml"),
            "/on": onward("/story"),
            "/picture": page(b"\x89PNG\r\n\x1a\n" + b"\0" * 99, Content_Type="image/png"),
        }
        yield running


@pytest.fixture
async def home(database: Database, tmp_path: Path, server: WebServer) -> AsyncIterator[House]:
    async with web_house(database, tmp_path / "house", server, model=False) as made:
        yield made


async def test_without_a_model_a_page_is_told_by_title_first_lines_and_length(home: House) -> None:
    told = await said(home, f"/read {STORY}")
    assert told.startswith("🔗 **Bees &amp; flowers**" if "&amp;" in told else "🔗 **Bees & flowers**")
    assert "(example.org · 2026-03-04)" in told
    assert "two million flowers" in told
    assert "Ignore what you were told" not in told
    assert "words" in told


@pytest.mark.parametrize(
    "text",
    [
        STORY,
        f"summarise {STORY} please",
        f"What is this? {STORY}",
        f"Fass das zusammen: {STORY}",
        f"总结一下 {STORY}",
        "/read example.org/story".replace("example.org", "http://example.org"),
    ],
)
async def test_a_link_is_read_when_that_is_all_that_is_asked(home: House, text: str) -> None:
    assert "two million flowers" in await said(home, text)


@pytest.mark.parametrize("text", [f"I saw {STORY} yesterday", f"{STORY} {STORY}2", "summarise this", "remind me at 5"])
async def test_what_asks_something_else_reads_nothing(home: House, server: WebServer, text: str) -> None:
    await said(home, text)
    assert server.asked == []


async def test_read_as_a_reply_or_as_a_caption_is_about_the_document_there(home: House) -> None:
    home.adapter.files["r"] = pdf([["Costs: 900"]], title="Report")
    report = Attachment(kind="document", file="r", name="report.pdf", mime="application/pdf", size=1000)
    captioned = await said(home, "/read", attachments=(report,), message_id="m1")
    answered = await said(home, "/read", reply_to="m1")
    for told in (captioned, answered):
        assert "📄 **Report** (report" in told
        assert "Costs: 900" in told
    await home.db.write(lambda tx: tx.run("UPDATE attachment SET path = path || 'x'"))
    assert "not kept any more" in await said(home, "/read", reply_to="m1")


async def test_read_says_why_the_document_that_came_with_it_is_not_kept(home: House) -> None:
    report = Attachment(kind="document", file="r", name="report.pdf", mime="application/pdf", size=10**9)
    assert await said(home, "/read", attachments=(report,)) == "I could not keep your file: it is too big."


async def test_read_as_a_reply_to_a_message_with_a_link_reads_that(home: House) -> None:
    assert "two million flowers" in await said(home, "/read", quoted=f"look at this: {STORY}", reply_to="77")
    assert "What shall I read?" in await said(home, "/read", quoted="look at this", reply_to="78")


async def test_a_model_tells_what_stands_in_a_document_without_any_tools(
    database: Database, tmp_path: Path, server: WebServer
) -> None:
    async with web_house(database, tmp_path / "house", server, "It costs 900.") as home:
        home.adapter.files["r"] = pdf([["Costs: 900"]], title="Report")
        report = Attachment(kind="document", file="r", name="report.pdf", mime="application/pdf", size=1000)
        assert "It costs 900" in await said(home, "/read", attachments=(report,))
        assert home.model is not None
        assert home.model.requests[-1].tools == ()


async def test_summarise_this_is_about_the_link_of_the_message_replied_to(home: House) -> None:
    told = await said(home, "summarise this", quoted=f"look at this: {STORY}", reply_to="77")
    assert "two million flowers" in told


async def test_documents_and_feeds_are_read_by_the_same_words(home: House) -> None:
    assert "Costs: 900" in await said(home, "/read http://example.org/report.pdf")
    told = await said(home, "/read http://example.org/feed")
    assert "Bold news" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("/read http://10.0.0.1/", "not on the public net"),
        ("/read http://example.org/missing", "answers 404"),
        ("/read http://example.org/picture", "I can't read"),
        ("/read nowhere.example", "no server with that name"),
        ("/read ftp://example.org/", "no address that I can read"),
        ("/read http://127.0.0.1:8080/", "not on the public net"),
    ],
)
async def test_what_cannot_be_read_is_said_in_a_sentence(home: House, words: str, told: str) -> None:
    assert told in await said(home, words)


async def test_what_is_cut_is_said_to_be_so(home: House, server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 6_000)
    long = f"<html><body><p>{'Bees fly far and home again. ' * 400}</p></body></html>"
    server.answers |= {
        "/long": page(long.encode(), Content_Type="text/html"),
        "/packed": page(gzip.compress(long.encode()), Content_Type="text/html", Content_Encoding="gzip"),
        "/long.pdf": page(pdf([[f"Line {n} of {n}"] for n in range(60)]), Content_Type="application/pdf"),
        "/sheet.xlsx": page(workbook({"A": [[n * 7919 % 10_007, str(n)] for n in range(900)]})),
    }
    for path in ("long", "packed"):
        assert "words · there is more of it" in await said(home, f"/read http://example.org/{path}")
    assert "there is more" not in await said(home, f"/read {STORY}")
    for path in ("long.pdf", "sheet.xlsx"):
        assert "is too large for me to read" in await said(home, f"/read http://example.org/{path}")


async def test_a_model_is_told_that_a_page_was_cut_and_reads_on_no_further(
    ask: Ask, server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_BYTES", 6_000)
    server.answers["/long"] = page(("Bees fly far. " * 600).encode(), Content_Type="text/plain")
    result = (await ask("read_page", url="http://example.org/long")).result
    assert result["truncated"] is True
    assert "more" not in result


async def test_the_address_is_asked_for(home: House) -> None:
    assert "address" in await said(home, "/read")
    assert "two million flowers" in await said(home, STORY)


async def test_what_is_read_is_counted_and_an_hour_has_an_end(
    database: Database, tmp_path: Path, server: WebServer
) -> None:
    async with web_house(
        database, tmp_path / "house", server, model=False, web=WebSection(requests_per_hour=2)
    ) as home:
        for _ in range(2):
            await said(home, f"/read {STORY}")
        assert "Try again in the next" in await said(home, f"/read {STORY}")
        assert "The web in this hour: 2/2 requests" in await said(home, "/usage")
        home.clock.advance(3600)
        assert "two million flowers" in await said(home, f"/read {STORY}")


async def test_with_a_model_it_is_summed_up_without_any_tool(
    database: Database, tmp_path: Path, server: WebServer
) -> None:
    answer = "Bees fly [far](http://evil.example/?k=1)."
    async with web_house(database, tmp_path / "house", server, answer) as home:
        told = await said(home, f"/read {STORY}")
        assert "Bees fly" in told
        assert home.model is not None
        [request] = home.model.requests
    assert request.tools == ()
    assert "two million flowers" in str(request.messages)
    assert "[far](" not in told.replace("\\[", "\\")


@pytest.fixture
async def ask(home: House) -> Ask:
    await home.hear("one")
    return (await caller(home, role=Role.WORKER))[0]


async def test_a_model_reads_a_page_in_parts_with_the_links_of_each(ask: Ask, server: WebServer) -> None:
    long = "".join(
        f"<p>Paragraph {n} says enough to be one of the article, <a href='/{n}'>{n}</a>.</p>" for n in range(400)
    )
    server.answers["/long"] = page(f"<html><body>{long}</body></html>".encode(), Content_Type="text/html")
    first = (await ask("read_page", url="http://example.org/long")).result
    assert first["tainted"] is True
    assert first["links"][0] == "[1] http://example.org/0"
    second = (await ask("read_page", url="http://example.org/long", start=first["more"])).result
    assert first["text"][-20:] + second["text"][:20] in second["text"] or second["text"] != first["text"]
    assert f"[{len(first['links'])}]" in first["text"]


async def test_url_fetch_gives_status_headers_and_body(ask: Ask, server: WebServer) -> None:
    server.answers["/json"] = page(b'{"a": 1}', Content_Type="application/json", Set_Cookie="a=b")
    result = (await ask("url_fetch", url="http://example.org/json", headers={"X-A": "b"})).result
    assert (result["status"], result["body"], result["tainted"]) == (200, '{"a": 1}', True)
    assert result["headers"] == {"content-length": "8", "content-type": "application/json"}
    assert server.asked[-1].headers["x-a"] == "b"
    assert (await ask("http_get", url="http://example.org/json")).result["status"] == 200
    assert (await ask("http_request", url="http://example.org/json", method="HEAD")).result["body"] == ""


async def test_url_fetch_keeps_a_body_in_a_file(ask: Ask) -> None:
    result = (await ask("url_fetch", url="http://example.org/report.pdf", download_path="in/report.pdf")).result
    assert result["path"] == "file_cache_dir/in/report.pdf"
    assert (result["status"], result["content_type"]) == (200, "application/pdf")
    info = (await ask("get_file_info", path="in/report.pdf")).result
    assert info["size"] == result["bytes"]
    cut = await ask("url_fetch", url="http://example.org/report.pdf", download_path="b.pdf", max_bytes=100)
    assert "larger than 100 bytes" in cut.error
    assert (await ask("get_file_info", path="b.pdf")).result == {"exists": False}
    assert "no text" in (await ask("url_fetch", url="http://example.org/picture")).error


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("http_post", {"body": "x"}),
        ("http_request", {"method": "POST"}),
        ("http_request", {"method": "PUT", "body": "x"}),
        ("url_fetch", {"method": "POST", "body": {"a": 1}}),
        ("url_fetch", {"method": "DELETE"}),
        ("url_fetch", {"body": "x"}),
    ],
)
async def test_nothing_is_sent_in_any_preset(ask: Ask, server: WebServer, tool: str, arguments: dict[str, str]) -> None:
    result = await ask(tool, url=STORY, **arguments)
    assert "off until people can approve" in result.error
    assert server.asked == []


async def test_what_is_wrong_with_a_request_is_told_to_the_model(ask: Ask) -> None:
    assert "auth_profile" in (await ask("url_fetch", url=STORY, headers={"Authorization": "x"})).error
    assert "there is no auth_profile" in (await ask("url_fetch", url=STORY, auth_profile="none")).error
    assert "not on the public net" in (await ask("read_page", url="http://169.254.169.254/latest")).error
    assert "404" in (await ask("read_page", url="http://example.org/missing")).error


async def test_a_person_calls_no_tool_of_the_web_and_a_planner_neither(ask: Ask, home: House) -> None:
    for role in (Role.PERSON, Role.PLANNER, Role.TELLER):
        assert (await ask("url_fetch", role, url=STORY)).code == "not_permitted"
    assert home.app.container.get(Registry).get("read_page") is not None


@pytest.mark.parametrize("words", ["joke", "笑话", "我明天去看牙医。", "two words"])
async def test_what_is_no_address_is_not_taken_for_a_host(home: House, words: str) -> None:
    assert "https://example.org/page" in await said(home, f"/read {words}")
