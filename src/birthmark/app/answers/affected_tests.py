"""The tests to run after a change: those that reach what changed since a revision.

What was deleted or has another name is looked for by its old name, for who used it and did not change itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import basename, splitext
from typing import NamedTuple

from birthmark.app.answers.reaching_tests import ReachingTest, find_reaching_tests
from birthmark.app.changes.diffing import ComparedStates, compare_states
from birthmark.app.changes.review_users import find_nodes
from birthmark.app.workspace.session import Session
from birthmark.comparison.entity_changes import EntityChange
from birthmark.comparison.review_parts import changed_top_levels, code_changes
from birthmark.extraction.state import is_source_path
from birthmark.languages.registry import load_registry
from birthmark.queries.test_code import is_runner_setting
from birthmark.queries.text_search import find_words
from birthmark.sources.git.revisions import resolve_revision
from birthmark.vocabulary import Change

_LEFT_NAME = (Change.DELETED, Change.RENAMED, Change.RELOCATED)


class TestsToRun(NamedTuple):
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


def find_affected(session: Session, since: str, until: str | None) -> TestsToRun:
    """Return the tests of the index affected by changes since a revision, up to another or the worktree."""
    git = session.repository.git
    base, target = resolve_revision(git, since), resolve_revision(git, until) if until is not None else None
    compared = compare_states(session.repository, base, target, with_derivations=False)
    changes = code_changes(compared.comparison, *compared.files)
    top_levels = [*changed_top_levels(*compared.files, compared.comparison.renamed)]
    others = [*_other_files(session, base, target), *(path for path in top_levels if _is_text(path))]
    former_containers, former_words = _former_uses(session, compared, changes)
    places = [*find_words(session.graph, {*(basename(path) for path in others), *former_words})]
    named = {word for word, _ in places}
    start = {
        *find_nodes(session, compared, changes).values(),
        *former_containers,
        *top_levels,
        *(path for path in others if is_runner_setting(path)),
        *(node for _, node in places),
    }
    unseen = [path for path in others if not is_runner_setting(path) and basename(path) not in named]
    rules = session.reach_rules
    return TestsToRun(
        *compared.names, changes, top_levels, unseen, find_reaching_tests(rules, start), rules.tests.n_tests
    )


def _former_uses(
    session: Session, compared: ComparedStates, changes: Iterable[EntityChange]
) -> tuple[list[int], set[str]]:
    """Return what contained what is gone from where it was, and the words by which others may have used it."""
    renamed = compared.comparison.renamed
    left = [one.before for one in changes if one.change in _LEFT_NAME and one.before is not None]
    shown = _by_place(session, {renamed.get(one.path, one.path) for one in left})
    containers, words = list[int](), set[str]()
    for before in left:
        parent, _, name = before.qualified_name.rpartition(".")
        place = renamed.get(before.path, before.path), parent
        if parent and place in shown:
            containers.append(shown[place])
        elif not parent:
            words.add(name)
    present = session.graph.paths()
    gone = [file.path for file in compared.files[0] if file.path not in present]
    words.update(splitext(basename(path))[0] for path in gone)
    return containers, words


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
    """Return whether a file's language is only a container for code, such as a template or a document."""
    spec = load_registry().of_path(path)
    return spec is not None and spec.is_container
