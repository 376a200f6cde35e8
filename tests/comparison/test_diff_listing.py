"""What a reader sees of a comparison: `(before, after, lines)` with files by their paths."""

from __future__ import annotations

import pytest
from comparing import state

from birthmark.comparison.diff_listing import FileChanges, ListingOptions, list_changes
from birthmark.comparison.entity_changes import ChangeFilter, compare_files
from reading import family_of

Files = dict[str, str]

EVERYTHING = ChangeFilter()

ADD = "    def add(self, item):\n        self.items.append(item)\n        return len(self.items) < self.limit\n"
PRICE = "    def price(self):\n        return sum(item.price * item.count for item in self.items)\n"
CART = f'class Cart:\n    """A cart."""\n\n    limit = 5\n\n{ADD}\n{PRICE}'
LOAD = "def load(path):\n    with open(path) as file:\n        return [line.strip() for line in file]\n"


def listed(
    before: Files,
    after: Files,
    asked: ChangeFilter = EVERYTHING,
    **options: bool,
) -> list[FileChanges]:
    old, new = ([state(path, text) for path, text in files.items()] for files in (before, after))
    comparison = compare_files(old, new, family_of)
    return list_changes(comparison, asked.passes, old, new, ListingOptions(**options))


def lines(files: list[FileChanges]) -> list[str]:
    return [
        f"{file.path}: {one.word} {(one.change.after or one.change.before).qualified_name}"  # type: ignore[union-attr]
        + (f" ({', '.join(one.aspects)})" if one.aspects else "")
        + (f" +{one.n_members}" if one.n_members else "")
        + (f" of {len(one.together)}" if one.together else "")
        for file in files
        for one in file.listed
    ]


CASES: list[tuple[str, Files, Files, list[str]]] = [
    ("a method", {"a.py": CART}, {"a.py": CART.replace("<", "<=")}, ["a.py: modified Cart.add (body)"]),
    (
        "a method and the documentation of its class",
        {"a.py": CART},
        {"a.py": CART.replace("<", "<=").replace("A cart", "The cart")},
        ["a.py: modified Cart (body, documentation)", "a.py: modified Cart.add (body)"],
    ),
    (
        "a comment in a method",
        {"a.py": CART},
        {"a.py": CART.replace("append(item)", "append(item)  # at the end")},
        ["a.py: modified Cart.add (formatting)"],
    ),
    (
        "the bases of a class",
        {"a.py": CART},
        {"a.py": CART.replace("Cart:", "Cart(Base):")},
        ["a.py: modified Cart (interface)"],
    ),
    (
        "the order of members",
        {"a.py": f"class C:\n{ADD}\n{PRICE}"},
        {"a.py": f"class C:\n{PRICE}\n{ADD}"},
        ["a.py: modified C (body)"],
    ),
    ("a new class", {"a.py": LOAD}, {"a.py": f"{LOAD}\n\n{CART}"}, ["a.py: added Cart +3"]),
    ("a class that is gone", {"a.py": f"{LOAD}\n\n{CART}"}, {"a.py": LOAD}, ["a.py: deleted Cart +3"]),
    ("a new method", {"a.py": CART.replace(PRICE, "")}, {"a.py": CART}, ["a.py: added Cart.price"]),
    ("a shift", {"a.py": CART}, {"a.py": f"import os\n\n\n{CART}"}, []),
    ("a renamed file", {"a.py": CART}, {"b.py": CART}, []),
    (
        "a renamed file with an edit",
        {"a.py": CART},
        {"b.py": CART.replace("<", "<=")},
        ["b.py: modified Cart.add (body)"],
    ),
    ("a renamed class", {"a.py": CART}, {"a.py": CART.replace("Cart", "Basket")}, ["a.py: renamed Basket"]),
    (
        "a function that moved to another file",
        {"a.py": f"{LOAD}\n\n{CART}", "b.py": "X = 1\n"},
        {"a.py": CART, "b.py": f"X = 1\n\n\n{LOAD}"},
        ["b.py: relocated load"],
    ),
    (
        "many constants",
        {"a.py": LOAD},
        {"a.py": "".join(f"NAME_{i} = {i}\n" for i in range(5)) + LOAD},
        ["a.py: added NAME_0 of 5"],
    ),
    (
        "a method that moved to another class of the file",
        {"a.py": f"class A:\n    x = 1\n\n{PRICE}\n\nclass B:\n    y = 1\n"},
        {"a.py": f"class A:\n    x = 1\n\n\nclass B:\n    y = 1\n\n{PRICE}"},
        ["a.py: moved B.price"],
    ),
    (
        "generated files are not listed",
        {"vendor/a.py": CART},
        {"vendor/a.py": CART.replace("<", "<=")},
        [],
    ),
    (
        "sources, documentation, tests",
        dict.fromkeys(("docs/a.py", "src/b.py", "tests/a.py", "src/a.py"), LOAD),
        {path: LOAD.replace("strip", "rstrip") for path in ("docs/a.py", "src/b.py", "tests/a.py", "src/a.py")},
        [f"{path}: modified load (body)" for path in ("src/a.py", "src/b.py", "docs/a.py", "tests/a.py")],
    ),
]


