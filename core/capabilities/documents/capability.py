"""What stands in documents that people send, and in those of the web."""

from __future__ import annotations

from core.capabilities.documents import keeps, searchable
from core.capabilities.documents.service import Documents
from core.capabilities.documents.texts import de, en, zh
from core.toolkit.capability import Capability

CAPABILITY = Capability(
    name="documents",
    texts={"de": de.TEXTS, "en": en.TEXTS, "zh": zh.TEXTS},
    services=lambda services: (Documents(),),
    keeps=keeps.KEEPS,
    background=searchable.run,
)
