"""What stands on the web, read safely."""

from __future__ import annotations

from core.capabilities.web import commands, reading, searching, tools
from core.capabilities.web.links import ReadLinks
from core.capabilities.web.search import SearchSettings, WebSearch
from core.capabilities.web.texts import de, en, zh
from core.capabilities.web.understands import UNDERSTANDS
from core.toolkit.capability import Capability, tools_in
from core.toolkit.fetch.allowance import PersonAllowance, forget
from core.toolkit.fetch.client import Fetcher
from core.toolkit.keeping import Keeps
from core.toolkit.services import Services


def _services(services: Services) -> tuple[ReadLinks, WebSearch]:
    search = WebSearch(services.get(SearchSettings), services.get(Fetcher), services.get(PersonAllowance))
    return ReadLinks(), search


CAPABILITY = Capability(
    name="web",
    tools=tools_in(tools, searching),
    commands={**commands.COMMANDS, **searching.COMMANDS},
    intents=(*commands.INTENTS, *searching.INTENTS),
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    understands=UNDERSTANDS,
    services=_services,
    background=reading.run,
    keeps=Keeps(expires={"web counts": lambda tx, night, limit: forget(tx, night.ago(night.keep.fetch_use), limit)}),
)
