"""Stories of what is taken along: an export comes as a file, and a file is taken in."""

from __future__ import annotations

from tests.acceptance.packing import answered, exported, filled, parts, unpacked
from tests.acceptance.stories.stage import Stage
from tests.capabilities.documents.made import pdf


async def an_export_has_what_is_kept_of_a_person_and_nothing_of_others(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    await answered(on, bob, "/todo canary-bob", "canary-bob")
    await answered(on, bob, "/remember canary-memory of bob", "canary-memory")
    await filled(on, ann)
    name, content = await exported(on, ann)
    files = unpacked(content)
    assert name.startswith("teller-export-")
    assert "buy milk" in files["TODO.WIP.md"]
    assert "bread (list shopping)" in files["TODO.WIP.md"]
    assert "I am allergic to nuts" in files["memory.md"]
    assert "SUMMARY:stand-up" in files["reminders.ics"]
    assert "canary" not in "".join(files.values())


async def what_is_not_wanted_is_not_taken_in(on: Stage) -> None:
    ann = on.platform.member()
    chat = on.platform.private(ann)
    await on.talk(ann)
    on.platform.give(ann, "MEMORY.md", b"- canary-cancelled\n", "/import")
    await on.until(lambda: any("MEMORY.md has: 1 memory." in text for text in on.texts(chat)))
    await on.pressed(ann, on.platform.shown(chat)[-1], "Cancel")
    await on.until(lambda: any("Nothing was imported." in text for text in on.texts(chat)))
    _, content = await exported(on, ann)
    assert parts(content)["memories"] == []


async def what_was_sent_is_listed_sent_back_deleted_and_brought_back(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    chat = on.platform.private(ann)
    await on.talk(bob)
    on.platform.give(bob, "canary.txt", b"not ann's", "keep this")
    on.platform.give(ann, "plums.txt", b"blue plums", "keep this")
    await on.until(lambda: on.texts(chat) != [])
    listed = await answered(on, ann, "/files", "plums")
    assert not any("canary" in text for text in on.texts(chat))
    await on.pressed(ann, listed, "plums.txt")
    await on.until(lambda: "Send me" in on.now(listed).labels)
    await on.pressed(ann, on.now(listed), "Send me")
    await on.until(lambda: on.platform.files(chat) == [("plums.txt", b"blue plums")])
    await on.pressed(ann, on.now(listed), "Delete")
    await on.until(lambda: any("Deleted: plums" in text for text in on.texts(chat)))
    await answered(on, ann, "/files", "There are no files here")
    await answered(on, ann, "/undo", "Taken back")
    await answered(on, ann, "/files plums", "plums")


async def a_document_is_read_and_found_by_who_sent_it_alone(on: Stage) -> None:
    ann, bob = on.platform.member(), on.platform.member()
    chat = on.platform.private(ann)
    pages = [["This is the lease of a flat."], ["Deposit.", "The marmots in the basement may stay."]]
    on.platform.give(ann, "lease.pdf", pdf(pages), "what does it say?")
    # The model of the stories repeats what it was told.
    await on.until(lambda: any("The marmots in the basement may stay." in text for text in on.texts(chat)))
    found = await answered(on, ann, "/history marmots basement", "basement")
    while "lease.pdf, page 2" not in found.text:
        found = await answered(on, ann, "/history marmots basement", "basement")
    await answered(on, bob, "/history basement", "I found nothing")
