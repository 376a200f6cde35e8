"""What is paired without the later passes is paired as all passes pair it; and what they may change is left to them."""

from __future__ import annotations

import pytest
from comparing import state
from hypothesis import example, given
from hypothesis import strategies as st

from birthmark.comparison.match_candidates import all_entities, match_candidates, token_reader
from birthmark.comparison.pair_commit import pair_in_place
from birthmark.languages.registry import load_registry
from birthmark.matching.pair import pair_entities

BODIES = [
    "    total = sum(item.price * item.amount for item in items)\n    return round(total, 2)\n",
    "    total = sum(item.price * item.amount for item in items)\n    return round(total, 3)\n",
    "    for line in stream.readlines():\n        handle(line.strip().lower(), verbose=True)\n",
    "    with open(items, encoding='utf-8') as file:\n        return json.load(file)['entries']\n",
    "    return None\n",
]
NAMES = ["alpha", "beta", "gamma", "delta"]
FUNCTIONS = st.tuples(st.sampled_from(NAMES), st.sampled_from(BODIES)).map(
    lambda one: f"def {one[0]}(items):\n{one[1]}"
)
CONSTANTS = st.sampled_from(["LIMIT = 10\n", "LIMIT = 20\n", "ROUNDS = 3\n"])
METHODS = st.lists(FUNCTIONS, max_size=3).map(
    lambda found: "class Basket:\n    size = 1\n" + "".join(map(_indented, found))
)
KEPT = "def kept(items):\n    return [item for item in items if item.is_kept and item.owner is not None]\n"
SOURCES = st.lists(st.one_of(FUNCTIONS, CONSTANTS, METHODS, st.just(KEPT)), max_size=5).map("".join)
FILES = st.dictionaries(
    st.sampled_from(["a.py", "b.py", "c.py"]), SOURCES.map(lambda source: source + KEPT), max_size=3
)
ANY_FILES = st.dictionaries(st.sampled_from(["a.py", "b.py", "c.py"]), SOURCES, max_size=3)

ALPHA, BETA = f"def alpha(items):\n{BODIES[0]}", f"def beta(items):\n{BODIES[2]}"


def _indented(source: str) -> str:
    return "".join(f"    {line}\n" for line in source.splitlines())


@given(st.one_of(st.tuples(FILES, FILES), st.tuples(ANY_FILES, ANY_FILES)))
@example(({"a.py": KEPT + ALPHA}, {"a.py": KEPT + ALPHA.replace("2", "3") + BETA}))
@example(({"a.py": KEPT + ALPHA}, {"a.py": KEPT + BETA.replace("beta", "alpha") + ALPHA.replace("alpha", "omega")}))
def test_as_all_passes_pair_it(files: tuple[dict[str, str], dict[str, str]]) -> None:
    family_of = load_registry().family_of
    old, new = ([state(path, source) for path, source in side.items()] for side in files)
    found = pair_in_place(old, new, family_of)
    if found is not None:
        refs = all_entities(old), all_entities(new)
        ids = tuple({file.path: str(hash(file.source())) for file in side} for side in (old, new))
        whole = pair_entities(
            match_candidates(old, refs[0], family_of),
            match_candidates(new, refs[1], family_of),
            tokens=(token_reader(old), token_reader(new)),
            files=(ids[0], ids[1]),
        )
        assert found == [(refs[0][pair.old], refs[1][pair.new], pair.evidence) for pair in whole.pairs]
        assert (whole.ambiguous, whole.files) == ({}, {})


@pytest.mark.parametrize(
    ("before", "after", "is_found"),
    [
        ({"a.py": KEPT + ALPHA}, {"a.py": KEPT + ALPHA.replace("2", "3")}, True),
        ({"a.py": KEPT + ALPHA}, {"a.py": ALPHA + KEPT}, True),
        ({"a.py": KEPT}, {"a.py": KEPT + ALPHA}, True),
        ({"a.py": KEPT + ALPHA, "b.py": BETA}, {"a.py": KEPT}, True),
        ({"a.py": KEPT}, {"a.py": KEPT, "b.py": BETA}, True),
        ({"a.py": KEPT + ALPHA}, {"a.py": KEPT + ALPHA.replace("alpha", "omega")}, False),
        ({"a.py": KEPT + ALPHA + ALPHA}, {"a.py": KEPT + ALPHA}, False),
        ({"a.py": KEPT + ALPHA}, {"b.py": KEPT + ALPHA}, False),
        ({"a.py": ALPHA}, {"a.py": BETA}, False),
    ],
)
def test_what_is_left_to_the_other_passes(before: dict[str, str], after: dict[str, str], is_found: bool) -> None:
    old, new = ([state(path, source) for path, source in side.items()] for side in (before, after))
    assert (pair_in_place(old, new, load_registry().family_of) is not None) is is_found
