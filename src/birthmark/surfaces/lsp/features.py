"""The features of the language server, in one table: definitions, uses and symbols for an editor to go to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from lsprotocol import types

from birthmark.app.answers.editor import EditorFiles, find_use_sites, read_outline
from birthmark.app.answers.searching import SearchQuery, find_page
from birthmark.app.workspace.session import Session
from birthmark.model import Entity
from birthmark.queries.snapshot_view import IndexedEntity
from birthmark.surfaces.formats.scip_symbols import KINDS, SourceLines
from birthmark.surfaces.lsp.commands import COMMANDS
from birthmark.surfaces.lsp.overlays import hover, list_actions, list_lenses, resolve_lens
from birthmark.surfaces.lsp.query import EditorQuery, Feature, Positions, name_span
from birthmark.surfaces.lsp.server import EditorServer

_MOST_SYMBOLS = 100


def find_definitions(query: EditorQuery, session: Session, params: types.DefinitionParams) -> list[types.Location]:
    files = query.files(session)
    return [*_locations(query, files, _places_of(query.targets(session, params.position)))]


def _places_of(found: Iterable[IndexedEntity]) -> Iterator[tuple[str, int]]:
    return ((one.entity.path, one.identity) for one in found)


def _locations(query: EditorQuery, files: EditorFiles, found: Iterable[tuple[str, int]]) -> Iterator[types.Location]:
    """Yield the places of paths with identities in files as the editor has them; what is gone from there is nowhere."""
    for path, identity in found:
        file = files.get(path)
        ordinal = file.ordinal_of(identity) if file is not None else None
        if file is not None and ordinal is not None:
            yield query.location(file, file.entities[ordinal])


def find_references(query: EditorQuery, session: Session, params: types.ReferenceParams) -> list[types.Location]:
    targets, files = query.targets(session, params.position), query.files(session)
    declared = [*_locations(query, files, _places_of(targets))] if params.context.include_declaration else []
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
            source, positions = lines[path]
            place = source.find(site.line, *([name] for name in site.names))
            yield types.Location(query.uri(path), positions.range(source.offsets(place)))


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
        entity.name or entity.kind, _symbol_kind(entity.kind), positions.range(whole), positions.range(name)
    )


def _symbol_kind(kind: str) -> types.SymbolKind:
    return types.SymbolKind[KINDS[kind][2]]


def search_symbols(
    query: EditorQuery, session: Session, params: types.WorkspaceSymbolParams
) -> list[types.WorkspaceSymbol]:
    """By names, parts of names and former names, the likeliest first."""
    if not params.query.strip():
        return []
    (page, hits), files = find_page(session, SearchQuery(params.query, limit=_MOST_SYMBOLS)), query.files(session)
    found = [
        (one.entity, [*_locations(query, files, [(one.entity.path, hit.shown.identity)])])
        for one, hit in zip(page.results, hits, strict=True)
    ]
    return [
        types.WorkspaceSymbol(places[0], one.name, _symbol_kind(one.kind), container_name=one.parent)
        for one, places in found
        if places
    ]


def _of_data(lens: types.CodeLens) -> str | None:
    uri = lens.data.get("uri") if isinstance(lens.data, dict) else None
    return uri if isinstance(uri, str) else None


FEATURES = (
    Feature(types.TEXT_DOCUMENT_CODE_LENS, list_lenses, options=types.CodeLensOptions(resolve_provider=True)),
    Feature(types.CODE_LENS_RESOLVE, resolve_lens, _of_data, lambda lens: lens),
    Feature(types.TEXT_DOCUMENT_HOVER, hover),
    Feature(types.TEXT_DOCUMENT_DEFINITION, find_definitions),
    Feature(types.TEXT_DOCUMENT_REFERENCES, find_references),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, list_symbols, needs_index=False),
    Feature(types.TEXT_DOCUMENT_CODE_ACTION, list_actions),
)

# Asked of each repository that is open; the answers are put together.
WORKSPACE_FEATURES = (Feature(types.WORKSPACE_SYMBOL, search_symbols),)


def make_server() -> EditorServer:
    server = EditorServer()
    for feature in FEATURES:
        server.feature(feature.method, feature.options)(_handler(server, feature))
    for feature in WORKSPACE_FEATURES:
        server.feature(feature.method, feature.options)(_workspace_handler(server, feature))
    for name in COMMANDS:
        server.command(name)(_executor(server, name))
    _follow_editor(server)
    return server


def _handler(server: EditorServer, feature: Feature) -> Callable[[Any], Any]:
    async def handle(params: Any) -> Any:
        nothing = feature.nothing(params)
        query = server.query(feature.uri_of(params))
        if query is None:
            return nothing
        return await server.answer(query, feature, params, nothing)

    return handle


def _workspace_handler(server: EditorServer, feature: Feature) -> Callable[[Any], Any]:
    async def handle(params: Any) -> Any:
        queries = [server.query_at(root) for root in server.roots()]
        asked = (server.answer(query, feature, params, []) for query in queries)
        return [item for found in await asyncio.gather(*asked) for item in found]

    return handle


def _executor(server: EditorServer, name: str) -> Callable[..., Any]:
    async def execute(*arguments: Any) -> Any:
        return await server.execute(name, list(arguments))

    return execute


def _follow_editor(server: EditorServer) -> None:
    """Register the handlers of editor events."""

    @server.feature(types.INITIALIZE)
    def begin(params: types.InitializeParams) -> None:
        server.begin(params)

    @server.feature(types.INITIALIZED)
    def report_all(params: types.InitializedParams) -> None:
        for root in server.roots():
            server.start(server.report(root))

    @server.feature(types.SHUTDOWN)
    def shut_down(params: Any) -> None:
        server.is_shut_down = True

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    def report_saved(params: types.DidSaveTextDocumentParams) -> None:
        query = server.query(params.text_document.uri)
        if query is not None:
            server.saved(query.root)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def nothing_to_do(params: Any) -> None:
        """pygls keeps the text; without a handler it would not tell editors that it wants it."""
