"""What a small program of a model takes (`run_python`): from the call to its end, and CPU of both processes."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path

from core.capabilities.data.sandbox import Sandbox

RUNS, AIM = 500, 2.0
PROGRAM = """
rows = [("rent", 1250.0), ("food", 412.5), ("train", 89.9)]
for name, amount in rows:
    print(f"{name:<8}{amount:>10.2f}")
print(f"{'sum':<8}{sum(a for _, a in rows):>10.2f}")
"""
NOW = datetime(2026, 11, 26, 9, tzinfo=UTC)


async def measure() -> str:
    """Return the median time of many runs one after the other, and their mean CPU."""
    sandbox, times = Sandbox(), []
    try:
        began = time.perf_counter()
        await sandbox.run(PROGRAM, NOW)
        first = (time.perf_counter() - began) * 1000
        ours, child = time.process_time(), _children()
        for _ in range(RUNS):
            began = time.perf_counter()
            await sandbox.run(PROGRAM, NOW)
            times.append((time.perf_counter() - began) * 1000)
        ours, child = (time.process_time() - ours) / RUNS * 1000, (_children() - child) / RUNS * 1000
    finally:
        await sandbox.close()
    p50 = sorted(times)[RUNS // 2]
    return (
        f"run_python: p50 {p50:.2f} ms (aim {AIM:.0f}), the first {first:.0f} ms;"
        f" CPU {ours:.2f} ms here and {child:.2f} ms in the child"
    )


def _children() -> float:
    """CPU seconds of the child processes that live, where the system shows them."""
    task = Path("/proc/self/task") / str(os.getpid()) / "children"
    ticks = 0
    for pid in task.read_text().split() if task.exists() else ():
        fields = (Path("/proc") / pid / "stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")
