"""SCIP, which code search and navigation read: https://github.com/sourcegraph/scip.

A document for each file: where its definitions are, and where it uses which definitions. What inherits, implements or
overrides is a relationship of symbols. Positions count bytes of UTF-8. There is no package on PyPI with the messages,
and few of them are needed, so they are written here; tests read them with the protobuf library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import IO, NamedTuple

from birthmark import __version__
from birthmark.app.answers.exporting import Export, ExportCounts, SourceFile
from birthmark.graph.network import NetworkEdge
from birthmark.model import Entity
from birthmark.surfaces.formats.scip_symbols import KINDS, Position, SourceLines, file_symbol, symbols_of
from birthmark.vocabulary import EdgeKind, FileRole

_VARINT, _BYTES = 0, 2  # wire types
_UTF8 = 1  # of texts, and of positions
_DEFINITION, _IMPORT, _WRITE, _READ, _GENERATED, _TEST = (1 << bit for bit in range(6))
_ROLES = {EdgeKind.IMPORTS: _IMPORT, EdgeKind.READS: _READ, EdgeKind.WRITES: _WRITE}
_FILE_ROLES = {FileRole.TEST: _TEST, FileRole.GENERATED: _GENERATED}

# What the used one is to the user: whether it is an implementation, and whether its references are meant too.
_RELATIONSHIPS = {
    EdgeKind.INHERITS: (False, True),
    EdgeKind.IMPLEMENTS: (False, True),
    EdgeKind.OVERRIDES: (True, True),
}

_FILE_KIND = 16


class Occurrence(NamedTuple):
    """A symbol at a place; around it is the definition or the expression that it is part of, where that is larger."""

    position: Position
    symbol: str
    roles: int
    around: Position | None = None


class ScipSymbol(NamedTuple):
    """A symbol, and the names by which a source may call it, the likeliest first."""

    text: str
    names: tuple[str, ...]


Symbols = Mapping[int | str, ScipSymbol]  # of definitions by identity, and of files by path


def _aliases_of(file: SourceFile) -> dict[str, list[str]]:
    """Return the other names that a file gives to what it uses."""
    aliases: dict[str, list[str]] = {}
    for reference in file.outline.references:
        if reference.alias is not None:
            aliases.setdefault(reference.name, []).append(reference.alias)
    return aliases


def _written_names(
    file: SourceFile, use: NetworkEdge, symbol: ScipSymbol, aliases: Mapping[str, list[str]]
) -> list[list[str]]:
    """The name in the reference, those of what is meant with others that the file gives them, and what is left."""
    known = file.outline.references[use.ordinal : use.ordinal + 1]
    written = next((one for one in known if one.line == use.line), None)
    own = [[name, *aliases.get(name, ())] for name in symbol.names]
    if written is None:
        return own
    return [[written.name], *own, [written.alias or "", (written.receiver or "").rpartition(".")[2]]]


def varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first."""
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def number_field(field: int, number: int) -> bytes:
    return varint(field << 3 | _VARINT) + varint(number) if number else b""


def message_field(field: int, *parts: bytes) -> bytes:
    """A message in a message, which is written though it be empty."""
    content = b"".join(parts)
    return varint(field << 3 | _BYTES) + varint(len(content)) + content


def text_field(field: int, text: str) -> bytes:
    """A path or name that is no Unicode is written with question marks."""
    return message_field(field, text.encode("utf-8", "replace")) if text else b""


def numbers_field(field: int, numbers: Iterable[int]) -> bytes:
    packed = b"".join(map(varint, numbers))
    return message_field(field, packed) if packed else b""


def write_scip(export: Export, out: IO[bytes]) -> ExportCounts:
    counts = ExportCounts()
    out.write(message_field(1, _metadata(export.root)))
    symbols = _all_symbols(export)
    for source_file in export.sources():
        references = references_of(source_file, symbols)
        out.write(message_field(2, _document(source_file, symbols, references)))
        counts = counts.plus(1, len(source_file.identities), len(references))
    return counts


def _metadata(root: str) -> bytes:
    tool = message_field(2, text_field(1, "birthmark"), text_field(2, __version__))
    return tool + text_field(3, root) + number_field(4, _UTF8)


