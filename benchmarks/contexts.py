"""Whether contexts keep their budget, and hold the definition of every name of the repository that the code uses.

    python benchmarks/contexts.py REPOSITORY [--entities 500] [--tokenizer FOLDER]

REPOSITORY is indexed. For random entities and budgets, the estimate of each context is compared with the budget; with
FOLDER, in which npm has installed `gpt-tokenizer`, the true count is as well. For functions in Python, the names that
they use are found with Python's own parser: what their file defines or imports from another file of the repository.
"""

from __future__ import annotations

import argparse
import ast
import random
import statistics
import time
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tokens import count_tokens

from birthmark.app.answers.contexts import find_context
from birthmark.app.workspace.session import Session, open_session
from birthmark.errors import BirthmarkError
from birthmark.queries.context import estimate_tokens

_BUDGETS = (200, 500, 1000, 2000, 4000, 8000)
_PLENTY = 1_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--entities", type=int, default=500)
    parser.add_argument("--tokenizer", type=Path)
    options = parser.parse_args()
    with open_session(options.repository) as session:
        rows = [*session.store.all_entities(session.view.number)]
        chosen = random.Random(7).sample(rows, min(options.entities, len(rows)))  # noqa: S311 - the same every time
        session.network.users_of([])
        marks = [row.mark for row in chosen]
        measure_budgets(session, marks, options.tokenizer)
        measure_names(
            session, [row.mark for row in chosen if row.language == "python" and row.kind in ("fn", "method")]
        )


def measure_budgets(session: Session, marks: list[str], tokenizer: Path | None) -> None:
    texts, budgets, seconds = [], [], []
    n_small = 0
    for number, mark in enumerate(marks):
        budget = _BUDGETS[number % len(_BUDGETS)]
        started = time.perf_counter()
        try:
            texts.append(find_context(session, mark, budget).text)
        except BirthmarkError:
            n_small += 1
            continue
        seconds.append(time.perf_counter() - started)
        budgets.append(budget)
    over = sum(estimate_tokens(text) > budget for text, budget in zip(texts, budgets, strict=True))
    print(f"{len(texts)} contexts: {over} over their budget by the estimate; {n_small} budgets were too small")
    print(f"median {statistics.median(seconds) * 1000:.0f} ms, slowest {max(seconds) * 1000:.0f} ms")
    if tokenizer is not None:
        counted = count_tokens(tokenizer, "o200k_base", texts)
        shares = [estimate_tokens(text) / number - 1 for text, number in zip(texts, counted, strict=True)]
        beyond = sum(number > budget for number, budget in zip(counted, budgets, strict=True))
        near = sum(abs(share) <= 0.1 for share in shares) / len(shares)
        off = statistics.mean(shares)
        print(f"true count: {beyond} over their budget; the estimate is off by {off:+.1%}, {near:.0%} within 10 %")


def measure_names(session: Session, marks: list[str]) -> None:
    n_names = n_missing = 0
    for mark in marks:
        found = find_context(session, mark, _PLENTY)
        entity = found.entity
        pieces = {(one.path, one.qualified_name) for one in found.pieces}
        wanted = {*used_names(session, entity.path, entity.qualified_name, entity.end_line)}
        missing = {one for one in wanted if one not in pieces and not one[1].startswith(f"{entity.qualified_name}.")}
        n_names, n_missing = n_names + len(wanted), n_missing + len(missing)
        for path, name in sorted(missing):
            print(f"  {entity.path}::{entity.qualified_name} lacks {path}::{name}")
    print(f"{len(marks)} functions use {n_names} names of the repository; {n_missing} are not in their contexts")


def used_names(session: Session, path: str, name: str, end_line: int) -> Iterator[tuple[str, str]]:
    """Where what a function reads by a bare name is defined: in its file, or in one it is imported from."""
    tree = ast.parse(session.graph.text(path))
    known = dict(_defined(tree, path)) | dict(_imported(session, tree, path))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (node.name, node.end_lineno) == (
            name.rpartition(".")[2],
            end_line,
        ):
            local = {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}
            local |= {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
            local |= {one.name for one in ast.walk(node) if isinstance(one, ast.FunctionDef | ast.ClassDef)}
            local |= {
                a.asname or a.name for one in ast.walk(node) if isinstance(one, ast.ImportFrom) for a in one.names
            }
            for one in ast.walk(node):
                if (
                    isinstance(one, ast.Name)
                    and isinstance(one.ctx, ast.Load)
                    and one.id in known
                    and one.id not in local
                ):
                    yield known[one.id]


def _defined(tree: ast.Module, path: str) -> Iterator[tuple[str, tuple[str, str]]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, (path, node.name)
        elif isinstance(node, ast.Assign):
            yield from ((one.id, (path, one.id)) for one in node.targets if isinstance(one, ast.Name))


def _imported(session: Session, tree: ast.Module, path: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Names whose module is a file of the repository that defines them."""
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            folder = PurePosixPath(path).parents[node.level - 1] if node.level else None
            parts = (node.module or "").split(".")
            roots = [folder] if folder is not None else [PurePosixPath(""), PurePosixPath("src")]
            for file in [str(root.joinpath(*parts)) + ending for root in roots for ending in (".py", "/__init__.py")]:
                if file in session.graph.paths():
                    there = {key for key, _ in _defined(ast.parse(session.graph.text(file)), file)}
                    for alias in node.names:
                        if alias.name in there:
                            yield alias.asname or alias.name, (file, alias.name)


if __name__ == "__main__":
    main()
