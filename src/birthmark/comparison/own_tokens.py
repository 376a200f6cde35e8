"""The tokens of each entity's own code: of a container what is between its members, of a function its body.

Takes files; gives a function from a candidate to its tokens, each counted for one entity only. Names, parameters and
documentation are left out where there is a body: what is extracted gets these anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from birthmark.extraction.model import OutlinedFile
from birthmark.matching.model import MatchCandidate
from birthmark.matching.similarity import Tokens, tokens_in
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity, Span, subtract_spans

_HAVE_BODIES = CLASS_LIKE | FUNCTION_LIKE


def own_token_reader(files: Sequence[OutlinedFile]) -> Tokens:
    """Each file is loaded once."""
    by_path = {file.path: file for file in files}
    spans = cache(lambda path: _spans_by_place(by_path[path].outline.entities))
    sources = cache(lambda path: by_path[path].source())

    def tokens(candidate: MatchCandidate) -> Sequence[bytes]:
        own = spans(candidate.path)[candidate.start_byte, candidate.end_byte, candidate.name]
        return tokens_of_spans(sources(candidate.path), own)

    return tokens


def tokens_of_spans(source: bytes, spans: Sequence[Span]) -> list[bytes]:
    return [token for start, end in spans for token in tokens_in(source[start:end])]


def own_spans(entities: Sequence[Entity]) -> list[list[Span]]:
    """Of the entities of a file, in their order."""
    members: defaultdict[int, list[Span]] = defaultdict(list)
    for entity in entities:
        if entity.container >= 0:
            members[entity.container].append((entity.lead_start, entity.end_byte))
    return [
        [span for whole in _spans(entity) for span in subtract_spans(whole, tuple(members.get(index, ())))]
        for index, entity in enumerate(entities)
    ]


def _spans_by_place(entities: Sequence[Entity]) -> dict[tuple[int, int, str], list[Span]]:
    places = [(entity.start_byte, entity.end_byte, entity.name) for entity in entities]
    return dict(zip(places, own_spans(entities), strict=True))


def _spans(entity: Entity) -> tuple[Span, ...]:
    return entity.body_spans if entity.kind in _HAVE_BODIES and entity.body_span else entity.content_spans
