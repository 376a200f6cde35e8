"""Find the users of an identity at any replayed commit.

Takes the files of commits; gives the surest use by each user. Results for a file are used again for every commit in
which their dependencies are the same: the context of the mentions in the file, and what was looked up in other files.
So only changes near a mention cost anything.

FileText gives these contexts as digests, from a source and its entities without references, so that most versions of a
file need not be extracted: two with the same context use an entity of these names alike. It goes unnoticed when a
function of the same file that is neither near the mention nor named there returns something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from birthmark.graph.answers import lookups_of, place_of
from birthmark.graph.edges import ALL_USES, Edge, names_of, users
from birthmark.graph.network import Node
from birthmark.graph.resolve import Resolver
from birthmark.graph.symbols import Definition
from birthmark.languages.registry import load_registry
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE, Entity
from birthmark.queries.commit_graph import CommitGraph, Manifests, VersionSymbols, word_of
from birthmark.store.model import Version
from birthmark.vocabulary import EdgeKind

_TEXTS = 256  # that are held
Files = Mapping[str, Version]
Place = tuple[str, str]  # a file, and a function in it or ""
_WORD = re.compile(rb"\w+")
_COMMENTS = (b"# ", b"//", b"/*", b"* ", b"*/", b"-- ")  # how a line begins that is no code


class _FileUsers(NamedTuple):
    """The uses in a file, the names it gives to what is used, and the contexts of files that it depends on."""

    edges: list[Edge]
    names: frozenset[str]
    depends_on: dict[Place, int | None]


class PastUsers:
    """Finds the users of an identity, and holds what it found."""

    def __init__(self, symbols: VersionSymbols, identity: int, names: Iterable[str] = ()) -> None:
        """Start with the names that the identity is known to have had; others are found on the way."""
        self.symbols, self.identity = symbols, identity
        self.names: set[str] = set(names)
        self.words = frozenset(_words(self.names))
        self.looked_into: dict[str, set[str]] = {}  # files that others depend on, with the functions in them
        self._found: dict[object, list[_FileUsers]] = {}
        self._own: dict[int, int | None] = {}
        self._text = lru_cache(_TEXTS)(self._read_text)
        self._outer: dict[tuple[int, str], int | None] = {}
        self._path: str | None = None  # where it was last

    def concerns(self, old: Version | None, new: Version | None) -> bool:
        """Return True if users may differ between two versions of a file."""
        if self._own_context(old) != self._own_context(new):
            return True
        either = new or old
        functions = self.looked_into.get(either.path, ()) if either is not None else ()
        return any(self._outer_context(old, one) != self._outer_context(new, one) for one in functions)

    def context_key(self, version: Version) -> object | None:
        """Return a key of versions of which only one has to be extracted; None for one without a mention."""
        own = self._own_context(version)
        return None if own is None else (version.path, own)

    def find(self, files: Files, manifests: Manifests) -> dict[Node, Edge]:
        graph = CommitGraph(self.symbols, files, manifests)
        definition = graph.definition_of(self.identity, self._path)
        if definition is None:
            return {}
        self._path = definition.path
        self._learn({definition.name})
        n_names = -1
        found: list[_FileUsers] = []
        while n_names != len(self.names):  # Another name may be used where the first is not.
            n_names = len(self.names)
            found = self._find_in_all(graph, definition)
            self._learn(name for one in found for name in one.names)
        return _by_user((edge for one in found for edge in one.edges), definition)

    def _learn(self, names: Iterable[str]) -> None:
        self.names.update(names)
        words = frozenset(_words(self.names))
        if words != self.words:
            self.words = words
            self._own.clear()
            self._outer.clear()

    def _find_in_all(self, graph: CommitGraph, definition: Definition) -> list[_FileUsers]:
        make_resolver = cache(lambda: Resolver(graph, load_registry().resolution_of))
        namesakes = frozenset((one.path, one.identity) for one in graph.named(definition.name))
        target = definition.path, definition.qualified_name, definition.kind, namesakes
        found = []
        for path in sorted(graph.files):
            own = self._own_context(graph.files[path])
            if own is not None:
                known = self._found.setdefault((path, own, target), [])
                fitting = next((one for one in known if self._fits(one, graph.files)), None)
                if fitting is None:
                    fitting = self._find_in(graph, make_resolver(), path, definition)
                    known.append(fitting)
                found.append(fitting)
        return found

    def _fits(self, found: _FileUsers, files: Files) -> bool:
        known = found.depends_on.items()
        return all(self._outer_context(files.get(path), inside) == context for (path, inside), context in known)

    def _find_in(self, graph: CommitGraph, resolver: Resolver, path: str, definition: Definition) -> _FileUsers:
        site = CommitGraph(self.symbols, graph.files, graph.manifests, path)
        # What overrides it is looked for all over the repository, so that is done only where something may.
        may_override = any(one.name == definition.name and one != definition for one in graph.inside(path))
        kinds = ALL_USES if may_override else ALL_USES - {EdgeKind.OVERRIDES}

        def ask() -> tuple[set[str], list[Edge]]:
            return names_of(site, resolver, definition), users(site, resolver, definition, kinds, self.names)

        (names, edges), read = resolver.with_lookups(ask)
        places = [place for one in lookups_of(read) if (place := place_of(one)) is not None and place[0] != path]
        for other, function in places:
            self.looked_into.setdefault(other, set()).add(function)
        depends_on = {place: self._outer_context(graph.files.get(place[0]), place[1]) for place in places}
        return _FileUsers([edge for edge in edges if edge.source_path == path], frozenset(names), depends_on)

    def _own_context(self, version: Version | None) -> int | None:
        if version is None or not any(self.symbols.has_word(version.extraction, word) for word in self.words):
            return None
        if version.version not in self._own:
            text = self._text(version)
            self._own[version.version] = None if text is None else text.own_context(self.words)
        return self._own[version.version]

    def _outer_context(self, version: Version | None, function: str) -> int | None:
        if version is None:
            return None
        key = version.version, function
        if key not in self._outer:
            text = self._text(version)
            if text is None:
                self._outer[key] = None
            else:
                self._outer[key] = text.inner_context(function) if function else text.outer_context(self.words)
        return self._outer[key]

    def _read_text(self, version: Version) -> FileText | None:
        outline, source = self.symbols.entities(version), self.symbols.outlines.source(version.extraction)
        return None if outline is None else FileText(source, outline.entities, version.identities)


def _words(names: Iterable[str]) -> Iterable[bytes]:
    return (word_of(name).encode() for name in names)


def _by_user(edges: Iterable[Edge], used: Definition) -> dict[Node, Edge]:
    """Return the first claimed use of each user."""
    found: dict[Node, Edge] = {}
    for edge in edges:
        node: Node = edge.source.identity if edge.source is not None else edge.source_path
        if edge.n_candidates == 1 and not edge.may_be_outside and node != used.identity:
            found.setdefault(node, edge)
    return found


class _DefinitionText(NamedTuple):
    """A definition with its lines, as one text."""

    identity: int
    name: bytes
    text: bytes

    def has_any(self, words: Collection[bytes]) -> bool:
        return any(word in self.text for word in words) and not _words_of(self.text).isdisjoint(words)


class FileText:
    """A source in parts: its functions, its other definitions, and the lines outside of functions."""

    def __init__(self, source: bytes, entities: Sequence[Entity], identities: Sequence[int]) -> None:
        self.entities, self.identities = entities, identities
        self.functions: list[_DefinitionText] = []
        self.others: list[_DefinitionText] = []
        lines = source.split(b"\n")
        is_inside = bytearray(len(lines) + 1)
        for entity, identity in zip(entities, identities, strict=True):
            first, last = entity.start_line, min(entity.end_line, len(lines))
            definition = _DefinitionText(identity, entity.name.encode(), b"\n".join(lines[first - 1 : last]))
            (self.functions if entity.kind in FUNCTION_LIKE else self.others).append(definition)
            if entity.kind in FUNCTION_LIKE:
                is_inside[first : last + 1] = b"\1" * (last + 1 - first)
        outer = (line for number, line in enumerate(lines, 1) if not is_inside[number])
        self.outer = [(line, _words_of(line)) for line in outer if not line.lstrip().startswith(_COMMENTS)]

    def own_context(self, words: Collection[bytes]) -> int | None:
        """Return a digest of the mentions in the file itself; None if there is none.

        It covers the functions with a mention, the functions that these name, and the lines outside that share a word
        with them.
        """
        mentioning = [one for one in self.functions if one.has_any(words)]
        known = set(words).union(*(_words_of(one.text) for one in mentioning))
        named = [one for one in self.functions if one.name in known]
        outer = [line for line, inside in self.outer if not known.isdisjoint(inside)]
        if not mentioning and not outer:
            return None
        around = [(one.identity, one.name) for one in self.others if one.has_any(words)]
        return hash((*mentioning, *named, *outer, *around))

    def outer_context(self, words: Collection[bytes]) -> int:
        """Return a digest of what others look up here: types, variables, definitions and lines with the name."""
        names = {word.decode() for word in words}
        definitions = [
            (identity, one.kind, one.qualified_name, one.signature, one.bases)
            for one, identity in zip(self.entities, self.identities, strict=True)
            if one.kind in CLASS_LIKE or one.name in names
        ]
        types = {one.name.encode() for one in self.entities if one.kind in CLASS_LIKE}
        variables = [one for one in self.others if one.name not in types]
        lines = [line for line, inside in self.outer if b"*" in line or not inside.isdisjoint(words)]
        return hash((*definitions, *variables, *lines))

    def inner_context(self, qualified_name: str) -> int:
        """Return a digest of what other files look up in a function."""
        names = {one.name.encode() for one in self.entities if one.qualified_name == qualified_name}
        return hash(tuple(one for one in self.functions if one.name in names))


def _words_of(text: bytes) -> set[bytes]:
    return set(_WORD.findall(text))
