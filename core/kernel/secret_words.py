"""Secrets that the bot makes for programs of people: how they look, so that they are known wherever they turn up."""

from __future__ import annotations

import hashlib
import re
import secrets

# Of 256 bits of chance. The addresses of a hook and of a feed, and a key, begin differently, so that nobody takes one
# for the other.
ADDRESS, KEY, FEED = "thook_", "tkey_", "tfeed_"
SHAPE = re.compile(r"t(?:hook|key|feed)_[A-Za-z0-9_-]{43}")
# What stands for a secret where it is not to be kept.
HIDDEN = "…"
# How a word begins that was encrypted when its message came in (core.toolkit.command), and how such a word looks.
SEALED = "sealed:"
_SEALED = re.compile(rf"(?<!\S){SEALED}gAAAA[A-Za-z0-9_=-]{{90,}}")


def made(kind: str) -> str:
    """Return a new secret that begins with `kind`."""
    return f"{kind}{secrets.token_urlsafe(32)}"


def digest(secret: str) -> str:
    """Return what is kept of a secret: 64 hexadecimal digits. It has chance enough to need no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


def without_sealed(text: str) -> str:
    """Return a line of the conversation as it is kept and shown: "…" in the place of words that were encrypted."""
    return _SEALED.sub(HIDDEN, text) if SEALED in text else text


def hidden(text: str) -> str:
    """Return a text without such secrets."""
    return SHAPE.sub(HIDDEN, text)
