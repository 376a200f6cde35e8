"""The tests to run after a change: those that reach what changed since a revision.

What was deleted or has another name is looked for by its old name, for who used it and did not change itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil
from posixpath import basename, splitext

from birthmark.app.answers.reaching_tests import NAMED, find_reaching_tests
from birthmark.app.changes.diffing import ComparedStates, compare_states
from birthmark.app.changes.review_users import find_nodes
from birthmark.app.workspace.freshness import freshness_document
from birthmark.app.workspace.session import Session
from birthmark.comparison.entity_changes import EntityChange
from birthmark.comparison.review_parts import changed_top_levels, code_changes
from birthmark.documents.document import make
from birthmark.documents.parts import location_or_null
from birthmark.documents.uses import AffectedDocument, CodeChangeDocument
from birthmark.extraction.state import is_source_path
from birthmark.graph.network import Node
from birthmark.languages.registry import load_registry
from birthmark.queries.reach import ReachStep
from birthmark.queries.test_code import is_runner_setting
from birthmark.queries.text_search import find_words
from birthmark.sources.git.revisions import resolve_revision
from birthmark.vocabulary import Change, ReachWord

_LIKELY_SHARE, _FEWEST_LIKELY = 0.2, 10  # of all tests
_LEFT_NAME = (Change.DELETED, Change.RENAMED, Change.RELOCATED)


def find_affected(session: Session, since: str, until: str | None, *, likely: bool = False) -> AffectedDocument:
    """Return the tests of the index affected by changes since a revision, up to another or the worktree.

    With `likely`, only those with the highest scores: a fifth of all tests, and at least those that changed.
    """
    git = session.repository.git
    base, target = resolve_revision(git, since), resolve_revision(git, until) if until is not None else None
    compared = compare_states(session.repository, base, target, with_derivations=False)
    changes = code_changes(compared.comparison, *compared.files)
    top_levels = [*changed_top_levels(*compared.files, compared.comparison.renamed)]
    others = [*_other_files(session, base, target), *(path for path in top_levels if _is_text(path))]
    former_containers, former_names = _former_uses(session, compared, changes)
    names = former_names | {basename(path): path for path in others}
    places = [*find_words(session.graph, names)]
    naming = [
        ReachStep(node, f"{NAMED}{names[word]}", ReachWord.NAMES, None, path, line) for word, node, path, line in places
    ]
    named = {word for word, *_ in places}
    tests = session.reach_rules.tests
    start: set[Node] = {
        *find_nodes(session, compared, changes).values(),
        *former_containers,
        *top_levels,
        *(path for path in others if is_runner_setting(path)),
        *(one.after.path for one in changes if one.after is not None and tests.is_test(one.after.path)),
    }
    unseen = [path for path in others if not is_runner_setting(path) and basename(path) not in named]
    found = find_reaching_tests(session, start, naming=naming)
    if likely:
        found = found[: max(_FEWEST_LIKELY, ceil(tests.n_tests * _LIKELY_SHARE), sum(not test.way for test in found))]
    changed, freshness = [_change_document(change) for change in changes], freshness_document(session.freshness)
    return AffectedDocument(*compared.names, changed, top_levels, unseen, found, tests.n_tests, freshness)


def _change_document(change: EntityChange) -> CodeChangeDocument:
    before, after = location_or_null(change.before), location_or_null(change.after)
    return make(CodeChangeDocument, change, before=before, after=after)


def _former_uses(
    session: Session, compared: ComparedStates, changes: Iterable[EntityChange]
) -> tuple[list[int], dict[str, str]]:
    """Return what contained what is gone from where it was, and the names by which others may have used the rest."""
    renamed = compared.comparison.renamed
    left = [one.before for one in changes if one.change in _LEFT_NAME and one.before is not None]
    shown = _by_place(session, {renamed.get(one.path, one.path) for one in left})
    containers, names = list[int](), dict[str, str]()
    for before in left:
        parent, _, name = before.qualified_name.rpartition(".")
        place = renamed.get(before.path, before.path), parent
        if parent and place in shown:
            containers.append(shown[place])
        elif not parent:
            names[name] = f"{before.path}::{name}"
    present = session.graph.paths()
    gone = [file.path for file in compared.files[0] if file.path not in present]
    return containers, names | {splitext(basename(path))[0]: path for path in gone}


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
