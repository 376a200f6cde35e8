"""Rank tests by the evidence that they are about what changed.

Takes what changed and the tests that reach it; gives each test a score between 0 and 1, the weighted mean of four kinds
of evidence: the uses on the way from it, the words of its name and path, those of its file, and those of its code. A
word is evidence as far as it is rare among the tests that are compared. A call on an object of unknown type is no use,
but a test that has the name of what changed in its code counts as using it, as far as the name is rare.

The weights were chosen for three repositories at a time and tried on a fourth one: whichever three of Flask, httpie,
commons-io and Django these were, no others had more changed tests among the first ten.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from math import log, sqrt
from typing import NamedTuple

from birthmark.graph.network import Node
from birthmark.matching.similarity import words_of
from birthmark.queries.reach import StepsFrom
from birthmark.vocabulary import ReachWord

_IDENTIFIER = re.compile(r"[^\W\d]\w{2,}")
_ENDINGS = tuple("ations ation ings ing ers er ors or ions ion ies es ed s e y".split())
_SHORTEST_STEM = 3  # characters
_OF_TESTS = frozenset({"test", "tests", "spec", "specs", "case", "cases"})
_IN_NAME, _IN_SCOPE = 1.0, 0.5  # weights of a word of the name of what changed, and of what it is in

# The share of the evidence that a step passes on, besides what the other users of the same thing take of it.
_PASSED_ON = {
    ReachWord.CALLS: 0.95,
    ReachWord.READS: 0.9,
    ReachWord.WRITES: 0.9,
    ReachWord.DECORATES: 0.9,
    ReachWord.NAMESAKE: 0.9,
    ReachWord.TAKES: 0.8,
    ReachWord.INSIDE: 0.8,
    ReachWord.NAMES: 0.6,
    ReachWord.OVERRIDDEN: 0.6,
    ReachWord.INHERITS: 0.5,
    ReachWord.IMPLEMENTS: 0.5,
    ReachWord.EXPORTS: 0.5,
    ReachWord.CONTAINS: 0.4,
    ReachWord.UNKNOWN_USERS: 0.3,
    ReachWord.IMPORTS: 0.1,
    ReachWord.BELOW: 0.02,
}


class Evidence(NamedTuple):
    """A number for each kind of evidence, from 0 for none to 1."""

    uses: float
    name: float
    file: float
    code: float

    def weighted(self, weights: Evidence) -> float:
        return sum(map(float.__mul__, self, weights))


WEIGHTS = Evidence(uses=2 / 7, name=2 / 7, file=1 / 7, code=2 / 7)


class Passage(NamedTuple):
    """A definition or a test: its file, its qualified name, empty for a whole file, and its text."""

    path: str
    qualified_name: str
    text: str


def nearness_of(start: Iterable[Node], steps: StepsFrom, is_test: Callable[[Node], bool]) -> dict[Node, float]:
    """Return the share of the evidence that arrives by the best way; 1 for the start alone.

    What is on a way passes on less the more users it has.
    """
    found: dict[Node, float] = {}
    best: dict[Node, float] = dict.fromkeys(start, 1.0)
    is_start = frozenset(best)
    heap = [(-1.0, str(node), node) for node in best]
    heapq.heapify(heap)
    while heap:
        share, _, node = heapq.heappop(heap)
        if node in found:
            continue
        found[node] = -share
        if is_test(node):
            continue
        further = steps.get(node, ())
        n_users = 1 if node in is_start else len({step.node for step in further})
        for step in further:
            passed = -share * _PASSED_ON[step.word] / sqrt(n_users)
            if passed > best.get(step.node, 0.0):
                best[step.node] = passed
                heapq.heappush(heap, (-passed, str(step.node), step.node))
    return found


class SuiteWords:
    """The words of tests by where they are, and how rare they are among these tests."""

    def __init__(self, tests: Sequence[Passage]) -> None:
        names = {path: _words(path) for path in {test.path for test in tests}}
        self.names = [names[test.path] | _words(test.qualified_name) for test in tests]
        self.files = [_file_words(test.path) for test in tests]
        self.codes = [_code_words(test.text) for test in tests]
        self._n = len(tests) + 1
        self._named = Counter(word for words in self.names for word in words)
        self._n_coded = Counter(word for words in self.codes for word in words)
        self._coded = {word: self._rarity(number) ** 2 for word, number in self._n_coded.items()}
        self._lengths = [self._length(words) for words in self.codes]

    def by_name(self, path: str, qualified_name: str) -> list[float]:
        """Return the share of the words of a name that each test has in its own name or path."""
        scope, _, name = qualified_name.rpartition(".")
        weights = dict.fromkeys(_words(scope), _IN_SCOPE) | dict.fromkeys(_words(name) or _file_words(path), _IN_NAME)
        weights = {word: weight * self._rarity(self._named[word]) for word, weight in weights.items()}
        total = sum(weights.values()) or 1.0
        return [sum(weights[word] for word in weights.keys() & words) / total for words in self.names]

    def by_mention(self, qualified_name: str) -> list[float]:
        """Return how rare it is that a test's code has a name, for each test that has it."""
        name = qualified_name.rpartition(".")[2].lower()
        share = self._rarity(self._n_coded[name]) / log(self._n + 1) if name else 0.0
        return [share if name in words else 0.0 for words in self.codes]

    def by_file(self, path: str) -> list[float]:
        """Return how much the name of each test's file is that of a file."""
        words = _file_words(path)
        return [len(words & others) / (len(words | others) or 1) for others in self.files]

    def by_code(self, text: str) -> list[float]:
        """Return how similar the words of each test's code are, compared with the most similar one."""
        words = _code_words(text)
        shared = [sum(self._coded[word] for word in words & others) for others in self.codes]
        found = [one / length for one, length in zip(shared, self._lengths, strict=True)]
        most = max(found, default=0.0) or 1.0
        return [one / most for one in found]

    def _rarity(self, n_tests: int) -> float:
        return log(self._n / (n_tests + 0.5)) if n_tests < self._n - 1 else 0.01

    def _length(self, words: Iterable[str]) -> float:
        return sqrt(sum(self._coded[word] for word in words)) or 1.0


