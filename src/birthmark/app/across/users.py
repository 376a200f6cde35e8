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
from birthmark.graph.names.containment import contains
from birthmark.graph.symbols import Definition
from birthmark.graph.users import ALL_USES
from birthmark.model import Problem
from birthmark.queries.border_uses import LONGEST_WAY, Passage, ProvidedDefinitions
from birthmark.queries.snapshot_view import IndexedEntity
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
    search = _UserSearch(others, target, _outermost(session, target), kinds)
    for package in packages:
        names = names_of(session.graph, session.resolver, target)
        search.spread(provided.passage(package), frozenset(names), frozenset())
    found = [RepositoryEdges(name, [*search.found[name].items()]) for name in sorted(search.found)]
    return UsersEverywhere(own, packages, found, len(search.asked), others.problems)


def _outermost(session: Session, target: Definition) -> Definition:
    """What is imported where something in it is used."""
    around = (one for one in session.graph.inside(target.path) if one.parent is None and contains(one, target))
    return next(around, target)


class _UserSearch:
    """Goes from a package to those that depend on it and, from those that import the definition, on to their own."""

    def __init__(
        self, others: OtherRepositories, target: Definition, imported: Definition, kinds: Collection[EdgeKind]
    ) -> None:
        self.others, self.target, self.imported, self.kinds = others, target, imported, kinds
        self.found: dict[str, dict[Edge, IndexedEntity | None]] = {}  # by repository
        self.asked: set[str] = set()

    def spread(self, passage: Passage, names: frozenset[str], above: frozenset[str]) -> None:
        """`names` are what the definition is called on the way, `above` the repositories on it."""
        known = names | {self.imported.name} if above else names
        dependents = self.others.directory.dependents([passage.package], known, refer=bool(above))
        for other in self.others.each(name for name in dependents if name not in above):
            self.asked.add(other.name)
            packages = other.store.packages()
            joined = passage.join(other.graph, packages)
            if joined is not None:
                origin = passage.parts[0]
                self._add(other, joined.users(origin, self.target, self.kinds, names))
                paths = sorted(joined.importing_files(origin, self.imported, names))
                also = names | joined.names_of(origin, self.imported) if paths else names
                onward = passage.go_on(other.graph, packages, paths, self.target.language)
                for further in onward if len(passage.parts) < LONGEST_WAY else ():
                    self.spread(further, also, above | {other.name})

    def _add(self, other: OtherRepository, edges: Sequence[Edge]) -> None:
        held = other.hold(edge.source.identity for edge in edges if edge.source is not None)
        users = {edge: held[edge.source.identity] if edge.source is not None else None for edge in edges}
        if users:
            self.found.setdefault(other.name, {}).update(users)
