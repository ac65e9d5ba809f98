"""One person on two platforms: a code on one side, a button on the other, and only where both owners allow it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.adapters.slack.render.command_style import spelling
from core.kernel.ports import Database
from core.language import pick
from core.store.people import invitations as invites
from tests.commanding import FRIEND, GROUP, friend, intents, labels, pressed, said
from tests.fakes import House
from tests.linking import BO, DM, allowed, asked, code_of, linked, platforms

pytestmark = pytest.mark.databases("sqlite")

ASKED = "🔗 Name of slack:T1:U1 on Slack (“`Acme`”, `slack:T1:U1`) has written your code"
PAIRS = "SELECT count(*) FROM link"


async def test_a_code_and_a_button_make_two_accounts_one_person(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    code = await code_of(one)
    written = await said(other, f"/link {code.lower()[:4]} {code[4:]}", **DM)
    assert "that of Name of tg:1 on Telegram (`tg:1`). Is that you?" in written
    assert not any(text.startswith(ASKED) for text in one.adapter.texts("1"))
    assert "Now I ask you on Telegram" in await pressed(other, "Yes, that is me", **DM)
    assert one.adapter.texts("1")[-1].startswith(ASKED)
    assert labels(one) == ["Reminders and to-dos", "No"]
    assert await one.column(PAIRS) == [0]
    assert "Linked with Name of slack:T1:U1 on Slack" in await pressed(one, "Reminders and to-dos")
    assert "Linked with Name of tg:1 on Telegram (`tg:1`)" in other.adapter.texts("D1")[-1]
    assert await one.column("SELECT shares FROM link") == ["todos", "todos"]


async def test_a_no_links_nobody_and_is_told(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    await asked(one, other)
    assert "Not linked" in await pressed(one, "No")
    assert "said no" in other.adapter.texts("D1")[-1]
    assert await one.column(PAIRS) == [0]


async def test_a_second_press_and_words_without_the_button_link_nobody(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    await asked(one, other)
    question = (await intents(one, "links.answer"))[0].arguments["question"]
    assert "Only the buttons" in await said(one, f"/link todos {question}")
    data = one.button("Reminders and to-dos")
    await pressed(one, "No")
    assert await one.press("", data=data) == pick("en")["already_pressed"]
    await one.work()
    assert await one.column(PAIRS) == [0]


async def test_the_question_is_good_for_as_long_as_its_code(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    await asked(one, other)
    one.clock.advance(600)
    assert "too late" in await pressed(one, "Reminders and to-dos")
    assert await one.column(PAIRS) == [0]


async def test_codes_that_are_wrong_used_old_or_ones_own_are_told_apart(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    code = await code_of(one)
    assert "your own code" in await said(one, f"/link {code}")
    assert "I don't know that code" in await said(other, "/link ABCDEFGH", **DM)
    assert "Write /link for a code" in await said(other, "/link O0", **DM)
    await said(other, f"/link {code}", **DM)
    assert "used already" in await said(other, f"/link {code}", **DM)
    later = await code_of(one)
    one.clock.advance(600)
    assert "too late" in await said(other, f"/link {later}", **DM)


@pytest.mark.databases("sqlite", "postgres")
async def test_a_new_code_ends_the_one_before(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    former = await code_of(one)
    await code_of(one)
    assert "I don't know that code" in await said(other, f"/link {former}", **DM)


async def test_five_wrong_codes_are_enough_for_ten_minutes(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    for _ in range(5):
        await said(other, "/link ABCDEFGH", **DM)
    one.clock.advance(300)
    code = await code_of(one)
    assert "Try again in 5 min" in await said(other, f"/link {code}", **DM)
    one.clock.advance(300)
    assert "Is that you?" in await said(other, f"/link {code}", **DM)


async def test_both_owners_have_to_allow_it(database: Database, tmp_path: Path) -> None:
    one, other = await platforms(database, tmp_path)
    code = await code_of(one)
    both = await said(other, f"/link {code}", **DM)
    assert "by my owner on Slack and by my owner on Telegram, with /link allow" in both
    await said(other, "/link allow", **DM)
    told = await said(other, f"/link {code}", **DM)
    assert "by my owner on Telegram" in told
    assert "tg:1" not in told
    await said(one, "/link allow")
    assert "Is that you?" in await said(other, f"/link {code}", **DM)


async def test_only_an_owner_allows_it(database: Database, tmp_path: Path) -> None:
    one, _ = await platforms(database, tmp_path)
    assert await said(one, "/link allow", **friend()) == "Only my owner may do that."
    assert await one.column("SELECT max(links) FROM tenant") == [0]


async def test_what_was_forbidden_after_the_question_is_not_linked(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    await asked(one, other)
    await said(other, "/link forbid", **DM)
    assert "by my owner on Slack" in await pressed(one, "Reminders and to-dos")
    assert await one.column(PAIRS) == [0]


async def test_to_forbid_it_ends_what_there_is_and_tells_both(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    assert "Links that ended: 1" in await said(other, "/link forbid", **DM)
    assert "on Slack" in one.adapter.texts("1")[-1]
    assert "has ended" in one.adapter.texts("1")[-1]
    assert await one.column(PAIRS) == [0]


async def test_a_pair_is_linked_once(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    assert "linked already" in await said(one, f"/link {await code_of(other, **DM)}")
    assert "- Name of slack:T1:U1 on Slack" in await said(one, "/link")


async def test_accounts_of_one_tenant_need_no_permission(database: Database, tmp_path: Path) -> None:
    one, _ = await platforms(database, tmp_path)
    assert "Is that you?" in await said(one, f"/link {await code_of(one)}", **friend())


async def test_unlink_ends_it_on_both_sides(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    assert "has ended" in await said(other, "/unlink", **DM)
    assert "The link with Name of slack:T1:U1 on Slack" in one.adapter.texts("1")[-1]
    assert await one.column(PAIRS) == [0]
    assert "There is no such link" in await said(one, "/unlink")


async def test_of_several_links_one_is_chosen(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await asked(one, other, chat="D2", sender=BO)
    await pressed(one, "Reminders and to-dos")
    assert "Which link" in await said(one, "/unlink")
    assert "Name of slack:T1:U2" in await pressed(one, "Name of slack:T1:U2 on Slack")
    assert await one.column(PAIRS) == [2]


@pytest.mark.databases("sqlite", "postgres")
async def test_five_links_are_enough(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    (first,) = await one.column("SELECT min(id) FROM person")
    for n in range(4):
        await _extra(one, first, f"x{n}")
    assert "five" in await said(other, f"/link {await code_of(one)}", chat="D2", sender=BO)


async def _extra(home: House, person_id: int, name: str) -> None:
    """A person more whom somebody is linked with."""
    await home.db.write(
        lambda tx: tx.run(
            "INSERT INTO person (tenant_id, scope_id, name, created_at)"
            " SELECT tenant_id, scope_id, :name, 0 FROM person WHERE id = :id",
            {"id": person_id, "name": name},
        )
    )
    await home.db.write(
        lambda tx: tx.run(
            "INSERT INTO address (tenant_id, scope_id, external_id, person_id)"
            " SELECT tenant_id, scope_id, :name, id FROM person WHERE name = :name",
            {"name": name},
        )
    )
    await home.db.write(
        lambda tx: tx.run(
            "INSERT INTO link (person_id, other_id, tenant_id, scope_id, shares, created_at)"
            " SELECT :id, p.id, p.tenant_id, p.scope_id, 'todos', 0 FROM person p WHERE p.name = :name",
            {"id": person_id, "name": name},
        )
    )


async def test_in_a_group_nothing_of_it_is_said(database: Database, tmp_path: Path) -> None:
    one, _ = await platforms(database, tmp_path)
    for text in ("/link", "/unlink", "/link ABCDEFGH", "/link allow"):
        assert "write it to me in our private chat" in await said(one, text, **GROUP)
    assert await one.column("SELECT count(*) FROM link_code") == [0]


async def test_codes_are_kept_and_compared_by_their_digests(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    code = await code_of(one)
    assert await one.column("SELECT digest FROM link_code") == [invites.digest(code)]
    await said(other, f"/link {code}", **DM)
    rows = "SELECT b.arguments FROM ledger_body b JOIN ledger l ON l.tenant_id = b.tenant_id AND l.n = b.n"
    assert await one.column(f"{rows} WHERE l.tool = 'ask_link'") == [f'{{"digest": "{invites.digest(code)}"}}']


async def test_who_is_removed_is_linked_no_more(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    code = await code_of(one, **friend())
    await said(other, f"/link {code}", **DM)
    await pressed(other, "Yes, that is me", **DM)
    await pressed(one, "Reminders and to-dos", chat="2", sender=FRIEND)
    before = len(one.adapter.texts("2"))
    await said(one, f"/people remove {FRIEND}")
    assert await one.column(PAIRS) == [0]
    assert "has ended" in other.adapter.texts("D1")[-1]
    assert len(one.adapter.texts("2")) == before


async def test_to_forget_ends_it_too(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    assert "Forgotten" in await said(other, "/forget yes", **DM)
    assert await one.column(PAIRS) == [0]
    assert "has ended" in one.adapter.texts("1")[-1]


@pytest.mark.databases("sqlite", "postgres")
async def test_it_stands_in_both_ledgers_and_they_hold(database: Database, tmp_path: Path) -> None:
    one, other = await linked(database, tmp_path)
    await said(one, "/unlink")
    for home in (one, other):
        found = await home.column("SELECT tool FROM ledger WHERE tenant_id = :id ORDER BY n", id=home.tenant_id)
        assert {"answer_link", "end_link"} <= set(found)
    await one.app.anchor()
    report = await one.db.read(one.app.ledger.verify)
    assert report.problems == []


async def test_names_and_workspaces_are_shown_as_they_stand(database: Database, tmp_path: Path) -> None:
    one, other = await allowed(database, tmp_path)
    await one.db.write(lambda tx: tx.run("UPDATE tenant SET name = '[x](http://evil)' WHERE platform = 'slack'"))
    await one.db.write(lambda tx: tx.run("UPDATE person SET name = '*Ann*' WHERE name LIKE '%slack%'"))
    await said(other, f"/link {await code_of(one)}", **DM)
    await other.press("Yes, that is me", **DM)
    await one.db.write(lambda tx: tx.run("UPDATE person SET name = '*Ann*' WHERE name LIKE '%slack%'"))
    await one.work()
    assert one.adapter.texts("1")[-1].startswith("🔗 \\*Ann\\* on Slack (“`[x](http://evil)`”, `slack:T1:U1`)")


async def test_that_both_sides_must_allow_it_is_said_with_the_code(database: Database, tmp_path: Path) -> None:
    one, other = await platforms(database, tmp_path)
    first = "the owners on both sides have to allow it first: each writes"
    assert f"{first} /link allow to me." in await said(one, "/link")
    other.adapter.spelling = spelling("/teller", "/todo")
    assert f"{first} /link allow to me (on Slack /teller link allow)." in await said(other, "/link", **DM)
    await said(one, "/link allow")
    assert first not in await said(one, "/link")
