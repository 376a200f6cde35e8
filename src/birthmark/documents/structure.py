"""Documents of answers about the code as a whole: modules and hotspots."""

from __future__ import annotations

from typing import Annotated

from birthmark.app.answers.uses.hotspots import FoundHotspot, Hotspots
from birthmark.app.workspace.freshness import Freshness
from birthmark.documents.answers import SiteDocument
from birthmark.documents.commits import ByCommit
from birthmark.documents.definitions import EntityDocument, indexed_entity_document
from birthmark.documents.document import Document, PagedDocument, doc, make
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.queries.module_map import CodeModule, ModuleMap, ModuleUse


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


def modules_document(found: ModuleMap, freshness: Freshness) -> ModulesDocument:
    return ModulesDocument(
        [_module_document(module) for module in found.modules],
        [_use_document(use) for use in found.uses],
        found.cycles,
        max((module.layer for module in found.modules), default=-1) + 1,
        freshness_document(freshness),
    )


def _module_document(module: CodeModule) -> ModuleDocument:
    return make(
        ModuleDocument,
        module,
        files=module.n_files,
        entities=module.n_entities,
        inside_uses=module.n_inside,
        outgoing_uses=module.n_outgoing,
        incoming_uses=module.n_incoming,
        used_modules=module.n_used,
        user_modules=module.n_users,
    )


def _use_document(use: ModuleUse) -> ModuleUseDocument:
    return make(
        ModuleUseDocument,
        use,
        uses=use.n_uses,
        resolutions={str(resolution): number for resolution, number in use.resolutions.items()},
        site=SiteDocument(use.path, use.line),
        closing=use.is_closing,
    )


def hotspots_document(hotspots: Hotspots, freshness: Freshness) -> HotspotsDocument:
    return HotspotsDocument(
        [_hotspot_document(one) for one in hotspots.found],
        hotspots.n_found,
        hotspots.n_searched,
        hotspots.is_replayed,
        hotspots.n_commits,
        hotspots.n_runs,
        freshness_document(freshness),
    )


def _hotspot_document(one: FoundHotspot) -> HotspotDocument:
    return HotspotDocument(
        indexed_entity_document(one.indexed),
        one.hotspot.score,
        one.hotspot.n_changes,
        one.hotspot.n_lines,
        one.hotspot.n_users,
        one.last.revision,
        one.last.at,
        one.is_replayed,
    )
