"""What a REF calls, in its own repository and in those that define the packages it depends on.

These may pass on what is in repositories that they depend on themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import islice
from posixpath import join
from typing import NamedTuple

from birthmark.app.across import Visible
from birthmark.app.answers.refs.indexed_refs import find_indexed
from birthmark.app.answers.uses.neighbours import Neighbours
from birthmark.app.workspace.session import Session
from birthmark.graph.across.dependencies import depending_folders
from birthmark.graph.across.part import JoinedPart, Seen, part_number
from birthmark.graph.across.uses_across import JoinedRepositories
from birthmark.graph.edges import Edge, callees
from birthmark.graph.manifests.package import Package
from birthmark.languages.registry import load_registry
from birthmark.model import Problem
from birthmark.queries.stored_network import provided_part
from birthmark.server.across.other_repositories import OtherRepositories, OtherRepository, RepositoryEdges
from birthmark.server.across.passing import LONGEST_WAY

_MOST = 50  # repositories that are open at once


class CalleesEverywhere(NamedTuple):
    """An entity, what it calls at home or is not found, and what it calls elsewhere."""

    own: Neighbours
    others: Sequence[RepositoryEdges] = ()
    problems: Sequence[Problem] = ()


class _Provider(NamedTuple):
    """A package that is depended on, in the repository that defines it."""

    repository: OtherRepository
    package: Package
    part: JoinedPart


def find_callees_everywhere(session: Session, ref: str, visible: Visible) -> CalleesEverywhere:
    others, indexed = OtherRepositories(session, visible), find_indexed(session, ref)
    source, packages = session.definition(indexed), session.store.packages()
    around = [one for one in packages if source.path.startswith(join(one.folder, ""))]
    with ExitStack() as opened:
        providers = _with_parts(_find_providers(others, opened, around))
        seen = _seen_by(packages, [(one.part.number, one.package) for one in providers])
        parts, rules_of = [one.part for one in providers], load_registry().resolution_of
        joined = JoinedRepositories(session.graph, parts, seen, rules_of)
        edges = callees(session.graph, joined.resolver, source)
        own = [edge for edge in edges if not _number_of(edge)]
        elsewhere = [_held(one, [edge for edge in edges if _number_of(edge) == one.part.number]) for one in providers]
    found = [one for one in elsewhere if one.edges]
    return CalleesEverywhere(Neighbours(indexed, own), found, others.problems)


def _find_providers(
    others: OtherRepositories, opened: ExitStack, packages: Iterable[Package]
) -> list[tuple[OtherRepository, Package]]:
    """What packages depend on, and what that depends on in turn, which may be passed on; the nearest first."""
    found: dict[tuple[str, Package], OtherRepository] = {}
    repositories: dict[str, OtherRepository] = {}
    for _ in range(LONGEST_WAY):
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


def _with_parts(found: Sequence[tuple[OtherRepository, Package]]) -> list[_Provider]:
    """Each sees those that it depends on."""
    numbered = [(number, package) for number, (_, package) in enumerate(found, 1)]
    return [
        _Provider(
            other,
            package,
            provided_part(number, other.graph, package.folder, _seen_by(other.store.packages(), numbered)),
        )
        for number, (other, package) in enumerate(found, 1)
    ]


def _seen_by(packages: Sequence[Package], provided: Iterable[tuple[int, Package]]) -> Seen:
    return {number: depending_folders(packages, package) for number, package in provided}


def _number_of(edge: Edge) -> int:
    return part_number(edge.target.path) if edge.target is not None else 0


def _held(provider: _Provider, edges: Sequence[Edge]) -> RepositoryEdges:
    """With their targets as their repository knows them."""
    targets = [provider.part.take(edge.target) for edge in edges if edge.target is not None]
    held = provider.repository.hold(target.identity for target in targets)
    pairs = [(edge._replace(target=one), held[one.identity]) for edge, one in zip(edges, targets, strict=True)]
    return RepositoryEdges(provider.repository.name, [*pairs])
