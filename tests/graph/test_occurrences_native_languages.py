"""Uses that are no calls in Go, Rust, C and C++."""

from __future__ import annotations

import re

import pytest
from occurrences import occurrences_in, shown

from graph_snapshot import Files

PATH = re.compile(r"[\w./]+::")
GO = {
    "s/shop.go": "package s\n\ntype Shop struct {\n\tSize int\n\tNames []string\n}\n\nconst Rate = 2\n\nvar Sold = 0\n"
}


def go(source: str) -> Files:
    return {**GO, "s/use.go": f"package s\n{source}\n"}


CASES: dict[str, tuple[Files, str]] = {
    "go: read": (go("func f() int { return Rate + g(Rate) }"), "f reads Rate 2, f reads Rate 2"),
    "go: written": (
        go("func f() {\n\tSold = 1\n\tSold += 2\n\tSold++\n\t_, Sold = g()\n}"),
        "f writes Sold 3, f writes Sold 4, f writes Sold 5, f writes Sold 6",
    ),
    "go: types": (
        go(
            "func f(a *Shop, b ...Shop) ([]Shop, error) {\n"
            "\tvar c map[string]Shop\n\t_ = x.(Shop)\n\t_ = make([]Shop, 1)\n}"
        ),
        "f types Shop 2, f types Shop 2, f types Shop 2, f types Shop 3, f types Shop 4, f types Shop 5",
    ),
    "go: a conversion to a pointer": (go("var _ I = (*Shop)(nil)"), "_ types Shop 2"),
    "go: cases of a switch": (go("func f(x any) {\n\tswitch x.(type) {\n\tcase Shop, nil:\n\t}\n}"), "f types Shop 4"),
    "go: generics": (
        go("type Box[T Shop] struct{ one T }\nfunc f[T ~int | Shop](x Box[Shop]) {}"),
        "Box types Shop 2, f types Box 3, f types Shop 3, f types Shop 3",
    ),
    "go: of another package": (
        {**GO, "t/use.go": 'package t\nimport "example.org/s"\nfunc f(x s.Shop) int { return s.Rate }\n'},
        "f reads Rate 3, f types Shop 3",
    ),
    "go: members": (
        go("func f(x *Shop) {\n\tx.Size = x.Size + 1\n\tx.Size++\n\tg(x.Names)\n}"),
        "f reads Shop.Names 5, f reads Shop.Size 3, f types Shop 2, f writes Shop.Size 3, f writes Shop.Size 4",
    ),
    "go: keys of literals": (
        go("func f() {\n\t_ = &Shop{Size: 1}\n\t_ = []Shop{{Size: 2}}\n\t_ = map[int]*Shop{Rate: {Size: Rate}}\n}"),
        "f reads Rate 5, f reads Rate 5, f types Shop 4, f types Shop 5, f writes Shop.Size 3, f writes Shop.Size 4, "
        "f writes Shop.Size 5",
    ),
    "go: keys of a literal of a type without a name": (
        {"s/shop.go": "package s\nvar rate = 1\n", "s/use.go": "package s\nvar x = struct{ rate int }{rate: 2}\n"},
        "x writes? x.rate 2",
    ),
    "go: a method as a value": (
        {
            "s/a.go": "package s\ntype Shop struct{}\nfunc (s Shop) Open() {}\n"
            "func f(x Shop) {\n\tg(x.Open)\n\tg(Shop.Open)\n}\n"
        },
        "Shop.Open types Shop 3, f reads Shop 6, f reads Shop.Open 5, f reads Shop.Open 6, f types Shop 4",
    ),
    "go: what embeds, which is an edge": (
        {"s/a.go": "package s\ntype Base struct{}\ntype Shop struct {\n\tBase\n\tnext *Base\n}\n"},
        "Shop.next types Base 5",
    ),
    "go: constants in a group": (
        {"s/a.go": "package s\ntype Kind int\nconst (\n\tA Kind = iota\n\tB\n\tC = A + 1\n)\n"},
        "A types Kind 4, C reads A 6",
    ),
    "go: calls and literals, which are edges": (go("func f() { g(Shop{}) }\nfunc g(int) { f() }"), ""),
    "go: a label": (go("func f() {\nRate:\n\tfor {\n\t\tbreak Rate\n\t}\n}"), ""),
    "go: strings, tags and comments": (go('type x struct {\n\ta int `Rate:"Rate"` // Rate\n}\nvar y = "Rate"'), ""),
    "go: parameters and variables": (
        go(
            "func f(Rate int) int { return Rate }\nfunc g() (Rate int) { return Rate }\n"
            "func h() {\n\ta, b, Rate := g(), 1, 2\n\tg(Rate)\n}\n"
            "func i() {\n\tconst Rate, Sold = 1, 2\n\tg(Rate, Sold)\n}\n"
            "func j() {\n\tvar Rate = 1\n\tfor _, Sold := range x {\n\t\tg(Rate, Sold)\n\t}\n}\n"
            "func k() {\n\tg(func(Rate int, Sold ...int) { g(Rate, Sold) })\n}"
        ),
        "",
    ),
    "go: a variable of a block": (
        go("func f() {\n\tif Rate := g(); Rate > 0 {\n\t\tg(Rate)\n\t}\n\tg(Rate)\n}"),
        "f reads Rate 6",
    ),
    "go: parameters of types of functions": (go("type f func(Rate int) (Sold int)"), ""),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES.keys())
def test_occurrences(files: Files, expected: str) -> None:
    snapshot, found = occurrences_in(files)
    edges = (shown(snapshot, edge, is_possible=mark) for edge, mark in found)
    assert ", ".join(sorted(PATH.sub("", edge) for edge in edges)) == expected
