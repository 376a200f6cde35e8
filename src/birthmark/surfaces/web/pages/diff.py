"""What changed between two revisions, entity by entity: a page of changes by file, and a summary of all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from birthmark.app.changes.diff_arguments import DiffArguments, read_arguments, read_filter
from birthmark.app.changes.diffing import ChangesPage, read_changes
from birthmark.documents.changes import CommitMessageDocument, DiffDocument, RevisionsDocument, diff_document
from birthmark.documents.index import FreshnessDocument, freshness_document
from birthmark.documents.wording import DERIVATIVE_WORDS, SOURCE_WORDS
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.questions.past import CommitMessage, Revisions, revision_words
from birthmark.spelling import nearest
from birthmark.surfaces.formats.pictures.exchange import draw_exchange
from birthmark.surfaces.formats.pictures.svg import Picture
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import DIFF, link_to
from birthmark.surfaces.web.page import Redirect, WebPage
from birthmark.surfaces.web.pages.diff_files import group_by_file, quiet_files
from birthmark.surfaces.web.pages.diff_summary import count_exchange
from birthmark.vocabulary import DIFF_CHANGES

A_PAGE = 200  # changes
_RECENT = 10  # commits that are offered
_MOST_NAMES = 1000  # that are offered while someone writes
_FIELDS = ("base", "target", "change", "kind", "language", "path")


class ComparedPage(NamedTuple):
    """What was asked for and found, with the document of it."""

    asked: DiffArguments
    changes: ChangesPage
    document: DiffDocument
    freshness: FreshnessDocument | None


def show_diff(query: HttpQuery) -> WebPage | Redirect:
    revisions = Revisions(limit=_RECENT).answer(query.session)
    values: dict[str, Any] = {
        "revisions": revisions,
        "names": revisions.names[:_MOST_NAMES],
        "asked": {name: str(query.get(name) or "") for name in _FIELDS},
        "here": lambda **other: _link(query, other),
        "error": None,
        "near": [],
        "found": None,
        "commit": None,
        "files": [],
    }
    if revisions.head is None and not _words(query):
        return WebPage("diff.html", "Changes", values)
    try:
        found = _compare(query)
    except BirthmarkError as error:
        values |= {"error": error, "near": _near(query, error, revisions)}
        return WebPage("diff.html", "Changes", values, status=404 if isinstance(error, NotFoundError) else 400)
    return _page(query, found, values)


def _page(query: HttpQuery, found: ComparedPage, values: dict[str, Any]) -> WebPage:
    changes, document, n_listed = found.changes, found.document, len(found.changes.listed)
    commit = _commit(query, found.asked)
    end = query.offset + A_PAGE
    values |= {
        "found": document,
        "compared_with": found.asked.base,
        "is_worktree": found.asked.target is None,
        "is_equal": found.asked.base == found.asked.target,
        "counts": changes.counts,
        "commit": commit,
        "at": dict(zip(("base", "target"), found.asked.commits, strict=True)),
        "files": group_by_file(changes, document),
        "quiet_files": quiet_files(changes, _renamed(query, document)) if end >= n_listed else [],
        "n_listed": n_listed,
        "first": query.offset + 1,
        "last": min(end, n_listed),
        "next": end if n_listed > end else None,
        "offset": query.offset,
        "a_page": A_PAGE,
        "changes": DIFF_CHANGES,
        "words": {"sources": SOURCE_WORDS, "derivatives": DERIVATIVE_WORDS},
    }
    title = commit.subject if commit else f"{_short(document.base)} → {_short(document.target)}"
    return WebPage("diff.html", title, values, found.freshness, _pictures(query, changes))


def _pictures(query: HttpQuery, changes: ChangesPage) -> dict[str, Picture]:
    every = [*changes.listed, *changes.quiet]
    if not every:
        return {}
    return {"exchange": draw_exchange(*count_exchange(every), link=lambda folder: _link(query, {"path": folder.name}))}


def _renamed(query: HttpQuery, document: DiffDocument) -> Mapping[str, str]:
    """Files that were renamed are listed by themselves where nothing else is asked for."""
    return {} if any(query.get(name) for name in _FIELDS[2:]) else document.renamed


def _compare(query: HttpQuery) -> ComparedPage:
    kinds, languages, changes, paths = (query.listed(name) for name in ("kind", "language", "change", "path"))
    repository = query.session.repository
    asked = read_arguments(repository, _words(query), ())
    chosen = read_filter(paths, kinds, languages, changes)
    found = read_changes(repository, asked, chosen, query.offset, A_PAGE)
    document = diff_document(*found.compared.names, found.described)
    freshness = freshness_document(repository.freshness) if repository.freshness is not None else None
    return ComparedPage(asked, found, document, freshness)


def _words(query: HttpQuery) -> list[str]:
    return revision_words(query.get("base"), query.get("target"))


def _commit(query: HttpQuery, asked: DiffArguments) -> CommitMessageDocument | None:
    """The commit that made the target of the base, if there is one."""
    base, target = asked.commits
    if target is None or asked.base is None:
        return None
    commit = CommitMessage(revision=target).answer(query.session)
    is_first = base is None and not commit.parents
    return commit if is_first or base in commit.parents else None


def _near(query: HttpQuery, error: BirthmarkError, revisions: RevisionsDocument) -> list[tuple[str, str]]:
    """Revisions that may be meant, each with the address of the page that compares it instead."""
    near = []
    for name in ("base", "target"):
        text = query.get(name)
        if text and repr(text) in str(error):
            found = [choice.split()[0] for choice in error.choices] or nearest(text, revisions.names, 8)
            near += [(one, _link(query, {name: one})) for one in found]
    return near


def _link(query: HttpQuery, other: Mapping[str, object]) -> str:
    """This page with other values; further pages are those of the same question only."""
    values: dict[str, Any] = {name: query.get(name) for name in _FIELDS} | dict(other)
    return link_to(DIFF, **values)


def _short(name: str) -> str:
    return name if " " in name else name[:12]
