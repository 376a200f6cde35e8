"""Find how folders or files use each other, and which definitions change often and have many users.

Reads the network of the index, and the ledger for changes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from birthmark.app.answers.listing import find_paths, select_paths
from birthmark.app.answers.module_map import FileUse, folder_of, map_modules
from birthmark.app.answers.source_files import count_users
from birthmark.app.histories.filters import later_commits
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.documents.definitions import indexed_entity_document
from birthmark.documents.whole_graph import HotspotDocument, HotspotsDocument, ModulesDocument
from birthmark.errors import BirthmarkError
from birthmark.graph.network import Node
from birthmark.model import FUNCTION_LIKE
from birthmark.queries.life import find_changes
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
) -> ModulesDocument:
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
        freshness_document(session.freshness),
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


def list_hotspots(
    session: Session,
    paths: Sequence[str],
    since: str | None,
    *,
    with_all: bool = False,
    offset: int = 0,
    limit: int | None = None,
) -> HotspotsDocument:
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
    hot = rank_hotspots(entities, changes, count_users(session, [one for one, found in changes.items() if found]))
    listed = hot[offset : None if limit is None else offset + limit]
    indexed = session.view.hold_all(shown for _, shown, _ in listed)
    return HotspotsDocument(
        [
            _hotspot(score, indexed[one.identity], runs, changes[one.identity], n_users)
            for score, one, n_users in listed
        ],
        len(hot),
        len(entities),
        is_replayed,
        len(replayed),
        sum(run.worktree != REPLAY for run in runs.values()),
        freshness_document(session.freshness),
    )


def rank_hotspots(
    entities: Iterable[SnapshotEntity], changes: Mapping[int, Sequence[int]], n_users: Mapping[int, int]
) -> list[tuple[int, SnapshotEntity, int]]:
    """Return what changed with its score and number of users, the hottest first; `changes` are runs of each identity.

    The score is changes times lines times users; one is added, so that a definition without users counts as well.
    """
    found = [
        (len(runs) * (one.end_line - one.start_line + 1) * (n_users.get(one.identity, 0) + 1), one)
        for one in entities
        if (runs := changes.get(one.identity))
    ]
    found.sort(key=lambda hot: (-hot[0], hot[1].path, hot[1].start_line, hot[1].ordinal))
    return [(score, one, n_users.get(one.identity, 0)) for score, one in found]


def _hotspot(
    score: int, indexed: IndexedEntity, runs: Mapping[int, Run], changed_in: Sequence[int], n_users: int
) -> HotspotDocument:
    entity, last = indexed.entity, runs[changed_in[-1]]
    n_lines = entity.end_line - entity.start_line + 1
    about = n_lines, n_users, last.revision, last.at, last.worktree == REPLAY
    return HotspotDocument(indexed_entity_document(indexed), score, len(changed_in), *about)


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


def without_containers(entities: Sequence[SnapshotEntity]) -> list[SnapshotEntity]:
    """Return the definitions of a file with code of their own: a type's code is that of its members."""
    return [shown for shown in entities if shown.kind in FUNCTION_LIKE or not _contains_any(shown, entities)]


def _contains_any(shown: SnapshotEntity, entities: Sequence[SnapshotEntity]) -> bool:
    """Return True if the next definition is inside: it comes right after and has the name in front."""
    following = entities[shown.ordinal + 1 : shown.ordinal + 2]
    return any(one.qualified_name.startswith(f"{shown.qualified_name}.") for one in following)
