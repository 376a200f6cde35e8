"""Who uses what a REF names, in all repositories of a database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from birthmark.app.across import Visible
from birthmark.app.answers.uses.neighbours import USES, Neighbours, find_users
from birthmark.app.workspace.session import Session
from birthmark.graph.edges import Edge
from birthmark.graph.manifests.package import Package
from birthmark.graph.users import ALL_USES
from birthmark.model import Problem
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.stored_network import ProvidedDefinitions
from birthmark.server.across.other_repositories import OtherRepositories, OtherRepository, RepositoryEdges
from birthmark.server.across.passing import follow
from birthmark.vocabulary import EdgeKind


class UsersEverywhere(NamedTuple):
    """An entity with its users at home and elsewhere."""

    own: Neighbours
    packages: Sequence[Package] = ()  # by which others import it
    others: Sequence[RepositoryEdges] = ()
    n_asked: int = 0  # other repositories that depend on the packages, or have no manifest and the name
    problems: Sequence[Problem] = ()


def find_users_everywhere(session: Session, ref: str, visible: Visible, words: Collection[str] = ()) -> UsersEverywhere:
    others = OtherRepositories(session, visible)
    own = find_users(session, ref, words)
    kinds: frozenset[EdgeKind] = frozenset().union(*(USES[word] for word in words)) if words else ALL_USES
    target = session.definition(own.indexed)
    provided = ProvidedDefinitions(session.graph, session.store.packages())
    packages = provided.packages_of(target)
    sought, found = provided.seek(target), dict[str, dict[Edge, IndexedEntity | None]]()
    for package in packages:
        for arrival in follow(others, provided.passage(package), [sought]):
            users = found.setdefault(arrival.other.name, {})
            users.update(_held(arrival.other, [edge for one in arrival.sought for edge in arrival.uses_of(one, kinds)]))
    edges = [RepositoryEdges(name, [*found[name].items()]) for name in sorted(found) if found[name]]
    return UsersEverywhere(own, packages, edges, len(found), others.problems)


def _held(other: OtherRepository, edges: Sequence[Edge]) -> dict[Edge, IndexedEntity | None]:
    """With their users as their repository knows them."""
    held = other.hold(edge.source.identity for edge in edges if edge.source is not None)
    return {edge: held[edge.source.identity] if edge.source is not None else None for edge in edges}
