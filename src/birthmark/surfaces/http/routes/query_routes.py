"""Answers from the index and from git over HTTP. Repositories stay open between requests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec.structs import asdict

from birthmark.app.across.callees import CalleesEverywhere, find_callees_everywhere
from birthmark.app.across.copies import CopiesEverywhere, find_copies_everywhere
from birthmark.app.across.descents import resolve_everywhere
from birthmark.app.across.searching import SearchEverywhere, find_page_everywhere
from birthmark.app.across.users import UsersEverywhere, find_users_everywhere
from birthmark.app.answers.clones import ClonesQuery, find_similar
from birthmark.app.answers.contexts import find_context
from birthmark.app.answers.listing.listing import count_files, find_paths, list_chunked
from birthmark.app.answers.listing.listing import list_entities as find_entities
from birthmark.app.answers.listing.listing import list_nodes as find_nodes
from birthmark.app.answers.listing.source_files import read_source_file
from birthmark.app.answers.resolving import resolve_all
from birthmark.app.answers.searching.searching import SearchQuery, find_page
from birthmark.app.answers.showing import show_ref
from birthmark.app.answers.uses.affected_tests import find_affected
from birthmark.app.answers.uses.neighbours import USES, End, find_callees, find_users, with_ends
from birthmark.app.answers.uses.reaching_tests import find_tests
from birthmark.app.changes.chunk_changes import chunks_since
from birthmark.app.changes.diff_arguments import read_arguments, read_filter
from birthmark.app.changes.diffing import DiffOptions, diff_states
from birthmark.app.changes.review import review as make_review
from birthmark.app.histories.blames import read_blames
from birthmark.app.histories.filters import HistoryFilter, select_events
from birthmark.app.histories.histories import find_subject, read_derived_history, with_patches
from birthmark.app.histories.user_histories import read_user_history
from birthmark.app.indexing.index_update import update_file, update_folder
from birthmark.app.indexing.status import read_status
from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import Session, asking
from birthmark.surfaces.http.routes.paging import cut_edges, cut_page, page_end, page_of
from birthmark.surfaces.http.routes.requests import HttpQuery, IndexRequest, ResolveRequest
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.wire.answers import (
    ResolvedDocument,
    ResolvedListDocument,
    ShownDocument,
    clones_document,
    edges_document,
    resolved_document,
    shown_document,
)
from birthmark.surfaces.wire.changes import blame_documents, diff_document, history_document, user_history_document
from birthmark.surfaces.wire.contexts import ContextDocument, context_document
from birthmark.surfaces.wire.definitions import (
    chunk_changes_document,
    chunk_documents,
    indexed_entity_document,
    node_document,
)
from birthmark.surfaces.wire.files import SourceFileDocument, source_file_document
from birthmark.surfaces.wire.index import (
    IndexedFileDocument,
    IndexUpdateDocument,
    StatusDocument,
    freshness_document,
    index_update_document,
    status_document,
)
from birthmark.surfaces.wire.pages import (
    AffectedPage,
    BlamePage,
    ChunkChangesPage,
    ChunkPage,
    ClonesPage,
    DiffPage,
    EdgesPage,
    EntityPage,
    HistoryPage,
    NodePage,
    ReviewPage,
    TestsPage,
    UserHistoryPage,
)
from birthmark.surfaces.wire.reviews import review_document
from birthmark.surfaces.wire.search import SearchDocument, search_document
from birthmark.surfaces.wire.tests import affected_document, tests_document
from birthmark.vocabulary import Change

_WAIT_SECONDS = 20.0  # for another writer
_REVIEW_LISTS = ("changes", "collapsed", "interfaces", "triggers", "docs", "tests", "affected", "other_files")


def get_status(query: HttpQuery) -> StatusDocument:
    with asking(query.folder) as session:
        return status_document(read_status(session))


def list_entities(query: HttpQuery) -> EntityPage:
    with asking(query.folder) as session:
        found = map(indexed_entity_document, find_entities(session, find_paths(session, query.get("path"))))
        items, end = page_of(query, found)
        return EntityPage(items, **end._asdict(), freshness=freshness_document(session.freshness))


def list_nodes(query: HttpQuery) -> NodePage:
    with asking(query.folder) as session:
        nodes, has_more = find_nodes(session, find_paths(session, query.get("path")), query.offset, query.limit)
        items, end = [node_document(*node) for node in nodes], page_end(query, has_more)
        return NodePage(items, **end._asdict(), freshness=freshness_document(session.freshness))


def list_chunks(query: HttpQuery) -> ChunkPage | ChunkChangesPage:
    since = query.get("since")
    if since is not None:
        return _list_chunk_changes(query, since)
    with asking(query.folder) as session:
        files = list_chunked(session, find_paths(session, query.get("path")))
        found = (chunk_documents(file, with_text=_with_text(query)) for file in files)
        items, end = page_of(query, chain.from_iterable(found))
        return ChunkPage(items, **end._asdict(), freshness=freshness_document(session.freshness))


def _list_chunk_changes(query: HttpQuery, since: str) -> ChunkChangesPage:
    with open_repository(query.folder) as repository:
        found = chunks_since(repository, since, query.get("path"), with_kept=query.get("kept") == "true")
        changes, end = page_of(query, found.changes)
        document = chunk_changes_document(found._replace(changes=changes), with_text=_with_text(query))
    return ChunkChangesPage(**asdict(document), **end._asdict())


def _with_text(query: HttpQuery) -> bool:
    return query.get("text") == "true"


def search(query: HttpQuery) -> SearchDocument:
    kinds, languages, paths = (query.listed(name) for name in ("kind", "language", "path"))
    asked = SearchQuery(query.values["text"], kinds, languages, paths, query.limit, query.offset)
    with asking(query.folder) as session:
        found = (
            find_page_everywhere(session, asked, query.visible)
            if query.is_everywhere
            else SearchEverywhere(find_page(session, asked))
        )
        return search_document(found.page, session.freshness, found.problems)


def show(query: HttpQuery) -> ShownDocument:
    with asking(query.folder) as session:
        return shown_document(show_ref(session, query.ref), session.freshness)


def get_file(query: HttpQuery) -> SourceFileDocument:
    with asking(query.folder) as session:
        found = read_source_file(session, str(query.get("path")), query.get("at"))
        return source_file_document(found, session.freshness)


def resolve(query: HttpQuery) -> ResolvedDocument:
    with asking(query.folder) as session:
        return next(_resolved(query, session, [query.ref], query.get("at")))


def resolve_many(query: HttpQuery) -> ResolvedListDocument:
    assert isinstance(query.body, ResolveRequest)
    with asking(query.folder) as session:
        return ResolvedListDocument([*_resolved(query, session, query.body.refs, query.body.at)])


def _resolved(query: HttpQuery, session: Session, refs: list[str], at: str | None) -> Iterator[ResolvedDocument]:
    asked = session, refs, at
    found = resolve_everywhere(*asked, query.visible) if query.is_everywhere else resolve_all(*asked)
    return (resolved_document(one, session.freshness) for one in found)


def list_users(query: HttpQuery) -> EdgesPage:
    words = query.listed("uses")
    if not USES.keys() >= set(words):
        raise RequestError("bad_request", f"uses: must be among {', '.join(USES)}")
    with asking(query.folder) as session:
        found = (
            find_users_everywhere(session, query.ref, query.visible, words)
            if query.is_everywhere
            else UsersEverywhere(find_users(session, query.ref, words))
        )
        return _edges_page(query, session, found, "source")


def list_callers(query: HttpQuery) -> EdgesPage:
    return list_users(query)


def list_callees(query: HttpQuery) -> EdgesPage:
    with asking(query.folder) as session:
        found = (
            find_callees_everywhere(session, query.ref, query.visible)
            if query.is_everywhere
            else CalleesEverywhere(find_callees(session, query.ref))
        )
        return _edges_page(query, session, found, "target")


def _edges_page(query: HttpQuery, session: Session, found: UsersEverywhere | CalleesEverywhere, end: End) -> EdgesPage:
    """Only of the edges on the page the definitions are read: some have thousands. Those elsewhere come last."""
    (indexed, edges), last = found.own, query.offset + query.limit
    ends = with_ends(session, edges[query.offset : last], end)
    elsewhere = cut_edges(found.others, query.offset - len(edges), last - len(edges))
    document = edges_document(indexed, ends, count_files(session), session.freshness, elsewhere, found.problems)
    n_all = len(edges) + sum(len(one.edges) for one in found.others)
    return EdgesPage(**asdict(document), **page_end(query, n_all > last)._asdict())


def list_tests(query: HttpQuery) -> TestsPage:
    with asking(query.folder) as session:
        document = tests_document(find_tests(session, query.ref), session.freshness)
    return cut_page(query, document, TestsPage, "results")


def list_affected(query: HttpQuery) -> AffectedPage:
    with asking(query.folder) as session:
        found = find_affected(session, str(query.get("since")), query.get("until"))
        document = affected_document(found, session.freshness)
    return cut_page(query, document, AffectedPage, "results")


def get_context(query: HttpQuery) -> ContextDocument:
    with asking(query.folder) as session:
        found = find_context(session, query.ref, query.values["tokens"], query.get("since"))
        return context_document(found, session.freshness)


def list_clones(query: HttpQuery) -> ClonesPage:
    share = query.values["share"] / 100
    asked = ClonesQuery(query.get("ref"), tuple(query.listed("path")), share, query.get("all") == "true")
    if query.is_everywhere and asked.ref is None:
        raise RequestError("bad_request", "ref: is missing; with `everywhere`, it is what is copied")
    with asking(query.folder) as session:
        found, problems = (
            find_copies_everywhere(session, asked, query.visible)
            if query.is_everywhere
            else CopiesEverywhere(find_similar(session, asked))
        )
        document = clones_document(found, session.freshness, problems)
    return cut_page(query, document, ClonesPage, "groups")


def diff(query: HttpQuery) -> DiffPage:
    paths, kinds, languages, changes = (query.listed(name) for name in ("path", "kind", "language", "change"))
    is_of_worktree = query.get("target") is None and ".." not in (query.get("base") or "..")
    with open_repository(query.folder, refreshes=is_of_worktree) as repository:
        asked = read_arguments(repository, revision_words(query), paths)
        chosen = read_filter(asked.paths, kinds, languages, changes)
        options = DiffOptions(chosen, query.get("patch") == "true", query.offset, query.limit)
        document = diff_document(*diff_states(repository, asked.base, asked.target, options))
    n_changes = sum(document.counts.values()) - document.counts[Change.UNCHANGED]
    return DiffPage(**asdict(document), **page_end(query, n_changes > query.offset + query.limit)._asdict())


def revision_words(query: HttpQuery) -> list[str]:
    """What is to be compared, as the command line has it: none, `BASE`, `BASE TARGET` or `A..B`."""
    base, target = query.get("base"), query.get("target")
    return [base or "HEAD", target] if target else [base] if base else []


def review(query: HttpQuery) -> ReviewPage:
    with asking(query.folder) as session:
        found = make_review(session, revision_words(query), with_affected=query.get("affected") == "true")
        document = review_document(found, freshness_document(session.freshness))
    return cut_page(query, document, ReviewPage, *_REVIEW_LISTS)


def history(query: HttpQuery) -> HistoryPage | UserHistoryPage:
    wanted = HistoryFilter(query.get("since"), query.get("until"), query.get("author"))
    with open_repository(query.folder) as past:
        subject = find_subject(past, query.ref, query.get("at"))
        if query.get("users") == "true":
            users = read_user_history(past, subject, query.get("at"))
            users = users._replace(events=select_events(past, users.events, wanted))
            return cut_page(query, user_history_document(users), UserHistoryPage, "events")
        found = read_derived_history(past, subject, query.get("derivation") == "true")
        events = select_events(past, found.events, wanted)
        if query.get("patch") == "true":
            end = query.offset + query.limit
            events[query.offset : end] = with_patches(past, events[query.offset : end])
    return cut_page(query, history_document(found._replace(events=events)), HistoryPage, "events")


def blame(query: HttpQuery) -> BlamePage:
    with open_repository(query.folder) as past:
        blames = read_blames(past, str(query.get("path")), query.get("at") or "HEAD")
        items, end = page_of(query, chain.from_iterable(map(blame_documents, blames)))
    return BlamePage(items, **end._asdict())


def index(query: HttpQuery) -> IndexUpdateDocument:
    assert isinstance(query.body, IndexRequest)
    path = query.body.path
    if path is None:
        return index_update_document(update_folder(query.folder, _WAIT_SECONDS), file=None)
    update = update_file(query.folder, path, _WAIT_SECONDS)
    row = update.file
    file = None if row is None else IndexedFileDocument(path, row.language, row.problem or None)
    return index_update_document(update, file=file)
