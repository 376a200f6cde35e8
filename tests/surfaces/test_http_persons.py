"""Requests of persons with tokens of their own: what each may do, in which repository, and until when."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from web_pages import FORM, HOST, SECRETS, TOKEN, send_form, shown, text_of

from asgi import Client
from birthmark.app.serving.user_tokens import list_tokens
from birthmark.app.workspace.stores import repository_name
from birthmark.server.commands.token_commands import add_token, remove_token
from birthmark.surfaces.http.access import persons
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.access.persons import Persons
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.observation import Monitoring
from birthmark.surfaces.web.sign_in import BrowserSecrets
from birthmark.surfaces.web.site import make_site
from running import birthmark, document
from worlds import World

AskAs = Callable[..., Client]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "repository", {"a.py": "def alpha():\n    return 1\n"}, with_git=True)
    world.commit()
    world.index()
    return world


@pytest.fixture
def ask_as(world: World, tmp_path: Path) -> AskAs:
    def make(name: str, *, writes: bool = False, repositories: tuple[str, ...] = ()) -> Client:
        secret = add_token(world.workspace, name, writes=writes, repositories=repositories)
        app = make_app(world.root, TOKEN, Hosts.of(7433), monitoring=Monitoring(tmp_path / "audit.jsonl"))
        return Client(app, [HOST, ("Authorization", f"Bearer {secret}")])

    return make


def test_a_reader_asks_and_changes_nothing(ask_as: AskAs, world: World) -> None:
    client = ask_as("anna")
    assert client.get("/v1/show", ref="alpha").status == 200
    assert client.post("/v1/resolve", {"refs": ["alpha"]}).status == 200  # It asks, though it has a body.
    for method, path, body in (
        ("POST", "/v1/subscriptions", {"ref": "alpha"}),
        ("POST", "/v1/notes", {"ref": "alpha", "text": "mine"}),
        ("POST", "/v1/index", {}),
        ("POST", "/v1/scan", {}),
        ("DELETE", "/v1/subscriptions/sub-1", None),
        ("POST", "/v1/nothing", {}),
    ):
        reply = client.post(path, body, method)
        assert (reply.status, reply.code) == (403, "forbidden"), path
    assert "is read-only" in client.post("/v1/index", {}).document["error"]["message"]
    assert document("subscriptions", cwd=world.root) == []


def test_a_writer_writes_and_is_named_in_the_audit(ask_as: AskAs, tmp_path: Path) -> None:
    assert ask_as("ben", writes=True).post("/v1/notes", {"ref": "alpha", "text": "mine"}).status == 201
    assert ask_as("anna").post("/v1/notes", {"ref": "alpha", "text": "mine"}).status == 403
    lines = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert [(line["person"], line["status"]) for line in lines] == [("ben", 201), ("anna", 403)]


def test_a_token_of_other_repositories_opens_nothing_here(ask_as: AskAs, world: World) -> None:
    reply = ask_as("anna", repositories=("elsewhere",)).get("/v1/status")
    assert (reply.status, reply.code) == (403, "forbidden")
    assert "for other repositories" in reply.document["error"]["message"]
    assert ask_as("ben", repositories=("elsewhere", repository_name(world.workspace))).get("/v1/status").status == 200


def test_a_removed_token_is_refused_within_the_time_that_is_promised(
    ask_as: AskAs, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert persons.SECONDS == 5.0  # as the help of `token` and the documents have it
    client = ask_as("anna")
    assert client.get("/v1/status").status == 200
    remove_token(world.workspace, "anna")
    now = [0.0]
    known = Persons(TOKEN, lambda: list_tokens(world.workspace), clock=lambda: now[0])
    secret = add_token(world.workspace, "ben", writes=False).encode()
    assert known.by_token(secret) is not None
    remove_token(world.workspace, "ben")
    now[0] = 2.0
    assert known.by_token(secret) is not None
    now[0] = 5.1
    assert known.by_token(secret) is None


@pytest.mark.parametrize("value", ["", "Bearer", "Bearer ", "Bearer birthmark_x", "Basic {}", "Bearer {}x", "{}"])
def test_what_is_no_token_is_unauthorized(ask_as: AskAs, value: str) -> None:
    client = ask_as("anna")
    secret = client.headers[1][1].removeprefix("Bearer ")
    reply = client.send("GET", "/v1/status", [HOST, ("Authorization", value.format(secret))])
    assert (reply.status, reply.code) == (401, "unauthorized")


# Browsers


def browse(world: World, *headers: tuple[str, str], secrets: BrowserSecrets = SECRETS) -> Client:
    return Client(make_site(world.root, Hosts.of(7433), secrets), [HOST, *headers])


def sign_in(world: World, secret: str) -> tuple[str, str]:
    """The cookie."""
    body = urlencode({"token": secret}).encode()
    reply = browse(world).send("POST", "/sign-in", [HOST, FORM], [body])
    assert reply.status == 303
    return "Cookie", reply.headers["set-cookie"].partition(";")[0]


def test_a_browser_has_the_rights_of_the_person_who_signed_in(world: World) -> None:
    reader = browse(world, sign_in(world, add_token(world.workspace, "anna", writes=False)))
    writer = browse(world, sign_in(world, add_token(world.workspace, "ben", writes=True)))
    for client in (reader, writer):
        assert "alpha" in text_of(shown(client.get("/search", text="alpha")))
        assert client.get("/v1/status").status == 200
    form_token = SECRETS.form_token_of("ben")
    assert form_token in shown(writer.get("/file/a.py"))
    assert "is read-only" in text_of(shown(send_form(reader, "/subscriptions", ref="alpha"), 403))
    assert send_form(writer, "/subscriptions", ref="alpha").status == 403  # with the token of the owner's forms
    assert send_form(writer, "/subscriptions", form_token, ref="alpha").status == 303


def test_a_cookie_ends_with_the_token_it_was_given_for(world: World) -> None:
    secret = add_token(world.workspace, "anna", writes=False)
    cookie = sign_in(world, secret)
    assert secret not in cookie[1]
    assert browse(world, cookie).get("/search").status == 200
    for changed in (cookie[1][:-1], cookie[1].replace("anna", "ben"), cookie[1] + "0"):
        assert browse(world, ("Cookie", changed)).get("/search").status == 401
    other = BrowserSecrets.of(b"u" * 43, 7433)
    assert browse(world, cookie, secrets=other).get("/search").status == 401
    remove_token(world.workspace, "anna")
    add_token(world.workspace, "anna", writes=True)
    assert browse(world, cookie).get("/search").status == 401


def test_a_stranger_is_not_given_the_token_of_forms(world: World) -> None:
    html = shown(browse(world).send("GET", "/assets/..%2Fsite.py"), 404)
    assert SECRETS.form_token not in html


# The command


def test_the_command_shows_a_token_once(world: World) -> None:
    made = birthmark("token", "add", "anna", "--write", "--repository", "a", "--expires", "2d", cwd=world.root)
    assert made.returncode == 0, made.stderr
    secret = made.stdout.strip()
    (listed,) = document("token", "list", cwd=world.root)
    assert (listed["name"], listed["write"], listed["repositories"]) == ("anna", True, ["a"])
    text = birthmark("token", "list", cwd=world.root).stdout
    assert ("anna" in text, "read and write" in text, secret in text) == (True, True, False)
    assert birthmark("token", "remove", "anna", cwd=world.root).returncode == 0
    assert "nobody has a token" in birthmark("token", "list", cwd=world.root).stderr
    assert birthmark("token", "remove", "anna", cwd=world.root).returncode == 2
