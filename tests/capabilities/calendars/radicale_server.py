"""A real CalDAV server (Radicale) on a port of this machine, as people have one on their NAS."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, make_server

import httpx
from radicale import config
from radicale.app import Application

from tests.capabilities.calendars.test_expanding import calendar

USER, PASSWORD = "ann-canary", "pass-canary:1"
_MAKE = (
    '<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop><D:displayname>{name}'
    '</D:displayname><C:supported-calendar-component-set><C:comp name="{kind}"/></C:supported-calendar-component-set>'
    "</D:prop></D:set></C:mkcalendar>"
)


class Radicale:
    """A server with the account of one person; `url` is its root."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client = httpx.AsyncClient(base_url=url, auth=(USER, PASSWORD))

    async def make(self, path: str, name: str, kind: str = "VEVENT") -> None:
        """Make a calendar in the account."""
        body = _MAKE.format(name=name, kind=kind)
        answer = await self.client.request("MKCALENDAR", f"/{USER}/{path}/", content=body)
        assert answer.status_code == 201, answer.text

    async def put(self, path: str, uid: str, lines: str) -> None:
        """Put an event there, given by its lines, or another one in its place."""
        body = calendar(lines).replace(b"UID:0", f"UID:{uid}".encode())
        answer = await self.client.put(f"/{USER}/{path}/{uid}.ics", content=body)
        assert answer.status_code in {201, 204}, answer.text


class _Quiet(WSGIRequestHandler):
    """Answers without a line for each request."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@asynccontextmanager
async def radicale(folder: Path) -> AsyncIterator[Radicale]:
    """Run a server until the context closes."""
    users = folder / "users"
    users.write_text(f"{USER}:{PASSWORD}\n")
    configuration = config.load()
    auth = {"type": "htpasswd", "htpasswd_filename": str(users), "htpasswd_encryption": "plain", "delay": "0"}
    storage = {"filesystem_folder": str(folder / "collections")}
    configuration.update({"auth": auth, "storage": storage}, "a test", privileged=True)
    server = make_server("127.0.0.1", 0, Application(configuration), handler_class=_Quiet)
    thread = Thread(target=partial(server.serve_forever, poll_interval=0.02))
    thread.start()
    made = Radicale(f"http://127.0.0.1:{server.server_port}")
    try:
        await made.client.request("MKCOL", f"/{USER}/")
        yield made
    finally:
        await made.client.aclose()
        await asyncio.to_thread(server.shutdown)
        thread.join()
        server.server_close()
