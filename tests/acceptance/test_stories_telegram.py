"""The stories of every platform, on Telegram."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.acceptance.playing import TELEGRAM, Way
from tests.acceptance.stories.stage import Stage
from tests.acceptance.told import Stories, listed, pairing, stage

__all__ = ("listed", "pairing", "stage")

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def way() -> Way:
    """How they are played."""
    return TELEGRAM


class TestOnTelegram(Stories):
    """All of them."""


async def test_asked_in_a_group_a_summary_comes_in_private_with_links(stage: Stage) -> None:
    ann, bob = stage.platform.owner, stage.platform.member()
    family = stage.platform.upgrade(await stage.family(ann, bob), ann)
    await stage.talk(bob)
    stage.platform.say(ann, "/readalong on", family)
    await stage.until(lambda: any("read along" in text for text in stage.texts(family)))
    stage.platform.say(ann, "Who brings the plum cake?", family)
    stage.platform.say(bob, "/summary", family)
    await stage.until(lambda: any("sending it to you" in text for text in stage.texts(family)))
    private = stage.platform.private(bob)
    await stage.until(lambda: any("plum cake" in text for text in stage.texts(private)))
    assert not any("plum" in text for text in stage.texts(family))
    stage.platform.say(bob, "/history plum cake", family)
    await stage.until(lambda: any("Who brings the plum cake?" in text for text in stage.texts(family)))


async def test_a_button_from_before_a_group_became_a_supergroup_counts(stage: Stage) -> None:
    ann, bob = stage.platform.member(), stage.platform.member()
    family = await stage.family(ann, bob)
    question = await stage.tea(ann, family)
    now = stage.platform.upgrade(family, ann)
    # The old message stays in the old group, and so does the press.
    assert await stage.pressed(ann, question, "Coffee") == "Coffee"
    await stage.told(now, "Noted: Coffee (user).")
