"""List what the index holds, of one file or of all: entities, nodes, chunks, and what was deleted.

A path is looked up in the index and never opened, so that nothing can be read that is not indexed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from birthmark.app.session import Session
from birthmark.errors import NotFoundError
from birthmark.languages.registry import LanguageSpec, load_registry
from birthmark.model import Node
from birthmark.queries.ledger_queries import DeletedIdentity, deleted_from
from birthmark.queries.snapshot_view import IndexedEntity, IndexedFile


class IndexedNode(NamedTuple):
    """A node with its semantic id and the path of its file."""

    node: Node
    semantic_id: str
    path: str


def list_entities(session: Session, path: str | None = None) -> Iterable[IndexedEntity]:
    return session.view.entities() if path is None else session.view.entities_in(_file(session, path).path)


def list_files(session: Session, path: str | None = None) -> Iterator[IndexedFile]:
    return session.view.files() if path is None else iter([_file(session, path)])


def list_nodes(session: Session, path: str | None, offset: int, limit: int) -> tuple[list[IndexedNode], bool]:
    """Some nodes, and whether there are more.

    Outlines say how many nodes each file has, so that only the files of a page are read for their nodes.
    """
    nodes: list[IndexedNode] = []
    at, end = 0, offset + limit
    for file in list_files(session, path):
        if at > end:
            break
        if at < end and at + file.outline.n_nodes > offset:
            nodes += islice(_nodes_of(session, file), max(0, offset - at), end - at)
        at += file.outline.n_nodes
    return nodes, at > end


def _nodes_of(session: Session, file: IndexedFile) -> Iterator[IndexedNode]:
    reading = session.read_nodes(file)
    if reading is not None:
        for node, semantic_id in zip(reading.nodes, reading.semantic_ids, strict=True):
            yield IndexedNode(node, semantic_id, file.path)


def list_deleted(session: Session, path: str) -> list[DeletedIdentity]:
    return deleted_from(session.view, path)


def list_languages() -> list[LanguageSpec]:
    return list(load_registry().languages.values())


def _file(session: Session, path: str) -> IndexedFile:
    file = session.view.file(path)
    if file is None:
        raise NotFoundError(f"{path}: is no file of the index; name it as `status` and `entities` do")
    return file
