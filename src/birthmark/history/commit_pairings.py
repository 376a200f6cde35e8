"""What an entity was in a parent of a commit, from the pairing of all that the commit changed.

Takes a HistorySource; gives a ParentLink. Each commit is paired once. The pairing of
the whole commit is not needed where it would surely say the same:

- the file has the same blob in the parent;
- the entity's text is in both states of its file once, in the same container, and so is that of a heavy entity: the
  first pass pairs what has the same content in the same scope, and where a heavy one stays, its file keeps its path;
- the pair is one of `comparison.certain_pairs`, which gives the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from birthmark.comparison.certain_pairs import CertainPairs, HasWords, Words
from birthmark.comparison.declaration_changes import find_changes
from birthmark.comparison.link_changes import find_link_changes, package_of
from birthmark.comparison.pair_commit import CommitPairing, pair_commit
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.history.entity_at_commit import (
    EntityAtCommit,
    HistorySource,
    entity_at_commit,
    find_ordinal,
    find_verbatim,
)
from birthmark.history.lineage import ParentLink
from birthmark.matching.model import CONFIDENCE
from birthmark.matching.passes.same_place import ELSEWHERE
from birthmark.vocabulary import HistoryChange

_KEPT = 512  # pairings
_SETS = 2  # of contents: those before and after a commit
_MOST_ALIKE = 8  # files of one name that are gone

PathAndBlob = tuple[str, str]


WalkedLink = ParentLink[EntityAtCommit]


class PairedCommit(NamedTuple):
    """The files that a commit changed, their blobs in the parent, and the pairing of what they define."""

    old: list[OutlinedFile]
    new: list[OutlinedFile]
    old_blobs: dict[str, str]
    pairing: CommitPairing


class CommitPairings:
    """Pairings of the commits of one repository, each made when it is first needed."""

    def __init__(self, repository: HistorySource) -> None:
        self.repository = repository
        self.whole = lru_cache(_KEPT)(self._pair)
        self._certain_pairs = lru_cache(_KEPT)(self._compare)
        self._renamed_from = lru_cache(_KEPT)(self._find_renamed)
        self._other_words = lru_cache(_KEPT)(self._read_other_words)
        self.state = lru_cache(_KEPT)(self._state)
        self._contents = lru_cache(_SETS)(lambda blobs: list(repository.contents(blobs)))

    def link(self, entity: EntityAtCommit, parent: str) -> WalkedLink | None:
        """The entity in a parent of its commit; None if that does not have it."""
        return self.certain_link(entity, parent) or self.whole_link(entity, parent)

    def certain_link(self, entity: EntityAtCommit, parent: str) -> WalkedLink | None:
        """What the whole pairing would surely say; None where only that can say it."""
        blob = self.repository.blob(parent, entity.path)
        if blob is None:
            old_file = self._renamed_from(parent, entity.commit, entity.path, entity.blob)
            return self._link_in_file(entity, parent, *old_file) if old_file is not None else None
        if blob == entity.blob:
            return ParentLink(entity._replace(commit=parent), ())
        start = find_verbatim(self.repository, entity, blob)
        if start is not None:
            return ParentLink(entity._replace(commit=parent, blob=blob, start=start), ())
        return self._link_in_file(entity, parent, entity.path, blob)

    def _state(self, path: str, blob: str) -> OutlinedFile | None:
        return next(iter(self._states([(path, blob)])), None)

    def _link_in_file(self, entity: EntityAtCommit, parent: str, old_path: str, blob: str) -> WalkedLink | None:
        self._extract([(old_path, blob), (entity.path, entity.blob)])
        old, new = self.state(old_path, blob), self.state(entity.path, entity.blob)
        index = find_ordinal(new.outline, entity) if new is not None else None
        if old is None or new is None or index is None:
            return None
        pairs = self._certain_pairs(old_path, blob, entity.path, entity.blob)
        if old_path == entity.path and not pairs.keeps_path:
            return None
        words = self._other_words(parent, entity.commit, (old_path, entity.path))
        before = self._certain_predecessor(pairs, index, words)
        changes = self._certain_changes(old, new, pairs, before, index, words) if before is not None else None
        if before is None or changes is None:
            return None
        evidence = pairs.evidence(before, index)
        if old_path != entity.path:
            evidence = ELSEWHERE.get(evidence, evidence)
        old_entity = entity_at_commit(self.repository, parent, old_path, blob, old.outline, before)
        return ParentLink(old_entity, tuple(changes), str(evidence), str(CONFIDENCE[evidence]))

    def _certain_predecessor(self, pairs: CertainPairs, index: int, words: tuple[HasWords, HasWords]) -> int | None:
        before = pairs.unchanged(index)
        return before if before is not None else pairs.named(index, *words)

    def _certain_changes(
        self,
        old: OutlinedFile,
        new: OutlinedFile,
        pairs: CertainPairs,
        before: int,
        after: int,
        words: tuple[HasWords, HasWords],
    ) -> list[HistoryChange] | None:
        """None where only the whole pairing says whether an entity has moved with its container."""
        changes = find_changes(OutlinedEntity(old, before), OutlinedEntity(new, after))
        old_entity, new_entity = old.outline.entities[before], new.outline.entities[after]
        packages = [package_of(file.source(), new_entity.language) for file in (old, new)]
        if old.path == new.path and packages[0] == packages[1]:
            return changes
        if new_entity.container >= 0:
            has_container = self._certain_predecessor(pairs, new_entity.container, words) == old_entity.container
        else:
            has_container = old_entity.container < 0 and (old_entity.parent, new_entity.parent) == (None, None)
        return [HistoryChange.CONTAINER, *changes] if has_container else None

    def _find_renamed(self, parent: str, commit: str, path: str, blob: str) -> PathAndBlob | None:
        """The file that surely was this one, which is new: among those that are gone, one of its name or content."""
        gone = [file for file in self.repository.changed(parent, commit) if file.old_blob and not file.new_blob]
        name = path.rpartition("/")[2]
        like = [file for file in gone if file.old_blob == blob or file.path.rpartition("/")[2] == name]
        like.sort(key=lambda file: file.old_blob != blob)
        for file in like[:_MOST_ALIKE] if self.repository.language_of(path, blob) else ():
            old_blob = file.old_blob or ""
            self._extract([(file.path, old_blob), (path, blob)])
            if self.state(file.path, old_blob) is None or self.state(path, blob) is None:
                continue
            pairs = self._certain_pairs(file.path, old_blob, path, blob)
            if pairs.is_renamed(*self._other_words(parent, commit, (file.path, path))):
                return file.path, old_blob
        return None

    def whole_link(self, entity: EntityAtCommit, parent: str) -> WalkedLink | None:
        commit = self.whole(parent, entity.commit)
        f = next((f for f, file in enumerate(commit.new) if file.path == entity.path), None)
        index = find_ordinal(commit.new[f].outline, entity) if f is not None else None
        predecessor = commit.pairing.predecessors.get((f, index)) if f is not None and index is not None else None
        if f is None or index is None or predecessor is None:
            return None
        old, before = commit.old[predecessor.ref[0]], predecessor.ref[1]
        old_entity = entity_at_commit(
            self.repository, parent, old.path, commit.old_blobs[old.path], old.outline, before
        )
        changes = find_link_changes(commit.old, commit.new, commit.pairing, predecessor.ref, (f, index))
        return ParentLink(old_entity, tuple(changes), predecessor.evidence, predecessor.confidence)

    def _pair(self, parent: str, commit: str) -> PairedCommit:
        changed = self.repository.changed(parent, commit)
        old = self._sources((file.path, file.old_blob) for file in changed)
        new = self._sources((file.path, file.new_blob) for file in changed)
        self._extract([*old, *new])
        old_files, new_files = self._states(old), self._states(new)
        blobs = dict(old), dict(new)
        ids = {file.path: blobs[0][file.path] for file in old_files}, {f.path: blobs[1][f.path] for f in new_files}
        pairing = pair_commit(old_files, new_files, self.repository.family_of, ids=ids)
        return PairedCommit(old_files, new_files, ids[0], pairing)

    def _compare(self, old_path: str, old_blob: str, new_path: str, new_blob: str) -> CertainPairs:
        old, new = self.state(old_path, old_blob), self.state(new_path, new_blob)
        assert old is not None
        assert new is not None
        return CertainPairs(old, new, self.repository.family_of)

    def _read_other_words(self, parent: str, commit: str, paths: tuple[str, str]) -> tuple[HasWords, HasWords]:
        """Of the other files that a commit changed, before and after."""
        changed = [file for file in self.repository.changed(parent, commit) if file.path not in paths]
        old = tuple(blob for _, blob in self._sources((file.path, file.old_blob) for file in changed))
        new = tuple(blob for _, blob in self._sources((file.path, file.new_blob) for file in changed))
        return partial(self._have_words, old), partial(self._have_words, new)

    def _sources(self, files: Iterable[tuple[str, str | None]]) -> list[PathAndBlob]:
        """Those that are there, and in a language of ours."""
        return [(path, blob) for path, blob in files if blob is not None and self.repository.language_of(path, blob)]

    def _have_words(self, blobs: tuple[str, ...], words: Words) -> bool:
        """Whether one of some files has them all."""
        having = self._contents(blobs)
        for word in words:
            having = [content for content in having if word in content]
            if not having:
                return False
        return bool(having)

    def _extract(self, files: Sequence[PathAndBlob]) -> None:
        """Together they are extracted on all cores; then each is at hand."""
        self.repository.outlines([(blob, path) for path, blob in files])

    def _states(self, files: Sequence[PathAndBlob]) -> list[OutlinedFile]:
        outlines = self.repository.outlines([(blob, path) for path, blob in files])
        return [
            OutlinedFile(path, outline, lambda blob=blob: self.repository.content(blob))  # type: ignore[misc]
            for (path, blob), outline in zip(files, outlines, strict=True)
            if outline is not None
        ]
