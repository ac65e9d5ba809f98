"""When a condition fires, against a plain model: ways to be true, and when each part was last of use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.conditions.evaluation import NAMED, Part, Sight, done, fires, names, observe, worth_asking
from core.kernel.conditions import All, Condition, Either, FileChanged, FileExists, Judged, Leaf, TaskEnded, leaves

# Each leaf has a letter of its own, so that it is told from the others.
LEAVES: st.SearchStrategy[Condition] = st.sampled_from("abcd").flatmap(
    lambda letter: st.sampled_from((
        FileChanged(path=letter),
        FileChanged(path=letter, fire_on_init=True),
        FileExists(path=letter),
        TaskEnded(task_id=letter),
        Judged(prompt=letter),
    ))
)
CONDITIONS: st.SearchStrategy[Condition] = st.recursive(
    LEAVES,
    lambda parts: st.builds(
        lambda kind, some: kind(conditions=tuple(some)),
        st.sampled_from((All, Either)),
        st.lists(parts, min_size=1, max_size=3),
    ),
    max_leaves=6,
)
FILES = st.dictionaries(st.sampled_from(("x", "y")), st.sampled_from(("1", "2")), max_size=2)


def sights(leaf: Leaf) -> st.SearchStrategy[Sight]:
    seen: st.SearchStrategy[Sight] = FILES if isinstance(leaf, FileChanged | FileExists) else st.booleans()
    return st.one_of(st.none(), seen)


@dataclass
class Model:
    """The ways in which a condition can be true: sets of leaves. Of each leaf it is known when it last became true, and
    when it was last done."""

    condition: Condition
    looked: dict[int, dict[str, str]] = field(default_factory=dict)
    since: dict[int, int] = field(default_factory=dict)
    done_at: dict[int, int] = field(default_factory=dict)

    def ways(self) -> list[frozenset[int]]:
        numbers = iter(range(100))

        def expand(one: Condition) -> list[frozenset[int]]:
            if not isinstance(one, All | Either):
                return [frozenset({next(numbers)})]
            parts = [expand(part) for part in one.conditions]
            if isinstance(one, Either):
                return [way for part in parts for way in part]
            return [frozenset().union(*some) for some in product(*parts)]

        return expand(self.condition)

    def step(self, now: int, seen: list[Sight], *, may: bool) -> bool:
        kinds = list(leaves(self.condition))
        for n, (leaf, sight) in enumerate(zip(kinds, seen, strict=True)):
            if sight is None:
                continue
            if isinstance(leaf, FileChanged) and isinstance(sight, Mapping):
                before = self.looked.get(n, {} if leaf.fire_on_init else dict(sight))
                self.looked[n] = dict(sight)
                if any(before.get(name) != state for name, state in sight.items()):
                    self.since[n] = now
            elif not sight:
                self.since.pop(n, None)
            elif n not in self.since or isinstance(leaf, Judged):
                self.since[n] = now
        new = {n for n, since in self.since.items() if since > self.done_at.get(n, -1)}
        # What lasts is true also after it was done; an event is not.
        true = {n for n in self.since if n in new or not isinstance(kinds[n], FileChanged | Judged)}
        ways = [way for way in self.ways() if way <= true]
        fired = may and any(way & new for way in ways)
        for n in {n for way in ways for n in way} if fired else ():
            self.done_at[n] = now
        return fired


@given(data=st.data(), condition=CONDITIONS)
def test_it_fires_as_the_plain_model_says(data: st.DataObject, condition: Condition) -> None:
    model, kinds = Model(condition), list(leaves(condition))
    parts = [Part() for _ in kinds]
    for now in range(data.draw(st.integers(1, 12))):
        seen = [data.draw(sights(leaf)) for leaf in kinds]
        parts = [observe(leaf, part, sight) for leaf, part, sight in zip(kinds, parts, seen, strict=True)]
        may = data.draw(st.booleans())
        fired = may and fires(condition, parts)
        assert fired == model.step(now, seen, may=may)
        if fired:
            parts = done(condition, parts)
            assert not fires(condition, parts)


@given(data=st.data(), condition=CONDITIONS)
def test_a_model_is_asked_only_where_its_yes_decides(data: st.DataObject, condition: Condition) -> None:
    kinds = list(leaves(condition))
    seen = [None if isinstance(leaf, Judged) else data.draw(sights(leaf)) for leaf in kinds]
    parts = [observe(leaf, Part(), sight) for leaf, sight in zip(kinds, seen, strict=True)]
    asked = worth_asking(condition, parts)
    yes = [
        observe(leaf, part, True) if n in asked else part
        for n, (leaf, part) in enumerate(zip(kinds, parts, strict=True))
    ]
    assert fires(condition, yes) == (fires(condition, parts) or bool(asked))
    assert all(isinstance(kinds[n], Judged) for n in asked)


def test_an_edge_is_kept_while_the_other_half_is_not_there() -> None:
    both = All(conditions=(FileChanged(path="a"), FileExists(path="b")))
    parts = [Part(), Part()]

    def look(changed: dict[str, str], there: dict[str, str]) -> bool:
        nonlocal parts
        parts = [observe(both.conditions[0], parts[0], changed), observe(both.conditions[1], parts[1], there)]  # type: ignore[arg-type]
        fired = fires(both, parts)
        parts = done(both, parts) if fired else parts
        return fired

    assert [look({"a": "1"}, {}), look({"a": "2"}, {}), look({"a": "2"}, {"b": "1"})] == [False, False, True]
    assert [look({"a": "2"}, {"b": "1"}), look({"a": "3"}, {"b": "1"})] == [False, True]


def test_the_files_are_named_that_made_it_true_and_the_others_counted() -> None:
    either = Either(conditions=(FileChanged(path="*", fire_on_init=True), Judged(prompt="is it so?")))
    files = {f"{n}.csv": "1" for n in range(9)}
    parts = [observe(either.conditions[0], Part(), files), Part()]  # type: ignore[arg-type]
    assert names(either, parts) == ([f"{n}.csv" for n in range(NAMED)], 9 - NAMED)
    # What comes before it is done counts as well; what is named already is no other.
    parts[0] = observe(either.conditions[0], parts[0], {**files, "0.csv": "2", "9.csv": "1"})  # type: ignore[arg-type]
    assert names(either, parts) == ([f"{n}.csv" for n in range(NAMED)], 10 - NAMED)
    assert names(either, done(either, parts)) == ([], 0)
    there = FileExists(path="*")
    assert names(there, [observe(there, Part(), files)]) == ([f"{n}.csv" for n in range(NAMED)], 9 - NAMED)


def test_what_another_half_of_an_or_does_leaves_an_edge_where_it_is() -> None:
    changed, there, other = FileChanged(path="a"), FileExists(path="b"), FileChanged(path="c", fire_on_init=True)
    either = Either(conditions=(All(conditions=(changed, there)), other))
    parts = [Part(true=True, fresh=True, seen={"a": "2"}, names=("a",)), Part(), observe(other, Part(), {"c": "1"})]
    assert fires(either, parts)
    assert names(either, parts) == (["c"], 0)
    after = done(either, parts)
    assert not fires(either, after)
    assert fires(either, [after[0], observe(there, after[1], {"b": "1"}), after[2]])
