"""Uses of C# and Swift that are no calls."""

from __future__ import annotations

import pytest
from occurrences import occurrences_in, shown

from graph_snapshot import Files

SHOP_CS = (
    "namespace P;\npublic enum State { Open, Closed }\n"
    "public class Shop { public int Size { get; set; } public static int Max = 1; public Shop Next; }\n"
    "public class NoteAttribute : System.Attribute { public int Depth; }\npublic interface IFoo { void Go(); }\n"
)
SHOP_SWIFT = (
    "enum State { case open, closed(Int) }\nclass Shop { var size = 1; var next: Shop? = nil; static let most = 2 }\n"
)
IN_SHOP = {".cs": "Shop.Next types Shop 3", ".swift": "Shop.next types Shop 2"}

CSHARP: dict[str, tuple[str, str]] = {
    "read and written": (
        "a.Size = rate; rate += a.Next.Size; rate++; --a.Size; this.rate = 1; (rate, a.Size) = (1, 2); a.Next ??= a;",
        """
        Use.F reads Shop.Next 4, Use.F reads Shop.Size 4, Use.F reads Use.rate 4
        Use.F writes Shop.Next 4, Use.F writes Shop.Size 4, Use.F writes Shop.Size 4, Use.F writes Shop.Size 4
        Use.F writes Use.rate 4, Use.F writes Use.rate 4, Use.F writes Use.rate 4, Use.F writes Use.rate 4
        """,
    ),
    "constants": (
        "g(Shop.Max, State.Open, nameof(Shop));",
        """
        Use.F reads Shop 4, Use.F reads Shop.Max 4, Use.F reads State 4, Use.F reads State.Open 4, Use.F reads Shop 4
        """,
    ),
    "types": (
        "List<Shop> l = (Shop[]) o; g(typeof(Shop), default(Shop), o as Shop, new Shop[2]); Shop? n = null; "
        "(Shop, int x) t;",
        ", ".join(["Use.F types Shop 4"] * 8),
    ),
    "a type that is made or whose method is called": (
        "new Shop(); new Box<Shop>(); g<Shop>(); a.g<int>(); a?.Go();",
        "Use.F types Shop 4, Use.F types Shop 4",
    ),
    "members that may be null": (
        "g(a?.Size, a?.Next.Size, a!.Size);",
        "Use.F reads Shop.Next 4, Use.F reads Shop.Size 4, Use.F reads Shop.Size 4, Use.F reads Shop.Size 4",
    ),
    "members in initializers": (
        "g(new Shop { Size = rate, Next = a }); Shop s = new() { Size = 2 }; g(a with { Size = 1 }); "
        "g(new { Size = rate });",
        """
        Use.F reads Use.rate 4, Use.F reads Use.rate 4, Use.F writes Shop.Next 4
        Use.F writes Shop.Size 4, Use.F writes Shop.Size 4, Use.F writes Shop.Size 4
        """,
    ),
    "patterns": (
        "if (o is Shop) g();\nif (o is Shop { Size: > 1 } rate) g(rate);\nif (o is not Shop q) g(q.Size);\n"
        "switch (o) { case Shop rate: g(rate); break; case State.Open: break; }\n"
        "g(o switch { Shop rate => rate, { Depth: 1 } v => v, _ => 0 });",
        """
        Use.F types Shop 4, Use.F types Shop 5, Use.F reads Shop.Size 5, Use.F types Shop 6, Use.F reads Shop.Size 6
        Use.F types Shop 7, Use.F reads State 7, Use.F reads State.Open 7
        Use.F types Shop 8, Use.F reads? NoteAttribute.Depth 8
        """,
    ),
    "names in strings": (
        'g($"{rate:F2} rate {a.Size}", "rate", @"rate");',
        "Use.F reads Shop.Size 4, Use.F reads Use.rate 4",
    ),
    "names of arguments, labels, elements, symbols": (
        "g(rate: 1); var t = (rate: 1, 2); rate: g(); goto rate;\n#if rate\n#endif",
        "",
    ),
    "comments": ("// rate Shop\n/* rate */", ""),
    "variables": ("int rate = 1; g(rate);", ""),
    "variables of a tuple": (
        "var (rate, b) = g(); (int Size, var Max) = g(); h(out var c, out int d); g(rate, c, d);",
        "",
    ),
    "a variable of a loop": ("for (int rate = 0; rate < 9; rate++) g(rate);", ""),
    "variables of loops": (
        "foreach (var rate in new[] { 1 }) g(rate);\nforeach (var (b, rate) in g()) g(rate);\n"
        "foreach (int rate in g()) g(rate);",
        "",
    ),
    "what is used or fixed": ("using (var rate = g() + 1) g(rate); fixed (int* Size = &b) g(Size);", ""),
    "what is caught": ("try { } catch (Oops rate) when (rate.x) { g(rate); }", ""),
    "parameters of functions": (
        "g(rate => rate); g((rate, b) => rate); g((int rate) => rate); g(delegate (int rate) { return rate; });\n"
        "int Rate(int rate) => rate;",
        "",
    ),
    "variables of a query": (
        "g(from rate in b join Size in c on rate equals Size into d let e = rate select d into f select f + e);",
        "",
    ),
}
CSHARP_FILES: dict[str, tuple[str, str]] = {
    "attributes": (
        "namespace P;\n[Note(Depth = Deep)]\nclass Use {\n  const int Deep = 1;\n  [NoteAttribute] void F() { }\n}\n",
        "Use decorates NoteAttribute 2, Use writes? NoteAttribute.Depth 2, Use reads Use.Deep 2, "
        "Use.F decorates NoteAttribute 5",
    ),
    "types of a declaration": (
        "namespace P;\nclass Use<T> : Box<Shop> where T : Shop {\n  Shop f; List<Shop> Many { get; }\n"
        "  Shop[] G<U>(U u, params Shop[] rest) where U : Shop => null;\n}\n",
        "Use types Shop 2, Use types Shop 2, Use.f types Shop 3, Use.Many types Shop 3, "
        "Use.G types Shop 4, Use.G types Shop 4, Use.G types Shop 4",
    ),
    "a base is no use twice": ("namespace P;\nclass Use : Shop { }\n", ""),
    "a method of an interface": (
        "namespace P;\nclass Use : IFoo {\n  int Go;\n  void IFoo.Go() { }\n  ~Use() { }\n}\n",
        "Use.IFoo.Go types IFoo 4",
    ),
    "the value of a property": (
        "namespace P;\nclass Use {\n  int value;\n  int X { get { return value; } set { Y = value; } }\n  int Y;\n}\n",
        "Use.X.get:X reads Use.value 4, Use.X.set:X writes Use.Y 4",
    ),
    "namespaces": ("using P;\nusing S = P.Shop;\nnamespace Q.Shop { }\n", ""),
}
SWIFT: dict[str, tuple[str, str]] = {
    "read and written": (
        "a.size = rate; rate += 1; self.rate = a.next?.size; a.next!.size -= 1",
        """
        Use.f reads Shop.next 3, Use.f reads Shop.next 3, Use.f reads Shop.size 3, Use.f reads Use.rate 3
        Use.f writes Shop.size 3, Use.f writes Shop.size 3, Use.f writes Use.rate 3, Use.f writes Use.rate 3
        """,
    ),
    "types": (
        "let l: [Shop] = []; let d: [Int: Shop?] = [:]; g(o as? Shop, o is Shop, Box<Shop>())",
        ", ".join(["Use.f types Shop 3"] * 5),
    ),
    "constants": (
        "g(Shop.most, State.open, Shop.self)",
        "Use.f reads Shop 3, Use.f reads Shop 3, Use.f reads Shop.most 3, Use.f reads State 3, "
        "Use.f reads State.open 3",
    ),
    "members of an enum": (
        "let s: State = .open\nswitch s { case .open: break\ncase .closed(let rate): g(rate) }\ng(.open)",
        "Use.f types State 3, Use.f reads State.open 3, Use.f reads State.open 4, Use.f reads State.closed 5, "
        "Use.f reads? State.open 6",
    ),
    "names in strings": ('g("\\(rate) rate \\(a.size)")', "Use.f reads Use.rate 3, Use.f reads Shop.size 3"),
    "names of arguments": ("g(rate: 1, size: 2); let t = (rate: 1, size: 2)", ""),
    "comments": ("// rate\n/* Shop */", ""),
    "variables": ("let rate = 1; g(rate)", ""),
    "variables of a tuple": ("let (rate, b) = g(); g(rate)", ""),
    "variables of loops": ("for rate in g() { g(rate) }\nfor (rate, b) in g() { g(rate) }", ""),
    "variables of conditions": ("if let rate = g() { g(rate) }\nif case .some(let rate) = g() { g(rate) }", ""),
    "a variable after a guard": ("guard let rate = g() else { return }\ng(rate)", ""),
    "what is caught": ("do { } catch let rate as Oops { g(rate) }", ""),
    "parameters of a closure": ("g { rate in rate }; g { (rate: Int, b) -> Int in rate }", ""),
}
SWIFT_FILES: dict[str, tuple[str, str]] = {
    "types of a declaration": (
        "class Use<T: Shop>: Box<Shop>, P where T: Shop {\n  let f: Shop\n  func g<U: Shop>(with u: U, "
        "rest: Shop...) throws -> [Shop] { [] }\n}\n",
        "Use types Shop 1, Use types Shop 1, Use types Shop 1, Use.f types Shop 2, "
        "Use.g types Shop 3, Use.g types Shop 3, Use.g types Shop 3",
    ),
    "a base is no use twice": ("class Use: Shop { }\n", ""),
    "attributes": ("@propertyWrapper struct Kept { }\nclass Use {\n  @Kept var a = 1\n}\n", "Use.a decorates Kept 3"),
}


