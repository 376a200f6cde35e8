"""Which edits change an id, and which must not."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.extraction.model import FileNodes
from birthmark.extraction.placement import name_entities
from birthmark.identity.semantic_ids import parse_semantic_id
from reading import read

DEFINITIONS = {
    "python": [
        "def alpha(a, b):\n    if a:\n        beta(a)\n    return a.x + b.y\n",
        "def beta(c):\n    total = 0\n    for i in c:\n        total += gamma(i)\n    return total\n",
        "class Delta(Base):\n    z = 1\n\n    def m(self, k):\n        return self.z + k\n",
        "class Epsilon:\n    def m(self, k):\n        self.items.append(k)\n",
    ],
    "javascript": [
        "function alpha(a, b) { if (a) { beta(a); } return a.x + b.y; }\n",
        "const beta = (c) => { let total = 0; for (const i of c) { total += gamma(i); } return total; };\n",
        "class Delta extends Base { z = 1; m(k) { return this.z + k; } }\n",
        "class Epsilon { m(k) { this.items.push(k); } }\n",
    ],
    "go": [
        "func alpha(a T, b T) int { if a.ok { beta(a) }; return a.x + b.y }\n",
        "func beta(c []int) int { total := 0; for _, i := range c { total += gamma(i) }; return total }\n",
        "type Delta struct { z int }\n",
        "func (d *Delta) m(k int) int { return d.z + k }\n",
    ],
}
HEAD = {"python": "", "javascript": "", "go": "package p\n\n"}
FRESH = {
    "python": ["# why\n", "\n\n", "FRESH = 1\n", "def fresh():\n    pass\n", "if True:\n    fresh_call()\n"],
    "javascript": ["// why\n", "\n\n", "const FRESH = 1;\n", "function fresh() {}\n", "if (true) { fresh_call(); }\n"],
    "go": ["// why\n", "\n\n", "const FRESH = 1\n", "func fresh() {}\n", "func freshToo() { if true { fresh() } }\n"],
}
LANGUAGES = sorted(DEFINITIONS)


def source(language: str, parts: list[str]) -> FileNodes:
    return read(language, HEAD[language] + "\n".join(parts), "a")


def keys(reading: FileNodes) -> set[tuple[str, str]]:
    return {(names.key, names.mark) for names in name_entities(reading)}


def bases(reading: FileNodes) -> set[str]:
    return {id_.split(",h:")[0].split("]")[0] for id_ in reading.semantic_ids}


@pytest.mark.parametrize("language", LANGUAGES)
@given(seed=st.integers(0, 99))
def test_reordering_definitions_changes_no_id(language: str, seed: int) -> None:
    parts = DEFINITIONS[language]
    shuffled = random.Random(seed).sample(parts, len(parts))  # noqa: S311  # a test's order, no secret
    before, after = source(language, parts), source(language, shuffled)
    assert set(before.semantic_ids) == set(after.semantic_ids)
    assert keys(before) == keys(after)
    by_name = [
        {(entity.qualified_name, print_.content) for entity, print_ in zip(r.entities, r.fingerprints, strict=True)}
        for r in (before, after)
    ]
    assert by_name[0] == by_name[1]


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
def test_inserting_elsewhere_changes_no_base_id(language: str, data: st.DataObject) -> None:
    parts = list(DEFINITIONS[language])
    before = source(language, parts)
    for fresh in data.draw(st.lists(st.sampled_from(FRESH[language]), min_size=1, max_size=3)):
        parts.insert(data.draw(st.integers(0, len(parts))), fresh)
    after = source(language, parts)
    assert bases(before) <= bases(after)
    assert keys(before) <= keys(after)


@pytest.mark.parametrize("language", LANGUAGES)
@given(n_lines=st.integers(1, 50))
def test_shifting_changes_no_id_at_all(language: str, n_lines: int) -> None:
    parts = DEFINITIONS[language]
    before, after = source(language, parts), source(language, ["\n" * n_lines, *parts])
    assert before.semantic_ids == after.semantic_ids
    assert before.fingerprints == after.fingerprints


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ("def f():\n    g()\n", "def renamed():\n    g()\n", "g"),  # the parent is renamed
        ("def f():\n    g()\ndef h(): pass\n", "def f(): pass\ndef h():\n    g()\n", "g"),  # moved to another function
        ("def f():\n    g()\n", "def f():\n    renamed()\n", None),  # it is renamed itself
        (
            "def f():\n    g(1)\n    g(2)\n",
            "def f():\n    g(1)\n    g(3)\n",
            "g",
        ),  # what tells it from its namesake changes
    ],
)
def test_the_four_edits_that_must_change_an_id(before: str, after: str, name: str | None) -> None:
    def calls(text: str) -> list[str]:
        reading = read("python", text)
        pairs = zip(reading.nodes, reading.semantic_ids, strict=True)
        return [id_ for node, id_ in pairs if node.type == "CALL" and name in (None, node.name)]

    assert len(calls(before)) == len(calls(after))
    assert calls(before) != calls(after)


def test_a_file_that_is_renamed_has_other_ids() -> None:
    (one,), (other,) = (read("python", "def f(): pass\n", path).semantic_ids[:1] for path in ("a.py", "b.py"))
    assert one != other
    parsed = parse_semantic_id(other)
    assert parsed is not None
    assert parsed.file == "b.py"
