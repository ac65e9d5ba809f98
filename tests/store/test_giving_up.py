"""What fails again and again is tried three times, then it is given up (STATES: What fails again and again)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from core.kernel.errors import StorageError
from core.kernel.ports import Database, Tx
from core.store.conversation import questions
from core.store.giving_up import TRIES, try_or_give_up


def fails(done: list[str], name: str, times: int = TRIES, error: type[Exception] = ValueError) -> Callable[[Tx], None]:
    """Return what fails so often, and then can be done."""
    tried: list[int] = []

    def attempt(tx: Tx) -> None:
        tried.append(1)
        if len(tried) <= times:
            raise error(name)
        done.append(name)

    return attempt


@pytest.mark.parametrize(("times", "ends"), [(0, ["wanted"]), (2, ["wanted"]), (3, ["given up"])])
async def test_it_is_done_within_three_tries_or_given_up(database: Database, times: int, ends: list[str]) -> None:
    done: list[str] = []
    ending = fails(done, "given up", 0)
    assert await try_or_give_up(database, "row 1", fails(done, "wanted", times), ending)
    assert done == ends


async def test_of_the_endings_the_first_possible_one_is_taken(database: Database) -> None:
    done: list[str] = []
    endings = (fails(done, "told"), fails(done, "silent", 0))
    assert await try_or_give_up(database, "row 1", fails(done, "wanted"), *endings)
    assert done == ["silent"]
    assert not await try_or_give_up(database, "row 1", fails(done, "wanted"), fails(done, "told"))


async def test_a_database_that_fails_is_not_the_fault_of_a_row(database: Database) -> None:
    done: list[str] = []
    with pytest.raises(StorageError):
        await try_or_give_up(database, "row 1", fails(done, "wanted", 1, StorageError), fails(done, "given up", 0))
    assert done == []


async def test_however_many_questions_are_left_alone_others_are_looked_for(database: Database) -> None:
    alone, elsewhere = range(10_000), range(2_000)
    assert await database.read(lambda tx: questions.due(tx, 1, 5, elsewhere=elsewhere, left_alone=alone)) == []
