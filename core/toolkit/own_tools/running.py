"""Calling what somebody else wrote, so that it can hold up nobody: apart from our own loop, and left when it hangs.

What is a coroutine runs in a loop of its own thread and is cancelled there; what is a plain function has a thread to
itself, which nobody can end: it is left behind, and goes with the process. Who is told that something was stopped is
told which of them go on (`unfinished`).
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import islice
from typing import Any

from pydantic_core import to_jsonable_python

from core.kernel.errors import ToolError
from core.kernel.markdown import coded
from core.kernel.types import Json
from core.language import Language
from core.toolkit.results import LIMIT, fit

# Plain functions that may be at work at the same time, those that were left behind too.
MOST_THREADS = 16
# Each with its name, and the number of the run that called it.
_running: dict[threading.Thread, tuple[str, int]] = {}


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop of coroutines, in a thread that ends with the process."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="own tools", daemon=True).start()
    return loop


def unfinished(texts: Language, runs: Collection[int | None]) -> str:
    """Say which plain functions go on although the runs that called them were stopped; empty for none."""
    names = dict.fromkeys(coded(name) for name, run_id in list(_running.values()) if run_id in runs)
    return texts.say("stopped_unfinished", tools=texts.listed(list(names))) if names else ""


async def call(name: str, function: Callable[..., Any], arguments: dict[str, Any], run_id: int) -> Json:
    """Call a function for a run and return what it returns, as JSON that fits. Who is cancelled waits for nothing.

    Raises what it raises; one that would end the process is a `RuntimeError`.
    """
    if inspect.iscoroutinefunction(function):
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_guarded(function, arguments), _loop()))
    ours, done = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def work() -> None:
        result, error = None, None
        try:
            result = _plain(function(**arguments))
        except BaseException as raised:  # a stranger's code: whatever ends it is told
            error = _told(raised)
        _running.pop(threading.current_thread(), None)
        if not ours.is_closed():
            ours.call_soon_threadsafe(settle, result, error)

    if len(_running) >= MOST_THREADS:
        raise ToolError(name, f"{MOST_THREADS} calls of such tools still run or hang; try again later")
    thread = threading.Thread(target=work, name=f"own tool {name}", daemon=True)
    _running[thread] = name, run_id
    thread.start()
    return await done


async def _guarded(function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    try:
        return _plain(await function(**arguments))
    except BaseException as raised:
        task = asyncio.current_task()
        if isinstance(raised, asyncio.CancelledError) and task is not None and task.cancelling():
            raise
        raise _told(raised) from raised


def _plain(result: Any) -> Json:
    """Return a result as JSON. That runs code of its own, as generators and texts of objects do: so it is done where
    the function is called. Of what may have no end more is not taken than a result can have; what is no number for JSON
    is null, since no model's server takes it."""
    whole = list(islice(result, LIMIT)) if isinstance(result, Iterator) else result
    return fit(to_jsonable_python(whole, fallback=str, inf_nan_mode="null"))


def _told(raised: BaseException) -> BaseException:
    """Return an error as a future takes it: none that ends a process, or a loop."""
    if isinstance(raised, Exception) and not isinstance(raised, StopIteration):
        return raised
    return RuntimeError(f"{type(raised).__name__}: {raised}")
