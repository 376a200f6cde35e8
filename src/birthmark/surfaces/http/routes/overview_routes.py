"""Answers for an overview over HTTP: what folders consist of, and what happened last."""

from __future__ import annotations

from birthmark.app.answers.latest_events import read_latest
from birthmark.app.answers.listing.file_tree import read_tree
from birthmark.app.workspace.session import asking
from birthmark.surfaces.http.routes.paging import cut_page
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.wire.overview import LatestDocument, latest_document, tree_document
from birthmark.surfaces.wire.pages import TreePage


def get_tree(query: HttpQuery) -> TreePage:
    with asking(query.folder) as session:
        document = tree_document(
            read_tree(session, query.get("folder") or "", query.values["least"]), session.freshness
        )
    return cut_page(query, document, TreePage, "children")


def list_latest(query: HttpQuery) -> LatestDocument:
    with asking(query.folder) as session:
        return latest_document(read_latest(session, query.limit), session.freshness)
