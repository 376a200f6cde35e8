"""Derivations in words: `(ends, of a derivative, of a source)`."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from birthmark.documents.parts import DerivationDocument, derivation_documents
from birthmark.model import DerivationEnd, Location
from birthmark.surfaces.cli.terminal.derivation_words import describe_derivatives, describe_sources, percent
from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind


def end(
    kind: DerivationKind, name: str, share: float, commit: str | None = None, path: str = "a.py"
) -> DerivationDocument:
    place = Location(path, name, 1, 2)
    known = DerivationEvidence.SHARED_CODE, Confidence.HIGH
    found = DerivationEnd(place, kind, share, share / 2, *known, commit=commit, by_commit=commit is not None)
    return derivation_documents([found])[0]


EXTRACTED, COPIED = DerivationKind.EXTRACTED, DerivationKind.COPIED
SPLIT, MOVED = DerivationKind.SPLIT, DerivationKind.MOVED
CASES: list[tuple[list[DerivationDocument], list[str], list[str]]] = [
    ([], [], []),
    (
        [end(EXTRACTED, "Cart.total", 0.62)],
        ["extracted from Cart.total (62 % of its code)"],
        ["part of it was extracted into Cart.total (31 % of its code)"],
    ),
    (
        [end(COPIED, "f", 1.0, path="b.py")],
        ["copied from b.py::f (100 % of its code)"],
        ["copied into b.py::f (50 % of its code)"],
    ),
    (
        [end(MOVED, "Cat.name", 1.0), end(MOVED, "Dog.name", 1.0)],
        ["moved from Cat.name (100 %) and Dog.name (100 %)"],
        ["moved into Cat.name (50 %) and Dog.name (50 %)"],
    ),
    (
        [end(SPLIT, "f", 0.5)],
        ["split from f (50 % of its code)"],
        ["its code is in f (25 %)"],
    ),
    (
        [end(MOVED, name, 0.5) for name in "abcdef"],
        ["moved from a (50 %), b (50 %), c (50 %) and 3 more"],
        ["moved into a (25 %), b (25 %), c (25 %) and 3 more"],
    ),
    (
        [end(COPIED, "f", 0.5), end(EXTRACTED, "g\x1b[0m", 0.4)],
        ["copied from f (50 % of its code)", "extracted from g\N{REPLACEMENT CHARACTER}[0m (40 % of its code)"],
        [
            "copied into f (25 % of its code)",
            "part of it was extracted into g\N{REPLACEMENT CHARACTER}[0m (20 % of its code)",
        ],
    ),
]


@pytest.mark.parametrize(("ends", "of_derivative", "of_source"), CASES)
def test_words(ends: list[DerivationDocument], of_derivative: list[str], of_source: list[str]) -> None:
    assert describe_sources(ends, "a.py") == of_derivative
    assert describe_derivatives(ends, "a.py") == of_source


def test_commits_are_named_where_they_are_asked_for() -> None:
    ends = [end(COPIED, "f", 0.5, "1" * 40), end(COPIED, "g", 0.5, "2" * 40), end(COPIED, "h", 0.25, "1" * 40)]
    assert describe_sources(ends, "a.py", with_commits=True) == [
        "copied from f (50 %) and h (25 %) in 111111111111",
        "copied from g (50 % of its code) in 222222222222",
    ]


def test_what_is_little_sure_is_said_so_and_comes_last() -> None:
    unsure = replace(end(COPIED, "f", 0.5), confidence=Confidence.LOW)
    assert describe_sources([unsure, end(COPIED, "g", 0.5)], "a.py") == [
        "copied from g (50 % of its code)",
        "perhaps copied from f (50 % of its code)",
    ]


@pytest.mark.parametrize(
    ("share", "text"), [(1.0, "100 %"), (0.999, "99 %"), (0.625, "62 %"), (0.004, "1 %"), (0.0, "1 %")]
)
def test_only_what_is_whole_is_a_hundred_percent(share: float, text: str) -> None:
    assert percent(share) == text
