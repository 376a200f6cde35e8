"""Blame the definitions of a file or folder, at any revision; with or without an index.

Takes a file or folder; gives a document of each definition, and holds no more than one file's past.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from pathlib import Path

from birthmark.app.histories.histories import HistoryEvent
from birthmark.app.histories.lineages import read_lineage
from birthmark.app.workspace.repository import OpenRepository
from birthmark.app.workspace.states import CommitState
from birthmark.app.workspace.workspace import name_path
from birthmark.documents.changes import BlameDocument, LastChangeDocument, PastEntityDocument
from birthmark.documents.document import make
from birthmark.documents.parts import commit_document, extended_commit_document
from birthmark.errors import BirthmarkError
from birthmark.extraction.model import Outline
from birthmark.history.follow import blame_entities
from birthmark.model import Level
from birthmark.queries.missing import no_such_file, title_of
from birthmark.queries.ref import source_file


def read_blames(repository: OpenRepository, name: str, revision: str) -> Iterator[BlameDocument]:
    """Yield what last changed and introduced each entity of a file or folder; paths are relative to the root."""
    commit, name = repository.revision(revision), posixpath.normpath(name)
    if commit.entry(name) is not None:
        return _read_blame(repository, commit, name, source_file(commit, name, Level.ENTITIES).outline)
    prefix = "" if name == "." else f"{name}/"
    paths = sorted(path for path in commit.paths() if path.startswith(prefix))
    if not paths:
        raise no_such_file(name, title_of(commit), commit.paths())
    return _read_folder(repository, commit, paths)


def _read_folder(repository: OpenRepository, commit: CommitState, paths: list[str]) -> Iterator[BlameDocument]:
    """Files that cannot be read are left out, and are among the problems."""
    for path in paths:
        outline = repository.outlines([(commit.content_id(path) or "", path)])[0]
        if outline is not None and outline.entities:
            yield from _read_blame(repository, commit, path, outline)
            repository.kept_contents.clear()  # Another file has another past.


def _read_blame(
    repository: OpenRepository, commit: CommitState, path: str, outline: Outline
) -> Iterator[BlameDocument]:
    blob = commit.content_id(path) or ""
    blamed = read_lineage(
        repository, commit.commit, lambda lineage: blame_entities(lineage, commit.commit, path, blob, outline)
    )
    for ordinal, last, introduced in blamed:
        first = HistoryEvent(introduced, repository.commit(introduced.commit))
        yield BlameDocument(
            make(PastEntityDocument, outline.entities[ordinal], path=path, commit=commit.commit),
            extended_commit_document(LastChangeDocument, repository.commit(last.commit), changes=last.changes),
            commit_document(first.commit),
            first.is_boundary,
        )


def name_in_repository(repository: OpenRepository, file: Path) -> str:
    """A file as the repository names it, wherever we are in it."""
    try:
        return name_path(Path(os.path.normpath(Path(file).absolute())).relative_to(repository.workspace.root))
    except ValueError:
        raise BirthmarkError(f"{file}: is not in {repository.workspace.root}; name a file of the repository") from None
