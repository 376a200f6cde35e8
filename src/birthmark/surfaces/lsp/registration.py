"""Make a language server of the tables of features and commands."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from birthmark.surfaces.lsp.commands import COMMANDS
from birthmark.surfaces.lsp.navigation import find_definitions, find_references, list_symbols, search_symbols
from birthmark.surfaces.lsp.overlays import hover, list_actions, list_lenses, resolve_lens
from birthmark.surfaces.lsp.query import Feature
from birthmark.surfaces.lsp.server import EditorServer


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
