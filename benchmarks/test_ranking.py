"""How often a test that a commit changed is among the first of `birthmark tests` for a function that it changed.

    python benchmarks/test_ranking.py REPOSITORY... [--commits 50] [--first 10] [--misses]

A case is a commit that changed one to three functions of the sources, and tests, in at most eight files. Newest first,
the parent of each is checked out in a clone and indexed, and asked for the tests of each function: only what was known
before the commit is used. A test that the commit added counts by its file, one that was there before by itself.
Printed are, for each repository, the commits, the functions with a changed test among the first, the same by commits
(any function), the median rank of the first changed test, and the share of tests listed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

from birthmark.app.changes.diffing import compare_states
from birthmark.app.indexing.index import update_folder
from birthmark.app.workspace.session import Session, open_session
from birthmark.comparison.entity_changes import EntityChange
from birthmark.comparison.file_roles import role_of
from birthmark.comparison.review_parts import code_changes
from birthmark.documents.uses import TestsDocument
from birthmark.errors import BirthmarkError
from birthmark.languages.registry import load_registry
from birthmark.model import FUNCTION_LIKE
from birthmark.queries.test_code import is_test, runner_id
from birthmark.questions.tests import ReachingTests
from birthmark.vocabulary import Change, FileRole

_MOST_LOOKED_AT = 3000  # commits
_MOST_FILES, _MOST_FUNCTIONS = 8, 3


class Case(NamedTuple):
    """A commit: places of its functions in the parent, its changed tests, and the files of those it added."""

    commit: str
    functions: list[tuple[str, int]]
    tests: set[str]
    files: set[str]

    def has(self, test: str) -> bool:
        return test in self.tests or test.partition("::")[0] in self.files


class Outcome(NamedTuple):
    """A function of a case, with the rank of the first changed test; None if there is none."""

    case: Case
    function: str
    rank: int | None
    n_listed: int
    n_all: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path, nargs="+")
    parser.add_argument("--commits", type=int, default=50)
    parser.add_argument("--first", type=int, default=10)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    print("repository    commits  functions  among the first  by commits  median rank  listed")
    everything = []
    for repository in options.repositories:
        outcomes = [*outcomes_of(repository, options.commits, _ask)]
        _print(repository.name, outcomes, options)
        everything += outcomes
    _print("all", everything, options)


def outcomes_of(repository: Path, n_commits: int, ask: Callable[[Session, Case], list[Outcome]]) -> Iterator[Outcome]:
    """Yield what is asked of the index of each commit's parent."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        git(Path.cwd(), "clone", "--quiet", "--shared", str(repository.resolve()), str(clone))
        n_cases = 0
        for commit in _commits(clone):
            git(clone, "checkout", "--quiet", "--force", f"{commit}^")
            try:
                found = _asked(clone, commit, ask)
            except BirthmarkError as error:
                print(f"{commit[:12]}: {error}", file=sys.stderr)
                continue
            yield from found
            n_cases += bool(found)
            if n_cases == n_commits:
                break


def _asked(clone: Path, commit: str, ask: Callable[[Session, Case], list[Outcome]]) -> list[Outcome]:
    with open_session(clone, refreshes=False) as session:
        case = _case(session, commit)
    if case is None:
        return []
    update_folder(clone, 60.0)
    with open_session(clone, refreshes=False) as session:
        return ask(session, case)


def _commits(clone: Path) -> Iterator[str]:
    """Yield commits that changed a few files, tests among them."""
    log = git(clone, "log", f"-{_MOST_LOOKED_AT}", "--no-merges", "--no-renames", "--format=%x00%H", "--name-status")
    for entry in log.split("\0")[1:]:
        commit, *lines = entry.split()
        paths = [path for path in lines[1::2] if load_registry().of_path(path) is not None]
        roles = [role_of(path) for path in paths]
        if len(paths) <= _MOST_FILES and {FileRole.SOURCE, FileRole.TEST} <= {*roles}:
            yield commit


def _case(session: Session, commit: str) -> Case | None:
    compared = compare_states(session.repository, f"{commit}^", commit, with_derivations=False)
    changes = code_changes(compared.comparison, *compared.files)
    sources = [one for one in changes if _is_function(one)]
    edited = [one.before for one in sources if one.before is not None]
    present = {file.path for file in compared.files[0]}
    tests, files = set[str](), set[str]()
    for one in changes:
        place = one.before or one.after
        if place is not None and is_test(place.path, one.language, place.qualified_name):
            if one.before is not None and one.change is not Change.DELETED:
                tests.add(runner_id(place.path, one.language, place.qualified_name))
            elif one.before is None and place.path in present:
                files.add(place.path)
    if not 1 <= len(edited) <= _MOST_FUNCTIONS or not tests | files:
        return None
    return Case(commit, [(one.path, one.start_line) for one in edited], tests, files)


def _is_function(one: EntityChange) -> bool:
    place = one.before or one.after
    assert place is not None
    is_edited = one.before is not None and one.change is not Change.DELETED
    is_source = role_of(place.path) is FileRole.SOURCE and not is_test(place.path, one.language, place.qualified_name)
    return is_edited and is_source and one.kind in FUNCTION_LIKE


def _ask(session: Session, case: Case) -> list[Outcome]:
    return [_outcome(case, ReachingTests(ref=f"{path}:{line}").answer(session)) for path, line in case.functions]


def _outcome(case: Case, found: TestsDocument) -> Outcome:
    ranks = (rank for rank, test in enumerate(found.results, 1) if case.has(test.id))
    return Outcome(case, found.entity.qualified_name, next(ranks, None), len(found.results), found.all_tests)


def _print(name: str, outcomes: list[Outcome], options: argparse.Namespace) -> None:
    hits = [one for one in outcomes if one.rank is not None and one.rank <= options.first]
    commits = {one.case.commit for one in outcomes}
    shares = len(hits) / max(len(outcomes), 1), len({one.case.commit for one in hits}) / max(len(commits), 1)
    rank = median(one.rank or one.n_all for one in outcomes) if outcomes else 0
    listed = sum(one.n_listed / max(one.n_all, 1) for one in outcomes) / max(len(outcomes), 1)
    print(f"{name:12}  {len(commits):7}  {len(outcomes):9}  {shares[0]:15.0%}  {shares[1]:10.0%}", end="")
    print(f"  {rank:11.0f}  {listed:6.0%}", flush=True)
    for one in outcomes if options.misses and name != "all" else ():
        if one not in hits:
            print(f"  {one.case.commit[:12]}  {one.function}: rank {one.rank} of {one.n_listed}")


def git(folder: Path, *arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
