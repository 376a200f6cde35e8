"""Find definitions that no edge leads to, except from inside of themselves.

Takes the definitions of a snapshot and its network; ClassBases has the superclasses. Definitions of one qualified name
in one file, as a property and its setter, are one. A method that overrides a used one is used, and so is the
constructor of a used class.

WordIndex finds words in all sources of a snapshot, for questions about thousands of names at once.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from birthmark.comparison.file_roles import role_of
from birthmark.graph.network import NetworkEdge
from birthmark.graph.symbols import Definition, scopes_around
from birthmark.model import CLASS_LIKE, FUNCTION_LIKE
from birthmark.queries.impact import is_inside
from birthmark.vocabulary import EdgeKind, FileRole

_KINDS = FUNCTION_LIKE | CLASS_LIKE - {"impl"} | {"const", "var", "field", "typedef", "macro"}
_IMPORTED = frozenset({EdgeKind.IMPORTS, EdgeKind.EXPORTS})
_NO_USE = _IMPORTED | {EdgeKind.OVERRIDES, EdgeKind.WRITES}
Group = tuple[str, str]  # path and qualified name
_INHERITS = frozenset({EdgeKind.INHERITS, EdgeKind.IMPLEMENTS})
_ARGUMENTS = re.compile(r"[<\[(].*", re.S)
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"[^\W\d]\w*")
_STRING = re.compile(r"""(["'`])([\w$.:/-]{2,200})\1""")
_BREAK = re.compile(r"\n")
_KEPT_TEXTS = 200
_CODE_SPAN = re.compile(r"`([^`\n]{2,200})`")


class WithoutUsers(NamedTuple):
    """A definition, the nearest one around it that has no users either, and an import of it, if any."""

    definition: Definition
    outer: Group | None
    imported: NetworkEdge | None


def find_without_users(definitions: Collection[Definition], edges: Iterable[NetworkEdge]) -> list[WithoutUsers]:
    """Return definitions without users in the given order, in which outer ones come first."""
    groups = {one.identity: (one.path, one.qualified_name) for one in definitions}
    known = {one.identity: one for one in definitions}
    used: set[Group] = set()
    imported: dict[Group, NetworkEdge] = {}
    overrides: list[tuple[Group, Group]] = []
    for edge in edges:
        target = groups.get(edge.used) if isinstance(edge.used, int) else None
        if target is None or (isinstance(edge.used, int) and is_inside(edge, known[edge.used])):
            continue
        if edge.edge not in _NO_USE:
            used.update(_used_by(edge, target, groups))
        elif edge.edge in _IMPORTED:
            imported.setdefault(target, edge)
        elif edge.edge is EdgeKind.OVERRIDES and isinstance(edge.user, int) and edge.user in groups:
            overrides.append((groups[edge.user], target))
    _add_overriding(used, overrides)
    return [*_unused(definitions, used, imported)]


def _used_by(edge: NetworkEdge, target: Group, groups: Mapping[int, Group]) -> Iterator[Group]:
    """Yield the used groups of an edge: its end and all around that, except those around the user."""
    path, name = target
    user = groups.get(edge.user) if isinstance(edge.user, int) else None
    around_user = {*scopes_around(user[1])} if user is not None and user[0] == path else set()
    return ((path, scope) for scope in scopes_around(name) if scope not in around_user)


def _add_overriding(used: set[Group], overrides: list[tuple[Group, Group]]) -> None:
    """Add definitions that override something used, and those that override them."""
    left = overrides
    while found := [pair for pair in left if pair[1] in used and pair[0] not in used]:
        used.update(over for over, _ in found)
        left = [pair for pair in left if pair[0] not in used]


def _unused(
    definitions: Collection[Definition], used: set[Group], imported: Mapping[Group, NetworkEdge]
) -> Iterator[WithoutUsers]:
    known = {(one.path, one.qualified_name): one for one in definitions}
    listed: set[Group] = set()
    for one in definitions:
        group, *around = [(one.path, scope) for scope in scopes_around(one.qualified_name)]
        is_made = one.kind == "constructor" and any(_is_used_class(known.get(outer), used) for outer in around)
        if _is_unused(one, used) and not is_made and group not in listed:
            listed.add(group)
            outer = next((outer for outer in around if outer in known and _is_unused(known[outer], used)), None)
            yield WithoutUsers(one, outer, imported.get(group))


def _is_unused(one: Definition, used: Collection[Group]) -> bool:
    return one.kind in _KINDS and (one.path, one.qualified_name) not in used


def _is_used_class(one: Definition | None, used: Collection[Group]) -> bool:
    return one is not None and one.kind in CLASS_LIKE and (one.path, one.qualified_name) in used


class ClassBases:
    """The bases of classes, by identity."""

    def __init__(self, edges: Iterable[NetworkEdge]) -> None:
        self.bases: dict[int, list[int]] = {}
        for edge in edges:
            if edge.edge in _INHERITS and isinstance(edge.user, int) and isinstance(edge.used, int):
                self.bases.setdefault(edge.user, []).append(edge.used)

    def above(self, identity: int) -> Iterator[int]:
        """Yield all classes above one, the nearest first."""
        seen, waiting = {identity}, [identity]
        while waiting:
            for base in self.bases.get(waiting.pop(0), ()):
                if base not in seen:
                    seen.add(base)
                    waiting.append(base)
                    yield base

    def outside(self, written: Mapping[int, Iterable[str]], names: Iterable[str]) -> dict[int, str]:
        """Return classes with a base outside the repository, directly or by another one, with its name.

        `written` are the bases as the code names them, `names` those of all classes of the repository.
        """
        known = set(names)
        found = {
            identity: foreign
            for identity, bases in written.items()
            if (foreign := next((base for base in bases if _last_word(base) not in known), None)) is not None
        }
        for identity in written:
            base = next((one for one in self.above(identity) if one in found), None)
            if identity not in found and base is not None:
                found[identity] = found[base]
        return found


def _last_word(name: str) -> str:
    words = _WORD.findall(_ARGUMENTS.sub("", name))
    return words[-1] if words else ""


WordSite = tuple[str, int]  # a path and a line


class WordIndex:
    """The files that have some names, and the places of the names in strings and in files of other languages."""

    def __init__(self, names: Collection[str], sources: Iterable[tuple[str, str, bytes]]) -> None:
        """Read sources, given with their paths and languages."""
        self.words = {word for name in names for word in _NAME.findall(name)}
        self.paths: dict[str, list[str]] = {}
        self.texts: dict[str, tuple[str, bytes]] = {}  # language and source, by path
        self._quoted: dict[str, list[tuple[str, int]]] = {}  # paths and places in their texts
        self._texts, self._paths_with = lru_cache(_KEPT_TEXTS)(self._read_text), cache(self._find_paths)
        self._words_in, self._breaks = (
            lru_cache(_KEPT_TEXTS)(self._find_words),
            lru_cache(_KEPT_TEXTS)(self._find_breaks),
        )
        for source in sources:
            self._add(*source)

    def _add(self, path: str, language: str, source: bytes) -> None:
        text = source.decode("utf-8", "replace")
        found = self.words.intersection(_NAME.findall(text))
        if not found:
            return
        self.texts[path] = language, source
        for word in found:
            self.paths.setdefault(word, []).append(path)
        for match in _STRING.finditer(text):
            for word in self.words.intersection(_NAME.findall(match[2])):
                self._quoted.setdefault(word, []).append((path, match.start()))

    def quoted(self, name: str) -> Iterator[WordSite]:
        """Yield the places of a name in strings that look like names."""
        for path, start in self._quoted.get(name, ()):
            yield path, self._line(path, start)

    def text(self, path: str) -> str:
        return self._texts(path)

    def _read_text(self, path: str) -> str:
        return self.texts[path][1].decode("utf-8", "replace") if path in self.texts else ""

    def paths_with(self, name: str) -> list[str]:
        """Return the files that have all words of a name."""
        return self._paths_with(name)

    def _find_paths(self, name: str) -> list[str]:
        words = _NAME.findall(name)
        found = [set(self.paths.get(word, ())) for word in words]
        return sorted(set.intersection(*found)) if found else sorted(self.texts)

    def _starts(self, name: str, path: str) -> Sequence[int]:
        """Return the places of a name that are not part of another one; single words are looked up in an index."""
        if _NAME.fullmatch(name):
            return self._words_in(path).get(name, ())
        return [found.start() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", self.text(path))]

    def _find_words(self, path: str) -> dict[str, list[int]]:
        starts: dict[str, list[int]] = {}
        for found in _NAME.finditer(self.text(path)):
            if found[0] in self.words:
                starts.setdefault(found[0], []).append(found.start())
        return starts

    def _line(self, path: str, at: int) -> int:
        return bisect_left(self._breaks(path), at) + 1

    def _find_breaks(self, path: str) -> list[int]:
        return [found.start() for found in _BREAK.finditer(self.text(path))]

    def first_in(self, name: str, paths: Iterable[str]) -> WordSite | None:
        """Return the first place of a name in text files; in documents only if it is marked as code."""
        for path in paths:
            text = self.text(path)
            for start in self._starts(name, path):
                if role_of(path) is not FileRole.DOCUMENTATION or _is_in_code_span(text, start):
                    return path, self._line(path, start)
        return None


def _is_in_code_span(text: str, at: int) -> bool:
    start = text.rfind("\n", 0, at) + 1
    line = text[start : text.find("\n", at) if "\n" in text[at:] else len(text)]
    return any(span.start() <= at - start < span.end() for span in _CODE_SPAN.finditer(line))
