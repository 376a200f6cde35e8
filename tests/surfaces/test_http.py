"""What is answered over HTTP: the documents of the command line, a page at a time."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import pytest

from asgi import Client, Reply
from birthmark.surfaces.arguments import LIMIT
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.access.token import ALL_FEED, FEED, TOKEN_FILE
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.http.errors import STATUSES
from birthmark.surfaces.http.routes.routes import DESCRIPTION, EVENTS, PREFIX, ROUTES
from birthmark.vocabulary import DeliveryState
from running import birthmark, document, without_time
from scanning import post_message
from worlds import World

APP = "from tools import helper\n\n\ndef main(xs):\n    return helper(xs) + len(xs)\n"
TOOLS = (
    "def helper(xs):\n    total = sum(x * x for x in xs)\n    return total\n\n\ndef spare():\n    return helper([])\n"
)
README = "# Tools\n\n```python\ndef example():\n    return 1\n```\n"
TOKEN = "t" * 43


def client_of(root: Path) -> Client:
    app = make_app(root, TOKEN.encode(), Hosts.of(7433))
    return Client(app, [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")])


def make_world(root: Path) -> World:
    """Two commits, indexed."""
    world = World(root, {"app.py": APP, "tools.py": TOOLS, "README.md": README}, with_git=True)
    world.commit()
    world.replace("tools.py", "total = sum", "total = 1 + sum")
    world.commit()
    world.index()
    return world


@pytest.fixture(scope="module")
def shared() -> Iterator[World]:
    """Nobody changes it."""
    with tempfile.TemporaryDirectory() as folder:
        yield make_world(Path(folder))


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make_world(tmp_path)


def answered(reply: Reply, status: int = 200) -> Any:
    assert reply.status == status, reply.body
    return reply.document


def refused(reply: Reply, status: int) -> str:
    assert reply.status == status, reply.body
    return str(reply.document["error"]["message"])


# The same as on the command line


@pytest.mark.parametrize(
    ("path", "query", "command"),
    [
        ("/status", {}, ["status"]),
        ("/show", {"ref": "helper"}, ["show", "helper"]),
        ("/resolve", {"ref": "tools.py:2"}, ["resolve", "tools.py:2"]),
        ("/resolve", {"ref": "nobody"}, ["resolve", "nobody"]),
        ("/resolve", {"ref": "app.py->CALL->helper[in:main]"}, ["resolve", "app.py->CALL->helper[in:main]"]),
        ("/diff", {}, ["diff"]),
        ("/diff", {"base": "HEAD~1"}, ["diff", "HEAD~1"]),
        ("/diff", {"base": "HEAD~1", "target": "HEAD"}, ["diff", "HEAD~1", "HEAD"]),
        ("/diff", {"base": "HEAD~1..HEAD", "patch": "true"}, ["diff", "HEAD~1..HEAD", "-p"]),
        (
            "/diff",
            {"base": "HEAD~1", "kind": "fn,class", "path": "!app.py"},
            ["diff", "HEAD~1", "--kind", "fn", "--kind", "class", "--path=!app.py"],
        ),
        (
            "/diff",
            {"target": "HEAD", "change": "added", "language": "python"},
            ["diff", "HEAD", "HEAD", "--change", "added", "--language", "python"],
        ),
        ("/history", {"ref": "helper"}, ["history", "helper"]),
        ("/history", {"ref": "tools.py::helper", "at": "HEAD~1"}, ["history", "tools.py::helper", "--at", "HEAD~1"]),
        ("/history", {"ref": "helper", "patch": "true"}, ["history", "helper", "--patch"]),
        ("/history", {"ref": "helper", "since": "HEAD~1"}, ["history", "helper", "--since", "HEAD~1"]),
        ("/history", {"ref": "helper", "until": "2000-01-01"}, ["history", "helper", "--until", "2000-01-01"]),
        ("/history", {"ref": "helper", "author": "eve"}, ["history", "helper", "--author", "eve"]),
        ("/callers", {"ref": "helper"}, ["callers", "helper"]),
        ("/users", {"ref": "helper"}, ["users", "helper"]),
        ("/users", {"ref": "helper", "uses": "calls,subclasses"}, ["users", "helper", "--calls", "--subclasses"]),
        ("/callees", {"ref": "main"}, ["callees", "main"]),
        ("/clones", {"all": "true", "share": "80"}, ["clones", "--all", "--share", "80"]),
        ("/impact", {"ref": "helper", "depth": "2"}, ["impact", "helper", "--depth", "2"]),
        ("/path", {"start": "main", "end": "helper"}, ["path", "main", "helper"]),
        ("/cycles", {"files": "true"}, ["cycles", "--files"]),
        ("/components", {}, ["components"]),
        ("/rank", {"tests": "false"}, ["rank", "--no-tests"]),
        ("/unused", {"all": "true"}, ["unused", "--all"]),
        ("/modules", {}, ["modules"]),
        ("/modules", {"path": ".", "depth": "1", "all": "true"}, ["modules", ".", "--depth", "1", "--all"]),
        ("/modules", {"files": "true"}, ["modules", "--files"]),
        ("/review", {"base": "HEAD~1..HEAD"}, ["review", "HEAD~1..HEAD"]),
        ("/hotspots", {}, ["hotspots"]),
        ("/hotspots", {"path": "tools.py", "since": "HEAD~1"}, ["hotspots", "tools.py", "--since", "HEAD~1"]),
    ],
)
def test_documents_are_those_of_the_command_line(
    shared: World, path: str, query: dict[str, str], command: list[str]
) -> None:
    found = answered(client_of(shared.root).get(PREFIX + path, **query))
    expected = document(*command, cwd=shared.root, code=2 if command == ["resolve", "nobody"] else 0)
    assert without_time(found) == without_time(expected)


@pytest.mark.parametrize("path", ["app.py", "."])
def test_blame_is_that_of_the_command_line(shared: World, path: str) -> None:
    client = client_of(shared.root)
    found = answered(client.get(f"{PREFIX}/blame", path=path))
    assert found["items"] == document("blame", path, cwd=shared.root)
    assert answered(client.get(f"{PREFIX}/blame", path=path, limit=1))["items"] == found["items"][:1]
    assert "is not in" in refused(client.get(f"{PREFIX}/blame", path="../etc"), 404)


@pytest.mark.parametrize("what", ["entities", "nodes", "chunks"])
@pytest.mark.parametrize("file", ["", "app.py", "README.md"])
def test_lists_are_those_of_the_command_line(shared: World, what: str, file: str) -> None:
    found = answered(client_of(shared.root).get(f"{PREFIX}/{what}", path=file))
    expected = document(what, *([file] if file else []), cwd=shared.root)
    assert sorted(found["items"], key=repr) == sorted(expected, key=repr)
    assert found["freshness"]["fresh"] is True
    assert (found["truncated"], found["next"]) == (False, None)


def test_chunks_without_their_text(shared: World) -> None:
    client = client_of(shared.root)
    found = answered(client.get(f"{PREFIX}/chunks", text="false"))["items"]
    assert found == document("chunks", "--no-text", cwd=shared.root)
    changes = answered(client.get(f"{PREFIX}/chunks", since="HEAD~1", kept="true", text="false"))["changes"]
    assert changes == document("chunks", "--since", "HEAD~1", "--kept", "--no-text", cwd=shared.root)["changes"]


def test_resolve_at_a_revision(world: World) -> None:
    document("index", "--from-history", cwd=world.root)
    found = answered(client_of(world.root).get(f"{PREFIX}/resolve", ref="helper", at="HEAD~1"))
    assert found["at"]["place"]["path"] == "tools.py"
    expected = document("resolve", "helper", "--at", "HEAD~1", cwd=world.root)
    assert without_time(found) == without_time(expected)


def test_many_refs_are_resolved_as_on_the_command_line(shared: World) -> None:
    refs = ["helper", "nobody", "tools.py:2", ""]
    found = answered(client_of(shared.root).post(f"{PREFIX}/resolve", {"refs": refs}))
    printed = birthmark("resolve", *refs, "--json", cwd=shared.root).stdout
    assert without_time(found["results"]) == [without_time(json.loads(line)) for line in printed.splitlines()]
    found = answered(client_of(shared.root).post(f"{PREFIX}/resolve", {"refs": ["tools.py:2"], "at": "HEAD~1"}))
    expected = document("resolve", "tools.py:2", "--at", "HEAD~1", cwd=shared.root)
    assert without_time(found["results"]) == [without_time(expected)]
    assert answered(client_of(shared.root).post(f"{PREFIX}/resolve", {"refs": []})) == {"results": []}


@pytest.mark.parametrize(
    "body", [{}, {"refs": "helper"}, {"refs": ["x"] * 10_001}, {"refs": ["x" * 5_000]}, {"ref": "x"}]
)
def test_refs_that_are_not_resolved(shared: World, body: object) -> None:
    assert "the body is not valid" in refused(client_of(shared.root).post(f"{PREFIX}/resolve", body), 400)


# Pages


@pytest.mark.parametrize("what", ["entities", "nodes", "chunks"])
@pytest.mark.parametrize("limit", [1, 2, 3, 5])
def test_pages_together_are_the_whole(shared: World, what: str, limit: int) -> None:
    client, rows, at = client_of(shared.root), list[Any](), 0
    while True:
        page = answered(client.get(f"{PREFIX}/{what}", limit=limit, offset=at))
        rows += page["items"]
        assert page["truncated"] == (page["next"] is not None)
        if not page["truncated"]:
            break
        assert len(page["items"]) == limit
        at = page["next"]
    assert rows == answered(client.get(f"{PREFIX}/{what}"))["items"]
    assert answered(client.get(f"{PREFIX}/{what}", offset=10_000))["items"] == []


def test_lists_in_documents_are_cut(shared: World) -> None:
    client = client_of(shared.root)
    whole = answered(client.get(f"{PREFIX}/history", ref="helper"))
    first = answered(client.get(f"{PREFIX}/history", ref="helper", limit=1))
    second = answered(client.get(f"{PREFIX}/history", ref="helper", limit=1, offset=first["next"]))
    assert (first["truncated"], first["next"], second["truncated"], second["next"]) == (True, 1, False, None)
    assert first["events"] + second["events"] == whole["events"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("limit=0", "limit"),
        ("limit=10001", "limit"),
        ("limit=-1", "limit"),
        ("limit=1e3", "limit"),
        ("limit=%D9%A1", "limit"),
        ("offset=x", "offset"),
        ("limit=" + "9" * 5000, "limit"),
        ("limit=1&limit=2", "limit: is given twice"),
        ("lim=1", "lim: there is no such parameter"),
        ("refresh=", "refresh: must be true or false"),
        ("path=%00", "path"),
        ("path=" + "a" * 5000, "path"),
    ],
)
def test_a_parameter_that_is_wrong_is_named(shared: World, query: str, named: str) -> None:
    assert named in refused(client_of(shared.root).send("GET", f"{PREFIX}/entities", query=query), 400)


# What is not there


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/show?ref=nobody", 404),
        ("/v1/show", 400),
        ("/v1/show?ref=", 400),
        ("/v1/callers?ref=bm-000000000000", 404),
        ("/v1/users?ref=helper&uses=everything", 400),
        ("/v1/history?ref=nobody", 404),
        ("/v1/history?ref=helper&at=nowhere", 404),
        ("/v1/history?ref=helper&at=--help", 404),
        ("/v1/diff?base=nowhere", 404),
        ("/v1/diff?base=--output%3D/tmp/x", 404),
        ("/v1/diff?base=HEAD%0A", 404),
        ("/v1/entities?path=nowhere.py", 404),
        ("/v1/nodes?path=nowhere.py", 404),
        ("/v1/subscriptions/sub-0000000000", 404),
        ("/v1/scans/7", 404),
        ("/v1/scans/x", 400),
        ("/v1/nothing", 404),
        ("/v1/status/", 404),
        ("/v1/index", 405),
        ("/", 404),
    ],
)
def test_what_is_not_there_is_told_of(shared: World, path: str, status: int) -> None:
    at, _, query = path.partition("?")
    reply = client_of(shared.root).send("GET", at, query=query)
    assert refused(reply, status)
    assert "Traceback" not in reply.body.decode()


def test_other_methods_are_listed(shared: World) -> None:
    reply = client_of(shared.root).post(f"{PREFIX}/subscriptions", method="DELETE")
    assert refused(reply, 405)
    assert set(reply.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


def test_without_an_index(tmp_path: Path) -> None:
    World(tmp_path, {"app.py": APP}, with_git=True)
    client = client_of(tmp_path)
    assert "run `birthmark index` first" in refused(client.get(f"{PREFIX}/status"), 400)
    assert answered(client.post(f"{PREFIX}/index"))["files"] == 1
    assert answered(client.get(f"{PREFIX}/status"))["fresh"] is True


# Nothing outside the root


OUTSIDE = [
    "../secret.py",
    "../../secret.py",
    "sub/../../secret.py",
    "./../secret.py",
    "link.py",
    "linked/secret.py",
    ".git/config",
    ".birthmark/http-token",
    "..\\secret.py",
    "%2e%2e/secret.py",
    "file:///etc/passwd",
    "/etc/passwd",
    "~/.ssh/id_rsa",
    "../secret.py::SECRET",
    "../secret.py:1",
]


@pytest.fixture(scope="module")
def enclosed() -> Iterator[World]:
    """A repository with a secret beside it, and links that lead there."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "secret.py").write_text("SECRET = 'hush'\n")
        world = World(Path(folder) / "root", {"app.py": APP, "sub/tools.py": TOOLS}, with_git=True)
        (world.root / "link.py").symlink_to("../secret.py")
        (world.root / "linked").symlink_to("..")
        world.commit()
        world.index()
        yield world


