"""What people say for the wishes of a capability stands in its own folder, in every language."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from itertools import chain

import pytest

import core.language
from core.capabilities.all import CAPABILITIES
from core.language import add_phrases, languages, phrase_tables
from core.language.grammar import PhraseTable
from core.toolkit.capability import Capability

SPEAKING = [one for one in CAPABILITIES if one.phrases]


def table(capability: Capability, code: str) -> PhraseTable:
    found: PhraseTable = import_module(f"{capability.phrases}.{code}").PHRASES
    return found


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("capability", SPEAKING, ids=lambda one: one.name)
def test_a_capability_has_phrases_for_all_wishes_that_it_carries_out_and_for_no_others(
    capability: Capability, code: str
) -> None:
    assert table(capability, code).rows.keys() == capability.understands.wishes.keys()


def test_every_wish_that_is_carried_out_has_phrases() -> None:
    assert {one.name for one in SPEAKING} == {one.name for one in CAPABILITIES if one.understands.wishes}


@pytest.mark.parametrize("code", languages())
def test_a_macro_of_a_capability_is_used_there_and_means_nothing_else(code: str) -> None:
    shared = import_module(f"core.language.{code}.phrases").MACROS
    for capability in SPEAKING:
        own = table(capability, code)
        assert not own.macros.keys() & shared.keys(), capability.name
        used = re.findall("[A-Z][A-Z_]+", " ".join(own.templates()))
        assert own.macros.keys() <= set(used), capability.name


@pytest.mark.parametrize("code", languages())
def test_the_grammar_of_a_language_knows_the_phrases_of_all_capabilities(code: str) -> None:
    tables = import_module(f"core.language.{code}.phrases").TABLES
    names = [*chain.from_iterable(one.rows for one in tables)]
    assert len(names) == len(set(names))
    assert {*names} == {"done", *chain.from_iterable(one.understands.wishes for one in CAPABILITIES)}


@pytest.mark.parametrize("capability", SPEAKING, ids=lambda one: one.name)
def test_a_capability_reads_the_slots_of_its_own_phrases_only(capability: Capability) -> None:
    name = f"{capability.phrases}.readings"
    readings = import_module(name).READINGS if find_spec(name) else {}
    assert readings.keys() <= capability.understands.wishes.keys()
    known = [one.readings for one in phrase_tables("en")]
    assert not readings or readings in known


def test_two_capabilities_with_phrases_for_the_same_wish_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core.language, "_PHRASES", ["core.capabilities.today.phrases"] * 2)
    with pytest.raises(ValueError, match="'en' for: today"):
        phrase_tables.__wrapped__("en")


def test_phrases_that_a_grammar_would_lack_are_refused() -> None:
    phrase_tables("en")
    for capability in CAPABILITIES:
        add_phrases(capability.phrases)
    with pytest.raises(ValueError, match=r"add the phrases of elsewhere\.phrases before"):
        add_phrases("elsewhere.phrases")
