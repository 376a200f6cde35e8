"""Places of modules, from manifests: rules, and the table in which they are looked up.

A module's name is written with slashes here, whatever the separator of its language. Places are paths of files or
folders, with or without extensions; whether there is something is for the caller to look up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from posixpath import dirname
from typing import NamedTuple

ANY = "*"  # in a name and in its places: any text, the same in both
_MOST_RULES = 50_000
_MOST_PLACES = 100  # that are tried for one name


class ModuleRule(NamedTuple):
    """In files below a folder, a module of this name is at one of these places, the best first."""

    folder: str
    name: str
    places: tuple[str, ...]
    is_alias: bool = False  # of a compiler, which looks there before it looks for a package


class _Match(NamedTuple):
    rule: ModuleRule
    is_exact: bool
    prefix: str
    rest: str  # what the `*` is


class ModuleTable:
    """The rules of all manifests that a language reads, and the folders that have one."""

    def __init__(self, rules: Iterable[ModuleRule] = (), folders: Iterable[str] = ()) -> None:
        self.folders = frozenset(folders)
        self.exact: dict[str, list[ModuleRule]] = {}
        self.patterns: dict[str, list[ModuleRule]] = {}  # by what is before the `*`
        for rule in islice(rules, _MOST_RULES):
            prefix, star, _ = rule.name.partition(ANY)
            (self.patterns if star else self.exact).setdefault(prefix, []).append(rule)
        self.lengths = sorted({len(prefix) for prefix in self.patterns}, reverse=True)

    def covers(self, path: str) -> bool:
        """Return True if a manifest is in a folder above a file."""
        return not self.folders.isdisjoint(folders_above(path))

    def places(self, path: str, name: str) -> Iterator[str]:
        """Return the possible places of an imported module: by aliases, then by the innermost and most exact rule."""
        matches = list(self._matches(name))
        folders = {"", *folders_above(path)} if matches else set()
        seen = (match for match in matches if match.rule.folder in folders)
        found = sorted(seen, key=lambda match: _order(path, match))
        places = (place.replace(ANY, match.rest) for match in found for place in match.rule.places)
        return islice(dict.fromkeys(places), _MOST_PLACES)

    def _matches(self, name: str) -> Iterator[_Match]:
        for rule in self.exact.get(name, ()):
            yield _Match(rule, True, name, "")
        for length in self.lengths:
            for rule in self.patterns.get(name[:length], ()) if length <= len(name) else ():
                suffix = rule.name[length + len(ANY) :]
                end = len(name) - len(suffix)
                if end > length and name.endswith(suffix):
                    yield _Match(rule, False, name[:length], name[length:end])


def _order(path: str, match: _Match) -> tuple[bool, int, bool, int, int]:
    rule = match.rule
    near = nearness(path, rule.places[0] if rule.places else "")
    return not rule.is_alias, -len(rule.folder), not match.is_exact, -len(match.prefix), -near


def nearness(path: str, other: str) -> int:
    """Return the number of folders that two paths share."""
    n_shared = 0
    for mine, its in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if mine != its:
            break
        n_shared += 1
    return n_shared


def folders_above(path: str) -> Iterator[str]:
    """From the innermost out; the last is the root, which has no name."""
    while path:
        path = dirname(path)
        yield path


def below(folder: str, name: str, *places: str) -> Iterator[ModuleRule]:
    """In a folder, a name that is a place itself, with all that is below it."""
    if name:
        yield ModuleRule(folder, name, places)
    yield ModuleRule(folder, f"{name}/{ANY}".lstrip("/"), tuple(f"{place}/{ANY}".lstrip("/") for place in places))