@pytest.mark.parametrize("path", [*OUTSIDE, "<root>/../secret.py", "<root>/app.py"])
def test_nothing_outside_the_root_is_read(enclosed: World, path: str) -> None:
    client, path = client_of(enclosed.root), path.replace("<root>", str(enclosed.root))
    replies = [client.get(f"{PREFIX}/{what}", path=path) for what in ("entities", "nodes", "chunks")]
    replies += [client.get(f"{PREFIX}/{what}", ref=path) for what in ("show", "callers", "callees", "history")]
    replies += [client.post(f"{PREFIX}/index", {"path": path}), client.get(f"{PREFIX}/diff", base=path)]
    assert {reply.status for reply in replies} <= {400, 404}
    replies.append(client.post(f"{PREFIX}/subscriptions", {"ref": path}))
    replies.append(client.get(f"{PREFIX}/resolve", ref=path))
    assert not [reply.body for reply in replies if b"hush" in reply.body or b"internal failure" in reply.body]


# Indexing


def test_one_file_is_indexed_again(world: World) -> None:
    client = client_of(world.root)
    world.replace("tools.py", "helper", "squares")
    assert answered(client.get(f"{PREFIX}/status"))["pending"] == ["tools.py"]
    found = answered(client.post(f"{PREFIX}/index", {"path": "tools.py"}))
    assert found["file"] == {"path": "tools.py", "language": "python", "problem": None}
    assert found["changes"]["renamed"] == 1
    assert answered(client.get(f"{PREFIX}/show", ref="squares"))["freshness"]["fresh"] is True


