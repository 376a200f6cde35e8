"""What became of what an anchor names, in each way: by the ledger, in its place, through git, by fingerprints."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import birthmark
from birthmark.app.answers.anchors import AnchorFate, AnchorFinder, AnchorMaker
from birthmark.app.workspace.repository import open_repository
from birthmark.app.workspace.session import open_session
from birthmark.errors import BirthmarkError
from birthmark.identity.anchors import Anchor, encode_anchor, parse_anchor
from birthmark.questions.anchors import MakeAnchors
from birthmark.questions.definitions import Resolve, Show
from birthmark.questions.subscriptions import Subscribe
from birthmark.vocabulary import AnchorVerdict
from worlds import World

TOTAL = '''    def total(self, rate):
        """The sum of all items."""
        result = 0
        for item in self.items:
            result += item.price * item.count * rate
        return round(result, 2)
'''
SHOP = f"""import math

LIMIT = 10


class Cart:
    def __init__(self, items):
        self.items = items

{TOTAL}

def ship(cart, address):
    label = address.strip().upper()
    print(label)
    return label, cart.total(2), cart.items
"""
OTHER = "def unrelated(a):\n    return [one for one in a if one]\n"
Edit = Callable[[World], None]


def make_world(root: Path) -> World:
    world = World(root, {"shop.py": SHOP, "other.py": OTHER}, with_git=True)
    world.commit()
    return world


def anchor_of(world: World, ref: str) -> Anchor:
    with open_repository(world.root) as repository:
        return AnchorMaker(repository, repository.named(None)).of_ref(ref)


def find(world: World, anchor: Anchor) -> AnchorFate:
    with open_repository(world.root) as repository:
        return AnchorFinder(repository, repository.named(None)).find(anchor)


def _rename(world: World) -> None:
    world.replace("shop.py", "def ship(", "def send(")


def _move(world: World) -> None:
    source = world.read("shop.py")
    at = source.index("def ship(")
    world.write("shop.py", source[:at])
    world.write("post/office.py", source[at:])


def _rename_file(world: World) -> None:
    world.move("shop.py", "store/basket.py")


def _edit(world: World) -> None:
    world.replace("shop.py", "label = address.strip().upper()", "label = address.strip().title()")


def _push_down(world: World) -> None:
    world.write("shop.py", "# one\n# two\n" + world.read("shop.py"))


def _reformat(world: World) -> None:
    world.replace(
        "shop.py", "return label, cart.total(2), cart.items", "return label, cart.total( 2 ), cart.items  # all"
    )


def _delete(world: World) -> None:
    source = world.read("shop.py")
    world.write("shop.py", source[: source.index("def ship(")])


def _rename_class(world: World) -> None:
    world.replace("shop.py", "class Cart", "class Basket")


CASES: dict[str, tuple[str, Edit, str, str | None]] = {
    "nothing": ("shop.py::ship", lambda world: None, "unchanged", "shop.py::ship"),
    "lines above": ("shop.py::ship", _push_down, "unchanged", "shop.py::ship"),
    "layout": ("shop.py::ship", _reformat, "unchanged", "shop.py::ship"),
    "edited": ("shop.py::ship", _edit, "changed", "shop.py::ship"),
    "renamed": ("shop.py::ship", _rename, "renamed", "shop.py::send"),
    "moved": ("shop.py::ship", _move, "moved", "post/office.py::ship"),
    "file renamed": ("shop.py::Cart.total", _rename_file, "moved", "store/basket.py::Cart.total"),
    "container renamed": ("shop.py::Cart.total", _rename_class, "moved", "shop.py::Basket.total"),
    "deleted": ("shop.py::ship", _delete, "gone", None),
}
WAYS = ("ledger", "place and history", "uncommitted", "squashed")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
def test_each_edit_has_its_verdict_in_every_way(tmp_path: Path, case: str, way: str) -> None:
    ref, edit, verdict, place = CASES[case]
    world = make_world(tmp_path / "shop")
    if way == "ledger":
        world.index()
    anchor = parse_anchor(str(anchor_of(world, ref)))
    assert anchor is not None
    edit(world)
    if way != "uncommitted":
        world.commit()
    if way == "squashed":  # One commit without a past, and an index that never saw another one.
        shutil.rmtree(world.root / ".git")
        world.git("init", "-q", "-b", "main")
        world.commit()
    if way in ("ledger", "squashed"):
        world.index()
    fate = find(world, anchor)
    expected = verdict, place
    assert (fate.verdict, fate.now and f"{fate.now.file.path}::{fate.now.entity.qualified_name}") == expected
    if fate.now is not None:
        assert fate.refreshed is not None
        assert find(world, fate.refreshed).verdict is AnchorVerdict.UNCHANGED


def test_a_deletion_names_its_commit(tmp_path: Path) -> None:
    world = make_world(tmp_path / "shop")
    anchor = anchor_of(world, "shop.py::ship")
    _delete(world)
    commit = world.commit()
    deletion = find(world, anchor).deletion
    assert deletion is not None
    assert deletion.id == commit


LINES: dict[str, tuple[str, Edit, str, tuple[int, int] | None]] = {
    "nothing": ("shop.py:20", lambda world: None, "unchanged", (20, 20)),
    "lines above": ("shop.py:20", _push_down, "unchanged", (22, 22)),
    "edited": ("shop.py:19", _edit, "changed", (19, 19)),
    "neighbour edited": ("shop.py:20", _edit, "unchanged", (20, 20)),
    "definition renamed": ("shop.py:20-21", _rename, "renamed", (20, 21)),
    "definition moved": ("shop.py:20-21", _move, "moved", (3, 4)),
    "definition deleted": ("shop.py:20-21", _delete, "gone", None),
    "line deleted": ("shop.py:20", lambda world: world.replace("shop.py", "    print(label)\n", ""), "gone", None),
    "twins": (
        "shop.py:20",
        lambda world: world.replace("shop.py", "    print(label)\n", "    print(label)\n" * 2),
        "ambiguous",
        None,
    ),
    "outside": ("shop.py:1", _push_down, "unchanged", (3, 3)),
    "blank, between two definitions": ("shop.py:4", lambda world: None, "unchanged", (4, 4)),
    "line deleted beside a blank one": (
        "shop.py:15",
        lambda world: world.replace("shop.py", "        return round(result, 2)\n\n", "\n"),
        "gone",
        None,
    ),
    "outside, file renamed": ("shop.py:1", _rename_file, "moved", (1, 1)),
}


@pytest.mark.parametrize("case", LINES)
def test_lines_are_followed_in_their_definition(tmp_path: Path, case: str) -> None:
    ref, edit, verdict, lines = LINES[case]
    world = make_world(tmp_path / "shop")
    anchor = anchor_of(world, ref)
    edit(world)
    fate = find(world, anchor)
    assert (fate.verdict, fate.lines) == (verdict, lines)


def test_overloads_are_told_apart_by_what_is_the_same(tmp_path: Path) -> None:
    source = "class A {\n  void close(int a) { x(a); }\n  void close(String a) { y(a); }\n}\n"
    world = World(tmp_path / "a", {"A.java": source}, with_git=True)
    world.commit()
    anchor = anchor_of(world, "A.java:3")
    world.replace("A.java", "y(a);", "y(a); z(a);")
    fate = find(world, anchor)
    assert fate.now is not None
    assert (fate.verdict, fate.now.entity.start_line) == ("changed", 3)


def test_namesakes_that_all_changed_are_paired_with_those_of_the_commit(tmp_path: Path) -> None:
    bodies = {"int a": "count({0});", "String b": "list(b, {0});", "Item c": "c.put({0});"}
    methods = "".join(f"  void add({parameter}) {{{{ {body} }}}}\n" for parameter, body in bodies.items())
    world = World(tmp_path / "a", {"A.java": "class A {\n" + methods.format(1) + "}\n"}, with_git=True)
    world.commit()
    anchors = [anchor_of(world, f"A.java:{line}") for line in (2, 3, 4)]
    changed = methods.format(2).replace("void add(", "boolean add(final ")
    world.write("A.java", "class A {\n  int size;\n" + changed + "}\n")
    found = [find(world, anchor).now for anchor in anchors]
    assert [one and one.entity.start_line for one in found] == [3, 4, 5]


def test_two_places_are_ambiguous(tmp_path: Path) -> None:
    world = make_world(tmp_path / "shop")
    anchor = anchor_of(world, "shop.py::ship")
    body = SHOP[SHOP.index("def ship(") :]
    _delete(world)
    world.write("a.py", body)
    world.write("b.py", body)
    shutil.rmtree(world.root / ".git")
    world.index()
    fate = find(world, anchor)
    assert fate.verdict is AnchorVerdict.AMBIGUOUS
    assert sorted(one.file.path for one in fate.rivals) == ["a.py", "b.py"]


def test_another_definition_of_the_name_is_not_sure(tmp_path: Path) -> None:
    world = make_world(tmp_path / "shop")
    anchor = anchor_of(world, "shop.py::ship")
    _move(world)
    world.write("shop.py", world.read("shop.py") + "def ship(*, fast):\n    raise NotImplementedError(fast)\n")
    shutil.rmtree(world.root / ".git")
    world.index()
    fate = find(world, anchor)
    assert fate.now is not None
    assert (fate.verdict, fate.now.file.path) == ("moved", "post/office.py")


def test_an_anchor_of_another_repository_is_unknown(tmp_path: Path) -> None:
    anchor = anchor_of(make_world(tmp_path / "shop"), "shop.py::ship")
    world = World(tmp_path / "b", {"b.py": OTHER})
    assert find(world, anchor).verdict is AnchorVerdict.UNKNOWN
    world.index()
    assert find(world, anchor).verdict is AnchorVerdict.UNKNOWN


def test_an_anchor_is_a_ref_of_every_question(tmp_path: Path) -> None:
    world = make_world(tmp_path / "shop")
    world.index()
    anchor = str(anchor_of(world, "shop.py::ship"))
    _rename(world)
    world.index()
    with world.session() as session:
        assert Show(ref=anchor).answer(session).qualified_name == "send"
        answer = Resolve(ref=anchor).answer(session)
    assert answer.entity is not None
    assert answer.anchor is not None
    assert (answer.ref, answer.entity.qualified_name, answer.anchor.verdict) == (anchor, "send", "renamed")


def test_only_line_feeds_count_as_lines(tmp_path: Path) -> None:
    world = World(tmp_path / "a", {"a.py": "def f():\n    a = 1\n    return a\n"})
    (world.root / "a.py").write_bytes(b"x = 'a\rb'\rdef f():\n    a = 1\n    return a\n")
    anchor = anchor_of(world, "a.py:2")
    assert anchor.within is not None
    assert find(world, anchor).lines == (2, 2)
    with pytest.raises(BirthmarkError, match=r"a\.py:4: the file has 3 lines"):
        anchor_of(world, "a.py:4")


def test_a_path_that_is_not_utf_8_has_no_anchor(tmp_path: Path) -> None:
    world = World(tmp_path / "a")
    Path(os.fsdecode(os.fsencode(world.root) + b"/\xff.txt")).write_text("one\n", "utf-8")
    with pytest.raises(BirthmarkError, match="is not UTF-8"):
        anchor_of(world, "\udcff.txt:1")


@pytest.mark.parametrize("ref", ["shop.py:20-21", "shop.py:1", "shop.py::ship"])
def test_the_anchor_of_an_anchor_is_its_present_one(tmp_path: Path, ref: str) -> None:
    world = make_world(tmp_path / "shop")
    old = str(anchor_of(world, ref))
    _push_down(world)
    with open_session(world.root) as session:
        made = next(iter(MakeAnchors(refs=(old,)).answer(session).results)).anchor
    found = find(world, made)
    assert (found.verdict, found.refreshed) == (AnchorVerdict.UNCHANGED, made)
    assert made != parse_anchor(old)


def test_lines_outside_of_definitions_are_not_what_show_shows(tmp_path: Path) -> None:
    world = make_world(tmp_path / "shop")
    world.index()
    anchor = str(anchor_of(world, "shop.py:1"))
    with world.session() as session, pytest.raises(BirthmarkError, match=r"shop\.py:1: .* in no definition"):
        Show(ref=anchor).answer(session)


@pytest.mark.parametrize(
    ("ref", "target"), [("shop.py::ship", "entity"), ("shop.py:20", "lines"), ("shop.py:1", "lines")]
)
def test_a_subscription_to_an_anchor_watches_what_it_names(tmp_path: Path, ref: str, target: str) -> None:
    world = make_world(tmp_path / "shop")
    anchor = anchor_of(world, ref)
    world.index()
    with world.session() as session:
        found = Subscribe(ref=str(anchor)).answer(session)
    assert (found.target, found.path) == (target, "shop.py")
    if anchor.within is not None:
        assert (found.start_line, found.end_line) == anchor.within.lines


def test_python_takes_an_anchor_in_each_of_its_forms(tmp_path: Path) -> None:
    world = make_world(tmp_path / "shop")
    made = birthmark.anchor("shop.py:20", root=world.root)
    forms = (made.line, made.anchor, encode_anchor(made.anchor).decode(), json.loads(encode_anchor(made.anchor)))
    for form in forms:
        found = birthmark.resolve_anchor(form, root=world.root).anchor
        assert found is not None
        assert (found.verdict, found.line) == ("unchanged", made.line)
