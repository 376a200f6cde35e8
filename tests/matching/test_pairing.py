"""What holds of every pairing, whatever is paired."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.matching.model import MatchCandidate, Pairing
from birthmark.matching.pair import pair_entities
from birthmark.matching.pairing_state import PairingState
from birthmark.matching.passes import same_place
from birthmark.vocabulary import Evidence
from examples import n_examples

NAMES = "load save find sort load_all save_all".split()
BODIES = [f"step{i} step{i + 1} step{i + 2} shared tail{i % 3}".encode() for i in range(8)]
WEIGHTS = (4, 60, 200)

Side = list[MatchCandidate]


@st.composite
def snapshots(draw: st.DrawFn) -> Side:
    """A few files of functions and of classes with methods; some of one name in one place, some the same."""
    subjects: Side = []
    for path in draw(st.lists(st.sampled_from("ab.py b.py c/ab.py d.py".split()), unique=True, max_size=3)):
        line, containers = 1, [-1]
        for name, body, interface, is_class in draw(st.lists(entities(), max_size=6)):
            container = -1 if is_class else draw(st.sampled_from(containers))
            parent = subjects[container].name if container >= 0 else None
            line += draw(st.integers(1, 20))
            if is_class:
                containers.append(len(subjects))
            kind = "class" if is_class else "method" if parent else "fn"
            where = (f"{path}:{len(subjects)}", path, kind, name, parent, line, line + 3)
            content = f"{kind} {name} {body} {interface}"
            subjects.append(MatchCandidate(*where, content, interface, f"{body}", "", WEIGHTS[body % 3], container))
    return subjects


def entities() -> st.SearchStrategy[tuple[str, int, str, bool]]:
    bodies = st.integers(0, len(BODIES) - 1)
    return st.tuples(st.sampled_from(NAMES), bodies, st.sampled_from("pq"), st.booleans())


def tokens(subject: MatchCandidate) -> Sequence[bytes]:
    return [subject.name.encode(), *BODIES[int(subject.body or 0)].split()]


def pair(old: Side, new: Side) -> Pairing:
    return pair_entities(old, new, tokens=(tokens, tokens))


def ids(old: Side, new: Side, pairing: Pairing) -> set[tuple[str, str, str]]:
    return {(old[p.old].id, new[p.new].id, str(p.evidence)) for p in pairing.pairs}


def ties(old: Side, new: Side, pairing: Pairing) -> set[tuple[str, frozenset[str]]]:
    return {(new[index].id, frozenset(old[i].id for i in olds)) for index, olds in pairing.ambiguous.items()}


@given(snapshots(), snapshots())
@settings(max_examples=n_examples(200), deadline=None)
def test_each_entity_is_paired_once_or_left_over(old: Side, new: Side) -> None:
    pairing = pair(old, new)
    assert sorted([*(p.old for p in pairing.pairs), *pairing.deleted]) == list(range(len(old)))
    assert sorted([*(p.new for p in pairing.pairs), *pairing.born]) == list(range(len(new)))
    assert pairing.ambiguous.keys() <= set(pairing.born)
    assert {index for olds in pairing.ambiguous.values() for index in olds} <= set(pairing.deleted)


@given(snapshots(), snapshots(), st.sets(st.integers(0, 9)))
@settings(max_examples=n_examples(200), deadline=None)
def test_groups_by_place_are_those_of_all_pairs(old: Side, new: Side, exchanged: set[int]) -> None:
    """Compared one by one, whatever was paired before; in the order of the old ones."""
    state = PairingState(old, new, 10, {}, None, None)
    state.exchanged = frozenset(exchanged)
    while True:
        groups = list(same_place._groups(state, same_place._place, lambda entity: entity.content))
        expected = {
            before: afters
            for before in state.old.free.keys() - exchanged
            if (afters := [after for after in state.new.free if _are_alike(state, before, after)])
        }
        assert {before: afters for olds, afters in groups for before in olds} == expected
        assert [olds[0] for olds, _ in groups] == sorted(olds[0] for olds, _ in groups)
        if not groups:
            return
        state.add(groups[0][0][0], groups[0][1][0], Evidence.SAME_CONTENT)


def _are_alike(state: PairingState, before: int, after: int) -> bool:
    old, new = state.old.entities[before], state.new.entities[after]
    names = ["" if one.kind == "constructor" else one.name for one in (old, new)]
    are_same = (old.family, old.kind, old.content, names[0]) == (new.family, new.kind, new.content, names[1])
    return are_same and state.target_of(before) == state.new.scope_of(after)


@given(snapshots(), st.integers(0, 500))
@settings(max_examples=n_examples(100), deadline=None)
def test_what_only_shifted_is_itself(old: Side, lines: int) -> None:
    new = [
        msgspec.structs.replace(subject, start_line=subject.start_line + lines, end_line=subject.end_line + lines)
        for subject in old
    ]
    assert {(p.old, p.new) for p in pair(old, new).pairs} == {(index, index) for index in range(len(old))}


@given(snapshots(), snapshots(), st.integers(0, 500))
@settings(max_examples=n_examples(100), deadline=None)
def test_a_shift_of_everything_changes_no_other_pair(old: Side, new: Side, lines: int) -> None:
    """Where nothing is told by its position."""
    old, new = without_twins(old), without_twins(new)
    shifted = [msgspec.structs.replace(subject, start_line=subject.start_line + lines) for subject in new]
    assert ids(old, new, pair(old, new)) == ids(old, shifted, pair(old, shifted))


@given(snapshots(), snapshots(), st.randoms(use_true_random=False))
@settings(max_examples=n_examples(200), deadline=None)
def test_the_order_of_files_does_not_matter(old: Side, new: Side, random: Random) -> None:
    other_old, other_new = shuffled(old, random), shuffled(new, random)
    one, other = pair(old, new), pair(other_old, other_new)
    assert ids(old, new, one) == ids(other_old, other_new, other)
    assert ties(old, new, one) == ties(other_old, other_new, other)


@given(snapshots())
@settings(max_examples=n_examples(200), deadline=None)
def test_a_renamed_folder_changes_only_paths(old: Side) -> None:
    """Where no two are the same; however light they are."""
    old = [msgspec.structs.replace(s, content=f"{s.content} {i}", body=None) for i, s in enumerate(old)]
    new = [msgspec.structs.replace(subject, path=f"lib/{subject.path}") for subject in old]
    assert {(p.old, p.new) for p in pair(old, new).pairs} == {(index, index) for index in range(len(old))}


def shuffled(side: Side, random: Random) -> Side:
    """The same files in another order, each as it was."""
    paths = sorted({subject.path for subject in side})
    random.shuffle(paths)
    order = [index for path in paths for index, subject in enumerate(side) if subject.path == path]
    places = {index: place for place, index in enumerate(order)} | {-1: -1}
    return [msgspec.structs.replace(side[index], container=places[side[index].container]) for index in order]


def without_twins(side: Side) -> Side:
    """One of a name in a place, and nothing in anything."""
    singles = {(subject.path, subject.name): subject for subject in side if subject.kind == "fn"}
    return list(singles.values())


@given(snapshots(), snapshots())
@settings(max_examples=n_examples(200), deadline=None)
def test_back_is_the_way_there(old: Side, new: Side) -> None:
    """Swapping old and new mirrors the pairs, where nothing is told by its position."""
    old, new = without_twins(old), without_twins(new)
    there, back = pair(old, new), pair(new, old)
    assert {(p.old, p.new) for p in there.pairs} == {(p.new, p.old) for p in back.pairs}


def function(path: str, name: str, body: int, line: int) -> MatchCandidate:
    content = f"fn {name} {body} p"
    where = (f"{path}:{line}", path, "fn", name, None, line, line + 3)
    return MatchCandidate(*where, content, "p", f"{body}", "", WEIGHTS[body % 3], -1)


def test_what_grew_as_it_moved_counts_the_same_in_both_directions() -> None:
    """`save_all` is light before and heavy after, and shows where its file has gone."""
    old = [function("ab.py", "load", 0, 2), function("ab.py", "save_all", 6, 3)]
    new = [function("b.py", "load", 1, 7), function("c/ab.py", "save", 0, 2), function("c/ab.py", "save_all", 5, 3)]
    there, back = pair(old, new), pair(new, old)
    assert {(p.old, p.new) for p in there.pairs} == {(p.new, p.old) for p in back.pairs} == {(0, 1), (1, 2)}


def test_a_file_whose_path_another_takes_is_as_far_away_in_both_directions() -> None:
    old = [_function("ab.py", "load", 7, 4), _function("ab.py", "save", 5, 60)]
    new = [_function("ab.py", "load", 4, 4), _function("c/ab.py", "load", 2, 4), _function("c/ab.py", "save", 3, 60)]
    assert [(p.old, p.new) for p in pair_entities(old, new).pairs] == [(0, 1), (1, 2)]
    assert [(p.new, p.old) for p in pair_entities(new, old).pairs] == [(0, 1), (1, 2)]


def _function(path: str, name: str, line: int, weight: int) -> MatchCandidate:
    return MatchCandidate(
        f"{path}:{line}", path, "fn", name, None, line, line + 3, f"fn {name}", "p", f"body of {name}", weight=weight
    )
