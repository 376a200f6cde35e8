"""Entities as matching sees them, made from the outlines of files."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from birthmark.entities.signatures import parse_signature
from birthmark.extraction.model import Outline
from birthmark.matching.model import MatchCandidate
from birthmark.matching.similarity import Tokens, tokens_in
from birthmark.model import FUNCTION_LIKE

_DECORATION = re.compile(r"@[\w.]+(\([^()]*\))?\s*|\b(final|const|readonly|mut|var|val|let|in|out|ref)\s+")

FamilyOf = Callable[[str], str]
EntityRef = tuple[int, int]  # the index of a file, and of an entity in it


class Outlined(Protocol):
    """A file by its outline, which carries no path, and a way to its bytes."""

    @property
    def path(self) -> str: ...
    @property
    def outline(self) -> Outline: ...
    @property
    def source(self) -> Callable[[], bytes]: ...


def all_entities(files: Sequence[Outlined]) -> list[EntityRef]:
    return [(f, e) for f, file in enumerate(files) for e in range(len(file.outline.entities))]


def match_candidates(
    files: Sequence[Outlined], places: Sequence[EntityRef], family_of: FamilyOf
) -> list[MatchCandidate]:
    """The entities at some places; one whose container is not among them has none."""
    numbers = {place: number for number, place in enumerate(places)}
    return [_subject(files[f], f, e, numbers, family_of) for f, e in places]


def _subject(file: Outlined, f: int, e: int, numbers: dict[EntityRef, int], family_of: FamilyOf) -> MatchCandidate:
    outline = file.outline
    entity, fingerprint = outline.entities[e], outline.fingerprints[e]
    return MatchCandidate(
        outline.semantic_ids[e],
        file.path,
        entity.kind,
        entity.name,
        entity.parent,
        entity.start_line,
        entity.end_line,
        fingerprint.content,
        fingerprint.interface,
        fingerprint.body,
        family_of(entity.language),
        outline.weights[e],
        numbers.get((f, entity.container), -1),
        entity.start_byte,
        entity.end_byte,
        _parameters(entity.signature, entity.name) if entity.kind in FUNCTION_LIKE else "",
    )


@lru_cache(1 << 14)
def _parameters(signature: str, name: str) -> str:
    """As written, but for modifiers and annotations."""
    parameters = parse_signature(signature, name).parameters
    return ",".join(_DECORATION.sub("", parameter) for parameter in parameters) or "()"


def token_reader(files: Sequence[Outlined]) -> Tokens:
    """Reads the tokens of subjects out of their files, each of which is loaded once."""
    loaders = {file.path: file.source for file in files}
    sources: dict[str, bytes] = {}

    def tokens(subject: MatchCandidate) -> Sequence[bytes]:
        if subject.path not in sources:
            sources[subject.path] = loaders[subject.path]()
        return tokens_in(sources[subject.path][subject.start_byte : subject.end_byte])

    return tokens
