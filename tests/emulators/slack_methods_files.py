"""files.*: fetching what somebody uploaded, and the three calls by which the bot sends a file.

From docs.slack.dev/reference/methods/files.getUploadURLExternal and files.completeUploadExternal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tests.emulators.loopback import Reply, Request
from tests.emulators.slack_asking import Ask, Method
from tests.emulators.slack_http import FILES, SIGN_IN, UPLOADS
from tests.emulators.slack_methods_chat import check_author, post, postable, threaded
from tests.emulators.slack_rules import ApiError, bad_arguments
from tests.emulators.slack_world import Json, Team, World

# "Files … must be less than 1 GB" and "not empty".
MOST_BYTES = 1_000_000_000
NAME = re.compile(r"[^/\x00-\x1f]{1,255}")


@dataclass(slots=True, kw_only=True)
class Upload:
    """A file that is on its way: what was said of it, and its *data* once they have come."""

    id: str
    team: str
    name: str
    length: int
    data: bytes | None = None


class Files:
    """Files of all workspaces; *url* tells where the server is."""

    def __init__(self, url: Callable[[], str]) -> None:
        self._url = url
        # What was begun and not completed, by the file's id: nobody sees it, and it can be completed once.
        self.uploads: dict[str, Upload] = {}

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "files.info": self._info,
            "files.getUploadURLExternal": self._begin,
            "files.completeUploadExternal": self._complete,
        }

    def _begin(self, ask: Ask) -> Json:
        """Name an address for a file whose length is known."""
        ask.need("files:write")
        name, length = ask.params["filename"], ask.params["length"]
        if not NAME.fullmatch(name):
            raise bad_arguments("emulator: a file's name has neither slashes nor control characters")
        if not 0 < length < MOST_BYTES:
            raise ApiError("invalid_arguments" if length < 1 else "file_too_large")
        upload = Upload(id=ask.world.next_id("F"), team=ask.team.id, name=name, length=length)
        self.uploads[upload.id] = upload
        return {"upload_url": f"{self._url()}{UPLOADS}{upload.id}", "file_id": upload.id}

    def take(self, request: Request) -> Reply:
        """Take the content of a file at its address, which wants no token."""
        upload = self.uploads.get(request.path.removeprefix(UPLOADS))
        if upload is None or request.method != "POST" or "authorization" in request.headers:
            return Reply(status=404, content_type="text/plain", chunks=(b"not found",))
        if len(request.body) != upload.length:
            return Reply(status=400, content_type="text/plain", chunks=(b"length mismatch",))
        upload.data = request.body
        return Reply(content_type="text/plain", chunks=(f"OK - {upload.length}".encode(),))

    def _complete(self, ask: Ask) -> Json:
        """Share files whose content has come, once each."""
        ask.need("files:write")
        wanted = ask.params["files"]
        if not isinstance(wanted, list) or not all(isinstance(one, dict) and one.get("id") for one in wanted):
            raise bad_arguments("must be an array of files [json-pointer:/files]")
        uploads = [self.uploads.get(one["id"]) for one in wanted]
        if not uploads or any(one is None or one.data is None or one.team != ask.team.id for one in uploads):
            raise ApiError("file_not_found")
        channel = thread = None
        if name := ask.params.get("channel_id"):
            check_author(ask)
            channel = postable(ask, name, direct=False)
            thread = threaded(ask, channel)
        forms = []
        for upload, told in zip(uploads, wanted, strict=True):
            assert upload is not None
            del self.uploads[upload.id]
            form = self.store(
                ask.world,
                ask.team,
                user=ask.team.bot_user,
                name=upload.name,
                data=upload.data or b"",
                mimetype="application/octet-stream",
                number=upload.id,
            )
            forms.append(form | {"title": told.get("title", upload.name)})
        if channel is not None:
            post(ask, channel, thread_ts=thread or "", text=ask.params.get("initial_comment", ""), files=forms)
        return {"files": [{"id": form["id"], "title": form["title"]} for form in forms]}

    def store(
        self, world: World, team: Team, *, user: str, name: str, data: bytes, mimetype: str, number: str = ""
    ) -> Json:
        """Keep an upload of *user*'s and return its file object; *number* is its id, a new one unless given."""
        number = number or world.next_id("F")
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
