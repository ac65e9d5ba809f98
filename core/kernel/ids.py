"""Typeable ids: a letter and six base-32 characters, computed from a row's number so that two rows never share one."""

from __future__ import annotations

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [one + other for one in _ALPHABET for other in _ALPHABET]
_SIZE = 1 << 30
_FACTOR = 0x2C9277B5
_ROWS = 1 << 63  # no row of either database has a greater number
_INVERSE = pow(_FACTOR, -1, _SIZE)


def ref(prefix: str, number: int) -> str:
    """Return the id shown for row `number`, for example `m4k9t2x`. Neighbouring rows look unrelated."""
    scrambled, left = (number * _FACTOR) % _SIZE, number // _SIZE
    digits = _PAIRS[scrambled >> 20] + _PAIRS[(scrambled >> 10) & 1023] + _PAIRS[scrambled & 1023]
    more = ""
    while left:
        left, digit = divmod(left, 32)
        more = _ALPHABET[digit] + more
    return prefix + digits + more


def number(prefix: str, text: str) -> int | None:
    """Return the row number behind `text`, or None when it is no id with this prefix."""
    text = text.strip().lower()
    if not text.startswith(prefix) or len(text) < len(prefix) + 6:
        return None
    digits = [_ALPHABET.find(character) for character in text.removeprefix(prefix)]
    if min(digits) < 0:
        return None
    scrambled, left = _value(digits[:6]), _value(digits[6:])
    found = (scrambled * _INVERSE) % _SIZE + left * _SIZE
    return found if found < _ROWS else None


def _value(digits: list[int]) -> int:
    total = 0
    for digit in digits:
        total = total * 32 + digit
    return total
