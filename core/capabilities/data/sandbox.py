"""Where a model's Python runs: in a process of its own that has no files, no network and no environment.

The language is Monty's, a part of Python in Rust. Its interpreter is a child process with limits of time, memory and
depth; one that dies or hangs is killed and replaced by the library, and nothing of that reaches ours. Nothing of the
host is given to it, neither functions nor folders.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import datetime
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pydantic_monty import AsyncMonty

# There is no wheel for some platforms; then there is no tool, and all else works.
AVAILABLE = find_spec("pydantic_monty") is not None

SECONDS, BYTES, DEPTH = 2.0, 32 << 20, 200
# The child is killed that long after it should have stopped by itself; and whoever waits for one gives up.
KILL_AFTER, PATIENCE = 5.0, 10.0
AT_ONCE = 2
# After so many runs a child is replaced, whatever it holds by then.
RUNS_A_CHILD = 500
LONGEST_OUTPUT = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a program printed, with what its last line is worth behind it, and why it stopped, empty when it did by
    itself. `cut` when it had printed more."""

    output: str
    error: str = ""
    cut: bool = False


class _Enough(Exception):
    """The program has printed all that is kept of it."""


class _Printed:
    """Keeps the beginning of what a program prints; then stops taking it."""

    def __init__(self) -> None:
        self.text = ""
        self.cut = False

    def __call__(self, _stream: Literal["stdout", "stderr"], text: str) -> None:
        left = LONGEST_OUTPUT - len(self.text)
        self.text += text[:left]
        if len(text) > left:
            self.cut = True
            raise _Enough


class Sandbox:
    """Runs programs, two at once. The first one starts the child processes; `close` ends them."""

    def __init__(self) -> None:
        self._starting, self._stack = asyncio.Lock(), AsyncExitStack()
        self._pool: AsyncMonty | None = None

    async def run(self, code: str, now: datetime) -> Ran:
        """Run a program for which it is `now`, in the zone of that instant.

        What goes wrong in it is part of what it gives back. Raises `TimeoutError` where others are run for too long.
        """
        from pydantic_monty import MontyCrashedError, MontyError, MontyRuntimeError, MontySyntaxError  # noqa: PLC0415 - where there is one

        async with self._starting:
            if self._pool is None:
                self._pool = await self._start()
        printed, error, value = _Printed(), "", None
        try:
            async with self._pool.checkout(
                script_name="code.py",
                limits={"max_feed_duration_secs": SECONDS, "max_memory": BYTES, "max_recursion_depth": DEPTH},
                os_policy={"datetime": now, "sleep": "zero"},
            ) as session:
                value = await session.feed_run(code, print_callback=printed)
        except (MontySyntaxError, MontyRuntimeError) as failure:
            line = next((frame.line for frame in reversed(failure.traceback())), 0)
            error = failure.display("type-msg") + (f" (line {line})" if line else "")
        except MontyCrashedError:
            error = "the program was stopped: it took too long or too much memory"
        except MontyError as failure:
            error = str(failure)
        if printed.cut:
            error = f"the program printed more than {LONGEST_OUTPUT} characters; print less"
        output = printed.text
        if value is not None:
            # As Python's own prompt shows it, but for texts.
            try:
                output += value if isinstance(value, str) else repr(value)
            except ValueError as failure:  # a number with too many digits
                error = f"ValueError: {failure}"
        cut = printed.cut or len(output) > LONGEST_OUTPUT
        return Ran(output=output[:LONGEST_OUTPUT], error=error, cut=cut)

    async def _start(self) -> AsyncMonty:
        from pydantic_monty import AsyncMonty  # noqa: PLC0415 - where there is one, and only when it is used

        pool = AsyncMonty(
            max_processes=AT_ONCE,
            checkout_timeout=PATIENCE,
            request_timeout=KILL_AFTER,
            max_checkouts_per_worker=RUNS_A_CHILD,
        )
        return await self._stack.enter_async_context(pool)

    async def close(self) -> None:
        """End the child processes."""
        await self._stack.aclose()
