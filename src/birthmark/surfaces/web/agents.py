"""Agents at the server of pages: the Model Context Protocol, for the same tokens as all else.

The SDK takes a while to import, and need not be there; so the first that asks has it imported.
"""

from __future__ import annotations

from functools import cached_property

from starlette.types import ASGIApp, Receive, Scope, Send

from birthmark.app.workspace.shared_repositories import SharedRepositories
from birthmark.surfaces.http.access.guards import AGENTS
from birthmark.surfaces.http.observing.observation import TEMPLATE
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.workers import Workers


class AgentRoute:
    """An application that answers behind guards. Notes are written where that is allowed here or in the settings."""

    def __init__(self, repositories: SharedRepositories, workers: Workers, *, allow_notes: bool) -> None:
        self._repositories, self._workers, self._allow_notes = repositories, workers, allow_notes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope[TEMPLATE] = AGENTS
        server = await self._workers.run(lambda: self._server)
        await server(scope, receive, send)

    @cached_property
    def _server(self) -> ASGIApp:
        """Made in a thread."""
        try:
            from birthmark.surfaces.mcp.server import AgentServer
        except ImportError as error:
            message = "agents need the SDK of their protocol; `pip install 'birthmark[mcp]'` on the server installs it"
            raise RequestError("not_found", message) from error
        allow_notes = self._allow_notes or self._may_write_notes()
        return AgentServer(self._repositories, self._workers, allow_notes=allow_notes)

    def _may_write_notes(self) -> bool:
        with self._repositories.open(refreshes=False) as session:
            return session.repository.settings.mcp.allow_notes
