"""Check the invariants of an index, and compare two indexes.

Findings are sentences; an empty list means that the index is sound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from birthmark.extraction.codec import references_by_name, unpack_outline
from birthmark.extraction.placement import place_outline
from birthmark.graph.resolve import Resolver
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.store.port import Store

_SHOWN = 20  # of a kind

Row = tuple[object, ...]


def check_snapshot(store: Store, snapshot: int) -> list[str]:
    """Check that ids are unique, names have their identities, and rows belong to something in their file."""
    findings: list[str] = []
    rows = list(store.all_entities(snapshot))
    for name, ids in (
        ("mark", Counter(row.mark for row in rows)),
        ("key", Counter(row.key for row in rows)),
        ("place", Counter((row.version, row.ordinal) for row in rows)),
    ):
        findings += [f"{count} entities share the {name} {id_}" for id_, count in ids.items() if count > 1][:_SHOWN]
    owners = {row.text: row.identity for row in store.keys_of({row.identity for row in rows})}
    findings += [f"{row.key} is not the key of {row.mark}" for row in rows if owners.get(row.key) != row.identity]
    return findings + list(_check_files(store, snapshot, Counter(row.version for row in rows)))


def _check_files(store: Store, snapshot: int, n_entities: Counter[int]) -> Iterator[str]:
    files = {path: row.version for path, row in store.files(snapshot).items() if row.version is not None}
    versions = store.versions(list(files.values()))
    semantic_ids: Counter[str] = Counter()
    for path, number in files.items():
        version = versions[number]
        packed = dict(store.outlines([version.extraction])).get(version.extraction)
        if packed is None:
            yield f"{path}: what was extracted from it is missing"
            continue
        outline = place_outline(unpack_outline(packed), path)
        semantic_ids.update(outline.semantic_ids)
        if not len(outline.entities) == len(version.identities) == n_entities[number]:
            yield f"{path}: has {len(outline.entities)} entities, but {n_entities[number]} are indexed"
        if (*store.named_references(number),) != references_by_name(outline.references):
            yield f"{path}: the names in its references are not those that are indexed"
        if any(reference.entity >= len(outline.entities) for reference in outline.references):
            yield f"{path}: a reference is in an entity that is not there"
    yield from [f"{count} entities share the id {id_}" for id_, count in semantic_ids.items() if count > 1][:_SHOWN]


def compare_snapshots(store: Store, snapshot: int, other_store: Store, other: int) -> list[str]:
    """Return the differences of two indexes of the same files, row by row; identities are not compared."""
    findings: list[str] = []
    for table, rows in _SHARED.items():
        ours, theirs = Counter(rows(store, snapshot)), Counter(rows(other_store, other))
        findings += [f"{table}: only in the index: {row}" for row in (ours - theirs)][:_SHOWN]
        findings += [f"{table}: only in a rebuild: {row}" for row in (theirs - ours)][:_SHOWN]
    return findings


def compare_edges(
    graph: SnapshotGraph, other: SnapshotGraph, resolver_of: Callable[[SnapshotGraph], Resolver]
) -> list[str]:
    """Return edges of two indexes that lead elsewhere. Both directions follow from the ends of references."""
    ours, theirs = (Counter(_resolved_rows(side, resolver_of(side))) for side in (graph, other))
    findings = [f"edges: only in the index: {row}" for row in (ours - theirs)][:_SHOWN]
    return findings + [f"edges: only in a rebuild: {row}" for row in (theirs - ours)][:_SHOWN]


def _resolved_rows(graph: SnapshotGraph, resolver: Resolver) -> Iterator[Row]:
    for path in sorted(graph.paths()):
        for language, source, reference in graph.references_in(path):
            resolved = resolver.resolve(path, language, source, reference)
            targets = tuple((target.path, target.qualified_name, target.start_line) for target in resolved.targets)
            yield path, reference.line, reference.edge, reference.name, str(resolved.resolution), targets, resolved.path


def _file_rows(store: Store, snapshot: int) -> Iterator[Row]:
    for path, row in store.files(snapshot).items():
        yield path, row.content.hex(), row.language, row.version is not None


def _entity_rows(store: Store, snapshot: int) -> Iterator[Row]:
    for row in store.all_entities(snapshot):
        yield (
            row.path,
            row.ordinal,
            row.semantic_path,
            row.kind,
            row.qualified_name,
            row.content_hash,
            row.start_line,
            row.end_line,
        )


def _outline_rows(store: Store, snapshot: int) -> Iterator[Row]:
    """Yield chunks, semantic ids, fingerprints and references."""
    files = {row.version: path for path, row in store.files(snapshot).items() if row.version is not None}
    for version in store.versions(list(files)).values():
        for _, packed in store.outlines([version.extraction]):
            outline = unpack_outline(packed)
            names = outline.semantic_ids, outline.fingerprints, outline.chunk_uids
            yield version.path, *names, outline.chunks, outline.references


def _name_rows(store: Store, snapshot: int) -> Iterator[Row]:
    for path, row in store.files(snapshot).items():
        yield from (
            (path, *count) for count in (store.named_references(row.version) if row.version is not None else ())
        )


_SHARED = {"files": _file_rows, "entities": _entity_rows, "outlines": _outline_rows, "names": _name_rows}
