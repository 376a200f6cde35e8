"""Turn the items of a source into entities and nodes.

Takes a Syntax; returns both in the coordinates of that source. The sweep finds the entities; this module adds their
spans, documentation, signatures and decorators.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from birthmark.entities.frames import Draft
from birthmark.entities.implied_attributes import IMPLIED
from birthmark.entities.names import decode
from birthmark.entities.sweep import Sweep
from birthmark.languages.registry import LanguageSpec
from birthmark.model import BoundName, Entity, Level, Node, Occurrence, Span, subtract_spans
from birthmark.syntax.canonical import trim_end
from birthmark.syntax.parse import Syntax
from birthmark.syntax.query import Item

_LONGEST_SIGNATURE = 1000
_VISIBLE = re.compile(rb"\S")
_MORE_TARGETS = re.compile(rb"\s*[,)\]|]")


def extract_entities(
    syntax: Syntax, spec: LanguageSpec, level: Level, path: str, virtual_path: str | None = None
) -> tuple[list[Entity], list[Node], list[int], list[BoundName], list[Occurrence]]:
    """Return entities and nodes in source order, the node of each entity if there are nodes, and names in use."""
    sweep = Sweep(syntax, spec, level)
    sweep.run()
    trivia = find_leading_trivia(syntax)
    entities = [_finish_entity(sweep, draft, trivia, path, virtual_path or path) for draft in sweep.drafts]
    entity_nodes = [node for node, _ in sweep.entity_nodes]
    return entities, sweep.finished_nodes(), entity_nodes, sweep.bound_names, sweep.occurrences()


def _finish_entity(
    sweep: Sweep, draft: Draft, trivia: dict[int, tuple[Span | None, int]], path: str, virtual_path: str
) -> Entity:
    item, lines = draft.item, sweep.lines
    header, name_span, body = item[0], item[5], item[6]
    if name_span and not draft.start <= name_span[0] < draft.end:
        name_span = None  # An accessor has the name of its property.
    documentation, lead_start = None, draft.start
    if draft.start in trivia:
        documentation, first = trivia[draft.start]
        draft.start = min(draft.start, first)
        lead_start = min(draft.start, documentation[0]) if documentation else draft.start
    if documentation is None and draft.anchor != draft.start:
        # A comment above a group documents all its members.
        documentation = trivia.get(draft.anchor, (None, 0))[0]
    start, parent, mask = draft.start, draft.parent, sweep.syntax.mask
    end = trim_end(mask, start, draft.end)
    if body and body[1] > end:
        if end <= body[0] < body[1]:
            end = body[1]  # A here-document comes below its line.
        else:
            body = (min(body[0], end), end)
    if header > start and draft.shared is None:
        header = _skip_attributes(sweep.syntax, start, header)
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
        _attributes_between(sweep.syntax, start, name_span[0] if name_span else body[0] if body else end),
        tuple(draft.bases),
        lead_start,
        draft.shared,
        draft.container,
    )


def _head(source: bytes, item: Item, start: int, end: int) -> Span:
    """Return the span of the head; that of an implied attribute `self.x` is `x` with its type."""
    name_span = item[5]
    if IMPLIED not in item[4].settings or name_span is None:
        return start, end
    return name_span[0], name_span[1] if _MORE_TARGETS.match(source, name_span[1]) else end


def _signature(syntax: Syntax, start: int, end: int) -> str:
    """Return the head of a definition on one line, without comments."""
    end = min(end, start + _LONGEST_SIGNATURE)
    comments = syntax.comments
    first = bisect_left(comments, (start, 0))
    if first < len(comments) and comments[first][0] < end:
        spans = subtract_spans((start, end), tuple(comments[first : bisect_left(comments, (end, 0))]))
        text = decode(b" ".join(syntax.source[a:b] for a, b in spans))
    else:
        text = decode(syntax.source[start:end])
    return " ".join(text.split()).rstrip("{=:; ")


def _skip_attributes(syntax: Syntax, start: int, end: int) -> int:
    """Return the start of the text after the leading attributes."""
    spans = syntax.attributes
    index = bisect_left(spans, (start, 0))
    while index < len(spans) and spans[index][0] == start < end:
        rest = syntax.source[spans[index][1] : end]
        start = end - len(rest.lstrip())
        index = bisect_left(spans, (start, 0))
    return start


def _attributes_between(syntax: Syntax, start: int, end: int) -> tuple[str, ...]:
    """Return the texts of decorators, annotations and attributes in a span."""
    spans = syntax.attributes
    first = bisect_left(spans, (start, 0))
    if first == len(spans) or spans[first][0] >= end:
        return ()
    return tuple(" ".join(decode(syntax.source[a:b]).split()) for a, b in spans[first : bisect_left(spans, (end, 0))])


def find_leading_trivia(syntax: Syntax) -> dict[int, tuple[Span | None, int]]:
    """Return the documentation before definitions, and the start of their attributes, by the offset that follows.

    Comments and attributes with only white space between them are one group.
    """
    source, comments = syntax.source, set(syntax.comments)
    trivia: dict[int, tuple[Span | None, int]] = {}
    documentation: Span | None = None
    attribute_start = -1
    expected = -1
    for span in sorted(comments.union(syntax.attributes)):
        start, end = span
        if start != expected:
            documentation, attribute_start = None, -1
        expected = _next_visible(source, end)
        if span in comments:
            documentation = _extend_documentation(source, documentation, span, expected)
        else:
            trivia.setdefault(start, (documentation, start))
            attribute_start = start if attribute_start < 0 else attribute_start
        if documentation or attribute_start >= 0:
            trivia[expected] = documentation, attribute_start if attribute_start >= 0 else expected
    return trivia


def _extend_documentation(source: bytes, documentation: Span | None, comment: Span, following: int) -> Span | None:
    start, end = comment
    end = start + len(source[start:end].rstrip())
    line_start = source.rfind(b"\n", 0, start) + 1
    if source[line_start:start].strip():
        return documentation  # It documents the code on its line.
    if source[end:following].count(b"\n") > 1:
        return None  # A blank line separates it from the definition.
    return (documentation[0] if documentation else start, end)


def _next_visible(source: bytes, at: int) -> int:
    found = _VISIBLE.search(source, at)
    return found.start() if found else len(source)
