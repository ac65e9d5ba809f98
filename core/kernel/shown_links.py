"""Links in a model's text show where they lead: no target is hidden behind a label (TOOLS: What a model is offered)."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

# An inline link or picture of Markdown; its label and its target are bounded, so that no text takes long.
_LINK = re.compile(
    r"!?\[(?P<label>(?:[^\[\]\\\n]|\\.){0,300})\]\(\s{0,3}<?(?P<target>[^\s<>()]{1,2000}(?:\([^\s<>()]{0,200}\))?[^\s<>()]{0,500})>?"
    r"(?:\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?\s{0,3}\)"
)
# A target that stands elsewhere in the text, and what calls it by a name.
_DEFINED = re.compile(
    r"^[ ]{0,3}\[(?P<name>[^\[\]\n]{1,100})\]:[ \t]{0,10}(?P<target>\S{1,2000})[^\n]{0,300}$", re.MULTILINE
)
_WEB = frozenset({"http", "https"})
# Signs that turn the direction of a text around, or that nobody sees; those that join letters and pictures stay.
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")


def with_hosts(text: str) -> str:
    """Return a text whose links name their hosts behind their labels; a link that leads to no page is but its label."""
    plain = _UNSEEN.sub("", text)
    if "](" not in plain and "]:" not in plain:
        return plain
    return _LINK.sub(_shown, _DEFINED.sub(lambda found: f"{found['name']}: {found['target']}", plain))


def _shown(found: re.Match[str]) -> str:
    label, target = found["label"], found["target"]
    try:
        parts = urlsplit(target)
        host = parts.hostname or ""
    except ValueError:
        return label
    if parts.scheme.lower() not in _WEB or not host:
        return label
    if host in label:
        return f"[{label}]({target})"
    return f"[{label} ({host})]({target})"
