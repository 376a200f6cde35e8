"""Server-sent events: who listens hears of each update of the index, and of nothing else."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from asgi import Client, listen
from birthmark.app.serving.shared_repositories import MOST_MARKS, SharedRepositories
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.routes import feeds
from worlds import World

TOKEN = "t" * 43
HEADERS = [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")]
A = "def alpha():\n    return 1\n"

Act = Callable[[Client], Awaitable[object]]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"a.py": A}, with_git=True)
    world.index()
    return world


def heard(world: World, act: Act, n_pieces: int) -> list[bytes]:
    """What is sent, piece by piece, while something is done; the client leaves after so many pieces."""
    with closing(SharedRepositories(world.root, max_age=0.0)) as repositories:
        app = make_app(world.root, TOKEN.encode(), Hosts.of(7433), repositories=repositories)
        client = Client(app, HEADERS)
        return anyio.run(partial(listen, client, "/v1/events", partial(act, client), n_pieces))


def events(pieces: list[bytes]) -> list[dict[str, Any]]:
    found = [piece.removeprefix(b"event: index\ndata: ") for piece in pieces if piece.startswith(b"event: index\n")]
    return [json.loads(piece) for piece in found]


def test_an_update_by_a_request_is_sent(world: World) -> None:
    async def act(client: Client) -> None:
        world.write("a.py", A.replace("1", "2") + "\n\ndef beta():\n    return 3\n")
        await client.exchange("GET", "/v1/entities")

    pieces = heard(world, act, 2)
    assert pieces[0] == b": listening\n\n"
    (event,) = events(pieces)
    assert event["changes"] == {"born": 1, "modified": 1}
    assert sorted(event["marks"]) == sorted(world.marks().values())
    assert event["more"] is False


def test_no_more_marks_are_sent_than_a_client_can_take(world: World) -> None:
    async def act(client: Client) -> None:
        world.write("b.py", "\n".join(f"def f{number}(): return {number}" for number in range(MOST_MARKS + 1)))
        await client.exchange("GET", "/v1/status", query="")
        await client.exchange("GET", "/v1/entities")

    (event,) = events(heard(world, act, 2))
    assert (len(event["marks"]), event["more"], event["changes"]) == (MOST_MARKS, True, {"born": MOST_MARKS + 1})


def test_a_sign_of_life_is_sent_while_nothing_happens(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "HEARTBEAT_SECONDS", 0.02)
    monkeypatch.setattr(feeds, "_TICK_SECONDS", 0.01)

    async def act(client: Client) -> None:
        await client.exchange("GET", "/v1/entities")

    assert heard(world, act, 3) == [b": listening\n\n", b":\n\n", b":\n\n"]


def test_it_ends_with_the_server(world: World) -> None:
    with closing(SharedRepositories(world.root, max_age=0.0)) as repositories:
        app = make_app(world.root, TOKEN.encode(), Hosts.of(7433), repositories=repositories)

        async def stop() -> None:
            repositories.events.close()

        assert anyio.run(partial(listen, Client(app, HEADERS), "/v1/events", stop, 99)) == [b": listening\n\n"]


def test_it_needs_the_token(world: World) -> None:
    client = Client(make_app(world.root, TOKEN.encode(), Hosts.of(7433)), HEADERS[:1])
    assert client.get("/v1/events").status == 401
