"""Record what merges did to the entities of files that differ from those of all parents.

Takes a walked and a recorded Lineage, and the files of merges; gives the EntityRecords of their versions. A merge is
paired with each parent, and which parents have an entity unchanged decides where its history goes on; so what a walk
finds there is kept as it is. Such files are few: about one for six merges.
"""

from __future__ import annotations

from collections.abc import Iterable

from birthmark.history.entity_at_commit import EntityAtCommit
from birthmark.history.lineage import ParentLink
from birthmark.history.recorded_lineage import RecordedLineage
from birthmark.history.recorded_path import NotRecordedError
from birthmark.ledger.version_links import EntityRecord, LinkRecord, encode_records, place_record


def link_merges(lineage: RecordedLineage, merged: Iterable[tuple[str, str]]) -> dict[int, bytes]:
    """Of merges and paths; the records by version, but for those that have them. What cannot be read is walked."""
    found: dict[int, bytes] = {}
    for commit, path in merged:
        try:
            state = lineage.path(path).by_commit.get(commit)
            if state is not None and state.version is not None and state.links is None:
                found[state.version] = encode_records(_records(lineage, commit, path, state.content.hex()))
        except NotRecordedError:
            continue
    return found


def _records(lineage: RecordedLineage, commit: str, path: str, blob: str) -> list[EntityRecord]:
    outline = lineage.repository.outlines([(blob, path)])[0]
    if outline is None:
        raise NotRecordedError
    entities = [lineage.walked.start(commit, path, blob, outline, e) for e in range(len(outline.entities))]
    found = [_record(lineage, entity) for entity in entities]
    return [record for record in found if record is not None]


def _record(lineage: RecordedLineage, entity: EntityAtCommit) -> EntityRecord | None:
    """None for what is in all parents, at the same path, unchanged."""
    identity, parents = lineage.identify(entity, entity.commit).identity, lineage.parents(entity.commit)
    place = place_record(lineage.place(entity), entity.path)
    try:
        links = tuple(_link(lineage, entity, parents, link) for link in lineage.walked.links(entity))
    except NotRecordedError:
        return EntityRecord(identity, place, None, None)
    is_same = all((link.identity, link.place.path, link.changes) == (identity, None, ()) for link in links)
    if is_same and [link.parent for link in links] == list(range(len(parents))):
        return None
    return EntityRecord(identity, place, links, None)


def _link(
    lineage: RecordedLineage, entity: EntityAtCommit, parents: tuple[str, ...], link: ParentLink[EntityAtCommit]
) -> LinkRecord:
    old = link.entity
    place, identity = place_record(lineage.place(old), entity.path), lineage.identify(old, old.commit).identity
    words = tuple(map(str, link.changes))
    return LinkRecord(parents.index(old.commit), identity, place, words, link.evidence, link.confidence)
