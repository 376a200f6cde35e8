"""A language server: what an editor has open, and how it is answered off the event loop; `registration.py` makes one.

What an editor has open is what pygls keeps of it. Whole texts are sent at each change: pygls ends lines at characters
at which editors do not, as a form feed, so that it would apply partial changes at wrong places.
"""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

import birthmark
from birthmark.errors import BirthmarkError
from birthmark.surfaces.lsp.commands import COMMANDS, SHOWING, Execution, Run
from birthmark.surfaces.lsp.overlays import find_diagnostics
from birthmark.surfaces.lsp.query import CommandTarget, EditorQuery, Feature
from birthmark.surfaces.lsp.repositories import EditorRepositories, is_indexed, root_of
from birthmark.surfaces.request_error import RequestError, describe_failure
from birthmark.surfaces.workers import Workers

INDEX = "birthmark.index"
_INDEX_NOW = "Index it now"
_COMMAND_SECONDS = 3600.0  # A first index of a large repository takes minutes.


class EditorServer(LanguageServer):
    """Serves one editor, whatever folders it has open."""

    def __init__(self) -> None:
        super().__init__("birthmark", birthmark.__version__, types.TextDocumentSyncKind.Full)
        self.repositories = EditorRepositories(self._when_kept_up)
        self._questions, self._commands = Workers(), Workers(_COMMAND_SECONDS)
        self._reported_errors: set[tuple[Path, str]] = set()
        self._reported: dict[Path, set[str]] = {}  # the documents that have diagnostics
        self._reporting, self._unreported = set[Path](), set[Path]()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self.kinds: tuple[str, ...] = ()
        self.is_shut_down = False

    def close(self) -> None:
        self.repositories.close()

    # What is asked

    def query(self, uri: str | None) -> EditorQuery | None:
        """None for a document that is in none of the repositories that are open."""
        file = to_fs_path(uri) if uri else None
        place = self.repositories.place_of(Path(file), self._folders()) if file else None
        return None if place is None else self.query_at(*place)

    def query_at(self, root: Path, path: str = "") -> EditorQuery:
        texts, folders = {}, self._folders()
        for document in self.workspace.text_documents.values():
            file = to_fs_path(document.uri)
            place = self.repositories.place_of(Path(file), folders) if file else None
            if place is not None and place[0] == root:
                texts[place[1]] = document.source
        encoding = types.PositionEncodingKind(self.workspace.position_encoding or types.PositionEncodingKind.Utf16)
        return EditorQuery(root, path, texts, encoding.value, self.kinds)

    def _folders(self) -> list[Path]:
        """Those that the editor has open."""
        uris = [*self.workspace.folders, *([self.workspace.root_uri] if self.workspace.root_uri else [])]
        return [Path(path) for uri in dict.fromkeys(uris) if (path := to_fs_path(uri))]

    def roots(self) -> list[Path]:
        return [*dict.fromkeys(root for folder in self._folders() if (root := root_of(folder)) is not None)]

    async def answer(self, query: EditorQuery, feature: Feature, params: Any, nothing: Any) -> Any:
        """Off the event loop; when the editor cancels it, what was not begun is not done."""
        try:
            return await self._questions.run(partial(self._ask, query, feature, params))
        except (BirthmarkError, RequestError) as error:
            self.tell(query.root, error)
            return nothing
        except Exception as error:
            raise self._failure(error) from None

    def _ask(self, query: EditorQuery, feature: Feature, params: Any) -> Any:
        with self.repositories.get(query.root).open() as session:
            if feature.needs_index:
                session.require_index()
            return feature.answer(query, session, params)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Skip errors of sending: reporting one would fail again, without end. They are in the log."""
        if source is not JsonRpcInternalError:
            super().report_server_error(error, source)

    def _failure(self, error: Exception) -> JsonRpcInternalError:
        text = describe_failure(error)
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, text))
        return JsonRpcInternalError(text)

    # Messages

    def tell(self, root: Path, error: Exception) -> None:
        """Once each: an editor asks again with every key."""
        said = (root, str(error))
        if said in self._reported_errors:
            return
        self._reported_errors.add(said)
        if isinstance(error, BirthmarkError) and not is_indexed(root):
            self.start(self._offer_index(root, str(error)))
        else:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, str(error)))

    async def _offer_index(self, root: Path, text: str) -> None:
        choices = [types.MessageActionItem(_INDEX_NOW)]
        asked = types.ShowMessageRequestParams(types.MessageType.Info, text, choices)
        chosen = await self.window_show_message_request_async(asked)
        if chosen is not None and chosen.title == _INDEX_NOW:
            await self.execute(INDEX, [{"uri": root.as_uri()}])

    def start(self, work: Any) -> None:
        """Beside what is going on; an error in it is logged."""
        task = asyncio.ensure_future(self._logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _logged(self, work: Any) -> None:
        try:
            await work
        except Exception as error:
            self._failure(error)

    # Commands

    async def execute(self, name: str, arguments: list[object]) -> Any:
        command, changes = COMMANDS[name], COMMANDS[name] not in SHOWING
        try:
            target = CommandTarget.read(arguments[0] if arguments else None)
            query = self._query_for(target)
            outcome = await self._commands.run(partial(self._run, command, query, target), is_write=changes)
        except (BirthmarkError, RequestError) as error:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, str(error)))
            return None
        except Exception as error:
            raise self._failure(error) from None
        await self._show(outcome)
        if changes:
            self._changed(query.root)
        return outcome.result

    def _run(self, command: Run, query: EditorQuery, target: CommandTarget) -> Execution:
        sessions = self.repositories.get(query.root)
        with nullcontext() if command in SHOWING else sessions.changing():
            return command(query, sessions, target)

    def _query_for(self, target: CommandTarget) -> EditorQuery:
        """A folder means its repository."""
        file = to_fs_path(target.uri)
        root = root_of(Path(file)) if file and Path(file).is_dir() else None
        query = self.query_at(root) if root is not None else self.query(target.uri)
        if query is None:
            raise BirthmarkError(f"{target.uri}: is in no repository that is open here")
        return query

    async def _show(self, outcome: Execution) -> None:
        window = self.client_capabilities.window
        can_show = window is not None and window.show_document is not None and window.show_document.support
        if not outcome.name:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, outcome.message))
            return
        file = self.repositories.show(outcome.name, outcome.content)
        if can_show:
            shown = types.ShowDocumentParams(file.as_uri(), None, True, outcome.selection)
            await self.window_show_document_async(shown)
        else:
            text = f"{outcome.message}: {file}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

    # What has changed

    def saved(self, root: Path) -> None:
        self.repositories.get(root).forget_worktree()
        self._changed(root)

    def _changed(self, root: Path) -> None:
        self.repositories.forget_roots()
        self.start(self.report(root))
        self.refresh_lenses()

    def refresh_lenses(self) -> None:
        workspace = self.client_capabilities.workspace
        lenses = workspace.code_lens if workspace is not None else None
        if lenses is not None and lenses.refresh_support:
            self.workspace_code_lens_refresh(None)

    def _when_kept_up(self, root: Path) -> None:
        """Called from a thread: now it is known who uses what, and the index may be written again."""
        if self._loop is not None and not self._loop.is_closed() and not self.is_shut_down:
            self._loop.call_soon_threadsafe(self._changed, root)

    async def report(self, root: Path) -> None:
        """Publish the diagnostics of a repository; once more, if that was wanted meanwhile."""
        self._unreported.add(root)
        if root in self._reporting:
            return
        self._reporting.add(root)
        try:
            while root in self._unreported:
                self._unreported.discard(root)
                await self._report(root)
        finally:
            self._reporting.discard(root)

    async def _report(self, root: Path) -> None:
        if not is_indexed(root):
            return
        query = self.query_at(root)
        try:
            found = await self._commands.run(partial(self._ask_for_scan, query))
        except (BirthmarkError, RequestError) as error:
            self.tell(root, error)
            return
        by_uri = {query.uri(path): diagnostics for path, diagnostics in found.items()}
        gone = {uri: list[types.Diagnostic]() for uri in self._reported.get(root, set()) - by_uri.keys()}
        self._reported[root] = set(by_uri)
        for uri, diagnostics in (by_uri | gone).items():
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))

    def _ask_for_scan(self, query: EditorQuery) -> dict[str, list[types.Diagnostic]]:
        return find_diagnostics(query, self.repositories.get(query.root))

    def begin(self, params: types.InitializeParams) -> None:
        self._loop = asyncio.get_running_loop()
        options = params.initialization_options
        kinds = options.get("lensKinds") if isinstance(options, dict) else None
        self.kinds = tuple(map(str, kinds)) if isinstance(kinds, list | tuple) else ()
