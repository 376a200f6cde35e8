"""Run a language's query and read its matches.

Each pattern has one defining capture: trivia become bare spans, everything else becomes items.
`docs/how-to/add-a-language.md` describes the captures.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import msgspec
from tree_sitter import Node, Query, QueryCursor

from birthmark.errors import LanguageError
from birthmark.model import Level, Span

# The defining captures. Trivia become bare spans, roles become items with further captures.
TRIVIA = ("comment", "string", "block", "attribute", "wrap", "exclude")
ROLES = (
    "entity function call new import export inherits implements parameter variable constant "
    "scope property mutation segment bind mention mentions expression"
).split()
# Roles that a level does not need: their nodes are no entities and never share a base id with one.
_UNNEEDED = {
    Level.ENTITIES: frozenset({"call", "new", "import", "export"}),
    Level.OUTLINE: frozenset({"export", "parameter", "scope", "property", "mutation"}),
    Level.INTERIOR: frozenset({"mention", "mentions"}),
}
LOCAL_SCOPES = frozenset({"static_block", "init"})  # code in a class outside of methods
# Captures of contents, which distinguish items of the same name.
CONTENT = ("body", "arguments", "value", "content", "type")


class QueryPattern(msgspec.Struct, frozen=True):
    """One pattern of a query: `@entity.fn` has the role entity and the kind fn."""

    capture: str
    role: str
    kind: str
    settings: dict[str, str]
    content: str  # its capture among CONTENT
    is_plain: bool  # without further captures
    more: tuple[str, ...]  # captures besides its own, the name and the content
    binds: str = ""  # the role of its name as a binding, from `@bind` or the setting `bind`


# (start, -end, rank, sequence, pattern, name, content, more). They sort by position, outer before inner; of two
# patterns that match the same node by rank, and of two names in one node by position.
Item = tuple[int, int, int, int, QueryPattern, Span | None, Span | None, dict[str, Span]]
NOTHING: dict[str, Span] = {}

_CAPTURE = re.compile(r"@([\w.]+)")
_NO_CAPTURE = re.compile(r'"(?:[^"\\]|\\.)*"|;[^\n]*')


class CompiledQuery:
    """A query with descriptions of its patterns."""

    def __init__(self, query: Query, text: str, level: Level = Level.NODES) -> None:
        self.query = query
        self.patterns = describe_patterns(query, count_patterns(query), text)
        for rank, pattern in enumerate(self.patterns):
            if not is_needed(pattern, level):
                query.disable_pattern(rank)
        # Read for each of a hundred thousand matches, so they are unpacked at once.
        self.plans = [(one.capture, one.is_plain, one.content, one.more, one) for one in self.patterns]

    def run(self, root: Node) -> tuple[dict[str, list[Span]], list[Item]]:
        """Return the trivia by role, and the items, both in order."""
        trivia: dict[str, list[Span]] = {name: [] for name in TRIVIA}
        adders: list[Callable[[Span], None] | None] = [
            trivia[pattern.role].append if pattern.role in trivia else None for pattern in self.patterns
        ]
        plans = self.plans
        items: list[Item] = []
        for rank, captures in QueryCursor(self.query).matches(root):
            capture, is_plain, content, more, pattern = plans[rank]
            own = captures[capture][0]
            add = adders[rank]
            if add is not None:
                add(own.byte_range)
                continue
            if is_plain:
                items.append((own.start_byte, -own.end_byte, rank, len(items), pattern, None, None, NOTHING))
                continue
            name_span = content_span = None
            sequence = len(items)
            if nodes := captures.get("name"):
                name_start = nodes[0].start_byte
                sequence += name_start << 32
                name_span = (name_start, nodes[-1].end_byte)
            if content and (nodes := captures.get(content)):
                content_span = (nodes[0].start_byte, nodes[-1].end_byte)
            further = _read_more(captures, more) if more else NOTHING
            items.append((own.start_byte, -own.end_byte, rank, sequence, pattern, name_span, content_span, further))
        items.sort()
        for spans in trivia.values():
            spans.sort()
        return trivia, items


def is_needed(pattern: QueryPattern, level: Level) -> bool:
    """Return True if a level needs a pattern: for its nodes, its binding, or the frame of its scope."""
    is_kept = bool(pattern.binds) or pattern.kind in LOCAL_SCOPES
    return is_kept or pattern.role not in _UNNEEDED.get(level, ())


def count_patterns(query: Query) -> int:
    return cast("int", query.pattern_count)  # a property that the stubs declare as a method


def _read_more(captures: dict[str, list[Node]], more: tuple[str, ...]) -> dict[str, Span]:
    """Return the optional captures that matched."""
    return {name: (nodes[0].start_byte, nodes[-1].end_byte) for name in more if (nodes := captures.get(name))}


def describe_patterns(query: Any, count: int, text: str) -> list[QueryPattern]:
    """Describe the patterns of a query of tree-sitter, or of the extension module, which is asked in the same way."""
    encoded = text.encode()
    return [_describe_pattern(query, rank, encoded) for rank in range(count)]


def _describe_pattern(query: Any, rank: int, text: bytes) -> QueryPattern:
    """Read a pattern's captures from its text, because a match lacks optional captures that did not match."""
    source = text[query.start_byte_for_pattern(rank) : query.end_byte_for_pattern(rank)].decode()
    names = dict.fromkeys(_CAPTURE.findall(_NO_CAPTURE.sub("", source)))
    captures = [name for name in names if not name.startswith("_")]
    own = [name for name in captures if name.partition(".")[0] in (*TRIVIA, *ROLES)]
    if len(own) != 1:
        raise LanguageError(
            f"a pattern needs one capture that defines what it finds, not {own}: {' '.join(source.split())}"
        )
    role, _, kind = own[0].partition(".")
    settings = {key: value or "" for key, value in query.pattern_settings(rank).items()}
    content = next((name for name in CONTENT if name in captures), "")
    more = tuple(name for name in captures if name not in (own[0], "name", content))
    binds = kind if role == "bind" else settings.pop("bind", "")
    return QueryPattern(own[0], role, kind, settings, content, captures == own, more, binds)
