"""Nine ways in which the program that seed 004 was written for is mistaken; each of them would fail here."""

from __future__ import annotations

from pathlib import Path

import pytest

from birthmark.errors import AmbiguousError
from scanning import QUIET, Told, accept, assert_settles, make, scan, skipped, subscribe, told

TOTAL = """\
def total(prices, rate):
    result = 0
    for price in prices:
        result += price * rate
    return result
"""
OTHER = """\
def find(rows, name):
    for row in rows:
        if row[0] == name:
            return row
    return None
"""
MISSING = Told("MISSING", ("semantic_target_missing",))
DELETED = Told("MISSING", ("file_deleted",))
BODY = Told("CONTENT", ("body_changed",))
HEAD = Told("STRUCTURAL", ("interface_changed",))


def check(root: Path, path: str, ref: str, before: str, after: str, expected: Told, **options: object) -> None:
    """A change of one file, told once."""
    world = make(root, {path: before})
    subscribe(world, f"{path}::{ref}", **options)
    world.write(path, after)
    found = told(scan(world))
    assert found[:2] == expected[:2], found
    if expected != QUIET and expected.change != "MISSING":
        assert_settles(world)


# 1. `X = 1` is deleted while `Y = "z"` remains: it is not renamed to `Y`


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", 'X = 1\nY = "z"\n', 'Y = "z"\n'),
        ("a.py", "X = 1\nY = 1\n", "Y = 1\n"),
        ("a.py", "X = 1\n", 'Y = "z"\n'),
        (
            "a.py",
            "X: int = 1\nY: int = 2\n\n\nclass A:\n    Z: int = 1\n",
            "Y: int = 2\n\n\nclass A:\n    Z: int = 1\n",
        ),
        ("a.ts", 'export const X = 1;\nexport const Y = "z";\n', 'export const Y = "z";\n'),
        ("a.go", 'package a\n\nconst X = 1\nconst Y = "z"\n', 'package a\n\nconst Y = "z"\n'),
    ],
)
def test_a_constant_is_not_renamed_to_one_that_remains(tmp_path: Path, path: str, before: str, after: str) -> None:
    check(tmp_path, path, "X", before, after, MISSING)


# 2. A deleted class does not move to an unrelated one


@pytest.mark.parametrize(
    ("old", "before", "new", "after"),
    [
        (
            "Cart.java",
            "class Cart {\n    int total() { return 1; }\n    void add(Item i) { items.add(i); }\n}\n",
            "Log.java",
            "class Log {\n    void write(String text) { out.println(text); }\n    void close() { out.close(); }\n}\n",
        ),
        ("A.java", "class A {}\n", "B.java", "class B {\n    int size() { return list.size(); }\n}\n"),
        ("A.java", "class A { int x; }\n", "B.java", "class B { String name; }\n"),
        (
            "a.py",
            "class A:\n    def f(self):\n        return 1\n",
            "b.py",
            "class B:\n    def g(self, x):\n        x()\n",
        ),
    ],
)
def test_a_deleted_class_does_not_move_to_an_unrelated_one(
    tmp_path: Path, old: str, before: str, new: str, after: str
) -> None:
    world = make(tmp_path, {old: before, new: after})
    subscribe(world, f"{old}::{before.split()[1].strip(':')}")
    world.remove(old)
    world.write(new, after + "\n")
    world.write("Fresh" + new[new.index(".") :], after.replace(after.split()[1].strip(":"), "Fresh", 1))
    assert told(scan(world)) == DELETED


# 3. The same in one file and only its head in another: it is the one that is the same


@pytest.mark.parametrize("exact", ["b.py", "c.py"])
def test_what_is_the_same_beats_what_only_has_the_same_head(tmp_path: Path, exact: str) -> None:
    world = make(tmp_path, {"a.py": f"{TOTAL}\n\n{OTHER}"})
    subscribe(world, "a.py::total")
    other = "c.py" if exact == "b.py" else "b.py"
    world.write("a.py", OTHER)
    world.write(exact, TOTAL)
    world.write(other, "def total(prices, rate):\n    raise NotImplementedError\n")
    assert told(scan(world)) == Told(None, (), ("moved_cross_file",), f"{exact}:1-5", "high")


