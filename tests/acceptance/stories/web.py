"""Stories of what is read on the web: pages, and calendars at their secret addresses."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime

from tests.acceptance.packing import answered
from tests.acceptance.stories.stage import Stage, think
from tests.capabilities.calendars.test_expanding import calendar
from tests.emulators.openai_answers import Answer, ChatRequest
from tests.toolkit.fetch.servers import page, web_server

BREAD = b"<html><title>Bread</title><article><p>Bread takes flour, water, salt and time.</p></article></html>"


def read(request: ChatRequest) -> str | Answer | None:
    """A model that says of a page what stands in it, and obeys it if it can."""
    if not str(request.messages[0]["content"]).startswith("You are given a page of the web"):
        return think(request)
    assert not request.body.get("tools")
    return "It takes flour." if "flour, water, salt" in str(request.messages) else "I know nothing."


async def a_page_is_summed_up_and_an_inner_one_is_refused(on: Stage) -> None:
    ann = on.platform.member()
    on.model.reply_with(read)
    async with web_server() as server:
        address = f"http://127.0.0.1:{server.port}"
        inner = page(b"", status="302 Found", Location="http://169.254.169.254/latest/meta-data")
        server.answers |= {"/bread": page(BREAD, Content_Type="text/html"), "/inner": inner}
        shown = await answered(on, ann, f"/read {address}/bread", "It takes flour.")
        assert "Bread" in shown.text
        await answered(on, ann, f"/read {address}/inner", "not on the public net")
        assert [asked.path for asked in server.asked] == ["/bread", "/inner"]


async def what_stands_in_a_secret_calendar_shows_in_the_day_and_its_address_nowhere(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    canary = secrets.token_hex(8)
    await answered(on, ann, "/timezone UTC", "UTC")
    today = calendar(f"DTSTART;VALUE=DATE:{datetime.now(UTC):%Y%m%d}")
    async with web_server() as server:
        server.answers[f"/{canary}.ics"] = page(today.replace(b"SUMMARY:it", b"SUMMARY:Dentist"))
        await answered(on, ann, f"/calendar add http://127.0.0.1:{server.port}/{canary}.ics Teeth", "Teeth")
    await answered(on, ann, "/today", "Dentist")
    day = await answered(on, bob, "/today", "202")
    assert "Dentist" not in day.text
    # In a group no address is said: in private it is asked which calendar is to show there.
    home, family = on.platform.private(ann), await on.family(ann, bob)
    on.platform.say(ann, "/calendar add", family)
    await on.until(lambda: any("Which calendar is to show" in one.text for one in on.platform.shown(home)))
    [which] = [one for one in on.platform.shown(home) if "Which calendar is to show" in one.text]
    on.platform.press(ann, which, "Teeth")
    await on.until(lambda: any("shows the calendar Teeth here" in text.replace("*", "") for text in on.texts(family)))
    assert [name for name, content in on.bot.written().items() if canary.encode() in content] == []