def test_a_file_that_has_moved_keeps_its_entities(world: World) -> None:
    mark = world.mark("helper")
    world.move("tools.py", "kit.py")
    found = answered(client_of(world.root).post(f"{PREFIX}/index", {"path": "kit.py"}))
    assert found["file"]["path"] == "kit.py"
    assert world.entity(mark).entity.path == "kit.py"
    assert answered(client_of(world.root).post(f"{PREFIX}/index", {"path": "kit.py"}))["changes"].get("born", 0) == 0


def test_a_file_that_is_gone_is_told_of_once(world: World) -> None:
    client = client_of(world.root)
    world.remove("tools.py")
    assert answered(client.post(f"{PREFIX}/index", {"path": "tools.py"}))["file"] is None
    assert "is no file that is indexed" in refused(client.post(f"{PREFIX}/index", {"path": "tools.py"}), 404)


# Subscriptions


def test_a_subscription_from_beginning_to_end(world: World) -> None:
    client = client_of(world.root)
    made = answered(client.post(f"{PREFIX}/subscriptions", {"ref": "tools.py::helper", "label": "sums"}), 201)
    again = answered(client.post(f"{PREFIX}/subscriptions", {"ref": "tools.py::helper", "label": "sums"}))
    assert (made.pop("created"), made.pop("same_target_ids")) == (True, [])
    assert (again.pop("created"), again.pop("same_target_ids"), again) == (False, [], made)
    at = f"{PREFIX}/subscriptions/{made['id']}"
    assert answered(client.get(at)) == made
    assert answered(client.get(f"{PREFIX}/subscriptions"))["items"] == [made]
    assert document("subscriptions", cwd=world.root) == [made]

    changed = answered(client.post(at, {"description": "why", "label": None}, method="PATCH"))
    assert (changed["description"], changed["label"]) == ("why", None)
    assert answered(client.post(f"{at}/deactivate"))["active"] is False
    assert answered(client.post(f"{at}/reactivate"))["active"] is True
    assert answered(client.post(f"{at}/snooze", {"until": "2100-01-31"}))["snoozed_until"] == "2100-01-31T00:00:00Z"
    assert answered(client.post(f"{at}/reactivate"))["snoozed_until"] is None

    world.replace("tools.py", "1 + sum", "2 + sum")
    report = answered(client.post(f"{PREFIX}/scan", {"docs": True}))
    (trigger,) = report["triggers"]
    assert (trigger["subscription_id"], trigger["change_type"]) == (made["id"], "CONTENT")
    assert answered(client.post(f"{at}/acknowledge"))["acknowledged"] is True
    assert answered(client.post(f"{PREFIX}/scan"))["triggers"] == []
    assert answered(client.get(f"{PREFIX}/scans/{report['scan']}")) == report
    assert [scan["scan"] for scan in answered(client.get(f"{PREFIX}/scans"))["items"]] == [2, 1]
    assert answered(client.get(f"{PREFIX}/scans", limit=1))["next"] == 1

    tried = answered(client.post(f"{PREFIX}/apply", {"scan": report["scan"], "dry_run": True}))
    assert [one["subscription_id"] for one in tried["applied"]] == [made["id"]]
    applied = answered(client.post(f"{PREFIX}/apply", {"ids": [made["id"]], "scan": report["scan"]}))
    assert applied["skipped"] == []
    assert answered(client.get(at))["semantic"] != made["semantic"]

    assert answered(client.send("DELETE", at))["id"] == made["id"]
    assert refused(client.get(at), 404)


