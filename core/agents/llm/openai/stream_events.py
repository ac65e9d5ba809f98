"""Server-sent events out of raw bytes (HTML Standard, section Server-sent events)."""

from __future__ import annotations

_DATA = frozenset({b"data", b"\xef\xbb\xbfdata"})


class Events:
    """Takes bytes in whatever pieces they come, gives the data of each event; names, ids and comments are dropped."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._data: list[bytes] = []
        self._after_cr = False

    def feed(self, block: bytes) -> list[bytes]:
        """The events that `block` completes; blank ones are left out."""
        if not block:
            return []
        # A line may end with CR, LF or both, and a block between the two.
        skip = self._after_cr and block.startswith(b"\n")
        self._after_cr = block.endswith(b"\r")
        self._rest += block[skip:]
        if b"\n" not in block and b"\r" not in block:
            return []
        lines = bytes(self._rest).splitlines(keepends=True)
        open_line = lines.pop() if lines and not lines[-1].endswith((b"\n", b"\r")) else b""
        self._rest = bytearray(open_line)
        return [event for event in map(self._line, lines) if event]

    def end(self) -> list[bytes]:
        """The event that the stream ended with, where its empty line is missing."""
        return self.feed(b"\n\n")

    def _line(self, line: bytes) -> bytes:
        """Take one line; an empty one returns the event above it."""
        name, _, value = line.rstrip(b"\r\n").partition(b":")
        if name in _DATA:
            self._data.append(value.removeprefix(b" "))
        if name or value:
            return b""
        event, self._data = b"\n".join(self._data).strip(), []
        return event
