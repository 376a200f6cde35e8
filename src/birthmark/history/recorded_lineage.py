"""The Lineage that a replay recorded; git is read for newer commits only.

Takes the pairings of a repository, the store, and the commits that were not replayed yet; gives a Lineage that equals
the walked one, event by event. The links of a replayed commit with one parent are records of the pairing by which
identities were assigned (`ledger/version_links.py`). A merge is paired with each parent, and its history goes on in the
parents that have an entity unchanged; if that is not certain at once (`ledger/merge.py`), in a file that differs from
those of all parents, the merge is walked when a history passes it.

Histories that were not recorded, or are read differently now, raise NotRecordedError and have to be walked:

- commits of a shallow clone, or that were replayed before there were records;
- a file that could not be read in some commit, or whose language or extractor was another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from birthmark.extraction.model import Outline, OutlinedEntity, OutlinedFile
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.copies import find_copies
from birthmark.history.follow import WalkedLineage, likelihood
from birthmark.history.lineage import (
    DerivationSource,
    EntityAtCommit,
    Gap,
    NotRecordedError,
    ParentLink,
    Step,
    entity_at_commit,
)
from birthmark.history.recorded_path import NewCommits, RecordedGraph, RecordedPath, blob_of, is_walked
from birthmark.ledger.version_links import EntityRecord, LinkRecord, SourceRecord
from birthmark.model import DerivationEnd, Location, Span
from birthmark.sources.git.log import Touches
from birthmark.store.model import REPLAY, Event, PathState
from birthmark.store.port import LedgerStore
from birthmark.vocabulary import Change, Confidence, DerivationEvidence, DerivationKind, HistoryChange

_PATHS = 256  # whose states are held


class RecordedEntity(NamedTuple):
    """An entity at a commit by its identity in a version of its file, with its location if a record has it."""

    commit: str
    path: str
    identity: int
    version: int
    place: Location | None = None

    @property
    def key(self) -> tuple[str, str, int]:
        return self.commit, self.path, self.identity


AnyEntity = RecordedEntity | EntityAtCommit


class RecordedLineage:
    """The Lineage of a replayed repository, up to some newer commits."""

    def __init__(self, pairings: CommitPairings, store: LedgerStore, extractor: str, new: NewCommits) -> None:
        self.repository, self.store, self.extractor = pairings.repository, store, extractor
        self.walked = WalkedLineage(pairings)
        self.graph = RecordedGraph(store, new)
        self.path = lru_cache(_PATHS)(self._read_path)
        self._outline = lru_cache(_PATHS)(self._read_outline)
        self._touches = lru_cache(_PATHS)(lambda commit, path: self.path(path).touches(commit))

    def _read_path(self, path: str) -> RecordedPath:
        found, language = RecordedPath(self.graph, path), self.repository.language_of(path)
        versions = [state for state in found.by_commit.values() if state.version is not None]
        if any((state.language, state.extractor) != (language, self.extractor) for state in versions):
            raise NotRecordedError
        return found

    def start(self, commit: str, path: str, blob: str, outline: Outline, ordinal: int) -> AnyEntity:
        if commit in self.graph.new:
            return entity_at_commit(self.repository, commit, path, blob, outline, ordinal)
        return self._entity(commit, path, blob, ordinal)

    def _entity(self, commit: str, path: str, blob: str, ordinal: int) -> RecordedEntity:
        """Return the entity of a file at a replayed commit that has this blob."""
        state = self.path(path).state_at(commit)
        if state is None or state.version is None or blob_of(state) != blob:
            raise NotRecordedError
        return RecordedEntity(commit, path, state.identities[ordinal], state.version)

    def prefetch(self, commit: str, path: str) -> None:
        """Do nothing: nothing has to be extracted."""

    def touches(self, commit: str, path: str) -> Touches:
        return self._touches(commit, path)

    def parents(self, commit: str) -> tuple[str, ...]:
        return self.graph.parents(commit)

    def links(self, entity: AnyEntity) -> Sequence[ParentLink[AnyEntity]]:
        if isinstance(entity, EntityAtCommit):
            return [ParentLink(link.entity, *link[1:]) for link in self.walked.links(entity)]
        state = self.path(entity.path).by_commit[entity.commit]
        record, parents = None if is_walked(state) else self._record(entity), self.parents(entity.commit)
        if is_walked(state) or (record is not None and record.links is None):
            return [self._identified_link(link) for link in self.walked.links(self._at_merge(entity, state))]
        if record is not None and record.links is not None:
            return [self._link(entity, parents[one.parent], one) for one in record.links]
        return [ParentLink(self._unchanged(entity, number, parent), ()) for number, parent in enumerate(parents)]

    def _at_merge(self, entity: RecordedEntity, state: PathState) -> EntityAtCommit:
        outline, _ = self._outline(entity.path, state.content.hex())
        ordinal = state.identities.index(entity.identity)
        return self.walked.start(entity.commit, entity.path, state.content.hex(), outline, ordinal)

    def _identified_link(self, link: ParentLink[EntityAtCommit]) -> ParentLink[AnyEntity]:
        old = self.identify(link.entity, link.entity.commit)
        return ParentLink(old._replace(place=self._place(link.entity)), *link[1:])

    def _link(self, entity: RecordedEntity, parent: str, one: LinkRecord) -> ParentLink[AnyEntity]:
        place = one.place.location(entity.path)
        if place.path == entity.path:
            old = self._unchanged(entity, one.parent, parent)._replace(identity=one.identity, place=place)
        else:
            old = self._recorded(parent, place, one.identity)
        return ParentLink(old, tuple(map(HistoryChange, one.changes)), one.evidence, one.confidence)

    def _unchanged(self, entity: RecordedEntity, number: int, parent: str) -> RecordedEntity:
        """Return the same identity in the same file of a parent."""
        path = self.path(entity.path)
        state = path.state_before(path.by_commit[entity.commit], number)
        assert state is not None, "what has no predecessor is recorded"
        assert state.version is not None, "what has no predecessor is recorded"
        return RecordedEntity(parent, entity.path, entity.identity, state.version)

    def _recorded(self, commit: str, place: Location, identity: int) -> RecordedEntity:
        """Return the entity that a record names in a parent."""
        state = self.path(place.path).state_at(commit)
        if state is None or state.version is None:
            raise NotRecordedError
        return RecordedEntity(commit, place.path, identity, state.version, place)

    def _record(self, entity: RecordedEntity) -> EntityRecord | None:
        path = self.path(entity.path)
        return path.records(path.by_commit[entity.commit]).get(entity.identity)

    def gap(self, entity: AnyEntity) -> Gap[AnyEntity] | None:
        if isinstance(entity, EntityAtCommit):
            found = self.walked.gap(entity)
            return found and self._identified_gap(found)
        run = self.graph.node(entity.commit).run
        events = [one for one in self.store.events_of([entity.identity]) if one.run <= run]
        if not events or (events[-1].run, events[-1].change) != (run, Change.REVIVED):
            return None
        parent = next(iter(self.parents(entity.commit)))
        deletion = next((one for one in reversed(events) if one.change == Change.DELETED), None)
        gap = self.gap_after(deletion, of_all=True) if deletion is not None else None
        if gap is None or gap.deletion not in self.touches(parent, gap.entity.path):
            return None
        return Gap(gap.deletion, gap.entity)

    def _identified_gap(self, found: Gap[EntityAtCommit]) -> Gap[AnyEntity]:
        old = found.entity
        if old.commit in self.graph.new:
            return Gap(found.deletion, old)
        return Gap(found.deletion, self.identify(old, old.commit)._replace(place=self._place(old)))

    def gap_after(self, deletion: Event, *, of_all: bool = False) -> Gap[RecordedEntity] | None:
        """Return the deletion by a replayed commit, and the entity in the first parent that has it.

        With `of_all`, a merge counts only if all its parents have the entity.
        """
        run = self.store.runs([deletion.run])[deletion.run]
        if run.worktree != REPLAY or run.revision is None:
            return None
        place = Location(deletion.path, deletion.qualified_name, deletion.start_line, deletion.end_line)
        found = [self.find(deletion.identity, deletion.path, parent) for parent in self.parents(run.revision)]
        entity = next(filter(None, found), None)
        if entity is None or (of_all and not all(found)):
            return None
        return Gap(run.revision, entity._replace(place=place))

    def find(self, identity: int, path: str, commit: str) -> RecordedEntity | None:
        """Return the entity that an identity has in a file at a replayed commit."""
        state = self.path(path).state_at(commit)
        if state is None or state.version is None or identity not in state.identities:
            return None
        return RecordedEntity(commit, path, identity, state.version)

    def location(self, entity: AnyEntity) -> Location:
        if isinstance(entity, EntityAtCommit):
            return self.walked.location(entity)
        if entity.place is not None:
            return entity.place
        state = self.path(entity.path).by_commit[entity.commit]
        if is_walked(state):
            return self._place(self._at_merge(entity, state))
        record = self._record(entity)
        assert record is not None, "what has changed is recorded"
        return record.place.location(entity.path)

    def at(self, entity: AnyEntity, commit: str) -> AnyEntity:
        if isinstance(entity, EntityAtCommit):
            return self.walked.at(entity, commit) if commit in self.graph.new else self.identify(entity, commit)
        if commit == entity.commit:
            return entity
        path = self.path(entity.path)
        state = path.by_commit[commit]
        if state.version == entity.version:
            return RecordedEntity(commit, entity.path, entity.identity, entity.version)
        # A merge has the file of another parent, and may have given its entities other identities.
        if state.version is None:
            raise NotRecordedError
        ordinal = path.identities[entity.version].index(entity.identity)
        return RecordedEntity(commit, entity.path, state.identities[ordinal], state.version)

    def identify(self, entity: EntityAtCommit, commit: str) -> RecordedEntity:
        """Return an entity at a replayed commit in which its file is the same."""
        return self._entity(commit, entity.path, entity.blob, self._ordinal(entity))

    def _place(self, entity: EntityAtCommit) -> Location:
        """Return the place of an entity in the file at its own commit."""
        outline, _ = self._outline(entity.path, entity.blob)
        return OutlinedEntity(OutlinedFile(entity.path, outline, bytes), self._ordinal(entity)).location

    def _ordinal(self, entity: EntityAtCommit) -> int:
        """Return the ordinal of an entity; of several that share a declaration, the one of its name."""
        outline, spans = self._outline(entity.path, entity.blob)
        found = spans.get((entity.start, entity.start + len(entity.text)), [])
        if not found:
            raise NotRecordedError
        return next((ordinal for ordinal in found if outline.entities[ordinal].name == entity.name), found[0])

    def _read_outline(self, path: str, blob: str) -> tuple[Outline, dict[Span, list[int]]]:
        """Return an outline with its ordinals by span."""
        outline = self.repository.outlines([(blob, path)])[0]
        if outline is None:
            raise NotRecordedError
        spans: dict[Span, list[int]] = {}
        for ordinal, entity in enumerate(outline.entities):
            spans.setdefault((entity.lead_start, entity.end_byte), []).append(ordinal)
        return outline, spans

    def sources(self, step: Step) -> Sequence[DerivationSource[AnyEntity]]:
        if HistoryChange.INTRODUCED not in step.changes or step.parent is None:
            return []
        state = self.path(step.after.path).by_commit.get(step.commit)
        records = self._introduced(step, state) if state is not None and len(state.node.parents) == 1 else [None]
        recorded = [record.sources for record in records if record is not None and record.sources is not None]
        if len(recorded) < len(records):
            return [self._walked_source(one) for one in self.walked.sources(step)]
        found = [one for sources in recorded for one in sources]
        if not found:  # A replay records sources in the files of the commit alone.
            return [self._walked_source(one) for one in find_copies(self.walked.pairings, step)]
        found.sort(key=lambda one: likelihood(one.kind, one.share, one.place.path or step.after.path))
        return [self._source(step, one) for one in found]

    def _introduced(self, step: Step, state: PathState) -> Sequence[EntityRecord | None]:
        records = self.path(step.after.path).records(state).values()
        return [one for one in records if one.links == () and one.place.location(step.after.path) == step.after]

    def _source(self, step: Step, one: SourceRecord) -> DerivationSource[AnyEntity]:
        assert step.parent is not None
        place = one.place.location(step.after.path)
        kind, evidence, confidence = (
            DerivationKind(one.kind),
            DerivationEvidence(one.evidence),
            Confidence(one.confidence),
        )
        shares = one.share, one.source_share
        end = DerivationEnd(place, kind, *shares, evidence, confidence, commit=step.commit, by_commit=True)
        return DerivationSource(end, self._recorded(step.parent, place, one.identity))

    def _walked_source(self, found: DerivationSource[EntityAtCommit]) -> DerivationSource[AnyEntity]:
        return DerivationSource(found.end, self.at(found.entity, found.entity.commit))
