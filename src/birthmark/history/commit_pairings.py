"""Find an entity in a parent of a commit, from the pairing of the whole commit.

Takes a HistorySource; gives a ParentLink. Each commit is paired once. The whole pairing is not needed where its result
is certain:

- the file has the same blob in the parent;
- the entity's text is in both states of its file once, in the same container, and so is that of a heavy entity: the
  first pass pairs the same content in the same scope, and where a heavy one stays, its file keeps its path;
- the pair is one of `comparison/certain_pairs.py`, which gives the reasons;
- the parent has none of the sources that the commit changed: then all of them came with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from birthmark.comparison.certain_pairs import CertainPair, CertainPairs, OtherWords, Words
from birthmark.comparison.changes import find_changes, find_link_changes, package_of
from birthmark.comparison.pair_commit import CommitPairing, pair_commit
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.history.lineage import (
    EntityAtCommit,
    HistorySource,
    ParentLink,
    entity_at_commit,
    find_ordinal,
    find_verbatim,
)
from birthmark.matching.model import CONFIDENCE
from birthmark.matching.passes.same_place import ELSEWHERE
from birthmark.vocabulary import HistoryChange

_KEPT = 512  # pairings
_SETS = 3  # of contents: those before and after a commit, and all of them
_MOST_ALIKE = 8  # files of one name that are gone

PathAndBlob = tuple[str, str]


WalkedLink = ParentLink[EntityAtCommit]


class PairedCommit(NamedTuple):
    """The files that a commit changed, their blobs in the parent, and the pairing of their entities."""

    old: list[OutlinedFile]
    new: list[OutlinedFile]
    old_blobs: dict[str, str]
    pairing: CommitPairing


# Where a merge leaves an entity unchanged, its history goes on in all parents of which that is known at once, as in
# `ledger.merge`; so what `in_scope` adds is part of what the whole pairing says.
FindPair = Callable[[CertainPairs, int, OtherWords], CertainPair | None]


class CommitPairings:
    """Pairings of the commits of one repository, each made on demand."""

    def __init__(self, repository: HistorySource) -> None:
        self.repository = repository
        self.whole = lru_cache(_KEPT)(self._pair)
        self._certain_pairs = lru_cache(_KEPT)(self._compare)
        self._renamed_from = lru_cache(_KEPT)(self._find_renamed)
        self._other_words = lru_cache(_KEPT)(self._read_other_words)
        self.state = lru_cache(_KEPT)(self._state)
        self._contents = lru_cache(_SETS)(
            lambda files: list(repository.contents([(blob, path) for path, blob in files]))
        )

    def forget(self) -> None:
        """Free cached pairings at once, without waiting for the garbage collector."""
        for cached in (self.whole, self._certain_pairs, self._renamed_from, self._other_words, self.state):
            cached.cache_clear()
        self._contents.cache_clear()

    def link(self, entity: EntityAtCommit, parent: str) -> WalkedLink | None:
        """Return the entity in a parent of its commit; None if the parent does not have it."""
        return self.certain_link(entity, parent) or self.whole_link(entity, parent)

    def certain_link(self, entity: EntityAtCommit, parent: str) -> WalkedLink | None:
        """Return the link that the whole pairing would surely give, if it is known at once."""
        blob = self.repository.blob(parent, entity.path)
        if blob is not None and blob == entity.blob:
            return ParentLink(entity._replace(commit=parent), ())
        start = find_verbatim(self.repository, entity, blob) if blob is not None else None
        if blob is not None and start is not None:
            return ParentLink(entity._replace(commit=parent, blob=blob, start=start), ())
        return self._link_in_file(entity, parent, CertainPairs.at_once)

    def _state(self, path: str, blob: str) -> OutlinedFile | None:
        return next(iter(self._states([(path, blob)])), None)

    def _link_in_file(self, entity: EntityAtCommit, parent: str, find: FindPair) -> WalkedLink | None:
        old_file = self._old_file(entity, parent)
        if old_file is None:
            return None
        self._extract([old_file, (entity.path, entity.blob)])
        old, new = self.state(*old_file), self.state(entity.path, entity.blob)
        index = find_ordinal(new.outline, entity) if new is not None else None
        if old is None or new is None or index is None:
            return None
        pairs = self._certain_pairs(*old_file, entity.path, entity.blob)
        words = self._other_words(parent, entity.commit, (old.path, entity.path))
        keeps_path = pairs.keeps_path or (find is CertainPairs.in_scope and pairs.surely_keeps_path(words))
        if old.path == new.path and not keeps_path:
            return None
        before, evidence = find(pairs, index, words) or (None, None)
        changes = _find_certain_changes(pairs, before, index, find, words) if before is not None else None
        if before is None or evidence is None or changes is None:
            return None
        evidence = ELSEWHERE.get(evidence, evidence) if old.path != new.path else evidence
        old_entity = entity_at_commit(self.repository, parent, *old_file, old.outline, before)
        return ParentLink(old_entity, tuple(changes), str(evidence), str(CONFIDENCE[evidence]))

    def _old_file(self, entity: EntityAtCommit, parent: str) -> PathAndBlob | None:
        """Return the file in the parent that the entity's file surely was."""
        blob = self.repository.blob(parent, entity.path)
        if blob is not None:
            return entity.path, blob
        return self._renamed_from(parent, entity.commit, entity.path, entity.blob)

    def _find_renamed(self, parent: str, commit: str, path: str, blob: str) -> PathAndBlob | None:
        """Return the file that a new file surely was: a file that is gone with the same name or content."""
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
            if pairs.is_renamed(self._other_words(parent, commit, (file.path, path))):
                return file.path, old_blob
        return None

    def whole_link(self, entity: EntityAtCommit, parent: str) -> WalkedLink | None:
        """Return the link of the whole pairing, which is made only if no rule is certain of it."""
        return self._link_in_file(entity, parent, CertainPairs.in_scope) or self._paired_link(entity, parent)

    def _paired_link(self, entity: EntityAtCommit, parent: str) -> WalkedLink | None:
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
        new = self._sources((file.path, file.new_blob) for file in changed) if old else []
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

    def _read_other_words(self, parent: str, commit: str, paths: tuple[str, str]) -> OtherWords:
        changed = [file for file in self.repository.changed(parent, commit) if file.path not in paths]
        old = tuple(self._sources((file.path, file.old_blob) for file in changed))
        new = tuple(self._sources((file.path, file.new_blob) for file in changed))
        ever = tuple(dict.fromkeys((*old, *new)))
        return OtherWords(*(partial(self._have_words, files) for files in (old, new, ever)))

    def _sources(self, files: Iterable[tuple[str, str | None]]) -> list[PathAndBlob]:
        """Return the existing files in a supported language."""
        return [(path, blob) for path, blob in files if blob is not None and self.repository.language_of(path, blob)]

    def _have_words(self, files: tuple[PathAndBlob, ...], words: Words) -> bool:
        """Return True if one of some files has all the words."""
        having = self._contents(files)
        for word in words:
            having = [content for content in having if word in content]
            if not having:
                return False
        return bool(having)

    def _extract(self, files: Sequence[PathAndBlob]) -> None:
        """Extract files together, on all cores."""
        self.repository.outlines([(blob, path) for path, blob in files])

    def _states(self, files: Sequence[PathAndBlob]) -> list[OutlinedFile]:
        outlines = self.repository.outlines([(blob, path) for path, blob in files])
        return [
            OutlinedFile(path, outline, lambda blob=blob: self.repository.content(blob))  # type: ignore[misc]
            for (path, blob), outline in zip(files, outlines, strict=True)
            if outline is not None
        ]


def _find_certain_changes(
    pairs: CertainPairs, before: int, after: int, find: FindPair, words: OtherWords
) -> list[HistoryChange] | None:
    """Return the changes; None if only the whole pairing tells if an entity moved with its container."""
    old, new = OutlinedEntity(pairs.old_file, before), OutlinedEntity(pairs.new_file, after)
    changes = find_changes(old, new)
    packages = [package_of(one.file.source(), new.entity.language) for one in (old, new)]
    if old.file.path == new.file.path and packages[0] == packages[1]:
        return changes
    if new.entity.container >= 0:
        container = find(pairs, new.entity.container, words)
        has_container = container is not None and container[0] == old.entity.container
    else:
        has_container = old.entity.container < 0 and (old.entity.parent, new.entity.parent) == (None, None)
    return [HistoryChange.CONTAINER, *changes] if has_container else None