@pytest.mark.parametrize(
    ("method", "path", "body", "named"),
    [
        ("POST", "/subscriptions", {"ref": "helper", "lable": "x"}, "lable"),
        ("POST", "/subscriptions", {"label": "x"}, "ref"),
        ("POST", "/subscriptions", {"ref": 1}, "$.ref"),
        ("POST", "/subscriptions", {"ref": "a\0"}, "$.ref"),
        ("POST", "/subscriptions", [], "array"),
        ("PATCH", "/subscriptions/x", {"active": False}, "active"),
        ("PATCH", "/subscriptions/x", {"cosmetic": "yes"}, "$.cosmetic"),
        ("POST", "/subscriptions/x/snooze", {"until": 3}, "$.until"),
        ("POST", "/subscriptions/x/acknowledge", {"sure": True}, "takes no body"),
        ("POST", "/scan", {"ids": "all"}, "$.ids"),
        ("POST", "/scan", {"record": False}, "record"),
        ("POST", "/apply", {"scan": "last"}, "$.scan"),
        ("POST", "/index", {"path": ""}, "$.path"),
        ("GET", "/status", {}, "takes no body"),
    ],
)
def test_a_field_that_is_wrong_is_named(shared: World, method: str, path: str, body: object, named: str) -> None:
    assert named in refused(client_of(shared.root).post(PREFIX + path, body, method), 400)


