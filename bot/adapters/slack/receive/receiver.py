"""Receiving: whatever comes, over a web socket or by HTTP, is a committed row before Slack hears that it arrived.

All of it is done in bolt's `before_authorize`, which sees every payload that is really Slack's: its listeners run after
the acknowledgement, and what they had begun would be lost with the process.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Protocol
from weakref import WeakValueDictionary

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.middleware.async_middleware import AsyncMiddleware
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from bot.adapters.slack.backfill.gaps import Watch
from bot.adapters.slack.backfill.shared_channels import (
    SHARED_SECONDS,
    Sharing,
    SilentError,
    is_unseen,
    may_concern,
    sharing,
)
from bot.adapters.slack.directory.people import Served
from bot.adapters.slack.parse.events import (
    ENDED,
    MESSAGES,
    event_of,
    heard_at,
    parse,
    readable,
    team_of,
    unreadable,
    wanted,
)
from bot.adapters.slack.parse.messages import Fields, Known, order, required, text_of
from bot.adapters.slack.parse.uninstalls import removal, whole
from bot.adapters.slack.receive import modals
from bot.adapters.slack.receive.interactions import Interactions, presser
from bot.adapters.slack.receive.slash_commands import (
    SECRET,
    TODO,
    as_typed,
    command,
    hook_of,
    named_in,
    places,
    renamed,
)
from bot.adapters.slack.send.client import described
from core.kernel.background import Background
from core.kernel.errors import StorageError
from core.kernel.ports import Clock, Intake
from core.kernel.types import Inbound
from core.kernel.updates import Skipped, Update
from core.language import pick

log = logging.getLogger(__name__)

CURSOR = "heard"
OK, FORBIDDEN, UNAVAILABLE = 200, 403, 503
# Slack waits three seconds; what was not found out by then comes again.
PATIENCE_SECONDS = 2.0
SAME_ERROR_LOG_SECONDS = 60.0
MOST_REASONS = 200
MOST_PROMPTS = 4
MOST_TEAMS_TOLD = 100
RETRY = "x-slack-retry-num"
# To whoever owns the bot, and to who uses a command of such an installation.
ORGANISATION_GONE = "installations of whole organisations are no longer served; each workspace installs the app itself"
ORGANISATION_TOLD = (
    "I am no longer served for a whole organisation. Whoever looks after me has to install me in this workspace."
)
# What reading raises when something is not as Slack writes it; nothing gets better by its coming again.
UNREADABLE = (AttributeError, KeyError, TypeError, ValueError)


class Doorkeeper(Protocol):
    """Knows the installations: who is served no more."""

    async def ended(self, team: str, payload: Fields) -> bool:
        """Take an event that says that the app was removed; False when it is about nothing that is installed."""


class Receiver:
    """Takes in what comes for those who are `served`, by the ids of their teams. Until `intake` is set, and once it is
    None again, nothing is acknowledged.

    `doorkeeper` is there where the app is installed by its page. The cursor of a workspace moves on with what comes
    while it is current (`Watch`): else what came while nobody listened is not all here yet. Where it `follows` nothing
    it is moved by looking alone, because nobody says when something was kept from us.
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
    ) -> None:
        self.intake: Intake | None = None
        self.doorkeeper: Doorkeeper | None = None
        self.watch = Watch()
        self.ended: set[str] = set()
        self.background = Background(described)
        self._all, self._clock, self._host, self._names = served, clock, host, names
        self._todo, self._follows = todo, follows
        self._interactions = Interactions(clock, host, self._refuses)
        self._sharing = Sharing(clock)
        self._heard: dict[str, str] = {}
        self._strange: set[str] = set()
        self._misled: set[str] = set()
        self._in_turn: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._logged: dict[str, float] = {}

    def app(self, signing_secret: str) -> AsyncApp:
        """Return the app through which both ways of receiving lead here; who posts is looked at by `WebDoor`."""
        return AsyncApp(
            name="teller",
            signing_secret=signing_secret,
            request_verification_enabled=False,
            before_authorize=_Door(self.take),
            authorize=_nobody,
        )

    async def take(self, payload: Fields, *, again: bool = False) -> BoltResponse:
        """Keep what a payload says and return 200; 503 when it could not be kept, and shall come again.

        It comes three times more at most. So what is refused, or comes `again`, is a reason to look what else is not
        here; not what is for another app, which is none of ours (403).
        """
        if self._is_foreign(payload):
            return BoltResponse(status=FORBIDDEN)
        try:
            answer = await self._take(payload)
        except Exception as error:
            self._complain(error)
            answer = BoltResponse(status=UNAVAILABLE)
        refused = answer.status != OK
        if (again or refused) and payload.get("type") == "event_callback":
            self.watch.doubt(self._concerned(payload), heard=not refused)
        return answer

    def _is_foreign(self, payload: Fields) -> bool:
        """Whether something is for another app than the one that we are in that workspace."""
        named, at = text_of(payload, "api_app_id"), self._all.get(team_of(payload))
        if not named or at is None or at.me.app in ("", named):
            return False
        if at.me.team not in self._misled:
            self._misled.add(at.me.team)
            log.warning("workspace %s: something came for another app, %r", at.me.team, named[:20])
        return True

    def _concerned(self, payload: Fields) -> set[str]:
        """The workspaces in which an event may be missing."""
        named, channel = self._all.get(team_of(payload)), text_of(event_of(payload), "channel")
        others = {other.me.team for other in sharing(payload, self._all) if may_concern(other, channel)}
        return others if named is None else {named.me.team, *others}

    async def _take(self, payload: Fields) -> BoltResponse:
        kind, team = text_of(payload, "type"), team_of(payload)
        if kind == "url_verification":
            return BoltResponse(status=OK, body={"challenge": text_of(payload, "challenge")})
        if self.intake is None:
            raise NotReadyError
        if kind == "event_callback" and await self._ended(team, payload):
            return BoltResponse(status=OK)
        at = self._all.get(team)
        if at is None:
            return self._unknown(kind, team, payload)
        if kind == "app_rate_limited":
            # Events of that minute are gone, but for what is found in the conversations.
            log.warning("workspace %s has more events than Slack hands over", at.me.team)
            self.watch.doubt((at.me.team,))
        elif kind == "event_callback":
            await self._events(at, payload)
        else:
            return await self._act(at, payload)
        return BoltResponse(status=OK)

    async def _act(self, at: Served, payload: Fields) -> BoltResponse:
        """Take a command or an interaction."""
        try:
            return await (self._command if "command" in payload else self._interaction)(at, payload)
        except UNREADABLE as error:
            await self._keep(at, unreadable(payload, error, SECRET))
            return BoltResponse(status=OK)

    async def _ended(self, team: str, payload: Fields) -> bool:
        """Take an event that ends an installation, whether or not the workspace that it names is served."""
        if self.doorkeeper is None or text_of(event_of(payload), "type") not in ENDED:
            return False
        before = self._all.get(team)
        # Slack says it twice, and the workspace may have gone with the first.
        return await self.doorkeeper.ended(team, payload) or self._all.get(team) is not before

    async def _events(self, at: Served, payload: Fields) -> None:
        """Keep an event, for the other workspaces, too, whose bots are in its channel; raises when it could not be kept
        for whom it names.
        """
        event, others = event_of(payload), sharing(payload, self._all)
        sharing_it = (self._share(other, event) for other in others)
        kept, *_ = await asyncio.gather(self.event(at, event), *sharing_it, return_exceptions=True)
        if kept is not None:
            raise kept

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
                self.watch.doubt((other.me.team,), heard=guess)

    async def event(self, at: Served, event: Fields, *, live: bool = True) -> None:
        """Keep an event, not `live` when it was found in the conversations; raises when it could not be kept."""
        kind, heard = text_of(event, "type"), heard_at(event) if live else ""
        if kind in ENDED:
            self._end(at.me.team, event)
        if live and kind in MESSAGES:
            # Whoever hands over messages has the app, and a token, again.
            self.ended.discard(at.me.team)
        asking = asyncio.create_task(self._known(at, event, kind))
        try:
            # One after the other within a channel: who had to be asked for first comes first all the same.
            async with self._turn(f"{at.me.team}:{text_of(event, 'channel')}"):
                update = as_typed(parse(event, at.me, await asking), self._names)
                keeping = asyncio.ensure_future(self._keep(at, update, heard))
        finally:
            asking.cancel()
        told = await keeping
        if kind in MESSAGES:
            self._answer(at, event, told.get(update.key, ""))
        if kind == "app_home_opened" and text_of(event, "tab") == "messages":
            self.background.do("prompts could not be shown", _prompt(at, event))

    def _end(self, team: str, event: Fields) -> None:
        if removal(event):
            self.ended.add(team)
            log.error("workspace %s: %s", team, text_of(event, "type"))

    async def _known(self, at: Served, event: Fields, kind: str) -> Known:
        user = event.get("user")
        if kind == "user_change" and isinstance(user, dict) and text_of(user, "id"):
            return Known(people={user["id"]: at.people.changed(user)})
        channel = text_of(event, "channel")
        if kind not in ("message", "app_mention") and channel:
            at.people.channels.moved(channel)
        users, named, channel = wanted(event, at.me)
        async with asyncio.timeout(PATIENCE_SECONDS):
            return await at.people.known(users, channel, named=named)

    async def _command(self, at: Served, payload: Fields) -> BoltResponse:
        form = renamed(payload, self._todo)
        async with asyncio.timeout(PATIENCE_SECONDS):
            author = (required(form, "user_id"),)
            knowing = at.people.known(author, named=named_in(form))
            (chat, own), known = await asyncio.gather(places(form, at), knowing)
        response_url, now = hook_of(form, self._host), self._clock.now()
        more: dict[str, Any] = {
            "chat": chat,
            "direct": own,
            "response_url": response_url,
            "names": self._names,
            "now": now,
        }
        update = readable(form, lambda: command(form, at.me, known, **more), SECRET)
        told = await self._keep(at, update)
        text = told.get(update.key, "")
        return BoltResponse(status=OK, body={"response_type": "ephemeral", "text": text} if text else "")

    async def _interaction(self, at: Served, payload: Fields) -> BoltResponse:
        taken = await self._interactions.take(at, payload)
        if taken.update is not None:
            text = (await self._keep(at, taken.update)).get(taken.update.key, "")
            if text and payload.get("type") == "view_submission":
                # In the window, which stays open with what was written.
                text = await self._interactions.worded(at, text)
                return BoltResponse(status=OK, body=modals.error(modals.TEXT, text))
            self._tell(at, payload, text)
        self._tell(at, payload, taken.told)
        return BoltResponse(status=OK, body=taken.answer or "")

    async def _refuses(self, tenant_id: int, answer: Inbound) -> str:
        return await self._ready().refuses(tenant_id, answer)

    def _answer(self, at: Served, event: Fields, text: str) -> None:
        """Show something to whoever wrote, where they did."""
        user, channel, thread = (text_of(event, name) for name in ("user", "channel", "thread_ts"))
        if text and user:
            self.background.do("somebody was not answered", _whisper(at, user, channel, thread, text))

    def _tell(self, at: Served, payload: Fields, text: str) -> None:
        """Show something to whoever pressed, in the place where they did."""
        user, channel, thread = presser(payload)
        if text and user:
            self.background.do("a press was not answered", _whisper(at, user, channel, thread, text))

    async def _keep(self, at: Served, update: Update, heard: str = "") -> Mapping[str, str]:
        intake = self._ready()
        newer = bool(heard) and order(heard) >= order(self.heard(at.me.team) or heard)
        moves = (CURSOR, heard) if newer and self._follows and at.me.team in self.watch.current else None
        told: Mapping[str, str] = {}
        if moves is not None or not isinstance(update, Skipped):
            told = await intake.accept(at.tenant, [update], moves)
        if newer:
            self._heard[at.me.team] = max(self.heard(at.me.team) or heard, heard, key=order)
        return told

    def _ready(self) -> Intake:
        if self.intake is None:
            raise NotReadyError
        return self.intake

    def heard(self, team: str) -> str:
        """Return the newest time stamp that was taken in since the start, empty when there is none."""
        return self._heard.get(team, "")

    def _turn(self, place: str) -> asyncio.Lock:
        return self._in_turn.setdefault(place, asyncio.Lock())

    def _unknown(self, kind: str, team: str, payload: Fields) -> BoltResponse:
        """Refuse what is for a workspace that is not served; the log says so once, and a command is answered."""
        remedy = f": {ORGANISATION_GONE}" if whole(payload) else ""
        where = team or text_of(payload, "enterprise_id") if remedy else team
        if (kind or remedy) and where and where not in self._strange and len(self._strange) < MOST_TEAMS_TOLD:
            self._strange.add(where)
            log.warning("something came for workspace %r, in which this app is not installed%s", where[:20], remedy)
        told = {"response_type": "ephemeral", "text": ORGANISATION_TOLD} if remedy and "command" in payload else ""
        return BoltResponse(status=OK, body=told)

    def _complain(self, error: Exception) -> None:
        """Log why something stays with Slack, the same reason once a minute."""
        text, now = str(error) if isinstance(error, StorageError) else described(error), self._clock.monotonic()
        if now - self._logged.get(text, -SAME_ERROR_LOG_SECONDS) >= SAME_ERROR_LOG_SECONDS:
            self._logged = {text: now} if len(self._logged) >= MOST_REASONS else {**self._logged, text: now}
            log.warning("something stays with Slack for now: %s", text)


