"""The Web API: finds the method, looks at the token, the arguments and the limits, and lets it work."""

from __future__ import annotations

from tests.emulators.loopback import Reply, Request
from tests.emulators.slack_asking import Ask, Method, Room
from tests.emulators.slack_forms import user_form
from tests.emulators.slack_http import DOWNLOAD, FILES, bearer, raw_params
from tests.emulators.slack_limit import Limits
from tests.emulators.slack_methods_assistant import Assistant
from tests.emulators.slack_methods_chat import Chat
from tests.emulators.slack_methods_conversations import Conversations
from tests.emulators.slack_methods_files import Files
from tests.emulators.slack_methods_history import History
from tests.emulators.slack_methods_people import People
from tests.emulators.slack_methods_views import Views
from tests.emulators.slack_oauth import OAuth
from tests.emulators.slack_rules import ApiError, decode
from tests.emulators.slack_world import Call, Hooks, Json, Team, World

# Methods with a token of another kind, or without one.
CONNECT, ACCESS = "apps.connections.open", "oauth.v2.access"
TOKEN_KINDS = ("xoxb-", "xoxp-", "xoxe.", "xapp-")


class Methods:
    """What the bot may ask for; ``url`` is where the server is to be found."""

    def __init__(self, world: World, hooks: Hooks, oauth: OAuth, limits: Limits) -> None:
        self._world, self._hooks, self._oauth, self._limits = world, hooks, oauth, limits
        self.url = ""
        self.files = Files(lambda: self.url)
        rooms: tuple[Room, ...] = (
            Chat(),
            Conversations(),
            History(),
            People(),
            Assistant(),
            Views(),
            self.files,
            Itself(oauth),
        )
        self._table: dict[str, Method] = {name: method for room in rooms for name, method in room.table().items()}

    def headers(self, call: Call) -> dict[str, str]:
        """Return what Slack says of the token with every answer."""
        team = self._world.teams.get(call.team)
        return {"x-oauth-scopes": ",".join(sorted(team.scopes))} if team else {}

    def read(self, call: Call, request: Request) -> tuple[Json, str]:
        """Write down in *call* what is asked; return the arguments and the token."""
        params = raw_params(call.method, request) if call.method != DOWNLOAD else {"path": request.path[len(FILES) :]}
        token = bearer(request, params)
        call.params = params
        known = self._world.tokens.get(token)
        call.team = known.team if known else ""
        return dict(params), token

    def perform(self, call: Call, request: Request) -> Json | Reply:
        """Do what is asked and return the fields of the answer; raise ``ApiError`` when Slack would refuse."""
        params, token = self.read(call, request)
        if call.method == DOWNLOAD:
            return self.files.download(self._world, params["path"], self._holder(token, strict=False))
        if call.method == ACCESS:
            return self._oauth.access(params, call, request)
        if call.method == CONNECT:
            return self._connect(token, params)
        method = self._table.get(call.method)
        if method is None:
            raise ApiError("unknown_method", req_method=call.method)
        self._holder(token)
        return method(self._asked(token, params, call, request))

    def _asked(self, token: str, params: Json, call: Call, request: Request) -> Ask:
        wanted, team = decode(call.method, params), self._world.teams[self._world.tokens[token].team]
        call.team = team.id
        self._limits.check(call.method, team.id, _place(team, wanted))
        return Ask(
            world=self._world,
            hooks=self._hooks,
            team=team,
            token=token,
            params=wanted,
            call=call,
            request=request,
        )

    def _holder(self, token: str, *, strict: bool = True) -> Team | None:
        """Return the workspace of a bot token; without *strict* None when it is no good."""
        known = self._world.tokens.get(token)
        error = known.trouble if known else _unknown(token)
        if known and not error and 0 < known.until < self._world.now():
            error = "token_expired"
        if error and strict:
            raise ApiError(error)
        return self._world.teams[known.team] if known and not error else None

    def _connect(self, token: str, params: Json) -> Json:
        if token != self._world.app.app_token:
            raise ApiError("not_allowed_token_type" if token in self._world.tokens else _unknown(token, app=True))
        decode(CONNECT, params)
        self._limits.check(CONNECT, "", "")
        return {"url": self._hooks.socket_url()}


def _place(team: Team, params: Json) -> str:
    """Return the channel of a call; a user stands for the conversation with them."""
    name = str(params.get("channel", ""))
    direct = team.dm(name)
    return direct.id if direct else name


def _unknown(token: str, *, app: bool = False) -> str:
    if not token:
        return "not_authed"
    return "not_allowed_token_type" if token.startswith("xapp-") and not app else "invalid_auth"


class Itself:
    """The methods about the token, the bot and its workspace."""

    def __init__(self, oauth: OAuth) -> None:
        self._oauth = oauth

    def table(self) -> dict[str, Method]:
        """Return the methods by name."""
        return {
            "auth.test": self._test,
            "auth.revoke": self._revoke,
            "apps.uninstall": self._uninstall,
            "team.info": self._team,
            "bots.info": self._bot,
        }

    def _test(self, ask: Ask) -> Json:
        team = ask.team
        form = {
            "url": f"https://{team.domain}.slack.com/",
            "team": team.name,
            "user": team.bot.name,
            "team_id": team.id,
            "user_id": team.bot_user,
            "bot_id": team.bot_id,
            "is_enterprise_install": False,
        }
        return form | ({"enterprise_id": team.enterprise} if team.enterprise else {})

    def _revoke(self, ask: Ask) -> Json:
        if ask.params.get("test"):
            return {"revoked": False}
        ask.world.tokens[ask.token].trouble = "token_revoked"
        ask.hooks.gone(ask.team, uninstalled=False)
        return {"revoked": True}

    def _uninstall(self, ask: Ask) -> Json:
        self._oauth.check_client(ask.params["client_id"], ask.params["client_secret"])
        ask.world.revoke(ask.team, "account_inactive")
        ask.hooks.gone(ask.team, uninstalled=True)
        return {}

    def _team(self, ask: Ask) -> Json:
        ask.need("team:read")
        team = ask.world.teams.get(ask.params.get("team") or ask.team.id)
        if team is None:
            raise ApiError("team_not_found")
        form = {"id": team.id, "name": team.name, "domain": team.domain, "email_domain": ""}
        return {"team": form | ({"enterprise_id": team.enterprise} if team.enterprise else {})}

    def _bot(self, ask: Ask) -> Json:
        ask.need("users:read")
        team = ask.team
        if ask.params.get("bot") != team.bot_id:
            raise ApiError("bot_not_found")
        bot = user_form(team.bot, team)
        form = {"id": team.bot_id, "app_id": team.app_id, "user_id": team.bot_user, "deleted": not team.installed}
        return {"bot": form | {"name": bot["name"], "updated": bot["updated"]}}
