"""Stories of the to-do list: items are found by words, ticked by buttons, and shown in pages."""

from __future__ import annotations

from tests.acceptance.stories.days import MINUTE, Days
from tests.acceptance.stories.platform import Person, Shown


async def _add(on: Days, person: Person, *texts: str) -> None:
    for text in texts:
        # What is said faster than that would have to wait.
        on.passes(2)
        assert (await on.says(person, f"/todo {text}")).text == f"☐ {text}"
    on.passes(MINUTE)


async def _turned(on: Days, person: Person, shown: Shown, label: str, words: str) -> Shown:
    """Press a button of a list; the same message shows what came of it."""
    said = len(on.texts(shown.chat))
    await on.pressed(person, on.now(shown), label)
    turned = await on.becomes(shown, words)
    assert len(on.texts(shown.chat)) == said
    return turned


async def of_several_that_may_be_meant_a_button_decides(on: Days) -> None:
    ann = on.platform.member()
    await _add(on, ann, "buy milk", "buy bread")
    which = await on.says(ann, "/todo done buy")
    assert (which.text, which.labels) == ("Which one?", ["buy milk", "buy bread"])
    await on.pressed(ann, which, "buy bread")
    await on.sees(which.chat, "☑ buy bread", after=which)
    assert (await on.says(ann, "/todo")).labels == ["☐ buy milk", "☑ buy bread"]


async def an_item_is_ticked_and_unticked_in_its_place(on: Days) -> None:
    ann = on.platform.member()
    await _add(on, ann, "buy milk", "call Oma")
    shown = await on.says(ann, "/todo")
    assert shown.text.startswith("📝 To do: 2")
    ticked = await _turned(on, ann, shown, "☐ buy milk", "📝 To do: 1")
    assert ticked.labels == ["☑ buy milk", "☐ call Oma"]
    unticked = await _turned(on, ann, shown, "☑ buy milk", "📝 To do: 2")
    assert unticked.labels == ["☐ buy milk", "☐ call Oma"]


async def a_long_list_has_pages(on: Days) -> None:
    ann = on.platform.member()
    await _add(on, ann, *(f"thing {n}" for n in range(10)))
    shown = await on.says(ann, "/todo")
    assert shown.labels == [*(f"☐ thing {n}" for n in range(8)), "▶"]
    second = await _turned(on, ann, shown, "▶", "thing 9")
    assert second.labels == ["☐ thing 8", "☐ thing 9", "◀"]
    ticked = await _turned(on, ann, shown, "☐ thing 9", "📝 To do: 9")
    assert ticked.labels == ["☐ thing 8", "☑ thing 9", "◀"]
    first = await _turned(on, ann, shown, "◀", "thing 0")
    assert first.labels[-1] == "▶"


async def in_a_group_it_says_who_did_it(on: Days) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    family = await on.family(ann, bob)
    await on.says(ann, "/todo bring cake", family)
    shown = await on.asks_openly(ann, "/todo", family)
    ticked = await _turned(on, bob, shown, "☐ bring cake", "📝 To do: 0")
    assert f"({bob.name})" in ticked.text


async def what_is_assigned_in_a_group_is_seen_in_private_only_while_one_is_in_it(on: Days) -> None:
    ann, bob, eve = on.platform.member(), on.platform.member(), on.platform.member()
    family = await on.family(ann, bob, eve)
    for one in (bob, eve):
        await on.talk(one)
        await on.talk(one, family)
    await on.says(ann, f"/todo bring cake for {bob.name}", family)
    theirs = await on.says(bob, "/todo")
    assert "From your groups:" in theirs.text
    assert "bring cake" in theirs.text
    assert (await on.says(eve, "/todo")).text.startswith("📝 Nothing to do.")
    on.platform.leave(family, bob)
    on.passes(10 * MINUTE)
    assert (await on.says(bob, "/todo")).text.startswith("📝 Nothing to do.")
