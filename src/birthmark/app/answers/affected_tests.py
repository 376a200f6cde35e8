"""The tests to run after a change: those that reach what changed since a revision.

What was deleted or has another name is looked for by its old name, for who used it and did not change itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from posixpath import basename, splitext
from typing import NamedTuple

from birthmark.app.answers.reaching_tests import SECONDS, ReachingTest, make_rules, tests_reaching
from birthmark.app.changes.diffing import ComparedStates, compare_states
from birthmark.app.changes.indexed_changes import find_nodes
from birthmark.app.workspace.session import Session
from birthmark.comparison.code_changes import changed_top_levels, code_changes
from birthmark.comparison.entities import EntityChange
from birthmark.extraction.state import is_source_path
from birthmark.graph.network import Node
from birthmark.languages.registry import load_registry
from birthmark.queries.name_places import find_words
from birthmark.queries.test_files import is_runner_setting
from birthmark.sources.revisions import resolve_revision
from birthmark.vocabulary import Change

_LEFT_NAME = (Change.DELETED, Change.RENAMED, Change.RELOCATED)


class AffectedTests(NamedTuple):
    """Two states by their names, what changed between them, and the tests that reach any of it.

    `top_levels` are files that changed outside of their definitions; `unseen` are changed files that are no source and
    that no source names.
    """

    base: str
    target: str
    changes: list[EntityChange]
    top_levels: list[str]
    unseen: list[str]
    tests: list[ReachingTest]
    n_all: int
    in_time: bool


def find_affected(session: Session, since: str, until: str | None, seconds: float = SECONDS) -> AffectedTests:
    """Without a revision to end with, up to the worktree; the tests are those of the index in any case."""
    git = session.repository.git
    base, target = resolve_revision(git, since), resolve_revision(git, until) if until is not None else None
    compared = compare_states(session.repository, base, target, with_derivations=False)
    changes = code_changes(compared.comparison, *compared.files)
    top_levels = [*changed_top_levels(*compared.files, compared.comparison.renamed)]
    others = [*_other_files(session, base, target), *(path for path in top_levels if _is_text(path))]
    places = [*find_words(session.graph, {basename(path) for path in others})]
    named = {place.word for place in places}
    rules = make_rules(session, seconds)
    start = {
        *find_nodes(session, compared, changes).values(),
        *_former_users(session, compared, changes),
        *top_levels,
        *(path for path in others if is_runner_setting(path)),
        *(place.node for place in places),
    }
    unseen = [path for path in others if not is_runner_setting(path) and basename(path) not in named]
    tests = tests_reaching(session, rules, start)
    n_all = rules.tests.count()
    return AffectedTests(*compared.names, changes, top_levels, unseen, tests, n_all, rules.is_complete)


def _former_users(session: Session, compared: ComparedStates, changes: Iterable[EntityChange]) -> Iterator[Node]:
    """What still has the name of something that is gone from there, or contained it."""
    left = [one for one in changes if one.change in _LEFT_NAME and one.before is not None]
    renamed = compared.comparison.renamed
    paths = {renamed.get(one.before.path, one.before.path) for one in left if one.before}
    shown = _by_place(session, paths)
    words: set[str] = set()
    for change in left:
        assert change.before is not None
        parent, _, name = change.before.qualified_name.rpartition(".")
        path = renamed.get(change.before.path, change.before.path)
        if parent and (path, parent) in shown:
            yield shown[path, parent]
        elif not parent:
            words.add(name)
    present = set(session.graph.paths())
    gone = [file.path for file in compared.files[0] if file.path not in present]
    words |= {splitext(basename(path))[0] for path in gone}
    yield from (place.node for place in find_words(session.graph, words))


def _by_place(session: Session, paths: Iterable[str]) -> Mapping[tuple[str, str], int]:
    rows = session.store.entities_in(session.view.number, sorted(paths))
    return {(row.path, row.qualified_name): row.identity for row in rows}


def _other_files(session: Session, base: str, target: str | None) -> list[str]:
    """Files in no language of ours that differ between commits; of the worktree only what is committed is looked at."""
    until = target or session.workspace.head
    if until is None:
        return []
    paths = [one.path for one in session.repository.changed(base, until)]
    return sorted(path for path in paths if is_runner_setting(path) or not is_source_path(path))


def _is_text(path: str) -> bool:
    """Whether a file is in a language that is no code itself, as a template or a document is."""
    spec = load_registry().of_path(path)
    return spec is not None and spec.is_container
