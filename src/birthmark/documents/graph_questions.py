"""Documents of answers about the whole graph: impact, path, cycles, components, rank and unused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from birthmark.app.answers.uses.graph_nodes import GraphNode
from birthmark.app.answers.uses.impact import ImpactAnswer, ImpactUser
from birthmark.app.answers.uses.name_evidence import DoubtSite
from birthmark.app.answers.uses.unused import UnusedAnswer, UnusedDefinition
from birthmark.app.answers.uses.use_paths import PathAnswer
from birthmark.app.answers.uses.whole_graph import GroupsAnswer, NodeGroup, RankedNode
from birthmark.app.workspace.freshness import Freshness
from birthmark.documents.answers import SiteDocument, UnaskedField, unasked_documents
from birthmark.documents.definitions import EntityDocument, indexed_entity_document
from birthmark.documents.document import Document, PagedDocument, doc
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.documents.locations import RepositoryField
from birthmark.graph.network import NetworkEdge
from birthmark.model import Problem
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.server.across.impact import RepositoryImpact
from birthmark.vocabulary import EdgeKind, Resolution, UnusedDoubt

Entities = Mapping[int, IndexedEntity]
InTime = Annotated[bool, doc("false if the time was over before all was looked at")]
TopLevel = Annotated[EntityDocument | None, doc("null for the top level of a file")]
IsTest = Annotated[bool, doc("whether it is a test, or inside of one")]


class ImpactUserDocument(Document, frozen=True):
    """Something that may break when the entity is changed, and the use by which it is reached."""

    entity: TopLevel
    edge: EdgeKind
    depth: Annotated[int, doc("how many uses away: 1 for a direct user")]
    resolution: Resolution
    candidates: Annotated[int, doc("how many definitions may be meant: 1, as only what is claimed is followed")]
    site: SiteDocument
    is_test: IsTest
    through: Annotated[str, doc("the mark of what it uses, one step nearer: the entity, a member of it, or a result")]
    repository: RepositoryField = None


class ImpactDocument(PagedDocument, frozen=True):
    """An entity with all that may break when it is changed."""

    entity: EntityDocument
    results: Annotated[list[ImpactUserDocument], doc("nearest first")]
    complete: Annotated[bool, doc("false if there may be more: deeper, beyond the limit, or for want of time")]
    in_time: InTime
    possible: Annotated[int, doc("lines elsewhere that may mean it by its name, as other definitions; not followed")]
    freshness: FreshnessDocument
    unasked: UnaskedField = ()


class UseDocument(Document, frozen=True):
    """One thing that uses another."""

    user: TopLevel
    used: TopLevel
    used_path: Annotated[str, doc("the file of what is used; that of the user is in `site`")]
    edge: EdgeKind
    resolution: Resolution
    site: SiteDocument


class PathDocument(Document, frozen=True):
    """The shortest way from one entity to another along uses."""

    start: EntityDocument
    end: EntityDocument
    steps: Annotated[list[UseDocument], doc("none where there is no way")]
    in_time: InTime
    way_back: Annotated[bool, doc("whether `end` uses `start` instead, where there is no way")]
    freshness: FreshnessDocument


class GroupNodeDocument(Document, frozen=True):
    """A definition, a file as a whole, or its top level, as part of a group."""

    entity: TopLevel
    path: str
    is_test: IsTest


class CycleDocument(Document, frozen=True):
    """Things each of which uses every other, in one step or more."""

    nodes: Annotated[list[GroupNodeDocument], doc("by path and line")]
    cycle: Annotated[list[UseDocument], doc("a shortest way from the first node back to it")]


class CyclesDocument(PagedDocument, frozen=True):
    """All that is in cycles."""

    groups: Annotated[list[CycleDocument], doc("the largest first")]
    searched: Annotated[int, doc("among how many definitions or files")]
    freshness: FreshnessDocument


class ComponentDocument(Document, frozen=True):
    """Things that are connected by uses."""

    nodes: Annotated[list[GroupNodeDocument], doc("by path and line")]


class ComponentsDocument(PagedDocument, frozen=True):
    """Groups between which there is no use."""

    groups: Annotated[list[ComponentDocument], doc("the largest first; what is connected with nothing is in none")]
    searched: Annotated[int, doc("among how many definitions or files")]
    freshness: FreshnessDocument


class RankedDocument(Document, frozen=True):
    """A definition or a file with its rank."""

    entity: Annotated[EntityDocument | None, doc("null for a file")]
    path: str
    is_test: IsTest
    score: Annotated[float, doc("of all ranks, which sum up to 1, its part")]
    users: Annotated[int, doc("how many use it directly")]


class RankDocument(PagedDocument, frozen=True):
    """Definitions or files, the most central first."""

    results: list[RankedDocument]
    freshness: FreshnessDocument


class DoubtDocument(Document, frozen=True):
    """Why something without known users may be used all the same."""

    doubt: UnusedDoubt
    site: Annotated[SiteDocument | None, doc("where that is seen; null if it follows from the definition itself")]
    detail: Annotated[str | None, doc("the decorator, or the base that is outside")]


class UnusedDefinitionDocument(Document, frozen=True):
    """A definition without known users."""

    entity: EntityDocument
    inside: Annotated[int, doc("how many definitions are inside of it, which have no users either")]
    likely_used: Annotated[bool, doc("whether a doubt explains why it has no users: a test, a special name, …")]
    doubts: Annotated[list[DoubtDocument], doc("the strongest first")]


class UnusedDocument(PagedDocument, frozen=True):
    """Definitions without known users."""

    results: Annotated[list[UnusedDefinitionDocument], doc("the most likely to be unused first")]
    searched: Annotated[int, doc("among how many definitions")]
    in_time: InTime
    freshness: FreshnessDocument


def impact_document(
    answer: ImpactAnswer,
    entities: Entities,
    freshness: Freshness,
    elsewhere: Iterable[RepositoryImpact] = (),
    problems: Iterable[Problem] = (),
) -> ImpactDocument:
    """`elsewhere` are users in other repositories, `problems` what was in the way there."""
    others = [_impact_user(user, one.entities, one.repository) for one in elsewhere for user in one.users]
    return ImpactDocument(
        indexed_entity_document(answer.indexed),
        [*(_impact_user(user, entities) for user in answer.users), *others],
        answer.is_complete,
        answer.is_in_time,
        answer.n_possible,
        freshness_document(freshness),
        unasked_documents(problems),
    )


def _impact_user(user: ImpactUser, entities: Entities, repository: str | None = None) -> ImpactUserDocument:
    step, used = user.step, user.used.entity
    assert used is not None, "only definitions are followed"
    return ImpactUserDocument(
        _entity_or_null(user.node, entities),
        step.edge,
        user.depth,
        step.resolution,
        step.n_candidates,
        SiteDocument(step.path, step.line),
        user.node.is_test,
        used.mark,
        repository,
    )


def path_document(answer: PathAnswer, entities: Entities, freshness: Freshness) -> PathDocument:
    return PathDocument(
        indexed_entity_document(answer.start),
        indexed_entity_document(answer.end),
        [use_document(*step, entities) for step in answer.steps],
        answer.is_in_time,
        answer.has_way_back,
        freshness_document(freshness),
    )


def use_document(user: GraphNode, used: GraphNode, step: NetworkEdge, entities: Entities) -> UseDocument:
    ends = _entity_or_null(user, entities), _entity_or_null(used, entities)
    return UseDocument(*ends, used.path, step.edge, step.resolution, SiteDocument(step.path, step.line))


def cycles_document(answer: GroupsAnswer, entities: Entities, freshness: Freshness) -> CyclesDocument:
    groups = [
        CycleDocument(_members(group, entities), [use_document(*use, entities) for use in group.cycle])
        for group in answer.groups
    ]
    return CyclesDocument(groups, answer.n_nodes, freshness_document(freshness))


def components_document(answer: GroupsAnswer, entities: Entities, freshness: Freshness) -> ComponentsDocument:
    groups = [ComponentDocument(_members(group, entities)) for group in answer.groups]
    return ComponentsDocument(groups, answer.n_nodes, freshness_document(freshness))


def _members(group: NodeGroup, entities: Entities) -> list[GroupNodeDocument]:
    return [GroupNodeDocument(_entity_or_null(node, entities), node.path, node.is_test) for node in group.nodes]


def rank_document(ranked: Iterable[RankedNode], entities: Entities, freshness: Freshness) -> RankDocument:
    results = [
        RankedDocument(_entity_or_null(one.node, entities), one.node.path, one.node.is_test, one.score, one.n_users)
        for one in ranked
    ]
    return RankDocument(results, freshness_document(freshness))


def unused_document(answer: UnusedAnswer, entities: Entities, freshness: Freshness) -> UnusedDocument:
    results = [_unused_definition(one, entities) for one in answer.unused]
    return UnusedDocument(results, answer.n_definitions, answer.is_in_time, freshness_document(freshness))


def _unused_definition(one: UnusedDefinition, entities: Entities) -> UnusedDefinitionDocument:
    entity = _entity_or_null(one.node, entities)
    assert entity is not None, "only definitions are candidates"
    return UnusedDefinitionDocument(entity, one.n_inside, one.is_explained, [_doubt(found) for found in one.doubts])


def _doubt(found: DoubtSite) -> DoubtDocument:
    site = SiteDocument(found.path, found.line) if found.path is not None and found.line is not None else None
    return DoubtDocument(found.doubt, site, found.detail or None)


def _entity_or_null(node: GraphNode, entities: Entities) -> EntityDocument | None:
    indexed = entities.get(node.entity.identity) if node.entity is not None else None
    return indexed_entity_document(indexed) if indexed is not None else None
