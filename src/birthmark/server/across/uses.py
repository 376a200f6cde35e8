"""The users and callees of a definition in other repositories of a database.

From a repository the search goes on to those that depend on its packages, and on to those to which these pass its
definitions on; for callees the other way round.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from posixpath import join
from typing import NamedTuple

from birthmark.app.answers.neighbours import USES, EdgeElsewhere, Neighbours
from birthmark.graph.edges import ALL_USES, Edge, callees
from birthmark.graph.joined_repositories import JoinedPart, JoinedRepositories, Seen, part_number
from birthmark.graph.manifests.package import Package, depending_folders
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.queries.stored_network import Passage, ProvidedDefinitions, Sought, provided_part
from birthmark.server.across.other_repositories import OtherRepositories, OtherRepository
from birthmark.vocabulary import EdgeKind

_MOST = 50  # repositories that are open at once
_LONGEST_WAY = 4  # repositories, each of which passes on what the one before it has
_ANY = "*"  # is imported of a module


def add_users(others: OtherRepositories, found: Neighbours, words: Collection[str]) -> Neighbours:
    session, kinds = others.session, ALL_USES
    if words:
        kinds = frozenset().union(*(USES[word] for word in words))
    target = session.definition(found.indexed)
    provided = ProvidedDefinitions(session.graph, session.store.packages())
    packages = provided.packages_of(target)
    sought, users = provided.seek(target), dict[str, dict[Edge, IndexedEntity | None]]()
    for package in packages:
        for arrival in follow(others, provided.passage(package), [sought]):
            edges = [edge for one in arrival.sought for edge in arrival.uses_of(one, kinds)]
            users.setdefault(arrival.other.name, {}).update(_with_users(arrival.other, edges))
    rows = [(name, *user) for name in sorted(users) for user in users[name].items()]
    return found._replace(others=rows, packages=packages, n_asked=len(users))


def _with_users(other: OtherRepository, edges: Sequence[Edge]) -> dict[Edge, IndexedEntity | None]:
    """With their users as their repository knows them."""
    held = other.hold(edge.source.identity for edge in edges if edge.source is not None)
    return {edge: held[edge.source.identity] if edge.source is not None else None for edge in edges}


class Arrival(NamedTuple):
    """A repository in which some definitions of another one may be used; it is open until the next one is asked for."""

    other: OtherRepository
    joined: JoinedRepositories
    origin: JoinedPart
    sought: Sequence[Sought]

    def uses_of(self, one: Sought, kinds: Collection[EdgeKind]) -> list[Edge]:
        return self.joined.users(self.origin, one.target, kinds, one.names)

    def referred(self, *also: str) -> list[Sought]:
        """Those that may be meant by a name that is referred to, or by some other ones."""
        names = {one.target: {*also, *_names_by_which(one)} for one in self.sought}
        counts = self.other.store.count_references(self.other.view.number, set().union(*names.values()))
        return [one for one in self.sought if any(counts.get(name) for name in names[one.target])]


def follow(
    others: OtherRepositories, passage: Passage, sought: Sequence[Sought], above: frozenset[str] = frozenset()
) -> Iterator[Arrival]:
    """`above` are the repositories on the way, which are not gone into again."""
    is_passed_on = len(passage.parts) > 1
    names = {name for one in sought for name in one.names}
    names |= {one.imported.name for one in sought} if is_passed_on else set()
    dependents = others.directory.dependents([passage.package], names, refer=is_passed_on)
    for other in others.each(name for name in dependents if name not in above):
        joined = passage.join(other.graph, other.store.packages())
        if joined is not None:
            arrival = Arrival(other, joined, passage.parts[0], sought)
            yield arrival
            for further, passed in _pass_on(passage, arrival) if len(passage.parts) < _LONGEST_WAY else ():
                yield from follow(others, further, passed, above | {other.name})


def _pass_on(passage: Passage, arrival: Arrival) -> list[tuple[Passage, list[Sought]]]:
    """By the packages of the files that import something, perhaps under further names."""
    (other, joined, origin, _), found = arrival, dict[Package, tuple[Passage, list[Sought]]]()
    for one in arrival.referred(_ANY):
        paths = sorted(joined.importing_files(origin, one.imported, one.names))
        if paths:
            known = one._replace(names=one.names | joined.names_of(origin, one.imported))
            for further in passage.go_on(other.graph, other.store.packages(), paths, one.target.language):
                found.setdefault(further.package, (further, []))[1].append(known)
    return [*found.values()]


def _names_by_which(one: Sought) -> set[str]:
    default = load_registry().resolution_of(one.target.language).default_name
    return {*one.names, one.imported.name, *([default] if default else [])}


# Callees


def add_callees(others: OtherRepositories, found: Neighbours) -> Neighbours:
    """Add what it calls in repositories that define packages it depends on, or that these pass on."""
    session = others.session
    source, packages = session.definition(found.indexed), session.store.packages()
    around = [one for one in packages if source.path.startswith(join(one.folder, ""))]
    with ExitStack() as opened:
        providers = _with_parts(_find_providers(others, opened, around))
        seen = _seen_by(packages, [(part.number, package) for _, package, part in providers])
        parts, rules_of = [part for *_, part in providers], load_registry().resolution_of
        joined = JoinedRepositories(session.graph, parts, seen, rules_of)
        edges = callees(session.graph, joined.resolver, source)
        own = [edge for edge in edges if not _number_of(edge)]
        elsewhere = [
            row
            for other, _, part in providers
            for row in _at_provider(other, part, [edge for edge in edges if _number_of(edge) == part.number])
        ]
    return found._replace(edges=own, others=elsewhere)


def _find_providers(
    others: OtherRepositories, opened: ExitStack, packages: Iterable[Package]
) -> list[tuple[OtherRepository, Package]]:
    """Return the direct and indirect dependencies of the packages, nearest first, since packages may re-export."""
    found: dict[tuple[str, Package], OtherRepository] = {}
    repositories: dict[str, OtherRepository] = {}
    for _ in range(_LONGEST_WAY):
        used = {(one.ecosystem, name) for one in packages for name in one.dependencies}
        names = dict.fromkeys(name for name, *_ in others.directory.providers(used)) if used else {}
        unopened = islice((name for name in names if name not in repositories), _MOST - len(repositories))
        repositories |= {one.name: one for one in opened.enter_context(others.opened(unopened))}
        known = [repositories[name] for name in names if name in repositories]
        defined = [(other, one) for other in known for one in other.store.packages()]
        meant = {(other.name, one): other for other, one in defined if (one.ecosystem, one.name) in used}
        new = {key: other for key, other in meant.items() if key not in found}
        packages = [package for _, package in new]
        found |= new
    return [(other, package) for (_, package), other in found.items()]


def _with_parts(
    found: Sequence[tuple[OtherRepository, Package]],
) -> list[tuple[OtherRepository, Package, JoinedPart]]:
    """Each package that is depended on, in the repository that defines it, sees those that it depends on."""
    numbered = [(number, package) for number, (_, package) in enumerate(found, 1)]
    return [
        (other, package, provided_part(number, other.graph, package.folder, _seen_by(other.store.packages(), numbered)))
        for number, (other, package) in enumerate(found, 1)
    ]


def _seen_by(packages: Sequence[Package], provided: Iterable[tuple[int, Package]]) -> Seen:
    return {number: depending_folders(packages, package) for number, package in provided}


def _number_of(edge: Edge) -> int:
    return part_number(edge.target.path) if edge.target is not None else 0


def _at_provider(other: OtherRepository, part: JoinedPart, edges: Sequence[Edge]) -> list[EdgeElsewhere]:
    """Those that lead there, with their targets as that repository knows them."""
    targets = [part.take(edge.target) for edge in edges if edge.target is not None]
    held = other.hold(target.identity for target in targets)
    return [
        (other.name, edge._replace(target=one), held[one.identity]) for edge, one in zip(edges, targets, strict=True)
    ]
