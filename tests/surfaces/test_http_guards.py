"""Who may ask over HTTP, how much they may send, and what they are told when they may not."""

from __future__ import annotations

import os
import socket
import stat
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

import anyio
import pytest

from asgi import Client, Reply
from birthmark.documents.document import Document
from birthmark.documents.index import ValidationDocument
from birthmark.errors import BirthmarkError, NotFoundError, StoreError
from birthmark.questions.question import Question
from birthmark.surfaces import workers as http_workers
from birthmark.surfaces.http import app as http_app
from birthmark.surfaces.http.access.guards import MAX_BODY, BoundedBody, Hosts
from birthmark.surfaces.http.access.token import TOKEN_FILE, load_token
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.routes.requests import HttpQuery
from birthmark.surfaces.http.routes.routes import DESCRIPTION, PREFIX, ROUTES, Route, make_route
from birthmark.surfaces.request_error import RequestError
from birthmark.surfaces.workers import Workers
from running import birthmark

TOKEN = "t" * 43
HOST, BEARER = ("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")
JSON = ("Content-Type", "application/json")
HOSTS = Hosts.of(7433, allowed=("code.example", "other.example:8443"))
Work = Callable[[HttpQuery], Document]
Serving = Callable[..., Client]


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(make_app(tmp_path, TOKEN.encode(), HOSTS), [HOST, BEARER])


def refused(reply: Reply, status: int) -> str:
    assert reply.status == status, reply.body
    assert reply.headers["content-type"] == "application/problem+json"
    assert set(reply.document) == {"error", "type", "title", "status", "detail"}
    assert set(reply.document["error"]) == {"message", "code", "choices"}
    assert (reply.document["type"], reply.document["status"]) == ("about:blank", status)
    assert reply.document["detail"] == reply.document["error"]["message"]
    return str(reply.document["error"]["message"])


# Host and Origin


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:7433", 200),
        ("localhost:7433", 200),
        ("LocalHost:7433", 200),
        ("[::1]:7433", 200),
        ("code.example", 200),
        ("code.example:7433", 200),
        ("other.example:8443", 200),
        ("127.0.0.1", 421),
        ("127.0.0.1:80", 421),
        ("localhost:7434", 421),
        ("evil.example:7433", 421),
        ("127.0.0.1.evil.example:7433", 421),
        ("code.example.evil.example", 421),
        ("127.0.0.1:7433@evil.example", 421),
        ("", 421),
    ],
)
def test_only_our_names_are_answered_to(client: Client, host: str, status: int) -> None:
    assert client.send("GET", DESCRIPTION, [("Host", host), BEARER]).status == status


@pytest.mark.parametrize("headers", [[BEARER], [HOST, HOST, BEARER], [HOST, ("Host", "evil.example"), BEARER]])
def test_a_host_is_named_once(client: Client, headers: list[tuple[str, str]]) -> None:
    assert client.send("GET", DESCRIPTION, headers).code == "unknown_host"


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:7433", "http://127.0.0.1:7433", 200),
        ("localhost:7433", "http://localhost:7433", 200),
        ("code.example", "https://code.example", 200),
        ("127.0.0.1:7433", "http://localhost:7433", 403),
        ("127.0.0.1:7433", "https://127.0.0.1:7433", 403),
        ("127.0.0.1:7433", "http://127.0.0.1", 403),
        ("127.0.0.1:7433", "http://127.0.0.1:7433.evil.example", 403),
        ("127.0.0.1:7433", "http://evil.example", 403),
        ("127.0.0.1:7433", "null", 403),
        ("127.0.0.1:7433", "", 403),
    ],
)
def test_pages_of_other_origins_may_not_ask(client: Client, host: str, origin: str, status: int) -> None:
    reply = client.send("GET", DESCRIPTION, [("Host", host), ("Origin", origin), BEARER])
    assert reply.status == status


