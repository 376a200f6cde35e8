"""Bring the index up to date over HTTP."""

from __future__ import annotations

from birthmark.app.indexing.index_update import update_file, update_folder
from birthmark.documents.index import IndexedFileDocument, IndexUpdateDocument, index_update_document
from birthmark.surfaces.http.routes.requests import HttpQuery, IndexRequest

_WAIT_SECONDS = 20.0  # for another writer


def index(query: HttpQuery) -> IndexUpdateDocument:
    assert isinstance(query.body, IndexRequest)
    path = query.body.path
    if path is None:
        return index_update_document(update_folder(query.folder, _WAIT_SECONDS), file=None)
    update = update_file(query.folder, path, _WAIT_SECONDS)
    row = update.file
    file = None if row is None else IndexedFileDocument(path, row.language, row.problem or None)
    return index_update_document(update, file=file)
