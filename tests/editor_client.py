"""An editor without a screen: pygls's client, with the server in a process of its own."""

from __future__ import annotations

import ast
import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

SERVER = [sys.executable, "-m", "birthmark", "lsp"]
_WAIT_SECONDS = 90.0  # for what must come


class Editor:
    """What is opened in it, and what the server told it."""

    def __init__(self, client: LanguageClient) -> None:
        self.client = client
        self.messages: list[str] = []
        self.shown: list[types.ShowDocumentParams] = []
        self.diagnostics: dict[str, list[types.Diagnostic]] = {}
        self.n_refreshes = 0
        self.process = 0  # of the server
        self.choice: str | None = None  # what is answered when there is something to choose
        self._news = asyncio.Event()
        self.versions: dict[str, int] = {}
        handlers: dict[str, Callable[[Any], Any]] = {
            types.WINDOW_SHOW_MESSAGE: self._take_message,
            types.WINDOW_LOG_MESSAGE: self._take_message,
            types.WINDOW_SHOW_MESSAGE_REQUEST: self._choose,
            types.WINDOW_SHOW_DOCUMENT: self._show,
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: self._take_diagnostics,
            types.WORKSPACE_CODE_LENS_REFRESH: self._refresh,
        }
        for method, handle in handlers.items():
            client.feature(method)(_plain(handle))

    def _take_message(self, params: Any) -> None:
        self.messages.append(params.message)
        self._news.set()

    def _choose(self, params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
        self._take_message(params)
        return types.MessageActionItem(self.choice) if self.choice is not None else None

    def _show(self, params: types.ShowDocumentParams) -> types.ShowDocumentResult:
        self.shown.append(params)
        self._news.set()
        return types.ShowDocumentResult(True)

    def _take_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        self.diagnostics[params.uri] = list(params.diagnostics)
        self._news.set()

    def _refresh(self, params: object) -> None:
        self.n_refreshes += 1
        self._news.set()

    async def until(self, is_so: Callable[[], object]) -> None:
        async with asyncio.timeout(_WAIT_SECONDS):
            while not is_so():
                self._news.clear()
                await self._news.wait()

    # Documents

    def open(self, file: Path, text: str | None = None, language: str = "python") -> str:
        uri, text = file.as_uri(), file.read_text("utf-8") if text is None else text
        self.versions[uri] = 1
        document = types.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        return uri

    def change(self, uri: str, text: str) -> None:
        self.versions[uri] += 1
        document = types.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        changes = [types.TextDocumentContentChangeWholeDocument(text)]
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    def save(self, uri: str) -> None:
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))

    # Questions

    async def lenses(self, uri: str) -> list[types.CodeLens]:
        params = types.CodeLensParams(types.TextDocumentIdentifier(uri))
        return list(await self.client.text_document_code_lens_async(params) or [])

    async def titles(self, uri: str) -> dict[int, str]:
        """What is over each line, from 0."""
        found = {}
        for lens in await self.lenses(uri):
            resolved = await self.client.code_lens_resolve_async(lens)
            assert resolved.command is not None
            found[lens.range.start.line] = resolved.command.title
        return found

    async def hover(self, uri: str, line: int, character: int) -> str | None:
        params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        found = await self.client.text_document_hover_async(params)
        if found is None:
            return None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def definitions(self, uri: str, line: int, character: int) -> list[str]:
        params = types.DefinitionParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        return _places(await self.client.text_document_definition_async(params))

    async def references(self, uri: str, line: int, character: int, *, declares: bool = False) -> list[str]:
        where = types.TextDocumentIdentifier(uri), types.Position(line, character), types.ReferenceContext(declares)
        params = types.ReferenceParams(where[2], where[0], where[1])
        return _places(await self.client.text_document_references_async(params))

    async def actions(
        self, uri: str, chosen: types.Range, diagnostics: Sequence[types.Diagnostic] = ()
    ) -> dict[str, types.Command]:
        context = types.CodeActionContext(list(diagnostics))
        params = types.CodeActionParams(types.TextDocumentIdentifier(uri), chosen, context)
        found = await self.client.text_document_code_action_async(params) or []
        return {one.title: _command_of(one) for one in found}

    async def execute(self, command: str, *arguments: object) -> Any:
        params = types.ExecuteCommandParams(command, list(arguments))
        return await self.client.workspace_execute_command_async(params)


def _command_of(action: types.CodeAction | types.Command) -> types.Command:
    """pygls reads an action that has a command as if it were one, whose name is that of the action's."""
    if isinstance(action, types.Command):
        return types.Command(**ast.literal_eval(action.command))
    assert action.command is not None
    return action.command


def _plain(handle: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """pygls writes attributes on handlers, which methods do not take."""
    return lambda params: handle(params)


def _places(locations: Any) -> list[str]:
    """`shop.py:3:4-9`, from 1, of the units that editors count."""
    return [
        f"{Path(one.uri).name}:{one.range.start.line + 1}:{one.range.start.character + 1}-{one.range.end.character}"
        for one in locations or []
    ]


def at(line: int, character: int, end: int | None = None) -> types.Range:
    return types.Range(types.Position(line, character), types.Position(line, character if end is None else end))


@asynccontextmanager
async def editing(
    *folders: Path, shows: bool = True, options: object = None, server: Sequence[str] = SERVER, **started_with: Any
) -> AsyncIterator[Editor]:
    """Open folders in an editor; at the end the server is shut down, and must end well."""
    client = LanguageClient("editor", "1")
    editor = Editor(client)
    await client.start_io(*server, **started_with)
    capabilities = types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(code_lens=types.CodeLensWorkspaceClientCapabilities(True)),
        window=types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(True))
        if shows
        else None,
    )
    opened = [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders]
    params = types.InitializeParams(capabilities, workspace_folders=opened, initialization_options=options)
    await client.initialize_async(params)
    client.initialized(types.InitializedParams())
    process = client._server
    assert process is not None
    editor.process = process.pid
    try:
        yield editor
    finally:
        await client.shutdown_async(None)
        client.exit(None)
        code = await asyncio.wait_for(process.wait(), _WAIT_SECONDS)
        await client.stop()  # type: ignore[no-untyped-call]
    assert code == 0


def edit(story: Callable[[], Awaitable[None]]) -> None:
    """Run what happens in editors."""
    asyncio.run(_run(story))


async def _run(story: Callable[[], Awaitable[None]]) -> None:
    await story()
