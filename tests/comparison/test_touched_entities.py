"""What a commit touched, and what it left as it was, are together all entities, and have the pairing of all."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from comparing import state
from hypothesis import example, given
from hypothesis import strategies as st

from birthmark.comparison.pair_commit import pair_commit
from birthmark.comparison.touched_entities import FilePart, TouchedFiles, decode_touched, find_touched
from birthmark.extraction.model import EntityRef, OutlinedFile
from birthmark.languages.registry import load_registry

BODY = "    total = sum(item.price * item.amount for item in items)\n    return round(total, 2)\n"
OTHER = "    for line in items.readlines():\n        handle(line.strip().lower(), verbose=True)\n"
ALPHA, BETA = f"def alpha(items):\n{BODY}", f"def beta(items):\n{OTHER}"
REMARK = "# Adds up what a basket costs.\n"
CLASS = "class Basket:\n    size = 1\n" + "".join(f"    {line}\n" for line in ALPHA.splitlines())
PIECES = [ALPHA, ALPHA.replace("2", "3"), REMARK + ALPHA, BETA, BETA.replace("beta", "gamma"), CLASS, "LIMIT = 10\n"]
SOURCES = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
FILES = st.dictionaries(st.sampled_from(["a.py", "b.py", "c.py"]), SOURCES, max_size=3)


def touch(before: dict[str, str], after: dict[str, str]) -> tuple[list[OutlinedFile], list[OutlinedFile], TouchedFiles]:
    old, new = ([state(path, source) for path, source in side.items()] for side in (before, after))
    return old, new, find_touched(old, new, load_registry().family_of, (dict(before), dict(after)))


def whole(parts: Sequence[FilePart], ref: EntityRef) -> EntityRef:
    return ref[0], parts[ref[0]].positions[ref[1]]


@given(FILES, FILES)
@example({"a.py": ALPHA + BETA}, {"a.py": BETA + ALPHA.replace("2", "3")})
@example({"a.py": ALPHA}, {"a.py": REMARK + ALPHA})
def test_together_they_have_the_pairing_of_all(before: dict[str, str], after: dict[str, str]) -> None:
    old, new, touched = touch(before, after)
    pairing = pair_commit(old, new, load_registry().family_of, ids=(dict(before), dict(after)))
    pairs = {whole(touched.new, ref): whole(touched.old, was.ref) for ref, was in touched.predecessors}
    kept = {
        (g, position + at): (part.before, first + at)
        for g, part in enumerate(touched.new)
        for position, first, count in part.kept
        for at in range(count)
    }
    assert pairs | kept == {ref: was.ref for ref, was in pairing.predecessors.items()}
    assert pairs.keys().isdisjoint(kept)
    assert [whole(touched.old, ref) for ref in touched.deleted] == list(pairing.deleted)
    assert [whole(touched.new, ref) for ref in touched.born] == list(pairing.born)
    for (g, d), (f, e) in kept.items():
        assert text_of(old[f], e) == text_of(new[g], d)


def text_of(file: OutlinedFile, e: int) -> tuple[str, str, bytes]:
    entity = file.outline.entities[e]
    return file.path, entity.qualified_name, file.source()[entity.lead_start : entity.end_byte]


@given(FILES, FILES)
def test_identities_are_joined(before: dict[str, str], after: dict[str, str]) -> None:
    """What was kept has the number that it had; all else its own."""
    old, new, touched = touch(before, after)
    had = [[100 * (f + 1) + e for e in range(len(file.outline.entities))] for f, file in enumerate(old)]
    for g, part in enumerate(touched.new):
        joined = part.join([-1 - position for position in part.positions], had)
        assert len(joined) == len(new[g].outline.entities)
        assert part.pick(joined) == [-1 - position for position in part.positions] or not joined
        assert all(
            text_of(old[one // 100 - 1], one % 100) == text_of(new[g], d) for d, one in enumerate(joined) if one > 0
        )


@pytest.mark.parametrize(
    ("before", "after", "names"),
    [
        (ALPHA + BETA, ALPHA + BETA, []),
        (ALPHA + BETA, BETA + ALPHA, []),
        (ALPHA + BETA, ALPHA.replace("2", "3") + BETA, ["alpha"]),
        (ALPHA + BETA, REMARK + ALPHA + BETA, ["alpha"]),
        (BETA + CLASS, BETA + CLASS.replace("1", "2"), ["Basket", "size"]),
        (BETA, BETA + "LIMIT = 10\n", ["LIMIT"]),
    ],
)
def test_what_is_touched(before: str, after: str, names: list[str]) -> None:
    _, _, touched = touch({"a.py": before}, {"a.py": after})
    assert [entity.name for entity in touched.new[0].outline.entities] == names


@pytest.mark.parametrize("package", ["", "package shop;\n"])
def test_another_package_touches_all(package: str) -> None:
    source = (
        "class Basket {\n    int total(int[] prices) { int sum = 0; for (int p : prices) sum += p; return sum; }\n}\n"
    )
    old, new = state("A.java", package + source, "java"), state("A.java", "package shop;\n" + source, "java")
    touched = find_touched([old], [new], load_registry().family_of, ({"A.java": "1"}, {"A.java": "2"}))
    assert [words for _, words in touched.changes] == ([] if package else 2 * [("container change",)])


def test_it_crosses_between_processes() -> None:
    _, _, touched = touch({"a.py": ALPHA + BETA}, {"a.py": ALPHA.replace("2", "3") + CLASS, "b.py": BETA})
    assert decode_touched(msgspec.msgpack.encode(touched)) == touched
