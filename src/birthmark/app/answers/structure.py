"""Find how folders or files use each other, and which definitions change often and have many users.

Reads the network of the index, and the ledger for changes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from birthmark.app.answers.listing import find_paths, select_paths
from birthmark.app.answers.source_files import count_users
from birthmark.app.histories.filters import later_commits
from birthmark.app.workspace.session import Session
from birthmark.errors import BirthmarkError
from birthmark.graph.network import Node
from birthmark.queries.hotspots import Hotspot, find_changes, find_hotspots, without_containers
from birthmark.queries.module_map import FileUse, ModuleMap, folder_of, map_modules
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.sources.git.revisions import is_date, parse_date
from birthmark.store.model import REPLAY, Run, SnapshotEntity


def choose_depth(session: Session, path: str | None, most: int, *, with_all: bool = False) -> int:
    """Return how many levels of folders below a path are at most so many modules; one at least."""
    below = _folder(session, path)
    paths = select_paths(session, [path] if path else [], with_all=with_all)
    depths = range(1, max((path.count("/") for path in paths), default=1) + 1)
    fitting = [depth for depth in depths if len({folder_of(path, below, depth) for path in paths}) <= most]
    return max(fitting, default=1)


def find_modules(
    session: Session,
    path: str | None = None,
    depth: int | None = None,
    *,
    by_file: bool = False,
    with_all: bool = False,
) -> ModuleMap:
    """Return the modules below a path: folders, cut after so many levels from the path on, or files.

    Tests, documentation and generated files are left out, unless all are asked for.
    """
    paths = select_paths(session, [path] if path else [], with_all=with_all)
    below = _folder(session, path)
    entities = list(session.store.all_entities(session.view.number))
    files = dict.fromkeys(paths, 0)
    for shown in entities:
        if shown.path in files:
            files[shown.path] += 1
    return map_modules(
        files,
        _file_uses(session, entities),
        (lambda path: path) if by_file else (lambda path: folder_of(path, below, depth)),
    )


def _folder(session: Session, path: str | None) -> str:
    """The folder from which levels are counted: that of a file, where a file is named."""
    name = posixpath.normpath(path or ".")
    if name == ".":
        return ""
    return posixpath.dirname(name) if find_paths(session, name) == [name] else name


def _file_uses(session: Session, entities: list[SnapshotEntity]) -> Iterator[FileUse]:
    """Each use once, though both ends of it may be in one file."""
    paths: dict[Node, str] = {shown.identity: shown.path for shown in entities}
    for edge in session.network.all_edges():
        used = edge.used if isinstance(edge.used, str) else paths[edge.used]
        yield FileUse(edge.path, edge.line, used, edge.resolution)


class FoundHotspots(NamedTuple):
    """The requested hotspots, hottest first, and the extent of the known history."""

    found: list[tuple[Hotspot, IndexedEntity, Run]]  # each with the definition, and the run that changed it last
    n_found: int  # with those that are not listed
    n_searched: int  # definitions with code of their own
    n_commits: int  # replayed ones, since the date or revision that was given
    n_runs: int  # of the index, in which something changed, that are not of replayed commits
    is_replayed: bool  # whether the history was, at any time


def list_hotspots(
    session: Session,
    paths: Sequence[str],
    since: str | None,
    *,
    with_all: bool = False,
    offset: int = 0,
    limit: int | None = None,
) -> FoundHotspots:
    """Return what changed since a date or revision; the code is read only of what is listed."""
    entities = _entities(session, select_paths(session, paths, with_all=with_all))
    events = session.store.events_of([shown.identity for shown in entities])
    runs = session.store.runs({event.run for event in events})
    replayed = session.store.runs(set(session.store.replayed_commits().values()))
    is_replayed = bool(replayed)
    if since is not None:
        kept = _since(session, {**runs, **replayed}, since)
        runs, replayed = ({number: run for number, run in all_.items() if number in kept} for all_ in (runs, replayed))
    changes = find_changes(events, runs)
    hotspots = find_hotspots(entities, changes, count_users(session, [one for one, found in changes.items() if found]))
    listed = hotspots[offset : None if limit is None else offset + limit]
    indexed = session.view.hold_all(one.shown for one in listed)
    n_runs = sum(run.worktree != REPLAY for run in runs.values())
    found = [(one, indexed[one.shown.identity], runs[one.last_run]) for one in listed]
    return FoundHotspots(found, len(hotspots), len(entities), len(replayed), n_runs, is_replayed)


def _entities(session: Session, paths: list[str]) -> list[SnapshotEntity]:
    by_path: dict[str, list[SnapshotEntity]] = {}
    for shown in session.store.entities_in(session.view.number, paths):
        by_path.setdefault(shown.path, []).append(shown)
    return [shown for in_file in by_path.values() for shown in without_containers(in_file)]


def _since(session: Session, runs: dict[int, Run], since: str) -> set[int]:
    """The runs after a date, or of commits that are not in the history of a revision."""
    repository = session.repository
    if not session.workspace.has_git:
        raise BirthmarkError("since: dates and revisions are read by git, and this is no git repository")
    if repository.git.find(since) is None and is_date(since):
        least = parse_date(repository.git, since)
        return {number for number, run in runs.items() if run.at >= least}
    known = {run.revision: run.at for run in runs.values() if run.revision and repository.git.find(run.revision)}
    later = later_commits(repository, known, since)
    return {number for number, run in runs.items() if run.revision in later}
