"""Any string as a REF, a pattern or a path gets an answer or a line that says what is wrong with it, soon."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asgi import Client
from birthmark.queries.ref_forms import MOST_FOLDERS
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.routes.routes import PREFIX, ROUTES
from running import birthmark
from worlds import World

TOKEN = "t" * 43
SECONDS = 5.0  # of processor time
PIECES = [
    "**/",
    "*",
    "?",
    "[a-",
    "[[:alpha:]",
    "\\",
    "::",
    ":",
    ":/",
    "../",
    "a/",
    "a.py",
    ".",
    "->",
    "#",
    "9",
    "é",
    "\n",
]
HOSTILE = {
    "folders": "**/" * 1000,
    "a name in folders": "a/" * 1000 + "b.py::f",
    "a pattern in folders": "**/" * 1000 + "b.py::*",
    "a long name": "a" * 100_000,
    "dots": "." * 100_000,
    "a long segment": "a" * 300 + "::f",
    "a long line": "a.py:" + "9" * 4000,
    "parents": "../" * 400 + "f",
    "a permalink": "https://h/" + "o/" * 400 + "blob/a/b.py#L3",
    "a stack trace": "at " * 1300 + "(a.py:3:4)",
    "an overload": "g(" + "a<b," * 1000 + ")",
    "parentheses": "(" * 2000 + ")" * 2000,
    "angles": "<a::" * 1000 + ">::f",
    "ends": "a." * 2000 + "f",
    "sets": "[a-" * 1300 + "::*",
}
PATHS = {"path", "base", "target", "at"}  # parameters that are paths or revisions
refs = st.text(max_size=40) | st.builds(
    lambda pieces, number: "".join(pieces) * number, st.lists(st.sampled_from(PIECES), max_size=5), st.integers(1, 2000)
)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder), {"a.py": "def f():\n    return 1\n", "pkg/b.py": "class A: pass\n"}, with_git=True)
        world.commit()
        world.index()
        yield world


@pytest.fixture(scope="module")
def client(world: World) -> Client:
    app = make_app(world.root, TOKEN.encode(), Hosts.of(7433))
    return Client(app, [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")])


def asked_by_routes() -> list[tuple[str, str]]:
    """Routes that ask, each with a parameter that takes any text."""
    routes = [route for route in ROUTES if route.method == "GET" and "{" not in route.path]
    return [
        (route.path, param.name)
        for route in routes
        for param in route.params
        if param.name in {"ref", "start", *PATHS} and not param.bounds and not param.choices
    ]


@contextmanager
def soon() -> Iterator[None]:
    begun = time.process_time()
    yield
    assert time.process_time() - begun < SECONDS


@given(ref=refs)
@pytest.mark.parametrize(("path", "name"), [("/resolve", "ref"), ("/history", "ref"), ("/diff", "path")])
def test_any_text_is_answered(client: Client, path: str, name: str, ref: str) -> None:
    with soon():
        assert client.get(PREFIX + path, **{name: ref}).status < 500


@given(ref=refs)
def test_any_text_may_be_subscribed_to(client: Client, ref: str) -> None:
    with soon():
        assert client.post(f"{PREFIX}/subscriptions", {"ref": ref}).status < 500


@pytest.mark.parametrize("ref", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(("path", "name"), asked_by_routes())
def test_every_route_refuses_what_names_nothing(client: Client, path: str, name: str, ref: str) -> None:
    params = next(route.params for route in ROUTES if route.path == path)
    given = {param.name: "f" for param in params if param.is_required} | {name: ref}
    with soon():
        assert client.get(PREFIX + path, **given).status < 500


@pytest.mark.parametrize("at", [None, "HEAD"])
@pytest.mark.parametrize("ref", ["**/" * 1000, "**/" * 1000 + "::*"])
def test_a_pattern_has_a_bounded_depth(client: Client, ref: str, at: str | None) -> None:
    reply = client.post(f"{PREFIX}/subscriptions", {"ref": ref, "at": at})
    assert (reply.status, reply.code) == (400, "bad_request")
    assert f"more than {MOST_FOLDERS} folders" in reply.document["error"]["message"]


@pytest.mark.parametrize("ref", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize(
    "command",
    [
        "show",
        "resolve",
        "history",
        "users",
        "subscribe",
        "subscribe --at HEAD",
        "notes",
        "entities",
        "chunks",
        "blame",
        "index",
    ],
)
def test_every_command_refuses_it_in_a_line(world: World, command: str, ref: str) -> None:
    with soon():
        result = birthmark(*command.split(), ref, cwd=world.root)
    assert result.returncode in (1, 2)
    assert result.stderr.count("\n") <= 1
