"""What has no users, which classes have bases outside, and where words are."""

from __future__ import annotations

import pytest

from birthmark.graph.network import NetworkEdge
from birthmark.graph.symbols import Definition
from birthmark.queries.unused import ClassBases, WordIndex, find_without_users
from birthmark.vocabulary import EdgeKind, Resolution

NAMES = ["A", "A.__init__", "A.run", "A.run.inner", "A.size", "B", "B.run", "f", "g"]
KINDS = {"A": "class", "B": "class", "A.__init__": "constructor", "A.size": "field"}


def definitions() -> list[Definition]:
    return [
        Definition(
            number,
            "a.x",
            "x",
            KINDS.get(name, "method" if "." in name else "fn"),
            name.rpartition(".")[2],
            name,
            name.rpartition(".")[0] or None,
            number,
            number,
        )
        for number, name in enumerate(NAMES)
    ]


def edges(text: str) -> list[NetworkEdge]:
    """`f calls A, A.run reads A.size`."""
    found = []
    for user, kind, used in (part.split() for part in text.split(",") if part):
        node = NAMES.index(user) if user in NAMES else user
        found.append(NetworkEdge(node, NAMES.index(used), EdgeKind(kind), Resolution.EXACT, "a.x", 99))
    return found


CASES = {
    "nothing is used": ("", "A f g B A.__init__<A A.run<A A.run.inner<A.run A.size<A B.run<B"),
    "a call is a use": ("f calls g", "A A.__init__<A A.run<A A.run.inner<A.run A.size<A B B.run<B f"),
    "a member's user uses the class": ("f calls A.run", "A.run.inner A.size B B.run<B f g"),
    "a constructor is used with its class": ("f calls A", "A.run A.run.inner<A.run A.size B B.run<B f g"),
    "a use from inside is none": ("A.run calls A.size", "A A.__init__<A A.run<A A.run.inner<A.run B B.run<B f g"),
    "nor is a call of itself": ("f calls f,g calls f", "A A.__init__<A A.run<A A.run.inner<A.run A.size<A B B.run<B g"),
    "an import is none": ("b.x imports A,f calls B", "A A.__init__<A A.run<A A.run.inner<A.run A.size<A B.run f g"),
    "what overrides is used with it": ("f calls A.run,B.run overrides A.run", "A.run.inner A.size B f g"),
    "an override is no use of it": (
        "f calls B,B.run overrides A.run",
        "A A.__init__<A A.run<A A.run.inner<A.run A.size<A B.run f g",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_has_no_users(name: str) -> None:
    text, expected = CASES[name]
    found = find_without_users(definitions(), edges(text))
    shown = [one.definition.qualified_name + (f"<{one.outer[1]}" if one.outer else "") for one in found]
    assert sorted(shown) == sorted(expected.split())


def test_where_it_is_imported_is_said() -> None:
    found = find_without_users(definitions(), edges("b.x imports A"))
    assert [one.definition.name for one in found if one.imported is not None] == ["A"]


def test_one_name_in_one_file_is_one() -> None:
    getter, setter = (Definition(n, "a.x", "x", "method", "p", "A.p", "A", n, n) for n in (1, 2))
    use = NetworkEdge(7, 1, EdgeKind.READS, Resolution.EXACT, "a.x", 99)
    assert find_without_users([getter, setter], [use]) == []
    assert [one.definition for one in find_without_users([getter, setter], [])] == [getter]


def test_what_is_on_its_own_lines_is_no_use_of_it() -> None:
    """As the decorator of a property, which is code of the class."""
    (edge,) = edges("A reads A.run")
    own = edge._replace(line=NAMES.index("A.run"))
    assert "A.run" in [one.definition.qualified_name for one in find_without_users(definitions(), [own])]


def test_bases_outside_are_inherited() -> None:
    bases = ClassBases(edges("B inherits A"))
    assert bases.outside({0: ["lib.Base[int]"], 5: ["A"]}, ["A", "B"]) == {0: "lib.Base[int]", 5: "lib.Base[int]"}
    assert bases.outside({0: [], 5: ["x.A"]}, ["A", "B"]) == {}
    assert [*bases.above(5)] == [0]


def test_circles_of_bases_end() -> None:
    assert [*ClassBases(edges("B inherits A,A inherits B")).above(0)] == [5]


def test_words_are_found_in_strings_and_other_files() -> None:
    sources = [
        ("a.py", "python", b'x = "pkg.run"\ny = "a run of luck"\nrun2 = 1\n'),
        ("page.html", "html", b"<p>\n{{ run }}</p>"),
        ("guide.md", "markdown", b"a run\nof `run` there"),
    ]
    index = WordIndex(["run", "walk"], sources)
    assert [*index.quoted("run")] == [("a.py", 1), ("guide.md", 2)]
    assert index.paths_with("run") == ["a.py", "guide.md", "page.html"]
    assert index.paths_with("walk") == []
    assert index.first_in("run", ["page.html"]) == ("page.html", 2)
    assert index.first_in("run", ["guide.md"]) == ("guide.md", 2)
