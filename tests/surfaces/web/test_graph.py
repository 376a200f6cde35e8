"""The pages about the graph: neighbours, users, impact, tests, modules and paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_pages import links_in, shown, site_of, text_of

from asgi import Client, Reply
from worlds import World

FILES = {
    "shop/prices.py": (
        "class Price:\n    def net(self):\n        return 1\n\n\ndef round_price(price):\n    return price\n"
    ),
    "shop/cart.py": (
        "from shop.prices import Price, round_price\n\n\n"
        "class Discount(Price):\n    pass\n\n\n"
        "def total(items):\n    return round_price(sum(items))\n\n\n"
        "def again(n):\n    return again(n - 1)\n\n\n"
        "def lonely():\n    return 0\n"
    ),
    "app/main.py": "from shop.cart import total\n\n\ndef main():\n    return total([1])\n",
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n",
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    world = World(tmp_path_factory.mktemp("shop"), FILES, with_git=True)
    world.commit()
    world.index()
    return world


@pytest.fixture
def browser(world: World) -> Client:
    return site_of(world.root)


def follow(browser: Client, path: str, **query: object) -> Reply:
    """The page, by the mark of what it is about."""
    reply = browser.get(path, **query)
    assert reply.status == 303, reply.body.decode()
    target, _, rest = reply.headers["location"].partition("?")
    return browser.send("GET", target, query=rest)


def graph_of(browser: Client, name: str) -> str:
    mark = browser.get("/v1/show", ref=name).document["mark"]
    return f"/graph/{mark}"


def test_neighbours_are_a_picture_and_tables_that_lead_on(browser: Client) -> None:
    html = shown(follow(browser, "/graph/total"))
    text = text_of(html)
    assert "main calls total at app/main.py:5" in text
    assert "total calls round_price at shop/cart.py:9" in text
    assert {graph_of(browser, name) for name in ("main", "test_total", "round_price")} <= links_in(html)
    assert "/file/app/main.py" in links_in(html)  # its top level imports it


@pytest.mark.parametrize(
    ("query", "there", "gone"),
    [
        ({"uses": "calls"}, "main calls", "imports total"),
        ({"uses": "references"}, "imports total", "main calls"),
        ({"tests": "false"}, "main calls", "test_total"),
    ],
)
def test_neighbours_are_filtered(browser: Client, query: dict[str, str], there: str, gone: str) -> None:
    text = text_of(shown(follow(browser, "/graph/total", **query)))
    assert there in text
    assert gone not in text


def test_what_has_no_neighbours_has_a_page(browser: Client) -> None:
    text = text_of(shown(follow(browser, "/graph/lonely")))
    assert "No use of it was found." in text
    assert "It uses nothing that is known." in text
    assert "No use was found" in text_of(shown(follow(browser, "/users/lonely")))
    assert "Nothing is known that would break" in text_of(shown(follow(browser, "/impact/lonely")))
    assert "Reached by 1 of 1 test" in text_of(shown(follow(browser, "/tests/lonely")))  # which imports its file


def test_what_uses_itself_has_a_page(browser: Client) -> None:
    for page in ("/graph", "/impact", "/users", "/tests"):
        shown(follow(browser, f"{page}/again"))


def test_users_are_listed_by_file_with_how_sure_each_is(browser: Client) -> None:
    text = text_of(shown(follow(browser, "/users/Price")))
    assert "shop/cart.py 2" in text
    assert "Discount inherits import 4" in text


def test_impact_is_a_tree(browser: Client) -> None:
    html = shown(follow(browser, "/impact/round_price"))
    text = text_of(html)
    assert "What may break when round_price is changed" in text
    assert "test_total test" in text
    near = text_of(shown(follow(browser, "/impact/round_price", depth=1)))
    assert "There may be more: go 3 steps." in near
    assert "test_total test" not in near


def test_tests_have_their_way(browser: Client) -> None:
    html = shown(follow(browser, "/tests/round_price"))
    assert '<section data-part="tests"' in html
    assert "tests/test_cart.py::test_total" in text_of(html)
    assert "calls total" in text_of(html)


def test_modules_have_layers_cycles_and_couplings(tmp_path: Path) -> None:
    world = World(
        tmp_path,
        {
            "a/x.py": "from b.y import g\n\n\ndef f():\n    return g()\n",
            "b/y.py": "from a.x import f\n\n\ndef g():\n    return f()\n",
            "c/z.py": "from a.x import f\n\n\ndef h():\n    return f()\n",
        },
    )
    world.index()
    browser = site_of(tmp_path)
    html = shown(browser.get("/modules"))
    text = text_of(html)
    assert "3 modules in 2 layers" in text
    assert "Cycle 1: 2 modules" in text
    assert "closes cycle 1" in text
    assert {"/?folder=a", "/modules?path=a"} <= links_in(html)
    assert "/modules?path=a&files=true" in links_in(shown(browser.get("/modules", path="a")))
    by_file = text_of(shown(browser.get("/modules", files="true")))
    assert "a/x.py" in by_file
    assert shown(browser.get("/modules", path="nowhere"), 404)


def test_a_repository_without_sources_has_no_modules(tmp_path: Path) -> None:
    world = World(tmp_path, {"notes.md": "# Nothing\n"})
    world.index()
    assert "There is no source" in text_of(shown(site_of(tmp_path).get("/modules")))


def test_the_path_between_two_is_a_picture_and_a_list(browser: Client) -> None:
    html = shown(browser.get("/path", start="main", end="round_price"))
    text = text_of(html)
    assert "How main comes to use round_price" in text
    assert "2 uses" in text
    assert graph_of(browser, "total") in links_in(html)


def test_where_there_is_no_path_that_is_said(browser: Client) -> None:
    assert "comes to use another" in text_of(shown(browser.get("/path")))
    back = shown(browser.get("/path", start="round_price", end="main"))
    assert "No use leads from one to the other" in text_of(back)
    assert "/path?start=main&end=round_price" in links_in(back)
    assert "name two things" in text_of(shown(browser.get("/path", start="main", end="main"), 400))
    assert "totl" in text_of(shown(browser.get("/path", start="totl", end="main"), 404))


def test_what_was_deleted_has_no_neighbours(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "def old():\n    return 12345\n\n\ndef other():\n    return 0\n"})
    world.index()
    browser = site_of(tmp_path)
    mark = browser.get("/v1/show", ref="old").document["mark"]
    world.write("a.py", "def other():\n    return 0\n")
    for page in ("graph", "users", "impact", "tests"):
        assert "It was deleted" in text_of(shown(browser.get(f"/{page}/{mark}")))


def test_what_nobody_knows_is_not_found(browser: Client) -> None:
    for page in ("graph", "users", "impact", "tests"):
        assert "total" in text_of(shown(browser.get(f"/{page}/totel"), 404))


def test_markup_in_names_is_text(tmp_path: Path) -> None:
    text = "def f():\n    return 1\n\n\ndef g():\n    return f()\n"
    world = World(tmp_path, {"<b>x</b>/<i>.py": text, "y.js": f"class {'L' * 300} {{ total() {{ return 1 }} }}\n"})
    world.index()
    browser = site_of(tmp_path)
    for path in ("/graph/f", "/users/f", "/impact/f", "/tests/f", "/graph/g", f"/graph/{'L' * 300}"):
        html = shown(follow(browser, path))
        assert "<b>" not in html
        assert "<i>" not in html
    assert "<b>" not in shown(browser.get("/modules", files="true"))
    assert "<i>" not in shown(browser.get("/path", start="g", end="f"))


def test_thousands_of_users_are_in_pages(tmp_path: Path) -> None:
    calls = "".join(f"def u{n}():\n    return f()\n\n\n" for n in range(2100))
    world = World(tmp_path, {"a.py": f"def f():\n    return 1\n\n\n{calls}"})
    world.index()
    browser = site_of(tmp_path)
    graph = text_of(shown(follow(browser, "/graph/f")))
    assert "2,100 users" in graph
    assert "and 2,060 more" in graph
    assert "40 of 2,100" in graph
    mark = browser.get("/v1/show", ref="f").document["mark"]
    last = text_of(shown(browser.get(f"/users/{mark}", offset=2000)))
    assert "2,100 uses in 1 file" in last
    assert "2,001 to 2,100 are here" in last
    assert "u2099" in last
    page = browser.get("/v1/users", ref=mark, offset=2000, limit=50).document
    assert (len(page["results"]), page["next"]) == (50, 2050)
    assert "There may be more than the 200 that are listed" in text_of(shown(browser.get(f"/impact/{mark}")))
