"""Answers from the index and from git, as documents of `wire.py`. Each request opens the index for itself.

A path is looked up in the index and never opened, so that nothing can be read which is not indexed.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import chain, islice

from birthmark.app.diffing import comparing, diff_trees
from birthmark.app.histories import read_history
from birthmark.app.index import index_worktree
from birthmark.app.past import past_of
from birthmark.app.queries import find_callees, find_callers, resolve_at, show_ref
from birthmark.app.session import Session, asking
from birthmark.app.status import read_status
from birthmark.app.stores import has_index, reading, writing
from birthmark.app.workspace import Workspace, find_workspace
from birthmark.errors import NotFoundError
from birthmark.extraction.workers import warm_languages
from birthmark.queries.snapshot_view import IndexedFile, SnapshotView
from birthmark.surfaces import wire
from birthmark.surfaces.http.paging import cut_page, list_page, next_page
from birthmark.surfaces.http.requests import Asked, IndexRequest
from birthmark.surfaces.wire import Document

_WAIT_SECONDS = 20.0  # for another writer


def get_status(asked: Asked) -> Document:
    with asking(asked.folder) as session:
        return wire.status_document(read_status(session))


def list_entities(asked: Asked) -> Document:
    with asking(asked.folder) as session:
        path = asked.get("path")
        held = session.view.entities() if path is None else session.view.entities_in(_file(session, path).path)
        return _with_freshness(session, list_page(asked, map(wire.held_document, held)))


def list_nodes(asked: Asked) -> Document:
    """Outlines say how many nodes each file has, so that only the files of a page are read for their nodes."""
    limit, offset = asked.values["limit"], asked.values["offset"]
    rows: list[Document] = []
    at = 0
    with asking(asked.folder) as session:
        for file in _files(session, asked.get("path")):
            if at > offset + limit:
                break
            if at < offset + limit and at + file.outline.n_nodes > offset:
                rows += islice(_node_documents(session, file), max(0, offset - at), offset + limit - at)
            at += file.outline.n_nodes
        return _with_freshness(session, {"items": rows, **next_page(limit, offset, at > offset + limit)})


def _node_documents(session: Session, file: IndexedFile) -> Iterator[Document]:
    warm_languages([file.path])  # A worker need not compile what we have compiled.
    found = session.read_nodes(file)
    return iter(()) if found is None else wire.node_documents(found)


def list_chunks(asked: Asked) -> Document:
    with asking(asked.folder) as session:
        documents = chain.from_iterable(map(wire.held_chunk_documents, _files(session, asked.get("path"))))
        return _with_freshness(session, list_page(asked, documents))


def _files(session: Session, path: str | None) -> Iterator[IndexedFile]:
    return session.view.files() if path is None else iter([_file(session, path)])


def _file(session: Session, path: str) -> IndexedFile:
    file = session.view.file(path)
    if file is None:
        raise NotFoundError(f"{path}: is no file of the index; name it as `status` and `entities` do")
    return file


def _with_freshness(session: Session, document: Document) -> Document:
    return document | {"freshness": wire.freshness_document(session.freshness)}


def show(asked: Asked) -> Document:
    with asking(asked.folder) as session:
        held, _, text = show_ref(session, asked.ref)
        return wire.shown_document(held, text, session.freshness)


def resolve(asked: Asked) -> Document:
    with asking(asked.folder) as session:
        answer, standing = resolve_at(session, asked.ref, asked.get("at"))
        return wire.answer_document(answer, session.freshness, standing)


def list_callers(asked: Asked) -> Document:
    with asking(asked.folder) as session:
        return cut_page(asked, wire.edges_document(*find_callers(session, asked.ref), session.freshness), "results")


def list_callees(asked: Asked) -> Document:
    with asking(asked.folder) as session:
        return cut_page(asked, wire.edges_document(*find_callees(session, asked.ref), session.freshness), "results")


def diff(asked: Asked) -> Document:
    with comparing(asked.folder) as trees:
        found = diff_trees(trees, asked.get("base"), asked.get("target"))
    return cut_page(asked, wire.diff_document(*found), "changes")


def history(asked: Asked) -> Document:
    with past_of(asked.folder) as past:
        found = read_history(past, asked.ref, asked.get("at") or "HEAD")
    return cut_page(asked, wire.history_document(found), "events")


def index(asked: Asked) -> Document:
    """Bring the index up to date.

    The whole worktree is looked at, though one file is named: what has moved there came from another, and would be
    taken for new without it. Only what has changed is read.
    """
    assert isinstance(asked.body, IndexRequest)
    started, workspace, path = time.perf_counter(), find_workspace(asked.folder), asked.body.path
    workspace.require_worktree("index its commits with `birthmark index --from-history`")
    was_there = path is not None and _has_row(workspace, path)
    with writing(workspace, _WAIT_SECONDS) as store:
        summary = index_worktree(store, workspace)
        session = Session(workspace, store, is_fresh=True)
        row = None if path is None else session.view.row(path)
        status = read_status(session, summary.problems)
    if path is not None and row is None and not was_there:
        raise NotFoundError(f"{path}: is no file that is indexed; name one relative to the root of the repository")
    file = None if row is None else {"path": path, "language": row.language, "problem": row.problem or None}
    return wire.summary_document(summary, status, time.perf_counter() - started) | {"file": file}


def _has_row(workspace: Workspace, path: str) -> bool:
    if not has_index(workspace):
        return False
    with reading(workspace) as store:
        return (
            store.snapshot(workspace.worktree) is not None
            and SnapshotView(store, workspace.worktree).row(path) is not None
        )
