"""What receiving knows of workspaces that install the app by a page. How they do it stands in `install`, which only the
wiring imports."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.directory.workspaces import Workspace, Workspaces
from bot.adapters.slack.parse.messages import Fields
from bot.adapters.slack.send.client import Wire
from core.kernel.ports import Clock, Intake

# How an installation is whose tokens another key encrypted.
UNREADABLE = "its tokens cannot be read"


class Page(NamedTuple):
    """What a browser gets: status, headers, and text."""

    status: int
    headers: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebPage:
    """A page of the web server at `path`.

    `visit` shows it to whoever asks with a query and with headers, whose names are in lower case.
    """

    path: str
    visit: Callable[[Mapping[str, str], Mapping[str, str]], Coroutine[Any, Any, Page]]


class Receiving(Protocol):
    """What is received from workspaces."""

    def serve(self, workspace: Workspace, tenant: int) -> Served:
        """Begin at once with a workspace, which is a tenant."""

    def leave(self, team: str) -> None:
        """Take in nothing more for a workspace."""

    def renewed(self, team: str) -> None:
        """Hear that a workspace has another token."""


class Installs(Protocol):
    """The workspaces that install the app by its page."""

    @property
    def web_pages(self) -> Sequence[WebPage]:
        """Return the pages by which they do it."""

    async def open(self, intake: Intake) -> None:
        """Serve all installations that the database knows."""

    async def run(self) -> None:
        """Keep their tokens valid, until cancelled."""

    async def close(self) -> None:
        """Take in nothing more."""

    async def ended(self, team: str, payload: Fields) -> bool:
        """Take an event that says that the app was removed; False when it is about nothing that is installed."""

    async def removed(self, of: Workspace) -> bool:
        """Hear that Slack does not know the app in a workspace any more; False when no installation serves it."""

    def health(self, troubles: Mapping[str, str]) -> list[Mapping[str, Any]]:
        """Return each installation and how it is; `troubles` are those of its workspaces, by id."""


# Makes the installations of an adapter out of what it is made of.
Installer = Callable[[Wire, Workspaces, Clock, Receiving], Installs]
