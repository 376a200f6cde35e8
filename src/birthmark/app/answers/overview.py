"""Give an overview of the index: what a folder consists of, and what happened last.

A file changed as often as its path had another version after the first: in commits that were replayed, else in runs of
the index. Events are grouped by the runs and commits in which they happened, the newest first.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from birthmark.app.answers.resolving import read_commits
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.answers import event_document
from birthmark.documents.listings import (
    LanguageShareDocument,
    LatestDocument,
    LatestEventDocument,
    LatestRunDocument,
    TreeDocument,
    TreeEntryDocument,
)
from birthmark.errors import NotFoundError
from birthmark.queries.life import read_lives
from birthmark.sources.git.log import Commit
from birthmark.store.model import REPLAY, FileSummary, Run
from birthmark.words import did_you_mean

_MOST_OPENED = 3  # times as many entries as are wanted, when folders are opened


def read_tree(session: Session, path: str = "", least: int = 0) -> TreeDocument:
    """Return the tree of a folder; with fewer than `least` children, the largest ones are replaced by their content."""
    name = posixpath.normpath(path) if path else "."
    folder = "" if name == "." else name
    files = session.store.summarize_files(session.view.number, folder)
    if not files and folder:
        near = did_you_mean(folder, _folders(session))
        raise NotFoundError(f"{path}: is no folder of the index{near or '; it has files of known languages only'}")
    runs = session.store.runs({file.run for file in files})
    opened = _open_folders(_by_child(files, folder), least)
    children = [_entry(path, folder, in_it, runs) for path, in_it in opened.items()]
    whole = _entry(folder, posixpath.dirname(folder), files, runs)
    languages = [_share(language, in_it, whole.bytes) for language, in_it in _by_language(files).items()]
    return TreeDocument(
        whole,
        sorted(children, key=lambda one: (-one.bytes, one.path)),
        sorted(languages, key=lambda one: (-one.bytes, one.language)),
        session.store.has_commits(),
        freshness_document(session.freshness),
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


def _entry(path: str, around: str, files: Sequence[FileSummary], runs: dict[int, Run]) -> TreeEntryDocument:
    """A file is the only one that has its own path; others are folders. It is named from the folder around on."""
    is_file = bool(files) and files[0].path == path
    last = max((runs[file.run] for file in files), key=lambda run: (run.at, run.run), default=None)
    return TreeEntryDocument(
        path,
        path[len(around) + 1 :] if around else path,
        not is_file,
        files[0].language if is_file else None,
        len(files),
        sum(file.n_entities for file in files),
        sum(file.n_bytes for file in files),
        sum(file.n_versions - 1 for file in files),
        last.at if last is not None else None,
        last.revision if last is not None else None,
        last is not None and last.worktree == REPLAY,
    )


def _share(language: str, files: Sequence[FileSummary], n_bytes: int) -> LanguageShareDocument:
    n_own = sum(file.n_bytes for file in files)
    of_all = round(n_own / n_bytes, 4) if n_bytes else 0.0
    return LanguageShareDocument(language, len(files), sum(file.n_entities for file in files), n_own, of_all)


def read_latest(session: Session, limit: int) -> LatestDocument:
    """Return the latest events by run, for at most `limit` identities; the last run may be incomplete."""
    changes = session.store.latest_changes(limit + 1)
    lives = read_lives(session.view, {identity for _, identity in changes[:limit]})
    runs = session.store.runs({run for run, _ in changes})
    found = [
        (run, lives[identity].identity, event)
        for run, identity in changes[:limit]
        for event in lives[identity].events
        if event.event.run == run
    ]
    commit_of = session.repository.commit if session.workspace.has_git else None
    commits = read_commits(commit_of, [event for _, _, event in found])
    unfinished = changes[limit][0] if len(changes) > limit else None
    documents = [
        _run_document(
            runs[run],
            [LatestEventDocument(one.mark, one.key, event_document(event, commits)) for _, one, event in group],
            commits,
            run != unfinished,
        )
        for run, group in groupby(found, key=itemgetter(0))
    ]
    return LatestDocument(documents, freshness_document(session.freshness))


def _run_document(
    run: Run, events: list[LatestEventDocument], commits: Mapping[str, Commit], is_whole: bool
) -> LatestRunDocument:
    commit = commits.get(run.revision or "")
    return LatestRunDocument(
        run.revision,
        run.worktree == REPLAY,
        commit.subject if commit is not None else None,
        commit.author if commit is not None else None,
        run.branch,
        run.at,
        dict(Counter(str(one.event.change) for one in events).most_common()),
        events,
        is_whole,
    )
