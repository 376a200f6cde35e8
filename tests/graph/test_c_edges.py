"""Edges of C and C++: declarations and definitions, overloads, types of variables, namespaces, bases."""

from __future__ import annotations

import pytest

from graph_snapshot import Files, check

CASES: dict[str, tuple[Files, str]] = {
    "a prototype and its definition are one": (
        {"m.c": "static int twice(int);\nint main() {\ntwice(1);\n}\nstatic int twice(int a) { return a; }\n"},
        "m.c:3 calls twice: exact m.c::twice",
    ),
    "what a header declares is defined in the file that includes it": (
        {
            "u.h": "int twice(int);\n",
            "u.c": '#include "u.h"\nint twice(int a) { return a; }\n',
            "other.c": "static int twice(int a) { return a; }\n",
            "m.c": '#include "u.h"\nint main() {\ntwice(1);\n}\n',
        },
        "m.c:3 calls twice: import u.c::twice",
    ),
    "what two files define leads to the declaration": (
        {
            "u.h": "int open_it(int);\n",
            "posix.c": '#include "u.h"\nint open_it(int a) { return a; }\n',
            "win.c": '#include "u.h"\nint open_it(int a) { return a; }\n',
            "m.c": '#include "u.h"\nint main() {\nopen_it(1);\n}\n',
        },
        "m.c:3 calls open_it: import u.h::open_it",
    ),
    "a function in a header is not that of another file": (
        {
            "u.h": "static inline int twice(int a) { return a; }\n",
            "u.c": '#include "u.h"\nint thrice(int a) { return a; }\n',
            "other.c": "int twice(int a) { return a; }\n",
            "m.c": '#include "u.h"\nint main() {\ntwice(1);\n}\n',
        },
        "m.c:3 calls twice: import u.h::twice",
    ),
    "a macro that wraps a function": (
        {"m.c": "int put(int);\n#define PUT(x) put(x)\nint main() {\nPUT(1);\n}\n"},
        "m.c:4 calls PUT: exact m.c::PUT",
    ),
    "a function pointer in a struct is its field": (
        {
            "m.c": "struct ops { int (*open)(int); };\nint go(int a) { return a; }\n"
            "struct ops table = {.open = go};\nint main(struct ops *o) {\no->open(1);\n}\n"
        },
        "m.c:5 calls o open: exact m.c::ops.open\nm.c:3 binds go: exact m.c::go",
    ),
    "a local function pointer": (
        {"m.c": "int go(int a);\nint stop(int a);\nint main() {\nint (*p)(int) = go;\np(1);\np = stop;\np(1);\n}\n"},
        "m.c:5 calls p: exact m.c::go\nm.c:7 calls p: unresolved",
    ),
    "overloads by the number of arguments, with defaults": (
        {
            "m.hpp": "class Shop {\npublic:\nvoid add(int a);\nvoid add(int a, int b, int c = 0);\n};\n",
            "m.cc": '#include "m.hpp"\nvoid Shop::add(int a) {}\nvoid Shop::add(int a, int b, int c) {}\n'
            "int main() {\nShop s;\ns.add(1);\ns.add(1, 2);\n}\n",
        },
        "m.cc:6 calls s add: import m.cc::Shop.add\nm.cc:7 calls s add: import m.cc::Shop.add",
    ),
    "parameters of a lambda are not those of the function around it": (
        {
            "m.hpp": "struct Shop { void run(int a); void run(int a, int b); };\n",
            "m.cc": '#include "m.hpp"\nvoid Shop::run(int a) {\nauto f = [](int x) {};\neach([](int y) {});\n}\n'
            "int main() {\nShop s;\ns.run(1);\n}\n",
        },
        "m.cc:8 calls s run: import m.cc::Shop.run",
    ),
    "overloads that differ by types only are candidates": (
        {"m.cc": "void put(int a) {}\nvoid put(char *a) {}\nint main() {\nput(1);\n}\n"},
        "m.cc:4 calls put: name m.cc::put m.cc::put",
    ),
    "types of variables, parameters, fields and results": (
        {
            "m.cc": "struct Item { void go(); };\n"
            "struct Shop { Item *item; Item first(); Item all[3]; static Shop &get(); };\n"
            "void f(const Shop &shop, Item *one) {\n"
            "one->go();\nshop.item->go();\nshop.first().go();\nshop.all[0].go();\nShop::get().item->go();\n"
            "auto made = new Item();\nmade->go();\nauto held = shop.first();\nheld.go();\nItem here{};\nhere.go();\n}\n"
        },
        """
        m.cc:4 calls one go: exact m.cc::Item.go
        m.cc:5 calls shop.item go: exact m.cc::Item.go
        m.cc:6 calls shop.first() go: exact m.cc::Item.go
        m.cc:7 calls shop.all[0] go: exact m.cc::Item.go
        m.cc:8 calls Shop.get().item go: exact m.cc::Item.go
        m.cc:10 calls made go: exact m.cc::Item.go
        m.cc:12 calls held go: exact m.cc::Item.go
        m.cc:14 calls here go: exact m.cc::Item.go
        """,
    ),
    "smart pointers, collections, casts and aliases": (
        {
            "m.cc": "struct Item { void go() {} };\nusing Ref = std::shared_ptr<Item>;\nusing Alias = Item;\n"
            "void f(std::unique_ptr<Item> one, std::vector<Item> many, void *raw, Alias alias) {\n"
            "one->go();\nfor (auto &each : many)\neach.go();\nstatic_cast<Item *>(raw)->go();\n((Item *)raw)->go();\n"
            "alias.go();\nauto made = std::make_unique<Item>();\nmade->go();\n"
            "if (auto *cast = dynamic_cast<Item *>(raw))\ncast->go();\n"
            "auto held = [](Item &inner) {\ninner.go();\n};\n}\n"
        },
        """
        m.cc:5 calls one go: exact m.cc::Item.go
        m.cc:7 calls each go: exact m.cc::Item.go
        m.cc:8 calls Item{} go: exact m.cc::Item.go
        m.cc:9 calls Item{} go: exact m.cc::Item.go
        m.cc:10 calls alias go: exact m.cc::Item.go
        m.cc:12 calls made go: exact m.cc::Item.go
        m.cc:14 calls cast go: exact m.cc::Item.go
        m.cc:16 calls inner go: exact m.cc::Item.go
        """,
    ),
    "what a smart pointer has itself": (
        {
            "m.cc": "struct Item { void go() {} void reset() {} int get() { return 1; } };\n"
            "void f(std::unique_ptr<Item> one, std::vector<std::shared_ptr<Item>> many, Item plain) {\n"
            "one.reset();\none.get()->go();\nmany[0]->go();\nfor (const auto &each : many)\neach->go();\n"
            "plain.reset();\nauto made = std::make_shared<Item>();\nmade.reset();\n}\n"
        },
        """
        m.cc:3 calls one reset: external
        m.cc:4 calls one.get() go: exact m.cc::Item.go
        m.cc:4 calls one get: external
        m.cc:5 calls many[0] go: exact m.cc::Item.go
        m.cc:7 calls each go: exact m.cc::Item.go
        m.cc:8 calls plain reset: exact m.cc::Item.reset
        m.cc:10 calls made reset: external
        """,
    ),
    "elements of arrays, pointers and collections": (
        {
            "m.cc": "struct Item { void go() {} };\nstruct Map { Item &operator[](int i); };\n"
            "typedef std::vector<Item> Items;\ntemplate <class T> struct List { void push(T t) {} };\n"
            "void f(Item *first, Items items, Map map, List<Item> list, std::map<int, Item *> named) {\n"
            "first[1].go();\nitems[1].go();\nitems.front().go();\n"
            "for (auto it = items.begin(); it != items.end(); ++it)\nit->go();\nmap[1].go();\nlist.push(1);\n"
            "named[1]->go();\nnamed.find(1)->second->go();\n}\n"
        },
        """
        m.cc:6 calls first[1] go: exact m.cc::Item.go
        m.cc:7 calls items[1] go: exact m.cc::Item.go
        m.cc:8 calls items.front() go: exact m.cc::Item.go
        m.cc:8 calls items front: external
        m.cc:10 calls it go: exact m.cc::Item.go
        m.cc:11 calls map[1] go: name m.cc::Item.go
        m.cc:12 calls list push: exact m.cc::List.push
        m.cc:13 calls named[1] go: exact m.cc::Item.go
        m.cc:14 calls named.find().second go: name m.cc::Item.go
        """,
    ),
    "a method outside of its class sees its siblings and what they inherit": (
        {
            "m.hpp": "struct Base { void stop() {} };\nstruct Shop : Base {\nvoid run();\nvoid open();\n};\n",
            "m.cc": '#include "m.hpp"\nstatic void open() {}\nvoid Shop::open() {}\nvoid Shop::run() {\n'
            "open();\nstop();\nthis->open();\n::open();\n}\n",
        },
        """
        m.cc:5 calls open: exact m.cc::Shop.open
        m.cc:6 calls stop: hierarchy m.hpp::Base.stop
        m.cc:7 calls this open: exact m.cc::Shop.open
        m.cc:8 calls :: open: import m.cc::open
        """,
    ),
    "a global name that is in no file is outside": (
        {"m.cc": "struct File { void close() {\n::close(1);\n} };\n"},
        "m.cc:2 calls :: close: external",
    ),
    "what a class inherits comes before what is around it": (
        {"m.cc": "void go() {}\nstruct A { void go() {} };\nstruct B : A { void run() {\ngo();\n} };\n"},
        "m.cc:4 calls go: hierarchy m.cc::A.go",
    ),
    "namespaces": (
        {
            "m.hpp": "namespace a::b { void deep() {} }\nnamespace a { void flat() {} }\n"
            "namespace { void hidden() {} }\n",
            "m.cc": '#include "m.hpp"\nusing namespace a;\nnamespace short_one = a;\nnamespace { void own() {} }\n'
            "int main() {\na::b::deep();\nflat();\nshort_one::flat();\nown();\n}\n",
        },
        """
        m.cc:6 calls a.b deep: import m.hpp::a.b.deep
        m.cc:7 calls flat: import m.hpp::a.flat
        m.cc:8 calls short_one flat: import m.hpp::a.flat
        m.cc:9 calls own: exact m.cc::<anonymous>.own
        """,
    ),
    "a namespace that is open in several files": (
        {
            "a.hpp": "namespace a { void shared() {} }\n",
            "m.cc": '#include "a.hpp"\nnamespace a {\nvoid run() {\nshared();\n}\n}\n',
            "n.cc": '#include "a.hpp"\nnamespace a::b {\nvoid run() {\na::other();\nshared();\n}\n}\n',
        },
        """
        m.cc:4 calls shared: import a.hpp::a.shared
        n.cc:4 calls a other: unresolved
        n.cc:5 calls shared: import a.hpp::a.shared
        """,
    ),
    "what a function takes by using": (
        {"m.cc": "namespace a { void put(int x) {} }\nstruct Out { void put(int x) {\nusing a::put;\nput(x);\n} };\n"},
        "m.cc:4 calls put: import m.cc::a.put",
    ),
    "a name that is declared nowhere is not claimed": (
        {"m.c": "int main() {\nsnprintf(1);\n}\n", "win.h": "#define snprintf win_snprintf\n"},
        "m.c:2 calls snprintf: name win.h::snprintf",
    ),
    "a global object that a header declares": (
        {
            "shop.hpp": "struct Shop { void open() {} };\nextern Shop shop;\n",
            "m.cc": '#include "shop.hpp"\nint main() {\nshop.open();\n}\n',
        },
        "m.cc:3 calls shop open: import shop.hpp::Shop.open",
    ),
    "templates": (
        {
            "m.cc": "template <class T> struct Crate { void put(T t); template <class U> void mix(U u) {} };\n"
            "template <class T> void Crate<T>::put(T t) {\nthis->template mix<int>(1);\n}\n"
            "template <class T> void free_one(T t) {}\n"
            "int main() {\nCrate<int> crate;\ncrate.put(1);\nfree_one<int>(1);\nCrate<int>().mix<char>('a');\n}\n"
        },
        """
        m.cc:3 calls this mix: exact m.cc::Crate.mix
        m.cc:8 calls crate put: exact m.cc::Crate.put
        m.cc:9 calls free_one: exact m.cc::free_one
        m.cc:10 calls Crate() mix: exact m.cc::Crate.mix
        """,
    ),
    "a type that is only declared where it is used": (
        {
            "shop.hpp": "class Item;\nclass Shop { public: Item *item; };\n",
            "item.hpp": "class Item { public: void go() {} };\n",
            "m.cc": '#include "shop.hpp"\n#include "item.hpp"\nvoid f(Shop *shop) {\nshop->item->go();\n}\n',
        },
        "m.cc:4 calls shop.item go: import item.hpp::Item.go",
    ),
    "a variable named like a word for the type above": (
        {
            "m.cc": "struct A { void go() {} };\nstruct B : A { B *parent; void run(B *base) {\nbase->go();\n"
            "parent->go();\n} };\n"
        },
        "m.cc:3 calls base go: hierarchy m.cc::A.go\nm.cc:4 calls parent go: hierarchy m.cc::A.go",
    ),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES)
def test_edges(files: Files, expected: str) -> None:
    check(files, expected)
