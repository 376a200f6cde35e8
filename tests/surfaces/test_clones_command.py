"""`clones` as people and programs read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from running import birthmark, document
from worlds import World

BODY = """\
    net = sum(item.price * item.count for item in cart.items)
    rebate = net * customer.rebate if customer.is_known else 0
    shipping = tariffs.cheapest(cart.weight, customer.country, cart.is_express)
    return net - rebate + shipping
"""
SHOP = f"def price(cart, customer, tariffs):\n{BODY}\n\ndef short(cart):\n    return cart.total\n"
WEB = f"class Web:\n    def offer(self, cart, customer, tariffs):\n{BODY.replace('    ', '        ')}"
EDITED = f"def quote(cart, customer, tariffs):\n{BODY.replace('cheapest', 'fastest')}"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    files = {"shop.py": SHOP, "web/web.py": WEB, "tests/test_shop.py": EDITED}
    world = World(tmp_path_factory.mktemp("clones") / "w", files)
    world.index()
    return world


CASES = [
    (
        "sources alone",
        ["clones"],
        """\
2 definitions of 40 tokens, the same
  100 %  shop.py:1-5     price
  100 %  web/web.py:2-6  Web.offer

2 definitions in 1 group, of 2 definitions of 30 tokens or more in 2 files
""",
    ),
    (
        "all files",
        ["clones", "--all"],
        """\
3 definitions of 40 tokens, 97 % or more the same
  100 %  shop.py:1-5             price
  100 %  web/web.py:2-6          Web.offer
   97 %  tests/test_shop.py:1-5  quote

3 definitions in 1 group, of 3 definitions of 30 tokens or more in 3 files
""",
    ),
    (
        "what is like a REF, in some folders",
        ["clones", "quote", "web"],
        """\
2 definitions of 40 tokens, 97 % or more the same
  100 %  tests/test_shop.py:1-5  quote
   97 %  web/web.py:2-6          Web.offer

2 definitions in 1 group, of 2 definitions of 30 tokens or more in 2 files
""",
    ),
    ("nothing", ["clones", "web"], "nothing is nearly the same, of 1 definition of 30 tokens or more in 1 file\n"),
    (
        "a REF that is too short",
        ["clones", "short"],
        "nothing is nearly the same as `short`, of 2 definitions of 30 tokens or more in 2 files\n",
    ),
]


@pytest.mark.parametrize(("arguments", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_printed(world: World, arguments: list[str], expected: str) -> None:
    assert birthmark(*arguments, cwd=world.root).stdout == expected


def test_the_document(world: World) -> None:
    found = document("clones", "price", cwd=world.root)
    assert found["entity"]["qualified_name"] == "price"
    (group,) = found["groups"]
    assert [(clone["entity"]["qualified_name"], clone["share"]) for clone in group["clones"]] == [
        ("price", 1.0),
        ("Web.offer", 1.0),
    ]
    assert (found["searched_files"], found["searched_entities"]) == (2, 2)


def test_two_refs_are_one_too_many(world: World) -> None:
    done = birthmark("clones", "price", "quote", cwd=world.root)
    assert done.returncode != 0
    assert "only one REF" in done.stderr


def test_types_are_compared_by_their_members_alone(tmp_path: Path) -> None:
    remark = "  # a remark behind a definition says nothing of the type that it is in\n"
    members = {name: "".join(f"    {name}_{n} = {n}{remark}" for n in range(5)) for name in ("cat", "dog")}
    types = [f"class {name.title()}:\n{own}" for name, own in members.items()]
    world = World(tmp_path / "w", {"a.py": "\n\n".join(types)})
    world.index()
    assert document("clones", cwd=world.root)["groups"] == []
