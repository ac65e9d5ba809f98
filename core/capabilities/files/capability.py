"""Files of a person or a group."""

from __future__ import annotations

from collections.abc import Sequence

from core.capabilities.files.folders import Folders
from core.capabilities.files.service import ScopeFiles
from core.toolkit.capability import Capability
from core.toolkit.services import Services


def services(house: Services) -> Sequence[object]:
    """Return what looks after the files of scopes."""
    return (ScopeFiles(house.db, house.get(Folders)),)


CAPABILITY = Capability(name="files", services=services)
