"""The two lines before the thread that writes."""

from __future__ import annotations

import asyncio

from core.kernel.ports import Tx
from core.store.sqlite.write_queue import BATCH, Job, Jobs


def job(jobs: Jobs[Job], *, first: bool = False) -> Job:
    """Put a job in line."""

    def nothing(tx: Tx) -> None:
        """What it does is of no interest here."""

    made = Job(nothing, asyncio.get_running_loop().create_future())
    jobs.put(made, first=first)
    return made


async def test_what_comes_from_outside_waits_for_nobody_and_shares_no_commit_with_others() -> None:
    jobs = Jobs[Job]()
    others = [job(jobs) for _ in range(2)]
    outside = [job(jobs, first=True) for _ in range(2)]
    assert jobs.take() == outside
    assert jobs.take() == others


async def test_each_line_keeps_its_order_and_so_many_share_a_commit() -> None:
    jobs = Jobs[Job]()
    made = [job(jobs) for _ in range(BATCH + 3)]
    assert jobs.take() == made[:BATCH]
    between = job(jobs, first=True)
    assert jobs.take() == [between]
    assert jobs.take() == made[BATCH:]


async def test_who_stands_in_line_is_served_before_the_end() -> None:
    jobs = Jobs[Job]()
    other, outside = job(jobs), job(jobs, first=True)
    jobs.end()
    assert [jobs.take(), jobs.take(), jobs.take()] == [[outside], [other], []]
