"""Health, logs, metrics, traces and rates of the server."""

from __future__ import annotations

import json
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from starlette.types import Receive, Scope, Send

from asgi import Client
from birthmark.errors import BirthmarkError
from birthmark.server.serving.telemetry import kept_metrics, trace_requests
from birthmark.surfaces.http import observation
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.access.persons import RateLimit
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.observation import PERSON, Monitoring, Observation, check_monitoring
from running import birthmark
from worlds import World

TOKEN = "t" * 43
HEADERS = [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "repository", {"a.py": "def alpha():\n    return 1\n"}, with_git=True)
    world.index()
    return world


def client_of(world: World, monitoring: Monitoring | None = None, headers: list[tuple[str, str]] = HEADERS) -> Client:
    return Client(make_app(world.root, TOKEN.encode(), Hosts.of(7433), monitoring=monitoring), headers)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_health_needs_neither_token_nor_host_and_says_nothing_else(world: World, tmp_path: Path) -> None:
    client = client_of(world, headers=[("Host", "10.0.0.7:80")])
    assert [(reply.status, reply.body) for reply in map(client.get, ("/healthz", "/readyz"))] == [
        (200, b"ok\n"),
        (200, b"ready\n"),
    ]
    bare = World(tmp_path / "other", {"a.py": ""}, with_git=True)
    reply = client_of(bare, headers=[]).get("/readyz")
    assert (reply.status, reply.body) == (503, b"not ready\n")


def test_what_writes_is_audited_and_all_is_logged(world: World, tmp_path: Path) -> None:
    audit, log = tmp_path / "audit.jsonl", tmp_path / "log.jsonl"
    client = client_of(world, Monitoring(audit, log))
    client.get("/v1/show", ref="alpha")
    client.post("/v1/notes", {"ref": "alpha", "text": "secret words"})
    client.send("DELETE", "/v1/notes/note-none", headers=[HEADERS[0]])
    assert [(line["person"], line["method"], line["path"], line["status"]) for line in lines_of(audit)] == [
        ("owner", "POST", "/v1/notes", 201),
        (None, "DELETE", "/v1/notes/note-none", 401),
    ]
    assert [(line["method"], line["write"]) for line in lines_of(log)] == [
        ("GET", False),
        ("POST", True),
        ("DELETE", True),
    ]
    assert "secret" not in audit.read_text() + log.read_text()
    assert "alpha" not in audit.read_text() + log.read_text()
    assert audit.stat().st_mode & 0o077 == 0


def test_a_log_that_cannot_be_written_ends_the_command_with_one_line(world: World) -> None:
    result = birthmark("serve", "--port", "0", "--log", "no/such/folder/log", cwd=world.root)
    assert (result.returncode, result.stdout) == (2, "")
    assert (
        result.stderr
        == f"birthmark: {world.root}/no/such/folder/log: No such file or directory; name a file that can be written\n"
    )


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observation, "find_spec", lambda package: None)
    check_monitoring(Monitoring())
    with pytest.raises(BirthmarkError, match=r"birthmark\[telemetry\]"):
        check_monitoring(Monitoring(has_metrics=True))


def test_metrics_count_requests_by_route(world: World) -> None:
    with kept_metrics():
        client = client_of(world, Monitoring(has_metrics=True))
        for mark in world.marks().values():
            client.get("/v1/show", ref=mark)
        client.get("/v1/show", ref="none")
        text = client.get("/metrics").body.decode()
        assert 'birthmark_requests_total{method="GET",route="/v1/show",status="200"} 1.0' in text
        assert 'birthmark_requests_total{method="GET",route="/v1/show",status="404"} 1.0' in text
        assert 'birthmark_request_seconds_count{method="GET",route="/v1/show"} 2.0' in text
        assert client.send("GET", "/metrics", headers=[HEADERS[0]]).status == 401
    assert client_of(world).get("/metrics").status == 404


def test_spans_are_sent_where_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    received = list[tuple[str, bytes]]()

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *arguments: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Collector) as server:
        Thread(target=server.handle_request, daemon=True).start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
        monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "10")
        observe = trace_requests()
        observe(Observation(1.0, "GET", "/v1/show", "/v1/show", 200, 0.5, 10, "owner"))
        for _ in range(600):
            if received:
                break
            time.sleep(0.05)
    (path, body), *_ = received
    assert path == "/v1/traces"
    assert b"GET /v1/show" in body
    assert b"birthmark" in body


async def _answer(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def test_a_person_gets_the_rate_and_a_burst_and_another_person_the_same() -> None:
    now = 0.0
    limit = RateLimit(_answer, rate=2.0, clock=lambda: now)

    async def as_person(scope: Scope, receive: Receive, send: Send) -> None:
        scope[PERSON] = person
        await limit(scope, receive, send)

    client, person = Client(as_person, []), "ada"
    assert [client.get("/v1/status").status for _ in range(5)] == [200, 200, 200, 200, 429]
    refused = client.get("/v1/status")
    assert (refused.code, refused.headers["retry-after"]) == ("too_many_requests", "1")
    now = 0.5
    assert [client.get("/v1/status").status for _ in range(2)] == [200, 429]
    person = "bob"
    assert client.get("/v1/status").status == 200
