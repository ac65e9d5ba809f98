"""The stories of every platform, on Slack."""

from __future__ import annotations

import pytest
import pytest_asyncio

from tests.acceptance.playing import SLACK, Way
from tests.acceptance.told import Stories, listed, pairing, stage

__all__ = ("listed", "pairing", "stage")

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def way() -> Way:
    """How they are played."""
    return SLACK


class TestOnSlack(Stories):
    """All of them."""
