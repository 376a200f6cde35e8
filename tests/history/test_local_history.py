"""What happens to a variable or a block of a function between two states of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from birthmark.extraction.model import Interior
from birthmark.extraction.read import read_interior
from birthmark.history.function_body import FunctionBody, align_bodies, read_body, split_body
from birthmark.history.local_history import BLOCK, VARIABLE, LocalKind, LocalWalk, find_inner, read_predecessors
from birthmark.languages.registry import load_registry
from birthmark.syntax.lines import Lines
from pasts import FakePast


def read(source: str, language: str) -> tuple[FunctionBody, Lines]:
    content = dedent(source).encode()
    return split_body(
        content, read_interior(content, load_registry().languages[language], load_registry()), (0, len(content))
    ), Lines(content)


def changes_of(language: str, before: str, after: str, name: str | None, line: int | None) -> list[str]:
    """What changed about what is found in `after`; just `introduced` if `before` does not have it."""
    (old, _), (new, lines) = read(before, language), read(after, language)
    sort: LocalKind = BLOCK if name is None else VARIABLE
    index = find_inner(new, sort, lines.of, name, line)
    assert index is not None
    found = sort.trace(old, new, index)
    return ["introduced"] if found is None else [*found[1]]


VARIABLES = [
    # Java
    ("java", "void f(int a) { use(a); }", "void f(final long a) { use(a); }", "a", ["type change", "modifier change"]),
    ("java", "void f() { int a = 1; use(a); }", "void f() { int b = 1; use(b); }", "b", ["rename"]),
    ("java", "void f() { int a = 1; use(a); }", "void f() { int a = g(2); use(a); }", "a", []),
    ("java", "void f() { use(); }", "void f() { int a = 1; use(a); }", "a", ["introduced"]),
    ("java", "void f(A a) { use(a); }", "void f(@Nullable A a) { use(a); }", "a", ["annotation change"]),
    ("java", "void f() { int a = 1, b = 2; }", "void f() { int a = 1; long b = 2; }", "b", ["type change"]),
    (
        "java",
        "void f(List<A> xs) { for (A x : xs) { use(x); } }",
        "void f(List<A> xs) { for (final A x : xs) { use(x); } }",
        "x",
        ["modifier change"],
    ),
    (
        "java",
        "void f() { String name = new String(c, 1, 2); check(name); put(name); }",
        "void f() { String expr = new String(c, 1, 2); check(expr); String name = cut(expr); put(name); }",
        "name",
        ["introduced"],
    ),
    (
        "java",
        "void f() { try { g(); } catch (IOException e) { log(e); } }",
        "void f() { try { g(); } catch (RuntimeException e) { log(e); } }",
        "e",
        ["type change"],
    ),
    # What is caught goes with its `catch`, whatever it is called.
    (
        "java",
        "void f() { try { g(); } catch (A e) { } try { h(); } catch (B e) { log(e); stop(e); } }",
        "void f() { try { g(); } catch (A e) { } try { h(); } catch (B x) { if (x.isBad()) { stop(x); } } }",
        "x",
        ["rename"],
    ),
    (
        "java",
        "void f() { try { g(); } catch (A e) { log(e); } }",
        "void f() { try { g(); } catch (A a) { log(a); } try { k(1); } catch (B e) { fail(2); } }",
        "e",
        ["introduced"],
    ),
    # What starts with the same is the same, though all that is done with it is new.
    (
        "java",
        "void f() { Set<A> ids = new HashSet<A>(n); one(ids); two(ids); }",
        "void f() { Set<A> idsOfClass = new HashSet<A>(n); int i = 0; for (A a : idsOfClass) { three(a, i); } }",
        "idsOfClass",
        ["rename"],
    ),
    (
        "java",
        "void f() { List<P> elements = collect(type, own); for (P p : elements) { use(p); } }",
        "void f() { Todo elementsToDo = collect(type, own); sort(elementsToDo.all(), elementsToDo.size()); }",
        "elementsToDo",
        ["rename", "type change"],
    ),
    # A parameter in the place of another.
    (
        "java",
        "void f(Date d, boolean round) { if (round) { up(d); } else if (!round && ok()) { down(d); } }",
        "void f(Date d, int mode) { switch (mode) { case 1: go(d, mode); break; default: stay(d, mode); } }",
        "mode",
        ["rename", "type change"],
    ),
    # A loop that became a call for each.
    (
        "java",
        "void f(N n) { for (T t : n.getTypes()) { t.accept(this); } for (P p : n.getParts()) { p.accept(this); } }",
        "void f(N n) {\n n.getTypes().forEach(one -> one.accept(this));\n n.getParts().forEach(p -> p.accept(this)); }",
        "one",
        ["rename"],
    ),
    # Of two that may have replaced it, the one that has most of its uses.
    (
        "java",
        "void f() { String name = format(a, b); put(name); }",
        "void f() { String name = PREFIX; String text = format(a, b); put(name); log(text); }",
        "name",
        [],
    ),
    # A name that is used again elsewhere for something of another type.
    (
        "java",
        "void f() { if (p) { Sink body = sink(); body.write(1); } one(); two(); }",
        "void f() { one(); two(); for (A a : list) { Form body = new Form(a); send(3, body); } }",
        "body",
        ["introduced"],
    ),
    # Python
    (
        "python",
        "def f(a, size, n):\n    g(a, n)\n",
        "def f(n, page_size):\n    h(page_size, n)\n",
        "page_size",
        ["rename"],
    ),
    ("python", "def f():\n    g(1)\n    x = 1\n", "def f():\n    h(2)\n    x = 1\n", "x", []),
    ("python", "def f(a, b):\n    return a + b\n", "def f(a, c):\n    return a + c\n", "c", ["rename"]),
    ("python", "def f(a):\n    return a\n", "def f(a: int):\n    return a\n", "a", ["type change"]),
    ("python", "def f():\n    x = 1\n    use(x)\n", "def f():\n    y = 1\n    use(y)\n", "y", ["rename"]),
    ("python", "def f():\n    x = 1\n    use(x)\n", "def f():\n    x = g()\n    use(x)\n", "x", []),
    # TypeScript
    (
        "typescript",
        "function f() { let a = 1; use(a); }",
        "function f() { const a = 1; use(a); }",
        "a",
        ["modifier change"],
    ),
    ("typescript", "function f(a: A) { use(a); }", "function f(a: B) { use(a); }", "a", ["type change"]),
    ("typescript", "function f(a: A) { use(a); }", "function f(b: A) { use(b); }", "b", ["rename"]),
    (
        "typescript",
        "function f() {\n  let b = 1\n  g(1)\n  let a = 1\n  use(a)\n}",
        "function f() {\n  let b = 1\n  h()\n  const a = 1\n  use(a)\n}",
        "a",
        ["modifier change"],
    ),
    # Go
    ("go", "func f() {\n\tg()\n\tx := 1\n}", "func f() {\n\th()\n\tx := 1\n}", "x", []),
    ("go", "func f() { x := 1; use(x) }", "func f() { y := 1; use(y) }", "y", ["rename"]),
    (
        "go",
        "func f() {\n\tvar x int = 1\n\tuse(x)\n}",
        "func f() {\n\tvar x int64 = 1\n\tuse(x)\n}",
        "x",
        ["type change"],
    ),
    ("go", "func f() { use(1) }", "func f() { x := 1; use(x) }", "x", ["introduced"]),
    # Rust
    ("rust", "fn f() { let x = 1; use_(x); }", "fn f() { let mut x = 1; use_(x); }", "x", ["modifier change"]),
    ("rust", "fn f(a: i32) { use_(a); }", "fn f(b: i64) { use_(b); }", "b", ["rename", "type change"]),
    ("rust", "fn f() { let x: A = g(); use_(x); }", "fn f() { let x: B = g(); use_(x); }", "x", ["type change"]),
]


@pytest.mark.parametrize(("language", "before", "after", "name", "expected"), VARIABLES)
def test_variable(language: str, before: str, after: str, name: str, expected: list[str]) -> None:
    assert changes_of(language, _in_class(language, before), _in_class(language, after), name, None) == expected


def _in_class(language: str, source: str) -> str:
    return f"class A {{ {source} }}" if language == "java" else f"package p\n{source}" if language == "go" else source


JAVA_IF = """\
class A {
  void f() {
    if (a) {
      one();
    }
  }
}
"""
JAVA_AND = JAVA_IF.replace("(a)", "(a() && b())")
JAVA_TRY = """\
class A {
  void f() {
    try {
      one();
    } catch (IOException e) {
      two();
    }
  }
}
"""
JAVA_TWINS = """\
class A {
  void f() {
    if (x == null) {
      return;
    }
    if (x == null) {
      throw fail();
    }
  }
}
"""
JAVA_CHAIN = """\
class A {
  void f() {
    if (a) {
      one();
    } else if (b) {
      two();
    } else {
      three();
    }
  }
}
"""
PYTHON = """\
def f(xs):
    for x in xs:
        use(x)
    with lock(xs):
        store(xs)
    try:
        load(xs)
    except OSError:
        fail(xs)
