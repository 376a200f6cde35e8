"""Files as an editor has them: which definition of the index each one of a buffer is, and what a name in it means."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.answers.editor import (
    EditorFiles,
    count_definition,
    find_targets,
    find_use_sites,
    read_editor_file,
    word_at,
)
from birthmark.app.histories.histories import find_former_places, read_former_file
from birthmark.app.serving.shared_repositories import SharedRepositories, check_worktree
from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import open_session
from small_repositories import make_repository
from worlds import World

SHOP = """class Cart:
    def total(self):
        return self.net() + 1

    def net(self):
        return sum(self.items)
"""


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(
        tmp_path / "shop", {"shop.py": SHOP, "use.py": "from shop import Cart\n\n\ndef run():\n    return Cart()\n"}
    )
    world.index()
    return world


@pytest.mark.parametrize(
    "edited",
    [
        SHOP,
        "import os\n\n\n" + SHOP,
        SHOP.replace("def total", "def whole"),
        SHOP.replace("sum(self.items)", "sum(self.items) * 2"),
        SHOP.replace("class Cart", "class Basket"),
    ],
    ids=["unchanged", "lower", "renamed", "edited", "container renamed"],
)
def test_a_buffer_has_the_identities_of_the_index(world: World, edited: str) -> None:
    with open_session(world.root) as session:
        indexed, buffer = (read_editor_file(session, "shop.py", text) for text in (None, edited.encode()))
        assert indexed is not None
        assert buffer is not None
        assert buffer.identities == indexed.identities


def test_what_is_new_has_no_identity_and_what_is_gone_has_none_to_give(world: World) -> None:
    with open_session(world.root) as session:
        buffer = read_editor_file(session, "shop.py", b"def fresh(a, b):\n    return a % b\n")
        assert buffer is not None
        assert buffer.identities == (None,)
        assert read_editor_file(session, "new.py", b"def f(): pass\n") is not None
        assert read_editor_file(session, "notes.xyz", b"text") is None
        assert read_editor_file(session, "shop.py", b"x = 1\n" * 2_000_000) is None  # too large to be indexed


@pytest.mark.parametrize(
    ("text", "offset", "word", "is_member"),
    [("a.bc(d)", 2, "bc", True), ("a.bc(d)", 4, "bc", True), ("f(é1)", 3, "é1", False), ("f ()", 2, "", False)],
)
def test_the_word_at_a_byte(text: str, offset: int, word: str, is_member: bool) -> None:
    found = word_at(text.encode(), offset)
    assert (found.text, found.is_member) == (word, is_member)


def test_a_call_in_an_edited_buffer_leads_where_it_did(world: World) -> None:
    edited = b"# one\n# two\n" + SHOP.encode()
    with open_session(world.root) as session:
        files = EditorFiles(session, {"shop.py": edited})
        file = files.get("shop.py")
        assert file is not None
        names = [one.qualified_name for one in file.entities]
        net = file.identities[names.index("Cart.net")]
        assert find_targets(session, file, edited.index(b"net()")) == [net]
        assert find_targets(session, file, edited.index(b"def net") + 4) == [net]
        assert find_targets(session, file, edited.index(b"return")) == []
        [site] = find_use_sites(session, files, "Cart.net")
        assert (site.file.path, site.line, site.names) == ("shop.py", 5, ("net",))


def test_counts_of_what_was_only_indexed(world: World) -> None:
    with open_session(world.root) as session:
        [indexed] = session.view.entities_in("use.py")
        counts = count_definition(session, indexed)
    assert (counts.born_at, counts.n_changes, counts.n_subscriptions, counts.n_notes) == (None, 0, 0, 0)


def test_former_places_are_those_before_renames_and_moves(tmp_path: Path) -> None:
    body = "    return sum(cart) * 2 + 1\n"
    texts = (
        {"a.py": f"def one(cart):\n{body}"},
        {"a.py": f"def two(cart):\n{body}"},
        {"b.py": f"\n\ndef two(cart):\n{body}"},
    )
    world = make_repository(tmp_path / "moved", texts)
    with open_repository(world.root) as repository:
        places = find_former_places(repository, "b.py:3")
        assert [(place.location.path, place.location.qualified_name) for place in places] == [
            ("a.py", "two"),
            ("a.py", "one"),
        ]
        assert [read_former_file(repository, place).decode() for place in places] == [
            texts[1]["a.py"],
            texts[0]["a.py"],
        ]


def test_what_was_extracted_for_a_question_is_at_hand_for_the_next(world: World) -> None:
    repositories = SharedRepositories(world.root, 60.0, check_worktree)
    found = []
    for _ in range(2):
        with repositories.open(refreshes=False) as session:
            file = read_editor_file(session, "shop.py", b"# edited\n" + SHOP.encode())
            assert file is not None
            found.append(file.outline)
    repositories.close()
    assert found[0] is found[1]
