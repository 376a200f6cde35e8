"""Explain why a REF names nothing in a repository: the one place that suggests what may have been meant.

Suggestions compare a word with all names or paths, which takes a moment: this is asked for only when an error is
about to be shown.
"""

from __future__ import annotations

import posixpath

from birthmark.app.workspace.repository import OpenRepository
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.extraction.state import RepositoryState, is_source_path
from birthmark.queries import missing
from birthmark.queries.ref_forms import LinesRef, MarkRef, NamedRef, NameRef, Ref, path_from

_NOT_INDEXED = "name it as path::name or path:first-last, or run `birthmark index` first"


def explain_missing(repository: OpenRepository, state: RepositoryState, ref: Ref, text: str) -> BirthmarkError:
    """A path in the REF is one of the repository; `text` is as it was given."""
    if not text.strip():
        return NotFoundError(missing.EMPTY)
    match ref:
        case LinesRef(path) | NamedRef(path) if isinstance(ref, LinesRef) or is_path(path):
            return missing.not_an_entity(state, path) or _no_such_file(repository, state, path)
        case NamedRef() | NameRef():
            return _no_such_name(repository, state, text)
        case MarkRef(mark) if repository.store is not None:
            marks = (one.mark for one in repository.store.all_entities(_snapshot(repository)))
            return missing.no_such_mark(mark, marks, may_be_former=may_be_former(repository))
        case _ if repository.store is not None:
            return missing.no_such_id(text, may_be_former=may_be_former(repository))
    return BirthmarkError(f"{text}: {_NOT_INDEXED}")


def may_be_former(repository: OpenRepository) -> bool:
    """Whether a history could be replayed, and none was."""
    store = repository.store
    return store is not None and repository.workspace.has_git and not store.replayed_commits()


def is_path(text: str) -> bool:
    return "/" in text or ("." in text and is_source_path(text))


def _no_such_name(repository: OpenRepository, state: RepositoryState, text: str) -> BirthmarkError:
    """A text without colons may be a path."""
    path = _path(repository, text)
    found = missing.not_an_entity(state, path) if path is not None else None
    if found is not None:
        return found
    if path is not None and is_path(text):
        return _no_such_file(repository, state, path)
    if repository.store is None:
        return BirthmarkError(f"{text}: {_NOT_INDEXED}")
    names = repository.store.names(_snapshot(repository))
    return missing.no_such_name(text, names, may_be_former=may_be_former(repository))


def _no_such_file(repository: OpenRepository, state: RepositoryState, path: str) -> NotFoundError:
    """Paths are from the current folder, so that they can be asked for as they are."""
    folder = repository.workspace.current_folder
    path, *known = (posixpath.relpath(one, folder or ".") for one in (path, *state.paths()))
    return missing.no_such_file(path, missing.title_of(state), known, may_be_former=may_be_former(repository))


def _path(repository: OpenRepository, text: str) -> str | None:
    try:
        return path_from(repository.workspace.current_folder, text)
    except BirthmarkError:
        return None


def _snapshot(repository: OpenRepository) -> int:
    assert repository.store is not None
    snapshot = repository.store.snapshot(repository.workspace.worktree)
    return snapshot.snapshot if snapshot is not None else 0
