"""Find the entities whose text has all of some words.

Takes words in lower case; gives TextMatches by identity, a batch of files at a time. The store tells which files may
have the words; only these are read. Of nested entities the innermost counts, and each once: with its signature if the
words are there, else with its docs, else with its code. `find_words` finds words anywhere: for definitions that are
gone, and for files that are not code.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from birthmark.comparison.entity_changes import ChangeFilter, fits_path
from birthmark.comparison.file_roles import READING_ORDER, role_of
from birthmark.extraction.codec import unpack_entities, unpack_source
from birthmark.graph.network import Node
from birthmark.graph.symbols import definition_around
from birthmark.model import Entity, Span
from birthmark.queries.snapshot_graph import SnapshotGraph
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.vocabulary import SearchMatch

_LEAST_LENGTH = 3  # of a word that is looked for in all files
_BATCH = 8  # files whose matches are sorted together
_ENTITIES_FACTOR = 5  # cost of searching the entities of a text, relative to reading it
_IN_WORD = re.compile(r"[\w$]")


class TextMatch(NamedTuple):
    """The part of an entity that has the words, and the first line with the longest of them."""

    match: SearchMatch
    line: int
    text: str


class ReadingBudget:
    """The bytes of text that may still be read, so that no search takes long."""

    def __init__(self, n_bytes: int = 1_600_000) -> None:
        self.n_left = n_bytes
        self.is_exceeded = False

    def take(self, n_bytes: int) -> bool:
        """Return True if something may be read."""
        self.is_exceeded = self.is_exceeded or self.n_left <= 0
        self.n_left -= n_bytes
        return not self.is_exceeded


def search_files(
    view: SnapshotView, words: Sequence[str], wanted: ChangeFilter, budget: ReadingBudget
) -> Iterator[dict[int, TextMatch]]:
    """Yield matches by identity; source files come before those of docs and tests."""
    if not can_be_in_texts(words):
        return
    found = view.store.files_with(view.number, words)
    files = [file for file in found if fits_path(file[0], wanted.paths)] if wanted.paths else found
    rest = iter(sorted(files, key=lambda file: READING_ORDER.index(role_of(file[0]))))
    sought = sorted((word.encode() for word in words), key=len, reverse=True)  # Long ones are the rarest.
    while batch := list(islice(_files_having(view, rest, sought, budget), _BATCH)):
        yield {
            identity: match
            for version, extraction, source in batch
            for identity, match in _search_file(view, version, extraction, source, sought).items()
        }


def can_be_in_texts(words: Sequence[str]) -> bool:
    """Return True if texts are searched for the words: one is long enough."""
    return any(len(word) >= _LEAST_LENGTH for word in words)


def _files_having(
    view: SnapshotView, files: Iterator[tuple[str, int, int]], words: Sequence[bytes], budget: ReadingBudget
) -> Iterator[tuple[int, int, bytes]]:
    for _, version, extraction in files:
        packed = view.store.source(extraction)
        source = unpack_source(packed) if packed is not None else b""
        if not budget.take(len(source)):
            return
        lowered = source.lower()
        if all(word in lowered for word in words):
            budget.take(len(source) * _ENTITIES_FACTOR)
            yield version, extraction, source


def _search_file(
    view: SnapshotView, version: int, extraction: int, source: bytes, words: Sequence[bytes]
) -> dict[int, TextMatch]:
    """Return matches by identity."""
    packed = next((outline for _, outline in view.store.outlines([extraction])), None)
    found = search_source(unpack_entities(packed).entities, source, words) if packed is not None else {}
    identities = view.store.versions([version])[version].identities if found else ()
    return {identities[ordinal]: match for ordinal, match in found.items()}


def search_source(entities: Sequence[Entity], source: bytes, words: Sequence[bytes]) -> dict[int, TextMatch]:
    """Return matches by ordinal. Words are in lower case."""
    lowered = source.lower()
    found: dict[int, TextMatch] = {}
    is_around: set[int] = set()  # entities with one in them that has the words
    for ordinal in range(len(entities) - 1, -1, -1):
        entity = entities[ordinal]
        if ordinal not in is_around and _find_all(lowered, _whole(entity), words) is None:
            continue
        match = _match_entity(entity, source, lowered, words, with_code=ordinal not in is_around)
        if match is not None:
            found[ordinal] = match
        is_around.add(entity.container)
    return found


def _match_entity(
    entity: Entity, source: bytes, lowered: bytes, words: Sequence[bytes], *, with_code: bool
) -> TextMatch | None:
    for match, spans in _parts(entity):
        if match is SearchMatch.CODE and not with_code:
            return None
        at = _find_all(lowered, spans, words)
        if at is not None:
            return _text_match(source, match, at)
    return None


def _whole(entity: Entity) -> list[Span]:
    """Return the spans of an entity with the docs above it."""
    docs = entity.documentation_span
    return [(entity.start_byte, entity.end_byte), *([docs] if docs is not None else [])]


def _parts(entity: Entity) -> Iterator[tuple[SearchMatch, Sequence[Span]]]:
    name, docs = entity.name_span, entity.documentation_span
    yield SearchMatch.SIGNATURE, [*entity.interface_spans, *([name] if name is not None else [])]
    yield SearchMatch.DOC, [docs] if docs is not None else []
    yield SearchMatch.CODE, _whole(entity)


def _find_all(lowered: bytes, spans: Sequence[Span], words: Sequence[bytes]) -> int | None:
    """Return the place of the first word, if all of them are in some spans."""
    first, *others = words
    at = _find(lowered, spans, first)
    return at if at is not None and all(_find(lowered, spans, word) is not None for word in others) else None


def _find(lowered: bytes, spans: Sequence[Span], word: bytes) -> int | None:
    for start, end in spans:
        if (at := lowered.find(word, start, end)) >= 0:
            return at
    return None


def _text_match(source: bytes, match: SearchMatch, at: int) -> TextMatch:
    start, end = source.rfind(b"\n", 0, at) + 1, source.find(b"\n", at)
    line = source[start : end if end >= 0 else len(source)]
    return TextMatch(match, source.count(b"\n", 0, at) + 1, line.decode("utf-8", "replace").strip())


def find_words(graph: SnapshotGraph, words: Collection[str]) -> Iterator[tuple[str, Node, str, int]]:
    """Yield each word with the definitions, or files outside of them, that contain it: node, path and line."""
    if not words:
        return
    for path, text in graph.sources_with(words):
        places = sorted((start, word) for word in words for start in _places(text, word))
        seen: set[tuple[str, Node]] = set()
        number, at = 1, 0
        for start, word in places:
            number, at = number + text.count("\n", at, start), start
            around = definition_around(graph.inside(path), number)
            node = around.identity if around is not None else path
            if (word, node) not in seen:
                seen.add((word, node))
                yield word, node, path, number


def _places(text: str, word: str) -> Iterator[int]:
    """Yield the places of a word that are not part of another one."""
    start = text.find(word)
    while start >= 0:
        if not _IN_WORD.match(text, start + len(word)) and not (start and _IN_WORD.match(text, start - 1)):
            yield start
        start = text.find(word, start + 1)
