"""Our bot as a process, and a heart beside it that notes when its event loop was held up."""

from __future__ import annotations

import asyncio
import atexit
import json
import os
import time
from pathlib import Path

from bot.__main__ import main

BEAT = 0.005
WORTH_NOTING = 0.01


class Heart:
    """Beats on an event loop; `late` are pairs of the monotonic time of a beat and by how many seconds it was late."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.late: list[tuple[float, float]] = []
        self._loop = loop
        self._next()

    def _next(self) -> None:
        at = time.monotonic() + BEAT
        self._loop.call_at(at, self._beat, at)

    def _beat(self, at: float) -> None:
        now = time.monotonic()
        if now - at > WORTH_NOTING:
            self.late.append((now, now - at))
        self._next()


class Watched(asyncio.DefaultEventLoopPolicy):
    """Loops with a heart, whose record is written down at the end."""

    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        """Make a loop whose heart beats."""
        loop = super().new_event_loop()
        import gc
        if os.environ.get('SWI','').startswith('0.0005'): loop.call_later(float(os.environ.get('FRZ','4')), lambda: (gc.collect(), gc.freeze()))
        heart, file = Heart(loop), Path(os.environ["BENCH_HEART"])
        atexit.register(lambda: file.write_text(json.dumps(heart.late)))
        return loop


if __name__ == "__main__":
    import gc
    import core.triggers; core.triggers.AT_ONCE=int(os.environ.get("FRZB","200"))
    st={}
    def cb(phase, info):
        if phase=="start": st["t"]=time.monotonic()
        else:
            d=time.monotonic()-st["t"]
            if d>0.01: open("/tmp/h9/gc.log","a").write(f"{time.monotonic():.3f} gen{info['generation']} {d*1000:.0f} ms\n")
    gc.callbacks.append(cb)
    from core.store import sqlite
    real=sqlite._deliver
    def deliver(jobs):
        t=time.monotonic(); jobs=list(jobs); n=sum(len(j.callbacks) for j in jobs); real(jobs); d=time.monotonic()-t
        if d>0.01: open("/tmp/h9/gc.log","a").write(f"{time.monotonic():.3f} deliver {len(jobs)} jobs {n} callbacks {d*1000:.0f} ms {[getattr(j.fn,'__name__','') for j in jobs][:5]}\n")
    sqlite._deliver=deliver
    from collections import defaultdict
    A=defaultdict(lambda:[0,0.0,0.0])
    ra=sqlite.SqliteDatabase._attempt
    def at(self, conn, job, **k):
        t=time.thread_time(); w=time.perf_counter()
        try: ra(self,conn,job,**k)
        finally:
            x=A[getattr(job.fn,'__name__','?')]; x[0]+=1; x[1]+=time.thread_time()-t; x[2]+=time.perf_counter()-w
    sqlite.SqliteDatabase._attempt=at
    rc=sqlite.SqliteDatabase._commit
    def co(self, conn, jobs):
        t=time.thread_time(); w=time.perf_counter()
        try: rc(self,conn,jobs)
        finally:
            x=A["COMMITS incl"]; x[0]+=1; x[1]+=time.thread_time()-t; x[2]+=time.perf_counter()-w
    sqlite.SqliteDatabase._commit=co
    atexit.register(lambda: open("/tmp/h9/jobs.log","w").write("\n".join(f"{k}: {n} cpu {c*1e3:.0f} ms wall {w*1e3:.0f}" for k,(n,c,w) in sorted(A.items(), key=lambda x:-x[1][1]))))
    import sys; sys.setswitchinterval(float(os.environ.get("SWI","0.005")))
    asyncio.set_event_loop_policy(Watched())
    main()
