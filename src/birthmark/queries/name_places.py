"""Where words are in the sources of a snapshot, in whatever form: for what is no longer defined, or is no code.

Takes words; gives for each the definitions and files that have it, with the line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from birthmark.graph.network import Node
from birthmark.graph.users import definition_around
from birthmark.languages.registry import load_registry
from birthmark.queries.snapshot_graph import SnapshotGraph


class NamePlace(NamedTuple):
    """The innermost definition around a word, or the file."""

    word: str
    node: Node
    path: str
    line: int


def find_words(graph: SnapshotGraph, words: Collection[str]) -> Iterator[NamePlace]:
    """The first place of each word in each definition."""
    if not words:
        return
    pattern = re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, sorted(words)))})(?![\w$])")
    for path, _, text in graph.sources_with(words, list(load_registry().languages)):
        seen: set[tuple[str, Node]] = set()
        for number, line in enumerate(text.split("\n"), 1):
            for word in pattern.findall(line):
                around = definition_around(graph.inside(path), number)
                node = around.identity if around is not None else path
                if (word, node) not in seen:
                    seen.add((word, node))
                    yield NamePlace(word, node, path, number)
