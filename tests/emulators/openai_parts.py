"""Pictures within messages: what the API takes (guide: Images and vision), and what they weigh."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tests.emulators.openai_types import Refusal

DATA_URL = re.compile(r"data:([^;,]*)(;base64)?,(.*)", re.DOTALL)
FORMATS = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
# The price of a square of 1,024 pixels at high detail.
PICTURE_TOKENS = 765


def pictures(messages: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the URL of each picture, with its place."""
    for number, message in enumerate(messages):
        content = message.get("content")
        for place, part in enumerate(content if isinstance(content, list) else []):
            if part.get("type") == "image_url":
                yield part["image_url"]["url"], f"messages.[{number}].content.[{place}].image_url"


def check_pictures(messages: Sequence[dict[str, Any]]) -> None:
    """Raise ``Refusal`` for a picture that cannot be read."""
    for url, path in pictures(messages):
        if not url.startswith(("http://", "https://")):
            _check_data(url, path)


def _check_data(url: str, path: str) -> None:
    found = DATA_URL.fullmatch(url)
    if found is None:
        raise Refusal("Invalid image URL. The URL must be a valid HTTP or data URL.", param=path, code="invalid_url")
    if found[1] not in FORMATS:
        text = "Invalid MIME type. Only image types are supported."
        raise Refusal(text, param=path, code="invalid_image_format")
    try:
        data = base64.b64decode(found[3], validate=True) if found[2] else b""
    except binascii.Error:
        data = b""
    if not data:
        raise Refusal("Invalid base64 image_url.", param=path, code="invalid_base64")
