"""Documents of answers about the whole graph: cycles, components, rank, unused code, modules, hotspots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from birthmark.documents.definitions import EntityDocument
from birthmark.documents.document import Document, PagedDocument, doc
from birthmark.documents.index import FreshnessDocument
from birthmark.documents.parts import ByCommit, SiteDocument
from birthmark.documents.uses import (
    InTime,
    IsTest,
    TopLevel,
    UseDocument,
)
from birthmark.vocabulary import UnusedDoubt

if TYPE_CHECKING:
    pass


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
    found: Annotated[int, doc("how many groups there are, with those beyond the page")]
    connected: Annotated[int, doc("how many definitions or files are in groups, with those beyond the page")]
    freshness: FreshnessDocument


class ComponentDocument(Document, frozen=True):
    """Things that are connected by uses."""

    nodes: Annotated[list[GroupNodeDocument], doc("by path and line")]


class ComponentsDocument(PagedDocument, frozen=True):
    """Groups between which there is no use."""

    groups: Annotated[list[ComponentDocument], doc("the largest first; what is connected with nothing is in none")]
    searched: Annotated[int, doc("among how many definitions or files")]
    found: Annotated[int, doc("how many groups there are, with those beyond the page")]
    connected: Annotated[int, doc("how many definitions or files are in groups, with those beyond the page")]
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
    found: Annotated[int, doc("how many there are, with those beyond the page")]
    freshness: FreshnessDocument


class DoubtDocument(Document, frozen=True):
    """A reason to assume that something without known users is used."""

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
    found: Annotated[int, doc("how many there are, with those beyond the page")]
    left_out: Annotated[
        dict[UnusedDoubt, int], doc("without `--all`, how many likely used ones are left out, by the strongest doubt")
    ]
    in_time: InTime
    freshness: FreshnessDocument


class ModuleDocument(Document, frozen=True):
    """A folder or a file, and how it is coupled with others."""

    name: Annotated[str, doc("the path of the folder or file, `.` for the root")]
    layer: Annotated[int, doc("0 uses no other module; every use leads to a lower layer, but those of a cycle")]
    cycle: Annotated[int | None, doc("the number of the cycle that it is part of, from 1")]
    level: Annotated[int, doc("within a cycle: every use leads to a lower level, but those that close it; else 0")]
    files: int
    entities: int
    inside_uses: Annotated[int, doc("uses whose ends are both in it")]
    outgoing_uses: Annotated[int, doc("uses of other modules by it")]
    incoming_uses: Annotated[int, doc("uses of it by other modules")]
    used_modules: Annotated[int, doc("how many others it uses")]
    user_modules: Annotated[int, doc("how many others use it")]
    cohesion: Annotated[float | None, doc("of the uses in it, the share that stays inside: 0 to 1; null without uses")]
    instability: Annotated[
        float | None, doc("used modules by used and user modules: 0 is only used, 1 only uses; null without either")
    ]


class ModuleUseDocument(Document, frozen=True):
    """All uses of one module by another."""

    user: str
    used: str
    uses: int
    resolutions: Annotated[
        dict[str, int], doc("how many of them were found how, by the words of `resolution` in an `EdgeDocument`")
    ]
    site: Annotated[SiteDocument, doc("of the first one")]
    cycle: Annotated[int | None, doc("the number of the cycle that it is part of")]
    closing: Annotated[bool, doc("whether there would be no cycle without this and others marked so")]


class ModulesDocument(PagedDocument, frozen=True):
    """Modules, and their uses of each other."""

    modules: Annotated[list[ModuleDocument], doc("from the highest layer to the lowest")]
    uses: Annotated[list[ModuleUseDocument], doc("the most frequent first")]
    cycles: Annotated[list[tuple[str, ...]], doc("modules that use each other, directly or around")]
    layers: Annotated[int, doc("how many there are")]
    freshness: FreshnessDocument


class HotspotDocument(Document, frozen=True):
    """A definition that changes often, is long and has many users."""

    entity: EntityDocument
    score: Annotated[int, doc("changes * lines * (users + 1)")]
    changes: Annotated[int, doc("commits that changed its code; runs of the index where history was not replayed")]
    lines: int
    users: Annotated[int, doc("definitions and top levels of files that use it")]
    last_revision: Annotated[str | None, doc("that of the last change")]
    last_at: Annotated[int, doc("of the last change, in Unix seconds")]
    by_commit: ByCommit


class HotspotsDocument(PagedDocument, frozen=True):
    """Hotspots, and what is known of changes."""

    results: Annotated[list[HotspotDocument], doc("the hottest first")]
    total: Annotated[int, doc("definitions that changed, with those that are not listed")]
    searched_entities: Annotated[int, doc("definitions with code of their own: types count by their members")]
    history_replayed: Annotated[bool, doc("else runs of the index are counted, not commits")]
    replayed_commits: Annotated[int, doc("after `since`")]
    runs: Annotated[int, doc("of the index, other than replayed commits, that found changes after `since`")]
    freshness: FreshnessDocument