def test_there_is_no_cors(client: Client) -> None:
    asked = [("Origin", "http://127.0.0.1:7433"), ("Access-Control-Request-Method", "GET")]
    for reply in (client.send("OPTIONS", DESCRIPTION, [HOST, BEARER, *asked]), client.get(DESCRIPTION)):
        assert not [name for name in reply.headers if name.startswith("access-control")]


# The token


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("Authorization", "")],
        [("Authorization", TOKEN)],
        [("Authorization", f"Basic {TOKEN}")],
        [("Authorization", "Bearer")],
        [("Authorization", f"Bearer {TOKEN[:-1]}")],
        [("Authorization", f"Bearer {TOKEN}x")],
        [("Authorization", "Bearer é")],
        [BEARER, BEARER],
    ],
)
def test_without_the_token_nothing_is_answered(client: Client, headers: list[tuple[str, str]]) -> None:
    reply = client.send("GET", f"{PREFIX}/status", [HOST, *headers])
    assert refused(reply, 401)
    assert reply.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("path", sorted({PREFIX + route.path for route in ROUTES} | {DESCRIPTION, "/", "/nowhere"}))
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS"])
def test_every_route_wants_the_token(client: Client, method: str, path: str) -> None:
    assert client.send(method, path, [HOST]).status == 401


@pytest.mark.parametrize("path", [DESCRIPTION, f"{PREFIX}/status", "/nowhere"])
def test_every_response_has_safe_headers(client: Client, path: str) -> None:
    for headers in ([HOST, BEARER], [HOST], [BEARER]):
        reply = client.send("GET", path, headers)
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cache-control"] == "no-store"
        assert reply.headers["referrer-policy"] == "no-referrer"


def test_a_token_is_made_once_and_kept(tmp_path: Path) -> None:
    home = tmp_path / ".birthmark"
    before = os.umask(0)
    try:
        token = load_token(home)
    finally:
        os.umask(before)
    assert len(token) == 43
    assert stat.S_IMODE((home / TOKEN_FILE).stat().st_mode) == 0o600
    assert load_token(home) == token
    assert load_token(tmp_path / "other") != token


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o644, 0o666])
def test_a_token_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    token = load_token(tmp_path).decode()
    (tmp_path / TOKEN_FILE).chmod(mode)
    with pytest.raises(BirthmarkError, match="others may read it") as caught:
        load_token(tmp_path)
    assert token not in str(caught.value)


def test_what_is_no_token_is_refused(tmp_path: Path) -> None:
    path = tmp_path / TOKEN_FILE
    path.touch(0o600)
    with pytest.raises(BirthmarkError, match="holds no token"):
        load_token(tmp_path)
    path.unlink()
    (tmp_path / "elsewhere").write_text(TOKEN)
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BirthmarkError, match="remove it"):
        load_token(tmp_path)
    path.unlink()
    path.mkdir(0o700)
    with pytest.raises(BirthmarkError, match="remove it"):
        load_token(tmp_path)


# Bodies


@pytest.mark.parametrize("body", [[b"x" * (MAX_BODY + 1)], [b"x" * 1000] * 1100, [b"x"] * 3 + [b"x" * MAX_BODY]])
@pytest.mark.parametrize("path", [f"{PREFIX}/scan", f"{PREFIX}/status", "/nowhere"])
def test_a_body_is_bounded_though_its_length_is_not_told(client: Client, body: list[bytes], path: str) -> None:
    reply = client.send("POST", path, [HOST, BEARER, JSON], body)
    assert "1,048,576" in refused(reply, 413)


@pytest.mark.parametrize(
    ("length", "status"), [(f"{MAX_BODY + 1}", 413), ("9" * 400, 413), ("-1", 400), ("1, 2", 400), ("x", 400)]
)
def test_a_length_is_believed_if_it_is_too_large(client: Client, length: str, status: int) -> None:
    refused(client.send("POST", f"{PREFIX}/scan", [HOST, BEARER, JSON, ("Content-Length", length)]), status)


