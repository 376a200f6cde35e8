"""`history --members` and `blame`, as a user and a program meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World, run_git

FIRST = "class Cart:\n    def total(self):\n        return sum(self.items)\n"
SECOND = FIRST.replace("sum(self.items)", "sum(self.items) * self.tax")
THIRD = "# A shop.\n" + SECOND.replace("class Cart:\n", 'class Cart:\n    """What is wanted."""\n\n')


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, with_git=True)
    for text in (FIRST, SECOND, THIRD):
        world.write("src/shop.py", text)
        world.commit()
    return world


def ids(world: World) -> list[str]:
    """Of all commits, newest first."""
    return run_git(world.root, "rev-list", "HEAD").split()


def test_blame(world: World) -> None:
    newest, middle, oldest = ids(world)
    cart, total = document("blame", "src/shop.py", cwd=world.root)
    assert cart["entity"]["qualified_name"] == "Cart"
    assert cart["last"] == {
        "commit": oldest,
        "author": "A",
        "date": "2024-01-01T00:00:00+00:00",
        "changes": ["introduced"],
    }
    assert total["last"]["commit"] == middle
    assert total["last"]["changes"] == ["body change"]
    assert total["introduced"] == {"commit": oldest, "author": "A", "date": "2024-01-01T00:00:00+00:00"}
    assert total["entity"]["commit"] == newest
    assert total["entity"]["path"] == "src/shop.py"


def test_blame_for_people(world: World) -> None:
    _, middle, oldest = (id_[:12] for id_ in ids(world))
    result = birthmark("blame", "shop.py", "--at", "HEAD~1", cwd=world.root / "src")
    assert result.stdout == (
        f"1-3  class   Cart  {oldest} 2024-01-01 A  introduced\n"
        f"2-3  method  Cart.total  {middle} 2024-01-01 A  body change  since {oldest} 2024-01-01 A\n"
    )
    lines = birthmark("blame", "shop.py", "--jsonl", cwd=world.root / "src").stdout.splitlines()
    assert [json.loads(line)["entity"]["name"] for line in lines] == ["Cart", "total"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["blame", "none.py"], "is not in"),
        (["blame", "../none.py"], "name a file of the repository"),
        (["blame", "src/shop.py", "--at", "nowhere"], "unknown revision"),
        (["history", "src/shop.py::Cart.tax", "--members"], "has no Cart.tax"),
    ],
)
def test_what_cannot_be_told_is_said_in_a_line(world: World, arguments: list[str], message: str) -> None:
    result = birthmark(*arguments, cwd=world.root)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_members(world: World) -> None:
    newest, middle, oldest = ids(world)
    events = document("history", "src/shop.py::Cart", "--members", cwd=world.root)["events"]
    assert [(event["commit"], event["member"], event["changes"]) for event in events] == [
        (newest, None, ["documentation change"]),
        (middle, "Cart.total", ["body change"]),
        (oldest, None, ["introduced"]),
        (oldest, "Cart.total", ["introduced"]),
    ]
    alone = document("history", "src/shop.py::Cart", cwd=world.root)["events"]
    assert [(event["commit"], event["member"]) for event in alone] == [(newest, None), (oldest, None)]
    result = birthmark("history", "src/shop.py::Cart", "--members", cwd=world.root)
    assert result.stdout.splitlines()[1].endswith("body change  of Cart.total")
    assert "1 step changed comments or formatting only; --all lists them" in result.stderr


def test_one_thing_at_a_time(world: World) -> None:
    result = birthmark("history", "src/shop.py::Cart", "--members", "--block", cwd=world.root)
    assert result.returncode == 2
    assert "cannot be combined" in result.stderr
