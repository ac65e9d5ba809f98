"""Sealing: what must not be read by whoever reads the database, such as tokens of workspaces.

The key comes from the configuration (`secret_key`) and never lies in the data folder. Each thing is sealed for a
context, its owner: moved to another row it cannot be opened there.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from core.kernel.errors import ConfigError

KEY_BYTES = 32
PURPOSE = "teller sealing 1"


class Sealer:
    """Seals with the first of the secrets, and opens what any of them has sealed.

    A key is derived from secret and context by HKDF with SHA-256 (RFC 5869), which makes a weak secret no stronger: it
    has to be long and random. What is sealed is a Fernet token (AES-128-CBC with HMAC-SHA256).
    """

    def __init__(self, secrets: Sequence[str]) -> None:
        """Raises `ConfigError` without a secret."""
        if not all(secrets) or not secrets:
            raise ConfigError("secret_key (TELLER_SECRET_KEY) is empty.")
        self._secrets = tuple(secrets)

    def seal(self, text: str, context: str) -> str:
        """Return `text` so that only the same context and secret open it."""
        return _box(self._secrets[0], context).encrypt(text.encode()).decode()

    def open(self, sealed: str, context: str) -> str:
        """Return what was sealed; raise `ConfigError` when none of the secrets has sealed it for this context."""
        try:
            return MultiFernet([_box(secret, context) for secret in self._secrets]).decrypt(sealed.encode()).decode()
        except (InvalidToken, UnicodeDecodeError):
            raise ConfigError(
                "secret_key (TELLER_SECRET_KEY) does not open what was sealed with it. Write the former key behind "
                "the new one, with a comma between them."
            ) from None

    def is_current(self, sealed: str, context: str) -> bool:
        """Return whether the first secret, which seals now, has sealed this."""
        try:
            _box(self._secrets[0], context).decrypt(sealed.encode())
        except InvalidToken:
            return False
        return True


def _box(secret: str, context: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=f"{PURPOSE}\0{context}".encode())
    return Fernet(base64.urlsafe_b64encode(derived.derive(secret.encode())))
