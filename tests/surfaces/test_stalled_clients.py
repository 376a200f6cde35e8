"""Clients that stall, over real sockets: their connections end, and others are answered."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, closing, contextmanager

import anyio
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from birthmark.surfaces.http import bounded_connections
from birthmark.surfaces.http.serving import SETTINGS, listen

LIMIT, LONG = 0.3, 1.2  # seconds to stall, and a time well beyond
HALF = b"GET /quick HTTP/1.1\r\nHost: x\r\nX-Slow: "
QUICK = b"GET /quick HTTP/1.1\r\nHost: x\r\n\r\n"
STALLS = {
    "nothing": b"",
    "half a head": HALF,
    "a request, and half of the next": QUICK + HALF,
    "an answered request, and half of its body": b"POST /quick HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx",
    "what is no HTTP": b"\x16\x03\x01",
}


async def answer_quickly(_: Request) -> Response:
    return PlainTextResponse("here")


async def answer_slowly(_: Request) -> Response:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(2):
            await anyio.sleep(LONG / 2)
            yield b"tick\n"

    return StreamingResponse(pieces())


async def answer_at_length(_: Request) -> Response:
    return PlainTextResponse(b"x" * 50_000_000)


APP = Starlette(
    routes=[
        Route("/quick", answer_quickly, methods=["GET", "POST"]),
        Route("/slow", answer_slowly),
        Route("/long", answer_at_length),
    ]
)


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, int]]:
    """Where a server listens that has little patience."""
    monkeypatch.setattr(bounded_connections, "HEADER_SECONDS", LIMIT)
    monkeypatch.setattr(bounded_connections, "READING_SECONDS", LIMIT)
    monkeypatch.setattr(bounded_connections, "MAX_WAITING", 8)
    server = uvicorn.Server(uvicorn.Config(APP, **SETTINGS, timeout_keep_alive=2))
    with listen("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            yield listener.getsockname()
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def sending(address: tuple[str, int], sent: bytes) -> Iterator[socket.socket]:
    with closing(socket.create_connection(address, timeout=20)) as client:
        client.sendall(sent)
        yield client


def received(client: socket.socket) -> bytes:
    """All that is sent until the server ends the connection."""
    pieces = list[bytes]()
    try:
        while piece := client.recv(1 << 16):
            pieces.append(piece)
    except ConnectionResetError:
        pass
    return b"".join(pieces)


def check_answer(client: socket.socket) -> None:
    answer = b""
    while not answer.endswith(b"here"):
        piece = client.recv(1 << 16)
        assert piece, answer
        answer += piece


@pytest.mark.parametrize("sent", STALLS.values(), ids=STALLS)
def test_a_stalled_request_is_ended(address: tuple[str, int], sent: bytes) -> None:
    begun = time.monotonic()
    with sending(address, sent) as client:
        received(client)
    assert time.monotonic() - begun < 10


def test_headers_that_trickle_are_ended(address: tuple[str, int]) -> None:
    with sending(address, HALF) as client, pytest.raises(ConnectionError):
        send_slowly(client, b"x" * 200)


def send_slowly(client: socket.socket, sent: bytes) -> None:
    for byte in sent:
        time.sleep(LIMIT / 10)
        client.sendall(bytes([byte]))


def test_an_answer_may_be_quiet_for_long(address: tuple[str, int]) -> None:
    """Also while the next request has been sent in part."""
    with sending(address, b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + HALF) as client:
        assert received(client).count(b"tick") == 2


def test_an_idle_connection_is_used_again(address: tuple[str, int]) -> None:
    with sending(address, QUICK) as client:
        check_answer(client)
        time.sleep(LONG)
        client.sendall(QUICK)
        check_answer(client)


def test_many_half_requests_hold_up_nobody(address: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_connections, "HEADER_SECONDS", 60.0)
    with ExitStack() as clients:
        half = [clients.enter_context(sending(address, HALF)) for _ in range(40)]
        with sending(address, QUICK) as client:
            check_answer(client)
        assert [received(client) for client in half[:32]] == [b""] * 32
        half[-1].sendall(b"\r\n\r\n")
        check_answer(half[-1])


def test_a_client_that_does_not_read_is_given_up(address: tuple[str, int]) -> None:
    with sending(address, b"GET /long HTTP/1.1\r\nHost: x\r\n\r\n") as client:
        time.sleep(LONG)
        assert len(received(client)) < 50_000_000


def test_a_client_that_reads_slowly_gets_all(address: tuple[str, int]) -> None:
    with sending(address, b"GET /long HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") as client:
        n_received = 0
        while n_received < 30_000_000:
            n_received += len(client.recv(1 << 20))
            time.sleep(LIMIT / 20)
        assert n_received + len(received(client)) > 50_000_000