"""
TYPESCRIPT = """\
function f(xs: A[]) {
  for (const x of xs) {
    use(x);
  }
  try { load(xs); } finally { close(xs); }
}
"""
GO = """\
package p
func f(xs []A) error {
	for i, x := range xs {
		use(i, x)
	}
	if err := load(xs); err != nil {
		return err
	}
	return nil
}
"""
RUST = """\
fn f(xs: Vec<A>) {
    for x in xs {
        use_(x);
    }
    match kind(xs) {
        Kind::A => one(),
        Kind::B => two(),
    }
}
"""

BLOCKS = [
    # language, before, (old text, new text), line in what comes out, expected
    ("java", JAVA_IF, ("one()", "two()"), 3, ["body change"]),
    ("java", JAVA_IF, ("(a)", "(a && b)"), 3, ["expression change"]),
    (
        "java",
        JAVA_IF,
        ("      one();\n    }\n", "      one();\n    } else { two(); }\n"),
        3,
        ["body change", "else block added"],
    ),
    ("java", JAVA_IF, ("    if (a)", "    if (b) { g(); }\n    if (a)"), 3, ["introduced"]),
    ("java", JAVA_IF, ("    if (a)", "    if (b) { g(); }\n    if (a)"), 4, []),
    ("java", JAVA_IF, ("      one();\n", "      // Why.\n      one() ;\n"), 3, []),
    ("java", JAVA_IF, ("      one();\n", "      if (b) {\n      one();\n}\n"), 3, ["body change"]),
    ("java", JAVA_IF, ("      one();\n", "      if (b) {\n      one();\n}\n"), 4, ["introduced"]),
    ("java", JAVA_IF, ("if (a)", "while (a)"), 3, ["introduced"]),
    ("java", JAVA_AND, ("(a() && b())", "(a()) if (b())"), 3, ["block split"]),
    ("java", JAVA_TRY, ("one()", "uno()"), 3, ["body change"]),
    ("java", JAVA_TRY, ("two()", "due()"), 3, ["catch block change"]),
    ("java", JAVA_TRY, ("two()", "due()"), 5, ["body change"]),
    ("java", JAVA_TRY, ("IOException", "Error"), 5, ["expression change"]),
    ("java", JAVA_TRY, ("two();\n    }", "two();\n    } finally { three(); }"), 3, ["finally block added"]),
    ("java", JAVA_TRY, ("two();\n    }", "two();\n    } catch (Error e) { three(); }"), 3, ["catch block added"]),
    ("java", JAVA_TWINS, ("fail()", "error()"), 3, []),
    ("java", JAVA_TWINS, ("fail()", "error()"), 6, ["body change"]),
    ("java", JAVA_TWINS, ("    if (x == null) {\n      return;\n    }\n", ""), 3, []),
    ("java", JAVA_CHAIN, ("two()", "due()"), 5, ["body change"]),
    ("java", JAVA_CHAIN, ("(b)", "(b || c)"), 5, ["expression change"]),
    ("java", JAVA_CHAIN, (" else {\n      three();\n    }", ""), 5, ["body change", "else block removed"]),
    ("python", PYTHON, ("use(x)", "put(x)"), 2, ["body change"]),
    ("python", PYTHON, ("in xs", "in sorted(xs)"), 2, ["expression change"]),
    ("python", PYTHON, ("lock(xs)", "guard(xs)"), 4, ["expression change"]),
    ("python", PYTHON, ("fail(xs)", "log(xs)"), 6, ["catch block change"]),
    ("python", PYTHON, ("use(x)", "use(x)  # Why."), 2, []),
    ("typescript", TYPESCRIPT, ("use(x)", "put(x)"), 2, ["body change"]),
    ("typescript", TYPESCRIPT, ("of xs", "of ys"), 2, ["expression change"]),
    ("typescript", TYPESCRIPT, ("close(xs)", "free(xs)"), 5, ["finally block change"]),
    ("go", GO, ("use(i, x)", "put(i, x)"), 3, ["body change"]),
    ("go", GO, ("range xs", "range ys"), 3, ["expression change"]),
    ("go", GO, ("err != nil", "err == nil"), 6, ["expression change"]),
    ("rust", RUST, ("use_(x)", "put(x)"), 2, ["body change"]),
    ("rust", RUST, ("in xs", "in ys"), 2, ["expression change"]),
    ("rust", RUST, ("kind(xs)", "sort(xs)"), 5, ["expression change"]),
    ("rust", RUST, ("two()", "due()"), 7, ["body change"]),
]


@pytest.mark.parametrize(("language", "before", "edit", "line", "expected"), BLOCKS)
def test_block(language: str, before: str, edit: tuple[str, str], line: int, expected: list[str]) -> None:
    assert edit[0] in before
    assert changes_of(language, before, before.replace(*edit, 1), None, line) == expected


JAVA_SEARCH = """\
class A {
  Item get(Key key) {
    Item found = null;
    for (Iterator<Item> i = items.descendingIterator(); i.hasNext(); ) {
      Item item = i.next();
      if (!item.route().key().equals(key) || now() - item.idleSince() >= limit) {
        continue;
      }
      i.remove();
      found = item;
      break;
    }
    return found;
  }
}
"""
JAVA_REWRITTEN = """\
class A {
  Item get(Key key) {
    for (Item item : items) {
      if (item.uses < item.most && key.equals(item.route().key)) {
        item.uses++;
        return item;
      }
    }
    return null;
  }
}
"""
JAVA_UNLIKE = JAVA_REWRITTEN.replace("Item item : items", "String word : text.split(blank)").replace(
    "item.uses < item.most && key.equals(item.route().key)", "word.length() > longest"
)


@pytest.mark.parametrize("line", [3, 4])
def test_what_is_left_in_a_rewritten_function_goes_on_in_what_is_likely(line: int) -> None:
    assert changes_of("java", JAVA_SEARCH, JAVA_REWRITTEN, None, line) == ["expression change", "body change"]


def test_what_is_left_in_a_rewritten_function_is_new_if_nothing_is_likely() -> None:
    assert changes_of("java", JAVA_SEARCH, JAVA_UNLIKE, None, 4) == ["introduced"]


def test_a_body_of_very_many_blocks_is_aligned() -> None:
    body, _ = read("class A { void f() {" + "".join(f"if (a{n}) {{ b{n}(); }}" for n in range(220)) + "} }", "java")
    assert align_bodies(body, body).blocks == {index: index for index in range(len(body.blocks))}


STATEMENTS = [
    "one();",
    "if (a) { two(); }",
    "for (A x : xs) { three(x); }",
    "try { g(); } catch (E e) { h(e); }",
    "int n = 1;",
]


@given(st.lists(st.sampled_from(STATEMENTS), max_size=6))
def test_what_stays_as_it_is_stays_itself(statements: list[str]) -> None:
    body, _ = read("class A { void f(int p) { " + "\n".join(statements) + " } }", "java")
    for sort in (BLOCK, VARIABLE):
        for index in range(len(sort.spans(body))):
            assert sort.trace(body, body, index) == (index, [])


class InnerFakePast(FakePast):
    def interior(self, blob: str, path: str) -> Interior | None:
        registry = load_registry()
        return read_interior(self.content(blob), registry.languages[self.language_of(path) or ""], registry)


def story_of(past: InnerFakePast, ref: str, name: str | None, line: int | None) -> list[tuple[str, tuple[str, ...]]]:
    """The commits that changed a variable or block of what stands at a REF in the last commit."""
    spot = past.spot(ref)
    body = read_body(past, spot)
    assert body is not None
    sort = BLOCK if name is None else VARIABLE
    index = find_inner(body, sort, Lines(past.content(spot.blob)).of, name, line)
    assert index is not None
    return [
        (step.commit, step.changes) for step in LocalWalk(past, read_predecessors(past, spot), sort).run(spot, index)
    ]


LOAD = """\
def load(path):
    data = read(path)
    if data is None:
        fail(path)
    return data
