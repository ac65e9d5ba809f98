"""What comes for others: for another app, or for a workspace that is not served."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from slack_bolt.response import BoltResponse

from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.events import for_organisation, team_of
from bot.adapters.slack.parse.messages import Fields, text_of

log = logging.getLogger(__name__)

MOST_TEAMS_TOLD = 100
OK = 200
# To whoever owns the bot, and to who uses a command of such an installation.
ORGANISATION_GONE = "installations of whole organisations are no longer served; each workspace installs the app itself"
ORGANISATION_TOLD = (
    "I am no longer served for a whole organisation. Whoever looks after me has to install me in this workspace."
)


class Strangers:
    """Refuses what is for nobody that is `served`, and says so once in the log."""

    def __init__(self, served: Mapping[str, Served]) -> None:
        self._served = served
        self._unknown: set[str] = set()
        self._misled: set[str] = set()

    def is_foreign(self, payload: Fields) -> bool:
        """Return whether something is for another app than the one that we are in that workspace."""
        named, at = text_of(payload, "api_app_id"), self._served.get(team_of(payload))
        if not named or at is None or at.me.app in ("", named):
            return False
        if at.me.team not in self._misled:
            self._misled.add(at.me.team)
            log.warning("workspace %s: something came for another app, %r", at.me.team, named[:20])
        return True

    def answer(self, kind: str, team: str, payload: Fields) -> BoltResponse:
        """Return what is answered to something for a workspace that is not served: nothing, but to a command."""
        remedy = f": {ORGANISATION_GONE}" if for_organisation(payload) else ""
        where = team or text_of(payload, "enterprise_id") if remedy else team
        if (kind or remedy) and where and where not in self._unknown and len(self._unknown) < MOST_TEAMS_TOLD:
            self._unknown.add(where)
            log.warning("something came for workspace %r, in which this app is not installed%s", where[:20], remedy)
        told = {"response_type": "ephemeral", "text": ORGANISATION_TOLD} if remedy and "command" in payload else ""
        return BoltResponse(status=OK, body=told)
