"""What names mean in Swift: properties, optional values, extensions and protocols in other files."""

from __future__ import annotations

import pytest

from graph_snapshot import Files, check

SHOP = """class Base { func hello() {} }
class Shop<T>: Base {
    let door: Door
    var items: [Item] = []
    var owner: Item?
    lazy var gate = Door()
    static let shared = Shop()
    init(door: Door) { self.door = door }
    func open() -> Door { return door }
}
struct Item { func buy() {} }
enum Kind { case one, two
    func show() {} }
"""
DOOR = """class Door { func close() {} }
protocol Opener { func swing() -> Item }
extension Opener { func reopen() {} }
extension Door: Opener { func swing() -> Item { Item() } }
extension Shop { func more() {
    door.close()
    hello()
} }
"""
FILES = {"Sources/Shop.swift": SHOP, "Sources/Parts/Door.swift": DOOR}


def test_extensions() -> None:
    check(
        FILES,
        """Sources/Parts/Door.swift:6 calls door close: import Sources/Parts/Door.swift::Door.close
        Sources/Parts/Door.swift:7 calls hello: hierarchy Sources/Shop.swift::Base.hello""",
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "func f(a: Item, _ b: Door, with c: Item? = nil, s: Shop<Int>) {\n  a.buy()\n  b.close()\n  c?.buy()\n"
            "  s.open().close()\n  let x = Shop(door: b)\n  x.more()\n  let y: Item = try make()\n  y.buy()\n"
            "  let z = a as! Door\n  z.close()\n}\n",
            """m.swift:2 calls a buy: import Sources/Shop.swift::Item.buy
            m.swift:3 calls b close: import Sources/Parts/Door.swift::Door.close
            m.swift:4 calls c buy: import Sources/Shop.swift::Item.buy
            m.swift:5 calls s open: import Sources/Shop.swift::Shop.open
            m.swift:5 calls s.open() close: import Sources/Parts/Door.swift::Door.close
            m.swift:7 calls x more: import Sources/Parts/Door.swift::Shop.more
            m.swift:9 calls y buy: import Sources/Shop.swift::Item.buy
            m.swift:11 calls z close: import Sources/Parts/Door.swift::Door.close""",
            id="parameters and variables",
        ),
        pytest.param(
            "func f(s: Shop<Int>, x: Door) {\n  if let x = s.owner {\n    x.buy()\n  }\n  x.close()\n"
            "  guard let y = s.owner else { return }\n  y.buy()\n  for x in s.items {\n    x.buy()\n  }\n"
            "  s.items.first?.buy()\n  s.gate.close()\n  Shop.shared.hello()\n  Kind.two.show()\n}\n",
            """m.swift:3 calls x buy: import Sources/Shop.swift::Item.buy
            m.swift:5 calls x close: import Sources/Parts/Door.swift::Door.close
            m.swift:7 calls y buy: import Sources/Shop.swift::Item.buy
            m.swift:9 calls x buy: exact Sources/Shop.swift::Item.buy
            m.swift:11 calls s.items.first buy: exact Sources/Shop.swift::Item.buy
            m.swift:12 calls s.gate close: import Sources/Parts/Door.swift::Door.close
            m.swift:13 calls Shop.shared hello: hierarchy Sources/Shop.swift::Base.hello
            m.swift:14 calls Kind.two show: import Sources/Shop.swift::Kind.show""",
            id="properties, optional values and elements, in their block",
        ),
        pytest.param(
            "func f<T: Opener>(a: any Opener, b: T, d: Door) {\n  a.swing().buy()\n  b.reopen()\n  d.reopen()\n}\n",
            """m.swift:2 calls a swing: dispatch Sources/Parts/Door.swift::Door.swing
            m.swift:2 calls a.swing() buy: import Sources/Shop.swift::Item.buy
            m.swift:3 calls b reopen: import Sources/Parts/Door.swift::Opener.reopen
            m.swift:4 calls d reopen: hierarchy Sources/Parts/Door.swift::Opener.reopen""",
            id="protocols, and what their extensions add",
        ),
    ],
)
def test_names(source: str, expected: str) -> None:
    check(FILES | {"m.swift": source}, expected)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "a.swift": "class Shop { func open(at: Int) {} }\n",
                "x/b.swift": "extension Shop { func open(by: Int) {} }\nfunc f(s: Shop) {\n  s.open(by: 1)\n}\n",
            },
            "x/b.swift:3 calls s open: name a.swift::Shop.open x/b.swift::Shop.open",
            id="an extension may add a function of the same name, so that neither is sure",
        ),
    ],
)
def test_files(files: Files, expected: str) -> None:
    check(files, expected)
