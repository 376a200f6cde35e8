"""What is certain of one file is what all passes over the whole commit say of it."""

from __future__ import annotations

from functools import partial

import pytest
from comparing import state
from hypothesis import example, given
from hypothesis import strategies as st

from birthmark.comparison.certain_pairs import CertainPair, CertainPairs, OtherWords, Words
from birthmark.comparison.pair_commit import CommitPairing, pair_commit
from birthmark.extraction.model import OutlinedFile
from birthmark.languages.registry import load_registry
from birthmark.matching.passes.same_place import ELSEWHERE
from birthmark.vocabulary import Evidence

BODIES = [
    "double total = 0; for (Item item : items) { total += item.price() * item.amount(); } return round(total);",
    "double total = 0; for (Item item : items) { total += item.price() * item.amount(); } return floor(total);",
    "try (Reader reader = Files.newBufferedReader(path)) { return parser.parse(reader).entries(); }",
    "for (String line : stream.readLines()) { handler.handle(line.strip().toLowerCase(), verbose); }",
    "return null;",
]
PARAMETERS = ["", "int count", "String name", "final String name", "List<Item> items"]
METHODS = st.builds(
    "    {} Object {}({}) {{ {} }}\n".format,
    st.sampled_from(["public", "private"]),
    st.sampled_from(["alpha", "beta", "gamma"]),
    st.sampled_from(PARAMETERS),
    st.sampled_from(BODIES),
)
FIELDS = st.sampled_from(["    int size = 1;\n", "    int size = 2;\n", "    String label;\n"])
SOURCES = st.builds(
    lambda name, members: f"class {name} {{\n{''.join(members)}}}\n",
    st.sampled_from(["Basket", "Shelf"]),
    st.lists(st.one_of(METHODS, FIELDS), min_size=1, max_size=5),
)
PATHS = ["a/Basket.java", "b/Basket.java", "a/Shelf.java"]
FILES = st.dictionaries(st.sampled_from(PATHS), SOURCES, max_size=3)
Files = dict[str, str]

FIRST = "class Basket {\n    Object alpha(int count) { %s }\n    Object alpha(String name) { %s }\n}\n"
LONE = "class Basket {\n    Object alpha() { %s }\n}\n"


def has_words(files: list[OutlinedFile], words: Words) -> bool:
    return any(all(word in file.source() for word in words) for file in files)


def words_beside(old: list[OutlinedFile], new: list[OutlinedFile], paths: tuple[str, str]) -> OtherWords:
    before, after = ([file for file in side if file.path not in paths] for side in (old, new))
    return OtherWords(*(partial(has_words, files) for files in (before, after, before + after)))


class Judged:
    """Two states of some files: what is certain of two of them, and what all passes say."""

    def __init__(self, before: Files, after: Files) -> None:
        self.family_of = load_registry().family_of
        self.old, self.new = ([state(*file, "java") for file in side.items()] for side in (before, after))
        ids = tuple({file.path: str(hash(file.source())) for file in side} for side in (self.old, self.new))
        self.whole: CommitPairing = pair_commit(self.old, self.new, self.family_of, ids=(ids[0], ids[1]))

    def certain(self, f: int, g: int) -> dict[int, CertainPair]:
        """By new entity; nothing where the files may not be one."""
        old, new = self.old[f], self.new[g]
        pairs = CertainPairs(old, new, self.family_of)
        words = words_beside(self.old, self.new, (old.path, new.path))
        if old.path != new.path:
            is_gone = old.path not in {file.path for file in self.new}
            is_new = new.path not in {file.path for file in self.old}
            is_one = is_gone and is_new and pairs.is_renamed(words)
        else:
            is_one = pairs.surely_keeps_path(words)
        found = {e: pairs.in_scope(e, words) for e in range(len(new.outline.entities)) if is_one}
        return {e: pair for e, pair in found.items() if pair is not None}

    def check(self) -> int:
        """How many pairs were certain; all passes make each of them."""
        n_certain = 0
        for f, old in enumerate(self.old):
            for g, new in enumerate(self.new):
                for e, (before, evidence) in self.certain(f, g).items():
                    moved = ELSEWHERE.get(evidence, evidence) if old.path != new.path else evidence
                    assert self.whole.predecessors[g, e][:2] == ((f, before), str(moved))
                    n_certain += 1
        return n_certain


@given(FILES, FILES)
@example({"a/Basket.java": FIRST % (BODIES[0], BODIES[2])}, {"a/Basket.java": FIRST % (BODIES[2], BODIES[0])})
@example({"a/Basket.java": LONE % BODIES[0]}, {"b/Basket.java": LONE % BODIES[0], "a/Shelf.java": LONE % BODIES[0]})
def test_as_all_passes_pair_it(before: Files, after: Files) -> None:
    Judged(before, after).check()


@pytest.mark.parametrize(
    ("before", "after", "evidence"),
    [
        (FIRST % (BODIES[0], BODIES[2]), FIRST % (BODIES[1], BODIES[3]), Evidence.SAME_INTERFACE),
        (
            FIRST % (BODIES[0], BODIES[2]),
            (FIRST % (BODIES[1], BODIES[3])).replace("Object", "public Object").replace("String", "final String"),
            Evidence.SAME_PARAMETERS,
        ),
        (
            FIRST % (BODIES[0], BODIES[2]),
            (FIRST % (BODIES[1], BODIES[2])).replace("int count", "long count").replace("String", "Path"),
            Evidence.SIMILAR_NAMESAKE,
        ),
        (LONE % BODIES[0], LONE % BODIES[3], Evidence.SAME_NAME),
    ],
)
def test_what_is_certain_in_one_file(before: str, after: str, evidence: Evidence) -> None:
    """Overloads whose interfaces changed, too; and a small file of which nothing is as it was."""
    judged = Judged({"a/Basket.java": before}, {"a/Basket.java": after})
    assert judged.check() == len(judged.new[0].outline.entities)
    assert evidence in {found for _, found in judged.certain(0, 0).values()}


def test_a_path_that_another_file_may_have_taken() -> None:
    old = {"a/Basket.java": LONE % BODIES[0], "a/Shelf.java": LONE % BODIES[3]}
    new = {"a/Basket.java": LONE % BODIES[3], "a/Shelf.java": LONE % BODIES[0]}
    assert Judged(old, new).check() == 0


def test_a_file_that_shares_little_with_what_it_was() -> None:
    kept, others = f"    Object kept() {{ {BODIES[0]} }}\n", "".join(f"    int field{n} = {n};\n" for n in range(6))
    before = {"a/Basket.java": f"class Basket {{\n{kept}{others}}}\n"}
    changed = {"b/Basket.java": f"class Basket {{\n{kept}{others.replace('field', 'value')}}}\n"}
    larger = {"b/Basket.java": before["a/Basket.java"] + "class Other {}\n"}
    assert Judged(before, changed).check() == 0  # More of its votes could be for another file than for this one.
    assert Judged(before, larger).check() == 8
