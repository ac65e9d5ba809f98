"""Doctor's look at Slack: the two tokens, what the app may do, and whether its owners are there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator

from bot.adapters.slack.manifest import CHANNELS, SCOPES, missing
from bot.adapters.slack.onboarding import Bot, Onboarding, Refused, TokenUnknown
from bot.adapters.slack.receive.installs import UNREADABLE
from bot.doctor.finding import Finding, Patient, careful, fine, identity, wrong, wrong_clock
from core.kernel.errors import TellerError

HARDLY_WITHOUT = "chat:write"


async def slack(patient: Patient) -> AsyncIterator[Finding]:
    """The bot token: which workspace it is for, what it may do, and the owners it can see."""
    section = patient.config.slack
    if section.bot_token is None:
        return
    async with Onboarding(section.bot_token.get_secret_value(), section.base_url) as api:
        remedy = "Copy it again from OAuth & Permissions, then run: teller setup"
        me = await identity("slack", api.me, TokenUnknown, remedy)
        if isinstance(me, Finding):
            yield me
            return
        yield fine("slack", f"@{me.name} ({me.user}) in {me.team_name or me.team} ({me.team})")
        for finding in _scopes(me.scopes):
            yield finding
        if me.ahead is not None and (clock := wrong_clock("slack clock", "Slack", me.ahead)):
            yield clock
        ours = [owner for owner in patient.config.owners if owner.startswith(f"slack:{me.team}:")]
        if not ours:
            yield careful("slack owners", f"nobody of {me.team}; run: teller setup --platform slack")
        for owner in ours:
            yield await _owner(owner, api, me)


def _scopes(given: frozenset[str]) -> Iterator[Finding]:
    if not given:
        yield careful("slack scopes", "the server does not tell them")
        return
    lacking = missing(given)
    for scope in lacking:
        found = wrong if scope.name == HARDLY_WITHOUT else careful
        yield found("slack scopes", f"{scope.name} is missing: {scope.off}; add it and install the app again")
    if not lacking:
        whole = any(scope.profile == CHANNELS and scope.name in given for scope in SCOPES)
        less = "as in profile minimal; teller slack manifest --profile channels adds threads and reading along"
        yield fine("slack scopes", "everything is there" if whole else less)


async def _owner(owner: str, api: Onboarding, me: Bot) -> Finding:
    try:
        who = await api.member(owner.rpartition(":")[2], me)
    except Refused as error:
        if error.code == "missing_scope":
            return careful("slack owners", f"{owner} cannot be looked up without users:read")
        return wrong("slack owners", f"{owner} is nobody in this workspace ({error.code}); is the member id right?")
    except TellerError as error:
        return careful("slack owners", f"{owner} cannot be looked up: {error}")
    if who.gone or who.robot or who.address != owner:
        what = "switched off" if who.gone else "a bot" if who.robot else f"really {who.address}"
        return wrong("slack owners", f"{owner} is {what}; correct owners")
    return fine("slack owners", f"{who.name} ({owner})")


async def way(patient: Patient) -> AsyncIterator[Finding]:
    """How the bot hears of things: the app-level token, or the address that Slack must be told."""
    section = patient.config.slack
    if section.bot_token is None and not section.oauth:
        return
    if section.mode == "http":
        told = f"enter https://YOUR-HOST{section.path} in the app, where it asks for a Request URL"
        yield fine("slack http", f"{told}; teller slack manifest --http https://YOUR-HOST prints it in all places")
        return
    if section.app_token is None:
        return  # told as a problem at the start
    token = section.app_token.get_secret_value()
    async with Onboarding(token, section.base_url) as api:
        try:
            await api.opens_socket(token)
        except (TokenUnknown, Refused) as error:
            remedy = "is Socket Mode on, and has the app-level token the scope connections:write?"
            yield wrong("slack socket", f"{error} Look at the app: {remedy}")
        except TellerError as error:
            yield careful("slack socket", str(error))
        else:
            yield fine("slack socket", "Slack gives an address to listen at")


async def installations(patient: Patient) -> AsyncIterator[Finding]:
    """The workspaces that installed the app by its page, as the running bot knows them."""
    section = patient.config.slack
    if not section.oauth:
        return
    address = f"{section.public_url or 'https://YOUR-HOST'}/slack/install"
    platforms = (patient.running or {}).get("platforms", {})
    known = platforms.get("slack", {}).get("installations") if isinstance(platforms, dict) else None
    if not isinstance(known, list):
        yield careful("slack installations", "start the bot to see them")
        return
    if not known:
        yield careful("slack installations", f"none yet; open {address} in a browser")
    for one in known:
        name = f"{one['name']} ({one['id']})" if one["name"] else one["id"]
        if one["state"] in ("active", "removed"):
            yield fine(
                "slack installations", name if one["state"] == "active" else f"{name}: the app was removed there"
            )
        else:
            hint = "; is secret_key the right one?" if one["state"] == UNREADABLE else ""
            yield wrong("slack installations", f"{name}: {one['state']}{hint}")


CHECKS: dict[str, Callable[[Patient], AsyncIterator[Finding]]] = {
    "slack": slack,
    "slack way": way,
    "slack installations": installations,
}
