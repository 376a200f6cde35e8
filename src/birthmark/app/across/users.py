"""Who uses what a REF names, in all repositories of a database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from birthmark.app.across.other_repositories import OtherRepositories, OtherRepository, RepositoryEdges
from birthmark.app.across.visibility import Visible
from birthmark.app.answers.uses.neighbours import USES, Neighbours, find_users
from birthmark.app.workspace.session import Session
from birthmark.graph.edges import Edge, names_of
from birthmark.graph.manifests.package import Package
from birthmark.graph.users import ALL_USES
from birthmark.model import Problem
from birthmark.queries.border_uses import BorderUses, ProvidedDefinitions
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
    names = names_of(session.graph, session.resolver, target) if packages else set()
    dependents = others.directory.dependents(packages, names) if packages else []
    found, n_asked = list[RepositoryEdges](), 0
    for other in others.each(dependents):
        n_asked += 1
        edges = BorderUses(other.graph, other.store.packages(), provided).of(target, kinds, names)
        found += [_held(other, edges)] if edges else []
    return UsersEverywhere(own, packages, found, n_asked, others.problems)


def _held(other: OtherRepository, edges: list[Edge]) -> RepositoryEdges:
    held = other.hold(edge.source.identity for edge in edges if edge.source is not None)
    users = [(edge, held[edge.source.identity] if edge.source is not None else None) for edge in edges]
    return RepositoryEdges(other.name, users)
