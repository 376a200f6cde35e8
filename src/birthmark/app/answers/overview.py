"""Give an overview of the index: what a folder consists of, and what happened last.

A file changed as often as its path had another version after the first: in commits that were replayed, else in runs of
the index. Events are grouped by the runs and commits in which they happened, the newest first.
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from birthmark.app.answers.resolving import read_commits
from birthmark.app.workspace.session import Session
from birthmark.errors import NotFoundError
from birthmark.queries.life import LedgerEvent, read_lives
from birthmark.sources.git.log import Commit
from birthmark.store.model import REPLAY, FileSummary, Identity, Run
from birthmark.words import did_you_mean

_MOST_OPENED = 3  # times as many entries as are wanted, when folders are opened


class FolderEntry(NamedTuple):
    """A folder or file, and what is counted of all files in it."""

    path: str
    is_folder: bool
    language: str | None  # of a file
    n_files: int
    n_entities: int
    n_bytes: int
    n_changes: int
    last: Run | None  # in which one of them changed; None of an empty index

    @property
    def is_replayed(self) -> bool:
        """Return whether the last run replayed a commit."""
        return self.last is not None and self.last.worktree == REPLAY


class LanguageShare(NamedTuple):
    """Counts of one language."""

    language: str
    n_files: int
    n_entities: int
    n_bytes: int


class FileTree(NamedTuple):
    """A folder, what is in it, and in which languages all that is below it is; the largest first."""

    folder: FolderEntry
    children: list[FolderEntry]
    languages: list[LanguageShare]
    is_replayed: bool  # whether the history was


def read_tree(session: Session, path: str = "", least: int = 0) -> FileTree:
    """Return the tree of a folder; with fewer than `least` children, the largest ones are replaced by their content."""
    name = posixpath.normpath(path) if path else "."
    folder = "" if name == "." else name
    files = session.store.summarize_files(session.view.number, folder)
    if not files and folder:
        near = did_you_mean(folder, _folders(session))
        raise NotFoundError(f"{path}: is no folder of the index{near or '; it has files of known languages only'}")
    runs = session.store.runs({file.run for file in files})
    opened = _open_folders(_by_child(files, folder), least)
    children = [_entry(path, in_it, runs) for path, in_it in opened.items()]
    languages = [_share(language, in_it) for language, in_it in _by_language(files).items()]
    return FileTree(
        _folder(folder, files, runs),
        sorted(children, key=lambda one: (-one.n_bytes, one.path)),
        sorted(languages, key=lambda one: (-one.n_bytes, one.language)),
        session.store.has_commits(),
    )


def _folders(session: Session) -> list[str]:
    paths = session.view.paths()
    return sorted({path[:at] for path in paths for at, character in enumerate(path) if character == "/"})


def _by_child(files: Sequence[FileSummary], folder: str) -> dict[str, list[FileSummary]]:
    start = len(folder) + 1 if folder else 0
    children: dict[str, list[FileSummary]] = {}
    for file in files:
        end = file.path.find("/", start)
        children.setdefault(file.path if end < 0 else file.path[:end], []).append(file)
    return children


def _open_folders(children: dict[str, list[FileSummary]], least: int) -> dict[str, list[FileSummary]]:
    """Replace the largest folders by their content, unless that would add too many entries."""
    closed = {path: sum(file.n_bytes for file in files) for path, files in children.items() if files[0].path != path}
    while len(children) < least and closed:
        largest = max(closed, key=lambda path: (closed[path], path))
        del closed[largest]
        inside = _by_child(children[largest], largest)
        if len(children) + len(inside) > _MOST_OPENED * least:
            continue
        children = {path: files for path, files in children.items() if path != largest} | inside
        closed |= {path: sum(file.n_bytes for file in files) for path, files in inside.items() if files[0].path != path}
    return children


def _by_language(files: Sequence[FileSummary]) -> dict[str, list[FileSummary]]:
    languages: dict[str, list[FileSummary]] = {}
    for file in files:
        languages.setdefault(file.language, []).append(file)
    return languages


def _entry(path: str, files: Sequence[FileSummary], runs: dict[int, Run]) -> FolderEntry:
    """A file is the only one that has its own path."""
    if files[0].path != path:
        return _folder(path, files, runs)
    return _folder(path, files, runs)._replace(is_folder=False, language=files[0].language)


def _folder(path: str, files: Sequence[FileSummary], runs: dict[int, Run]) -> FolderEntry:
    return FolderEntry(
        path,
        True,
        None,
        len(files),
        sum(file.n_entities for file in files),
        sum(file.n_bytes for file in files),
        sum(file.n_versions - 1 for file in files),
        max((runs[file.run] for file in files), key=lambda run: (run.at, run.run), default=None),
    )


def _share(language: str, files: Sequence[FileSummary]) -> LanguageShare:
    return LanguageShare(
        language, len(files), sum(file.n_entities for file in files), sum(file.n_bytes for file in files)
    )


class RunEvents(NamedTuple):
    """A run of the index or a replayed commit, and what happened in it; not all of it if it is not whole."""

    run: Run
    commit: Commit | None  # None without git, and where the clone does not have it
    events: list[tuple[Identity, LedgerEvent]]
    is_whole: bool

    @property
    def is_replayed(self) -> bool:
        return self.run.worktree == REPLAY


def read_latest(session: Session, limit: int) -> list[RunEvents]:
    """Return the latest events by run, for at most `limit` identities; the last run may be incomplete."""
    changes = session.store.latest_changes(limit + 1)
    lives = read_lives(session.view, {identity for _, identity in changes[:limit]})
    runs = session.store.runs({run for run, _ in changes})
    found = [
        (run, (lives[identity].identity, event))
        for run, identity in changes[:limit]
        for event in lives[identity].events
        if event.event.run == run
    ]
    commit_of = session.repository.commit if session.workspace.has_git else None
    commits = read_commits(commit_of, [event for _, (_, event) in found])
    unfinished = changes[limit][0] if len(changes) > limit else None
    return [
        RunEvents(runs[run], commits.get(runs[run].revision or ""), [one for _, one in group], run != unfinished)
        for run, group in groupby(found, key=itemgetter(0))
    ]
