"""Cut out the code of a container without that of its members, as lines and as tokens.

`own_code_of` gives the lines of an entity with one `…` for each run of members. Two states of a class differ in its own
code only if its head, its documentation or something between its members differs. `own_token_reader` gives a function
from a candidate to its tokens, each counted for one entity only. Names, parameters and documentation are left out if
there is a body: extracted code gets new ones.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import groupby

from birthmark.comparison.patch import ELIDED, CodeLines, code_of, lines_of
from birthmark.extraction.model import OutlinedEntity, OutlinedFile
from birthmark.matching.model import MatchCandidate
from birthmark.matching.similarity import Tokens, tokens_in
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity, Span, subtract_spans

_MASK = bytes(byte if byte in b"\r\n" else 0 for byte in range(256))
_MASKED = re.compile("\0+")
_REMARK = re.compile("(?:(?:#|//).*)?")  # behind the end of a member
_BETWEEN = " \t\r,;\0"  # separators of members
_KEPT = 1 << 12  # entities whose tokens are kept from one commit to the next
_HAVE_BODIES = CLASS_LIKE | FUNCTION_LIKE


def own_code_of(entity: OutlinedEntity, *, with_name: bool = True) -> CodeLines:
    """Return the lines of an entity without its members; without its name, a renamed container is unchanged."""
    members = [one for one in entity.file.outline.entities if one.container == entity.ordinal]
    spans = [span for member in members for span in spans_of_member(member)]
    name = entity.entity.name_span
    holes = spans if with_name or name is None else [*spans, name]
    return _without(code_of(entity), entity.file.source(), holes) if holes else code_of(entity)


def _without(code: CodeLines, source: bytes, holes: list[Span]) -> CodeLines:
    last = code.first + len(code.lines) - 1
    masked = lines_of(_mask(source, holes))[code.first - 1 : last]
    numbers, lines, compared = [], [], []
    at = 0
    for is_elided, group in groupby(_elided(masked)):
        size = len(list(group))
        if is_elided:
            first = next(line for line in code.lines[at:] if line.strip())
            lines.append(first[: len(first) - len(first.lstrip())] + "…")
            compared.append(ELIDED)
            numbers.append(code.first + at)
        else:
            lines += code.lines[at : at + size]
            compared += [_MASKED.sub("…", line) for line in masked[at : at + size]]
            numbers += range(code.first + at, code.first + at + size)
        at += size
    return code._replace(lines=tuple(lines), numbers=tuple(numbers), compared=tuple(compared))


def spans_of_member(member: Entity) -> list[Span]:
    """Return the spans of a member with the lines above it, and those it shares with others of its declaration."""
    own = (member.lead_start, member.end_byte)
    return [own] if member.shared_span is None else [own, member.shared_span]


def _mask(source: bytes, spans: list[Span]) -> bytes:
    """Return the source with some spans masked but for their line ends."""
    masked = bytearray(source)
    for start, end in spans:
        masked[start:end] = source[start:end].translate(_MASK)
    return bytes(masked)


def _elided(masked: list[str]) -> list[bool]:
    """Return True for each line that holds nothing but members, and for blank lines beside those."""
    elided = ["\0" in line and _REMARK.fullmatch(line.strip(_BETWEEN)) is not None for line in masked]
    for order in (range(len(masked)), range(len(masked) - 1, -1, -1)):
        previous = False
        for index in order:
            elided[index] = elided[index] or (previous and not masked[index].strip())
            previous = elided[index]
    return elided


def own_token_reader(files: Sequence[OutlinedFile]) -> Tokens:
    """Return a function that reads the own tokens of candidates; files are loaded once and cut up on demand."""
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
    """Return the tokens of a text; most entities of a file are the same from one commit to the next."""
    return tuple(tokens_in(text))


def own_spans(entities: Sequence[Entity]) -> list[list[Span]]:
    """Return the own spans of each entity of a file."""
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
