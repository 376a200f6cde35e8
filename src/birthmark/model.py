"""Frozen values that all rooms share.

Bytes count from 0 and ends are exclusive; lines count from 1 and `end_line` is inclusive. A Span is a pair of byte
offsets. Indexes into a sibling tuple are plain ints, -1 for none. Values are packed as arrays, which is small and fast
between processes and in the index; documents have their own shapes.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

import msgspec

from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind

Span = tuple[int, int]
_BROKEN = re.compile(r"(?<=[(\[]) |,? (?=[)\]])")  # line breaks in a list
_WORD = r"(?<![\w$]){}(?![\w$])"

CLASS_LIKE = frozenset({"class", "interface", "struct", "enum", "trait", "impl"})
FUNCTION_LIKE = frozenset({"fn", "method", "constructor"})
KINDS = (
    "mod namespace class interface struct enum trait impl fn method constructor "
    "field const var typedef macro member table view"
).split()

NODE_TYPES = {
    "mod": "MODULE",
    "namespace": "NAMESPACE",
    "class": "CLASS",
    "interface": "INTERFACE",
    "struct": "STRUCT",
    "enum": "ENUM",
    "trait": "TRAIT",
    "impl": "IMPL",
    "fn": "FUNCTION",
    "method": "FUNCTION",
    "constructor": "FUNCTION",
    "field": "FIELD",
    "const": "CONSTANT",
    "var": "VARIABLE",
    "typedef": "TYPE",
    "macro": "MACRO",
    "member": "MEMBER",
    "table": "TABLE",
    "view": "VIEW",
}


class Level(StrEnum):
    """The extent of an extraction; each level but the last includes the one before it."""

    ENTITIES = "entities"  # entities and fingerprints, at half the cost
    OUTLINE = "outline"  # with names, chunks and references
    NODES = "nodes"  # with every node
    INTERIOR = "interior"  # only scopes, local names and tokens


class Problem(msgspec.Struct, frozen=True, array_like=True):
    """A problem with a file that did not stop the run."""

    path: str
    problem: str
    line: int | None = None


class Base(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A type that an entity inherits from or implements."""

    relation: str  # inherits | implements
    name: str


class Entity(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A definition. Its span includes decorators and modifiers, not the doc comment above it."""

    kind: str
    name: str
    qualified_name: str
    parent: str | None
    language: str
    path: str
    virtual_path: str
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    name_span: Span | None
    body_span: Span | None
    documentation_span: Span | None
    signature: str
    decorators: tuple[str, ...]
    bases: tuple[Base, ...]
    lead_start: int  # the start of the comments and attributes right above it
    shared_span: Span | None  # the part shared with others of one declaration, as `int` in `int a, b`
    container: int  # the entity around it

    @property
    def declaration(self) -> str:
        """Return the head on one line, or the name if there is no head."""
        return one_line(self.signature) or self.name

    @property
    def qualified_declaration(self) -> str:
        """Return the head with the qualified name: `def Flask.url_for(self)`."""
        return qualify_declaration(self.declaration, self.name, self.qualified_name)

    @property
    def interface_spans(self) -> tuple[Span, ...]:
        """Return the span without name, body and documentation."""
        holes = (self.name_span, self.body_span, self.documentation_span)
        own = subtract_spans((self.start_byte, self.end_byte), holes)
        return own if self.shared_span is None else (self.shared_span, *own)

    @property
    def body_spans(self) -> tuple[Span, ...]:
        """Return the body or value, without a docstring in it."""
        if self.body_span is None:
            return ()
        return subtract_spans(self.body_span, (self.documentation_span,))

    @property
    def content_spans(self) -> tuple[Span, ...]:
        own = subtract_spans((self.start_byte, self.end_byte), (self.documentation_span,))
        return own if self.shared_span is None else (self.shared_span, *own)


def one_line(signature: str) -> str:
    """Return a head without line breaks in lists."""
    return _BROKEN.sub("", signature)


def qualify_declaration(declaration: str, name: str, qualified_name: str) -> str:
    """Return `def Flask.url_for(self)` for `def url_for(self)`.

    A head without the name gets it in front; one with a container, as `A::f` or `a.f = …`, stays unchanged.
    """
    found = re.search(_WORD.format(re.escape(name)), declaration)
    if found is None:
        return f"{qualified_name}  {declaration}".rstrip()
    before, after = declaration[: found.start()], declaration[found.end() :]
    return declaration if before.endswith((".", ":")) else before + qualified_name + after


class Location(msgspec.Struct, frozen=True):
    """The place of an entity, for people."""

    path: str
    qualified_name: str
    start_line: int
    end_line: int


class Node(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Anything with a semantic id.

    `content_span` distinguishes it from nodes of the same name, in its source: the file or the segment.
    """

    type: str
    name: str
    named_parent: str
    start_line: int
    end_line: int
    start_byte: int
    end_byte: int
    content_span: Span | None
    position: int | None  # of a parameter in its signature
    entity: int  # the entity that it is, or that contains it
    segment: int = -1
    alias: str | None = None  # the local name of an import, if different


EXPORTS = -2  # the owner of exported names


class BoundName(msgspec.Struct, frozen=True, gc=False):
    """A name in a source, and the text with its meaning."""

    role: str  # parameter | optional | rest | local | assigned | field | member | result | abstract | ...
    name: str  # "" for the result of a function, or the export of a whole module
    text: str  # of the value or the type; empty unless it is a name or a call
    is_type: bool
    step: str  # into the value: `[]` for an element, `.key` for a part
    owner: int  # the entity in which the name is valid, or whose member it is; -1 for the file
    entity: int  # the entity that contains the text
    start_byte: int
    end_byte: int  # the end of its validity; 0: that of its owner


class Occurrence(NamedTuple):
    """A name in a source that may refer to a definition, and is not a call."""

    role: str  # reads | writes | types | decorates | exports
    name: str
    receiver: str | None  # the text before the dot; "" if it is too long
    entity: int  # the entity that contains it
    start_byte: int  # of the name


class Segment(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A region of a file in another language."""

    type: str
    language: str | None
    segment_uid: str
    virtual_path: str
    start_byte: int
    end_byte: int


class Chunk(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A retrieval unit. `start` and `end` count code points of the decoded file."""

    kind: str
    name: str | None
    start: int
    end: int
    start_byte: int
    end_byte: int
    start_line: int
    end_line: int
    entity: int
    segment: int = -1


def subtract_spans(whole: Span, holes: tuple[Span | None, ...]) -> tuple[Span, ...]:
    """Cut the holes out of a span; holes may lie outside it, overlap or be None."""
    at, end = whole
    spans = []
    for hole_start, hole_end in sorted([hole for hole in holes if hole is not None]):
        if hole_end <= at or hole_start >= end:
            continue
        if hole_start > at:
            spans.append((at, hole_start))
        at = max(at, hole_end)
    if at < end:
        spans.append((at, end))
    return tuple(spans)


class DerivationEnd(NamedTuple):
    """The source or the derivative at the other end of a derivation, as far as it is known."""

    place: Location
    kind: DerivationKind
    share: float  # of the derivative's tokens that come from the source
    source_share: float  # of the source's tokens that are in the derivative
    evidence: DerivationEvidence
    confidence: Confidence
    ref: tuple[int, int] | None = None  # the file and the entity, among those compared
    mark: str | None = None
    key: str | None = None
    commit: str | None = None
    by_commit: bool = False  # whether that commit did it; else it was found when that commit was indexed
    is_present: bool | None = None
    repository: str | None = None  # another one, where all are asked