@pytest.mark.parametrize(
    ("types", "status"),
    [
        (["application/json"], 400),
        (["application/json; charset=utf-8"], 400),
        (["Application/JSON;charset=UTF-8"], 400),
        (["application/json; charset=latin-1"], 415),
        (["text/plain"], 415),
        (["application/x-www-form-urlencoded"], 415),
        (["multipart/form-data; boundary=x"], 415),
        (["application/json", "text/plain"], 415),
        ([], 415),
    ],
)
def test_a_body_is_json(client: Client, types: list[str], status: int) -> None:
    headers = [HOST, BEARER, *(("Content-Type", type_) for type_ in types)]
    refused(client.send("POST", f"{PREFIX}/scan", headers, [b"no json"]), status)


def test_a_body_that_does_not_arrive_is_not_waited_for() -> None:
    async def never() -> dict[str, object]:
        await anyio.sleep_forever()
        raise AssertionError

    async def nothing(*_: object) -> None:
        raise AssertionError

    scope = {"type": "http", "headers": []}
    with pytest.raises(RequestError) as caught:
        anyio.run(BoundedBody(nothing, seconds=0.01), scope, never, nothing)
    assert caught.value.code == "request_timeout"


# Failures and limits


class Asking(Question, frozen=True, kw_only=True):
    """Ask what a test wants."""

    refreshes: ClassVar = False


class Writing(Asking, frozen=True, kw_only=True):
    """Write what a test wants."""

    writes: ClassVar = True
    route: ClassVar = "POST /write"


@pytest.fixture
def serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serving:
    """A client of routes that do what a test wants; those called `write…` are asked by POST."""

    def serve(seconds: float = 5.0, n_threads: int = 2, **works: Work) -> Client:
        routes = [make_route(name, Writing if name.startswith("write") else Asking) for name in works]
        monkeypatch.setattr(http_app, "ROUTES", routes)
        monkeypatch.setattr(Route, "answer", lambda route, query: works[route.name](query))
        return Client(make_app(tmp_path, TOKEN.encode(), HOSTS, Workers(seconds, n_threads)), [HOST, BEARER])

    return serve


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (BirthmarkError("say it otherwise"), 400, "say it otherwise"),
        (NotFoundError("it is not there"), 404, "it is not there"),
        (StoreError("the disk is full"), 500, "the disk is full"),
        (ValueError("a secret of ours"), 500, "internal failure; the standard error of the server has the details"),
        (RecursionError(), 500, "internal failure; the standard error of the server has the details"),
    ],
)
def test_failures_are_told_in_a_line(
    serving: Serving,
    error: Exception,
    status: int,
    told: str,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(_: HttpQuery) -> Document:
        raise error

    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert refused(serving(fail=fail).get(f"{PREFIX}/fail"), status) == told
    logs = list(tmp_path.glob("birthmark-*.log"))
    assert len(logs) == told.startswith("internal")
    for log in logs:
        assert "Traceback" in log.read_text()
        assert str(log) in capfd.readouterr().err


class Slow:
    """Work that does not end by itself."""

    def __init__(self) -> None:
        self.begun, self.ended, self.may_end = threading.Event(), threading.Event(), threading.Event()

    def __call__(self, _: HttpQuery) -> Document:
        self.begun.set()
        try:
            while not self.may_end.is_set():
                time.sleep(0.001)
            return Document()
        finally:
            self.ended.set()


def quick(_: HttpQuery) -> Document:
    return ValidationDocument(True, [])


def test_a_query_that_takes_too_long_is_given_up(serving: Serving) -> None:
    slow = Slow()
    reply = serving(0.05, slow=slow).get(f"{PREFIX}/slow")
    assert "0.05 s and was abandoned" in refused(reply, 504)
    slow.may_end.set()
    assert slow.ended.wait(5)


def test_a_query_that_is_given_up_does_not_block_the_others(serving: Serving) -> None:
    """It leaves its place, though its thread goes on."""
    blocked = threading.Event()

    def stuck(_: HttpQuery) -> Document:
        blocked.wait(30)
        return Document()

    client = serving(0.05, 1, stuck=stuck, quick=quick)

    async def ask() -> list[Reply]:
        replies = [await client.exchange("GET", f"{PREFIX}/stuck") for _ in range(2)]
        replies.append(await client.exchange("GET", f"{PREFIX}/quick"))
        blocked.set()
        return replies

    assert [reply.status for reply in anyio.run(ask)] == [504, 504, 200]


def test_what_is_given_up_just_as_it_ends_disturbs_nobody(serving: Serving) -> None:
    """Times are set so that many are."""

    def brief(_: HttpQuery) -> Document:
        time.sleep(0.002)
        return Document()

    client = serving(0.0025, 4, brief=brief, quick=quick)

    async def ask() -> list[Reply]:
        replies: list[Reply] = []

        async def one(path: str) -> None:
            replies.append(await client.exchange("GET", PREFIX + path))

        for _ in range(40):
            async with anyio.create_task_group() as tasks:
                for path in ("/brief", "/brief", "/quick"):
                    tasks.start_soon(one, path)
        return replies

    assert {reply.status for reply in anyio.run(ask)} <= {200, 503, 504}


def test_what_writes_goes_on_to_its_end(serving: Serving) -> None:
    slow = Slow()
    client = serving(0.05, write=slow)

    async def ask() -> Reply:
        reply = await client.exchange("POST", f"{PREFIX}/write")
        assert not slow.ended.is_set()
        slow.may_end.set()
        return reply

    assert "it will still be completed" in refused(anyio.run(ask), 504)
    assert slow.ended.wait(5)


def test_who_finds_no_place_is_turned_away() -> None:
    workers, blocked = Workers(0.05, 1), threading.Event()

    async def ask() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(workers.run, is_write=True), lambda: bytes(blocked.wait(30)))
            await anyio.sleep(0.01)
            workers.seconds = 0.01
            with pytest.raises(RequestError, match=r"no slot became free in 0.01 s") as caught:
                await workers.run(bytes)
            assert caught.value.code == "busy"
            blocked.set()

    anyio.run(ask)


