"""Texts by which words are understood belong to capabilities: they are there, whichever test comes first."""

import core.capabilities.all  # noqa: F401
