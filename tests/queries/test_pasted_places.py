"""A place is understood as tools print it; each form is a row of a table."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.queries.pasted_places import PLACES, Place, PlaceForm, read_places
from birthmark.queries.ref_forms import LONGEST_REF

SHA = "3f2a9c1b0d4e5f60718293a4b5c6d7e8f9a0b1c2"
HOSTS = "https://host/o/r"


@pytest.mark.parametrize("form", PLACES, ids=[form.meaning for form in PLACES])
def test_the_example_of_a_form_is_of_that_form(form: PlaceForm) -> None:
    assert form.pattern.fullmatch(form.example)
    place = next(read_places(form.example))
    assert place.lines is not None
    assert place.may_be_below == form.may_be_below


@pytest.mark.parametrize(
    ("text", "path", "lines", "revision"),
    [
        (f"{HOSTS}/blob/{SHA}/src/a.py#L10-L12", "src/a.py", (10, 12), SHA),
        (f"{HOSTS}/blob/{SHA}/src/a.py#L10", "src/a.py", (10, 10), SHA),
        (f"{HOSTS}/blob/{SHA}/src/a.py#L10C2-L12C5", "src/a.py", (10, 12), SHA),
        (f"{HOSTS}/blob/{SHA}/a%20b.md?plain=1#L3", "a b.md", (3, 3), SHA),
        (f"{HOSTS}/blame/{SHA[:10]}/a.py#L3", "a.py", (3, 3), SHA[:10]),
        (f"https://host/o/src/blob/{SHA}/blob/a.py#L3", "blob/a.py", (3, 3), SHA),
        (f"https://host/g/s/r/-/blob/{SHA}/a.py#L3-5", "a.py", (3, 5), SHA),
        (f"{HOSTS}/src/{SHA}/a.py#lines-3:5", "a.py", (3, 5), SHA),
        (f"{HOSTS}/src/{SHA}/a.py#a.py-3", "a.py", (3, 3), SHA),
        (f"{HOSTS}/src/commit/{SHA}/a.py#L3", "a.py", (3, 3), SHA),
        (f"https://host/projects/P/repos/r/browse/a.py?at={SHA}#3-5", "a.py", (3, 5), SHA),
        (f"{HOSTS}/blob/{SHA}/a.py", "a.py", None, SHA),
        ("file:///r/a%20b.py#L3", "/r/a b.py", (3, 3), None),
        ("file:///r/a.py:3:4", "/r/a.py", (3, 3), None),
        ("file:///r/a.py", "/r/a.py", None, None),
        ('  File "a.py", line 3, in f', "a.py", (3, 3), None),
        ('File "a b.py", line 3', "a b.py", (3, 3), None),
        ("at f (a.js:3:4)", "a.js", (3, 3), None),
        ("at async Object.<anonymous> (/r/a b.js:3:4)", "/r/a b.js", (3, 3), None),
        ("    at file:///r/a.mjs:3:4", "/r/a.mjs", (3, 3), None),
        ("at src/a.rs:3:4", "src/a.rs", (3, 3), None),
        ("at a.b.C.m(C.java:3)", "a/b/C.java", (3, 3), None),
        ("at java.base/a.b.C$D.<init>(C.java:3)", "a/b/C.java", (3, 3), None),
        ("at C.main(C.kt:3)", "C.kt", (3, 3), None),
        ("at N.C.M(Int32 x) in /r/C.cs:line 3", "/r/C.cs", (3, 3), None),
        ("a.go:3 +0x1d", "a.go", (3, 3), None),
        ("#0 /r/a.php(3): f()", "/r/a.php", (3, 3), None),
        ("src/a.py#L10-L20", "src/a.py", (10, 20), None),
        ("src/a.py#L10", "src/a.py", (10, 10), None),
        ("a.py:3:4", "a.py", (3, 3), None),
        ("a.c:3:4: error: x", "a.c", (3, 3), None),
        ("a.rb:3:in 'f'", "a.rb", (3, 3), None),
        ("a.py:3:    return 1", "a.py", (3, 3), None),
    ],
)
def test_places(text: str, path: str, lines: tuple[int, int] | None, revision: str | None) -> None:
    place = next(read_places(text))
    assert (place.path if revision is None else place.revisions[0][1], place.lines) == (path, lines)
    assert place.revisions == (() if revision is None else ((revision, path),))


def test_a_branch_may_have_slashes() -> None:
    place = next(read_places(f"{HOSTS}/blob/fix/a/src/a.py#L3"))
    assert place.revisions == (("fix", "a/src/a.py"), ("fix/a", "src/a.py"), ("fix/a/src", "a.py"))


@pytest.mark.parametrize(
    "text",
    ["", "f", "App.run", "a.py", "a.py::f", "Rack::Request", "C#m(int)", "f(a, b)", "https://host/o/r", "at", "#x"],
)
def test_names_are_no_places(text: str) -> None:
    assert list(read_places(text)) == []


def test_the_folders_of_another_machine_are_left_out() -> None:
    assert [*Place("/app/src/a.py", None, may_be_below=True).endings()] == ["app/src/a.py", "src/a.py", "a.py"]
    assert [*Place("src/a.py", None).endings()] == ["src/a.py"]


PIECES = [
    "at ",
    "https://",
    "host",
    "/",
    "blob/",
    "a.",
    "#L",
    "#",
    "1",
    ":",
    "(",
    ")",
    " in ",
    '"',
    "File ",
    "-",
    "%20",
    "a",
    " ",
]


@given(st.lists(st.sampled_from(PIECES), max_size=6), st.integers(1, 1000))
def test_any_text_is_read_soon(pieces: list[str], number: int) -> None:
    text = ("".join(pieces) * number)[:LONGEST_REF]
    begun = time.process_time()
    assert all(place.path is not None for place in read_places(text))
    assert time.process_time() - begun < 1