"""


def test_a_variable_is_followed_through_what_happens_around_it() -> None:
    past = InnerFakePast(
        [
            {"a.py": LOAD.replace("data", "text")},
            {"a.py": LOAD},
            {"a.py": "import os\n\n\n" + LOAD.replace("fail(", "stop(")},
            {"b.py": "import os\n\n\n" + LOAD.replace("fail(", "stop(").replace("def load", "def load_file")},
            {
                "b.py": LOAD.replace("fail(", "stop(")
                .replace("data =", "data: str =")
                .replace("def load", "def load_file")
            },
        ]
    )
    story = story_of(past, "b.py::load_file", "data", None)
    assert story == [("4", ("type change",)), ("1", ("rename",)), ("0", ("introduced",))]


def test_a_block_is_followed_through_what_happens_around_it() -> None:
    past = InnerFakePast(
        [
            {"a.py": LOAD.replace("    if data is None:\n        fail(path)\n", "")},
            {"a.py": LOAD},
            {"a.py": LOAD.replace("def load(path)", "def load(path, mode=0)")},
            {"a.py": LOAD.replace("fail(path)", "raise fail(path)")},
            {"b.py": LOAD.replace("fail(path)", "raise fail(path)").replace("is None", "== ''")},
        ]
    )
    story = story_of(past, "b.py::load", None, 3)
    assert story == [("4", ("expression change",)), ("3", ("body change",)), ("1", ("introduced",))]


def test_a_block_goes_with_the_function_that_is_carved_out_around_it() -> None:
    loop = "    for item in items:\n        if item.is_open():\n            count(item)\n            close(item)\n"
    head, tail = "def run(items):\n    prepare(items)\n    check(items)\n", "    report(items)\n"
    before = f"{head}{loop}{tail}"
    after = f"{head}    close_all(items)\n{tail}\n\ndef close_all(items):\n{loop}"
    past = InnerFakePast([{"a.py": before.replace("count(item)", "log(item)")}, {"a.py": before}, {"a.py": after}])
    assert story_of(past, "a.py::close_all", None, 9) == [("1", ("body change",)), ("0", ("introduced",))]
    assert story_of(past, "a.py::close_all", "items", None) == [("2", ("introduced",))]
    copied = InnerFakePast([{"a.py": before}, {"a.py": f"{before}\n\ndef close_all(items):\n{loop}"}])
    assert story_of(copied, "a.py::close_all", None, 12) == [("1", ("introduced",))]


LOOP = "    for item in items:\n        if item.is_open():\n            count(item)\n            close(item)\n"
RUN = "def run(items):\n    prepare(items)\n    check(items)\n"
CALL = f"{RUN}    close_all(items)\n    report(items)\n"


def test_a_block_goes_with_a_function_that_is_inlined() -> None:
    before, after = f"{CALL}\n\ndef close_all(items):\n{LOOP}", f"{RUN}{LOOP}    report(items)\n"
    past = InnerFakePast([{"a.py": before.replace("count(item)", "log(item)")}, {"a.py": before}, {"a.py": after}])
    assert story_of(past, "a.py::run", None, 5) == [("1", ("body change",)), ("0", ("introduced",))]


def test_a_block_does_not_go_from_one_function_to_another_if_both_go_on() -> None:
    before = f"{CALL}\n\ndef close_all(items):\n{LOOP}    log(items)\n"
    after = f"{RUN}{LOOP}    close_all(items)\n\n\ndef close_all(items):\n    log(items)\n"
    past = InnerFakePast([{"a.py": before}, {"a.py": after}])
    assert story_of(past, "a.py::run", None, 5) == [("1", ("introduced",))]


def test_a_block_goes_with_an_extracted_function_although_it_was_edited() -> None:
    before = f"{RUN}{LOOP}    report(items)\n"
    after = f"{CALL}\n\ndef close_all(items):\n{LOOP}".replace("count(item)", "log(item, 1)").replace(
        "is_open", "alive"
    )
    past = InnerFakePast([{"a.py": before}, {"a.py": after}])
    changes = ("expression change", "body change")
    assert story_of(past, "a.py::close_all", None, 10) == [("1", changes), ("0", ("introduced",))]


def test_a_variable_goes_with_the_code_of_a_function_that_another_takes_in() -> None:
    run = "    limit = read(items)\n    for item in items:\n        check(item, limit)\n        store(item, limit)\n"
    before = f"def run(items):\n    start(items)\n    walk(items)\n\n\ndef walk(items):\n{run}"
    after = f"def run(items):\n    start(items)\n{run}"
    past = InnerFakePast([{"a.py": before.replace("limit", "most")}, {"a.py": before}, {"a.py": after}])
    assert story_of(past, "a.py::run", "limit", None) == [("1", ("rename",)), ("0", ("introduced",))]
    small = "def run(items):\n" + "".join(f"    step_{i}(items, {i})\n" for i in range(20)) + "    walk(items)\n"
    inlined = InnerFakePast(
        [{"a.py": f"{small}\n\ndef walk(items):\n{run}"}, {"a.py": small.replace("    walk(items)\n", run)}]
    )
    assert story_of(inlined, "a.py::run", "limit", None) == [("1", ("introduced",))]


def test_a_merge_that_has_a_variable_from_one_side_changed_nothing() -> None:
    renamed, extended = LOAD.replace("data", "text"), LOAD.replace("fail(path)", "fail(path)\n        stop()")
    both = extended.replace("data", "text")
    past = InnerFakePast([{"a.py": LOAD}, {"a.py": renamed}, {"a.py": extended}, {"a.py": both}], {2: [0], 3: [1, 2]})
    assert story_of(past, "a.py::load", "text", None) == [("1", ("rename",)), ("0", ("introduced",))]


def notebook(*cells: str | list[str]) -> str:
    metadata = {"language_info": {"name": "python"}}
    found: list[object] = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": source} for source in cells]
    return json.dumps({"cells": found, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}, indent=1)


def fences(*sources: str) -> str:
    return "".join(f"Text.\n\n```python\n{source}```\n" for source in sources)


ACCENTED = LOAD.replace("fail(path)", 'fail(path, "\u00e9\\t")')
CONTAINERS = {
    "a notebook, a cell of lines": ("nb.ipynb", lambda text: notebook("x = 1", text.splitlines(keepends=True))),
    "a notebook, a cell in one piece": ("nb.ipynb", lambda text: notebook("x = 1", text)),
    "a fence in a quote": ("a.md", lambda text: "".join(f"> {line}\n" for line in fences(text).splitlines())),
}


@pytest.mark.parametrize(("path", "write"), CONTAINERS.values(), ids=CONTAINERS.keys())
def test_inside_of_containers(path: str, write: Callable[[str], str]) -> None:
    states = [ACCENTED.replace("data", "text"), ACCENTED, ACCENTED.replace("is None", "== ''")]
    past = InnerFakePast([{path: write(state)} for state in states])
    line = 1 + write(states[-1])[: write(states[-1]).rindex("if data")].count("\n")
    assert story_of(past, f"{path}::load", "data", line) == [("1", ("rename",)), ("0", ("introduced",))]
    block = story_of(past, f"{path}::load", None, line)
    assert block == [("2", ("expression change",)), ("1", ("expression change",)), ("0", ("introduced",))]


def test_the_second_of_two_equal_fences() -> None:
    content = fences(LOAD, LOAD).encode()
    interior = read_interior(content, load_registry().languages["markdown"], load_registry())
    starts = content.index(b"def load"), content.rindex(b"def load")
    bodies = [split_body(content, interior, (at, at + len(LOAD.rstrip()))) for at in starts]
    assert [[block.kind for block in body.blocks] for body in bodies] == [["if"]] * 2
    assert [[variable.name for variable in body.variables] for body in bodies] == [["path", "data"]] * 2
    texts = [[token.text for token in body.tokens] for body in bodies]
    assert texts[0] == texts[1]
