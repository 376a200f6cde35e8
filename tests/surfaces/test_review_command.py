"""`review`: what is collapsed, what is ranked how and why, who is affected, and in which forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from asgi import Client
from birthmark.surfaces.formats.markdown import REVIEW_MARKER
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from running import birthmark, document
from worlds import World

TOKEN = "t" * 43
TAX = """def rate(country):
    value = 2
    if country:
        value = 3
    return value


def high():
    total = 0
    for one in range(9):
        total += one * 3
    return total


def dropped(one):
    return one + rate(one)


def layout(one,two):
    return [one,two]
"""
CART = """from shop.tax import dropped, rate


class Cart:
    def total(self):
        return rate("a")

    def taxed(self):
        return dropped(4)


def open_cart():
    return Cart()
"""
FILES = {
    "shop/__init__.py": "",
    "shop/tax.py": TAX,
    "shop/cart.py": CART,
    "shop/other.py": "LIMIT = 3\n",
    "tests/test_cart.py": "from shop.cart import open_cart\n\n\ndef test_total():\n    assert open_cart().total()\n",
    "docs/tax.md": "Rates are made by `rate`. <!-- birthmark: shop/tax.py::rate -->\n",
}


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path / "w", FILES, with_git=True)
    world.commit()
    world.index()
    return world


def change_all(world: World) -> None:
    """A move, a layout, another signature without its caller, and a deletion of what is still called."""
    moved = TAX[TAX.index("def high") : TAX.index("def dropped")]
    deleted = TAX[TAX.index("def dropped") : TAX.index("def layout")]
    world.replace("shop/tax.py", moved, "")
    world.replace("shop/tax.py", deleted, "")
    world.replace("shop/tax.py", "rate(country)", "rate(country, year)")
    world.replace("shop/tax.py", "one,two", "one, two")
    world.write("shop/other.py", f"LIMIT = 3\n\n\n{moved.rstrip()}\n")


def by_name(found: dict[str, Any], field: str) -> dict[str, Any]:
    return {(one["after"] or one["before"])["qualified_name"]: one for one in found[field]}


def test_what_moved_or_looks_otherwise_is_one_line_each(world: World) -> None:
    change_all(world)
    found = document("review", cwd=world.root)
    assert [(one["word"], one["old_path"], one["path"], one["names"]) for one in found["collapsed"]] == [
        ("moved", "shop/tax.py", "shop/other.py", ["high"]),
        ("reformatted", "shop/tax.py", "shop/tax.py", ["layout"]),
    ]
    assert not {"high", "layout"} & by_name(found, "changes").keys()


def test_a_changed_signature_has_its_unchanged_user(world: World) -> None:
    change_all(world)
    found = document("review", cwd=world.root)
    rate = by_name(found, "interfaces")["rate"]
    assert rate["head"] == ["parameter change"]
    assert (rate["old_signature"], rate["new_signature"]) == ("def rate(country)", "def rate(country, year)")
    assert [(one["qualified_name"], one["edge"], one["changed"]) for one in rate["users"]] == [
        ("Cart.total", "calls", False)
    ]
    change = by_name(found, "changes")["rate"]
    assert change["points"] == {"users": 1, "unchanged users": 3, "interface": 1}
    assert change["risk"] == "medium"
    assert change["reasons"] == [
        "1 user in 1 file, 1 of them not changed",
        "1 test reaches it, the nearest 2 steps away",
    ]


def test_what_is_deleted_and_still_called_is_said(world: World) -> None:
    change_all(world)
    dropped = by_name(document("review", cwd=world.root), "interfaces")["dropped"]
    assert dropped["gone"]
    assert {(one["qualified_name"], one["edge"]) for one in dropped["users"] if not one["changed"]} == {
        ("", "imports"),
        ("Cart.taxed", "calls"),
    }


def test_a_deleted_file_is_one_line_behind_what_is_risky(tmp_path: Path) -> None:
    old = "".join(f"def old{number}():\n    return {number}\n\n\n" for number in range(5))
    used = "from shop.old import old1\n\n\ndef f():\n    return old1()\n"
    world = World(tmp_path / "w", {"shop/old.py": old, "shop/use.py": used}, with_git=True)
    world.commit()
    world.remove("shop/old.py")
    world.write("shop/use.py", "def f():\n    return 1\n")
    world.index()
    found = document("review", cwd=world.root)
    *others, last = found["changes"]
    assert [one["after"]["qualified_name"] for one in others] == ["f", ""]
    assert (last["kind"], last["change"], last["before"]["path"], last["after"]) == (
        "file",
        "deleted",
        "shop/old.py",
        None,
    )
    assert (last["members"], last["facts"]["lines"], last["risk"]) == (5, 20, "low")
    assert not found["interfaces"]
    text = birthmark("review", cwd=world.root).stdout
    assert "low     file shop/old.py  deleted with 5 members, 20 lines\n" in text


def test_a_deleted_file_that_is_still_used_is_a_risk(tmp_path: Path) -> None:
    used = "from shop.old import old\n\n\ndef f():\n    return old()\n"
    world = World(tmp_path / "w", {"shop/old.py": "def old(): pass\n", "shop/use.py": used}, with_git=True)
    world.commit()
    world.remove("shop/old.py")
    world.index()
    found = document("review", cwd=world.root)
    assert [(one["kind"], one["facts"]["unchanged_users"]) for one in found["changes"]] == [("file", 1)]
    assert found["changes"][0]["points"]["unchanged users"] == 3
    assert [one["n_unchanged_users"] for one in found["interfaces"]] == [1]


def test_the_number_of_tests_is_that_of_those_listed(world: World) -> None:
    change_all(world)
    found = document("review", cwd=world.root)
    assert len(found["affected"]) == 1
    assert "1 test may be affected" in found["summary"]
    near = document("review", "--no-affected", cwd=world.root)
    assert len(near["tests"]) == 1
    assert "1 test near" in near["summary"]


def test_what_was_deleted_with_its_users_is_fine(world: World) -> None:
    change_all(world)
    world.replace("shop/cart.py", "import dropped, rate", "import rate")
    world.replace("shop/cart.py", "dropped(4)", "4")
    dropped = by_name(document("review", cwd=world.root), "interfaces")["dropped"]
    assert dropped["n_unchanged_users"] == 0


def test_what_can_still_be_imported_from_where_it_was_is_no_problem(world: World) -> None:
    change_all(world)
    world.write("shop/old.py", "def dropped(one):\n    return one + 1\n")
    world.replace("shop/tax.py", "def rate", "from shop.old import dropped\n\n\ndef rate")
    found = document("review", cwd=world.root)
    assert by_name(found, "interfaces").get("dropped", {"n_unchanged_users": 0})["n_unchanged_users"] == 0


def test_subscriptions_and_documents_are_part_of_it_and_nothing_is_stored(world: World) -> None:
    birthmark("subscribe", "shop/tax.py::rate", "--label", "money", cwd=world.root)
    change_all(world)
    found = document("review", cwd=world.root)
    assert [(one["qualified_name"], one["label"], one["change_type"]) for one in found["triggers"]] == [
        ("rate", "money", "STRUCTURAL")
    ]
    assert [(one["path"], one["status"]) for one in found["docs"]] == [("docs/tax.md", "changed")]
    assert document("scan", "--history", cwd=world.root) == []
    text = birthmark("review", cwd=world.root).stdout
    assert "rate: interface changed" in text
    assert "docs/tax.md:1" in text
    markdown = birthmark("review", "--markdown", cwd=world.root).stdout
    assert "- `rate`: interface changed" in markdown


def test_tests_that_reach_it_and_files_of_tests(world: World) -> None:
    change_all(world)
    world.replace("tests/test_cart.py", "assert open_cart", "assert 1 + open_cart")
    assert document("review", "--no-affected", cwd=world.root)["affected"] is None
    found = document("review", cwd=world.root)
    assert [one["id"] for one in found["tests"]] == ["tests/test_cart.py::test_total"]
    assert [one["id"] for one in found["affected"]] == ["tests/test_cart.py::test_total"]
    assert {"path": "tests/test_cart.py", "role": "test", "counts": {"modified": 1}} in found["other_files"]
    assert "test_total" not in by_name(found, "changes")


# What is compared


def test_uncommitted_changes_are_compared_with_head(world: World) -> None:
    assert "no source file differs" in birthmark("review", cwd=world.root).stdout
    change_all(world)
    found = document("review", cwd=world.root)
    assert (found["basis"], found["target"], found["commits"]) == ("HEAD", "the worktree", 0)
    assert "(what is not committed)" in found["summary"]


def test_a_branch_is_compared_with_its_merge_base(world: World) -> None:
    base = world.git("rev-parse", "HEAD")
    world.git("checkout", "-q", "-b", "feature")
    change_all(world)
    world.commit()
    world.write("shop/other.py", world.read("shop/other.py").replace("LIMIT = 3", "LIMIT = 4"))
    found = document("review", cwd=world.root)
    assert (found["base"], found["basis"], found["branch"], found["commits"]) == (base, "merge base", "main", 1)
    assert {"LIMIT", "rate"} <= by_name(found, "changes").keys()


def test_a_range_that_is_not_the_worktree_says_whose_users_are_shown(world: World) -> None:
    change_all(world)
    commit = world.commit()
    world.write("shop/cart.py", CART + "\n\ndef further():\n    return 1\n")
    found = document("review", "HEAD~1..HEAD", cwd=world.root)
    assert (found["target"], found["indexed"], len(found["notes"])) == (commit, False, 1)
    assert by_name(found, "interfaces")["rate"]["n_unchanged_users"] == 1
    assert document("review", "HEAD~1", cwd=world.root)["indexed"]


# Forms


def test_text_fits_the_screen_and_is_limited(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    change_all(world)
    monkeypatch.setenv("COLUMNS", "60")
    lines = birthmark("review", "--limit", "1", cwd=world.root).stdout.splitlines()
    assert max(map(len, lines)) <= 60
    assert "--limit 2 shows all" in "\n".join(lines)


def test_markdown_and_the_comment_say_the_same(world: World, tmp_path: Path) -> None:
    change_all(world)
    markdown = birthmark("review", "--markdown", cwd=world.root).stdout
    assert markdown.startswith("## Birthmark review\n\n")
    assert "- **medium** `rate` in `shop/tax.py:1-5`: signature changed, 2 lines; 1 user in 1 file" in markdown
    file = tmp_path / "review.md"
    birthmark("review", "--format", "comment", "--output", str(file), cwd=world.root)
    assert file.read_text("utf-8") == f"{REVIEW_MARKER}\n{markdown}"


def test_http_answers_the_same_in_pages(world: World) -> None:
    change_all(world)
    app = make_app(world.root, TOKEN.encode(), Hosts.of(7433))
    client = Client(app, [("Host", "127.0.0.1:7433"), ("Authorization", f"Bearer {TOKEN}")])
    page = client.get("/v1/review", limit="1").document
    whole = document("review", cwd=world.root)
    assert (len(page["changes"]), page["truncated"], page["next"]) == (1, True, 1)
    assert page["changes"] == whole["changes"][:1]
    assert client.get("/v1/review", base="HEAD", target="HEAD").document["changes"] == []


@pytest.mark.parametrize("words", [["nowhere"], [""], ["HEAD", ""], ["HEAD..nowhere"], ["HEAD", "HEAD", "HEAD"]])
def test_bad_input_is_one_line(world: World, words: list[str]) -> None:
    result = birthmark("review", *words, cwd=world.root)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([("shop/tax.py", "def high", "def low")], ("renamed", "shop/tax.py", "shop/tax.py", ["low"], ["high"])),
        ([("shop/tax.py", "def high():\n", 'def high():\n    """High."""\n')], ("documented",)),
        ([("shop/tax.py", "    total = 0\n", "    # none yet\n    total = 0\n")], ("reformatted",)),
    ],
)
def test_collapsed(world: World, edits: list[tuple[str, str, str]], expected: tuple[object, ...]) -> None:
    for edit in edits:
        world.replace(*edit)
    found = document("review", cwd=world.root)
    line = found["collapsed"][0]
    fields = (line["word"], line["old_path"], line["path"], line["names"], line["old_names"])
    assert fields[: len(expected)] == expected
    assert (len(found["collapsed"]), found["changes"]) == (1, [])


def test_a_file_that_moved_is_one_line(world: World) -> None:
    world.move("shop/tax.py", "shop/rates.py")
    world.replace("shop/cart.py", "shop.tax", "shop.rates")
    found = document("review", cwd=world.root)
    assert [(one["word"], one["old_path"], one["path"], one["names"]) for one in found["collapsed"]] == [
        ("moved", "shop/tax.py", "shop/rates.py", [])
    ]
    assert found["collapsed"][0]["definitions"] == 4
    assert found["interfaces"] == []


def test_a_review_is_the_same_each_time(world: World) -> None:
    change_all(world)
    assert document("review", cwd=world.root) == document("review", cwd=world.root)
