"""The page of changes: what is compared, what is listed, and what is said where there is nothing to compare."""

from __future__ import annotations

from pathlib import Path

import pytest
from web_pages import links_in, shown, site_of, text_of

from asgi import Client
from worlds import World

HOSTILE = "<script>alert(1)</script>"
CART = """class Cart:
    def total(self, items):
        amount = 0
        for item in items:
            amount += item.price
        return amount

    def count(self, items):
        return len(items)
"""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Three commits: the first, one that moves a file and edits a method, and a merge."""
    world = World(tmp_path_factory.mktemp("shop"), {"shop/cart.py": CART, "a.py": "A = 1\n"}, with_git=True)
    world.commit()
    world.git("tag", "v1")
    world.move("shop/cart.py", "store/basket.py")
    world.replace("store/basket.py", "amount = 0", "amount = 1")
    world.write("new.py", f'def fresh():\n    """{HOSTILE}"""\n    return [1, 2, 3]\n')
    world.git("add", "-A")
    world.git("commit", "-q", "-m", f"Move the cart {HOSTILE}\n\nBecause shops\nhave baskets.")
    world.git("checkout", "-q", "-b", "side", "v1")
    world.write("side.py", "def aside():\n    return 2\n")
    world.commit()
    world.git("checkout", "-q", "main")
    world.git("merge", "-q", "-m", "Join", "side")
    world.index()
    return world


@pytest.fixture
def browser(world: World) -> Client:
    return site_of(world.root)


def test_a_commit_is_shown_with_its_message(browser: Client) -> None:
    html = shown(browser.get("/diff", base="main^^", target="main^"))
    text = text_of(html)
    assert f"Move the cart {HOSTILE}" in text
    assert "Because shops have baskets." in text
    assert "<script>alert" not in html


def test_what_moved_shows_only_the_lines_that_changed(browser: Client) -> None:
    html = shown(browser.get("/diff", base="v1", target="main^"))
    text = text_of(html)
    assert "shop/cart.py → store/basket.py" in text
    assert "- amount = 0 + amount = 1" in text
    assert "amount += item.price" in text  # beside it
    assert "return len(items)" not in text
    assert "1 other definition merely moved, along with the file" in text
    places = {link.partition("#")[0] for link in links_in(html) if "#L2" in link}
    assert {link.partition("?")[0] for link in places} == {"/file/shop/cart.py", "/file/store/basket.py"}


def test_the_picture_shows_what_folders_exchanged(browser: Client) -> None:
    text = text_of(shown(browser.get("/diff", base="v1", target="main^")))
    assert "3 from shop to store" in text
    saved = browser.get("/diff", base="v1", target="main^", picture="exchange")
    assert saved.headers["content-type"] == "image/svg+xml"


def test_a_merge_is_compared_with_its_first_parent(browser: Client) -> None:
    text = text_of(shown(browser.get("/diff", base="main^", target="main")))
    assert "merge" in text
    assert "compared with its first parent" in text
    assert "aside" in text
    second = text_of(shown(browser.get("/diff", base="main^2", target="main")))
    assert "compared with its second parent" in second
    assert "fresh" in second


def test_the_first_commit_is_compared_with_nothing(browser: Client) -> None:
    text = text_of(shown(browser.get("/diff", base="v1^", target="v1")))
    assert "the first one" in text
    assert "added class Cart" in text
    assert browser.get("/v1/diff", base="v1^", target="v1").document["base"] == "nothing"


def test_equal_revisions_are_said_to_be_equal(browser: Client) -> None:
    assert "Both are the same commit." in text_of(shown(browser.get("/diff", base="v1", target="v1")))


def test_an_unknown_revision_has_the_nearest_names_as_links(browser: Client) -> None:
    html = shown(browser.get("/diff", base="mian", target="v1"), 404)
    assert "unknown revision 'mian'" in text_of(html)
    assert "/diff?base=main&target=v1" in links_in(html)
    hostile = shown(browser.get("/diff", base=HOSTILE), 404)
    assert "<script>alert" not in hostile


def test_wrong_values_of_filters_are_said(browser: Client) -> None:
    assert "there is no change 'moevd'" in text_of(shown(browser.get("/diff", base="v1", change="moevd"), 400))


def test_filters_leave_out_the_rest_and_count(browser: Client) -> None:
    text = text_of(shown(browser.get("/diff", base="v1", target="main", kind="fn")))
    assert "fresh" in text
    assert "Cart.total" not in text.partition("Last commits")[0].partition("Changes 1 to")[2]
    assert "fn (2)" in text
    none = text_of(shown(browser.get("/diff", base="v1", target="main", path="nowhere")))
    assert "Nothing that changed fits." in none


def test_commits_branches_and_tags_are_offered(browser: Client) -> None:
    html = shown(browser.get("/diff"))
    assert '<option value="v1">' in html
    assert '<option value="side">' in html
    assert sum(link.startswith("/diff?base=") and "%5E" in link for link in links_in(html)) == 4
    assert "holds no change of a definition" in text_of(html)


def test_a_changed_worktree_is_compared_with_head(tmp_path: Path) -> None:
    body = "(items):\n    return sum(item.price * item.number for item in items)\n"
    world = World(tmp_path, {"a.py": f"def f{body}"}, with_git=True)
    world.commit()
    world.index()
    world.write("a.py", f"def g{body}\n\ndef h():\n    return g()\n")
    html = shown(site_of(tmp_path).get("/diff"))
    assert "HEAD → the worktree" in text_of(html)
    assert "renamed fn f → g" in text_of(html)
    assert any(link.startswith("/entity/bm-") for link in links_in(html))


def test_without_commits_there_is_nothing_to_compare(tmp_path: Path) -> None:
    for name, with_git in (("plain", False), ("empty", True)):
        world = World(tmp_path / name, {"a.py": "A = 1\n"}, with_git=with_git)
        world.index()
        assert "There is no commit" in text_of(shown(site_of(world.root).get("/diff")))
        assert shown(site_of(world.root).get("/diff", base="HEAD"), 404 if with_git else 400)


def test_many_changes_are_in_pages(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "A = 1\n"}, with_git=True)
    world.commit()
    lines = "".join(f"def f{n}(x):\n    return x * {n} + {n}\n\n\n" for n in range(450))
    world.write("many.py", lines)
    world.commit()
    browser = site_of(tmp_path)
    seen: list[str] = []
    for offset, row in ((0, "1 to 200 of 450"), (200, "201 to 400 of 450"), (400, "401 to 450 of 450")):
        html = shown(browser.get("/diff", base="HEAD^", target="HEAD", offset=offset))
        assert row in text_of(html)
        seen += [f"f{n}" for n in range(450) if f"def f{n}(x)" in html]
    assert seen == [f"f{n}" for n in range(450)]
    assert "There are only 450 changes." in text_of(
        shown(browser.get("/diff", base="HEAD^", target="HEAD", offset=900))
    )
    page = browser.get("/v1/diff", base="HEAD^", target="HEAD", offset=400, limit=20, patch="true").document
    assert (len(page["changes"]), page["next"], page["counts"]["added"]) == (20, 420, 450)
    assert all(change["patch"]["added"] == 2 for change in page["changes"])


def test_commits_are_documents_too(browser: Client) -> None:
    commit = browser.get("/v1/commit", revision="main^").document
    assert (commit["subject"], commit["message"]) == (f"Move the cart {HOSTILE}", "Because shops\nhave baskets.")
    assert browser.get("/v1/commit", revision="nowhere").code == "not_found"
    known = browser.get("/v1/revisions", limit=2).document
    assert (known["branch"], known["names"]) == ("main", ["main", "side", "v1"])
    assert known["commits"][0]["subject"] == "Join"
    assert len(known["commits"]) == 2


def test_a_long_patch_is_cut(tmp_path: Path) -> None:
    world = World(tmp_path, {"a.py": "A = 1\n"}, with_git=True)
    world.commit()
    body = "".join(f"    call({n})\n" for n in range(400))
    world.write("long.py", f"def long():\n{body}    return '{'x' * 3000}'\n")
    world.commit()
    html = shown(site_of(tmp_path).get("/diff", base="HEAD^", target="HEAD"))
    assert "And 102 lines more." in text_of(html)
    assert "x" * 600 not in html


def test_code_that_came_from_elsewhere_is_linked(tmp_path: Path) -> None:
    steps = "".join(f"    total = total * {n} + rate_{n}(total, {n})\n" for n in range(12))
    world = World(tmp_path, {"a.py": f"def long(total):\n{steps}    log(total)\n    return total\n"}, with_git=True)
    world.commit()
    world.write(
        "a.py",
        f"def long(total):\n    total = part(total)\n    log(total)\n    return total\n\n\n"
        f"def part(total):\n{steps}    return total\n",
    )
    world.commit()
    text = text_of(shown(site_of(tmp_path).get("/diff", base="HEAD^", target="HEAD")))
    assert "extracted from long" in text