def test_when_too_many_are_left_over_new_ones_are_turned_away(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_workers, "_MAX_ABANDONED", 2)
    blocked = threading.Event()

    def stuck(_: HttpQuery) -> Document:
        blocked.wait(30)
        return Document()

    client = serving(0.02, 1, stuck=stuck)

    async def ask() -> list[Reply]:
        replies = [await client.exchange("GET", f"{PREFIX}/stuck") for _ in range(3)]
        blocked.set()
        await anyio.sleep(0.05)
        return [*replies, await client.exchange("GET", f"{PREFIX}/stuck")]

    assert [reply.status for reply in anyio.run(ask)] == [504, 504, 503, 200]


# The command


def test_a_port_that_is_taken_is_told_of(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = birthmark("serve", "--port", port, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == f"birthmark: port {port} of 127.0.0.1 is taken; name another with --port\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--host", "nowhere.invalid"], "nowhere.invalid: is no address"),
        (["--host", "192.0.2.1"], "cannot listen on port 7433 of 192.0.2.1"),
        (["--host", "ü" * 80], "is no address"),
        (["--port", "70000"], "70000"),
        (["--allow-host", "https://code.example"], "https://code.example: is not a host name"),
        (["--allow-host", ""], "is not a host name"),
    ],
)
def test_where_nobody_can_listen(tmp_path: Path, arguments: list[str], told: str) -> None:
    result = birthmark("serve", *arguments, cwd=tmp_path)
    assert result.returncode == 2
    assert told in result.stderr


def test_a_token_that_is_no_secret_stops_the_command(tmp_path: Path) -> None:
    token = load_token(tmp_path / ".birthmark").decode()
    (tmp_path / ".birthmark" / TOKEN_FILE).chmod(0o644)
    result = birthmark("serve", "--port", "0", cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "others may read it" in result.stderr
    assert token not in result.stderr


def test_threads_are_used_again() -> None:
    workers, used = Workers(30.0, 2), set[int]()

    async def ask() -> None:
        for _ in range(20):
            used.add(await workers.run(threading.get_ident))

    anyio.run(ask)
    assert len(used) < 5