def score_tests(
    changed: Collection[Passage], tests: Mapping[Node, Passage], nearness: Mapping[Node, float]
) -> dict[Node, float]:
    """Return the score of each test; of several things that changed, the best name and file count."""
    words = SuiteWords([*tests.values()])
    names = _best(words.by_name(path, name) for path, name in {(one.path, one.qualified_name) for one in changed})
    files = _best(words.by_file(path) for path in {one.path for one in changed})
    mentions = _best(words.by_mention(name) for name in {one.qualified_name for one in changed})
    codes = words.by_code("\n".join(one.text for one in changed))
    scores = {}
    for test, mention, *others in zip(tests, mentions, names, files, codes, strict=True):
        share = nearness.get(test, 0.0)
        uses = 1 / (1 - log(share)) if share else 0.0
        scores[test] = 1.0 if share == 1 else Evidence(max(uses, mention), *others).weighted(WEIGHTS)
    return scores


def _best(found: Iterable[list[float]]) -> list[float]:
    return [*map(max, zip(*found, strict=True))]


def _file_words(path: str) -> frozenset[str]:
    """Return the words of a file name; of its folder, if it says no more than `tests` or `__init__`."""
    folder, _, name = path.rpartition("/")
    return _words(name.partition(".")[0].strip("_").removesuffix("init")) or _words(folder.rpartition("/")[2])


def _code_words(text: str) -> frozenset[str]:
    names = {*_IDENTIFIER.findall(text)}
    return frozenset().union(*map(_words, names), map(str.lower, names))


@lru_cache(1 << 18)
def _words(name: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in words_of(name) if word.isalnum() and word not in _OF_TESTS)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word
