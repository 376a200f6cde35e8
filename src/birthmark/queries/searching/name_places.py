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

_IN_WORD = re.compile(r"[\w$]")


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
    for path, _, text in graph.sources_with(words, list(load_registry().languages)):
        places = sorted((start, word) for word in words for start in _places(text, word))
        seen: set[tuple[str, Node]] = set()
        number, at = 1, 0
        for start, word in places:
            number, at = number + text.count("\n", at, start), start
            around = definition_around(graph.inside(path), number)
            node = around.identity if around is not None else path
            if (word, node) not in seen:
                seen.add((word, node))
                yield NamePlace(word, node, path, number)


def _places(text: str, word: str) -> Iterator[int]:
    """Where it is, and is no part of another word."""
    start = text.find(word)
    while start >= 0:
        if not _IN_WORD.match(text, start + len(word)) and not (start and _IN_WORD.match(text, start - 1)):
            yield start
        start = text.find(word, start + 1)
