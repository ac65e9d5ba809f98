"""The section of the web: what is read there, how much of it, and who searches."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr, model_validator

from bot.config.sections import Money, Positive, Secret, Section, WebRoot
from core.capabilities.web.search import SearchSettings
from core.toolkit.fetch.addresses import OwnNetworks, own_networks
from core.toolkit.fetch.allowance import MEGA, HourLimits
from core.toolkit.fetch.client import AuthProfile

_HEADER = re.compile(r"[A-Za-z0-9-]{1,60}")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}")


def _network(value: str) -> str:
    own_networks((value,))
    return value


def _host(value: str) -> str:
    name = value.strip().lower()
    if (not own_networks((name,)).hosts and not own_networks((name,)).networks) or "/" in name:
        raise ValueError(f"{value!r} is no host; write its name alone, such as api.example.org")
    return name


def _header(value: str) -> str:
    if not _HEADER.fullmatch(value):
        raise ValueError(f"{value!r} is no header; write its name, such as Authorization")
    return value


def _name(value: str) -> str:
    if not _NAME.fullmatch(value):
        raise ValueError("a profile's name has letters, digits, _ and - only")
    return value


class AuthProfileSection(Section):
    """A header with a secret for some hosts, which tools may use by its name and never see."""

    name: Annotated[str, AfterValidator(_name)]
    hosts: Annotated[tuple[Annotated[str, AfterValidator(_host)], ...], Field(min_length=1)]
    header: Annotated[str, AfterValidator(_header)] = "Authorization"
    value: SecretStr


class SearchSection(Section):
    """Who searches the web. `auto`: SearXNG where `base_url` is set, else whoever answers without a key. `price` is
    what a search costs, in US dollars; `model` is the one that searches where that is a model's server."""

    provider: Literal["auto", "searxng", "tavily", "brave", "exa", "openai", "ddgs", "google", "bing", "off"] = "auto"
    base_url: WebRoot | None = Field(default=None, repr=False)
    api_key: Secret = None
    model: str = ""
    price: Annotated[float, Field(ge=0)] = 0.0

    @model_validator(mode="after")
    def _is_whole(self) -> SearchSection:
        if self.provider == "google":
            raise ValueError(
                "Google's search API takes no new engines and ends on 2027-01-01; take searxng, tavily, brave or exa"
            )
        if self.provider == "bing":
            raise ValueError("Bing's search API ended in August 2025; take searxng, tavily, brave or exa")
        if self.provider == "searxng" and self.base_url is None:
            raise ValueError("searxng needs base_url, the address of your own SearXNG, such as http://localhost:8888")
        if self.provider in {"tavily", "brave", "exa", "openai"} and self.api_key is None:
            raise ValueError(f"{self.provider} needs an api_key")
        if self.provider == "openai" and not self.model:
            raise ValueError("openai needs a model that searches, such as gpt-5-mini")
        if self.provider == "auto" and self.api_key is not None:
            raise ValueError("say whose key that is: provider is tavily, brave, exa or openai")
        return self

    @property
    def settings(self) -> SearchSettings:
        """Who searches."""
        name: str = self.provider
        if name == "auto":
            # A key alone does not say whose it is.
            name = "searxng" if self.base_url else "ddgs"
        key = self.api_key.get_secret_value() if self.api_key else ""
        cost = round(self.price * 1_000_000)
        return SearchSettings(provider=name, base_url=self.base_url or "", api_key=key, model=self.model, cost=cost)


class WebSection(Section):
    """Reading the web: what one person may have in an hour, which networks of your own may be reached, and secrets for
    hosts."""

    requests_per_hour: Positive = 60
    searches_per_hour: Positive = 30
    mb_per_hour: Positive = 200
    money_per_hour: Money = 1.0
    ports: tuple[Annotated[int, Field(ge=1, le=65535)], ...] = (80, 443)
    own_networks: tuple[Annotated[str, AfterValidator(_network)], ...] = ()
    auth_profiles: tuple[AuthProfileSection, ...] = ()
    search: SearchSection = SearchSection()

    @model_validator(mode="after")
    def _names_differ(self) -> WebSection:
        names = [one.name for one in self.auth_profiles]
        if len(set(names)) < len(names):
            raise ValueError("two auth_profiles have one name")
        return self

    @property
    def networks(self) -> OwnNetworks:
        """The networks beside the public one."""
        return own_networks(self.own_networks)

    @property
    def limits(self) -> HourLimits:
        """What somebody may have in an hour."""
        return HourLimits(
            requests=self.requests_per_hour,
            searches=self.searches_per_hour,
            bytes=self.mb_per_hour * MEGA,
            cost=None if self.money_per_hour is None else round(self.money_per_hour * 1_000_000),
        )

    @property
    def profiles(self) -> dict[str, AuthProfile]:
        """The profiles by their names."""
        return {
            one.name: AuthProfile(
                hosts=frozenset(one.hosts), header=one.header.lower(), value=one.value.get_secret_value().strip()
            )
            for one in self.auth_profiles
        }
