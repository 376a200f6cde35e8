"""The tokens of each entity's own code: of a container what is between its members, of a function its body.

Takes files; gives a function from a candidate to its tokens, each counted for one entity only. Names, parameters and
documentation are left out where there is a body: what is extracted gets these anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache

from birthmark.comparison.own_code import spans_of_member
from birthmark.extraction.model import OutlinedFile
from birthmark.matching.model import MatchCandidate
from birthmark.matching.similarity import Tokens, tokens_in
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity, Span, subtract_spans

_KEPT = 1 << 12  # entities whose tokens are kept from one commit to the next
_HAVE_BODIES = CLASS_LIKE | FUNCTION_LIKE


def own_token_reader(files: Sequence[OutlinedFile]) -> Tokens:
    """Each file is loaded once, and only what is asked for is cut up."""
    by_path = {file.path: file.outline.entities for file in files}
    members = cache(lambda path: _spans_of_members(by_path[path]))
    places = cache(lambda path: {_place(entity): index for index, entity in enumerate(by_path[path])})
    sources = {file.path: file.source for file in files}
    texts = cache(lambda path: sources[path]())

    def tokens(candidate: MatchCandidate) -> Sequence[bytes]:
        path = candidate.path
        index = places(path)[_place(candidate)]
        return tokens_of_spans(texts(path), _own_spans(by_path[path][index], members(path).get(index, ())))

    return tokens


def tokens_of_spans(source: bytes, spans: Sequence[Span]) -> Sequence[bytes]:
    return _cut(b"\n".join([source[start:end] for start, end in spans]))


@lru_cache(_KEPT)
def _cut(text: bytes) -> Sequence[bytes]:
    """Most entities of a file are the same from one commit to the next."""
    return tuple(tokens_in(text))


def own_spans(entities: Sequence[Entity]) -> list[list[Span]]:
    """Of the entities of a file, in their order."""
    members = _spans_of_members(entities)
    return [_own_spans(entity, members.get(index, ())) for index, entity in enumerate(entities)]


def _spans_of_members(entities: Sequence[Entity]) -> dict[int, list[Span]]:
    members: defaultdict[int, list[Span]] = defaultdict(list)
    for entity in entities:
        if entity.container >= 0:
            members[entity.container] += spans_of_member(entity)
    return members


def _own_spans(entity: Entity, members: Sequence[Span]) -> list[Span]:
    if not members:
        return list(_spans(entity))
    return [span for whole in _spans(entity) for span in subtract_spans(whole, tuple(members))]


def _place(entity: Entity | MatchCandidate) -> tuple[int, int, str]:
    return entity.start_byte, entity.end_byte, entity.name


def _spans(entity: Entity) -> tuple[Span, ...]:
    return entity.body_spans if entity.kind in _HAVE_BODIES and entity.body_span else entity.content_spans