def csharp(body: str) -> Files:
    source = f"namespace P;\nclass Use {{ int rate;\n  void F(Shop a, object o) {{\n{body}\n  }}\n}}\n"
    return {"Shop.cs": SHOP_CS, "Use.cs": source}


def swift(body: str) -> Files:
    source = f"class Use {{ var rate = 1\n  func f(a: Shop, o: Any) {{\n{body}\n  }}\n}}\n"
    return {"Shop.swift": SHOP_SWIFT, "Use.swift": source}


CASES: dict[str, tuple[Files, str]] = {
    **{f"C#: {case}": (csharp(body), f"Use.F types Shop 3, {uses}") for case, (body, uses) in CSHARP.items()},
    **{f"C#: {case}": ({"Shop.cs": SHOP_CS, "Use.cs": text}, uses) for case, (text, uses) in CSHARP_FILES.items()},
    **{f"Swift: {case}": (swift(body), f"Use.f types Shop 2, {uses}") for case, (body, uses) in SWIFT.items()},
    **{
        f"Swift: {case}": ({"Shop.swift": SHOP_SWIFT, "Use.swift": text}, uses)
        for case, (text, uses) in SWIFT_FILES.items()
    },
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES.keys())
def test_occurrences(files: Files, expected: str) -> None:
    snapshot, found = occurrences_in(files)
    lines = [shown(snapshot, edge, is_possible=mark) for edge, mark in found]
    lines = [" ".join(part.rpartition("::")[2].removeprefix("P.") for part in line.split()) for line in lines]
    declared = IN_SHOP[".cs" if "Use.cs" in files else ".swift"]
    assert sorted(lines) == sorted(filter(None, map(str.strip, f"{declared},{expected}".replace("\n", ",").split(","))))
