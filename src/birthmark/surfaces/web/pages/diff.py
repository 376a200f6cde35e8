"""The changes between two revisions, entity by entity: a page of changes by file, and a summary of all of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from birthmark.app.changes.diff_arguments import DiffArguments, read_arguments, read_filter
from birthmark.app.changes.diffing import ChangesPage, path_after, read_changes
from birthmark.app.workspace.freshness import freshness_document
from birthmark.comparison.entity_changes import EntityChange
from birthmark.documents.changes import (
    CommitMessageDocument,
    EntityChangeDocument,
    RevisionsDocument,
)
from birthmark.documents.parts import HunkDocument, PatchDocument
from birthmark.documents.wording import DERIVATIVE_WORDS, SOURCE_WORDS
from birthmark.errors import BirthmarkError, NotFoundError
from birthmark.questions.changes import revision_words
from birthmark.questions.history import CommitMessage, Revisions
from birthmark.surfaces.formats.pictures.exchange import count_exchange, draw_exchange
from birthmark.surfaces.formats.pictures.svg import Picture
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.web.links import DIFF, link_to
from birthmark.surfaces.web.page import Redirect, WebPage
from birthmark.vocabulary import DIFF_CHANGES, Aspect, Change
from birthmark.words import nearest

_MOST_LINES = 300  # of a patch that are shown
_LONGEST_LINE = 500  # characters; what is longer was written by a program
_OPEN_LINES = 40  # of a patch that is not folded
_MOST_QUIET = 12  # of a file that are named


A_PAGE = 200  # changes
_RECENT = 10  # commits that are offered
_MOST_NAMES = 1000  # that are offered while someone writes
_FIELDS = ("base", "target", "change", "kind", "language", "path")


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
        asked, changes = _compare(query)
    except BirthmarkError as error:
        values |= {"error": error, "near": _near(query, error, revisions)}
        return WebPage("diff.html", "Changes", values, status=404 if isinstance(error, NotFoundError) else 400)
    return _page(query, asked, changes, values)


def _page(query: HttpQuery, asked: DiffArguments, changes: ChangesPage, values: dict[str, Any]) -> WebPage:
    document, n_listed = changes.described, len(changes.listed)
    freshness = query.session.repository.freshness
    commit = _commit(query, asked)
    end = query.offset + A_PAGE
    # Files that were renamed are listed by themselves where nothing else is asked for.
    renamed = {} if any(query.get(name) for name in _FIELDS[2:]) else document.renamed
    values |= {
        "found": document,
        "compared_with": asked.base,
        "is_worktree": asked.target is None,
        "is_equal": asked.base == asked.target,
        "counts": changes.counts,
        "commit": commit,
        "at": dict(zip(("base", "target"), asked.commits, strict=True)),
        "files": group_by_file(changes),
        "quiet_files": quiet_files(changes, renamed) if end >= n_listed else [],
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
    return WebPage("diff.html", title, values, freshness and freshness_document(freshness), _pictures(query, changes))


def _pictures(query: HttpQuery, changes: ChangesPage) -> dict[str, Picture]:
    every = [*changes.listed, *changes.quiet]
    if not every:
        return {}
    return {"exchange": draw_exchange(*count_exchange(every), link=lambda folder: _link(query, {"path": folder.name}))}


def _compare(query: HttpQuery) -> tuple[DiffArguments, ChangesPage]:
    kinds, languages, changes, paths = (query.listed(name) for name in ("kind", "language", "change", "path"))
    repository = query.session.repository
    asked = read_arguments(repository, _words(query), ())
    chosen = read_filter(paths, kinds, languages, changes)
    return asked, read_changes(repository, asked, chosen, query.offset, A_PAGE)


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


def group_by_file(found: ChangesPage) -> list[dict[str, Any]]:
    """Files, what became of each, and its changes on this page, whose order stays; of the quiet ones the first."""
    document = found.described
    renamed, former = document.renamed, {new: old for old, new in document.renamed.items()}
    listed: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for change, shown in zip(found.page, document.changes, strict=True):
        listed[path_after(change, renamed)].append(_shown(shown))
    quiet: defaultdict[str, list[EntityChange]] = defaultdict(list)
    for change in found.quiet:
        quiet[path_after(change, renamed)].append(change)
    old, new = ({file.path for file in files} for files in found.compared.files)
    return [
        {
            "path": path,
            "old_path": former.get(path),
            "change": None if path in former else _change_of(path, old, new),
            "changes": changes,
            "quiet": quiet[path][:_MOST_QUIET],
            "n_quiet": len(quiet[path]),
        }
        for path, changes in listed.items()
    ]


def quiet_files(found: ChangesPage, renamed: Mapping[str, str]) -> list[tuple[str, str | None, int]]:
    """Files of which nothing is listed, by path, each with its former path and how much in it is quiet."""
    former = {new: old for old, new in renamed.items()}
    named = {path_after(change, renamed) for change in found.listed}
    counts = Counter(path_after(change, renamed) for change in found.quiet)
    counts.update(dict.fromkeys(former, 0))
    return [(path, former.get(path), n) for path, n in sorted(counts.items()) if path not in named]


def _change_of(path: str, old: set[str], new: set[str]) -> Change | None:
    if (path in old) == (path in new):
        return None
    return Change.ADDED if path in new else Change.DELETED


def _shown(change: EntityChangeDocument) -> dict[str, Any]:
    """A change with as much of its patch as is shown, and how many lines that leaves out.

    Formatting and long patches are folded.
    """
    patch = change.patch
    assert isinstance(patch, PatchDocument)
    hunks = _cut(patch.hunks)
    n_lines = sum(len(hunk.lines) for hunk in hunks)
    n_cut = sum(len(hunk.lines) for hunk in patch.hunks) - n_lines
    is_open = n_lines <= _OPEN_LINES and change.aspects != (Aspect.FORMATTING,) and not n_cut
    return {
        "change": change,
        "patch": msgspec.structs.replace(patch, hunks=hunks),
        "n_cut": n_cut,
        "is_open": is_open,
    }


def _cut(hunks: Sequence[HunkDocument]) -> list[HunkDocument]:
    room, shown = _MOST_LINES, []
    for hunk in hunks:
        if room > 0:
            lines = [line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in hunk.lines[:room]]
            shown.append(msgspec.structs.replace(hunk, lines=lines))
        room -= len(hunk.lines)
    return shown
