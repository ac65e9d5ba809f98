"""Landlock (Linux 5.13 on, landlock(7)): from then on this process opens no file and no connection but what is allowed.

The calls have the same numbers on every processor; the standard library does not know them.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_ASK_VERSION, _BENEATH, _NO_NEW_PRIVILEGES = 1, 1, 38
# To read files, and to list folders, too.
_READ_FILE, _READ = 1 << 2, 1 << 2 | 1 << 3
# How many rights over files each version of Landlock knows; the last of these are those of all later ones.
_RIGHTS = (0, 13, 14, 15, 15, 16)
# Connections by TCP (to bind, to connect) from the fourth version on; signals and sockets of others from the sixth on.
_WITH_NET, _WITH_SCOPES = 4, 6


def version() -> int:
    """Return the version of Landlock here, 0 where there is none."""
    if not hasattr(os, "O_PATH"):
        return 0
    return max(0, int(ctypes.CDLL(None).syscall(_CREATE, None, ctypes.c_size_t(0), _ASK_VERSION)))


def confine(readable: Iterable[str]) -> bool:
    """Take every right over files and connections from this process, for good, but to read these files, and what is in
    these folders.

    What is open stays open. Return False where there is no Landlock. Raises `OSError` when it does not take the rules.
    """
    known, libc = version(), ctypes.CDLL(None, use_errno=True)
    if not known:
        return False
    rights = (1 << _RIGHTS[min(known, len(_RIGHTS) - 1)]) - 1
    rules = [rights, *([3] if known >= _WITH_NET else []), *([3] if known >= _WITH_SCOPES else [])]
    attributes = struct.pack(f"={len(rules)}Q", *rules)
    ruleset = libc.syscall(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    for path in filter(os.path.exists, readable):
        beneath, may = os.open(path, os.O_PATH | os.O_CLOEXEC), _READ if os.path.isdir(path) else _READ_FILE
        libc.syscall(_ADD, ruleset, _BENEATH, struct.pack("=Qi", may, beneath), 0)
        os.close(beneath)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.syscall(_RESTRICT, ruleset, 0) != 0:
        raise OSError(ctypes.get_errno(), "Landlock does not take the rules")
    os.close(ruleset)
    return True
