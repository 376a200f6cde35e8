"""The page of search results, a part of which is shown while one types."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_pages import links_in, shown, site_of, text_of

from asgi import Client
from worlds import World

SHOP = '''class Cart:
    def total(self, prices):
        """The sum of all prices, without <i>discounts</i>."""
        amount = 0
        for price in prices:
            amount += price
        return amount
'''


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, {"shop.py": SHOP, "cart.js": "function total() { return 1 }\n"})
    world.index()
    world.replace("shop.py", "def total(", "def sum_of_prices(")
    world.index()
    return world


@pytest.fixture
def browser(world: World) -> Client:
    return site_of(world.root)


def results_in(html: str) -> str:
    return text_of(html.partition('data-part="results"')[2].partition("</ul>")[0].partition(">")[2])


def test_names_are_found_with_kind_and_place(world: World, browser: Client) -> None:
    html = shown(browser.get("/search", text="sum_of_prices"))
    assert "Cart.sum_of_prices method shop.py:2" in results_in(html)
    assert f"/entity/{world.mark('sum_of_prices')}" in links_in(html)


def test_former_names_are_said_to_be_former(browser: Client) -> None:
    assert "was Cart.total until 2024-01-26" in results_in(shown(browser.get("/search", text="Cart.total")))


def test_of_docs_and_code_the_line_is_shown(browser: Client) -> None:
    html = shown(browser.get("/search", text="discounts"))
    assert "doc shop.py:3" in results_in(html)
    assert "without <i>discounts</i>" in results_in(html)
    assert "<i>" not in html
    assert "code shop.py:4 amount = 0" in results_in(shown(browser.get("/search", text="amount")))


def test_results_are_filtered(browser: Client) -> None:
    both = results_in(shown(browser.get("/search", text="total")))
    assert "cart.js" in both
    assert "shop.py" in both
    filtered = shown(browser.get("/search", text="total", language="javascript", kind="fn", path="cart.js"))
    assert "shop.py" not in results_in(filtered)
    assert "<option selected>javascript</option>" in filtered


def test_pages_of_results_follow_one_another(tmp_path: Path) -> None:
    world = World(tmp_path / "many", {"a.py": "".join(f"def find_{n:03}(): pass\n" for n in range(70))})
    world.index()
    browser = site_of(world.root)
    first = shown(browser.get("/search", text="find"))
    assert "30 or more found" in text_of(first)
    assert "/search?text=find&offset=30" in links_in(first)
    second = shown(browser.get("/search", text="find", offset=30))
    assert "/search?text=find" in links_in(second)
    assert not set(results_in(first).split()) & {word for word in results_in(second).split() if "find_" in word}
    typed = shown(browser.get("/search", text="find", limit=12))
    assert typed.count('<a class="hit"') == 12
    assert "All results" in text_of(typed)


@pytest.mark.parametrize("text", ["", "  "])
def test_without_a_text_there_is_a_form(browser: Client, text: str) -> None:
    html = shown(browser.get("/search", text=text))
    assert "former names" in text_of(html)
    assert "data-part" not in html


@pytest.mark.parametrize("text", ["zzzzqqqq", "<script>alert(1)</script>", "'\"&"])
def test_nothing_is_found_for_what_is_nowhere(browser: Client, text: str) -> None:
    html = shown(browser.get("/search", text=text))
    assert "Nothing is called so" in text_of(html)
    assert "<script>alert" not in html


def test_an_empty_repository_can_be_searched(tmp_path: Path) -> None:
    world = World(tmp_path / "empty")
    world.index()
    assert "Nothing" in text_of(shown(site_of(world.root).get("/search", text="any")))
