"""Where words are in all sources of a snapshot, for questions about thousands of names at once.

A name is looked for in the files that have it; in strings that look like names it is remembered with its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from birthmark.comparison.file_roles import role_of
from birthmark.graph.edges import ReferenceSite
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.store.port import Store
from birthmark.vocabulary import FileRole

_WORD = re.compile(r"[^\W\d]\w*")
_STRING = re.compile(r"""(["'`])([\w$.:/-]{2,200})\1""")
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
        self.quoted: dict[str, list[WordSite]] = {}
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
                self.quoted.setdefault(word, []).append(WordSite(path, text.count("\n", 0, match.start()) + 1))

    def paths_with(self, name: str) -> list[str]:
        """The files that have all words of a name."""
        words = _WORD.findall(name)
        found = [set(self.paths.get(word, ())) for word in words]
        return sorted(set.intersection(*found)) if found else sorted(self.texts)

    def first_in(self, name: str, paths: Iterable[str]) -> WordSite | None:
        """The first place of a name in files of text; of a document only where it is marked as code."""
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for path in paths:
            text = self.texts[path][1].decode("utf-8", "replace")
            for match in pattern.finditer(text):
                if role_of(path) is not FileRole.DOCUMENTATION or _is_in_code_span(text, match.start()):
                    return WordSite(path, text.count("\n", 0, match.start()) + 1)
        return None


def _is_in_code_span(text: str, at: int) -> bool:
    start = text.rfind("\n", 0, at) + 1
    line = text[start : text.find("\n", at) if "\n" in text[at:] else len(text)]
    return any(span.start() <= at - start < span.end() for span in _CODE_SPAN.finditer(line))


class WordGraph(SnapshotGraph):
    """A SnapshotGraph that is asked for the uses of many definitions: each source and each name is read once."""

    def __init__(self, store: Store, snapshot: int, index: WordIndex) -> None:
        super().__init__(store, snapshot)
        self.index = index
        self._references: dict[str, list[ReferenceSite]] = {}

    def references_named(self, names: Collection[str]) -> Iterator[ReferenceSite]:
        missing = [name for name in names if name not in self._references]
        for name in missing:
            self._references[name] = [*super().references_named([name])]
        return (site for name in sorted(names) for site in self._references[name])

    def sources_with(self, names: Collection[str], languages: Collection[str]) -> Iterator[tuple[str, str, str]]:
        for path in sorted({path for name in names for path in self.index.paths_with(name)}):
            yield from self.in_languages(path, *self.index.texts[path], languages)
