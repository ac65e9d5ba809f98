"""/calendar feed: the address at which a phone's calendar reads what waits in a chat. It is shown once, in private."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.capabilities.calendars import feed_repository as feeds
from core.capabilities.calendars.feed import PATH, SUFFIX, Feeds
from core.delivery.composer import Composer
from core.kernel import secret_words
from core.kernel.markdown import coded
from core.kernel.ports import Tx
from core.kernel.replies import Reply
from core.store.people import people
from core.store.people.chats import ChatState
from core.toolkit.action import action
from core.toolkit.command import CommandRun, intent
from core.toolkit.tool import ToolContext
from core.toolkit.web import WebAddress

# What stands behind /calendar feed, in all languages.
ACTS: Mapping[str, str] = {
    **{name: name for name in ("", "new", "off")},
    **{"neu": "new", "aus": "off", "新": "new", "换": "new", "关": "off", "关闭": "off"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedChanged:
    """Whether there was an address of somebody's before."""

    before: bool


@action("calendars")
def make_feed(tx: Tx, context: ToolContext, digest: str) -> FeedChanged:
    """Give the chat a new address for somebody's phone, known by a digest; the one before leads nowhere now."""
    lane, person_id = context.lane, context.principal.person_id
    before = feeds.remove(tx, lane.tenant_id, lane.scope_id, person_id)
    feeds.insert(tx, lane, person_id, digest, context.clock.now())
    tx.after_commit(context.services.get(Feeds).look_again)
    return FeedChanged(before=before)


@action("calendars")
def drop_feed(tx: Tx, context: ToolContext) -> FeedChanged:
    """Take the address for somebody's phone away: it leads nowhere now."""
    lane = context.lane
    return FeedChanged(before=feeds.remove(tx, lane.tenant_id, lane.scope_id, context.principal.person_id))


def feed(run: CommandRun, words: str, tx: Tx) -> Reply:
    """Make the address of the chat for somebody's phone, say that there is one, replace it or take it away."""
    match ACTS.get(words.lower()):
        case "off":
            return _off(run, tx)
        case "new":
            return _new(run, tx)
        case "":
            known = feeds.of_person(tx, run.context.lane, run.context.principal.person_id)
            if known is None:
                return _new(run, tx)
            texts, zone = run.language, run.clock_zone.key
            read = (
                texts["calendar_feed_unread"]
                if known.read_at is None
                else texts.say("calendar_feed_read", at=texts.when(known.read_at, zone))
            )
            text = texts.say("calendar_feed_there", at=texts.when(known.created_at, zone), read=read)
            offers = [(texts["calendar_feed_new"], new.of()), (texts["calendar_feed_off"], off.of())]
            return replace(run.reply(text, offers=offers, once=False), own=True)
        case _:
            return run.say("calendar_usage")


def _new(run: CommandRun, tx: Tx) -> Reply:
    """Make an address, and show it where only who wants it sees it."""
    web, context = run.context.services.get(WebAddress), run.context
    person_id = context.principal.person_id
    lane = people.private_lane(tx, context.lane.tenant_id, person_id) if run.group else context.lane
    if not web.url:
        return run.say("calendar_feed_no_url")
    if lane is None or people.participant(tx, lane, person_id).chat_state == ChatState.GONE:
        return run.say("calendar_feed_private_first")
    secret = secret_words.made(secret_words.FEED)
    run.actor.act(tx, make_feed, digest=secret_words.digest(secret))
    where = coded(f"{web.url}{PATH}/{secret}{SUFFIX}")
    text = run.language.say("calendar_feed_made", url=where)
    if not run.group:
        return replace(run.reply(text), kept=secret_words.hidden(text))
    composer, key = context.services.get(Composer), f"calendar_feed:{secret_words.digest(secret)[:16]}"
    outgoing = composer.outgoing(context.participant.platform, key, text, person_id=person_id)
    outgoing.kept, outgoing.notice = secret_words.hidden(text), True
    composer.say(tx, lane, outgoing)
    return run.say("calendar_feed_made_here")


def _off(run: CommandRun, tx: Tx) -> Reply:
    """Take the address away."""
    done = run.actor.act(tx, drop_feed)
    return run.say("calendar_feed_gone" if done.before else "calendar_feed_none")


new = intent("calendars.feed_new", as_command="calendar")(_new)
off = intent("calendars.feed_off", as_command="calendar")(_off)
INTENTS = (new, off)
