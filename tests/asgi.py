"""Requests to an ASGI application without a network; headers and the pieces of a body are sent just as they are."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, NamedTuple
from urllib.parse import unquote, urlencode

import anyio
from starlette.types import ASGIApp, Message, Scope

Headers = Iterable[tuple[str, str]]


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        return str(self.document["error"]["code"])


class Client:
    """Sends the same headers with every request."""

    def __init__(self, app: ASGIApp, headers: Headers) -> None:
        self.app, self.headers = app, tuple(headers)

    def get(self, path: str, /, **query: object) -> Reply:
        return self.send("GET", path, query=urlencode(query))

    def post(self, path: str, document: object = None, method: str = "POST", **query: object) -> Reply:
        body = [] if document is None else [json.dumps(document).encode()]
        headers = [*self.headers, ("content-type", "application/json")]
        return self.send(method, path, headers, body, urlencode(query))

    def send(self, method: str, path: str, headers: Headers | None = None, body: Any = (), query: str = "") -> Reply:
        return anyio.run(self.exchange, method, path, headers, body, query)

    def scope(self, method: str, path: str, headers: Headers, query: str = "") -> Scope:
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path),
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers],
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 7433),
        }

    async def exchange(
        self, method: str, path: str, headers: Headers | None = None, body: Iterable[bytes] = (), query: str = ""
    ) -> Reply:
        given = self.headers if headers is None else headers
        scope = self.scope(method, path, given, query)
        pieces, sent = list(body), list[Message]()

        async def receive() -> Message:
            piece = pieces.pop(0) if pieces else b""
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

        async def send(message: Message) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        head = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return Reply(sent[0]["status"], head, b"".join(message.get("body", b"") for message in sent[1:]))


async def listen(client: Client, path: str, act: Callable[[], Awaitable[object]], n_pieces: int) -> list[bytes]:
    """The pieces of an answer without end, while something is done; the client leaves after so many of them."""
    pieces, has_begun, has_left = list[bytes](), anyio.Event(), anyio.Event()
    requests: list[Message] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Message:
        if requests:
            return requests.pop()
        await has_left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.body" and message.get("body"):
            pieces.append(message["body"])
            has_begun.set()
            if len(pieces) >= n_pieces:
                has_left.set()

    async def answer() -> None:
        await client.app(client.scope("GET", path, client.headers), receive, send)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(answer)
        await has_begun.wait()
        await act()
    return pieces
