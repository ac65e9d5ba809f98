"""What stands on the web, read safely."""

from __future__ import annotations

from core.capabilities.web import commands, reading, tools
from core.capabilities.web.links import ReadLinks
from core.capabilities.web.texts import de, en, zh
from core.capabilities.web.understands import UNDERSTANDS
from core.toolkit.capability import Capability, tools_in
from core.toolkit.fetch.allowance import forget
from core.toolkit.keeping import Keeps

CAPABILITY = Capability(
    name="web",
    tools=tools_in(tools),
    commands=commands.COMMANDS,
    intents=commands.INTENTS,
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    understands=UNDERSTANDS,
    services=lambda services: (ReadLinks(),),
    background=reading.run,
    keeps=Keeps(expires={"web counts": lambda tx, night, limit: forget(tx, night.ago(night.keep.fetch_use), limit)}),
)
