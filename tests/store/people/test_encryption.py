"""What is sealed can be read with the key alone, in its place alone, and outlives a change of the key."""

from __future__ import annotations

import base64

import pytest

from core.kernel.errors import ConfigError
from core.store.people.encryption import Sealer

OLD, NEW = "an old key that is long enough 12", "a new key that is long enough 345"
PLACE, ELSEWHERE = "slack:T1", "slack:T2"
SECRET = "xoxb-1-CANARY"


def test_what_was_sealed_is_opened_again() -> None:
    sealed = Sealer([NEW]).seal(SECRET, PLACE)
    assert Sealer([NEW]).open(sealed, PLACE) == SECRET


def test_nothing_of_it_is_to_be_read() -> None:
    sealed = Sealer([NEW]).seal(SECRET, PLACE)
    assert SECRET not in sealed
    assert SECRET.encode() not in base64.urlsafe_b64decode(sealed)
    assert sealed != Sealer([NEW]).seal(SECRET, PLACE)


@pytest.mark.parametrize(("key", "place"), [(OLD, PLACE), (NEW, ELSEWHERE), (f"{NEW} ", PLACE)])
def test_another_key_or_place_opens_nothing_and_tells_nothing(key: str, place: str) -> None:
    sealed = Sealer([NEW]).seal(SECRET, PLACE)
    with pytest.raises(ConfigError, match="TELLER_SECRET_KEY") as caught:
        Sealer([key]).open(sealed, place)
    assert not [part for part in (SECRET, key.strip(), sealed) if part in str(caught.value)]


@pytest.mark.parametrize("change", [lambda text: text[:-8], lambda text: text[:40] + "AAAA" + text[44:], lambda _: ""])
def test_what_was_changed_is_not_opened(change: object) -> None:
    assert callable(change)
    with pytest.raises(ConfigError):
        Sealer([NEW]).open(change(Sealer([NEW]).seal(SECRET, PLACE)), PLACE)


def test_a_former_key_opens_and_the_new_one_seals() -> None:
    both, before = Sealer([NEW, OLD]), Sealer([OLD]).seal(SECRET, PLACE)
    assert both.open(before, PLACE) == SECRET
    assert not both.is_current(before, PLACE)
    after = both.seal(SECRET, PLACE)
    assert both.is_current(after, PLACE)
    assert Sealer([NEW]).open(after, PLACE) == SECRET
    with pytest.raises(ConfigError):
        Sealer([OLD]).open(after, PLACE)


@pytest.mark.parametrize("secrets", [[], [""], [NEW, ""]])
def test_without_a_key_nothing_can_be_sealed(secrets: list[str]) -> None:
    with pytest.raises(ConfigError):
        Sealer(secrets)
