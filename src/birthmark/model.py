"""The frozen values that walk through the house.

Bytes count from 0 and ends are exclusive; lines count from 1 and `end_line` is inclusive. A Span is a pair of byte
offsets. Indexes into a sibling tuple are plain ints, -1 for none. Values are packed as arrays, which is small and
fast between processes and in the index; what leaves the house has its own shapes.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

import msgspec

from birthmark.vocabulary import Confidence, DerivationEvidence, DerivationKind

Span = tuple[int, int]
_BROKEN = re.compile(r"(?<=[(\[]) |,? (?=[)\]])")  # where a list was broken into lines
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
    """How much a worker extracts; all but the last hold what the one before them holds."""

    ENTITIES = "entities"  # the entities and their fingerprints, at half the cost
    OUTLINE = "outline"  # with names, chunks and references
    NODES = "nodes"  # with every node
    INTERIOR = "interior"  # the scopes, local names and tokens alone


class Problem(msgspec.Struct, frozen=True, array_like=True):
    """Something a user should know about a file that did not stop the run."""

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
    lead_start: int  # where the comments and attributes right above it start
    shared_span: Span | None  # what it shares with others of one declaration, as `int` in `int a, b`
    container: int  # the entity around it

    @property
    def declaration(self) -> str:
        """Its head as if it were written on one line; its name where there is none."""
        return one_line(self.signature) or self.name

    @property
    def qualified_declaration(self) -> str:
        """The same by its qualified name."""
        return qualify_declaration(self.declaration, self.name, self.qualified_name)

    @property
    def interface_spans(self) -> tuple[Span, ...]:
        """What is left of the span without name, body and documentation."""
        holes = (self.name_span, self.body_span, self.documentation_span)
        own = subtract_spans((self.start_byte, self.end_byte), holes)
        return own if self.shared_span is None else (self.shared_span, *own)

    @property
    def body_spans(self) -> tuple[Span, ...]:
        """The body or value, without a docstring in it."""
        if self.body_span is None:
            return ()
        return subtract_spans(self.body_span, (self.documentation_span,))

    @property
    def content_spans(self) -> tuple[Span, ...]:
        own = subtract_spans((self.start_byte, self.end_byte), (self.documentation_span,))
        return own if self.shared_span is None else (self.shared_span, *own)


def one_line(signature: str) -> str:
    """Return a head without what would break the line."""
    return _BROKEN.sub("", signature)


def qualify_declaration(declaration: str, name: str, qualified_name: str) -> str:
    """Return `def Flask.url_for(self)` for `def url_for(self)`; the name is put before a head that lacks it.

    A head that says what it is in, as `A::f` or `a.f = …`, stays as it is.
    """
    found = re.search(_WORD.format(re.escape(name)), declaration)
    if found is None:
        return f"{qualified_name}  {declaration}".rstrip()
    before, after = declaration[: found.start()], declaration[found.end() :]
    return declaration if before.endswith((".", ":")) else before + qualified_name + after


class Location(msgspec.Struct, frozen=True):
    """Where an entity is, for people."""

    path: str
    qualified_name: str
    start_line: int
    end_line: int


class Node(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Anything with a semantic id.

    `content_span` distinguishes it from nodes of the same name, in the source it is from: the file or the segment.
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
    alias: str | None = None  # what an import is called here, where that is not its own name


EXPORTS = -2  # as the owner of a name: what a module exports


class BoundName(msgspec.Struct, frozen=True, gc=False):
    """A name that a source gives to something, and the text that says what it means."""

    role: str  # parameter | optional | rest | local | assigned | field | member | result | abstract | ...
    name: str  # "" for what a function returns, or a module exports as a whole
    text: str  # of the value or the type; empty where it is neither named nor called
    is_type: bool
    step: str  # taken from the value: `[]` for an element, `.key` for a part
    owner: int  # the entity in which the name holds, or of which it is a member; -1 for the file
    entity: int  # the entity in which the text is
    start_byte: int
    end_byte: int  # up to which the name holds; 0: as long as its owner


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
