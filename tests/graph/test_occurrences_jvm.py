"""Uses of Java, Kotlin and Scala that are no calls."""

from __future__ import annotations

import pytest
from occurrences import occurrences_in, shown

from graph_snapshot import Files

SHOP = {
    "p/Shop.java": "package p;\nclass Shop {\n  static final int MAX = 1;\n  int size;\n  Shop next;\n}\n",
    "p/State.java": "package p;\nenum State { OPEN, CLOSED }\n",
}


def java(body: str) -> Files:
    """Return a class with a method that has `body` on line 4, beside what it uses."""
    return {
        **SHOP,
        "p/Use.java": f"package p;\nclass Use {{ int rate;\n  void f(Shop a, Object o) {{\n{body}\n  }}\n}}\n",
    }


SIGNATURE = "Use.f types Shop 3"  # of the method of `java`
JAVA: dict[str, tuple[str, str]] = {
    "read and written": (
        "a.size = rate; rate += a.next.size; rate++; --a.size; this.rate = 1;",
        """
        Use.f reads Shop.next 4
        Use.f reads Shop.size 4
        Use.f reads Use.rate 4
        Use.f writes Shop.size 4
        Use.f writes Shop.size 4
        Use.f writes Use.rate 4
        Use.f writes Use.rate 4
        Use.f writes Use.rate 4
        """,
    ),
    "constants of a type": (
        "g(Shop.MAX, State.OPEN, p.q.R.S);",
        "Use.f reads Shop 4, Use.f reads Shop.MAX 4, Use.f reads State 4, Use.f reads State.OPEN 4",
    ),
    "types": (
        "java.util.List<Shop> l = (Shop[]) o; boolean b = o instanceof Shop; Class<?> c = Shop.class; new Shop[2];",
        ", ".join(["Use.f types Shop 4"] * 5),
    ),
    "a type that is made is called": ("new Shop(); new ArrayList<Shop>();", "Use.f types Shop 4"),
    "patterns": (
        "if (o instanceof Shop s) g(s.size);\nswitch (o) { case Shop rate -> g(rate); case Point(Shop q, "
        "int size) -> g(size); };",
        "Use.f reads Shop.size 4, Use.f types Shop 4, Use.f types Shop 5, Use.f types Shop 5",
    ),
    "constants of an enum in a switch": (
        "State s = g();\nswitch (s) { case OPEN: break; }\nint i = switch (s) { case OPEN, CLOSED -> 1; };",
        "Use.f reads State.CLOSED 6, Use.f reads State.OPEN 5, Use.f reads State.OPEN 6, Use.f types State 4",
    ),
    "other constants in a switch": (
        "switch (g()) { case rate: break; }",
        "Use.f reads Use.rate 4, Use.f reads? Use.rate 4",
    ),
    "references to methods": (
        "g(a::go, this::go, Shop::new, a.next::size);",
        "Use.f reads Shop 4, Use.f reads Shop.next 4, Use.f reads Shop.size 4",
    ),
    "something unknown": ("g().size = 1;", "Use.f writes? Shop.size 4"),
    "a static member is taken from its type": (
        "Shop.go(); State.OPEN.name();",
        "Use.f reads Shop 4, Use.f reads State 4, Use.f reads State.OPEN 4",
    ),
    "labels": ("rate: for (;;) { break rate; }", ""),
    "comments and strings": ('// rate\ng("rate"); /* Shop */', ""),
    "variables": ("int rate = 1; g(rate);", ""),
    "variables of numbers in brackets": ("int[] rate = {1}, size[]; boolean MAX; g(rate[0], size);", ""),
    "a variable of a loop": ("for (int rate = 0; rate < 9; rate++) g(rate);", ""),
    "a variable of a loop over something": ("for (var rate : g()) g(rate);", ""),
    "what is caught": ("try { } catch (Oops | Other rate) { g(rate); }", ""),
    "a resource": ("try (var rate = g()) { g(rate); }", ""),
    "parameters of a lambda": ("g(rate -> rate + 1); g((int rate, size) -> rate); g((rate, b) -> rate);", ""),
    "a variable of a lambda": ("g(() -> { int rate = 1; return rate; });\ng(rate);", "Use.f reads Use.rate 5"),
}
FILES: dict[str, tuple[Files, str]] = {
    "annotations": (
        {
            "p/Note.java": 'package p;\n@interface Note { String key() default ""; }\n',
            "q/Use.java": "package q;\nimport p.Note;\n@Note(key = KEY)\nclass Use {\n"
            "  static final String KEY = null;\n  @Override @Note void f() { }\n}\n",
        },
        "Use decorates Note 3, Use reads Use.KEY 3, Use writes Note.key 3, Use.f decorates Note 6",
    ),
    "types of a declaration": (
        {
            **SHOP,
            "p/Use.java": "package p;\nabstract class Use<T extends Shop> extends Base<Shop> {\n  Shop f;\n"
            "  abstract <U extends Shop> Shop[] g(T t, U u, int... rest) throws Shop;\n"
            "  int size(T t) { return t.size; }\n}\n",
        },
        "Use types Shop 2, Use types Shop 2, Use types Shop 3, Use.g types Shop 4, Use.g types Shop 4, "
        "Use.g types Shop 4, Use.size reads Shop.size 5",
    ),
    "a base is no use twice": ({**SHOP, "p/Use.java": "package p;\nclass Use extends Shop { }\n"}, ""),
    "a static import": (
        {
            "p/State.java": "package p;\npublic enum State { OPEN }\n",
            "q/Use.java": "package q;\nimport static p.State.OPEN;\nclass Use {\n  Object f = OPEN;\n}\n",
        },
        "Use.f reads State.OPEN 4",
    ),
    "a service that a module provides": (
        {
            "p/Shop.java": "package p;\npublic class Shop { }\n",
            "module-info.java": "import p.Shop;\nmodule a.b {\n  provides c.D with Shop;\n}\n",
        },
        "a.b exports Shop 3",
    ),
    "Kotlin: read, written, types": (
        {
            "p/Shop.kt": "package p\nconst val RATE = 1\nopen class Shop(val size: Int) { var next: Shop? = null\n"
            "  companion object { const val MAX = 2 }\n}\nenum class State { OPEN }\n",
            "p/Use.kt": "package p\nclass Use(val shop: Shop) {\n"
            "  fun f(a: Shop, b: (Shop) -> Int): List<Shop> {\n    a.next = shop; a.next?.size; shop.size\n"
            "    (a as Shop).size; a is Shop\n    when (g()) { State.OPEN -> RATE; is Shop -> Shop.MAX }\n"
            "    listOf(Shop::size, Shop(size = 1))\n  }\n}\n",
        },
        """
        Shop.next types Shop 3
        Use.f reads RATE 6
        Use.f reads Shop 6
        Use.f reads Shop 7
        Use.f reads Shop.Companion.MAX 6
        Use.f reads Shop.next 4
        Use.f reads Shop.size 4
        Use.f reads Shop.size 4
        Use.f reads Shop.size 5
        Use.f reads Shop.size 7
        Use.f reads State 6
        Use.f reads State.OPEN 6
        Use.f reads Use.shop 4
        Use.f reads Use.shop 4
        Use.f types Shop 3
        Use.f types Shop 3
        Use.f types Shop 3
        Use.f types Shop 5
        Use.f types Shop 5
        Use.f types Shop 6
        Use.f writes Shop.next 4
        Use.shop types Shop 2
        """,
    ),
    "Kotlin: names in strings": (
        {
            "a.kt": 'val rate = 1\nval size = 2\nfun f(b: Int) = "$rate.x $b rate ${size} \\$size US$ 1"\n'
            'fun g() = """$size\n  ${rate}"""\n'
        },
        "f reads rate 3, f reads size 3, g reads rate 5, g reads size 4",
    ),
    "Kotlin: annotations and what they take": (
        {
            "a.kt": "const val KEY = 1\nannotation class Note(val key: Int)\n@Note(key = KEY)\n"
            "class A { @Note(1) fun f() = 1 }\n"
        },
        "A decorates Note 3, A reads KEY 3, A.f decorates Note 4",
    ),
    "Kotlin: local names": (
        {
            "a.kt": "val rate = 1\nfun f(rate: Int) = rate\nfun g() { val rate = 2; print(rate) }\n"
            "fun h() { for (rate in 1..2) print(rate) }\nfun i() { all.map { rate -> rate }.map { (rate, "
            "b) -> rate } }\n"
            "fun j() { try { } catch (rate: E) { print(rate) } }\nfun k() { val (rate, b) = c; print(rate) }\n"
            "fun l() { when (val rate = g()) { 1 -> print(rate) } }\nfun m() { rate = 2; rate++ }\n"
            "class C { var p = 1\n  set(rate) { print(rate) } }\nfun n() { all.map(fun(rate: Int) = rate) }\n"
        },
        "m writes rate 9, m writes rate 9",
    ),
    "Scala: read, written, types": (
        {
            "p/a.scala": "package p\nclass Shop(var size: Int) { var next: Shop = null }\n"
            "object Rates { val Max = 1 }\n"
            "class note extends Annotation\n",
            "p/b.scala": "package p\nclass Use[T <: Shop](shop: Shop) extends Base[Shop] {\n"
            "  @note def f(a: Shop): List[Shop] = {\n    a.next = shop; a.size += Rates.Max; a.next.size\n"
            "    new Shop(1).size; classOf[Shop]\n  }\n}\n",
        },
        """
        Shop.next types Shop 2
        Use types Shop 2
        Use types Shop 2
        Use.f decorates note 3
        Use.f reads Rates 4
        Use.f reads Rates.Max 4
        Use.f reads Shop.next 4
        Use.f reads Shop.size 4
        Use.f reads Shop.size 5
        Use.f reads Use.shop 4
        Use.f types Shop 3
        Use.f types Shop 3
        Use.f types Shop 5
        Use.f writes Shop.next 4
        Use.f writes Shop.size 4
        Use.shop types Shop 2
        """,
    ),
    "Scala: names in strings and patterns": (
        {
            "a.scala": 'object A {\n  val Rate = 1; val rate = 2; case object Open\n  def f = s"$Rate ${rate} rate"\n'
            "  def g(x: Any) = x match {\n    case Open => 1\n    case (Rate, rate) => rate\n"
            "    case rate: Int => rate\n"
            "    case Some(rate) => rate\n    case rate @ Some(_) => rate\n  }\n"
            "  def h = g(rate = Rate)\n}\n"
        },
        "A.f reads A.Rate 3, A.f reads A.rate 3, A.g reads A.Open 5, A.g reads A.Rate 6, A.h reads A.Rate 11",
    ),
    "Scala: local names": (
        {
            "a.scala": "object A {\n  val rate = 1\n  def f(rate: Int) = rate\n  def g = { val (rate, b) = c; rate }\n"
            "  def h = for { rate <- all; b = rate } yield rate\n  def i = all.map { rate => rate }\n"
            "  def j = { var rate, b = 1; rate }\n  def k = try g catch { case rate: E => rate }\n}\n"
        },
        "A.k reads A.g 8",
    ),
}


def uses_in(files: Files) -> str:
    """Return the uses without the paths, which say nothing more here."""
    snapshot, found = occurrences_in(files)
    lines = [shown(snapshot, edge, is_possible=mark) for edge, mark in found]
    return ", ".join(sorted(" ".join(part.rpartition("::")[2] for part in line.split()) for line in lines))


def expected_lines(text: str) -> str:
    return ", ".join(sorted(one.strip() for one in text.replace("\n", ",").split(",") if one.strip()))


@pytest.mark.parametrize(("body", "expected"), JAVA.values(), ids=JAVA.keys())
def test_in_a_method_of_java(body: str, expected: str) -> None:
    assert uses_in(java(body)) == expected_lines(f"{SIGNATURE}, {expected}")


@pytest.mark.parametrize(("files", "expected"), FILES.values(), ids=FILES.keys())
def test_in_files(files: Files, expected: str) -> None:
    assert uses_in(files) == expected_lines(expected)
