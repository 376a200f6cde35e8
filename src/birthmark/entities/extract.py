"""Turn the items of a source into entities and nodes.

Takes a Syntax; returns an Extraction in the coordinates of that source. The sweep finds the entities; this module adds
their spans, documentation, signatures and decorators.
"""

from __future__ import annotations

import re
from bisect import bisect_left

import msgspec

from birthmark.entities.frames import Draft
from birthmark.entities.implied_attributes import IMPLIED
from birthmark.entities.names import decode
from birthmark.entities.sweep import Sweep
from birthmark.languages.registry import LanguageSpec
from birthmark.model import BoundName, Entity, Level, Node, Span, subtract_spans
from birthmark.syntax.canonical import trim_end
from birthmark.syntax.parse import Syntax
from birthmark.syntax.query import Item

_LONGEST_SIGNATURE = 1000
_MORE_TARGETS = re.compile(rb"\s*[,)\]|]")


class Extraction(msgspec.Struct, frozen=True):
    """The entities and nodes of one source, in source order; and the node of each entity, where there are nodes."""

    entities: tuple[Entity, ...]
    nodes: tuple[Node, ...]
    entity_nodes: tuple[int, ...]
    bound_names: tuple[BoundName, ...]


def extract_entities(
    syntax: Syntax, spec: LanguageSpec, level: Level, path: str, virtual_path: str | None = None
) -> Extraction:
    sweep = Sweep(syntax, spec, level)
    sweep.run()
    entities = _finish(sweep, path, virtual_path or path)
    entity_nodes = tuple(node for node, _ in sweep.entity_nodes)
    return Extraction(entities, tuple(sweep.finished_nodes()), entity_nodes, tuple(sweep.bound_names))


def _finish(sweep: Sweep, path: str, virtual_path: str) -> tuple[Entity, ...]:
    attributes = _AttributeSpans(sweep.source, sweep.syntax.attributes)
    return tuple(_finish_entity(sweep, draft, attributes, path, virtual_path) for draft in sweep.drafts)


def _finish_entity(sweep: Sweep, draft: Draft, attributes: _AttributeSpans, path: str, virtual_path: str) -> Entity:
    item, lines = draft.item, sweep.lines
    header, name_span, body = item[0], item[5], item[6]
    if name_span and not draft.start <= name_span[0] < draft.end:
        name_span = None  # An accessor has the name of its property.
    documentation, lead_start = None, draft.start
    trivia = sweep.trivia.get(draft.start)
    if trivia is not None:
        documentation = trivia.documentation
        draft.start = min(draft.start, trivia.start)
        lead_start = min(draft.start, documentation[0]) if documentation else draft.start
    if documentation is None and draft.anchor != draft.start:
        # A comment above a group documents all its members.
        group = sweep.trivia.get(draft.anchor)
        documentation = group.documentation if group else None
    start, parent, mask = draft.start, draft.parent, sweep.syntax.mask
    end = trim_end(mask, start, draft.end)
    if body and body[1] > end:
        if end <= body[0] < body[1]:
            end = body[1]  # A here-document is below the line that it belongs to.
        else:
            body = (min(body[0], end), end)
    if header > start and draft.shared is None:
        header = attributes.after(start, header)
    return Entity(
        draft.kind,
        draft.name,
        f"{parent}.{draft.name}" if parent else draft.name,
        parent or None,
        sweep.spec.name,
        path,
        virtual_path,
        lines.of(start),
        lines.last_of(start, end),
        start,
        end,
        name_span,
        body,
        item[7].get("documentation") or documentation,
        _signature(sweep.syntax, *_head(sweep.source, item, header, body[0] if body and body[0] > header else end)),
        attributes.between(start, name_span[0] if name_span else body[0] if body else end),
        tuple(draft.bases),
        lead_start,
        draft.shared,
        draft.container,
    )


def _head(source: bytes, item: Item, start: int, end: int) -> Span:
    """That of an attribute which is assigned as `self.x` is `x` with its type; it ends where others are assigned."""
    name_span = item[5]
    if IMPLIED not in item[4].settings or name_span is None:
        return start, end
    return name_span[0], name_span[1] if _MORE_TARGETS.match(source, name_span[1]) else end


def _signature(syntax: Syntax, start: int, end: int) -> str:
    """The head of a definition on one line, without comments."""
    end = min(end, start + _LONGEST_SIGNATURE)
    comments = syntax.comments
    first = bisect_left(comments, (start, 0))
    if first < len(comments) and comments[first][0] < end:
        spans = subtract_spans((start, end), tuple(comments[first : bisect_left(comments, (end, 0))]))
        text = decode(b" ".join(syntax.source[a:b] for a, b in spans))
    else:
        text = decode(syntax.source[start:end])
    return " ".join(text.split()).rstrip("{=:; ")


class _AttributeSpans:
    """The texts of decorators, annotations and attributes by position."""

    def __init__(self, source: bytes, spans: list[Span]) -> None:
        self.source = source
        self.spans = spans
        self.starts = [start for start, _ in spans]

    def after(self, start: int, end: int) -> int:
        """The start of the text after the leading attributes."""
        index = bisect_left(self.starts, start)
        while index < len(self.starts) and self.starts[index] == start < end:
            rest = self.source[self.spans[index][1] : end]
            start = end - len(rest.lstrip())
            index = bisect_left(self.starts, start)
        return start

    def between(self, start: int, end: int) -> tuple[str, ...]:
        first = bisect_left(self.starts, start)
        if first == len(self.starts) or self.starts[first] >= end:
            return ()
        last = bisect_left(self.starts, end)
        return tuple(" ".join(decode(self.source[a:b]).split()) for a, b in self.spans[first:last])
