"""What is asked of the client and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from core.kernel.errors import TellerError
from core.kernel.types import LaneKey

Method = Literal["GET", "HEAD", "POST", "PROPFIND", "REPORT"]

MOST_BYTES, SECONDS = 1 << 20, 20.0


# Why something is not fetched. `refused`: no connection, or one that is broken off; `limit`: the person's hour is used
# up; `bad_request`: what was asked for may not be sent.
CODES = (
    *("bad_url", "forbidden_address", "unknown_host", "refused", "timeout", "too_many_redirects", "bad_answer"),
    *("bad_request", "limit"),
)


class FetchError(TellerError):
    """Why something was not fetched: `code` is one of `CODES`, the text a sentence for people and models."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """For whom something is fetched, and in which lane."""

    lane: LaneKey
    person_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """A request. `most` bytes of the answer are read, within `seconds` for all of it with its redirects.

    `authorization` is the header of that name, which a person gave for this very server: it goes over https or to an
    own network only, and with no redirect to another origin. `profile` names one of the owner's (`web.auth_profiles`).
    `whose` is whose allowance it takes; None takes nobody's. What is `unasked`, since the bot looks again by itself,
    takes bytes of it and no request. `secret` is an address that nobody
    may read: no error says any of it. `configured` is one that the owner wrote into the configuration: it is reached
    wherever it is, and may be posted to.
    """

    url: str = field(repr=False)
    method: Method = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    authorization: str = field(default="", repr=False)
    body: bytes | None = field(default=None, repr=False)
    most: int = MOST_BYTES
    seconds: float = SECONDS
    profile: str = ""
    whose: Whose | None = None
    unasked: bool = False
    secret: bool = False
    configured: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """An answer, of whatever status: the `url` it came from in the end, its headers in lower case and its body without
    the encoding of its transport; `truncated` when there was more of it."""

    status: int
    url: str = field(repr=False)
    headers: Mapping[str, str]
    body: bytes = field(repr=False)
    truncated: bool = False

    @property
    def media_type(self) -> str:
        """Such as `text/html`; empty where the server says none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()
