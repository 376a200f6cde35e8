"""Where words are in all sources of a snapshot, for questions about thousands of names at once.

A name is looked for in the files that have it; in strings that look like names it is remembered with its place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from birthmark.comparison.file_roles import role_of
from birthmark.graph.users import Source
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.store.port import Store
from birthmark.vocabulary import FileRole

_WORD = re.compile(r"[^\W\d]\w*")
_STRING = re.compile(r"""(["'`])([\w$.:/-]{2,200})\1""")
_BREAK = re.compile(r"\n")
_ASSIGNED = re.compile(r"\s*=[^=]")
_NEAR = 200  # characters before a name, in which what it is taken from ends
_KEPT_TEXTS = 200
_CODE_SPAN = re.compile(r"`([^`\n]{2,200})`")


class WordSite(NamedTuple):
    """The first place of a word of some sort."""

    path: str
    line: int


class WordIndex:
    """Of some names: the files that have them, and where they are in strings, and in files of other languages."""

    def __init__(self, names: Collection[str], sources: Iterable[tuple[str, str, bytes]]) -> None:
        """Of sources with their paths and languages."""
        self.words = {word for name in names for word in _WORD.findall(name)}
        self.paths: dict[str, list[str]] = {}
        self.texts: dict[str, tuple[str, bytes]] = {}  # language and source, by path
        self._quoted: dict[str, list[tuple[str, int]]] = {}  # paths and places in their texts
        self._texts, self._paths_with = lru_cache(_KEPT_TEXTS)(self._read_text), cache(self._find_paths)
        self._members = cache(self._find_members)
        self._words_in, self._breaks = (
            lru_cache(_KEPT_TEXTS)(self._find_words),
            lru_cache(_KEPT_TEXTS)(self._find_breaks),
        )
        for source in sources:
            self._add(*source)

    def _add(self, path: str, language: str, source: bytes) -> None:
        text = source.decode("utf-8", "replace")
        found = self.words.intersection(_WORD.findall(text))
        if not found:
            return
        self.texts[path] = language, source
        for word in found:
            self.paths.setdefault(word, []).append(path)
        for match in _STRING.finditer(text):
            for word in self.words.intersection(_WORD.findall(match[2])):
                self._quoted.setdefault(word, []).append((path, match.start()))

    def quoted(self, name: str) -> Iterator[WordSite]:
        """Where a name is in strings that look like names."""
        for path, start in self._quoted.get(name, ()):
            yield WordSite(path, self._line(path, start))

    def text(self, path: str) -> str:
        return self._texts(path)

    def _read_text(self, path: str) -> str:
        return self.texts[path][1].decode("utf-8", "replace") if path in self.texts else ""

    def paths_with(self, name: str) -> list[str]:
        """The files that have all words of a name."""
        return self._paths_with(name)

    def _find_paths(self, name: str) -> list[str]:
        words = _WORD.findall(name)
        found = [set(self.paths.get(word, ())) for word in words]
        return sorted(set.intersection(*found)) if found else sorted(self.texts)

    def members(self, name: str, path: str) -> list[WordSite]:
        """Where a member of that name is taken from something, and not assigned to."""
        return self._members(name, path)

    def _find_members(self, name: str, path: str) -> list[WordSite]:
        text = self.text(path)
        ends = [start + len(name) for start in self._starts(name, path)]
        taken = [end for end in ends if _is_taken(text, end - len(name)) and not _ASSIGNED.match(text, end)]
        return [WordSite(path, self._line(path, end)) for end in taken]

    def _starts(self, name: str, path: str) -> Sequence[int]:
        """Where a name is, and not a part of another one. Words are looked up, for a text may have many thousands."""
        if _WORD.fullmatch(name):
            return self._words_in(path).get(name, ())
        return [found.start() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", self.text(path))]

    def _find_words(self, path: str) -> dict[str, list[int]]:
        starts: dict[str, list[int]] = {}
        for found in _WORD.finditer(self.text(path)):
            if found[0] in self.words:
                starts.setdefault(found[0], []).append(found.start())
        return starts

    def _line(self, path: str, at: int) -> int:
        return bisect_left(self._breaks(path), at) + 1

    def _find_breaks(self, path: str) -> list[int]:
        return [found.start() for found in _BREAK.finditer(self.text(path))]

    def first_in(self, name: str, paths: Iterable[str]) -> WordSite | None:
        """The first place of a name in files of text; of a document only where it is marked as code."""
        for path in paths:
            text = self.text(path)
            for start in self._starts(name, path):
                if role_of(path) is not FileRole.DOCUMENTATION or _is_in_code_span(text, start):
                    return WordSite(path, self._line(path, start))
        return None


def _is_taken(text: str, start: int) -> bool:
    return text[max(0, start - _NEAR) : start].rstrip().endswith((".", "->", "::"))


def _is_in_code_span(text: str, at: int) -> bool:
    start = text.rfind("\n", 0, at) + 1
    line = text[start : text.find("\n", at) if "\n" in text[at:] else len(text)]
    return any(span.start() <= at - start < span.end() for span in _CODE_SPAN.finditer(line))


class WordGraph(SnapshotGraph):
    """A SnapshotGraph that is asked for the uses of many definitions: each source is read once."""

    def __init__(self, store: Store, snapshot: int, index: WordIndex) -> None:
        super().__init__(store, snapshot)
        self.index = index

    def sources_near(self, path: str, name: str, languages: Collection[str]) -> Iterator[Source]:
        """Those that have a name, in the order of how near they are to a path."""
        for found in sorted(self.index.paths_with(name), key=lambda one: (-_n_shared(one, path), one)):
            language, source = self.index.texts[found]
            if language in languages:  # No container, which would have its code in other languages.
                yield found, language, self.index.text(found)
            else:
                yield from self.in_languages(found, language, source, languages)


def _n_shared(path: str, other: str) -> int:
    """How many folders two paths have in common; one more if they are the same."""
    pairs = zip(path.split("/"), other.split("/"), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
