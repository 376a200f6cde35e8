"""Notes over HTTP: the documents of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from asgi import Client, Reply
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from running import document
from worlds import World

TOKEN = "t" * 43
NOTES = "/v1/notes"


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"a.py": "def f(a):\n    return a + 1\n\n\ndef g(b):\n    return b * 2\n"}, with_git=True)
    world.git("config", "user.name", "Ada")
    world.commit()
    world.index()
    return world


@pytest.fixture
def client(world: World) -> Client:
    app = make_app(world.root, TOKEN.encode(), Hosts.of(7433))
    return Client(app, [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")])


def answered(reply: Reply, status: int = 200) -> Any:
    assert reply.status == status, reply.body
    return reply.document


def test_the_life_of_a_note(world: World, client: Client) -> None:
    note = answered(client.post(NOTES, {"ref": "f", "text": "Why."}), 201)
    team = answered(client.post(NOTES, {"ref": "g", "text": "Ours.", "team": True}), 201)
    assert (note["stored"], team["stored"], note["author"]) == ("index", "team", "Ada")
    found = answered(client.get(NOTES))
    assert found["items"] == [note, team] == document("notes", cwd=world.root)
    assert found["freshness"]["fresh"] is True
    assert answered(client.get(NOTES, limit=1))["next"] == 1
    assert answered(client.get(NOTES, ref="g"))["items"] == [team]

    world.replace("a.py", "a + 1", "a + 2")
    [stale] = answered(client.get(NOTES, stale="true"))["items"]
    assert (stale["id"], stale["aspects"], stale["patch"]["added"]) == (note["id"], ["body"], 1)
    edited = answered(client.post(f"{NOTES}/{note['id']}", {"text": "Because."}, "PATCH"))
    assert (edited["text"], edited["stale"]) == ("Because.", True)
    kept = answered(client.post(f"{NOTES}/{note['id']}/keep"))
    assert (kept["text"], kept["stale"], kept["created_at"]) == ("Because.", False, note["created_at"])
    assert answered(client.send("DELETE", f"{NOTES}/{note['id']}"))["id"] == note["id"]
    assert [one["id"] for one in answered(client.get(NOTES))["items"]] == [team["id"]]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"ref": "f"}, 400, "text"),
        ({"ref": "f", "text": ""}, 400, "text"),
        ({"ref": "f", "text": " "}, 400, "has no text"),
        ({"ref": "f", "text": "a\0b"}, 400, "text"),
        ({"ref": "f", "text": "x" * 4097}, 400, "text"),
        ({"ref": "f", "text": "x", "author": "Eve"}, 400, "author"),
        ({"ref": "nothing_like_it", "text": "x"}, 404, "nothing_like_it"),
    ],
)
def test_a_wrong_note_is_refused(client: Client, body: dict[str, str], status: int, message: str) -> None:
    assert message in answered(client.post(NOTES, body), status)["error"]["message"]
    assert answered(client.get(NOTES))["items"] == []


@pytest.mark.parametrize(("method", "path"), [("DELETE", ""), ("POST", "/keep")])
def test_a_note_that_is_not_there(client: Client, method: str, path: str) -> None:
    reply = client.send(method, f"{NOTES}/note-0000000000{path}")
    assert "there is no such note" in answered(reply, 404)["error"]["message"]
