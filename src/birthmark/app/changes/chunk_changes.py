"""Follow every chunk since a revision, for stores that keep data by chunk uid.

Files that are equal in both states are read only if kept chunks are requested.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from birthmark.app.answers.files import is_below
from birthmark.app.changes.diffing import content_ids, identities_in
from birthmark.app.workspace.repository import OpenRepository
from birthmark.comparison.chunks import ChunkChange, compare_chunks
from birthmark.comparison.pair_commit import pair_commit
from birthmark.documents.definitions import ChunkChangeDocument, ChunkChangesDocument, chunk_document
from birthmark.documents.document import ProblemDocument, make
from birthmark.errors import NotFoundError
from birthmark.extraction.model import ChunkedFile, OutlinedFile
from birthmark.extraction.placement import place_outline
from birthmark.extraction.state import RepositoryState, is_same_file
from birthmark.vocabulary import ChunkState
from birthmark.words import did_you_mean

ORDER = (ChunkState.CHANGED, ChunkState.ADDED, ChunkState.REKEYED, ChunkState.GONE, ChunkState.KEPT)


BothFiles = tuple[Sequence[ChunkedFile], Sequence[ChunkedFile]]  # before and after


def chunks_since(
    repository: OpenRepository,
    revision: str,
    path: str | None = None,
    *,
    with_kept: bool = False,
    with_text: bool = True,
) -> tuple[Iterator[ChunkChangeDocument], ChunkChangesDocument]:
    """Return the changes of chunks in all files, or of chunks that are or were in one file or folder.

    They are given one by one, because those of a page may be few of them; the document has none.
    """
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
    files = _chunked(repository, old), _chunked(repository, new)
    chosen = sorted((one for one in changes if _concerns(one, path, files)), key=lambda one: ORDER.index(one.change))
    counts = Counter(one.change for one in chosen)
    document = ChunkChangesDocument(
        old_state.name,
        new_state.name,
        {str(state): counts[state] for state in ORDER},
        sum(one not in differing for one in asked),
        [],
        [make(ProblemDocument, one) for one in repository.problems],
    )
    listed = (one for one in chosen if with_kept or one.change is not ChunkState.KEPT)
    return (_change_document(one, files, with_text) for one in listed), document


def _change_document(change: ChunkChange, files: BothFiles, with_text: bool) -> ChunkChangeDocument:
    refs = zip(files, (change.before, change.after), strict=True)
    return ChunkChangeDocument(
        change.change,
        *(None if ref is None else chunk_document(side[ref[0]], ref[1], with_text=with_text) for side, ref in refs),
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


def _concerns(change: ChunkChange, path: str | None, files: BothFiles) -> bool:
    refs = zip(files, (change.before, change.after), strict=True)
    return any(_is_asked(side[ref[0]].path, path) for side, ref in refs if ref is not None)


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
