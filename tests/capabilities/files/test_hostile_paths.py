"""Hostile paths and folders: whatever is named, and whatever lies there, nothing outside of a scope is read or changed.

With the kernel's walk (openat2), and step by step as where it has none.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

from core.capabilities.files.disk import Conflict, Disk
from core.capabilities.files.folders import Folders
from core.capabilities.files.models import Change, ChangeAct, ChangeState
from core.capabilities.files.paths import CACHE, STATE, AllowedFolder, BadPath, Place, Rules
from core.store.beneath import OPENER, Opener

CANARY = b"of another scope"
OWN, OTHER = 7, 8
READS = 20_000
UPS = (
    *(
        "..",
        "../..",
        "./..",
        "a/..",
        "a/../..",
        ".. ",
        " ..",
        "..;",
        "...",
        "....",
        "..\\",
        "\\..",
        "..\0",
        "..\u200b",
        ".\u200d.",
    ),
    *(
        "%2e%2e",
        "%252e%252e",
        "..%2f",
        "..%5c",
        "..%00",
        "..%c0%af",
        "0x2e0x2e",
        "．．",
        "․․",
        "‥",
        "..\u202e",
        "..\n",
        "..\t",
    ),
    *("~", "~root", "$HOME", "*", "..*", "[.][.]", "{..}", "-rf", "CON", ".", "", "。。", "..\ud800"),
)
SLASHES = ("/", "//", "/./", "\\", "∕", "%2f")
TARGETS = (f"{OTHER}/{CACHE}/secret.txt", "secret.txt", "etc/passwd")
ABSOLUTE = (
    *(
        "/etc/passwd",
        "//etc/passwd",
        "/./etc/passwd",
        "/proc/self/environ",
        "/proc/self/root/etc/passwd",
        "/proc/self/fd/0",
    ),
    *(
        "/proc/self/cwd/pyproject.toml",
        "/dev/zero",
        "/dev/stdin",
        "/dev/tty",
        "/dev/null",
        "file:///etc/passwd",
        "C:\\boot.ini",
    ),
    *(
        "C:/boot.ini",
        "\\\\host\\share",
        "http://localhost/x",
        "smb://host/x",
        "/",
        "//",
        "/..",
        "/../..",
        "~/.ssh/id_rsa",
    ),
)
LONG = (
    "a" * 201,
    "a" * 256,
    "a" * 5_000,
    "ä" * 150,
    "a/" * 13 + "b",
    "a/" * 5_000 + "b",
    "../" * 2_000 + "etc/passwd",
    "é" * 801,
)
# What lies in the folder of the scope, put there by somebody who wants something else read.
PLANTED = (
    *(
        "link.txt",
        "absolute.txt",
        "folder/secret.txt",
        "up/secret.txt",
        f"far/{OTHER}/{CACHE}/secret.txt",
        "loop",
        "loop/x",
        "twin.txt",
    ),
    *(
        "pipe",
        "socket",
        "magic",
        "magic/secret.txt",
        "proc/environ",
        "chain.txt",
        "deep/link.txt",
        "deep/folder/secret.txt",
        "zero",
    ),
)


def corpus() -> list[str]:
    """Every path that is tried."""
    climbing = [f"{up}{slash}{target}" for up, slash, target in product(UPS, SLASHES, TARGETS)]
    deeper = [f"{'../' * depth}{target}" for depth, target in product(range(1, 9), TARGETS)]
    prefixed = [f"{root}/{up}/{target}" for root, up, target in product((CACHE, STATE), UPS[:8], TARGETS)]
    planted = [f"{before}{path}" for before, path in product(("", f"{CACHE}/", "./", "a/../"), PLANTED)]
    return [*climbing, *deeper, *prefixed, *planted, *ABSOLUTE, *LONG]


@pytest.fixture(params=[True, False], ids=["kernel", "stepwise"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """The folders of two scopes, in one of which traps lie that lead to the other."""
    # Where the kernel has no openat2 the other way is tried twice.
    folders = Folders(tmp_path / "folders", Rules(), Opener(kernel=request.param and OPENER.kernel))
    other, own = [tmp_path / "folders" / str(scope) / CACHE for scope in (OTHER, OWN)]
    for folder in (other, own / "deep", own.parent / STATE):
        folder.mkdir(parents=True)
    (other / "secret.txt").write_bytes(CANARY)
    for where, up in ((own, "../.."), (own / "deep", "../../..")):
        (where / "link.txt").symlink_to(f"{up}/{OTHER}/{CACHE}/secret.txt")
        (where / "folder").symlink_to(f"{up}/{OTHER}/{CACHE}")
    (own / "absolute.txt").symlink_to(other / "secret.txt")
    (own / "up").symlink_to(other)
    (own / "far").symlink_to("../..")
    (own / "loop").symlink_to("loop")
    (own / "chain.txt").symlink_to("link.txt")
    (own / "twin.txt").hardlink_to(other / "secret.txt")
    os.mkfifo(own / "pipe")
    os.mknod(own / "socket", 0o600 | stat.S_IFSOCK)
    held = os.open(other, os.O_RDONLY)
    (own / "magic").symlink_to(f"/proc/self/fd/{held}")
    (own / "proc").symlink_to("/proc/self")
    with suppress(PermissionError):  # for root alone
        os.mknod(own / "zero", 0o600 | 0o020000, os.makedev(1, 5))
    (own / "a.txt").write_text("own")
    yield Disk(folders)
    os.close(held)


def test_there_are_hundreds_of_them() -> None:
    assert len(set(corpus())) >= 700


def test_no_hostile_path_reads_or_lists_what_is_not_the_scopes_own(disk: Disk) -> None:
    folders = disk.folders
    for path in corpus():
        with suppress(BadPath):
            place = folders.rules.place(path, owner=True)
            assert folders.find(OWN, place) is None, path
            assert folders.snapshot(OWN, folders.rules.glob(path, owner=True)) == {} or "*" in path or "[" in path, path
            with suppress(OSError):
                raise AssertionError(path, folders.read(OWN, place, 1 << 20))
    listed = [str(one.place) for root in (CACHE, STATE) for one in folders.walk(OWN, Place(root, ""))]
    assert listed == [f"{CACHE}/a.txt", f"{CACHE}/deep"]
    assert folders.read(OWN, folders.rules.place("a.txt", owner=False), 10) == b"own"


@pytest.mark.parametrize("act", [ChangeAct.WRITE, ChangeAct.APPEND, ChangeAct.DELETE, ChangeAct.MOVE])
def test_no_hostile_path_changes_what_is_not_the_scopes_own(disk: Disk, act: ChangeAct) -> None:
    home = disk.folders.home
    before = {one: one.read_bytes() for one in (home / str(OTHER)).rglob("*") if one.is_file()}
    for n, path in enumerate(corpus(), 1):
        token = disk.stage(OWN, b"mine") if act in (ChangeAct.WRITE, ChangeAct.APPEND) else f"{n:016x}"
        change = Change(
            change_id=n,
            scope_id=OWN,
            person_id=1,
            act=act,
            state=ChangeState.PLANNED,
            path=path,
            token=token,
            target=f"moved/{n}.txt" if act is ChangeAct.MOVE else "",
        )
        with suppress(Conflict, OSError):
            disk.carry_out(change)
    assert {one: one.read_bytes() for one in (home / str(OTHER)).rglob("*") if one.is_file()} == before
    assert sorted(one.name for one in home.iterdir()) == [str(OWN), str(OTHER)]
    # Nor has anything of it got a name among the files of the scope.
    for found in disk.folders.walk(OWN, Place(CACHE, "")):
        if not found.is_dir:
            assert CANARY not in disk.folders.read(OWN, found.place, 1 << 20), found.place


def test_a_file_that_is_swapped_for_a_link_meanwhile_never_leads_out(disk: Disk) -> None:
    own, stop = disk.folders.home / str(OWN) / CACHE, threading.Event()
    secret = disk.folders.home / str(OTHER) / CACHE / "one"  # with no second name, which would keep it safe
    for folder in (secret, own / "swap"):
        folder.mkdir()
    (secret / "secret.txt").write_bytes(CANARY)
    (own / "swap" / "secret.txt").write_bytes(b"own")
    places = [Place(CACHE, "flip.txt"), Place(CACHE, "swapped/secret.txt")]

    def flip() -> None:
        n = 0
        while not stop.is_set():
            n += 1
            (own / "next.txt").write_bytes(b"own")
            os.replace(own / "next.txt", own / "flip.txt")
            os.symlink(own / "swap", own / "new") if n % 2 else os.rename(own / "swap", own / "new")
            os.rename(own / "new", own / "swapped")
            os.symlink(secret / "secret.txt", own / "next.txt")
            os.replace(own / "next.txt", own / "flip.txt")
            if n % 2:
                os.unlink(own / "swapped")
            else:
                os.rename(own / "swapped", own / "swap")
            os.symlink(secret, own / "swapped")
            os.unlink(own / "swapped")

    swapping = threading.Thread(target=flip)
    swapping.start()
    seen = {b"own": 0, b"": 0}
    try:
        for n in range(READS):
            content = b""
            with suppress(OSError):
                content = disk.folders.read(OWN, places[n % 2], 1 << 20)
            assert content in seen, content
            seen[content] += 1
    finally:
        stop.set()
        swapping.join()
    # Else there was no race.
    assert min(seen.values()) > READS // 100, seen


def test_a_folder_that_is_allowed_leads_out_by_no_link_either(tmp_path: Path) -> None:
    allowed, outside = tmp_path / "srv", tmp_path / "outside"
    for folder in (allowed, outside):
        folder.mkdir()
    (outside / "secret.txt").write_bytes(CANARY)
    (allowed / "link").symlink_to(outside)
    (allowed / "report.csv").write_text("r")
    rules = Rules(allowed=[AllowedFolder(str(allowed))], denied=[str(allowed / "private"), "*.key"])
    folders = Folders(tmp_path / "folders", rules)
    assert folders.read(OWN, rules.place(f"{allowed}/report.csv", owner=True), 10) == b"r"
    assert folders.find(OWN, rules.place(f"{allowed}/link/secret.txt", owner=True)) is None
    for path in (
        f"{allowed}/../outside/secret.txt",
        f"{allowed}/private/x",
        f"{allowed}/a.KEY",
        f"{allowed}x/y",
        str(outside),
    ):
        with pytest.raises(BadPath):
            rules.place(path, owner=True)
    with pytest.raises(BadPath):
        rules.place(f"{allowed}/report.csv", owner=False)
