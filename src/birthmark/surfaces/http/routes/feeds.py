"""Feeds as Atom documents, and changes of the index as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from birthmark.app.across import Visible
from birthmark.app.scans.subscription_states import read_feed
from birthmark.app.serving.shared_repositories import IndexEvents, SharedRepositories
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.document import encode_line
from birthmark.documents.index import IndexChangeDocument
from birthmark.surfaces.arguments import Param, read_values
from birthmark.surfaces.formats.atom import MEDIA_TYPE, write_feed
from birthmark.surfaces.http.access.persons import visible_to
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.workers import Workers

KEY = Param("key", "The key of this feed, for readers that cannot send the token.")
ID = Param("id", "The id of a subscription.", True, location="path")
HEARTBEAT_SECONDS = 15.0
_TICK_SECONDS = 1.0  # between checks whether the client is still there
_MOST_LISTENERS = 64
_MOST_WAITING = 100  # events that a client may be behind

_Events = asyncio.Queue[IndexChangeDocument | None]
_Endpoint = Callable[[Request], Awaitable[Response]]


def answer_feed(repositories: SharedRepositories, workers: Workers) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        params = (KEY, ID) if "id" in request.path_params else (KEY,)
        values = read_values(params, request.query_params.multi_items(), request.path_params)
        body = await workers.run(partial(_write, repositories, values.get("id"), visible_to(request.scope)))
        return Response(body, headers={"Cache-Control": "private, no-cache"}, media_type=MEDIA_TYPE)

    return answer


def _write(repositories: SharedRepositories, id_: str | None, visible: Visible) -> bytes:
    """Runs in a thread."""
    return write_feed(read_feed(find_workspace(repositories.folder), id_, visible))


def stream_events(source: IndexEvents, look: Callable[[], Awaitable[object]]) -> _Endpoint:
    """`look` is awaited first: what is there already is no event."""
    n_listeners = 0

    async def answer(request: Request) -> Response:
        if n_listeners >= _MOST_LISTENERS:
            raise RequestError("busy", f"{_MOST_LISTENERS} clients listen already; try again later")
        await look()
        return StreamingResponse(lines(request), media_type="text/event-stream")

    async def lines(request: Request) -> AsyncIterator[bytes]:
        nonlocal n_listeners
        events, loop = _Events(), asyncio.get_running_loop()

        def put(change: IndexChangeDocument | None) -> None:
            with suppress(RuntimeError):  # The server has just ended.
                loop.call_soon_threadsafe(events.put_nowait, change)

        n_listeners += 1
        source.listen(put)
        try:
            yield b": listening\n\n"
            async for line in _lines(request, events):
                yield line
        finally:
            n_listeners -= 1
            source.leave(put)

    return answer


async def _lines(request: Request, events: _Events) -> AsyncIterator[bytes]:
    """Until the client has left or is too far behind, or nothing follows."""
    quiet = 0.0
    while events.qsize() <= _MOST_WAITING:
        try:
            change = await asyncio.wait_for(events.get(), _TICK_SECONDS)
        except TimeoutError:
            quiet += _TICK_SECONDS
            if await request.is_disconnected():
                return
            if quiet >= HEARTBEAT_SECONDS:
                quiet = 0.0
                yield b":\n\n"
            continue
        if change is None:
            return
        quiet = 0.0
        yield b"event: index\ndata: " + encode_line(change) + b"\n\n"
