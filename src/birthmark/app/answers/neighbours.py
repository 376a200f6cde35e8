"""Find the uses of what a REF names, what it calls, and what mentions it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.workspace.session import Session
from birthmark.comparison.file_roles import role_of
from birthmark.graph.edges import ALL_USES, CALLS, REFERENCES, SUBCLASSES, Edge, in_order
from birthmark.graph.manifests.package import Package
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.stored_network import callees_in_network, edge_of, users_in_network
from birthmark.queries.test_code import is_test_code
from birthmark.vocabulary import EdgeKind, FileRole

End = Literal["source", "target"]

# Uses by the words that narrow them.
USES = {"calls": CALLS, "references": REFERENCES, "subclasses": SUBCLASSES}


EdgeElsewhere = tuple[str, Edge, IndexedEntity | None]  # the repository, and the entity there in full


class Neighbours(NamedTuple):
    """An entity and its edges: in its repository, and to or from others."""

    indexed: IndexedEntity
    edges: list[Edge]
    others: Sequence[EdgeElsewhere] = ()
    packages: Sequence[Package] = ()  # by which others import it
    n_asked: int = 0  # other repositories that depend on the packages, or have no manifest and the name


def find_users(session: Session, ref: str, words: Collection[str] = ()) -> Neighbours:
    """All uses, or those of some words."""
    indexed = find_indexed(session, ref)
    target = session.definition(indexed)
    return Neighbours(indexed, users_in_network(session.network, session.graph, target, _kinds_of(words)))


def find_callees(session: Session, ref: str) -> Neighbours:
    indexed = find_indexed(session, ref)
    return Neighbours(indexed, callees_in_network(session.network, session.graph, session.definition(indexed)))


def find_used(session: Session, ref: str, words: Collection[str] = ()) -> Neighbours:
    """Return all that it uses."""
    indexed, kinds = find_indexed(session, ref), _kinds_of(words)
    source = session.definition(indexed)
    uses = [use for use in session.network.used_by([source.identity]) if use.edge in kinds]
    used = session.graph.definitions({use.used for use in uses if isinstance(use.used, int)})
    edges = (edge_of(use, source, used[use.used]) for use in uses if isinstance(use.used, int))
    return Neighbours(indexed, in_order(edges))


def _kinds_of(words: Collection[str]) -> frozenset[EdgeKind]:
    return frozenset().union(*(USES[word] for word in words)) if words else ALL_USES


def group_by_end(edges: Iterable[Edge], end: End) -> list[list[Edge]]:
    """The edges of each neighbour, by the definition or, at the top level of a file, by the file."""
    groups: dict[int | str, list[Edge]] = {}
    for edge in edges:
        other = edge.source if end == "source" else edge.target
        groups.setdefault(edge.source_path if other is None else other.identity, []).append(edge)
    return [*groups.values()]


def is_test_edge(edge: Edge) -> bool:
    """Return whether a use is in test code."""
    source = edge.source
    return is_for_tests(edge.source_path, source.language if source else "", source.qualified_name if source else "")


def is_for_tests(path: str, language: str = "", qualified_name: str = "") -> bool:
    """Return whether something is test code; without a language, it is the top level of a file."""
    return is_test_code(path, language, qualified_name) if language else role_of(path) is FileRole.TEST


def with_ends(session: Session, edges: list[Edge], end: End) -> list[tuple[Edge, IndexedEntity | None]]:
    """Edges with the entities at one of their ends in full."""
    ends = [edge.source if end == "source" else edge.target for edge in edges]
    shown = session.store.entities_of(session.view.number, {one.identity for one in ends if one is not None})
    held = session.view.hold_all(shown)
    return [(edge, held[one.identity] if one is not None else None) for edge, one in zip(edges, ends, strict=True)]
