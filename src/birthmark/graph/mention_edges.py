"""Edges to definitions from where their names are in code that calls nothing, for many definitions in one pass.

Takes a UserStore, a Resolver over it and definitions; gives NetworkEdges: what reads, writes, exports them, names them
as a type or is decorated with them. A candidate by name is an edge here, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial

from birthmark.graph.edges import names_of
from birthmark.graph.network import NetworkEdge
from birthmark.graph.reading.mentions import find_mentions
from birthmark.graph.reading.references import Reference
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import NAMED_TYPES, Definition
from birthmark.graph.users import UserStore, definition_around, languages_of
from birthmark.languages.registry import load_registry
from birthmark.languages.rules import ResolutionRules

_WORD = re.compile(r"[\w$]+")


def mention_edges(store: UserStore, resolver: Resolver, targets: Iterable[Definition]) -> Iterator[NetworkEdge]:
    groups: defaultdict[ResolutionRules, list[Definition]] = defaultdict(list)
    for target in targets:
        groups[resolver.imports.rules(target.language)].append(target)
    for group in groups.values():
        yield from _edges_of_group(store, resolver, group)


def _edges_of_group(store: UserStore, resolver: Resolver, targets: Sequence[Definition]) -> Iterator[NetworkEdge]:
    names: defaultdict[str, list[Definition]] = defaultdict(list)
    for target in targets:
        for name in names_of(store, resolver, target):
            names[name].append(target)
    known: defaultdict[tuple[str, str], list[Reference]] = defaultdict(list)
    for path, _, _, reference in store.references_named(names):
        for mentioned in {reference.name, reference.alias} & names.keys():
            known[path, str(mentioned)].append(reference)
    for path, language, text in store.sources_with(names, languages_of(resolver, targets[0])):
        definitions, lexical = store.inside(path), load_registry().lexical_of(language)
        around = lru_cache(partial(definition_around, definitions))
        for name in sorted(names.keys() & set(_WORD.findall(text))):
            is_type = any(one.kind in NAMED_TYPES for one in names[name])
            wanted = {one.identity for one in names[name]}
            for mention in find_mentions(text, name, lexical, definitions, known[path, name], is_type=is_type):
                source = around(mention.line)
                resolved = resolver.resolve(path, language, source, mention.as_reference())
                user = source.identity if source is not None else path
                for one in {one.identity for one in resolved.targets} & wanted - {user}:
                    yield NetworkEdge(user, one, mention.edge, resolved.resolution, path, mention.line)
