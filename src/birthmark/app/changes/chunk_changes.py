"""Follow every chunk since a revision, for stores that keep data by chunk uid.

Files that are equal in both states are read only if kept chunks are requested.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from birthmark.app.answers.files import is_below
from birthmark.app.changes.diffing import content_ids, identities_in
from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.chunks import ChunkChange, compare_chunks
from birthmark.comparison.pair_commit import pair_commit
from birthmark.errors import NotFoundError
from birthmark.extraction.model import ChunkedFile, EntityRef, OutlinedFile
from birthmark.extraction.placement import place_outline
from birthmark.extraction.state import RepositoryState, is_same_file
from birthmark.model import Problem
from birthmark.vocabulary import ChunkState
from birthmark.words import did_you_mean

ORDER = (ChunkState.CHANGED, ChunkState.ADDED, ChunkState.REKEYED, ChunkState.GONE, ChunkState.KEPT)
EMBEDDED_AGAIN = frozenset({ChunkState.CHANGED, ChunkState.ADDED})


class ChunkRef(NamedTuple):
    """A chunk of a file, by its number in it."""

    file: ChunkedFile
    ordinal: int


class FollowedChunk(NamedTuple):
    """A chunk before and after a change."""

    change: ChunkState
    before: ChunkRef | None
    after: ChunkRef | None

    @property
    def current(self) -> ChunkRef:
        """The chunk as it is now, or its last state if it is gone."""
        chunk = self.after or self.before
        assert chunk is not None
        return chunk


class ChunkChanges(NamedTuple):
    """Changes of chunks between two states, starting with those to embed again."""

    base: str
    target: str
    changes: list[FollowedChunk]
    counts: dict[str, int]
    n_equal_files: int
    problems: list[Problem]


def chunks_since(
    repository: OpenRepository, revision: str, path: str | None = None, *, with_kept: bool = False
) -> ChunkChanges:
    """Return the changes of chunks in all files, or of chunks that are or were in one file or folder."""
    path = None if path is None or posixpath.normpath(path) == "." else posixpath.normpath(path)
    old_state, new_state = repository.revision(revision), repository.worktree()
    differing = _differing(old_state, new_state)
    asked = _asked({*old_state.paths(), *new_state.paths()}, path)
    paths = {*differing, *asked} if with_kept else differing
    old = old_state.load(paths.intersection(old_state.paths()))
    new = new_state.load(paths.intersection(new_state.paths()))
    ids = content_ids(old_state, old), content_ids(new_state, new)
    identities = identities_in(repository, old), identities_in(repository, new)
    pairing = pair_commit(old, new, repository.family_of, identities, ids)
    changes = compare_chunks(_placed(old), _placed(new), pairing.successors)
    followed = _follow(changes, _chunked(repository, old), _chunked(repository, new))
    chosen = sorted((one for one in followed if _concerns(one, path)), key=lambda one: ORDER.index(one.change))
    counts = Counter(one.change for one in chosen)
    return ChunkChanges(
        old_state.name,
        new_state.name,
        [one for one in chosen if with_kept or one.change is not ChunkState.KEPT],
        {str(state): counts[state] for state in ORDER},
        sum(one not in differing for one in asked),
        repository.problems,
    )


def _differing(old: RepositoryState, new: RepositoryState) -> set[str]:
    return {path for path in {*old.paths(), *new.paths()} if _is_different(path, old, new)}


def _is_different(path: str, old: RepositoryState, new: RepositoryState) -> bool:
    return not is_same_file(path, old, new) and not (old.leaves_out(path) or new.leaves_out(path))


def _asked(paths: set[str], path: str | None) -> list[str]:
    found = [one for one in paths if _is_asked(one, path)]
    if path is not None and not found:
        near = did_you_mean(path, paths) or "; name a file or a folder"
        raise NotFoundError(f"{path}: no source file is there, neither now nor at that revision{near}")
    return found


def _is_asked(path: str, asked: str | None) -> bool:
    return asked is None or path == asked or is_below(path, asked)


def _concerns(followed: FollowedChunk, path: str | None) -> bool:
    return any(_is_asked(chunk.file.path, path) for chunk in (followed.before, followed.after) if chunk is not None)


def _placed(files: Sequence[OutlinedFile]) -> list[OutlinedFile]:
    return [file._replace(outline=place_outline(file.outline, file.path)) for file in files]


def _chunked(repository: OpenRepository, files: Sequence[OutlinedFile]) -> list[ChunkedFile]:
    """Return files with their chunks, and with the marks of entities if the content was ever indexed."""
    identities = identities_in(repository, files)
    known = repository.store.identities(set(identities.values())) if repository.store is not None else []
    marks = {found.identity: found.mark for found in known}
    chunked = []
    for f, file in enumerate(_placed(files)):
        refs = [(f, e) for e in range(len(file.outline.entities))]
        known_marks = tuple([marks[identities[ref]] for ref in refs if ref in identities])
        is_known = len(known_marks) == len(refs)
        chunked.append(ChunkedFile(file.path, file.outline, cache(file.source), known_marks if is_known else None))
    return chunked


def _follow(
    changes: Collection[ChunkChange], old: Sequence[ChunkedFile], new: Sequence[ChunkedFile]
) -> list[FollowedChunk]:
    return [FollowedChunk(change.change, _ref(old, change.before), _ref(new, change.after)) for change in changes]


def _ref(files: Sequence[ChunkedFile], ref: EntityRef | None) -> ChunkRef | None:
    return None if ref is None else ChunkRef(files[ref[0]], ref[1])
