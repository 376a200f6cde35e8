"""`history --users`, as a user and a program meet it."""

from __future__ import annotations

from pathlib import Path

import pytest

from asgi import Client
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from running import birthmark, document
from small_repositories import Commit, make_repository, replay
from worlds import World

TOKEN = "t" * 43
MONEY = "def discount(price):\n    return price / 2\n"
TILL = "from money import discount\n\n\nclass Till:\n    def ring(self, item):\n        return discount(item)\n"
MOVED = TILL.replace("class Till:\n", "class Till:\n    opened = True\n\n").replace("ring", "ring_up")
DAY = 86_400


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> World:
    commits = [
        Commit({"money.py": MONEY}, at=DAY, subject="Discounts"),
        Commit({"money.py": MONEY, "till.py": TILL}, at=2 * DAY, subject="A till"),
        Commit({"money.py": MONEY, "desk.py": MOVED}, at=3 * DAY, subject="The till is a desk"),
        Commit({"money.py": MONEY}, at=4 * DAY, subject="No desk"),
    ]
    world = make_repository(tmp_path_factory.mktemp("shop") / "r", commits)
    replay(world.root)
    return world


def test_for_people(shop: World) -> None:
    result = birthmark("history", "discount", "--users", cwd=shop.root)
    ids = shop.git("rev-list", "HEAD").split()
    assert result.stdout.splitlines() == [
        "users of fn discount  money.py:1-2",
        "",
        f"{ids[0][:12]}  1970-01-05  A  No desk",
        "              - top level  desk.py  imports",
        "              - Till.ring_up  desk.py:7-8",
        f"{ids[2][:12]}  1970-01-03  A  A till",
        "              + top level  till.py  imports",
        "              + Till.ring  till.py:5-6",
        "",
        "2 commits since 1970-01-03: 2 came, 2 went; 0 users now",
    ]


def test_as_a_document(shop: World) -> None:
    found = document("history", "discount", "--users", "-n", "1", "--reverse", cwd=shop.root)
    assert (found["entity"]["qualified_name"], found["users"], found["not_replayed"]) == ("discount", 0, 0)
    (event,) = found["events"]
    assert (event["subject"], event["came"]) == ("No desk", [])
    assert event["went"][1] | {"mark": ""} == {
        "mark": "",
        "kind": "method",
        "qualified_name": "Till.ring_up",
        "path": "desk.py",
        "start_line": 7,
        "end_line": 8,
        "edge": "calls",
        "resolution": "import",
    }
    (first,) = document("history", "discount", "--users", "--until", "HEAD~1", cwd=shop.root)["events"]
    assert first["came"][1]["mark"] == event["went"][1]["mark"]


@pytest.mark.parametrize(
    ("options", "query", "subjects"),
    [
        ([], {}, ["No desk", "A till"]),
        (["--at", "HEAD~1"], {"at": "HEAD~1"}, ["A till"]),
        (["--since", "HEAD~2"], {"since": "HEAD~2"}, ["No desk"]),
        (["--author", "eve"], {"author": "eve"}, []),
    ],
)
def test_filters_on_the_command_line_and_over_http(
    shop: World, options: list[str], query: dict[str, str], subjects: list[str]
) -> None:
    expected = document("history", "discount", "--users", *options, cwd=shop.root)
    assert [event["subject"] for event in expected["events"]] == subjects
    headers = [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")]
    client = Client(make_app(shop.root, TOKEN.encode(), Hosts.of(7433)), headers)
    found = client.get("/v1/history", ref="discount", users="true", **query).document
    assert found == expected | {"truncated": False, "next": None}


def test_nothing_is_as_asked_for(shop: World) -> None:
    result = birthmark("history", "discount", "--users", "--author", "eve", cwd=shop.root)
    assert result.stdout.splitlines()[-1] == "none of 2 changes of its users is as asked for; 0 users now"


def test_what_cannot_be_answered_is_said_in_a_line(tmp_path: Path, shop: World) -> None:
    world = make_repository(tmp_path / "r", [{"money.py": MONEY}])
    result = birthmark("history", "money.py::discount", "--users", cwd=world.root)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "birthmark index" in result.stderr
    world.index()
    result = birthmark("history", "discount", "--users", cwd=world.root)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "its history was not replayed; run `birthmark index --from-history` first" in result.stderr
    result = birthmark("history", "discount", "--users", "--patch", cwd=shop.root)
    assert (result.returncode, "--users shows users alone" in result.stderr) == (2, True)


def test_commits_that_were_not_replayed_are_counted(tmp_path: Path) -> None:
    world = make_repository(tmp_path / "r", [{"money.py": MONEY}])
    replay(world.root)
    world.write("till.py", TILL)
    world.commit()
    result = birthmark("history", "discount", "--users", cwd=world.root)
    assert "without 1 commit since the last replay; run `birthmark index --from-history`" in result.stderr
    assert result.stdout.splitlines()[-1] == "no user is known; 0 users now"
