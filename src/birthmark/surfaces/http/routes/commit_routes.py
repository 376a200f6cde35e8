"""Commits over HTTP: what one says of itself, and which there are."""

from __future__ import annotations

from birthmark.app.histories.filters import read_commit_message, read_revisions
from birthmark.app.workspace.repository import open_repository
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.wire.commits import (
    CommitMessageDocument,
    RevisionsDocument,
    commit_message_document,
    revisions_document,
)


def show_commit(query: HttpQuery) -> CommitMessageDocument:
    with open_repository(query.folder, refreshes=False) as repository:
        return commit_message_document(read_commit_message(repository, str(query.get("revision"))))


def list_revisions(query: HttpQuery) -> RevisionsDocument:
    with open_repository(query.folder, refreshes=False) as repository:
        return revisions_document(read_revisions(repository, query.limit))
