"""Receiving: whatever comes, over a web socket or by HTTP, is a committed row before Slack hears that it arrived.

All of it is done in bolt's `before_authorize`, which sees every payload that is really Slack's: its listeners run after
the acknowledgement, and what they had begun would be lost with the process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from weakref import WeakValueDictionary

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.middleware.async_middleware import AsyncMiddleware
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from bot.adapters.slack.backfill.shared_channels import (
    SHARED_SECONDS,
    Sharing,
    SilentError,
    is_unseen,
    sharing,
)
from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.events import (
    ENDED,
    MESSAGES,
    UNREAD,
    ends_bot,
    event_of,
    heard_at,
    parse,
    team_of,
    wanted,
)
from bot.adapters.slack.parse.messages import Fields, Known, text_of
from bot.adapters.slack.receive.acts import PATIENCE_SECONDS, Acts, whisper
from bot.adapters.slack.receive.installs import Installs
from bot.adapters.slack.receive.keeping import Keeper, NotReadyError
from bot.adapters.slack.receive.overtaken import Overtaken
from bot.adapters.slack.receive.slash_commands import TODO, as_typed
from bot.adapters.slack.receive.strangers import Strangers
from bot.adapters.slack.send.client import described
from bot.adapters.slack.send.prompts import Prompts
from core.kernel.background import Background
from core.kernel.ports import Clock
from core.kernel.updates import Left, Returned

log = logging.getLogger(__name__)

OK, FORBIDDEN, UNAVAILABLE = 200, 403, 503
SAME_ERROR_LOG_SECONDS = 60.0
MOST_REASONS = 200
RETRY = "x-slack-retry-num"
# Subtypes of a message that says what a channel is called now.
RENAMED = frozenset({"channel_name", "group_name"})


class Receiver:
    """Takes in what comes for those who are `served`, by the ids of their teams, and acknowledges what was kept.

    `installs` is there where the app is installed by its page. `membership` hears who came into a channel or left it:
    of the workspace, the channel and the user. `todo` is what the app calls the command for the list.
    """

    def __init__(
        self,
        served: Mapping[str, Served],
        clock: Clock,
        host: str,
        names: Collection[str],
        todo: str = TODO,
        *,
        follows: bool = True,
        membership: Callable[[str, str, str], None] | None = None,
    ) -> None:
        self.installs: Installs | None = None
        self.keeper = Keeper(follows=follows)
        self.ended: set[str] = set()
        self.background = Background(described)
        self._membership = membership
        self._all, self._clock, self._names = served, clock, names
        self._acts = Acts(self.keeper, self.background, clock, host, names, todo)
        self._strangers, self._overtaken = Strangers(served), Overtaken()
        self._sharing, self._prompts = Sharing(clock), Prompts(clock)
        self._in_turn: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._logged: dict[str, float] = {}

    def app(self, signing_secret: str) -> AsyncApp:
        """Return the app through which both ways of receiving lead here; who posts is looked at by `HttpEndpoint`."""
        return AsyncApp(
            name="teller",
            signing_secret=signing_secret,
            request_verification_enabled=False,
            before_authorize=_TakeRequest(self.take),
            authorize=_nobody,
        )

    async def take(self, payload: Fields, *, again: bool = False) -> BoltResponse:
        """Keep what a payload says and return 200; 503 when it could not be kept, and shall come again.

        It comes three times more at most. So what is refused, or comes `again`, is a reason to look what else is not
        here; not what is for another app, which is none of ours (403).
        """
        if self._strangers.is_foreign(payload):
            return BoltResponse(status=FORBIDDEN)
        try:
            answer = await self._take(payload)
        except Exception as error:
            self._complain(error)
            answer = BoltResponse(status=UNAVAILABLE)
        refused = answer.status != OK
        if (again or refused) and payload.get("type") == "event_callback":
            # The event may be missing in the workspace it names, and in those that share its channel.
            named, channel = self._all.get(team_of(payload)), text_of(event_of(payload), "channel")
            teams = {named.me.team} if named is not None else set()
            for other in sharing(payload, self._all):
                place = other.people.channels.seen(channel)
                # Its bot is in the channel, or nobody knows yet.
                if place is None or place.member:
                    teams.add(other.me.team)
            self.keeper.watch.doubt(teams, heard=not refused)
        return answer

    async def _take(self, payload: Fields) -> BoltResponse:
        kind, team = text_of(payload, "type"), team_of(payload)
        if kind == "url_verification":
            return BoltResponse(status=OK, body={"challenge": text_of(payload, "challenge")})
        at, event = self._all.get(team), event_of(payload)
        if kind == "event_callback" and text_of(event, "type") in UNREAD:
            return BoltResponse(status=OK)
        self.keeper.ready()
        ends = kind == "event_callback" and text_of(event, "type") in ENDED
        # Slack says it twice, and the workspace may have gone with the first.
        if ends and self.installs and (await self.installs.ended(team, payload) or self._all.get(team) is not at):
            return BoltResponse(status=OK)
        if at is None:
            return self._strangers.answer(kind, team, payload)
        if kind == "app_rate_limited":
            # Events of that minute are gone, but for what is found in the conversations.
            log.warning("workspace %s has more events than Slack hands over", at.me.team)
            self.keeper.watch.doubt((at.me.team,))
        elif kind == "event_callback":
            # It is kept for the other workspaces, too, whose bots are in its channel; it must be for whom it names.
            sharing_it = (self._share(other, event) for other in sharing(payload, self._all))
            kept, *_ = await asyncio.gather(self.event(at, event), *sharing_it, return_exceptions=True)
            if kept is not None:
                raise kept
        else:
            return await self._acts.take(at, payload)
        return BoltResponse(status=OK)

    async def _share(self, other: Served, event: Fields) -> None:
        """Keep an event if it is for another workspace, too.

        Of what cannot be kept there now nothing is refused: it is looked for, if a look finds such.
        """
        try:
            async with asyncio.timeout(SHARED_SECONDS):
                if await self._sharing.concerns(other, event):
                    await self.event(other, event)
        except Exception as error:
            # After a first trouble, which is looked for, that this one is missing is a guess.
            guess = isinstance(error, SilentError)
            if not guess:
                self._complain(error)
            if not is_unseen(event):
                self.keeper.watch.doubt((other.me.team,), heard=guess)

    async def event(self, at: Served, given: Fields, *, live: bool = True) -> None:
        """Keep an event, not `live` when it was found in the conversations; raises when it could not be kept."""
        kind, heard = text_of(given, "type"), heard_at(given) if live else ""
        event = self._overtaken.as_now(at.me.team, given) if kind in MESSAGES else given
        if event is None:
            return
        if kind in ENDED and ends_bot(event):
            self.ended.add(at.me.team)
            log.error("workspace %s: %s", at.me.team, kind)
        if live and kind in MESSAGES:
            # Whoever hands over messages has the app, and a token, again.
            self.ended.discard(at.me.team)
        asking = asyncio.create_task(self._known(at, event, kind))
        try:
            # One after the other within a channel: who had to be asked for first comes first all the same.
            async with self._in_turn.setdefault(f"{at.me.team}:{text_of(event, 'channel')}", asyncio.Lock()):
                update = as_typed(parse(event, at.me, await asking), self._names)
                keeping = asyncio.ensure_future(self.keeper.keep(at, update, heard))
        finally:
            asking.cancel()
        if self._membership is not None and isinstance(update, Left | Returned):
            self._membership(at.me.team, update.chat, text_of(event, "user"))
        told = await keeping
        user, text = text_of(event, "user"), told.get(update.key, "")
        if kind in MESSAGES and user and text:
            # Whoever wrote is told so where they did.
            channel, thread = text_of(event, "channel"), text_of(event, "thread_ts")
            self.background.do("somebody was not answered", whisper(at, user, channel, thread, text))
        if kind == "app_home_opened" and text_of(event, "tab") == "messages":
            self.background.do("prompts could not be shown", self._prompts.suggest(at, user, text_of(event, "channel")))

    async def _known(self, at: Served, event: Fields, kind: str) -> Known:
        user = event.get("user")
        if kind == "user_change" and isinstance(user, dict) and text_of(user, "id"):
            return Known(people={user["id"]: at.people.changed(user)})
        channel = text_of(event, "channel")
        if channel and (kind not in ("message", "app_mention") or text_of(event, "subtype") in RENAMED):
            at.people.channels.moved(channel)
        users, named, channel = wanted(event, at.me)
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await at.people.known(users, channel, named=named)

    def _complain(self, error: Exception) -> None:
        """Log why something stays with Slack, the same reason once a minute."""
        text, now = described(error), self._clock.monotonic()
        if now - self._logged.get(text, -SAME_ERROR_LOG_SECONDS) >= SAME_ERROR_LOG_SECONDS:
            self._logged = {text: now} if len(self._logged) >= MOST_REASONS else {**self._logged, text: now}
            log.warning("something stays with Slack for now: %s", text)


class _TakeRequest(AsyncMiddleware):
    """Hands every request to `take` and ends it there: no listener, and no authorization, comes behind it."""

    def __init__(self, take: Callable[..., Awaitable[BoltResponse]]) -> None:
        self._take = take

    async def async_process(
        self, *, req: AsyncBoltRequest, resp: BoltResponse, next: Callable[[], Awaitable[BoltResponse]]
    ) -> BoltResponse:
        # By a web socket it stands there at the first time, too.
        return await self._take(req.body, again=req.headers.get(RETRY, ["0"])[0] not in ("", "0"))


async def _nobody() -> AuthorizeResult:
    """Stand where bolt wants a function for authorization; which `_TakeRequest` never lets it call."""
    raise NotReadyError
