"""What definitions use: what they call, inherit from, read, write, name as a type or are decorated with.

Takes a GraphStore, a Resolver over it, definitions of one file and its text; gives a UsedDefinition for each far end,
by the line on which it is first used. What is sure comes with its resolution, and so does a name that has a single
candidate.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from birthmark.graph.edges import GraphStore
from birthmark.graph.reading.mentions import find_mentions
from birthmark.graph.reading.references import GIVES_NAME, Reference
from birthmark.graph.resolve import ResolvedReference, Resolver
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from birthmark.vocabulary import EdgeKind, Resolution

_WORD = re.compile(r"[^\W\d][\w$]*")


class UsedDefinition(NamedTuple):
    """The far end of a use, and its first place."""

    target: Definition
    edge: EdgeKind
    resolution: Resolution
    line: int


def uses_of(store: GraphStore, resolver: Resolver, sources: Sequence[Definition], text: str) -> list[UsedDefinition]:
    """Of a definition and all that is in it; `text` is that of their file."""
    own = {source.identity for source in sources}
    found: dict[int, UsedDefinition] = {}
    for use in sorted(_all_uses(store, resolver, sources, text), key=lambda use: (use.line, use.target)):
        if use.target.identity not in own:
            found.setdefault(use.target.identity, use)
    return list(found.values())


def _all_uses(
    store: GraphStore, resolver: Resolver, sources: Sequence[Definition], text: str
) -> Iterator[UsedDefinition]:
    known: defaultdict[str, list[Reference]] = defaultdict(list)
    for source in sources:
        for reference in store.references_inside(source):
            known[reference.name].append(reference)
            edge = EdgeKind.READS if reference.edge in GIVES_NAME else EdgeKind(reference.edge)
            yield from _uses(resolver.resolve(source.path, source.language, source, reference), edge, reference.line)
            if edge is EdgeKind.CALLS and reference.receiver is None:  # What is called may be held by a variable.
                read = msgspec.structs.replace(reference, edge=EdgeKind.READS)
                found = resolver.resolve(source.path, source.language, source, read)
                yield from _uses(found, EdgeKind.READS, reference.line)
    outer = sources[0]
    lexical = load_registry().lexical_of(outer.language)
    lines = text.split("\n")[: outer.end_line]
    code = "\n".join(["" if number < outer.start_line else line for number, line in enumerate(lines, 1)])
    bound = resolver.imports.names(outer.path, resolver.imports.rules(outer.language)).imported
    for name in sorted(set(_WORD.findall(code))):
        if name in bound or store.named(name):
            for mention in find_mentions(code, name, lexical, sources, known[name], is_type=True):
                source = next(one for one in reversed(sources) if one.start_line <= mention.line <= one.end_line)
                resolved = resolver.resolve(outer.path, outer.language, source, mention.as_reference())
                yield from _uses(resolved, mention.edge, mention.line)


def _uses(resolved: ResolvedReference, edge: EdgeKind, line: int) -> Iterator[UsedDefinition]:
    single = resolved.targets if len(resolved.targets) == 1 else ()
    for target in (*resolved.declaration, *resolved.claimed) or single:
        yield UsedDefinition(target, edge, resolved.resolution, line)
