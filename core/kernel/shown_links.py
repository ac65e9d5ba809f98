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
# Whatever else Markdown may take for a link, or for where one leads: it is to stand there as it is written.
_LOOSE = re.compile(r"\](?=[(:]\s*+<?(?:[A-Za-z][\w+.-]{0,30}:|//|&|\\))")
# Slack's own way to put a label on a target.
_SLACK = re.compile(r"<(?P<target>[A-Za-z][\w+.-]{0,30}:[^\s<>|]{1,2000})\|(?P<label>[^<>\n]{0,300})>")
# Its way to call somebody by their id, with or without a name: a model calls nobody.
_MENTION = re.compile(r"<@(?P<id>[A-Z0-9]{1,40})(?:\|(?P<name>[^<>\n]{0,100}))?>")
_WEB = frozenset({"http", "https"})
# Signs that turn the direction of a text around, or that nobody sees; those that join letters and pictures stay.
_UNSEEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")


def with_hosts(text: str) -> str:
    """Return a text whose links name their hosts behind their labels; a link that leads to no page is but its label,
    and a mention by an id but a name."""
    plain = _SLACK.sub(lambda found: f"{found['label']} ({found['target']})", _UNSEEN.sub("", text))
    plain = _MENTION.sub(lambda found: f"@{found['name'] or found['id']}", plain)
    if "](" not in plain and "]:" not in plain:
        return plain
    plain = _DEFINED.sub(lambda found: f"{found['name']}: {found['target']}", plain)
    pieces, end = [], 0
    for link in _LINK.finditer(plain):
        # Of several signs that make a picture none is left.
        pieces += [_LOOSE.sub("] ", plain[end : link.start()]).rstrip("!"), _shown(link)]
        end = link.end()
    return "".join([*pieces, _LOOSE.sub("] ", plain[end:])])


def _shown(found: re.Match[str]) -> str:
    label, target = found["label"], found["target"]
    try:
        parts = urlsplit(target)
        # A browser ends a host at a backslash, Markdown leaves it out: nobody can say where that leads.
        host = "" if "\\" in parts.netloc else parts.hostname or ""
    except ValueError:
        return label
    if not parts.scheme and not parts.netloc:
        # A place within some page, or code such as `handlers[name](event)`: nothing is taken out of it.
        return f"[{label}] ({target})" if "." in target or "/" in target else found[0]
    if parts.scheme.lower() not in _WEB or not host:
        return label
    if re.search(rf"(?<![\w.-]){re.escape(host)}(?![\w-]|\.\w)", label):
        return f"[{label}]({target})"
    return f"[{label} ({host})]({target})"
