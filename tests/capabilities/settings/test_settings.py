"""Language, zone, context, reading along, and taking back: by command, for a person or for a group."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.kernel.ports import Database
from tests.commanding import FRIEND, GROUP, GUEST, friend, group, home, intents, labels, pressed, said
from tests.conftest import DatabaseMaker
from tests.fakes import Crash, CrashingDatabase
from tests.triggering import passes

pytestmark = pytest.mark.databases("sqlite")


async def test_a_person_chooses_a_language_and_takes_it_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/language zh") == "语言：中文。"
    assert labels(house) == ["撤销"]
    assert await said(house, "/id") == "你：`tg:1`\n本聊天：`1`"
    assert (await pressed(house, "撤销")).startswith("↩ 已撤销")
    assert (await said(house, "/id")).startswith("You: ")


async def test_languages_are_offered_as_buttons(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert await said(house, "/language") == "Language: automatic. Choose another:"
    assert labels(house) == ["English", "Deutsch", "中文", "automatic"]
    assert await pressed(house, "中文") == "语言：中文。"
    assert await said(house, "/language 自动") == "语言：自动。"
    assert await house.column("SELECT chosen_language FROM person") == [""]


async def test_an_unknown_language_is_answered_with_those_that_are_known(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    assert "en, de, zh" in await said(house, "/language *klingon*")
    assert await house.column("SELECT count(*) FROM undo") == [0]


@pytest.mark.parametrize(
    ("town", "zone"),
    [
        ("berlin", "Europe/Berlin"),
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("上海", "Asia/Shanghai"),
        ("new  york", "America/New_York"),
        ("Montevideo", "America/Montevideo"),
        ("UTC", "UTC"),
    ],
)
async def test_a_zone_is_known_by_its_name_and_by_towns(
    make_database: DatabaseMaker, tmp_path: Path, town: str, zone: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    assert await said(house, f"/timezone {town}") == f"Time zone: {zone}."
    assert f"({zone.partition('/')[2].replace('_', ' ') or zone})" in await said(house, "/time")


@pytest.mark.parametrize("town", ["Atlantis", "../etc/passwd", "localtime", "/", "[x](http://evil.example)"])
async def test_an_unknown_place_is_answered_with_an_example(
    make_database: DatabaseMaker, tmp_path: Path, town: str
) -> None:
    house = await home(await make_database("sqlite"), tmp_path)
    answer = await said(house, f"/timezone {town}")
    assert "Examples: /timezone Berlin" in answer
    assert "[x]" not in answer
    assert await house.column("SELECT timezone FROM person") == [""]


async def test_a_zone_is_taken_back_by_its_button_only_once(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Tokyo")
    await said(house, "/timezone Berlin")
    (undo,) = await intents(house, "settings.undo")
    assert await pressed(house, "Undo") == "↩ Taken back: the choice of time zone."
    assert await house.column("SELECT timezone FROM person") == ["Asia/Tokyo"]
    assert await said(house, f"/undo {undo.arguments['undo']}") == "That is taken back already."
    assert await house.column("SELECT timezone FROM person") == ["Asia/Tokyo"]


async def test_undo_without_an_id_takes_back_one_thing_after_the_other(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Tokyo")
    await said(house, "/language zh")
    assert (await said(house, "/undo")).startswith("↩ 已撤销：")
    assert await said(house, "/undo") == "↩ Taken back: the choice of time zone."
    assert await said(house, "/undo") == (
        "There is nothing to take back: I only remember what you did here in the last 24 hours."
    )


async def test_what_is_older_than_a_day_is_not_taken_back(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Tokyo")
    house.clock.advance(25 * 3600)
    assert "nothing to take back" in await said(house, "/undo")
    assert "more than 24 hours ago" in await pressed(house, "Undo")
    assert await house.column("SELECT timezone FROM person") == ["Asia/Tokyo"]


async def test_nobody_takes_back_what_another_did(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    await said(house, "/timezone Tokyo", sender=FRIEND, **GROUP)
    assert await house.press("Undo", sender=GUEST, chat="-5") == "This button is for somebody else."
    (undo,) = await intents(house, "settings.undo")
    text = f"/undo {undo.arguments['undo']}"
    assert "only whoever did it" in await said(house, text, sender=GUEST, **GROUP)
    assert "only whoever did it" in await said(house, text, **friend())
    assert await house.column("SELECT timezone FROM chat WHERE external_id = '-5'") == ["Asia/Tokyo"]


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("commits", [1, 2])
async def test_a_crash_in_the_middle_of_taking_back_takes_back_once(
    database: Database, tmp_path: Path, commits: int, after: bool
) -> None:
    crashing = CrashingDatabase(database)
    house = await home(crashing, tmp_path)
    await said(house, "/timezone Tokyo")
    await said(house, "/timezone Berlin")
    await house.hear("/undo")
    crashing.arm(commits, after=after)
    with pytest.raises(Crash):
        await house.work()
    second = await home(database, tmp_path)
    await second.app._take_up()
    await second.work()
    assert await second.column("SELECT timezone FROM person") == ["Asia/Tokyo"]
    assert await second.column("SELECT count(*) FROM undo WHERE ended_at IS NULL") == [1]


async def test_a_group_has_a_language_and_a_zone_of_its_own(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path, admin=FRIEND)
    assert await said(house, "/language zh", sender=FRIEND, **GROUP) == "语言：中文。"
    assert (await said(house, "/timezone 北京", sender=FRIEND, **GROUP)) == "时区：Asia/Shanghai。"
    assert (await said(house, "/id", sender=GUEST, **GROUP)).startswith("你：")
    assert (await said(house, "/id", **friend())).startswith("You: ")


@pytest.mark.parametrize("command", ["/language zh", "/timezone Tokyo", "/readalong on"])
async def test_only_administrators_change_a_group(database: Database, tmp_path: Path, command: str) -> None:
    house = await group(database, tmp_path)
    for sender in (FRIEND, GUEST):
        answer = await said(house, command, sender=sender, **GROUP)
        assert answer == "Only an administrator of this group may do that."
    assert await house.rows("SELECT language, timezone, reads_along FROM chat WHERE external_id = '-5'") == [
        {"language": "", "timezone": "", "reads_along": 0}
    ]
    assert "administrator" not in await said(house, command, **GROUP)


async def test_reading_along_is_announced_and_can_be_taken_back(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    assert "/optout" in await said(house, "/readalong on", **GROUP)
    assert await said(house, "/readalong on", **GROUP) == "I read along here already."
    await house.hear("dinner at eight", sender=GUEST, addressed=False, **GROUP)
    assert await house.column("SELECT text FROM message WHERE aside = 1") == ["dinner at eight"]
    assert "I only see what is said to me" in await said(house, "/readalong off", **GROUP)
    await house.hear("secret", sender=GUEST, addressed=False, **GROUP)
    assert await house.column("SELECT text FROM message WHERE aside = 1") == ["dinner at eight"]
    await pressed(house, "Undo", chat="-5", chat_kind="group")
    assert await house.column("SELECT reads_along FROM chat WHERE external_id = '-5'") == [1]


@pytest.mark.parametrize("text", ["/readalong", "/readalong maybe"])
async def test_reading_along_wants_a_clear_word(database: Database, tmp_path: Path, text: str) -> None:
    house = await group(database, tmp_path)
    assert await said(house, text, **GROUP) == "Write /readalong on or /readalong off."
    assert await said(house, "/readalong on") == "That works in a group only."


async def test_reading_along_is_not_promised_where_nothing_can_be_read(database: Database, tmp_path: Path) -> None:
    house = await group(database, tmp_path)
    house.adapter.seeing = False
    assert "administrator of this group" in await said(house, "/readalong on", **GROUP)
    await house.hear("plum for all", addressed=False, **GROUP)
    assert await house.column("SELECT count(*) FROM message WHERE text LIKE '%plum%'") == [0]
    assert await house.column("SELECT max(reads_along) FROM chat") == [0]
    assert await said(house, "/readalong off", **GROUP) == "I don't read along here."


@pytest.mark.databases("sqlite", "postgres")
async def test_what_is_held_back_is_not_lost_in_another_zone(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Berlin")  # where it is 16:13
    await said(house, "/quiet 16:00-20:00")
    await said(house, "/every day at 17:00 water the plants")
    await database.write(lambda tx: tx.run("UPDATE trigger SET depth = 2"))
    await passes(house, 3600)
    assert not any(text.startswith("⏰ water") for text in house.adapter.texts("1"))
    await said(house, "/timezone Tokyo")  # where it is 0:13
    await house.sweep()
    assert sum("water the plants" in one and "late" not in one for one in house.adapter.texts("1")[-1:]) == 1
    before = len(house.adapter.texts("1"))
    await passes(house, 20 * 3600)
    assert len(house.adapter.texts("1")) == before + 1


@pytest.mark.parametrize(
    ("first", "column", "edits", "last"),
    [
        ("/timezone Tokyo", "timezone", ["/timezone  berlin", "/timezone Berlin", "/timezone Paris"], "Europe/Paris"),
        ("/quiet 22-7", "quiet", ["/quiet 23-7", "/quiet 23:00-07:00", "/quiet from 20 to 6"], "20:00-06:00"),
    ],
)
async def test_an_edit_of_a_zone_or_of_quiet_hours_is_followed_as_if_the_former_was_undone(
    database: Database, tmp_path: Path, first: str, column: str, edits: list[str], last: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, "remind me tomorrow at 9 to run")
    due = await house.column("SELECT next_at FROM trigger")
    await said(house, first, message_id="m1")
    answers = [await said(house, text, message_id="m1", edits="m1") for text in edits]
    # What says the same is not done again.
    assert [not answer for answer in answers] == [False, True, False]
    assert await house.column(f"SELECT {column} FROM person") == [last]
    assert await said(house, f"{first.split(maxsplit=1)[0]} nonsense", message_id="m1", edits="m1") != ""
    assert await house.column("SELECT count(*) FROM undo WHERE ended_at IS NULL AND tool LIKE 'choose%'") == [1]
    # One Undo takes all of it back.
    assert (await pressed(house, "Undo")).startswith("↩ Taken back")
    assert await house.column("SELECT next_at FROM trigger") == due
    # What the nonsense was asked back for is left.
    await said(house, "never mind")
    assert "nothing" in await said(house, edits[0], message_id="m1", edits="m1")


@pytest.mark.parametrize(
    ("column", "said_so", "zone"),
    [
        ("timezone", ["/timezone Tokyo", "/timezone Berlin", "/timezone Paris"], "Europe/Paris"),
        ("timezone", ["I live in Tokyo", "I live in Berlin", "I live in Paris"], "Europe/Paris"),
        ("quiet", ["/quiet 22-7", "/quiet 23-7", "/quiet 20-6"], "20:00-06:00"),
        ("quiet", ["be quiet from 22 to 7", "be quiet from 23 to 7", "be quiet from 20 to 6"], "20:00-06:00"),
    ],
)
async def test_of_two_edits_that_come_together_the_last_one_counts(
    database: Database, tmp_path: Path, column: str, said_so: list[str], zone: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, said_so[0], message_id="m1")
    for text in said_so[1:]:
        await house.hear(text, message_id="m1", edits="m1")
    await house.work()
    assert await house.column(f"SELECT {column} FROM person") == [zone]
    assert await house.column("SELECT count(*) FROM undo WHERE ended_at IS NULL") == [1]
    assert (await pressed(house, "Undo")).startswith("↩ Taken back")
    assert await house.column(f"SELECT {column} FROM person") == [""]


@pytest.mark.parametrize(("first", "then"), [("/timezone Tokyo", "/timezone Paris"), ("/quiet 22-7", "/quiet 23-7")])
@pytest.mark.parametrize("late", [True, False])
async def test_an_edit_of_what_cannot_be_taken_back_any_more_changes_nothing(
    database: Database, tmp_path: Path, first: str, then: str, late: bool
) -> None:
    house = await home(database, tmp_path)
    await said(house, first, message_id="m1")
    house.clock.advance(25 * 3600 if late else 1)
    if not late:
        # It is pressed before, but done only when the edit is here.
        await house.press("Undo")
    told = await said(house, then, message_id="m1", edits="m1")
    assert told.splitlines()[-1] == "That edit changes nothing; please say it anew."
    assert await house.column("SELECT count(*) FROM undo") == [1]


async def test_what_is_said_by_the_way_is_no_choice(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "I live in Tokyo", message_id="m1")
    await said(house, "I live in a house", message_id="m1", edits="m1")
    assert await house.column("SELECT timezone FROM person") == ["Asia/Tokyo"]


async def test_an_edit_of_what_was_chosen_anew_meanwhile_changes_nothing(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/quiet 22-7", message_id="m1")
    await said(house, "/quiet 21-7", message_id="m2")
    assert "nothing" in await said(house, "/quiet 20-7", message_id="m1", edits="m1")
    assert "20:00" in await said(house, "/quiet 20-7", message_id="m2", edits="m2")


@pytest.mark.parametrize(
    ("column", "former", "first", "zone"),
    [
        ("timezone", "/timezone Berlin", "/timezone Tokyo", "Europe/Berlin"),
        ("quiet", "/quiet 22-7", "/quiet 20-7", "22:00-07:00"),
    ],
)
async def test_an_edit_that_leads_back_to_what_was_before_has_nothing_to_take_back(
    database: Database, tmp_path: Path, column: str, former: str, first: str, zone: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, former, message_id="m0")
    await said(house, first, message_id="m1")
    before = len(house.adapter.sent)
    assert await said(house, former, message_id="m1", edits="m1") != ""
    assert house.adapter.sent[before:]
    assert not any(sent.keyboard for sent in house.adapter.sent[before:])
    assert await house.column(f"SELECT {column} FROM person") == [zone]
    # What is chosen as it is has none either; what is taken back is the choice that was made.
    await said(house, former)
    assert await house.column("SELECT count(*) FROM undo WHERE ended_at IS NULL") == [1]
    assert (await said(house, "/undo")).startswith("↩ Taken back")
    assert await house.column(f"SELECT {column} FROM person") == [""]


@pytest.mark.parametrize(
    ("column", "same", "edits", "last"),
    [
        ("timezone", "/timezone Berlin", ["/timezone Rome", "/timezone Paris"], "Europe/Paris"),
        ("timezone", "/timezone Berlin", ["I live in Paris"], "Europe/Paris"),
        ("quiet", "/quiet 22-7", ["/quiet 23-7", "/quiet 20-7"], "20:00-07:00"),
    ],
)
async def test_an_edit_of_what_chose_what_was_so_before_is_followed(
    database: Database, tmp_path: Path, column: str, same: str, edits: list[str], last: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, same)
    await said(house, same, message_id="m1")
    before = await house.column(f"SELECT {column} FROM person")
    for text in edits:
        assert "changes nothing" not in await said(house, text, message_id="m1", edits="m1")
    assert await house.column(f"SELECT {column} FROM person") == [last]
    assert (await pressed(house, "Undo")).startswith("↩ Taken back")
    assert await house.column(f"SELECT {column} FROM person") == before
    assert "nothing" in await said(house, same, message_id="m1", edits="m1")


@pytest.mark.parametrize(
    ("same", "chosen", "edit", "column"),
    [
        ("/timezone Berlin", "/timezone Tokyo", "/timezone Paris", "timezone"),
        ("/quiet 22-7", "/quiet 21-7", "/quiet 20-7", "quiet"),
    ],
)
async def test_an_edit_of_what_chose_what_was_so_before_leaves_what_was_chosen_since(
    database: Database, tmp_path: Path, same: str, chosen: str, edit: str, column: str
) -> None:
    house = await home(database, tmp_path)
    await said(house, same)
    await said(house, same, message_id="m1")
    await said(house, chosen)
    before = await house.column(f"SELECT {column} FROM person")
    assert "changes nothing" in await said(house, edit, message_id="m1", edits="m1")
    assert await house.column(f"SELECT {column} FROM person") == before


@pytest.mark.databases("sqlite", "postgres")
@pytest.mark.parametrize("chosen", ["", "/timezone Tokyo"])
async def test_an_edit_of_a_place_that_nobody_knows_is_done(database: Database, tmp_path: Path, chosen: str) -> None:
    house = await home(database, tmp_path)
    edit = {"message_id": "m1", "edits": "m1"}
    await said(house, chosen or "/timezone xyzzy", message_id="m1")
    assert "xyzzyx" in await said(house, "/timezone xyzzyx", **edit)
    assert "Europe/Berlin" in await said(house, "/timezone Berlin", **edit)
    assert await house.column("SELECT timezone FROM person") == ["Europe/Berlin"]
    assert await house.column("SELECT count(*) FROM question WHERE state = 'open'") == [0]
    assert "Europe/Paris" in await said(house, "/timezone Paris", **edit)
    assert (await pressed(house, "Undo")).startswith("↩ Taken back")
    assert await house.column("SELECT timezone FROM person") == [""]


async def test_what_stays_at_its_time_in_another_zone_is_not_counted_as_moved(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path)
    await said(house, "/timezone Berlin")
    await said(house, "remind me every day at 9:00 to stretch")
    assert await said(house, "/timezone Vienna") == "Time zone: Europe/Vienna."
    assert "Now at other times: 1." in await said(house, "/timezone Tokyo")


async def test_the_choice_of_a_language_is_taken_back_in_that_language(database: Database, tmp_path: Path) -> None:
    house = await home(database, tmp_path)
    await said(house, "/language zh")
    assert await said(house, "/undo") == "↩ 已撤销：语言的选择。"
    await said(house, "/language zh")
    await said(house, "/language de")
    assert await said(house, "/undo") == "↩ Zurückgenommen: die Wahl der Sprache."


async def test_a_question_is_left_by_the_words_of_its_button_in_every_language(
    database: Database, tmp_path: Path
) -> None:
    house = await home(database, tmp_path, language="zh")
    await said(house, "/timezone")
    assert "跳过" in labels(house)
    assert "不认识" not in await said(house, "跳过")
