"""Documents that name code in comments: which of these links hold, and since when they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.subscriptions.doc_anchors import find_links, is_document
from birthmark.subscriptions.model import DocLink
from scanning import make, scan
from worlds import World

CODE = """\
def load(path):
    return open(path).read()


class Cart:
    def add(self, item):
        self.items.append(item)
"""
DOC = "# Loading\n\n<!-- birthmark: app.py::load -->\nIt reads the whole file.\n"


# Links


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!-- birthmark: a.py::f -->", [(1, "a.py::f")]),
        ("<!--birthmark:a.py::f-->", [(1, "a.py::f")]),
        ("x\n\n  <!-- birthmark: a.py::f --> and <!-- birthmark: bm-7k3q -->\n", [(3, "a.py::f"), (3, "bm-7k3q")]),
        ("{/* birthmark: a.py::f */}", [(1, "a.py::f")]),
        ("<!-- birthmark: a b.py:1-2 -->", [(1, "a b.py:1-2")]),
        ("<!-- birthmark: a.py::f\n-->", []),
        ("<!-- birthmark: -->", []),
        ("<!-- another: a.py::f -->", []),
        ("`<!-- birthmark: a.py::f -->`", []),
        ("``<!-- birthmark: a.py::f -->``", []),
        ("```\n<!-- birthmark: a.py::f -->\n```\n<!-- birthmark: b -->", [(4, "b")]),
        ("~~~~\n~~~\n<!-- birthmark: a.py::f -->\n~~~~\n<!-- birthmark: b -->", [(5, "b")]),
        ("```\n<!-- birthmark: a.py::f -->\n", []),
        ("", []),
    ],
)
def test_links(text: str, expected: list[tuple[int, str]]) -> None:
    assert list(find_links(text)) == expected


@pytest.mark.parametrize(
    ("path", "expected"), [("a.md", True), ("A.MD", True), ("a.mdx", True), ("a.markdown", True), ("a.txt", False)]
)
def test_documents(path: str, expected: bool) -> None:
    assert is_document(path) is expected


# What became of what they name


@pytest.fixture
def world(tmp_path: Path) -> World:
    return make(tmp_path, {"app.py": CODE, "docs/load.md": DOC})


def check(world: World, path: str = "docs/load.md") -> DocLink:
    [link] = [link for link in scan(world, docs=True).docs if link.path == path]
    return link


def test_current(world: World) -> None:
    link = check(world)
    assert (link.line, link.ref, link.status, link.reasons, link.since) == (3, "app.py::load", "current", (), None)
    assert link.written_at == world.git("rev-parse", "HEAD")
    assert scan(world, docs=True).stale_docs == []
    assert scan(world).docs == ()


@pytest.mark.parametrize(
    ("old", "new"),
    [("open(path).read()", "open(path, 'rb').read()"), ("load(path)", "load(path, /)"), ("def load", "async def load")],
)
def test_changed_since_a_commit(world: World, old: str, new: str) -> None:
    world.replace("app.py", old, new)
    changed = world.commit()
    world.replace("app.py", "append", "insert")
    world.commit()
    link = check(world)
    assert (link.status, link.since, link.now) == ("changed", changed, "app.py::load:1")
    assert len(link.reasons) == 1
    assert len(scan(world, docs=True).stale_docs) == 1


def test_changed_in_the_worktree(world: World) -> None:
    world.replace("app.py", ".read()", ".readlines()")
    link = check(world)
    assert (link.status, link.reasons, link.since) == ("changed", ("body change",), None)


def test_a_document_that_was_touched_since_is_current(world: World) -> None:
    world.replace("app.py", ".read()", ".readlines()")
    world.commit()
    assert check(world).status == "changed"
    world.replace("docs/load.md", "the whole file", "all lines")
    assert check(world).status == "current"
    world.commit()
    assert check(world).status == "current"


def test_other_changes_do_not_matter(world: World) -> None:
    world.replace("app.py", "append", "insert")
    world.write("app.py", "import os\n\n\n" + world.read("app.py"))
    world.commit()
    assert check(world).status == "current"


def test_comments_and_formatting_do_not_matter(world: World) -> None:
    world.replace("app.py", "    return open(path)", "    # All at once.\n    return open( path )")
    world.commit()
    assert check(world).status == "current"


def test_moved(world: World) -> None:
    code, _, rest = CODE.partition("\n\n\n")
    world.write("app.py", rest)
    world.write("files.py", code + "\n")
    moved = world.commit()
    link = check(world)
    assert (link.status, link.now, link.since) == ("moved", "files.py::load:1", moved)


def test_renamed(world: World) -> None:
    world.replace("app.py", "load", "read_all")
    world.commit()
    link = check(world)
    assert (link.status, link.now) == ("moved", "app.py::read_all:1")


def test_gone(world: World) -> None:
    world.write("app.py", CODE.partition("\n\n\n")[2])
    gone = world.commit()
    link = check(world)
    assert (link.status, link.since, link.now) == ("gone", gone, None)


def test_gone_in_the_worktree(world: World) -> None:
    world.write("app.py", CODE.partition("\n\n\n")[2])
    link = check(world)
    assert (link.status, link.since) == ("gone", None)


@pytest.mark.parametrize(
    "ref", ["app.py::nothing", "nothing.py::load", "bm-0000000000", "nonsense", "app.py:99", ":::"]
)
def test_unknown(world: World, ref: str) -> None:
    world.write("docs/load.md", f"<!-- birthmark: {ref} -->\n")
    assert check(world).status == "unknown"
    world.commit()
    assert check(world).status == "unknown"


def test_ambiguous(world: World) -> None:
    world.write("app.py", CODE + "\n\ndef load(path):\n    return path\n")
    world.commit()
    assert check(world).status == "ambiguous"


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_member_and_its_class(world: World, is_committed: bool) -> None:
    """A class is what its history says it is; its members have links of their own."""
    world.write("docs/cart.md", "<!-- birthmark: app.py::Cart.add -->\n<!-- birthmark: app.py::Cart -->\n")
    world.commit()
    world.replace("app.py", "append(item)", "append((item,))")
    if is_committed:
        world.commit()
    links = [link for link in scan(world, docs=True).docs if link.path == "docs/cart.md"]
    assert [(link.line, link.status) for link in links] == [(1, "changed"), (2, "current")]


def test_a_mark(world: World) -> None:
    world.index()
    world.write("docs/load.md", f"<!-- birthmark: {world.mark('app.py::load')} -->\n")
    world.commit()
    world.replace("app.py", "load", "read_all")
    renamed = world.commit()
    world.index()
    link = check(world)
    assert (link.status, link.reasons, link.now) == ("changed", ("rename",), "app.py::read_all:1")
    world.replace("app.py", ".read()", ".readlines()")
    world.commit()
    world.index()
    link = check(world)
    assert (link.status, set(link.reasons), link.since) == ("changed", {"rename", "body change"}, renamed)


def test_at_a_revision(world: World) -> None:
    first = world.git("rev-parse", "HEAD")
    world.replace("app.py", ".read()", ".readlines()")
    second = world.commit()
    assert [link.status for link in scan(world, target=first, docs=True).docs] == ["current"]
    assert [link.status for link in scan(world, target=second, docs=True).docs] == ["changed"]


def test_without_git(tmp_path: Path) -> None:
    """Nobody knows when it was written, so only what is not there is told."""
    world = make(tmp_path, {"app.py": CODE, "a.md": DOC, "b.md": "<!-- birthmark: app.py::none -->\n"}, with_git=False)
    assert [(link.path, link.status) for link in scan(world, docs=True).docs] == [
        ("a.md", "current"),
        ("b.md", "unknown"),
    ]


def test_a_document_that_is_no_text(world: World) -> None:
    (world.root / "odd.md").write_bytes(b"\xff\xfe\x00<!-- birthmark: app.py::load -->\n")
    assert check(world, "odd.md").status == "current"


def test_moved_from_place_to_place(world: World) -> None:
    """Each commit leads one step further, though the first state and the last have little in common."""
    world.replace("app.py", ".read()", ".readlines()")
    world.commit()
    world.write("b.py", world.read("app.py"))
    world.remove("app.py")
    left = world.commit()
    world.replace("b.py", "def load", "def fetch")
    world.commit()
    world.move("b.py", "c.py")
    link = check(world)
    assert (link.status, link.since, link.now) == ("moved", left, "c.py::fetch:1")


def test_a_shallow_clone_says_what_it_cannot_know(world: World, tmp_path: Path) -> None:
    world.replace("app.py", ".read()", ".readlines()")
    world.commit()
    world.git("clone", "-q", "--depth", "1", f"file://{world.root}", str(tmp_path / "shallow"))
    found = scan(World(tmp_path / "shallow"), docs=True)
    assert [link.status for link in found.docs] == ["current"]
    assert "shallow" in found.problems[0].problem
