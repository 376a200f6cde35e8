"""Whether the server is there, and whether it can answer: for load balancers and orchestrators, which have no token.

Neither says anything about the repository.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LIVE, READY = "/healthz", "/readyz"


class Health:
    """Answers before all guards; `look` is awaited to find out whether there is an index that can be read."""

    def __init__(self, app: ASGIApp, look: Callable[[], Awaitable[bool]]) -> None:
        self.app, self.look = app, look

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "http" else ""
        app = PlainTextResponse("ok\n") if path == LIVE else await self._readiness() if path == READY else self.app
        await app(scope, receive, send)

    async def _readiness(self) -> PlainTextResponse:
        try:
            is_ready = await self.look()
        except Exception:  # Whatever it is, an answer would fail as well.
            is_ready = False
        return PlainTextResponse("ready\n") if is_ready else PlainTextResponse("not ready\n", 503)
