"""Digests of what a file provides to others: they are resolved again only if one of these changes.

Whatever is looked up in a snapshot has a name, a lookup (`name:f`, `file:a.py`); a file provides parts of the answers.
Two versions of a file give others the same edges unless a digest of what it provides differs. Lines count only by
their order, so what is merely shifted is the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import xxhash

from birthmark.graph.answers import (
    argument_lookup,
    around_lookup,
    base_lookup,
    file_lookup,
    inner_lookup,
    module_lookup,
    name_lookup,
    number_of,
    parameters_lookup,
    parts_of,
)
from birthmark.graph.reading.references import PARAMETERS, Binding, Reference
from birthmark.graph.symbols import Definition
from birthmark.model import FUNCTION_LIKE

# Files that say what the folder in front of them is; those of crates stand in a folder of the crate.
_AROUND = re.compile(
    r"(?:^|(.*?)/)(?:node_modules/.*|(?:__init__|index)\.[^/]+|package\.json)"
    r"|(?:(?:^|(.*)/)[^/]+/)?(?:lib|main|mod)\.[^/]+"
)
_DECLARED = frozenset({"imports", "inherits", "implements"})
_BASES = _DECLARED - {"imports"}
_INNER = PARAMETERS | {"local", "result"}


def provisions_of(
    path: str, definitions: Sequence[Definition], references: Iterable[Reference], bindings: Sequence[Binding]
) -> dict[int, int]:
    """Digests of what a file provides, by the numbers of lookups."""
    contents: dict[str, list[object]] = {}
    for lookup, content in (
        *_of_place(path),
        *_of_definitions(definitions),
        *_of_references(definitions, references),
        *_of_bindings(path, definitions, bindings),
        *_of_file(path, definitions, references, bindings),
    ):
        contents.setdefault(lookup, []).append(content)
    encode = msgspec.msgpack.Encoder().encode
    return {number_of(lookup): xxhash.xxh32_intdigest(encode(content)) for lookup, content in contents.items()}


def changed_lookups(before: dict[int, int], after: dict[int, int]) -> set[int]:
    """The numbers of lookups that two versions of a file answer differently."""
    return {one for one in before.keys() | after.keys() if before.get(one) != after.get(one)}


def _of_place(path: str) -> Iterator[tuple[str, object]]:
    for part in parts_of(path):
        yield module_lookup(part), ()
    found = _AROUND.fullmatch(path)
    if found is not None:
        yield around_lookup(found[1] or found[2] or ""), path


def _of_definitions(definitions: Sequence[Definition]) -> Iterator[tuple[str, object]]:
    for one in definitions:
        yield name_lookup(one.name), (one.identity, one.language, one.kind, one.qualified_name)


def _of_references(definitions: Sequence[Definition], references: Iterable[Reference]) -> Iterator[tuple[str, object]]:
    for one in references:
        user = definitions[one.entity].identity if one.entity >= 0 else -1
        content = user, one.edge, one.name, one.receiver, one.alias
        if one.edge in _BASES:
            for name in {one.name, one.alias} - {None}:
                yield base_lookup(name or ""), content
        elif one.edge == "passes":
            yield argument_lookup(one.alias or ""), content


def _of_bindings(
    path: str, definitions: Sequence[Definition], bindings: Sequence[Binding]
) -> Iterator[tuple[str, object]]:
    """Those inside of functions; the order of their lines within the function counts."""
    lines: dict[int, set[int]] = {}
    for one in bindings:
        if is_inner(one, definitions):
            if one.owner not in lines:
                lines[one.owner] = _lines_inside(definitions, one.owner)
            lines[one.owner].update((one.line, one.until))
    ordered = {owner: sorted(found) for owner, found in lines.items()}
    for one in bindings:
        if is_inner(one, definitions):
            function = definitions[one.owner].qualified_name
            ranks = bisect_left(ordered[one.owner], one.line), one.until and bisect_left(ordered[one.owner], one.until)
            content = one.role, one.name, one.value, one.entity == one.owner, ranks
            yield inner_lookup(path, function), content
            if one.role in PARAMETERS:
                yield parameters_lookup(path, function), content


def _lines_inside(definitions: Sequence[Definition], owner: int) -> set[int]:
    """Those on which the definitions inside of one begin and end; they follow it."""
    last, lines = definitions[owner].end_line, set[int]()
    for one in definitions[owner + 1 :]:
        if one.start_line > last:
            break
        lines.update((one.start_line, one.end_line))
    return lines


def is_inner(binding: Binding, definitions: Sequence[Definition]) -> bool:
    """Return True if it is only seen by those who ask what is inside of a function."""
    is_named = binding.role in _INNER and "." not in binding.name
    return is_named and binding.owner >= 0 and definitions[binding.owner].kind in FUNCTION_LIKE


def _of_file(
    path: str, definitions: Sequence[Definition], references: Iterable[Reference], bindings: Sequence[Binding]
) -> Iterator[tuple[str, object]]:
    declared = [one for one in references if one.edge in _DECLARED]
    outer = [one for one in bindings if not is_inner(one, definitions)]
    lines = {0}
    lines.update(line for one in definitions for line in (one.start_line, one.end_line))
    lines.update(line for two in outer for line in (two.line, two.until))
    lines.update(three.line for three in declared)
    ranks = {line: rank for rank, line in enumerate(sorted(lines))}
    lookup = file_lookup(path)
    for one in definitions:
        content = one.identity, one.language, one.kind, one.name, one.qualified_name, one.parent
        yield lookup, (*content, ranks[one.start_line], ranks[one.end_line])
    for reference in declared:
        yield lookup, (*msgspec.structs.astuple(msgspec.structs.replace(reference, line=ranks[reference.line])),)
    for binding in outer:
        shifted = msgspec.structs.replace(binding, line=ranks[binding.line], until=ranks[binding.until])
        yield lookup, (*msgspec.structs.astuple(shifted),)