class NotReadyError(Exception):
    """Nobody takes anything in now: the bot starts, or stops."""


class _Door(AsyncMiddleware):
    """Ends every request here: no listener, and no authorization, comes behind it."""

    def __init__(self, take: Callable[..., Awaitable[BoltResponse]]) -> None:
        self._take = take

    async def async_process(
        self, *, req: AsyncBoltRequest, resp: BoltResponse, next: Callable[[], Awaitable[BoltResponse]]
    ) -> BoltResponse:
        # By a web socket it stands there at the first time, too.
        return await self._take(req.body, again=req.headers.get(RETRY, ["0"])[0] not in ("", "0"))


async def _nobody() -> AuthorizeResult:
    """Never asked: `_Door` lets nothing through."""
    raise NotReadyError


async def _whisper(at: Served, user: str, channel: str, thread: str, text: str) -> None:
    where = channel or await at.people.direct(user)
    await at.workspace.client.chat_postEphemeral(channel=where, user=user, text=text, thread_ts=thread or None)


async def _prompt(at: Served, event: Fields) -> None:
    """Offer what works (assistant.threads.setSuggestedPrompts)."""
    who = await at.people.one(required(event, "user"))
    prompts: list[dict[str, str]] = [{"title": one, "message": one} for one in pick(who.language).choices]
    await at.workspace.client.assistant_threads_setSuggestedPrompts(
        channel_id=required(event, "channel"), prompts=prompts[:MOST_PROMPTS]
    )
