"""files.info, and fetching what somebody uploaded."""

from __future__ import annotations

from collections.abc import Callable

from tests.emulators.loopback import Reply
from tests.emulators.slack_asking import Ask, Method
from tests.emulators.slack_http import FILES, SIGN_IN
from tests.emulators.slack_rules import ApiError
from tests.emulators.slack_world import Json, Team, World


class Files:
    """Files of all workspaces; *url* tells where the server is."""

    def __init__(self, url: Callable[[], str]) -> None:
        self._url = url

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {"files.info": self._info}

    def store(self, world: World, team: Team, *, user: str, name: str, data: bytes, mimetype: str) -> Json:
        """Keep an upload of *user*'s and return its file object."""
        number = world.next_id("F")
        path = f"{FILES}{team.id}-{number}/{name}"
        form = {
            "id": number,
            "created": int(world.now()),
            "name": name,
            "title": name,
            "mimetype": mimetype,
            "filetype": name.rpartition(".")[2],
            "user": user,
            "user_team": team.id,
            "size": len(data),
            "mode": "hosted",
            "is_external": False,
            "file_access": "visible",
            "url_private": f"{self._url()}{path}",
            "url_private_download": f"{self._url()}{path}",
        }
        team.files[number], team.data[number] = form, data
        return form

    def download(self, world: World, path: str, reader: Team | None) -> Reply:
        """Return the bytes of a file to a token of its workspace; anybody else is sent to the sign-in page."""
        place, _, _ = path.partition("/")
        team_id, _, number = place.partition("-")
        if reader is None or reader.id != team_id or "files:read" not in reader.scopes:
            return Reply(status=302, content_type="text/html", headers={"location": f"{self._url()}{SIGN_IN}"})
        form = reader.files.get(number)
        if form is None:
            return Reply(status=404, content_type="text/html")
        return Reply(content_type=form["mimetype"], chunks=(reader.data[number],))

    def _info(self, ask: Ask) -> Json:
        ask.need("files:read")
        form = ask.team.files.get(ask.params["file"])
        if form is None:
            raise ApiError("file_not_found")
        return {"file": form, "comments": [], "response_metadata": {"next_cursor": ""}}
