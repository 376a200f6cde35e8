"""Coupling and cohesion of modules, from the uses between files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.app.answers.module_map import FileUse, folder_of, map_modules
from birthmark.app.workspace.freshness import Freshness, freshness_document
from birthmark.documents.whole_graph import ModulesDocument
from birthmark.vocabulary import Resolution

FILES = [f"{folder}/{name}.x" for folder in ("a", "b", "c", "c/d") for name in ("one", "two")] + ["top.x"]
FOUND = [one for one in Resolution if one is not Resolution.DISPATCH]
USES = st.lists(
    st.builds(FileUse, st.sampled_from(FILES), st.integers(1, 9), st.sampled_from(FILES), st.sampled_from(FOUND)),
    max_size=40,
)


def modules_of(
    files: dict[str, int], uses: list[FileUse], module_of: Callable[[str], str] = folder_of
) -> ModulesDocument:
    return map_modules(files, uses, module_of, freshness_document(Freshness(None, None, [])))


@pytest.mark.parametrize(
    ("path", "below", "depth", "expected"),
    [
        ("a/b/c.x", "", None, "a/b"),
        ("a/b/c.x", "", 1, "a"),
        ("a/b/c.x", "", 5, "a/b"),
        ("a/b/c.x", "a", 1, "a/b"),
        ("a/b/c/d.x", "a", 1, "a/b"),
        ("a/c.x", "a", 1, "a"),
        ("c.x", "", 1, "."),
        ("c.x", "", None, "."),
    ],
)
def test_the_module_of_a_file(path: str, below: str, depth: int | None, expected: str) -> None:
    assert folder_of(path, below, depth) == expected


@given(USES)
def test_coupling_is_the_degree_in_the_graph_of_folders(uses: list[FileUse]) -> None:
    graph = nx.MultiDiGraph()
    graph.add_nodes_from({path.rpartition("/")[0] or "." for path in FILES})
    for use in uses:
        graph.add_edge(*(path.rpartition("/")[0] or "." for path in (use.path, use.used_path)))
    loops = Counter(user for user, used in graph.edges() if user == used)
    graph.remove_edges_from(list(nx.selfloop_edges(graph, keys=True)))
    simple = nx.DiGraph(graph)
    found = modules_of(dict.fromkeys(FILES, 2), uses)
    assert {module.name for module in found.modules} == set(graph)
    for module in found.modules:
        assert (module.outgoing_uses, module.incoming_uses) == (
            graph.out_degree(module.name),
            graph.in_degree(module.name),
        )
        assert (module.used_modules, module.user_modules) == (
            simple.out_degree(module.name),
            simple.in_degree(module.name),
        )
        assert module.inside_uses == loops[module.name]
        total = module.inside_uses + module.outgoing_uses
        assert module.cohesion == (pytest.approx(module.inside_uses / total) if total else None)
    assert {(use.user, use.used): use.uses for use in found.uses} == Counter(graph.edges())


@given(USES)
def test_uses_lead_to_lower_layers_and_every_exception_is_in_a_cycle(uses: list[FileUse]) -> None:
    found = modules_of(dict.fromkeys(FILES, 0), uses, lambda path: path)
    modules = {module.name: module for module in found.modules}
    for use in found.uses:
        user, used = modules[use.user], modules[use.used]
        assert (use.cycle is None) == (user.layer > used.layer)
        assert sum(use.resolutions.values()) == use.uses
    assert [sorted(cycle) for cycle in found.cycles] == [
        sorted(module.name for module in found.modules if module.cycle == number)
        for number in range(1, len(found.cycles) + 1)
    ]


@given(USES, st.randoms())
def test_the_order_of_uses_does_not_matter(uses: list[FileUse], random: Random) -> None:
    mixed = [*uses]
    random.shuffle(mixed)
    files = dict.fromkeys(FILES, 1)
    assert modules_of(files, uses) == modules_of(files, mixed)


def test_uses_of_files_that_are_not_asked_about_do_not_count() -> None:
    uses = [FileUse("a/one.x", 1, "b/one.x", Resolution.IMPORT), FileUse("b/one.x", 1, "a/one.x", Resolution.IMPORT)]
    found = modules_of({"a/one.x": 3}, uses)
    assert [(module.name, module.entities, module.outgoing_uses, module.incoming_uses) for module in found.modules] == [
        ("a", 3, 0, 0)
    ]


def test_what_implements_an_interface_is_not_needed_by_what_calls_it() -> None:
    """In ripgrep the crate of a trait would depend on all crates that implement it."""
    caller, trait, implementation = "caller/a.x", "trait/b.x", "implementation/c.x"
    uses = [
        FileUse(implementation, 1, trait, Resolution.IMPORT),
        FileUse(caller, 1, trait, Resolution.IMPORT),
        FileUse(caller, 7, trait, Resolution.DISPATCH),
        FileUse(caller, 7, implementation, Resolution.DISPATCH),
        FileUse(trait, 3, implementation, Resolution.DISPATCH),
    ]
    found = modules_of(dict.fromkeys((caller, trait, implementation), 1), uses)
    assert [(use.user, use.used, use.uses) for use in found.uses] == [
        ("caller", "trait", 2),
        ("implementation", "trait", 1),
    ]
    assert found.cycles == []