def _all_symbols(export: Export) -> Symbols:
    symbols: dict[int | str, ScipSymbol] = {}
    for path, outline, identities in export.outlines():
        symbols[path] = ScipSymbol(file_symbol(path), _file_names(path))
        texts = symbols_of(path, outline.entities)
        for identity, text, entity in zip(identities, texts, outline.entities, strict=True):
            symbols[identity] = ScipSymbol(text, _entity_names(entity))
    return symbols


def _file_names(path: str) -> tuple[str, ...]:
    """A module is called by its file, or by its folder."""
    folder, _, file = path.rpartition("/")
    return file.partition(".")[0], folder.rpartition("/")[2]


def _entity_names(entity: Entity) -> tuple[str, ...]:
    """Return the names of an entity; a constructor may also be called by the name of its type."""
    parent = (entity.parent or "").rpartition(".")[2]
    return (parent, entity.name) if entity.kind == "constructor" else (entity.name,)


def _document(file: SourceFile, symbols: Symbols, references: Iterable[Occurrence]) -> bytes:
    occurrences = [*definitions_of(file, symbols), *references]
    occurrences.sort(key=lambda one: (one.position, one.symbol))
    return b"".join(
        [
            text_field(1, file.path),
            *(message_field(2, _occurrence(one)) for one in occurrences),
            message_field(3, text_field(1, symbols[file.path].text), number_field(5, _FILE_KIND)),
            *(message_field(3, information) for information in _information(file, symbols)),
            text_field(4, file.language),
            number_field(6, _UTF8),
        ]
    )


def _occurrence(one: Occurrence) -> bytes:
    around = numbers_field(7, one.around.numbers) if one.around is not None else b""
    return numbers_field(1, one.position.numbers) + text_field(2, one.symbol) + number_field(3, one.roles) + around


def _information(file: SourceFile, symbols: Symbols) -> Iterator[bytes]:
    related: dict[int | str, list[NetworkEdge]] = {}
    for use in file.uses:
        if use.edge in _RELATIONSHIPS:
            related.setdefault(use.user, []).append(use)
    for identity, mark, entity in zip(file.identities, file.marks, file.outline.entities, strict=True):
        relationships = {(symbols[use.used].text, *_RELATIONSHIPS[use.edge]) for use in related.get(identity, ())}
        yield b"".join(
            [
                text_field(1, symbols[identity].text),
                text_field(3, f"`{mark}`"),
                *(
                    message_field(
                        4, text_field(1, symbol), number_field(2, is_reference), number_field(3, is_implementation)
                    )
                    for symbol, is_reference, is_implementation in sorted(relationships)
                ),
                number_field(5, KINDS[entity.kind][1]),
                text_field(6, entity.name),
                message_field(7, text_field(4, file.language), text_field(5, entity.signature)),
            ]
        )


def definitions_of(file: SourceFile, symbols: Symbols) -> Iterator[Occurrence]:
    """The file itself at its beginning, and each definition at its name."""
    lines, roles = SourceLines(file.source), _DEFINITION | _FILE_ROLES.get(file.role, 0)
    yield Occurrence(Position(0, 0, 0, 0), symbols[file.path].text, roles)
    for identity, entity in zip(file.identities, file.outline.entities, strict=True):
        whole = lines.span(entity.start_byte, entity.end_byte)
        start = whole._replace(end_line=whole.line, end=whole.start)
        name = lines.span(*entity.name_span) if entity.name_span is not None else start
        yield Occurrence(name, symbols[identity].text, roles, whole)


def references_of(file: SourceFile, symbols: Symbols) -> list[Occurrence]:
    """Return the references at the places where names are written; overrides do not write a name."""
    lines, aliases = SourceLines(file.source), _aliases_of(file)
    found: dict[tuple[Position, str, int], int] = {}
    for use in file.uses:
        if use.edge is not EdgeKind.OVERRIDES:
            symbol = symbols[use.used]
            position = lines.find(use.line, *_written_names(file, use, symbol, aliases))
            key = position, symbol.text, use.line
            found[key] = found.get(key, 0) | _ROLES.get(use.edge, 0) | _FILE_ROLES.get(file.role, 0)
    return [
        Occurrence(position, symbol, roles, _expression(position, line, lines))
        for (position, symbol, line), roles in found.items()
    ]


def _expression(position: Position, line: int, lines: SourceLines) -> Position | None:
    """From the line at which it starts to the name, where these are not the same."""
    if position.line == line - 1:
        return None
    return Position(line - 1, lines.indent(line), position.end_line, position.end)
