"""What a REF calls, in its own repository and in those that define the packages it depends on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from posixpath import join
from typing import NamedTuple

from birthmark.app.across.other_repositories import OtherRepositories, OtherRepository, RepositoryEdges
from birthmark.app.across.visibility import Visible
from birthmark.app.answers.refs.indexed_refs import find_indexed
from birthmark.app.answers.uses.neighbours import Neighbours
from birthmark.app.workspace.session import Session
from birthmark.graph.across.dependencies import depending_folders
from birthmark.graph.across.part import JoinedPart, part_number
from birthmark.graph.across.uses_across import JoinedRepositories
from birthmark.graph.edges import Edge, callees
from birthmark.graph.manifests.package import Package
from birthmark.languages.registry import load_registry
from birthmark.model import Problem
from birthmark.queries.border_uses import provided_part
from birthmark.vocabulary import Ecosystem

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
    used = {
        (one.ecosystem, name)
        for one in packages
        if source.path.startswith(join(one.folder, ""))
        for name in one.dependencies
    }
    names = dict.fromkeys(name for name, *_ in others.directory.providers(used)) if used else {}
    with others.opened(islice(names, _MOST)) as opened:
        providers = _providers(opened, used)
        seen = {one.part.number: depending_folders(packages, one.package) for one in providers}
        parts, rules_of = [one.part for one in providers], load_registry().resolution_of
        joined = JoinedRepositories(session.graph, parts, seen, rules_of)
        edges = callees(session.graph, joined.resolver, source)
        own = [edge for edge in edges if not _number_of(edge)]
        elsewhere = [_held(one, [edge for edge in edges if _number_of(edge) == one.part.number]) for one in providers]
    found = [one for one in elsewhere if one.edges]
    return CalleesEverywhere(Neighbours(indexed, own), found, others.problems)


def _providers(opened: Sequence[OtherRepository], used: Collection[tuple[Ecosystem, str]]) -> list[_Provider]:
    found = [(other, one) for other in opened for one in other.store.packages() if (one.ecosystem, one.name) in used]
    return [
        _Provider(other, package, provided_part(number, other.graph, package.folder))
        for number, (other, package) in enumerate(found, 1)
    ]


def _number_of(edge: Edge) -> int:
    return part_number(edge.target.path) if edge.target is not None else 0


def _held(provider: _Provider, edges: Sequence[Edge]) -> RepositoryEdges:
    """With their targets as their repository knows them."""
    targets = [provider.part.take(edge.target) for edge in edges if edge.target is not None]
    held = provider.repository.hold(target.identity for target in targets)
    pairs = [(edge._replace(target=one), held[one.identity]) for edge, one in zip(edges, targets, strict=True)]
    return RepositoryEdges(provider.repository.name, [*pairs])
