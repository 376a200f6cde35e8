"""From a repository to those that depend on its packages, and on to those to which these pass its definitions on.

Takes what is sought of a repository; gives each other one in which it may be used, joined with what leads there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from birthmark.graph.across.part import JoinedPart
from birthmark.graph.across.uses_across import JoinedRepositories
from birthmark.graph.edges import Edge
from birthmark.graph.manifests.package import Package
from birthmark.languages.registry import load_registry
from birthmark.queries.stored_network import Passage, Sought
from birthmark.server.across.other_repositories import OtherRepositories, OtherRepository
from birthmark.vocabulary import EdgeKind

LONGEST_WAY = 4  # repositories, each of which passes on what the one before it has
_ALL = "*"  # is imported of a module


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
            for further, passed in _pass_on(passage, arrival) if len(passage.parts) < LONGEST_WAY else ():
                yield from follow(others, further, passed, above | {other.name})


def _pass_on(passage: Passage, arrival: Arrival) -> list[tuple[Passage, list[Sought]]]:
    """By the packages of the files that import something, perhaps under further names."""
    (other, joined, origin, _), found = arrival, dict[Package, tuple[Passage, list[Sought]]]()
    for one in arrival.referred(_ALL):
        paths = sorted(joined.importing_files(origin, one.imported, one.names))
        if paths:
            known = one._replace(names=one.names | joined.names_of(origin, one.imported))
            for further in passage.go_on(other.graph, other.store.packages(), paths, one.target.language):
                found.setdefault(further.package, (further, []))[1].append(known)
    return [*found.values()]


def _names_by_which(one: Sought) -> set[str]:
    default = load_registry().resolution_of(one.target.language).default_name
    return {*one.names, one.imported.name, *([default] if default else [])}
