"""Questions to try in a repository that has just been indexed, made from its own code.

Takes an open index; gives Suggestions that are certain to be answered: each is checked before it is made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from birthmark.app.answers.indexed_refs import find_indexed
from birthmark.app.workspace.session import Session, open_session
from birthmark.errors import BirthmarkError
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.store.model import SnapshotEntity
from birthmark.vocabulary import EdgeKind, Resolution

_NAMES = 60  # of the most called
_CANDIDATES = 6
_BACK = (10, 5, 1)  # commits that a diff may go back
# Words that need no quotes in a shell.
_PLAIN = re.compile(r"[\w./:-]+")
_NAME = re.compile(r"\w+(\.\w+)+")
_TEST = re.compile(
    r"(^|/)(tests?|testing|specs?|__tests__|testdata|examples?|benchmarks?|docs?)/|(^|/)test_|[._-](test|spec)\.", re.I
)
_LISTS = {"entities": "all definitions there are", "chunks": "all chunks there are"}
_CALLABLE = ("fn", "method")


class Suggestion(NamedTuple):
    """The arguments of a command, and what it answers."""

    arguments: str
    meaning: str


def find_suggestions(root: Path) -> list[Suggestion]:
    """Return at most three suggestions of different kinds, with paths relative to the root."""
    with open_session(root) as session:
        return [*_about_code(session), *_about_changes(session)][:3]


def _about_code(session: Session) -> Iterator[Suggestion]:
    connected = _well_connected(session)
    found = connected or _first(session)
    if found is None:
        return
    ref = _ref_of(session, found)
    if connected is not None and found.entity.kind in _CALLABLE:
        yield Suggestion(f"callers {ref}", "what calls it")
    else:
        yield Suggestion(f"show {ref}", "its source and its ids")
    if _is_committed(session, found):
        yield Suggestion(f"history {ref}", "what each commit did to it")
    else:
        yield Suggestion(f"resolve {ref}", "where it is, and what became of it")


def _well_connected(session: Session) -> IndexedEntity | None:
    """A function that is no test, has a name of its own and is certain to be called.

    Of those that are called most often, the rarer ones are looked at first: to be certain takes time for each call.
    """
    if session.store.network(session.workspace.worktree) is None:
        return None  # `index --no-graph` was asked to resolve nothing.
    names = session.store.most_called(session.view.number, _NAMES)
    found = [one for one in (_own(session, name) for name in names) if one is not None]
    found = [one for one in found if _is_committed(session, one)] or found
    found = [one for one in found if one.entity.kind in _CALLABLE] or found
    rarest = list(reversed(found))[:_CANDIDATES]
    return next((one for one in rarest if _answers(session, one) and _is_surely_called(session, one)), None)


def _is_surely_called(session: Session, indexed: IndexedEntity) -> bool:
    """Return whether a call is certain, not merely one by name, which may mean another library."""
    calls = (edge for edge in session.network.users_of([indexed.identity]) if edge.edge is EdgeKind.CALLS)
    return any(edge.resolution in (Resolution.EXACT, Resolution.IMPORT) for edge in calls)


def _own(session: Session, name: str) -> IndexedEntity | None:
    rows = session.store.entities_named(session.view.number, [name])
    return session.view.hold(rows[0]) if len(rows) == 1 and _is_presentable(rows[0]) else None


def _first(session: Session) -> IndexedEntity | None:
    """Return the first of a few candidates that has an unambiguous REF."""
    rows = [row for row in session.store.all_entities(session.view.number) if _is_presentable(row)]
    places = Counter((row.path, row.qualified_name) for row in rows)
    alone = (session.view.hold(row) for row in rows if places[row.path, row.qualified_name] == 1)
    return next((one for one in islice(alone, _CANDIDATES) if _answers(session, one)), None)


def _is_presentable(row: SnapshotEntity) -> bool:
    is_plain = _PLAIN.fullmatch(f"{row.path}::{row.qualified_name}") is not None
    is_private = any(name.startswith("_") for name in row.qualified_name.split("."))
    return is_plain and not _TEST.search(row.path) and not is_private


def _answers(session: Session, indexed: IndexedEntity) -> bool:
    """Return whether its REF is unambiguous."""
    try:
        return find_indexed(session, _ref_of(session, indexed)).identity == indexed.identity
    except BirthmarkError:
        return False


def _ref_of(session: Session, indexed: IndexedEntity) -> str:
    """Return the qualified name, with the path if the name is ambiguous or has another meaning."""
    entity = indexed.entity
    rows = session.store.entities_qualified(session.view.number, [entity.qualified_name])
    is_short = len(rows) == 1 and _NAME.fullmatch(entity.qualified_name)
    return entity.qualified_name if is_short else f"{entity.path}::{entity.qualified_name}"


def _is_committed(session: Session, indexed: IndexedEntity) -> bool:
    head = session.repository.find_revision("HEAD")
    row = session.view.row(indexed.entity.path)
    return head is not None and row is not None and head.content_id(row.path) == row.content.hex()


def _about_changes(session: Session) -> Iterator[Suggestion]:
    git = session.repository.git_or_none
    back = next((n for n in _BACK if git is not None and git.find(f"HEAD~{n}") is not None), None)
    if back is not None:
        commits = "the last commit" if back == 1 else f"the last {back} commits"
        until = "" if session.workspace.has_worktree else " HEAD"
        yield Suggestion(f"diff HEAD~{back}{until}", f"what changed in {commits}, by definition")
    counts = session.store.counts(session.view.number)
    lists = [Suggestion(name, meaning) for name, meaning in _LISTS.items() if counts[name]]
    yield lists[0] if lists else Suggestion("status", "what is indexed, and what is left out")