@pytest.mark.parametrize("body", [b"{", b"\xff", b'{"base": "\\ud800"}', b"[" * 100_000, b"null", b'{"base": 1e999}'])
def test_a_body_that_is_no_document(shared: World, body: bytes) -> None:
    client = client_of(shared.root)
    headers = [*client.headers, ("Content-Type", "application/json")]
    assert refused(client.send("POST", f"{PREFIX}/scan", headers, [body]), 400)


# Deliveries


def test_a_message_that_was_given_up_is_sent_again(world: World) -> None:
    client = client_of(world.root)
    assert answered(client.get(f"{PREFIX}/deliveries"))["items"] == []
    post_message(world.root, "msg_1")
    post_message(world.root, "msg_2", state=DeliveryState.DEAD, attempts=9, error="answered 410")
    listed = answered(client.get(f"{PREFIX}/deliveries"))["items"]
    assert [(one["id"], one["state"]) for one in listed] == [("msg_2", "dead"), ("msg_1", "pending")]
    assert [one["id"] for one in answered(client.get(f"{PREFIX}/deliveries", state="dead"))["items"]] == ["msg_2"]
    for _ in range(2):  # The second time it is pending already.
        retried = answered(client.post(f"{PREFIX}/deliveries/msg_2/retry"))
        assert (retried["state"], retried["attempts"]) == ("pending", 0)
    assert answered(client.get(f"{PREFIX}/deliveries", state="dead"))["items"] == []


def test_what_was_delivered_or_is_unknown_is_not_sent_again(world: World) -> None:
    client = client_of(world.root)
    assert client.post(f"{PREFIX}/deliveries/msg_1/retry").code == "not_found"
    post_message(world.root, "msg_1", state=DeliveryState.DELIVERED)
    assert client.post(f"{PREFIX}/deliveries/msg_1/retry").code == "bad_request"
    assert client.post(f"{PREFIX}/deliveries/msg_2/retry").code == "not_found"


# What became of a subscription


