"""Parsing a version of a file from the tree of the version before it, beside parsing it from its beginning.

    python benchmarks/incremental.py REPOSITORY PATH [PATH ...] [--versions N]

For neighbouring versions in git's history, the tree of the older one is edited by one range, between what both begin
and end with, and the newer one is parsed with it. Processor time, without finding that range; and how many of the
trees are the same, node by node.
"""

from __future__ import annotations

import argparse
import subprocess
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from tree_sitter import Parser, Tree

from birthmark.languages.registry import load_registry
from birthmark.syntax.parse import load_grammar


def main() -> None:
    options = read_options()
    print(f"{'file':50} {'pairs':>6} {'ratio':>6} {'same trees':>11}")
    for path in options.paths:
        versions = list(read_versions(options.repository, path, options.versions))
        spec = load_registry().of_path(path)
        assert spec is not None, path
        parser = load_grammar(spec).parser
        found = [compare(parser, old, new) for new, old in pairwise(versions)]
        whole, incremental = (sum(one[number] for one in found) for number in (0, 1))
        n_same = sum(one[2] for one in found)
        print(f"{path[-50:]:50} {len(found):6} {incremental / whole if whole else 0:6.2f} {n_same:11}")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("repository", type=Path)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--versions", type=int, default=60)
    return parser.parse_args()


def read_versions(repository: Path, path: str, most: int) -> Iterator[bytes]:
    """The newest first."""
    git = ["git", "-C", str(repository)]
    commits = subprocess.run([*git, "log", f"-{most}", "--format=%H", "--", path], capture_output=True, check=True)
    for commit in commits.stdout.decode().split():
        shown = subprocess.run([*git, "show", f"{commit}:{path}"], capture_output=True)
        if shown.returncode == 0:
            yield shown.stdout


def compare(parser: Parser, old: bytes, new: bytes) -> tuple[float, float, bool]:
    """Seconds for the whole and with the older tree, and whether the trees are the same."""
    old_tree = parser.parse(old)
    edit(old_tree, old, new)
    started = time.process_time()
    whole = parser.parse(new)
    parsed = time.process_time()
    again = parser.parse(new, old_tree)
    return parsed - started, time.process_time() - parsed, list(nodes(whole)) == list(nodes(again))


def edit(tree: Tree, old: bytes, new: bytes) -> None:
    start = n_common(old, new)
    end = n_common(old[start:][::-1], new[start:][::-1])
    old_end, new_end = len(old) - end, len(new) - end
    points = point(old, start), point(old, old_end), point(new, new_end)
    tree.edit(start, old_end, new_end, *points)


def n_common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((number for number, (a, b) in pairs if a != b), min(len(one), len(other)))


def point(source: bytes, at: int) -> tuple[int, int]:
    return source.count(b"\n", 0, at), at - (source.rfind(b"\n", 0, at) + 1)


def nodes(tree: Tree) -> Iterator[tuple[str, int, int]]:
    cursor = tree.walk()
    while True:
        node = cursor.node
        assert node is not None
        yield node.type, node.start_byte, node.end_byte
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


if __name__ == "__main__":
    main()