@pytest.mark.parametrize(("before", "after", "expected"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_listed(before: Files, after: Files, expected: list[str]) -> None:
    assert lines(listed(before, after)) == expected


def test_what_became_of_files() -> None:
    files = listed(
        {"a.py": CART, "gone.py": "X = 1\n", "left.py": f"{LOAD}\nY = 2\n"},
        {"b.py": CART, "new.py": f"class New:\n    pass\n\n\n{LOAD}", "left.py": "Y = 2\n"},
    )
    assert [(file.path, file.old_path, file.change, file.gone_to) for file in files] == [
        ("b.py", "a.py", None, {}),
        ("gone.py", None, "deleted", {}),
        ("left.py", None, None, {"new.py": 1}),
        ("new.py", None, "added", {}),
    ]


def test_generated_files_are_summed_up() -> None:
    before, after = {"vendor/a.py": CART}, {"vendor/a.py": CART.replace("<", "<=")}
    (file,) = listed(before, after)
    assert file.is_summed_up
    assert file.counts == {"modified": 2}
    (file,) = listed(before, after, with_members=True)
    assert not file.is_summed_up
    assert len(file.listed) == 2


def test_members_and_what_moved_on_request() -> None:
    before, after = {"a.py": LOAD}, {"a.py": f"{CART}\n\n{LOAD}"}
    assert lines(listed(before, after, with_members=True)) == [
        f"a.py: added {name}" for name in ("Cart", "Cart.limit", "Cart.add", "Cart.price")
    ]
    assert lines(listed(before, after, with_moved=True)) == ["a.py: added Cart +3", "a.py: moved load"]


def test_lines_are_counted_once() -> None:
    """Those of members are theirs, not those of their class."""
    (file,) = listed({"a.py": CART}, {"a.py": CART.replace("<", "<=")}, with_lines=True)
    assert (file.n_added, file.n_removed) == (1, 1)
    (file,) = listed({"a.py": LOAD}, {"a.py": f"{LOAD}\n\n{CART}"}, with_lines=True)
    assert (file.n_added, file.n_removed) == (len([line for line in CART.splitlines() if line.strip()]), 0)


def test_the_patch_of_a_class_does_not_repeat_its_members() -> None:
    after = CART.replace("<", "<=").replace("A cart", "The cart")
    (file,) = listed({"a.py": CART}, {"a.py": after}, with_patches=True)
    texts = [
        [line.sign + line.text.strip() for hunk in one.patch.hunks for line in hunk.lines if line.sign != " "]
        for one in file.listed
        if one.patch is not None
    ]
    assert texts == [
        ['-"""A cart."""', '+"""The cart."""'],
        ["-return len(self.items) < self.limit", "+return len(self.items) <= self.limit"],
    ]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (ChangeFilter(kinds=["method"]), ["a.py: added Cart.add", "a.py: added Cart.price"]),
        (ChangeFilter(changes=["deleted"]), ["tests/a.py: deleted load"]),
        (ChangeFilter(paths=("tests",)), ["tests/a.py: deleted load"]),
        (ChangeFilter(paths=("!tests",)), ["a.py: added Cart +3"]),
        (ChangeFilter(paths=("*.py", "!a.py")), ["tests/a.py: deleted load"]),
        (ChangeFilter(languages=["java"]), []),
    ],
)
def test_filters(asked: ChangeFilter, expected: list[str]) -> None:
    before = {"a.py": "X = 1\n", "tests/a.py": f"X = 1\n\n{LOAD}"}
    assert lines(listed(before, {"a.py": f"X = 1\n\n{CART}", "tests/a.py": "X = 1\n"}, asked)) == expected