# 4. A move into a file that is not tracked is a move


def test_a_move_into_an_untracked_file_is_found(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": f"{TOTAL}\n\n{OTHER}"})
    subscribe(world, "a.py::total")
    world.write("a.py", OTHER)
    world.write("deep/down/new.py", TOTAL)
    assert world.git("status", "--porcelain", "--", "deep") == "?? deep/"
    assert told(scan(world)) == Told(None, (), ("moved_cross_file",), "deep/down/new.py:1-5", "high")


# 5. Gone, with copies in two places, is not unchanged


@pytest.mark.parametrize(("flag", "change"), [(False, None), (True, "AMBIGUOUS")])
def test_gone_with_copies_in_two_places_is_ambiguous(tmp_path: Path, flag: bool, change: str | None) -> None:
    world = make(tmp_path, {"a.py": f"{TOTAL}\n\n{OTHER}"})
    subscription = subscribe(world, "a.py::total", trigger_on_duplicate=flag)
    world.write("a.py", OTHER)
    world.write("b.py", TOTAL)
    world.write("c.py", TOTAL)
    report = scan(world)
    assert (report.n_unchanged, report.proposals, told(report).change) == (0, [], change)
    assert [found.locations for found in report.ambiguous] == [("b.py:1", "c.py:1")]
    assert skipped(accept(world)) == [(subscription.id, "it is ambiguous; subscribe to the right one")]
    assert len(scan(world).ambiguous) == 1


# 6. What was applied is not told again, whatever is committed later


def test_a_change_that_was_applied_is_not_told_after_later_commits(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": f"{TOTAL}\n\n{OTHER}"})
    subscribe(world, "a.py::total")
    world.replace("a.py", "result = 0", "result = 0.0")
    base = world.commit()
    assert told(scan(world)) == BODY
    accept(world)
    for number in range(3):
        world.write("a.py", f"import m{number}\n" + world.read("a.py"))
        world.commit()
        assert told(scan(world))[:3] == (None, (), ("line_shift",))
        assert told(scan(world, base, "HEAD"))[:3] == (None, (), ("line_shift",))
        accept(world)
        assert scan(world).findings == ()
        assert scan(world, "HEAD~1", "HEAD").findings == ()


# 7. sync to async, keyword-only marker, re-indentation and generic bounds are seen

SEEN = {
    "sync to async": ("a.py", "f", "def f(a):\n    return a\n", "async def f(a):\n    return a\n", HEAD),
    "async to sync": ("a.py", "f", "async def f(a):\n    return a\n", "def f(a):\n    return a\n", HEAD),
    "async method": (
        "a.ts",
        "A.f",
        "class A {\n  f(a: T) {\n    return a;\n  }\n}\n",
        "class A {\n  async f(a: T) {\n    return a;\n  }\n}\n",
        HEAD,
    ),
    "keyword-only marker": ("a.py", "f", "def f(a, b):\n    return a\n", "def f(a, *, b):\n    return a\n", HEAD),
    "positional-only marker": ("a.py", "f", "def f(a, b):\n    return a\n", "def f(a, /, b):\n    return a\n", HEAD),
    "re-indentation": (
        "a.py",
        "f",
        "def f(a):\n    if a:\n        g()\n        h()\n    return a\n",
        "def f(a):\n    if a:\n        g()\n    h()\n    return a\n",
        BODY,
    ),
    "re-indentation of an else": (
        "a.py",
        "f",
        "def f(a):\n    for b in a:\n        if b:\n            g()\n        else:\n            h()\n",
        "def f(a):\n    for b in a:\n        if b:\n            g()\n    else:\n        h()\n",
        BODY,
    ),
    "generic bound in Java": (
        "A.java",
        "A.f",
        "class A {\n    <T extends Number> T f(T t) { return t; }\n}\n",
        "class A {\n    <T extends Integer> T f(T t) { return t; }\n}\n",
        HEAD,
    ),
    "generic bound of a class in Java": (
        "A.java",
        "A",
        "class A<T extends Number> {\n    T t;\n}\n",
        "class A<T extends Integer> {\n    T t;\n}\n",
        HEAD,
    ),
    "generic bound in TypeScript": (
        "a.ts",
        "f",
        "function f<T extends object>(t: T): T {\n  return t;\n}\n",
        "function f<T extends string>(t: T): T {\n  return t;\n}\n",
        HEAD,
    ),
    "generic bound in Rust": (
        "a.rs",
        "f",
        "fn f<T: Clone>(t: T) -> T {\n    t\n}\n",
        "fn f<T: Copy>(t: T) -> T {\n    t\n}\n",
        HEAD,
    ),
    "where clause in Rust": (
        "a.rs",
        "f",
        "fn f<T>(t: T) -> T where T: Clone {\n    t\n}\n",
        "fn f<T>(t: T) -> T where T: Copy {\n    t\n}\n",
        HEAD,
    ),
    "type constraint in Go": (
        "a.go",
        "F",
        "package a\n\nfunc F[T any](t T) T {\n\treturn t\n}\n",
        "package a\n\nfunc F[T comparable](t T) T {\n\treturn t\n}\n",
        HEAD,
    ),
    "generic bound in Python": (
        "a.py",
        "f",
        "def f[T: int](t: T) -> T:\n    return t\n",
        "def f[T: str](t: T) -> T:\n    return t\n",
        HEAD,
    ),
    "constraint in C#": (
        "A.cs",
        "A.F",
        "class A {\n    T F<T>(T t) where T : class { return t; }\n}\n",
        "class A {\n    T F<T>(T t) where T : struct { return t; }\n}\n",
        HEAD,
    ),
}


@pytest.mark.parametrize(("path", "ref", "before", "after", "expected"), SEEN.values(), ids=SEEN)
def test_it_is_seen(tmp_path: Path, path: str, ref: str, before: str, after: str, expected: Told) -> None:
    check(tmp_path, path, ref, before, after, expected)


# 8. Spacing is no change

COSMETIC = {
    "default": ("a.py", "f", "def f(a:int=1):\n    return a\n", "def f(a: int = 1):\n    return a\n"),
    "lines": ("a.py", "f", "def f(a, b):\n    return a\n", "def f(\n    a,\n    b\n):\n    return a\n"),
    "indentation": ("a.py", "f", "def f(a):\n  if a:\n    return a\n", "def f(a):\n    if a:\n        return a\n"),
    "comment": ("a.py", "f", "def f(a):\n    return a\n", "def f(a):\n    # Why not.\n    return a  # So.\n"),
    "braces": ("a.ts", "f", "function f(a:T){return a}\n", "function f(a: T) {\n  return a\n}\n"),
    "Java": (
        "A.java",
        "A.f",
        "class A {\n int f(int a){return a;}\n}\n",
        "class A {\n    int f( int a ) { return a; }\n}\n",
    ),
    "Go": ("a.go", "F", "package a\nfunc F(a int)int{return a}\n", "package a\n\nfunc F(a int) int { return a }\n"),
}


@pytest.mark.parametrize(("path", "ref", "before", "after"), COSMETIC.values(), ids=COSMETIC)
@pytest.mark.parametrize("tracks", [True, False])
def test_spacing_is_no_change(tmp_path: Path, path: str, ref: str, before: str, after: str, tracks: bool) -> None:
    world = make(tmp_path, {path: before})
    subscribe(world, f"{path}::{ref}", track_decorators=tracks)
    world.write(path, after)
    report = scan(world)
    assert report.triggers == []
    assert {proposal.reasons for proposal in report.proposals} <= {("line_shift",)}
    assert [found.muted for found in scan(world, cosmetic=True).findings] == [None]
    assert [trigger.change_type for trigger in scan(world, cosmetic=True).triggers] == ["COSMETIC"]
    accept(world)
    assert scan(world, cosmetic=True).findings == ()


# 9. Everything that has a name can be subscribed to

PROPERTY = """\
class A:
    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = value
"""
NESTED = "def f(a):\n    def g(b):\n        return b\n\n    return g(a)\n"
UNDER_IF = "if FAST:\n    def f(a):\n        return a\nelse:\n    def h(a):\n        return [a]\n"
UNDER_TRY = "try:\n    import x\nexcept ImportError:\n    def f(a):\n        return a\n"
RECORD = "record Point(int x, int y) {\n    int sum() { return x + y; }\n}\n"
ENUM = "enum Op {\n    ADD { int go(int a) { return a + 1; } },\n    SUB;\n\n    int run(int a) { return a; }\n}\n"

NAMED = {
    "property setter": ("a.py", "a.py:6", PROPERTY, "self._size = value", "self._size = int(value)", BODY),
    "property getter beside it": ("a.py", "a.py:3", PROPERTY, "self._size = value", "self._size = int(value)", QUIET),
    "property getter": ("a.py", "a.py:3", PROPERTY, "return self._size", "return self._size or 0", BODY),
    "property setter beside it": ("a.py", "a.py:6", PROPERTY, "return self._size", "return self._size or 0", QUIET),
    "nested function": ("a.py", "a.py::f.g", NESTED, "return b", "return -b", BODY),
    "nested function beside the rest": ("a.py", "a.py::f.g", NESTED, "g(a)", "g(-a)", QUIET),
    "under if": ("a.py", "a.py::f", UNDER_IF, "return a\n", "return -a\n", BODY),
    "under else": ("a.py", "a.py::h", UNDER_IF, "return [a]", "return (a,)", BODY),
    "under try": ("a.py", "a.py::f", UNDER_TRY, "return a", "return -a", BODY),
    "record": ("Point.java", "Point.java::Point", RECORD, "int x, int y", "int x, long y", HEAD),
    "record method": ("Point.java", "Point.java::Point.sum", RECORD, "x + y", "x - y", BODY),
    "enum method": ("Op.java", "Op.java::Op.run", ENUM, "return a;", "return -a;", BODY),
    "enum constant's method": ("Op.java", "Op.java::Op.ADD.go", ENUM, "a + 1", "a + 2", BODY),
}


@pytest.mark.parametrize(("path", "ref", "text", "old", "new", "expected"), NAMED.values(), ids=NAMED)
def test_it_can_be_subscribed_to(
    tmp_path: Path, path: str, ref: str, text: str, old: str, new: str, expected: Told
) -> None:
    world = make(tmp_path, {path: text})
    subscribe(world, ref, entity="::" not in ref)
    world.replace(path, old, new)
    assert told(scan(world)) == expected
    if expected != QUIET:
        assert_settles(world)


def test_a_property_setter_that_is_gone_is_missing(tmp_path: Path) -> None:
    """The getter goes by its name, and is not it."""
    world = make(tmp_path, {"a.py": PROPERTY})
    subscribe(world, "a.py:6", entity=True)
    world.write("a.py", PROPERTY.partition("\n    @size.setter")[0])
    assert told(scan(world)) == MISSING


def test_a_property_by_its_name_says_that_there_are_two(tmp_path: Path) -> None:
    world = make(tmp_path, {"a.py": PROPERTY})
    with pytest.raises(AmbiguousError, match="2 definitions have that name; name one by its line") as raised:
        subscribe(world, "a.py::A.size")
    assert [choice.split()[0] for choice in raised.value.choices] == ["a.py:2", "a.py:6"]
