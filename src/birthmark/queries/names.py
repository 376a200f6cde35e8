"""Understand a name as people and tools write it, and find the definitions that have it.

Takes a name and a way to list definitions by their simple names; gives those that fit best. `Rack::Request`,
`Searcher::search_path`, `IOUtils#copy(Reader, Writer)`, `flask.app.Flask.url_for()` and `(*Server).Serve` differ only
in what REWRITES takes away. Ranks run from the strictest: a name as it is written goes before an end of one, and that
before one with its package in front.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from birthmark.identity.overloads import matching_overloads, split_call
from birthmark.model import Entity


class Named(Protocol):
    """A definition with a name."""

    @property
    def kind(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def qualified_name(self) -> str: ...


N = TypeVar("N", bound=Named)

_MOST_PARTS = 64  # of a name with dots
_MOST_ABOVE = 3  # parts of a package above the root, as the host, the owner and the repository

# What to replace in a name, in this order.
REWRITES = (
    (re.compile(r"^<&?(?:mut )?([\w:]+).*?>::"), r"\1::", "a type of Rust: `<Foo as Bar>::f`"),
    (re.compile(r"<locals>\."), "", "a function in a function, as Python writes it: `f.<locals>.g`"),
    (re.compile(r"\(\*?(\w+)\)\."), r"\1.", "a receiver of Go: `(*Server).Serve`"),
    (re.compile(r"(?<=\w)(?:<[^<>]*>|\[[^\[\]]*\])"), "", "type arguments, and the parameters of a test"),
    (re.compile(r"::<[^<>]*>"), "", "type arguments of Rust"),
    (re.compile(r"\.prototype\.|::|\\|(?<=\w)#(?=\S)|(?<=\w)->(?=\w)|(?<=\w)\$(?=\w)"), ".", "other separators"),
    (re.compile(r"^(?:(?:crate|self|super)?\.)+"), "", "where Rust and C++ begin"),
)


class AskedName(NamedTuple):
    """A name with dots, and the types of parameters behind it; None if there were no parentheses."""

    name: str
    types: tuple[str, ...] | None = None

    @property
    def last(self) -> str:
        return self.name.rpartition(".")[2]


def read_name(text: str) -> AskedName:
    """Return a name in our own notation."""
    name, types = split_call(text.strip())
    for pattern, replacement, _ in REWRITES:
        name = pattern.sub(replacement, name)
    return AskedName(name, types)


class Lookup(NamedTuple, Generic[N]):
    """Lists definitions by qualified and by simple name, and reads one in full."""

    qualified: Callable[[str], Sequence[N]]
    named: Callable[[str], Sequence[N]]
    entity_of: Callable[[N], Entity]


def pick_exact(text: str, lookup: Lookup[N]) -> list[N]:
    """Return the definitions with a qualified name, else with a simple one."""
    return main_of(lookup.qualified(text) or lookup.named(text))


def pick_named(text: str, lookup: Lookup[N]) -> list[N]:
    """Return the definitions that a name fits best, however it is written; several if it is ambiguous.

    A name may have any character, as `test$read`, so it is looked up as it is before it is rewritten.
    """
    for asked in dict.fromkeys((AskedName(text), AskedName(*split_call(text)), read_name(text))):
        found = main_of(_best(asked.name, _known(asked.name, lookup))) if asked.name else []
        if found:
            return _with_types(found, lookup.entity_of, asked.types)
    return []


def _known(name: str, lookup: Lookup[N]) -> list[N]:
    """Return what may fit; simple names may have dots, as `self.new` of Ruby."""
    last = name.rpartition(".")[2]
    simple = dict.fromkeys((last, f"self.{last}", ".".join(name.rsplit(".", 2)[-2:])))
    found = [lookup.qualified(name), *map(lookup.named, simple)]
    return list(dict.fromkeys(one for group in found for one in group))


def lookup_in(entities: Sequence[Entity]) -> Lookup[Entity]:
    """Return a lookup in the entities of a file."""
    return Lookup(
        lambda name: [one for one in entities if one.qualified_name == name],
        lambda name: [one for one in entities if one.name == name],
        lambda one: one,
    )


def _best(name: str, known: Sequence[N]) -> list[N]:
    """Return the definitions of the first rank that has any."""
    for fits in RANKS:
        found = [one for one in known if fits(one, name)]
        if found:
            return found
    return []


def _with_types(found: list[N], entity_of: Callable[[N], Entity], types: tuple[str, ...] | None) -> list[N]:
    """Return the overloads with some types; parentheses behind the name of only one say no more than the name."""
    if types is None or len(found) < 2:
        return found
    return matching_overloads(found, entity_of, types) or ([] if types else found)


def main_of(found: Sequence[N]) -> list[N]:
    """Return the type, where it shares its name with its `impl` blocks, as in Rust."""
    types = [one for one in found if one.kind != "impl"]
    return types if len(types) == 1 else list(found)


def _is_qualified(one: Named, name: str) -> bool:
    return one.qualified_name == name


def _is_simple(one: Named, name: str) -> bool:
    return one.name == name


def _is_end(one: Named, name: str) -> bool:
    return one.qualified_name.endswith(f".{name}")


def _is_singleton(one: Named, name: str) -> bool:
    """`MockRequest.env_for` is `def self.env_for` in Ruby."""
    return "self." in one.qualified_name and f".{one.qualified_name}".replace(".self.", ".").endswith(f".{name}")


def _is_in_module(one: Named, name: str) -> bool:
    """`flask.app.Flask.url_for`: the end of the path of its module, or of its folder, is in front."""
    package, folders = _package_of(one, name), _module_of(one.path)
    return bool(package) and any(_ends_alike(package, known) for known in (folders, folders[:-1]))


def _is_in_package(one: Named, name: str) -> bool:
    """`flask.url_for`: a package is in front that may export it again."""
    package, folders = _package_of(one, name), _module_of(one.path)[:-1]
    length = len(package)
    return length > 0 and any(folders[i : i + length] == package for i in range(len(folders) - length + 1))


RANKS: tuple[Callable[[Named, str], bool], ...] = (
    _is_qualified,
    _is_simple,
    _is_end,
    _is_singleton,
    _is_in_module,
    _is_in_package,
)


def _package_of(one: Named, name: str) -> list[str]:
    package = name.removesuffix(f".{one.qualified_name}")
    return re.split(r"[./]", package)[-_MOST_PARTS:] if package != name else []


def modules_in_front(name: str, paths: Iterable[str]) -> list[tuple[str, str]]:
    """Return paths of modules that a name may have in front, each with the rest of the name; the longest first."""
    parts = re.split(r"[./]", read_name(name).name)[-_MOST_PARTS:]
    found = []
    for path in paths:
        module = _module_of(path)
        for length in range(len(parts) - 1, 0, -1):
            if module[-length:] == parts[:length]:
                found.append((length, path, ".".join(parts[length:])))
                break
    return [(path, rest) for _, path, rest in sorted(found, key=lambda one: (-one[0], one[1]))]


def _module_of(path: str) -> list[str]:
    """Return the parts of a module's name; a file that stands for its folder has only those of the folder."""
    *folders, file = path.split("/")
    stem = posixpath.splitext(file)[0]
    return folders if stem in ("__init__", "index", "mod", "lib") and folders else [*folders, stem]


def _ends_alike(package: list[str], folders: list[str]) -> bool:
    """Either may begin further up: folders with `src`, a package with the address of its repository."""
    length = min(len(package), len(folders))
    is_near = len(package) - length <= _MOST_ABOVE
    return length > 0 and is_near and package[-length:] == folders[-length:]
