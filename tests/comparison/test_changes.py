"""What an edit is called: `(before, after, word, aspects)` of the entity `f` or `C`."""

from __future__ import annotations

import pytest
from comparing import state

from birthmark.comparison.entity_changes import compare_files
from reading import family_of

BODY = "    total = 0\n    for item in items:\n        total += item.price * item.count\n    return total\n"
F = f"def f(items):\n{BODY}"

CASES = [
    ("unchanged", F, F, None, ()),
    ("shifted", F, f"X = 1\n\n{F}", "moved", ()),
    ("body", F, F.replace("+=", "-="), "modified", ("body",)),
    ("parameter", F, F.replace("f(items)", "f(items, tax=0)"), "modified", ("interface",)),
    (
        "docstring",
        F,
        F.replace(":\n    total = 0", ':\n    """Add up."""\n    total = 0', 1),
        "modified",
        ("documentation",),
    ),
    ("comment", F, F.replace("total = 0", "total = 0  # so far"), "modified", ("formatting",)),
    ("renamed", F, F.replace("def f", "def g"), "renamed", ()),
    ("renamed and edited", F, F.replace("def f", "def g").replace("count", "number"), "renamed", ("body",)),
    ("into a class", F, "class C:\n" + "".join(f"    {line}\n" for line in F.splitlines()), "modified", ("interface",)),
]


@pytest.mark.parametrize(
    ("before", "after", "word", "aspects"), [case[1:] for case in CASES], ids=[c[0] for c in CASES]
)
def test_an_edit_has_its_word(before: str, after: str, word: str | None, aspects: tuple[str, ...]) -> None:
    changes = compare_files([state("a.py", before)], [state("a.py", after)], family_of).changes
    ours = [change for change in changes if change.before is not None]
    assert [(change.change, change.aspects) for change in ours] == ([(word, aspects)] if word else [])


def test_the_boldest_word_wins() -> None:
    old, new = [state("a.py", F)], [state("b.py", F.replace("def f", "def g"))]
    comparison = compare_files(old, new, family_of)
    assert [(change.change, change.kind) for change in comparison.changes] == [("relocated", "fn")]
    change = comparison.changes[0]
    assert change.before is not None
    assert change.after is not None
    assert (change.before.path, change.before.qualified_name) == ("a.py", "f")
    assert (change.after.path, change.after.qualified_name) == ("b.py", "g")


def test_added_and_deleted_are_counted() -> None:
    comparison = compare_files([state("a.py", "def gone(): return 1\n")], [state("b.py", F)], family_of)
    assert {word: number for word, number in comparison.counts.items() if number} == {"added": 1, "deleted": 1}
    assert [change.change for change in comparison.changes] == ["deleted", "added"]


def test_migrated_to_typescript() -> None:
    script = "function add(items) {\n  let total = 0;\n  for (const i of items) total += i.price;\n  return total;\n}\n"
    typed = script.replace("(items)", "(items: Item[]): number")
    old, new = state("a.js", script, "javascript"), state("a.ts", typed, "typescript")
    assert [c.change for c in compare_files([old], [new], family_of).changes] == ["relocated"]


def test_what_the_ledger_knows_is_not_paired_again() -> None:
    """Over many steps a function may have become another beyond recognition."""
    old, new = [state("a.py", F)], [state("b.py", "def other(): return 1\n" + F)]
    comparison = compare_files(old, new, family_of, ({(0, 0): 1}, {(0, 0): 1}))
    assert [(c.change, c.evidence) for c in comparison.changes] == [("relocated", "same identity"), ("added", None)]


def test_what_the_ledger_has_as_two_is_not_paired() -> None:
    """One may have gone before the other came; what the ledger does not have may still be either."""
    old, new = [state("a.py", F)], [state("b.py", F)]
    assert [c.change for c in compare_files(old, new, family_of, ({(0, 0): 1}, {(0, 0): 2})).changes] == [
        "deleted",
        "added",
    ]
    assert [c.change for c in compare_files(old, new, family_of, ({(0, 0): 1}, {})).changes] == ["relocated"]
