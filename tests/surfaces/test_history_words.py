"""What a commit did, in plain words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.history.lineage import Step
from birthmark.model import Location
from birthmark.surfaces.formats.event_words import describe_step, list_changes
from birthmark.surfaces.text import cells, fit, fit_middle, wrap_clauses
from birthmark.vocabulary import HistoryChange


def location(text: str) -> Location:
    path, _, name = text.partition("::")
    return Location(path, name, 3, 7)


@pytest.mark.parametrize(
    ("before", "after", "changes", "expected"),
    [
        (None, "a.py::f", "introduced", "introduced at a.py:3-7"),
        ("a.py::f", "a.py::g", "rename", "renamed from f"),
        ("a.py::A.f", "a.py::A.g", "rename, body change", "renamed from f, body changed"),
        ("a.py::A.f", "a.py::B.g", "rename, moved", "renamed from A.f, moved from A"),
        ("a.py::A.f", "a.py::f", "moved", "moved from A"),
        ("a.py::f", "a.py::A.f", "moved", "moved from the top level"),
        ("a.py::f", "b.py::f", "moved", "moved from a.py"),
        ("a.py::A.f", "b.py::f", "moved", "moved from a.py::A"),
        ("a.py::A.f", "b.py::A.f", "container change", "moved with A from a.py"),
        ("a.py::f", "b.py::f", "container change", "moved with its file from a.py"),
        ("x/a.py::f", "y/a.py::f", "container change", "moved with its file from x/"),
        ("a.py::A.f", "a.py::B.f", "container change", "moved with B, which was A"),
        ("a.py::f", "a.py::f", "container change", "package changed"),
        ("a.py::f", "a.py::f", "parameter change, return type change", "parameters and return type changed"),
        (
            "a.py::f",
            "a.py::f",
            "body change, parameter change, documentation change",
            "body, parameters and documentation changed",
        ),
        ("a.py::f", "a.py::f", "initializer added", "value added"),
        ("a.py::f", "a.py::f", "format change", "formatting changed"),
    ],
)
def test_each_step_in_words(before: str | None, after: str, changes: str, expected: str) -> None:
    words = tuple(map(HistoryChange, changes.split(", ")))
    step = Step("1", "0", words, location(before) if before else None, location(after))
    assert ", ".join(describe_step(step)) == expected


@pytest.mark.parametrize("change", HistoryChange)
def test_every_change_has_words(change: HistoryChange) -> None:
    assert list_changes([change])
    assert describe_step(Step("1", "0", (change,), location("a.py::f"), location("b.py::A.g"))) or change in (
        "introduced",
        "came back",
    )


def test_names_are_not_obeyed() -> None:
    step = Step("1", "0", (HistoryChange.RENAME,), location("a.py::\x1b[2J"), location("a.py::f"))
    assert describe_step(step) == ["renamed from \ufffd[2J"]


@pytest.mark.parametrize(
    ("columns", "clauses", "expected"),
    [
        (40, ["renamed from f", "body changed"], ["renamed from f, body changed"]),
        (20, ["renamed from f", "body changed"], ["renamed from f", "body changed"]),
        (20, ["moved from src/deep/er/file.py"], ["moved …er/file.py"]),
    ],
)
def test_clauses_are_wrapped(
    columns: int, clauses: list[str], expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert wrap_clauses(clauses, 3) == expected


@given(st.text(st.sampled_from("ab/漢e\u0301"), max_size=60), st.integers(0, 40))
def test_a_text_is_cut_to_its_width(text: str, width: int) -> None:
    for cut in (fit(text, width), fit_middle(text, width)):
        assert cells(cut) <= width
        assert cut == text or cells(text) > width
