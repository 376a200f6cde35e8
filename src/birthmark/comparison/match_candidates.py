"""Make MatchCandidates and readers of their tokens from the outlines of files."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from birthmark.extraction.model import EntityRef, OutlinedFile
from birthmark.matching.model import MatchCandidate
from birthmark.matching.similarity import Tokens, tokens_in
from birthmark.model import FUNCTION_LIKE, Span

WEIGHTY = 40  # bytes of body: a lighter entity is not identified by its content alone
_QUOTE = b'"'  # before the tokens of documentation, so that they count as little as punctuation

FamilyOf = Callable[[str], str]


def all_entities(files: Sequence[OutlinedFile]) -> list[EntityRef]:
    return [(f, e) for f, file in enumerate(files) for e in range(len(file.outline.entities))]


def match_candidates(
    files: Sequence[OutlinedFile], refs: Sequence[EntityRef], family_of: FamilyOf
) -> list[MatchCandidate]:
    """Return candidates for some entities; one whose container is not among them has none."""
    numbers = {ref: number for number, ref in enumerate(refs)}
    return [_candidate(files[f], f, e, numbers, family_of) for f, e in refs]


def _candidate(
    file: OutlinedFile, f: int, e: int, numbers: dict[EntityRef, int], family_of: FamilyOf
) -> MatchCandidate:
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
        entity.signature if entity.kind in FUNCTION_LIKE else "",
    )


def token_reader(files: Sequence[OutlinedFile]) -> Tokens:
    """Return a function that reads the tokens of candidates; files are loaded and texts cut up once.

    Documentation inside a definition counts as little as documentation above one.
    """
    by_path = {file.path: file for file in files}
    sources: dict[str, bytes] = {}
    documented: dict[str, dict[Span, Span]] = {}
    known: dict[tuple[str, Span], Sequence[bytes]] = {}

    def tokens(candidate: MatchCandidate) -> Sequence[bytes]:
        place = candidate.path, (candidate.start_byte, candidate.end_byte)
        if place not in known:
            known[place] = read(*place)
        return known[place]

    def read(path: str, span: Span) -> Sequence[bytes]:
        if path not in sources:
            sources[path], documented[path] = by_path[path].source(), _inner_documentation(by_path[path])
        source = sources[path][slice(*span)]
        inner = documented[path].get(span)
        if inner is None:
            return tokens_in(source)
        start, end = inner[0] - span[0], inner[1] - span[0]
        documentation = [_QUOTE + token for token in tokens_in(source[start:end])]
        return [*tokens_in(source[:start]), *documentation, *tokens_in(source[end:])]

    return tokens


def _inner_documentation(file: OutlinedFile) -> dict[Span, Span]:
    """Return the docstrings of a file, by the spans of what they document."""
    return {
        (entity.start_byte, entity.end_byte): entity.documentation_span
        for entity in file.outline.entities
        if entity.documentation_span is not None and entity.documentation_span[0] >= entity.start_byte
    }
