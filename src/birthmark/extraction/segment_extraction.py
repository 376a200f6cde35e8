"""Extract a source and the sources inside it.

Takes bytes and a language; returns a Part: entities, nodes, segments and pieces of chunks, all in the coordinates of
those bytes. Segments of a container are parts themselves, moved into its coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from birthmark.entities.chunks import ChunkSizes, Piece, tile_source
from birthmark.entities.expressions import Expression, find_expressions
from birthmark.entities.extract import extract_entities
from birthmark.entities.segments import Region, find_regions, runs_to_container, span_to_container, to_container
from birthmark.graph.reading.read_references import LOCAL_ROLES, references_of
from birthmark.identity.uids import segment_uid, virtual_path
from birthmark.languages.registry import LanguageSpec, Registry
from birthmark.model import BoundName, Entity, Level, Node, Occurrence, Segment, Span
from birthmark.syntax.lines import Lines
from birthmark.syntax.parse import Syntax, read_syntax

_DEEPEST_CONTAINER = 4
_WITH_USES = frozenset({Level.OUTLINE, Level.NODES})


class Parsed(NamedTuple):
    """A parsed source, from which contents are hashed, with its first node in the Part and the regions around it."""

    first_node: int
    source: bytes
    mask: bytes
    entities: Sequence[Entity]
    nodes: Sequence[Node]
    regions: tuple[Region, ...] = ()  # the innermost first


class Part:
    """The contents of a source, in its own coordinates."""

    def __init__(self) -> None:
        self.entities: list[Entity] = []
        self.nodes: list[Node] = []
        self.entity_nodes: list[int] = []
        self.bound_names: list[BoundName] = []
        self.occurrences: list[Occurrence] = []
        self.segments: list[Segment] = []
        self.pieces: list[tuple[Piece, int]] = []  # with the segment
        self.parsed: list[Parsed] = []
        self.errors: list[int] = []  # offsets
        self.lines: Lines

    def joined_mask(self, n_bytes: int) -> bytes:
        """Join the masks of all sources in a file, in its coordinates; the rest of the file has no tokens."""
        joined = bytearray(n_bytes)
        for parsed in self.parsed:
            runs = [(0, parsed.mask)]
            for region in parsed.regions:
                runs = [moved for run in runs for moved in runs_to_container(region, *run)]
            for start, mask in runs:
                joined[start : start + len(mask)] = mask
        return bytes(joined)


class Reader(NamedTuple):
    """Read the parts of a file; the fields are the same for all of them."""

    path: str
    registry: Registry
    sizes: ChunkSizes
    level: Level

    def read(self, source: bytes, spec: LanguageSpec, here: str, depth: int = 0) -> Part:
        """Read a source; `here` is the path of the file, or the virtual path of the segment."""
        syntax = read_syntax(source, spec, self.level)
        if spec.is_container:
            return self._read_container(syntax, spec, depth)
        part = Part()
        part.lines = syntax.lines
        entities, nodes, part.entity_nodes, part.bound_names, part.occurrences = extract_entities(
            syntax, spec, self.level, self.path, here
        )
        part.entities, part.nodes = [*entities], [*nodes]
        part.parsed = [Parsed(0, source, syntax.mask, entities, nodes)]
        part.errors = syntax.errors
        pieces = tile_source(source, entities, syntax.cut_points, self.sizes)
        part.pieces = [(piece, -1) for piece in pieces]
        return part

    def _read_container(self, syntax: Syntax, spec: LanguageSpec, depth: int) -> Part:
        part, at = Part(), 0
        part.lines = syntax.lines
        regions = find_regions(syntax, spec, self.registry) if depth < _DEEPEST_CONTAINER else ()
        for region in regions:
            part.pieces += self._tile_gap(syntax, (at, region.start))
            at = region.end
            uid = segment_uid(region.type, region.language, region.text.decode("utf-8", "surrogateescape"))
            here = virtual_path(self.path, uid)
            inner = self._read_region(region, here, depth)
            _adopt(part, inner, region, Segment(region.type, region.language, uid, here, region.start, region.end))
        part.pieces += self._tile_gap(syntax, (at, len(syntax.source)))
        if self.level in _WITH_USES:
            self._read_expressions(part, syntax, spec, regions)
        return part

    def _read_expressions(self, part: Part, syntax: Syntax, spec: LanguageSpec, regions: Sequence[Region]) -> None:
        """Add the uses in the markup. They are in the language of the first script."""
        scripts = (region.language for region in regions if region.type == "script" and region.language)
        named = spec.embedded.get("expression") or next(scripts, spec.embedded.get("script", ""))
        language = self.registry.named(named)
        if language is None or language.is_container:
            return
        members = _members_of(self.registry.resolution_of(spec.name).default_name, part.entities)
        for expression in find_expressions(syntax, spec, regions, self.registry):
            inner = read_syntax(expression.region.text, language, self.level)
            entities, nodes, _, bound_names, occurrences = extract_entities(inner, language, self.level, self.path, "")
            occurrences = [*occurrences, *_calls_in(nodes, language.name, expression.region.text)]
            part.bound_names += [one for name in bound_names if (one := _move_local(name, entities, expression))]
            part.occurrences += [_move_use(one, expression, members) for one in occurrences]

    def _read_region(self, region: Region, here: str, depth: int) -> Part:
        spec = self.registry.named(region.language) if region.language else None
        if spec is not None:
            return self.read(region.text, spec, here, depth + 1)
        part = Part()
        part.pieces = [(Piece(0, len(region.text), region.type, None, -1), -1)]
        return part

    def _tile_gap(self, syntax: Syntax, span: Span) -> list[tuple[Piece, int]]:
        start, end = span
        if start >= end:
            return []

        def cut_points(inner: Span, limit: int) -> list[int]:
            return [point - start for point in syntax.cut_points((inner[0] + start, inner[1] + start), limit)]

        pieces = tile_source(syntax.source[start:end], (), cut_points, self.sizes)
        return [(piece.spanning(piece.start + start, piece.end + start), -1) for piece in pieces]


def _adopt(part: Part, inner: Part, region: Region, segment: Segment) -> None:
    """Add the contents of a region, in the coordinates of its container."""
    first_entity, first_node = len(part.entities), len(part.nodes)
    own, first_segment = len(part.segments), len(part.segments) + 1

    def renumber(index: int) -> int:
        return own if index < 0 else index + first_segment

    part.segments.append(segment)
    part.segments += [_move_segment(sub, region) for sub in inner.segments]
    part.entities += [_move_entity(entity, region, first_entity) for entity in inner.entities]
    part.nodes += [_move_node(node, region, first_entity, renumber(node.segment)) for node in inner.nodes]
    part.bound_names += [_move_bound_name(bound_name, region, first_entity) for bound_name in inner.bound_names]
    part.occurrences += [_move_occurrence(one, region, first_entity) for one in inner.occurrences]
    part.entity_nodes += [index + first_node for index in inner.entity_nodes]
    part.parsed += [_move_parsed(parsed, region, first_node) for parsed in inner.parsed]
    part.errors += [to_container(region, offset) for offset in inner.errors]
    starts = [region.start, *(to_container(region, piece.start) for piece, _ in inner.pieces[1:]), region.end]
    for (piece, index), start, end in zip(inner.pieces, starts, starts[1:], strict=False):
        entity = piece.entity + first_entity if piece.entity >= 0 else -1
        part.pieces.append((Piece(start, end, piece.kind, piece.name, entity), renumber(index)))


def _move_parsed(parsed: Parsed, region: Region, first: int) -> Parsed:
    return parsed._replace(first_node=parsed.first_node + first, regions=(*parsed.regions, region))


def _move_segment(segment: Segment, region: Region) -> Segment:
    start, end = span_to_container(region, (segment.start_byte, segment.end_byte))
    return msgspec.structs.replace(segment, start_byte=start, end_byte=end)


def _move_entity(entity: Entity, region: Region, first: int) -> Entity:
    def move(span: Span | None) -> Span | None:
        return span_to_container(region, span) if span else None

    start, end = span_to_container(region, (entity.start_byte, entity.end_byte))
    return msgspec.structs.replace(
        entity,
        start_byte=start,
        end_byte=end,
        name_span=move(entity.name_span),
        body_span=move(entity.body_span),
        documentation_span=move(entity.documentation_span),
        shared_span=move(entity.shared_span),
        lead_start=to_container(region, entity.lead_start),
        container=entity.container + first if entity.container >= 0 else -1,
    )


def _move_node(node: Node, region: Region, first: int, segment: int) -> Node:
    start, end = span_to_container(region, (node.start_byte, node.end_byte))
    entity = node.entity + first if node.entity >= 0 else -1
    return msgspec.structs.replace(node, start_byte=start, end_byte=end, entity=entity, segment=segment)


def _move_bound_name(bound_name: BoundName, region: Region, first: int) -> BoundName:
    start, end = span_to_container(region, (bound_name.start_byte, max(bound_name.start_byte, bound_name.end_byte)))
    return msgspec.structs.replace(
        bound_name,
        owner=bound_name.owner + first if bound_name.owner >= 0 else bound_name.owner,
        entity=bound_name.entity + first if bound_name.entity >= 0 else -1,
        start_byte=start,
        end_byte=end if bound_name.end_byte else 0,
    )


def _calls_in(nodes: Iterable[Node], language: str, source: bytes) -> Iterator[Occurrence]:
    """Return the calls as occurrences, because an expression has no nodes in the file."""
    for node in nodes:
        for call in references_of((node,), (), language, source) if node.type == "CALL" else ():
            yield Occurrence(call.edge, call.name, call.receiver, -1, node.start_byte)


def _move_local(name: BoundName, entities: Sequence[Entity], expression: Expression) -> BoundName | None:
    """Return a name that holds in a part of the file, that of a function or of the expression; None for all others."""
    start, end = name.start_byte, name.end_byte
    if name.owner >= 0:
        start, end = entities[name.owner].start_byte, entities[name.owner].end_byte
    if name.role not in LOCAL_ROLES or not end:
        return None
    start, end = expression.scope or span_to_container(expression.region, (start, end))
    return msgspec.structs.replace(name, owner=-1, entity=-1, start_byte=start, end_byte=end)


def _members_of(main: str, entities: Sequence[Entity]) -> dict[str, str]:
    """Return the members of the main export with their parents: markup has bare names for them."""
    top = {one.name for one in entities if one.container < 0}
    parents = [(one.name, one.parent) for one in entities if one.parent and one.name not in top]
    return {name: parent for name, parent in parents if parent.split(".")[0] == main and parent.count(".") <= 1}


def _move_use(one: Occurrence, expression: Expression, members: Mapping[str, str]) -> Occurrence:
    """Move it to the top level of the file."""
    start, strip = to_container(expression.region, one.start_byte), expression.strip
    if one.receiver is not None:
        return one._replace(receiver=one.receiver.lstrip(strip), entity=-1, start_byte=start)
    name = one.name.lstrip(strip)
    return Occurrence(one.role, name, members.get(name), -1, start)


def _move_occurrence(occurrence: Occurrence, region: Region, first: int) -> Occurrence:
    entity = occurrence.entity + first if occurrence.entity >= 0 else -1
    return occurrence._replace(entity=entity, start_byte=to_container(region, occurrence.start_byte))
