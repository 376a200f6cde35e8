"""`context`: what is in it, that it keeps its budget, and what changed since."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asgi import Client
from birthmark.app.answers.contexts import find_context
from birthmark.errors import BirthmarkError
from birthmark.queries.context import estimate_tokens
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from examples import n_examples
from running import birthmark, document
from worlds import World

TOKEN = "t" * 43
CART = '''from shop.tax import Rates, rate, logged

LIMIT = 5


class Cart:
    """What is bought."""

    def __init__(self):
        self.items = []

    # Adds up.
    @logged
    def total(self, rates: Rates):
        """The sum.

        With taxes.
        """
        if len(self.items) > LIMIT:
            return self.drop()
        return sum(self.items) * rate(rates)

    def drop(self):
        """Forget the last one."""
        return self.items.pop()


def checkout(cart: Cart):
    return cart.total(Rates())
'''
TAX = '''class Rates:
    """Those of a country."""


def rate(rates):
    """How much is due."""
    return 2


def logged(function):
    return function
'''
TEST = "from shop.cart import Cart, checkout\n\n\ndef test_checkout():\n    assert checkout(Cart()) == 0\n"
FILES = {"shop/cart.py": CART, "shop/tax.py": TAX, "tests/test_cart.py": TEST}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("context") / "w", FILES, with_git=True)
    world.commit()
    world.replace("shop/tax.py", "return 2", "return 3")
    world.commit()
    world.index()
    return world


def test_all_that_it_uses_is_there_with_its_mark_and_reason(world: World) -> None:
    found = document("context", "Cart.total", cwd=world.root)
    parts: dict[str, list[str]] = {}
    for piece in found["pieces"]:
        parts.setdefault(piece["part"], []).append(piece["qualified_name"])
        assert piece["mark"] == world.mark(f"{piece['path']}::{piece['qualified_name']}")
        assert piece["why"]
        assert piece["text"] in found["text"]
    assert parts == {
        "definition": ["Cart.total"],
        "container": ["Cart"],
        "uses": ["logged", "Rates", "Cart.items", "LIMIT", "Cart.drop", "rate"],
        "users": ["checkout"],
        "tests": ["test_checkout"],
        "siblings": ["Cart.__init__"],
        "sources": ["logged", "Rates", "Cart.items", "LIMIT", "Cart.drop", "rate"],
    }
    assert "    # Adds up.\n    @logged\n    def total(self, rates: Rates):\n" in found["text"]
    assert "line 21. How much is due.\n" in found["text"]
    assert "`return cart.total(Rates())`" in found["text"]
    assert (found["left_out"], found["tokens"]) == ({}, estimate_tokens(found["text"]))


def test_text_is_that_of_the_document(world: World) -> None:
    result = birthmark("context", "Cart.total", "--tokens", "500", cwd=world.root)
    assert result.stdout == document("context", "Cart.total", "--tokens", "500", cwd=world.root)["text"]
    app = make_app(world.root, TOKEN.encode(), Hosts.of(7433))
    client = Client(app, [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")])
    assert client.get("/v1/context", ref="Cart.total", tokens="500").document["text"] == result.stdout


def test_a_class_that_is_too_large_is_an_outline(world: World) -> None:
    found = document("context", "Cart", "--tokens", "150", cwd=world.root)
    assert found["pieces"][0]["shortened"]
    assert "    def total(self, rates: Rates)  … 13\n" in found["pieces"][0]["text"]


def test_only_what_changed_since(world: World) -> None:
    found = document("context", "Cart.total", "--since", "HEAD~1", cwd=world.root)
    assert {piece["qualified_name"] for piece in found["pieces"]} == {"rate"}
    assert birthmark("context", "Cart.total", "--since", "HEAD", cwd=world.root).stdout.startswith(
        "# method Cart.total"
    )


def test_a_budget_that_is_too_small_says_so(world: World) -> None:
    result = birthmark("context", "Cart.total", "--tokens", "9", cwd=world.root)
    assert result.returncode == 2
    assert "9 tokens; allow for more" in result.stderr


NAMES = ["Cart", "Cart.total", "Cart.drop", "checkout", "LIMIT", "Rates", "rate", "logged", "test_checkout"]


@settings(max_examples=n_examples(60), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(NAMES), budget=st.integers(1, 900))
def test_the_budget_is_kept(world: World, name: str, budget: int) -> None:
    with world.session() as session:
        try:
            context = find_context(session, name, budget)
        except BirthmarkError:
            assert budget < 100
            return
        assert estimate_tokens(context.text) <= budget
        assert context == find_context(session, name, budget)


def test_what_is_no_function_has_its_users(world: World, tmp_path: Path) -> None:
    found = document("context", "LIMIT", cwd=world.root)
    assert [piece["qualified_name"] for piece in found["pieces"] if piece["part"] == "users"] == ["Cart.total"]
