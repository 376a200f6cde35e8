"""Navigation in an editor: definitions and their uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types

from birthmark.app.answers.editor import EditorFiles, UseSite, find_use_sites, read_outline
from birthmark.app.answers.searching import SearchQuery, find_page
from birthmark.app.workspace.session import Session
from birthmark.model import Entity
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.formats.exports.scip_symbols import SourceLines
from birthmark.surfaces.lsp.query import EditorQuery, Positions, name_span

_MOST_SYMBOLS = 100
_KINDS = {
    "mod": types.SymbolKind.Module,
    "namespace": types.SymbolKind.Namespace,
    "class": types.SymbolKind.Class,
    "interface": types.SymbolKind.Interface,
    "struct": types.SymbolKind.Struct,
    "enum": types.SymbolKind.Enum,
    "trait": types.SymbolKind.Interface,
    "impl": types.SymbolKind.Class,
    "fn": types.SymbolKind.Function,
    "method": types.SymbolKind.Method,
    "constructor": types.SymbolKind.Constructor,
    "field": types.SymbolKind.Field,
    "const": types.SymbolKind.Constant,
    "var": types.SymbolKind.Variable,
    "typedef": types.SymbolKind.TypeParameter,
    "macro": types.SymbolKind.Function,
    "member": types.SymbolKind.EnumMember,
    "table": types.SymbolKind.Struct,
    "view": types.SymbolKind.Struct,
}


def find_definitions(query: EditorQuery, session: Session, params: types.DefinitionParams) -> list[types.Location]:
    files = query.files(session)
    return [*_locations(query, files, query.targets(session, params.position))]


def _locations(query: EditorQuery, files: EditorFiles, found: Sequence[IndexedEntity]) -> Iterator[types.Location]:
    """In the files as the editor has them; what is gone from there is nowhere."""
    for one in found:
        file = files.get(one.entity.path)
        ordinal = file.ordinal_of(one.identity) if file is not None else None
        if file is not None and ordinal is not None:
            yield query.location(file, file.entities[ordinal])


def find_references(query: EditorQuery, session: Session, params: types.ReferenceParams) -> list[types.Location]:
    targets, files = query.targets(session, params.position), query.files(session)
    declared = [*_locations(query, files, targets)] if params.context.include_declaration else []
    return _distinct([*declared, *_uses(query, session, files, targets)])


def _distinct(locations: Sequence[types.Location]) -> list[types.Location]:
    starts = ((one.uri, one.range.start.line, one.range.start.character) for one in locations)
    return [*dict(reversed([*zip(starts, locations, strict=True)])).values()][::-1]


def _uses(
    query: EditorQuery, session: Session, files: EditorFiles, targets: Sequence[IndexedEntity]
) -> Iterator[types.Location]:
    lines: dict[str, tuple[SourceLines, Positions]] = {}
    for target in targets:
        for site in find_use_sites(session, files, target.mark):
            path, content = site.file.path, site.file.content
            if path not in lines:
                lines[path] = SourceLines(content), query.positions(content)
            yield types.Location(query.uri(path), _site(site, *lines[path]))


def _site(site: UseSite, lines: SourceLines, positions: Positions) -> types.Range:
    return positions.range(lines.offsets(lines.find(site.line, *([name] for name in site.names))))


def list_symbols(
    query: EditorQuery, session: Session, params: types.DocumentSymbolParams
) -> list[types.DocumentSymbol]:
    """Return the symbols of a file, nested as in the file. No index is needed."""
    content = query.contents.get(query.path)
    if content is None:
        return []
    file = read_outline(session.repository, query.path, content)
    entities, positions = file.outline.entities if file is not None else (), query.positions(content)
    symbols = [_symbol(positions, entity) for entity in entities]
    for entity, symbol in zip(entities, symbols, strict=True):
        if entity.container >= 0:
            symbols[entity.container].children = [*(symbols[entity.container].children or ()), symbol]
    return [symbol for entity, symbol in zip(entities, symbols, strict=True) if entity.container < 0]


def _symbol(positions: Positions, entity: Entity) -> types.DocumentSymbol:
    """Editors refuse a name that is empty, or that is outside of its definition."""
    whole, name = (entity.start_byte, entity.end_byte), name_span(entity)
    if not whole[0] <= name[0] <= name[1] <= whole[1]:
        name = whole[0], whole[0]
    return types.DocumentSymbol(
        entity.name or entity.kind, _KINDS[entity.kind], positions.range(whole), positions.range(name)
    )


def search_symbols(
    query: EditorQuery, session: Session, params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    """By names, parts of names and former names, the likeliest first."""
    if not params.query.strip():
        return []
    page, files = find_page(session, SearchQuery(params.query, limit=_MOST_SYMBOLS)), query.files(session)
    found = [(one, [*_locations(query, files, [one.indexed])]) for one in page.results]
    return [
        types.WorkspaceSymbol(places[0], one.entity.name, _KINDS[one.entity.kind], container_name=one.entity.parent)
        for one, places in found
        if places
    ]