def test_the_state_of_a_subscription_is_what_a_scan_would_report(world: World) -> None:
    client = client_of(world.root)
    id_ = answered(client.post(f"{PREFIX}/subscriptions", {"ref": "main"}), 201)["id"]
    same = answered(client.get(f"{PREFIX}/subscriptions/{id_}/state"))
    assert same["accepted_source"].startswith("def main")
    assert (same["trigger"], same["proposal"], same["muted"]) == (None, None, None)
    world.replace("app.py", "len(xs)", "2 * len(xs)")
    changed = answered(client.get(f"{PREFIX}/subscriptions/{id_}/state"))
    assert changed["accepted_source"] == same["accepted_source"]
    assert changed["trigger"]["reasons"] == ["body_changed"]
    assert answered(client.get(f"{PREFIX}/scans"))["items"] == []


@pytest.mark.parametrize("ref", [".birthmark/http-token:1-1", ".git/config:1-1", ".env:1-1"])
def test_a_client_cannot_subscribe_to_secrets(world: World, ref: str) -> None:
    world.write(".gitignore", ".env\n")
    for path in (".env", ".birthmark/http-token", ".git/config"):
        world.write(path, "secret\n")
    client = client_of(world.root)
    assert "so it cannot be named" in refused(client.post(f"{PREFIX}/subscriptions", {"ref": ref}), 400)
    assert answered(client.get(f"{PREFIX}/subscriptions"))["items"] == []


def test_triggers_of_stored_scans_are_listed(world: World) -> None:
    client = client_of(world.root)
    id_ = answered(client.post(f"{PREFIX}/subscriptions", {"ref": "main"}), 201)["id"]
    world.replace("app.py", "len(xs)", "2 * len(xs)")
    numbers = [answered(client.post(f"{PREFIX}/scan"))["scan"] for _ in range(2)]
    listed = answered(client.get(f"{PREFIX}/triggers", ids=id_))["items"]
    assert [(one["scan"], one["subscription_id"]) for one in listed] == [(number, id_) for number in reversed(numbers)]
    assert answered(client.get(f"{PREFIX}/triggers", ids="sub-none"))["items"] == []
    assert [one["scan"] for one in answered(client.get(f"{PREFIX}/triggers", scans=1))["items"]] == numbers[1:]


def test_what_an_older_scan_found_is_acknowledged(world: World) -> None:
    client = client_of(world.root)
    id_ = answered(client.post(f"{PREFIX}/subscriptions", {"ref": "main"}), 201)["id"]
    world.replace("app.py", "len(xs)", "2 * len(xs)")
    number = answered(client.post(f"{PREFIX}/scan"))["scan"]
    world.replace("app.py", "2 * len(xs)", "len(xs)")
    answered(client.post(f"{PREFIX}/scan"))
    assert client.post(f"{PREFIX}/subscriptions/{id_}/acknowledge").code == "bad_request"
    reply = client.send("POST", f"{PREFIX}/subscriptions/{id_}/acknowledge", query=f"scan={number}")
    assert answered(reply)["acknowledged"] is True


# The description


def test_every_route_is_described(shared: World) -> None:
    paths = answered(client_of(shared.root).get(DESCRIPTION))["paths"]
    described = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert described == {(route.method, PREFIX + route.path) for route in ROUTES} | {
        ("GET", DESCRIPTION),
        ("GET", EVENTS),
        ("GET", ALL_FEED),
        ("GET", FEED),
    }
    for route in ROUTES:
        operation = paths[PREFIX + route.path][route.method.lower()]
        given = [(param["name"], param["in"], param["required"]) for param in operation.get("parameters", ())]
        assert given == [(param.name, param.location, param.is_required) for param in route.params]
        assert {name for name, place, _ in given if place == "path"} == set(re.findall(r"\{(\w+)\}", route.path))
        assert ("requestBody" in operation) == (route.body is not None)
        assert set(operation["responses"]) == {*map(str, route.statuses), "default"}


