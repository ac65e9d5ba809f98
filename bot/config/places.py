"""Where the settings and the data are when nobody says so.

In a checkout both are in the working folder. An installed Teller is started from anywhere and has to find them again:
they are in a folder of the user, unless the working folder holds a config.yaml, or the data that a former version, with
no such folder, has left there.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from core.kernel.errors import ConfigError

SETTINGS = Path("config.yaml")
DATA, FILE = Path("data"), "teller.db"


def in_checkout() -> bool:
    """Return whether this code lies in its project, not in an environment."""
    return (Path(__file__).parents[2] / "pyproject.toml").exists()


def settings_file(environ: Mapping[str, str]) -> Path:
    """Return the file of settings: an installed Teller has it in the data folder if there is none where one works."""
    if in_checkout() or SETTINGS.exists():
        return SETTINGS
    named = environ.get("TELLER_DATA_DIR")
    return (Path(named) if named else _of_the_user(environ)) / SETTINGS


def data_folder(environ: Mapping[str, str]) -> Path:
    """Return the data folder that is used while `data_dir` is not set."""
    here = in_checkout() or SETTINGS.exists() or (DATA / FILE).exists()
    return DATA if here else _of_the_user(environ)


def _of_the_user(environ: Mapping[str, str]) -> Path:
    """Return our folder among the data of the user's programs (XDG Base Directory)."""
    named = Path(environ.get("XDG_DATA_HOME") or "")
    try:
        return (named if named.is_absolute() else Path("~/.local/share").expanduser()) / "teller"
    except RuntimeError:
        raise ConfigError("There is no home folder to keep the data in. Set TELLER_DATA_DIR.") from None
