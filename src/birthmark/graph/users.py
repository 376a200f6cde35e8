"""All uses of a definition: what calls it, imports it, mentions it, or has it as a base.

Takes a UserStore and a Resolver over it; gives Edges. Calls, imports and bases are stored as References; where it is
read, written, a type, a decorator or exported is found in the sources that have its name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Protocol

from birthmark.graph.candidates import MENTIONS
from birthmark.graph.edges import Edge, GraphStore, ReferenceSite, edges_to, in_order, names_of
from birthmark.graph.reading.mentions import Mention, find_mentions
from birthmark.graph.reading.references import Reference
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import NAMED_TYPES, Definition
from birthmark.languages.registry import load_registry
from birthmark.languages.rules import ResolutionRules
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.vocabulary import EdgeKind, Resolution

CALLS = frozenset({EdgeKind.CALLS})
SUBCLASSES = frozenset({EdgeKind.INHERITS, EdgeKind.IMPLEMENTS, EdgeKind.OVERRIDES})
REFERENCES = MENTIONS | {EdgeKind.IMPORTS}
ALL_USES = CALLS | SUBCLASSES | REFERENCES

_LINKS = (".", "->", "::", "\\")  # before a member
_FAR = 100  # characters in which one is looked for


Source = tuple[str, str, str]  # path, language and text


class UserStore(GraphStore, Protocol):
    """A snapshot's definitions and references, with its sources."""

    def sources_with(self, names: Collection[str], languages: Collection[str]) -> Iterable[Source]:
        """The files that have one of the names in one of these languages."""


def users(
    store: UserStore,
    resolver: Resolver,
    target: Definition,
    kinds: Collection[EdgeKind] = ALL_USES,
    other_names: Collection[str] = (),
    sources: Iterable[Source] | None = None,
) -> list[Edge]:
    """The places that use a definition, or may do so; the sure ones first.

    `other_names` are given to it in files that the store does not look into. `sources` are those that mention it, where
    they are known; else it is looked for in all that have its name.
    """
    names = names_of(store, resolver, target).union(other_names)
    known = [*store.references_named(names)]
    edges = [*edges_to(target, [site for site in known if site[3].edge in kinds], resolver)]
    if EdgeKind.OVERRIDES in kinds:
        edges += _overrides(resolver, target)
    if not MENTIONS.isdisjoint(kinds) and target.kind != "impl":
        if sources is None:
            sources = store.sources_with([name for name in names if name], languages_of(resolver, target))
        edges += edges_to(target, _mentions(store, resolver, target, names, known, sources), resolver)
    return in_order(edges)


KeptMentions = dict[tuple[str, str, str, bool], list[Mention]]  # by path, language, name, and whether it may be a type


def mentions_of(
    store: UserStore,
    resolver: Resolver,
    target: Definition,
    sources: Iterable[Source],
    kept: KeptMentions | None = None,
) -> Iterator[Edge]:
    """Of the users those that mention it by its own name in some sources, one after the other.

    `kept` is what was found before, for who asks for many definitions of one name.
    """
    known = [*store.references_named([target.name])]
    return edges_to(target, _mentions(store, resolver, target, [target.name], known, sources, kept), resolver)


def languages_of(resolver: Resolver, target: Definition) -> list[str]:
    """Those that a definition may be used in."""
    rules = resolver.imports.rules(target.language)
    return [name for name in load_registry().languages if resolver.imports.rules(name) is rules]


def _overrides(resolver: Resolver, target: Definition) -> Iterator[Edge]:
    """The methods of types below that have its name."""
    evaluator = resolver.evaluator
    names = resolver.imports.names_of(target)
    owners = [names.definitions[ordinal] for ordinal in names.by_scope.get(target.parent or "", ())]
    owner = next((one for one in owners if one.kind in CLASS_LIKE), None)
    if owner is None or target.kind not in FUNCTION_LIKE:
        return
    subtypes = evaluator.implementations.subtypes(owner)
    found = {one.identity: one for subtype in subtypes for one in evaluator.members.named(subtype, target.name)}
    for member in found.values():
        if member.identity != target.identity:  # Two types of one name share their members.
            resolution = Resolution.EXACT if member.path == target.path else Resolution.IMPORT
            yield Edge(
                member,
                member.path,
                EdgeKind.OVERRIDES,
                resolution,
                target,
                target.name,
                member.start_line,
                1,
                may_be_outside=False,
            )


# Mentions


def _mentions(
    store: UserStore,
    resolver: Resolver,
    target: Definition,
    names: Collection[str],
    known: Sequence[ReferenceSite],
    sources: Iterable[Source],
    kept: KeptMentions | None = None,
) -> Iterator[ReferenceSite]:
    in_files: dict[str, list[Reference]] = {}
    for path, _, _, reference in known:
        in_files.setdefault(path, []).append(reference)
    visible = _Visible(store, resolver.imports.rules(target.language), target, known)
    names = [name for name in names if name]
    for path, language, text in sources:
        if not visible.has_any(path, text, names):
            continue
        around = lru_cache(partial(definition_around, store.inside(path)))  # Of a bundle, all is on one line.
        for mention in _mentions_in(store, (path, language, text), target, names, in_files.get(path, ()), kept):
            source = around(mention.line)
            if visible.may_mean(path, mention):
                yield path, language, source, mention.as_reference()


def _mentions_in(
    store: UserStore,
    file: Source,
    target: Definition,
    names: Collection[str],
    known: Sequence[Reference],
    kept: KeptMentions | None,
) -> Iterator[Mention]:
    path, language, text = file
    is_type = target.kind in NAMED_TYPES
    lexical = load_registry().lexical_of(language)
    for name in sorted(names):
        key = path, language, name, is_type
        if kept is not None and key in kept:
            yield from kept[key]
        elif name in text:
            here = [one for one in known if name in (one.name, one.alias)]
            found = find_mentions(text, name, lexical, store.inside(path), here, is_type=is_type)
            if kept is not None:
                kept[key] = found
            yield from found


class _Visible:
    """Says without reading what names mean in a file whether they can mean something of another file."""

    def __init__(
        self, store: UserStore, rules: ResolutionRules, target: Definition, known: Iterable[ReferenceSite]
    ) -> None:
        shares_names = rules.shares or rules.takes_all or rules.has_namespaces
        self.is_open = not rules.is_closed or bool(shares_names)
        self.paths = {target.path, *(path for path, *_, reference in known if reference.edge == EdgeKind.IMPORTS)}
        self.paths |= {path for path, *_, one in store.references_named(["*"]) if one.edge == EdgeKind.IMPORTS}

    def has_any(self, path: str, text: str, names: Iterable[str]) -> bool:
        """Where bare names cannot, only members can."""
        return self._sees_bare(path) or any(_has_member(text, name) for name in names)

    def may_mean(self, path: str, mention: Mention) -> bool:
        return mention.receiver is not None or self._sees_bare(path)

    def _sees_bare(self, path: str) -> bool:
        return self.is_open or path in self.paths


def _has_member(text: str, name: str) -> bool:
    """Whether the name is anywhere right after what members are taken with."""
    at = text.find(name)
    while at >= 0:
        if text[max(0, at - _FAR) : at].rstrip().endswith(_LINKS):
            return True
        at = text.find(name, at + 1)
    return False


def definition_around(definitions: Sequence[Definition], line: int) -> Definition | None:
    """The innermost definition on a line."""
    return next((one for one in reversed(definitions) if one.start_line <= line <= one.end_line), None)
