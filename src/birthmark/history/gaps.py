"""Find the deletion that an entity came back from.

Takes the pairings of a repository and an entity that its commit introduced; gives a Gap, or None. An entity comes back
under its name in its file, or with its content from a file that was deleted in one of the last commits. A replay knows
all deletions, however long ago (`ledger/revival.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from birthmark.comparison.match_candidates import WEIGHTY
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.history.commit_pairings import CommitPairings
from birthmark.history.lineage import EntityAtCommit, Gap, entity_at_commit, find_ordinal

_MOST_COMMITS = 20  # in which deleted files are looked for

WalkedGap = Gap[EntityAtCommit]


def find_gap(pairings: CommitPairings, entity: EntityAtCommit) -> WalkedGap | None:
    """Return the deletion of an entity that has no predecessor in the parents of its commit."""
    parent = next(iter(pairings.repository.parents(entity.commit)), None)
    returned = _returned(pairings, entity)
    if parent is None or returned is None:
        return None
    return _gap_in_file(pairings, returned, parent) or _gap_elsewhere(pairings, returned, parent)


def _returned(pairings: CommitPairings, entity: EntityAtCommit) -> OutlinedEntity | None:
    file = pairings.state(entity.path, entity.blob)
    ordinal = find_ordinal(file.outline, entity) if file is not None else None
    return OutlinedEntity(file, ordinal) if file is not None and ordinal is not None else None


def _gap_in_file(pairings: CommitPairings, entity: OutlinedEntity, parent: str) -> WalkedGap | None:
    """Look for the name in the states of the file before the commit, the newest first."""
    path, repository = entity.file.path, pairings.repository
    for number, touch in enumerate(repository.touches(parent, path)):
        if number == 0 and _named(pairings, entity, repository.blob(touch, path)) is not None:
            return None  # It is still there: something else has the name now.
        parents = repository.parents(touch)
        blobs = [repository.blob(one, path) for one in parents]
        olds = [_named(pairings, entity, blob) for blob in blobs]
        if olds and olds[0] is not None and all(olds):  # Of a merge, another side has deleted it otherwise.
            return _gap(pairings, touch, parents[0], olds[0], blobs[0])
    return None


def _named(pairings: CommitPairings, entity: OutlinedEntity, blob: str | None) -> OutlinedEntity | None:
    """Return the entity of the same name and kind in a state of the file; of several, the one of the same content."""
    name = entity.entity.name.encode("utf-8", "surrogateescape")
    if blob is None or name not in pairings.repository.content(blob):
        return None
    file = pairings.state(entity.file.path, blob)
    found = [
        one for one in (file.outlined if file is not None else ()) if _semantic_name(one) == _semantic_name(entity)
    ]
    same = [one for one in found if one.fingerprint.content == entity.fingerprint.content]
    return next(iter(same if len(same) == 1 else found if len(found) == 1 else []), None)


def _semantic_name(entity: OutlinedEntity) -> tuple[str, str]:
    return entity.entity.kind, entity.entity.qualified_name


def _gap_elsewhere(pairings: CommitPairings, entity: OutlinedEntity, parent: str) -> WalkedGap | None:
    """Look for the content in files that one of the last commits deleted.

    A light entity is only looked for in the one that most heavy entities of its file come from.
    """
    repository = pairings.repository
    family = repository.family_of(entity.entity.language)
    for commit, before in _first_parents(pairings, parent):
        deleted = [*_deleted_files(pairings, commit, before, family)]
        if entity.weight < WEIGHTY:
            deleted.sort(key=lambda file: -_n_common(entity.file, file[0]))
            deleted = [file for file in deleted[:1] if _n_common(entity.file, file[0])]
        for file, blob in deleted:
            old = next((one for one in file.outlined if one.fingerprint.content == entity.fingerprint.content), None)
            if old is not None:
                return _gap(pairings, commit, before, old, blob)
    return None


def _n_common(new: OutlinedFile, old: OutlinedFile) -> int:
    contents = {one.fingerprint.content for one in old.outlined}
    return sum(1 for one in new.outlined if one.weight >= WEIGHTY and one.fingerprint.content in contents)


def _first_parents(pairings: CommitPairings, commit: str) -> Iterator[tuple[str, str]]:
    for _ in range(_MOST_COMMITS):
        parent = next(iter(pairings.repository.parents(commit)), None)
        if parent is None:
            return
        yield commit, parent
        commit = parent


def _deleted_files(
    pairings: CommitPairings, commit: str, parent: str, family: str
) -> Iterator[tuple[OutlinedFile, str]]:
    """Yield the files of a language that a commit deleted, as they were, with their blobs."""
    repository = pairings.repository
    for changed in repository.changed(parent, commit):
        path, blob = changed.path, changed.old_blob
        language = repository.language_of(path, blob) if blob is not None and changed.new_blob is None else None
        if blob is not None and language is not None and repository.family_of(language) == family:
            file = pairings.state(path, blob)
            if file is not None:
                yield file, blob


def _gap(
    pairings: CommitPairings, deletion: str, parent: str, old: OutlinedEntity, blob: str | None
) -> WalkedGap | None:
    """Return the gap if no entity of the commit is the successor of the old one."""
    if blob is None:
        return None
    commit = pairings.whole(parent, deletion)
    number = next((number for number, file in enumerate(commit.old) if file.path == old.file.path), None)
    if number is None or (number, old.ordinal) in commit.pairing.successors:
        return None
    entity = entity_at_commit(pairings.repository, parent, old.file.path, blob, old.file.outline, old.ordinal)
    return Gap(deletion, entity)
