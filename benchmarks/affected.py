"""Whether `birthmark affected` lists every test that fails when a commit's change is broken on purpose.

    python benchmarks/affected.py REPOSITORY PYTHON [--commits 10] [--mutants 2] [--tests tests] [--flip]

PYTHON is an interpreter that has what the tests of REPOSITORY, a Python project with pytest, require. For each of the
last commits that changed functions outside of tests, the commit is checked out and indexed, its tests are run as they
are, and again with an exception at the start of each of some changed functions, one at a time. A test that fails only
then must be listed. Printed are the commits with the tests listed, run and failing, and those that were missed; at the
end, the share of failing tests that `--likely` keeps, and those that the first tests of the list would keep, by their
share of all tests, beside what the best order could. With `--flip`, an operator of the function is turned into its
opposite instead.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import NamedTuple

from birthmark.app.answers.affected_tests import find_affected
from birthmark.app.indexing.index import update_folder
from birthmark.app.workspace.session import open_session
from birthmark.comparison.file_roles import role_of
from birthmark.documents.uses import AffectedDocument
from birthmark.errors import BirthmarkError
from birthmark.vocabulary import Change, FileRole

_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.M)
_BROKEN = "raise RuntimeError('broken on purpose')\n"
_MOST_COMMITS = 400  # that are looked at
_SHARES = (0.1, 0.2, 0.3, 0.5)  # of all tests


class Outcome(NamedTuple):
    """A commit: tests that are listed, all tests, mutants, tests that failed by one, and those of them not listed.

    `unknown` are failing tests that are none for Birthmark: doctests.
    """

    commit: str
    n_listed: int
    n_all: int
    n_mutants: int
    failed: set[str]
    missed: set[str]
    unknown: set[str]
    n_likely: int  # listed with --likely
    unlikely: set[str]  # failed, and not listed with --likely
    ranked: list[str]  # all tests listed, those with most evidence first

    def kept(self, share: float) -> float:
        """The share of failing tests among the first tests, up to a share of all tests."""
        first = {*self.ranked[: ceil(self.n_all * share)]}
        return len(self.failed & first) / len(self.failed)

    def most(self, share: float) -> float:
        """The share of failing tests that an order could have at most among the first."""
        return min(1.0, ceil(self.n_all * share) / len(self.failed))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("python", type=Path)
    parser.add_argument("--commits", type=int, default=10)
    parser.add_argument("--mutants", type=int, default=2)
    parser.add_argument("--tests", default="tests")
    parser.add_argument("--flip", action="store_true")
    options = parser.parse_args()
    print("commit        listed  of tests  mutants  failing  missed")
    outcomes = []
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        _git(Path.cwd(), "clone", "--quiet", str(options.repository.resolve()), str(clone))
        for outcome in _outcomes(clone, options):
            _print(outcome)
            outcomes.append(outcome)
            if len(outcomes) == options.commits:
                break
    n_failed, n_missed = (sum(len(getattr(one, name)) for one in outcomes) for name in ("failed", "missed"))
    share = sum(one.n_listed / one.n_all for one in outcomes) / max(len(outcomes), 1)
    print(f"{len(outcomes)} commits: {n_missed} of {n_failed} failing tests missed, {share:.0%} of tests listed")
    kept = [1 - len(one.unlikely) / len(one.failed) for one in outcomes if one.failed]
    n_unlikely = sum(len(one.unlikely) for one in outcomes)
    share = sum(one.n_likely / one.n_all for one in outcomes) / max(len(outcomes), 1)
    mean = sum(kept) / max(len(kept), 1)
    print(f"--likely: {n_unlikely} missed, {mean:.0%} kept by commits, {share:.0%} of tests listed")
    failing = [one for one in outcomes if one.failed]
    for share in _SHARES:
        mean = sum(one.kept(share) for one in failing) / max(len(failing), 1)
        most = sum(one.most(share) for one in failing) / max(len(failing), 1)
        print(f"first {share:.0%} of all tests: {mean:.0%} kept by commits, {most:.0%} in the best order")


def _outcomes(clone: Path, options: argparse.Namespace) -> Iterator[Outcome]:
    commits = _git(clone, "log", f"-{_MOST_COMMITS}", "--no-merges", "--format=%H", "HEAD").split()
    for commit in commits:
        names = _git(clone, "diff-tree", "-r", "--name-only", "--no-commit-id", commit).splitlines()
        if any(name.endswith(".py") and role_of(name) is FileRole.SOURCE for name in names):
            _git(clone, "checkout", "--quiet", "--force", commit)
            outcome = _outcome(clone, commit, options)
            if outcome is not None:
                yield outcome


def _outcome(clone: Path, commit: str, options: argparse.Namespace) -> Outcome | None:
    try:
        update_folder(clone, 60.0)
        with open_session(clone) as session:
            found, likely = (find_affected(session, f"{commit}^", None, likely=likely) for likely in (False, True))
    except BirthmarkError as error:
        print(f"{commit[:12]}  {error}")
        return None
    places = _changed_functions(found)
    mutate = _flipped if options.flip else _mutant
    made = [mutant for place in places if (mutant := mutate(clone, *place)) is not None]
    mutants = made[: options.mutants]
    if not mutants:
        return None
    before, failed = _run(clone, options), set[str]()
    for path, text in mutants:
        file = clone / path
        original = file.read_text("utf-8")
        file.write_text(text, "utf-8")
        failed |= _run(clone, options) - before
        file.write_text(original, "utf-8")
    listed = {test.id for test in found.results}
    files = {test.partition("::")[0] for test in listed}
    missed = {one for one in failed if one not in (listed if "::" in one else files)}
    unknown = {one for one in failed if _is_doctest(one)}
    likely_ids = {test.id for test in likely.results}
    about = commit, len(listed), found.all_tests, len(mutants), failed - unknown, missed - unknown, unknown
    unlikely = {one for one in failed - unknown if one not in likely_ids and "::" in one}
    return Outcome(*about, len(likely_ids), unlikely, [test.id for test in found.results])


def _is_doctest(test: str) -> bool:
    """Whether it is named by its module, as `a/b.py::a.b.f` or `a/b.py::b.f`."""
    path, _, name = test.partition("::")
    module = path.removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]
    return "::" not in name and f".{module}." in f".{name}"


def _changed_functions(found: AffectedDocument) -> list[tuple[str, str, int]]:
    kept = [one for one in found.changes if one.change is not Change.DELETED and one.kind in ("fn", "method")]
    places = [one.after for one in kept if one.after is not None]
    return [(one.path, one.qualified_name, one.end_line) for one in places if role_of(one.path) is FileRole.SOURCE]


def _mutant(clone: Path, path: str, name: str, end_line: int) -> tuple[str, str] | None:
    """A file with an exception at the start of a function, found by its name and last line."""
    text = (clone / path).read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if path.endswith(".py") else ():
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if node.name == name.rpartition(".")[2] and node.end_lineno == end_line:
            first = node.body[0]
            if first.lineno == node.lineno:
                return None
            lines = text.splitlines(keepends=True)
            lines.insert(first.lineno - 1, " " * first.col_offset + _BROKEN)
            return path, "".join(lines)
    return None


_OPPOSITES: dict[type[ast.AST], ast.AST] = {
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Lt: ast.GtE(),
    ast.Gt: ast.LtE(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
    ast.And: ast.Or(),
    ast.Or: ast.And(),
    ast.Add: ast.Sub(),
    ast.Sub: ast.Add(),
}


def _flipped(clone: Path, path: str, name: str, end_line: int) -> tuple[str, str] | None:
    """A file with the first operator of a function turned into its opposite, found by its name and last line."""
    tree = ast.parse((clone / path).read_text("utf-8")) if path.endswith(".py") else ast.Module([], [])
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.end_lineno == end_line:
            for node in ast.walk(function) if function.name == name.rpartition(".")[2] else ():
                if isinstance(node, ast.Compare) and type(node.ops[0]) in _OPPOSITES:
                    node.ops[0] = _OPPOSITES[type(node.ops[0])]  # type: ignore[call-overload]
                    return path, ast.unparse(tree)
                if isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in _OPPOSITES:
                    node.op = _OPPOSITES[type(node.op)]  # type: ignore[assignment]
                    return path, ast.unparse(tree)
    return None


def _run(clone: Path, options: argparse.Namespace) -> set[str]:
    """The tests that fail, without what is in brackets; of a file that cannot be imported, its path."""
    flags = ["-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    command = [str(options.python), "-m", "pytest", *flags, options.tests]
    paths = f"{clone}/src:{clone}"
    environment = dict(os.environ) | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "500"}
    result = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True, check=False)
    return {found.partition("[")[0] for found in _FAILED.findall(result.stdout)}


def _print(outcome: Outcome) -> None:
    figures = outcome.n_listed, outcome.n_all, outcome.n_mutants, len(outcome.failed), len(outcome.missed)
    print(f"{outcome.commit[:12]}  {figures[0]:6}  {figures[1]:8}  {figures[2]:7}  {figures[3]:7}  {figures[4]:6}")
    for word, tests in (("missed", outcome.missed), ("no test for birthmark:", outcome.unknown)):
        for test in sorted(tests):
            print(f"  {word} {test}")


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
