"""Installing the app: the page that asks, the code it gives, and the tokens for it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode

from tests.emulators.loopback import Reply, Request
from tests.emulators.slack_http import credentials
from tests.emulators.slack_rules import ApiError, Params
from tests.emulators.slack_world import Call, Json, Team, World

AUTHORIZE = "/oauth/v2/authorize"
# docs.slack.dev, "Using token rotation" and "Installing with OAuth".
TOKEN_SECONDS = 43200
CODE_SECONDS = 600.0


@dataclass(slots=True, kw_only=True)
class Grant:
    """A code that can be exchanged once, *until* wall seconds."""

    team: str
    user: str
    scopes: list[str]
    redirect_uri: str
    until: float


@dataclass(slots=True)
class OAuth:
    """Who will press "Allow" is said by ``choose``; otherwise the first person of the first workspace does."""

    world: World
    grants: dict[str, Grant] = field(default_factory=dict)
    refreshing: dict[str, str] = field(default_factory=dict)
    _chosen: tuple[str, str, bool] = ("", "", False)

    def choose(self, team: str, user: str, *, deny: bool = False) -> None:
        """Let *user* of *team* meet the next installation page, and press "Cancel" with *deny*."""
        self._chosen = (team, user, deny)

    async def authorize(self, request: Request) -> Reply:
        """Answer the page at once as somebody presses its button: back to the app with a code, or with an error."""
        query = {name: values[-1] for name, values in parse_qs(request.query).items()}
        if query.get("client_id") != self.world.app.client_id:
            return _page("invalid_client_id")
        scopes = [name for name in query.get("scope", "").split(",") if name]
        if not scopes:
            return _page("no_scopes")
        back, known = query.get("redirect_uri", ""), self.world.app.redirect_uri
        if not (back or known) or (back and not back.startswith(known)):
            return _page("bad_redirect_uri")
        return self._back(query, scopes)

    def _back(self, query: dict[str, str], scopes: list[str]) -> Reply:
        team_id, user, deny = self._chosen
        team = self.world.teams[query.get("team") or team_id or next(iter(self.world.teams))]
        answer = {"state": query.get("state", "")}
        if deny:
            answer["error"] = "access_denied"
        else:
            person = user or next(name for name in team.users if not team.users[name].is_bot)
            answer["code"] = self._granted(team, person, scopes, query.get("redirect_uri", ""))
        back = query.get("redirect_uri") or self.world.app.redirect_uri
        return Reply(status=302, headers={"location": f"{back}?{urlencode(answer)}"})

    def _granted(self, team: Team, user: str, scopes: list[str], redirect_uri: str) -> str:
        code = f"{secrets.randbelow(10**10)}.{secrets.token_hex(24)}"
        until = self.world.now() + CODE_SECONDS
        self.grants[code] = Grant(team=team.id, user=user, scopes=scopes, redirect_uri=redirect_uri, until=until)
        return code

    def access(self, params: Params, call: Call, request: Request) -> Json:
        """oauth.v2.access: exchange a code, or a refresh token, for tokens."""
        self.check_client(*credentials(request, params))
        kind = params.get("grant_type", "authorization_code")
        if kind == "refresh_token":
            return self._refresh(params)
        if kind != "authorization_code":
            raise ApiError("invalid_grant_type")
        grant = self.grants.pop(params.get("code", ""), None)
        if grant is None or grant.until < self.world.now():
            raise ApiError("invalid_code")
        if params.get("redirect_uri", "") != grant.redirect_uri:
            raise ApiError("bad_redirect_uri")
        return self._installed(grant)

    def check_client(self, client_id: str, client_secret: str) -> None:
        """Raise ``ApiError`` unless both belong to the app."""
        if client_id != self.world.app.client_id:
            raise ApiError("invalid_client_id")
        if client_secret != self.world.app.client_secret:
            raise ApiError("bad_client_secret")

    def _installed(self, grant: Grant) -> Json:
        team = self.world.teams[grant.team]
        team.scopes = team.scopes | set(grant.scopes) if team.installed else set(grant.scopes)
        self.world.install(team, renew=self.world.app.rotation)
        return self._tokens(team) | {
            "bot_user_id": team.bot_user,
            "authed_user": {"id": grant.user},
        }

    def _refresh(self, params: Params) -> Json:
        team_id = self.refreshing.pop(params.get("refresh_token", ""), None)
        if team_id is None or not self.world.teams[team_id].installed:
            raise ApiError("invalid_refresh_token")
        team = self.world.teams[team_id]
        self.world.install(team, renew=True)
        return self._tokens(team) | {"bot_user_id": team.bot_user}

    def _tokens(self, team: Team) -> Json:
        known = self.world.tokens[team.bot_token]
        whole = self.world.app.whole
        answer: Json = {
            "app_id": self.world.app.id,
            "token_type": "bot",
            "access_token": team.bot_token,
            "scope": ",".join(sorted(team.scopes)),
            "team": None if whole else {"id": team.id, "name": team.name},
            "is_enterprise_install": whole,
            "enterprise": {"id": team.enterprise, "name": team.enterprise} if team.enterprise else None,
        }
        if self.world.app.rotation:
            refresh = f"xoxe-1-{secrets.token_hex(24)}"
            self.refreshing[refresh] = team.id
            known.until = self.world.now() + TOKEN_SECONDS
            answer |= {"refresh_token": refresh, "expires_in": TOKEN_SECONDS}
        return answer


def _page(error: str) -> Reply:
    return Reply(status=200, content_type="text/html", chunks=(f"<html><body>{error}</body></html>".encode(),))
