"""The confined work of the tests: it says what it was told, in the place of an answer, once or without an end, as code
would that a document has taken over."""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    """Say it."""
    endless = json.loads(sys.stdin.buffer.readline())["endless"]
    said = sys.stdin.buffer.read()
    os.write(1, said)
    while endless:
        os.write(1, said)
