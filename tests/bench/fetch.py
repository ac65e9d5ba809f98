"""What the guarded client costs beside a bare httpx: small pages from one server of this machine, in CPU time.

The server runs in a process of its own, so that only the clients are measured.
"""

from __future__ import annotations

import asyncio
import sys
import time

import httpx

from core.toolkit.fetch.addresses import own_networks
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.connecting import GuardedBackend
from core.toolkit.fetch.values import Fetch

PAGES, ROUNDS, AIM = 300, 5, 1.3
SERVER = """
import asyncio
PAGE = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Length: 8000\\r\\n\\r\\n" + b"x" * 8000
async def serve(reader, writer):
    while await reader.readuntil(b"\\r\\n\\r\\n"):
        writer.write(PAGE)
        await writer.drain()
async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


async def measure() -> str:
    """Return the ratio of the quickest rounds."""
    server = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVER), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert server.stdout is not None
    url = f"http://127.0.0.1:{int(await server.stdout.readline())}/"
    own = own_networks(("127.0.0.0/8",))
    guarded = Fetcher(guarded=GuardedBackend(own), own=own)
    try:
        async with httpx.AsyncClient() as bare:
            rounds = [(await _bare(bare, url), await _guarded(guarded, url)) for _ in range(ROUNDS)]
    finally:
        await guarded.close()
        server.kill()
        await server.wait()
    plain, own_time = min(one for one, _ in rounds), min(one for _, one in rounds)
    return (
        f"fetch: a page by the guarded client {own_time:.0f} µs CPU, by bare httpx {plain:.0f} µs:"
        f" {own_time / plain:.2f}× (aim {AIM}×)"
    )


async def _bare(client: httpx.AsyncClient, url: str) -> float:
    before = time.process_time()
    for _ in range(PAGES):
        await client.get(url)
    return (time.process_time() - before) / PAGES * 1e6


async def _guarded(client: Fetcher, url: str) -> float:
    before = time.process_time()
    for _ in range(PAGES):
        await client.fetch(Fetch(url=url))
    return (time.process_time() - before) / PAGES * 1e6
