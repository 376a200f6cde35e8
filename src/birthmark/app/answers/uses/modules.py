"""The folders or files of the index as modules: how they use each other."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from birthmark.app.answers.listing.listing import find_paths, select_paths
from birthmark.app.workspace.session import Session
from birthmark.graph.network import Node
from birthmark.queries.module_map import FileUse, ModuleMap, folder_of, map_modules
from birthmark.store.model import SnapshotEntity


class ModulesQuery(NamedTuple):
    """Which files are asked about, and what a module is: a folder, cut after so many levels, or a file."""

    path: str | None = None
    depth: int | None = None  # levels of folders, from the path on
    by_file: bool = False
    with_all: bool = False  # tests, documentation and generated files


def choose_depth(session: Session, query: ModulesQuery, most: int) -> int:
    """How many levels of folders are at most so many modules; one at least."""
    below = _folder(session, query.path)
    paths = select_paths(session, [query.path] if query.path else [], with_all=query.with_all)
    depths = range(1, max((path.count("/") for path in paths), default=1) + 1)
    fitting = [depth for depth in depths if len({folder_of(path, below, depth) for path in paths}) <= most]
    return max(fitting, default=1)


def find_modules(session: Session, query: ModulesQuery) -> ModuleMap:
    paths = select_paths(session, [query.path] if query.path else [], with_all=query.with_all)
    below = _folder(session, query.path)
    entities = list(session.store.all_entities(session.view.number))
    files = dict.fromkeys(paths, 0)
    for shown in entities:
        if shown.path in files:
            files[shown.path] += 1
    return map_modules(
        files,
        _file_uses(session, entities),
        (lambda path: path) if query.by_file else (lambda path: folder_of(path, below, query.depth)),
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
