"""Documents that name code in comments: which of these links hold, and since when they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.app.scans.documents import fix_documents
from birthmark.app.workspace.workspace import find_workspace
from birthmark.documents.sentences import doc_sentence
from birthmark.subscriptions.doc_anchors import find_anchors, is_document
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
    anchors = list(find_anchors(text))
    assert [(anchor.line, anchor.ref) for anchor in anchors] == expected
    assert [text[slice(*anchor.span)] for anchor in anchors] == [ref for _, ref in expected]


A = "<!-- birthmark: a -->"


@pytest.mark.parametrize(
    ("text", "paragraph"),
    [
        (f"one\n\n{A}\ntwo\nthree\n\nfour\n", (3, 5)),
        (f"one\ntwo {A}\nthree\n\nfour", (1, 3)),
        (f"# One\n\n{A}\n\ntwo\nthree\n\nfour\n", (3, 6)),
        (f"{A}\n\n## One\n\ntwo\n\nthree\n", (1, 5)),
        (f"## One\n{A}\n\ntwo\n\nthree\n", (1, 4)),
        (f"{A}\n```py\na\n\nb\n```\n\ntwo\n", (1, 6)),
        (f"{A}\r\ntwo\r\n\r\nthree\r\n", (1, 2)),
        (f"one\n\n{A}\n", (3, 3)),
        (f"{A}\n{A.replace('a -->', 'b -->')}\none\n", (1, 3)),
    ],
)
def test_paragraphs(text: str, paragraph: tuple[int, int]) -> None:
    assert next(find_anchors(text)).paragraph == paragraph


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
    link = check(world)
    assert (link.status, "needs an index" in doc_sentence(link)) == (
        "unknown",
        ref in ("bm-0000000000", "nonsense", ":::"),
    )
    world.index()
    assert "named nothing when it was written" in doc_sentence(check(world))


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
    (world.root / "odd.md").write_bytes(b"\xff\x00<!-- birthmark: app.py::load -->\n")
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


# Paragraphs

TWO = "# Loading\n\n<!-- birthmark: app.py::load -->\nIt reads the whole file.\n\nAnother paragraph.\n"


@pytest.mark.parametrize("is_committed", [False, True])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Another paragraph.", "Another one."),
        ("# Loading", "# Reading\n\nAn introduction."),
        ("\n\nAnother paragraph.", ""),
    ],
)
def test_a_docs_maintainer_edits_another_paragraph(tmp_path: Path, old: str, new: str, is_committed: bool) -> None:
    """What an edit elsewhere in the document says about an anchor is nothing: it stays changed, or moved."""
    world = make(tmp_path, {"app.py": CODE, "docs/load.md": TWO})
    written = world.git("rev-parse", "HEAD")
    world.replace("app.py", ".read()", ".readlines()")
    changed = world.commit()
    world.replace("docs/load.md", old, new)
    if is_committed:
        world.commit()
    link = check(world)
    assert (link.status, link.since, link.written_at) == ("changed", changed, written)
    world.replace("app.py", "def load", "def fetch")
    moved = world.commit()
    link = check(world)
    assert (link.status, link.since, link.now) == ("moved", moved, "app.py::fetch:1")
    world.replace("docs/load.md", "the whole file", "all lines")
    world.replace("docs/load.md", "app.py::load", "app.py::fetch")
    assert check(world).status == "current"


def test_an_edit_of_the_paragraph_does_not_forget_that_its_target_moved(world: World) -> None:
    """The anchor in it is older than the text around it."""
    world.replace("app.py", "load", "fetch")
    moved = world.commit()
    world.replace("docs/load.md", "the whole file", "all lines")
    for _ in range(2):
        link = check(world)
        assert (link.status, link.since, link.now) == ("moved", moved, "app.py::fetch:1")
        world.commit()


def test_lines_that_were_taken_out_of_a_paragraph_are_an_edit(world: World) -> None:
    world.write("docs/load.md", DOC.replace("It reads", "All at once.\nIt reads"))
    world.commit()
    world.replace("app.py", ".read()", ".readlines()")
    world.commit()
    assert check(world).status == "changed"
    world.write("docs/load.md", DOC)
    world.commit()
    assert check(world).status == "current"


def test_two_anchors_of_one_document_are_judged_each_by_its_own(tmp_path: Path) -> None:
    text = "<!-- birthmark: app.py::load -->\nOne.\n\n<!-- birthmark: app.py::Cart.add -->\nTwo.\n"
    world = make(tmp_path, {"app.py": CODE, "a.md": text})
    world.replace("app.py", ".read()", ".readlines()")
    world.replace("app.py", "append", "insert")
    world.commit()
    world.replace("a.md", "Two.", "Twice.")
    world.commit()
    assert [link.status for link in scan(world, docs=True).docs] == ["changed", "current"]


def test_a_document_that_was_renamed_is_not_edited(world: World) -> None:
    world.replace("app.py", ".read()", ".readlines()")
    world.commit()
    world.move("docs/load.md", "docs/loading.md")
    world.commit()
    assert check(world, "docs/loading.md").status == "changed"


# Rewriting


def rewritten(world: World) -> list[tuple[str, bool, str | None]]:
    links = fix_documents(find_workspace(world.root), scan(world, docs=True)).docs
    return [(link.ref, link.fixed, link.kept_because) for link in links]


def test_moved_anchors_are_rewritten(world: World) -> None:
    world.replace("app.py", "load", "fetch")
    world.commit()
    assert check(world).replacement == "app.py::fetch"
    assert world.read("docs/load.md") == DOC
    report = fix_documents(find_workspace(world.root), scan(world, docs=True))
    assert [(link.ref, link.fixed, link.replacement) for link in report.docs] == [
        ("app.py::load", True, "app.py::fetch")
    ]
    assert report.stale_docs == []
    assert world.read("docs/load.md") == DOC.replace("app.py::load", "app.py::fetch")
    assert check(world).status == "current"
    world.commit()
    assert check(world).status == "current"


def test_all_but_the_ref_stays_as_it_is(world: World) -> None:
    """Line ends, the mark at the beginning, and bytes that are no UTF-8."""
    anchors = b"<!--birthmark:app.py::load-->  \r\n`<!-- birthmark: app.py::load -->` {/* birthmark: app.py::load */}"
    before = b"\xef\xbb\xbf# \xff\r\n\r\n" + anchors
    (world.root / "odd.mdx").write_bytes(before)
    world.commit()
    (world.root / "odd.mdx").chmod(0o640)
    world.replace("app.py", "load", "fetch")
    world.commit()
    fix_documents(find_workspace(world.root), scan(world, docs=True))
    after = (world.root / "odd.mdx").read_bytes()
    assert after == before.replace(b":app.py::load-->", b":app.py::fetch-->").replace(
        b"{/* birthmark: app.py::load", b"{/* birthmark: app.py::fetch"
    )
    assert (world.root / "odd.mdx").stat().st_mode & 0o777 == 0o640


def test_what_is_gone_or_ambiguous_or_has_changed_is_left_alone(world: World) -> None:
    world.write("docs/more.md", "<!-- birthmark: app.py::Cart -->\nA cart.\n")
    world.commit()
    world.write("app.py", "def fetch(path):\n    return open(path, 'rb').read()\n")
    world.commit()
    found = rewritten(world)
    assert [(ref, is_fixed) for ref, is_fixed, _ in found] == [("app.py::load", False), ("app.py::Cart", False)]
    assert found[0][2] == "it has changed, too (body change): read the paragraph first"
    assert world.read("docs/load.md") == DOC


def test_a_document_that_changed_meanwhile_is_left_alone(world: World) -> None:
    world.replace("app.py", "load", "fetch")
    world.commit()
    report = scan(world, docs=True)
    world.write("docs/load.md", "# New\n" + DOC)
    [link] = fix_documents(find_workspace(world.root), report).docs
    assert (link.fixed, link.kept_because) == (False, "the document was changed meanwhile")
    assert world.read("docs/load.md") == "# New\n" + DOC
