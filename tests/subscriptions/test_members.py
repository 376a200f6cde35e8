"""The members of a container: which are new, gone, other or renamed, and which of them count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scanning import QUIET, Told, accept, assert_settles, current, details, make, scan, subscribe, told
from worlds import World

CART = """\
class Cart:
    rate: int = 1

    def __init__(self, items):
        self.items = list(items)

    def add(self, item):
        self.items.append(item)
        return len(self.items)

    def _sort(self, key):
        self.items.sort(key=key)

    @cached
    def total(self):
        return sum(item.price for item in self.items)
"""
NEW = "\n    def clear(self):\n        self.items.clear()\n"
AGGREGATE = "AGGREGATE"


def check(root: Path, path: str, ref: str, before: str, after: str, **options: Any) -> tuple[Told, dict[str, Any]]:
    """What is told of one edit, once."""
    world = make(root, {path: before})
    subscribe(world, f"{path}::{ref}", include_members=True, **options)
    world.write(path, after)
    report = scan(world)
    found = told(report)
    if found != QUIET:
        assert_settles(world)
    else:
        assert all(proposal.reasons == ("line_shift",) for proposal in report.proposals)
    return found._replace(moves=(), place=None, confidence=None), details(report) if report.triggers else {}


def changed(name: str, *aspects: str) -> dict[str, Any]:
    return {"changed": [{"name": name, "aspects": list(aspects)}]}


CASES: dict[str, tuple[str, str, tuple[str, ...], dict[str, Any]]] = {
    "added": (CART, CART + NEW, ("members_added",), {"added": ["clear"]}),
    "removed": (CART + NEW, CART, ("members_removed",), {"removed": ["clear"]}),
    "changed in its body": (
        CART,
        CART.replace("append(item)", "append((item,))"),
        ("members_changed",),
        changed("add", "body"),
    ),
    "changed in its head": (
        CART,
        CART.replace("add(self, item)", "add(self, item, /)"),
        ("members_changed",),
        changed("add", "interface"),
    ),
    "changed in both": (
        CART,
        CART.replace("add(self, item)", "add(self, item, n)").replace("append(item)", "append(n * [item])"),
        ("members_changed",),
        changed("add", "interface", "body"),
    ),
    "renamed": (
        CART,
        CART.replace("def add(", "def put("),
        ("members_renamed",),
        {"renamed": [{"from": "add", "to": "put"}]},
    ),
    "a field": (CART, CART.replace("rate: int = 1", "rate: int = 2"), ("members_changed",), changed("rate", "body")),
    "a special method": (
        CART,
        CART.replace("list(items)", "tuple(items)"),
        ("members_changed",),
        {"changed": [{"name": name, "aspects": ["body"]} for name in ("__init__", "items")]},
    ),
    "a decorator": (CART, CART.replace("@cached", "@lazy"), ("members_changed",), changed("total", "interface")),
    "added and removed": (
        CART + NEW,
        CART.replace(
            "class Cart:", "class Cart:\n    size = 7\n\n    def reset(self, other):\n        other.join(self)\n"
        ),
        ("members_added", "members_removed"),
        {"added": ["size", "reset"], "removed": ["clear"]},
    ),
}


@pytest.mark.parametrize(("before", "after", "reasons", "expected"), CASES.values(), ids=CASES)
def test_members(tmp_path: Path, before: str, after: str, reasons: tuple[str, ...], expected: dict[str, Any]) -> None:
    found, named = check(tmp_path, "a.py", "Cart", before, after)
    assert (found, named) == (Told(AGGREGATE, reasons), expected)


QUIETLY = {
    "a private one is changed": (CART.replace("key=key", "key=key, reverse=True"), {}),
    "a private one is added": (CART + NEW.replace("clear(self)", "_clear(self)"), {}),
    "a private one is gone": (CART.replace("    def _sort(self, key):\n        self.items.sort(key=key)\n\n", ""), {}),
    "a decorator that is not tracked": (CART.replace("@cached", "@lazy"), {"track_decorators": False}),
    "a decorator that is gone": (CART.replace("    @cached\n", ""), {"track_decorators": False}),
    "a comment in a member": (CART.replace("return len", "# How many.\n        return len"), {}),
    "other spacing": (CART.replace("add(self, item)", "add( self,item )"), {}),
}


@pytest.mark.parametrize(("after", "options"), QUIETLY.values(), ids=QUIETLY)
def test_what_does_not_count(tmp_path: Path, after: str, options: dict[str, Any]) -> None:
    world = make(tmp_path, {"a.py": CART})
    subscribe(world, "a.py::Cart", include_members=True, **options)
    world.write("a.py", after)
    report = scan(world)
    assert report.triggers == []
    accept(world)
    assert scan(world).findings == ()


def test_another_order_is_a_change_of_the_container(tmp_path: Path) -> None:
    """It matters to structs and enums, so it is told of everywhere."""
    before = "class A:\n    a = 1\n    b = 2\n"
    found, named = check(tmp_path, "a.py", "A", before, "class A:\n    b = 2\n    a = 1\n")
    assert (found, named) == (Told("CONTENT", ("body_changed",)), {})


def test_private_members_count_if_they_should(tmp_path: Path) -> None:
    after = CART.replace("key=key", "key=key, reverse=True")
    assert check(tmp_path, "a.py", "Cart", CART, after, include_private=True) == (
        Told(AGGREGATE, ("members_changed",)),
        changed("_sort", "body"),
    )


def test_the_container_itself_is_told_with_its_members(tmp_path: Path) -> None:
    after = (CART + NEW).replace("class Cart:", "class Cart(Base):")
    found, named = check(tmp_path, "a.py", "Cart", CART, after)
    assert found == Told("STRUCTURAL", ("interface_changed", "members_added"))
    assert named == {"added": ["clear"]}


def test_a_container_that_is_renamed_keeps_its_members(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": CART})
    subscribe(world, "a.py::Cart", include_members=True)
    world.write("a.py", (CART + NEW).replace("class Cart", "class Basket"))
    report = scan(world)
    assert told(report)[:3] == (AGGREGATE, ("members_added",), ("semantic_location",))
    assert_settles(world)


def test_a_container_that_moves_keeps_its_members(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": "X = 1\n\n\n" + CART, "b.py": "Y = 1\n"})
    subscribe(world, "a.py::Cart", include_members=True)
    world.write("a.py", "X = 1\n")
    world.write("b.py", "Y = 1\n\n\n" + CART.replace("append(item)", "append((item,))"))
    report = scan(world)
    assert told(report)[:3] == (AGGREGATE, ("members_changed",), ("moved_cross_file",))
    assert details(report) == changed("add", "body")
    assert_settles(world)


def test_a_function_without_members_is_told_of_as_ever(tmp_path: Path) -> None:
    found, _ = check(tmp_path, "a.py", "f", "def f(a):\n    return a\n", "def f(a):\n    return -a\n")
    assert found == Told("CONTENT", ("body_changed",))


def test_without_members_a_container_changes_as_a_whole(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": CART})
    subscribe(world, "a.py::Cart")
    world.write("a.py", CART + NEW)
    assert told(scan(world))[:2] == ("CONTENT", ("body_changed",))


# Private, per language: which of the members that all change are told of

PRIVATE = {
    "python": (
        "a.py",
        "A",
        "class A:\n    def a(self):\n        return V\n\n    def _b(self):\n        return V\n\n    def __c(self):\n"
        "        return V\n\n    def __len__(self):\n        return V\n",
        ["__len__", "a"],
    ),
    "java": (
        "A.java",
        "A",
        "class A {\n  int a = V;\n  public int b = V;\n  protected int c = V;\n  private int d = V;\n"
        "  int e() { return V; }\n  private static int f() { return V; }\n  @Override private int g() { return V; }\n"
        "  /** private */ public int h() { return V; }\n}\n",
        ["a", "b", "c", "e", "h"],
    ),
    "typescript": (
        "a.ts",
        "A",
        "class A {\n  a = V;\n  private b = V;\n  #c = V;\n  protected d = V;\n  e() { return V; }\n"
        "  private async f() { return V; }\n  #g() { return V; }\n  static privateer() { return V; }\n}\n",
        ["a", "d", "e", "privateer"],
    ),
    "go": (
        "a.go",
        "A",
        "package a\n\ntype A interface {\n\tFirst(x [V]int)\n\tsecond(x [V]int)\n}\n",
        ["First"],
    ),
    "go struct": (
        "a.go",
        "A",
        "package a\n\ntype A struct {\n\tFirst [V]int\n\tsecond [V]int\n}\n\n"
        "func (a *A) Third() int { return V }\n\nfunc (a A) fourth() int { return V }\n",
        ["First", "Third"],
    ),
    "rust": (
        "a.rs",
        "A",
        "pub struct A {\n    pub a: [u8; V],\n    b: [u8; V],\n}\n\nimpl A {\n    pub fn c(&self) -> u8 { V }\n"
        "    fn d(&self) -> u8 { V }\n    pub(crate) fn e(&self) -> u8 { V }\n}\n",
        ["a", "c", "e"],
    ),
    "rust trait": (
        "a.rs",
        "A",
        "pub trait A {\n    fn a(&self) -> u8 { V }\n    fn b(&self) -> [u8; V];\n}\n",
        ["a", "b"],
    ),
    "rust, what implements a trait": (
        "a.rs",
        "A",
        "pub struct A;\n\nimpl A {\n    fn a(&self) -> u8 { V }\n}\n\nimpl Clone for A {\n"
        "    fn clone(&self) -> A { A::of(V) }\n}\n",
        ["clone"],
    ),
    "c#": (
        "A.cs",
        "A",
        "class A {\n  public int B() { return V; }\n  private int C() { return V; }\n"
        "  protected int D() { return V; }\n}\n",
        ["B", "D"],
    ),
    "kotlin": (
        "a.kt",
        "A",
        "class A {\n  fun b(): Int { return V }\n  private fun c(): Int { return V }\n}\n",
        ["b"],
    ),
}


@pytest.mark.parametrize("with_private", [False, True], ids=["public", "all"])
@pytest.mark.parametrize(("path", "ref", "text", "public"), PRIVATE.values(), ids=PRIVATE)
def test_private(tmp_path: Path, path: str, ref: str, text: str, public: list[str], with_private: bool) -> None:
    before, after = text.replace("V", "1"), text.replace("V", "2")
    _, named = check(tmp_path, path, ref, before, after, include_private=with_private)
    names = sorted(one["name"] for one in named["changed"])
    if with_private:
        assert set(names) > set(public) or "trait" in text
        assert len(names) == text.count("V")
    else:
        assert names == public


# Inherited

BASE = (
    "class Base:\n    def load(self, path):\n        return open(path).read()\n\n    def close(self):\n        pass\n"
)
DERIVED = "class Derived(Base):\n    def save(self, path):\n        return open(path, 'w')\n"
OVERRIDING = DERIVED + "\n    def load(self, path):\n        return None\n"


def inherited(name: str, change: str, origin: str, *aspects: str) -> dict[str, Any]:
    return {"inherited": [{"name": name, "change": change, "aspects": list(aspects), "origin": origin}]}


def other_body(text: str) -> str:
    return text.replace("open(path).read()", "open(path, 'rb').read()")


def test_inherited_within_a_file(tmp_path: Path) -> None:
    before = f"{BASE}\n\n{DERIVED}"
    assert check(tmp_path, "a.py", "Derived", before, other_body(before)) == (
        Told(AGGREGATE, ("inherited_members_changed",)),
        inherited("load", "changed", "a.py::Base", "body"),
    )


@pytest.fixture
def family(tmp_path: Path) -> World:
    """Three generations in three files."""
    return make(
        tmp_path,
        {
            "pkg/__init__.py": "",
            "pkg/base.py": BASE,
            "pkg/middle.py": (
                "from pkg.base import Base\n\n\nclass Middle(Base):\n    def size(self):\n        return 1\n"
            ),
            "pkg/derived.py": "from .middle import Middle as M\n\n\n" + DERIVED.replace("(Base)", "(M)"),
        },
    )


@pytest.mark.parametrize("is_committed", [False, True])
def test_inherited_across_files(family: World, is_committed: bool) -> None:
    subscribe(family, "pkg/derived.py::Derived", include_members=True)
    family.write("pkg/base.py", other_body(BASE))
    if is_committed:
        family.commit()
    report = scan(family)
    assert told(report) == Told(AGGREGATE, ("inherited_members_changed",))
    assert details(report) == inherited("load", "changed", "pkg/base.py::Base", "body")
    assert_settles(family)


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda text: text + "\n    def seek(self):\n        return 0\n", ("seek", "added")),
        (lambda text: text.replace("\n    def close(self):\n        pass\n", ""), ("close", "removed")),
        (lambda text: text.replace("load(self, path)", "load(self, path, /)"), ("load", "changed", "interface")),
    ],
)
def test_what_happens_to_inherited_members(family: World, edit: Any, expected: tuple[str, ...]) -> None:
    subscribe(family, "pkg/derived.py::Derived", include_members=True)
    family.write("pkg/base.py", edit(BASE))
    report = scan(family)
    name, change, *aspects = expected
    assert details(report) == inherited(name, change, "pkg/base.py::Base", *aspects)
    assert_settles(family)


def test_inherited_members_that_nobody_asked_for(family: World) -> None:
    subscribe(family, "pkg/derived.py::Derived", include_members=True, include_inherited=False)
    subscribe(family, "pkg/derived.py::Derived")
    family.write("pkg/base.py", other_body(BASE))
    assert scan(family).findings == ()


def test_private_inherited_members(family: World) -> None:
    family.write("pkg/base.py", BASE.replace("load", "_load"))
    family.commit()
    quiet = subscribe(family, "pkg/derived.py::Derived", include_members=True)
    loud = subscribe(family, "pkg/derived.py::Derived", include_members=True, include_private=True)
    family.write("pkg/base.py", other_body(BASE.replace("load", "_load")))
    assert [trigger.subscription_id for trigger in scan(family).triggers] == [loud.id]
    assert quiet.id != loud.id


def test_overridden(tmp_path: Path) -> None:
    """What the derived class defines itself hides what the base does."""
    before = f"{BASE}\n\n{OVERRIDING}"
    found, _ = check(tmp_path, "a.py", "Derived", before, other_body(before))
    assert found == QUIET


def test_overridden_from_now_on(tmp_path: Path) -> None:
    """A member that was inherited and is now its own has changed."""
    before, after = f"{BASE}\n\n{DERIVED}", f"{BASE}\n\n{OVERRIDING}"
    found, named = check(tmp_path, "a.py", "Derived", before, after)
    assert found == Told(AGGREGATE, ("members_changed",))
    assert named == changed("load", "body")


def test_base_class_moved(family: World) -> None:
    """It is inherited as before, so nothing is told; and what happens where it stands now is."""
    subscribe(family, "pkg/derived.py::Derived", include_members=True)
    family.move("pkg/base.py", "pkg/origin.py")
    family.replace("pkg/middle.py", "pkg.base", "pkg.origin")
    family.commit()
    assert scan(family).triggers == []
    accept(family)
    family.write("pkg/origin.py", other_body(BASE))
    report = scan(family)
    assert details(report) == inherited("load", "changed", "pkg/origin.py::Base", "body")
    assert_settles(family)


def test_base_class_moved_and_changed(family: World) -> None:
    subscribe(family, "pkg/derived.py::Derived", include_members=True)
    family.remove("pkg/base.py")
    family.write("pkg/origin.py", other_body(BASE))
    family.replace("pkg/middle.py", "pkg.base", "pkg.origin")
    report = scan(family)
    assert details(report) == inherited("load", "changed", "pkg/origin.py::Base", "body")
    assert_settles(family)


def test_base_class_gone(family: World) -> None:
    subscribe(family, "pkg/derived.py::Derived", include_members=True)
    family.write("pkg/base.py", "")
    report = scan(family)
    assert [(one["name"], one["change"]) for one in details(report)["inherited"]] == [
        ("load", "removed"),
        ("close", "removed"),
    ]
    assert_settles(family)


def test_another_base_class(family: World) -> None:
    subscribe(family, "pkg/derived.py::Derived", include_members=True)
    family.write("pkg/derived.py", "from .base import Base\n\n\n" + DERIVED)
    report = scan(family)
    assert told(report)[:2] == ("STRUCTURAL", ("interface_changed", "inherited_members_changed"))
    assert [(one["name"], one["change"]) for one in details(report)["inherited"]] == [("size", "removed")]
    assert_settles(family)


def test_a_circle_of_bases(tmp_path: Path) -> None:
    before = "class A(B):\n    def f(self):\n        return 1\n\n\nclass B(A):\n    def g(self):\n        return 1\n"
    found, named = check(
        tmp_path, "a.py", "A", before, before.replace("g(self):\n        return 1", "g(self):\n        return 2")
    )
    assert (found.reasons, named["inherited"][0]["name"]) == (("inherited_members_changed",), "g")


@pytest.mark.parametrize(
    ("base", "derived", "path", "text"),
    [
        (
            "Base.java",
            "Derived.java",
            "Derived.java",
            (
                "class Base {\n  int load() { return 1; }\n}\n",
                "class Derived extends Base {\n  int save() { return 3; }\n}\n",
            ),
        ),
        (
            "base.ts",
            "derived.ts",
            "derived.ts",
            (
                "export class Base {\n  load() { return 1; }\n}\n",
                "import { Base } from './base';\nexport class Derived extends Base {\n  save() { return 3; }\n}\n",
            ),
        ),
    ],
    ids=["java", "typescript"],
)
def test_inherited_in_other_languages(
    tmp_path: Path, base: str, derived: str, path: str, text: tuple[str, str]
) -> None:
    world = make(tmp_path, {base: text[0], derived: text[1]})
    subscribe(world, f"{path}::Derived", include_members=True)
    world.write(base, text[0].replace("1", "2"))
    report = scan(world)
    assert details(report) == inherited("load", "changed", f"{base}::Base", "body")
    assert_settles(world)


# Namesakes, and flags that are changed


def test_overloads_are_told_apart(tmp_path: Path) -> None:
    before = "class A {\n  int f(int a) { return 1; }\n  int f(long a) { return 2; }\n}\n"
    found, named = check(tmp_path, "A.java", "A", before, before.replace("return 2", "return 3"))
    assert (found.reasons, named) == (("members_changed",), changed("f", "body"))


def test_an_overload_is_added(tmp_path: Path) -> None:
    before = "class A {\n  int f(int a) { return 1; }\n}\n"
    after = "class A {\n  int f(long a) { return 2; }\n  int f(int a) { return 1; }\n}\n"
    found, named = check(tmp_path, "A.java", "A", before, after)
    assert (found.reasons, named) == (("members_added",), {"added": ["f"]})


def test_members_are_named_in_what_was_accepted(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": CART})
    subscription = subscribe(world, "a.py::Cart", include_members=True)
    world.write("a.py", CART + NEW)
    scan(world)
    accept(world)
    names = [member.name for member in current(world, subscription).accepted.members]
    assert names == ["rate", "__init__", "items", "add", "_sort", "total", "clear"]


CACHE = "class Cache:\n{}\n"
PARTS = {
    "get": "    def get(self):\n        return self._load()\n",
    "put": "    def put(self, item):\n        self._item = item\n",
    "_load": "    def _load(self):\n        return self._item\n",
    "_drop": "    def _drop(self):\n        del self._item\n",
    "size": "    size = 3\n",
}


def cache(*names: str) -> str:
    return CACHE.format("\n".join(PARTS[name] for name in names))


@pytest.mark.parametrize("options", [{}, {"include_members": True}, {"include_members": True, "include_private": True}])
@pytest.mark.parametrize("after", ["get _drop _load size", "_load get _drop size", "get _drop size _load"])
def test_the_order_of_private_methods_is_no_change(tmp_path: Path, after: str, options: dict[str, bool]) -> None:
    world = make(tmp_path, {"a.py": cache("get", "_load", "_drop", "size")})
    subscribe(world, "a.py::Cache", **options)
    world.write("a.py", cache(*after.split()))
    assert told(scan(world)) == QUIET


@pytest.mark.parametrize("text", [cache("put", "get", "_load", "_drop"), cache("get", "put", "_drop", "_load", "size")])
def test_other_changes_of_a_class_are_told(tmp_path: Path, text: str) -> None:
    world = make(tmp_path, {"a.py": cache("get", "put", "_load", "_drop")})
    subscribe(world, "a.py::Cache")
    world.write("a.py", text)
    assert told(scan(world)).reasons == ("body_changed",)
