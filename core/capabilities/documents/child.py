"""The process that reads one document, and ends. What it reads may be made to harm whoever reads it."""

from __future__ import annotations

from dataclasses import asdict

from core.capabilities.documents.readers.any import read
from core.toolkit.confined.child import serve


def main() -> None:
    """Read what stands on the standard input."""
    serve(lambda body, **options: asdict(read(body, **options)))
