"""The symbols of SCIP: names of files and definitions, by its grammar.

Takes the definitions of a file; gives a symbol for each, no two the same. A symbol is the scheme, an empty package and
a descriptor for each folder, for the file, for each definition around it and for itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from birthmark.model import Entity

_PREFIX = "birthmark . . . "  # scheme, and no manager, name and version of a package
_SIMPLE = re.compile(r"[A-Za-z0-9_+$-]+")
_TYPE, _TERM, _NAMESPACE, _METHOD, _MACRO = "#", ".", "/", "().", "!"

SUFFIXES = {
    "mod": _NAMESPACE,
    "namespace": _NAMESPACE,
    "class": _TYPE,
    "interface": _TYPE,
    "struct": _TYPE,
    "enum": _TYPE,
    "trait": _TYPE,
    "impl": _TYPE,
    "fn": _METHOD,
    "method": _METHOD,
    "constructor": _METHOD,
    "field": _TERM,
    "const": _TERM,
    "var": _TERM,
    "typedef": _TYPE,
    "macro": _MACRO,
    "member": _TERM,
    "table": _TYPE,
    "view": _TYPE,
}


def file_symbol(path: str) -> str:
    return _PREFIX + "".join(_identifier(part) + _NAMESPACE for part in path.split("/"))


def symbols_of(path: str, entities: Sequence[Entity]) -> list[str]:
    """Of several with one name, all but the first have their number in it."""
    symbols: list[str] = []
    taken: set[str] = set()
    for entity in entities:
        outer = symbols[entity.container] if 0 <= entity.container < len(symbols) else file_symbol(path)
        symbol = outer + "".join(_identifier(name) + _TYPE for name in _missing(entity, entities)) + _descriptor(entity)
        number = 0
        numbered = symbol
        while numbered in taken:
            number += 1
            numbered = _numbered(symbol, number)
        taken.add(numbered)
        symbols.append(numbered)
    return symbols


def _missing(entity: Entity, entities: Sequence[Entity]) -> list[str]:
    """Containers that are named, but are not around it in the file, as in `void Shop::open()`."""
    around = entities[entity.container].qualified_name if entity.container >= 0 else ""
    parent = entity.parent or ""
    if around and not f"{parent}.".startswith(f"{around}."):
        return []
    return [name for name in parent[len(around) :].split(".") if name]


def _descriptor(entity: Entity) -> str:
    return _identifier(entity.name) + SUFFIXES[entity.kind]


def _numbered(symbol: str, number: int) -> str:
    """A method has a place for that; what else has a name twice gets a descriptor more."""
    if symbol.endswith(_METHOD):
        return f"{symbol.removesuffix(_METHOD)}(+{number})."
    return f"{symbol}+{number}:"


def _identifier(name: str) -> str:
    """As it is, or between backticks."""
    if _SIMPLE.fullmatch(name):
        return name
    return f"`{name.replace('`', '``') or ' '}`"
