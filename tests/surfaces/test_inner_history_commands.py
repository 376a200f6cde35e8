"""`history --variable` and `history --block`, as a user and a program meet them."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

FIRST = "def total(items):\n    result = 0\n    for item in items:\n        result += item\n    return result\n"
SECOND = FIRST.replace("result", "whole")
THIRD = SECOND.replace("in items:", "in sorted(items):")


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, with_git=True)
    for text in (FIRST, SECOND, THIRD):
        world.write("shop.py", text)
        world.commit()
    return world


def test_a_variable(world: World) -> None:
    found = document("history", "shop.py::total", "--variable", "whole", cwd=world.root)
    assert (found["entity"]["kind"], found["entity"]["qualified_name"]) == ("variable", "total.whole")
    assert [event["changes"] for event in found["events"]] == [["rename"], ["introduced"]]
    assert found["events"][0]["before"]["qualified_name"] == "total.result"


def test_a_block(world: World) -> None:
    found = document("history", "shop.py:3", "--block", cwd=world.root)
    assert (found["entity"]["kind"], found["entity"]["name"]) == ("block", "for")
    assert [event["changes"] for event in found["events"]] == [["expression change"], ["body change"], ["introduced"]]


def test_a_variable_at_the_line_of_an_attribute(world: World) -> None:
    """The line means the attribute, a variable is that of the function around it."""
    world.write("cart.py", "class Cart:\n    def fill(self, items):\n        whole = 0\n        self.items = items\n")
    world.commit()
    found = document("history", "cart.py:4", "--variable", "whole", cwd=world.root)
    assert found["entity"]["qualified_name"] == "Cart.fill.whole"
    assert document("history", "cart.py:4", cwd=world.root)["entity"]["qualified_name"] == "Cart.items"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("shop.py::total", "--variable", "nothing"), "has no variable nothing"),
        (("shop.py:5", "--block"), "has no block at line 5"),
        (("shop.py::total", "--block"), "--block needs a line"),
        (("shop.py::total", "--block", "--members"), "cannot be combined"),
    ],
)
def test_what_cannot_be_told(world: World, arguments: tuple[str, ...], says: str) -> None:
    result = birthmark("history", *arguments, cwd=world.root)
    assert result.returncode == 2
    assert says in result.stderr
