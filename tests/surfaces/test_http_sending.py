"""Answers are compressed as clients accept it, and left out where clients have them."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from asgi import Client
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.routes.routes import DESCRIPTION, PREFIX
from birthmark.surfaces.http.sending import CompactAnswers
from worlds import World

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TOKEN = "t" * 43
HEADERS = [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")]
LONG = "line\n" * 1000


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"a.py": "def f():\n    return 1\n"})
    world.index()
    return world


@pytest.fixture
def client(world: World) -> Client:
    return Client(make_app(world.root, TOKEN.encode(), Hosts.of(7433)), HEADERS)


@pytest.mark.parametrize(
    ("accepted", "encoding", "unpack"),
    [
        ("gzip, deflate", "gzip", gzip.decompress),
        ("gzip;q=0.5, zstd", "zstd", zstd.decompress),
        ("GZIP , zstd;q=0", "gzip", gzip.decompress),
        ("zstd; q=0.0, br", None, bytes),
        ("", None, bytes),
    ],
)
def test_answers_are_compressed_as_the_client_accepts_it(
    client: Client, accepted: str, encoding: str | None, unpack: Callable[[bytes], bytes]
) -> None:
    plain = client.get(DESCRIPTION)
    reply = client.send("GET", DESCRIPTION, [*HEADERS, ("Accept-Encoding", accepted)])
    assert (reply.headers.get("content-encoding"), unpack(reply.body)) == (encoding, plain.body)
    assert int(reply.headers["content-length"]) == len(reply.body)
    assert (reply.headers["vary"], reply.headers["etag"]) == ("Accept-Encoding", plain.headers["etag"])


@pytest.mark.parametrize(
    "response",
    [
        PlainTextResponse("short"),
        Response(b"\0" * 5000, media_type="image/png"),
        Response(LONG, media_type="text/event-stream"),
        Response(LONG, headers={"Content-Encoding": "br"}, media_type="text/plain"),
    ],
)
def test_what_is_short_or_no_text_is_sent_as_it_is(response: ASGIApp) -> None:
    reply = Client(CompactAnswers(response), []).send("GET", "/", [("Accept-Encoding", "gzip")])
    assert (reply.status, reply.headers.get("content-encoding") in (None, "br")) == (200, True)


def test_a_stream_is_sent_as_it_comes() -> None:
    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
        await send({"type": "http.response.body", "body": LONG.encode(), "more_body": True})
        await send({"type": "http.response.body", "body": b"end"})

    reply = Client(CompactAnswers(stream), []).send("GET", "/", [("Accept-Encoding", "gzip")])
    assert (reply.body, set(reply.headers)) == (LONG.encode() + b"end", {"content-type"})


def test_an_answer_that_the_client_has_is_left_out_until_the_index_changes(client: Client, world: World) -> None:
    path, query = f"{PREFIX}/show", "ref=f"
    etag = client.send("GET", path, query=query).headers["etag"]
    for known in (etag, f'"x", {etag}', "*"):
        again = client.send("GET", path, [*HEADERS, ("If-None-Match", known)], query=query)
        assert (again.status, again.body, again.headers["etag"]) == (304, b"", etag)
        assert "content-length" not in again.headers
    assert client.send("GET", path, [*HEADERS, ("If-None-Match", '"x"')], query=query).status == 200
    world.replace("a.py", "return 1", "return 2")
    assert client.send("GET", path, [*HEADERS, ("If-None-Match", etag)], query=query).status == 200


def test_an_error_and_an_answer_to_a_post_have_no_etag(client: Client) -> None:
    assert "etag" not in client.get(f"{PREFIX}/show", ref="nobody").headers
    assert "etag" not in client.post(f"{PREFIX}/resolve", {"refs": ["f"]}).headers