def test_the_description_is_whole(shared: World) -> None:
    found = answered(client_of(shared.root).get(DESCRIPTION))
    assert found["openapi"] == "3.1.0"
    assert found["security"] == [{"token": []}]
    references = set(re.findall(r"'\$ref': '#/components/(\w+)/(\w+)'", repr(found)))
    assert {(kind, name) for kind, name in references if name not in found["components"][kind]} == set()
    operations = [operation for methods in found["paths"].values() for operation in methods.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    described = {param["name"]: param["schema"] for param in found["paths"]["/v1/entities"]["get"]["parameters"]}
    assert described["refresh"] == {"type": "string", "enum": ["true", "false"], "default": "true"}
    assert described["limit"] == {"type": "integer", "minimum": 1, "maximum": 10_000, "default": LIMIT.default}
    shown = {param["name"]: param for param in found["paths"]["/v1/show"]["get"]["parameters"]}
    assert shown["ref"]["schema"]["minLength"] == 1
    compared = {param["name"]: param for param in found["paths"]["/v1/diff"]["get"]["parameters"]}
    assert (compared["change"]["style"], compared["change"]["explode"]) == ("form", False)
    assert "renamed" in compared["change"]["schema"]["items"]["enum"]
    assert "minLength" not in compared["base"]["schema"]
    fields = found["components"]["schemas"]["NewSubscription"]
    assert (fields["required"], fields["additionalProperties"]) == (["ref"], False)


QUERIED = ("ref", "path", "start", "end")


def test_every_route_answers_as_it_is_described(world: World) -> None:
    """Each is asked for what was made before; deleting comes last."""
    client = client_of(world.root)
    described = answered(client.get(DESCRIPTION))
    subscribed = answered(client.post(f"{PREFIX}/subscriptions", {"ref": "main"}), 201)["id"]
    noted = answered(client.post(f"{PREFIX}/notes", {"ref": "main", "text": "Why."}), 201)["id"]
    world.replace("app.py", "len(xs)", "2 * len(xs)")
    scanned = answered(client.post(f"{PREFIX}/scan"))["scan"]
    post_message(world.root, "msg_1", scanned, DeliveryState.DEAD)
    values = {
        "number": scanned,
        "message": "msg_1",
        "ref": "main",
        "path": "app.py",
        "text": "main",
        "start": "main",
        "end": "helper",
    }
    bodies = {
        "/subscriptions": {"ref": "helper"},
        "/index": {"path": "app.py"},
        "/resolve": {"refs": ["helper", "?"]},
        "/anchors": {"refs": ["helper"]},
        "/notes": {"ref": "helper", "text": "Why."},
        "/notes/{id}": {"text": "Because."},
    }
    for route in sorted(ROUTES, key=lambda route: route.method == "DELETE"):
        asked = [one for one in route.params if one.name in QUERIED or (one.is_required and one.name == "text")]
        query = {param.name: values[param.name] for param in asked}
        at = PREFIX + route.path.format(**values, id=noted if route.path.startswith("/notes") else subscribed)
        body = bodies.get(route.path, {}) if route.body else None
        reply = client.get(at, **query) if route.method == "GET" else client.post(at, body, route.method)
        operation = described["paths"][PREFIX + route.path][route.method.lower()]
        schema = operation["responses"][str(reply.status)]["content"]["application/json"]["schema"]
        obey(reply.document, schema, described, f"{route.method} {at}")


def obey(value: Any, schema: dict[str, Any], described: dict[str, Any], where: str) -> None:
    """What a schema says of types and fields; a field that it does not know is an error of the description."""
    types: dict[str, Any] = {
        "string": str,
        "integer": int,
        "number": int | float,
        "boolean": bool,
        "null": type(None),
        "object": dict,
    }
    if "enum" in schema:
        assert value in schema["enum"], where
    if "$ref" in schema:
        obey(value, described["components"]["schemas"][schema["$ref"].rpartition("/")[2]], described, where)
    elif "anyOf" in schema:
        obey(value, schema["anyOf"][value is None], described, where)
    elif schema.get("type") == "array":
        assert isinstance(value, list), where
        kinds = schema.get("prefixItems") or [schema["items"]] * len(value)
        for one, kind in zip(value, kinds, strict=True):
            obey(one, kind, described, f"{where}[]")
    elif "type" in schema:
        assert isinstance(value, types[schema["type"]]), where
        if "properties" in schema:
            assert set(schema["required"]) <= set(value) <= set(schema["properties"]), where
        for name, one in value.items() if schema["type"] == "object" else ():
            obey(
                one,
                schema.get("properties", {}).get(name) or schema["additionalProperties"],
                described,
                f"{where}.{name}",
            )


def test_every_route_and_code_is_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/http.md").read_text("utf-8")
    assert [route for route in ROUTES if f"`{route.method} {PREFIX}{route.path}`" not in page] == []
    assert [code for code, status in STATUSES.items() if f"| {status} | `{code}` |" not in page] == []


# The command


@pytest.mark.parametrize(("stop", "n_processes"), [(signal.SIGTERM, 1), (signal.SIGINT, 1), (signal.SIGTERM, 2)])
def test_the_server_starts_answers_and_stops(world: World, stop: signal.Signals, n_processes: int) -> None:
    command = [sys.executable, "-m", "birthmark", "serve", "--port", "0", "--processes", str(n_processes)]
    with subprocess.Popen(command, cwd=world.root, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            told = server.stderr.readline()
            address = re.search(r"http://(127\.0\.0\.1:\d+)/v1", told)
            assert address is not None, told
            told += server.stderr.readline() + server.stderr.readline()
            token = (world.root / ".birthmark" / TOKEN_FILE).read_text().strip()
            with closing(HTTPConnection(address[1], timeout=30)) as connection:
                connection.request("GET", f"{PREFIX}/status", headers={"Authorization": f"Bearer {token}"})
                response = connection.getresponse()
                assert (response.status, response.getheader("server")) == (200, None)
                assert b'"fresh":true' in response.read()
            server.send_signal(stop)
            rest, told_last = server.communicate(timeout=30)
        finally:
            server.kill()
    assert (server.returncode, rest, told_last) == (0, "", "birthmark: stopped\n")
    assert TOKEN_FILE in told
    assert token not in told + told_last


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="there is no list of processes")
def test_a_process_that_is_killed_is_replaced(world: World) -> None:
    command = [sys.executable, "-m", "birthmark", "serve", "--port", "0", "--processes", "2"]
    with subprocess.Popen(command, cwd=world.root, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            address = re.search(r"http://(127\.0\.0\.1:\d+)/v1", server.stderr.readline())
            assert address is not None
            headers = {"Authorization": f"Bearer {(world.root / '.birthmark' / TOKEN_FILE).read_text().strip()}"}
            assert _status_of(address[1], headers) == 200
            for child in Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split():
                os.kill(int(child), signal.SIGKILL)
            statuses = (_status_of(address[1], headers) for _ in range(100))
            assert 200 in statuses
        finally:
            server.kill()


def _status_of(address: str, headers: dict[str, str]) -> int | None:
    """None where the process that accepted is gone."""
    try:
        with closing(HTTPConnection(address, timeout=60)) as connection:
            connection.request("GET", f"{PREFIX}/show?ref=main", headers=headers)
            return connection.getresponse().status
    except (OSError, HTTPException):
        time.sleep(0.2)
        return None


# Fresh by itself


def test_a_query_brings_the_index_up_to_date_unless_it_is_asked_not_to(world: World) -> None:
    client = client_of(world.root)
    world.replace("app.py", "main", "start")
    old = answered(client.get(f"{PREFIX}/show", ref="main", refresh="false"))
    assert (old["freshness"]["fresh"], old["freshness"]["pending"]) == (False, ["app.py"])
    assert answered(client.get(f"{PREFIX}/status"))["pending"] == ["app.py"]
    assert "refresh: must be true or false" in refused(client.get(f"{PREFIX}/show", ref="main", refresh="maybe"), 400)
    assert answered(client.get(f"{PREFIX}/show", ref="start"))["freshness"]["fresh"] is True
    assert answered(client.get(f"{PREFIX}/status"))["pending"] == []


def test_questions_to_the_graph_have_pages(shared: World) -> None:
    client = client_of(shared.root)
    for path, field, query in (
        ("impact", "results", {"ref": "helper"}),
        ("rank", "results", {}),
        ("unused", "results", {}),
    ):
        whole = answered(client.get(f"{PREFIX}/{path}", **query))
        pages: list[object] = []
        offset: int | None = 0
        while offset is not None:
            page = answered(client.get(f"{PREFIX}/{path}", **query, limit=1, offset=offset))
            pages, offset = pages + page[field], page["next"]
        assert pages == whole[field]


# For overviews


def test_a_tree_has_pages_of_children(shared: World) -> None:
    client = client_of(shared.root)
    whole = answered(client.get(f"{PREFIX}/tree"))
    assert {child["path"]: child["entities"] for child in whole["children"]} == {
        "app.py": 1,
        "tools.py": 2,
        "README.md": 1,
    }
    assert (whole["folder"]["files"], whole["truncated"], whole["history_replayed"]) == (3, False, False)
    assert sum(language["share"] for language in whole["languages"]) == pytest.approx(1, abs=0.001)
    first = answered(client.get(f"{PREFIX}/tree", limit=1))
    assert (first["children"], first["next"]) == (whole["children"][:1], 1)
    assert "nowhere" in refused(client.get(f"{PREFIX}/tree", folder="nowhere"), 404)


def test_the_latest_events_are_grouped_by_run(shared: World) -> None:
    (run,) = answered(client_of(shared.root).get(f"{PREFIX}/latest"))["runs"]
    assert (run["changes"], run["complete"], run["by_commit"], run["subject"]) == ({"born": 4}, True, False, "m")
    names = {one["event"]["after"]["qualified_name"]: one["mark"] for one in run["events"]}
    assert names["helper"] == shared.mark("helper")
