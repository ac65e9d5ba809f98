"""What is exported: all that the capabilities have of a scope, as one JSON object and as files for people, in a zip."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.kernel.ports import Tx
from core.kernel.timing.zones import to_local
from core.kernel.types import Millis
from core.toolkit.keeping import Keeps
from core.toolkit.portable import Entry, Exporting, Portable, Showing

# Of the JSON; a newer version may have fields that an older one does not read, and never others of the same name.
FORMAT, VERSION = "teller-export", 1
WHOLE = "teller.json"
MIME = "application/zip"
# Instants in a zip are not older.
_ZIP_BEGINS = datetime(1980, 1, 1, tzinfo=UTC)

# Whether, and by what, this bot says that a file is of its own making.
Seal = Callable[[bytes], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose an export is: an address of somebody (`tg:1001`) in a tenant of a platform, or a group."""

    platform: str
    tenant: str
    address: str
    group: bool = False
    title: str = ""


@dataclass(frozen=True, kw_only=True)
class Content:
    """All of a scope, by the names of its parts; `left_out` are how many rows of it are in none of them."""

    owner: Owner
    made_at: Millis
    parts: Mapping[str, Sequence[Entry]]
    left_out: int = 0

    def counts(self) -> dict[str, int]:
        """Return how many rows each part has."""
        return {name: len(rows) for name, rows in self.parts.items()}

    def whole(self) -> dict[str, Any]:
        """Return it as JSON, without its seal."""
        owner = self.owner
        return {
            "format": FORMAT,
            "version": VERSION,
            "made_at": self.made_at,
            "platform": owner.platform,
            "tenant": owner.tenant,
            "of": owner.address,
            "kind": "group" if owner.group else "private",
            "title": owner.title,
            "parts": {name: [row.model_dump(mode="json") for row in rows] for name, rows in self.parts.items()},
        }


def portables(keeps: Iterable[Keeps]) -> list[Portable]:
    """Return what can be taken along, what others name first."""
    return sorted((one for each in keeps for one in each.portable), key=lambda one: one.rank)


def collect(tx: Tx, kinds: Sequence[Portable], exporting: Exporting, owner: Owner, now: Millis) -> Content:
    """Read all of a scope."""
    parts = {one.name: one.read(tx, exporting) for one in kinds}
    left_out = sum(one.left_out(tx, exporting.lane, parts[one.name]) for one in kinds)
    return Content(owner=owner, made_at=now, parts=parts, left_out=left_out)


def canonical(whole: Mapping[str, Any]) -> bytes:
    """Return what is sealed of an export: all but the seal itself, the same whoever wrote the JSON."""
    sealed = {name: value for name, value in whole.items() if name != "seal"}
    return json.dumps(sealed, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "replace")


def pack(content: Content, kinds: Sequence[Portable], showing: Showing, seal: Seal) -> bytes:
    """Return an export as a zip: the files for people, and one with everything."""
    whole = content.whole()
    whole["seal"] = seal(canonical(whole))
    made = max(_ZIP_BEGINS, datetime.fromtimestamp(content.made_at / 1000, UTC)).astimezone(showing.zone)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in kinds:
            shown = {} if one.files is None else one.files(content.parts[one.name], showing)
            for name, data in sorted(shown.items()):
                archive.writestr(_entry(name, made), data)
        text = json.dumps(whole, ensure_ascii=False, indent=1).encode("utf-8", "replace")
        archive.writestr(_entry(WHOLE, made), text)
    return packed.getvalue()


def _entry(name: str, made: datetime) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, made.timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


def file_name(content: Content, showing: Showing) -> str:
    """Return what an export is called."""
    at = to_local(content.made_at, showing.zone)
    return f"teller-{'group-' if content.owner.group else ''}export-{at:%Y%m%d-%H%M}.zip"
