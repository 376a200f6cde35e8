"""Where calls in JavaScript and TypeScript lead: values, objects, prototypes, modules and types."""

from __future__ import annotations

import pytest

from graph_snapshot import Files, Snapshot, check, resolver_of

SHOP = "export class Item { price() {} }\nexport class Shop { open() {} first() { return new Item(); } }\n"
FACTORY = "class Shop { open() {} }\nfunction make() { return new Shop(); }\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {"m.js": FACTORY + "const shop = new Shop();\nshop.open();\nmake().open();\n(new Shop).open();\n"},
            """m.js:4 calls shop open: exact m.js::Shop.open
            m.js:5 calls make() open: exact m.js::Shop.open
            m.js:6 calls Shop() open: exact m.js::Shop.open""",
            id="a variable and a result are instances",
        ),
        pytest.param(
            {"m.js": FACTORY + "let shop;\nfunction start() { shop = make(); }\nfunction stop() { shop.open(); }\n"},
            "m.js:5 calls shop open: exact m.js::Shop.open",
            id="what a function assigns to a variable around it",
        ),
        pytest.param(
            {"m.js": FACTORY + "function visit(shop, make) {\n  shop.open();\n  make();\n}\n"},
            """m.js:4 calls shop open: name m.js::Shop.open
            m.js:5 calls make: unresolved""",
            id="parameters hide",
        ),
        pytest.param(
            {
                "m.js": FACTORY
                + "each((shop) => {\n  if (shop instanceof Shop) {\n    shop.open();\n  }\n  shop.open();\n});\n"
            },
            """m.js:5 calls shop open: exact m.js::Shop.open
            m.js:7 calls shop open: name m.js::Shop.open""",
            id="instanceof holds in its branch",
        ),
        pytest.param(
            {
                "m.js": "class Till { ring() {} }\nclass Desk {\n  bell = new Till();\n"
                "  constructor() { this.till = new Till();"
                " this.parts = { a: new Till() }; }\n  use() {\n    this.till.ring();\n    this.bell.ring();\n"
                "    this.parts.a.ring();\n    this.use();\n  }\n  static make() { return new this(); }\n}\n"
                "Desk.make().use();\n"
            },
            """m.js:6 calls this.till ring: exact m.js::Till.ring
            m.js:7 calls this.bell ring: exact m.js::Till.ring
            m.js:8 calls this.parts.a ring: exact m.js::Till.ring
            m.js:9 calls this use: exact m.js::Desk.use
            m.js:13 calls Desk.make() use: exact m.js::Desk.use""",
            id="fields, parts of fields, and new this()",
        ),
        pytest.param(
            {"m.js": FACTORY + "const town = { get shop() { return make(); } };\ntown.shop.open();\n"},
            "m.js:4 calls town.shop open: exact m.js::Shop.open",
            id="a getter is what it returns",
        ),
        pytest.param(
            {
                "m.js": "function ring() {}\nconst desk = { ring, bell: ring, call() { this.bell(); } };\n"
                "desk.ring();\n"
                "desk.bell();\nconst { bell: sound } = desk;\nsound();\n"
                "const room = { desk };\nconst { desk: { ring: first, bell } } = room;\nfirst();\nbell();\n"
            },
            """m.js:2 calls this bell: exact m.js::ring
            m.js:3 calls desk ring: exact m.js::ring
            m.js:4 calls desk bell: exact m.js::ring
            m.js:6 calls sound: exact m.js::ring
            m.js:9 calls first: exact m.js::ring
            m.js:10 calls bell: exact m.js::ring""",
            id="members of objects, and what is taken out of them",
        ),
        pytest.param(
            {
                "m.js": "function main() {\n  const ring = () => 1;\n  const desk = { ring: () => 2 };\n  ring();\n"
                "  desk.ring();\n}\n"
            },
            """m.js:4 calls ring: exact m.js::main.ring
            m.js:5 calls desk ring: exact m.js::main.ring""",
            id="a function in a local object is not seen by its bare name",
        ),
        pytest.param(
            {
                "m.js": "function open() {}\nfunction main() {\n  install({ open() { open(); }, close: () => open() });"
                "\n  close();\n}\nregister({ open() {} });\nopen();\n"
            },
            """m.js:3 calls open: exact m.js::open
            m.js:3 calls open: exact m.js::open
            m.js:4 calls close: unresolved
            m.js:7 calls open: exact m.js::open""",
            id="a function in an object that is an argument is not seen by its bare name",
        ),
        pytest.param(
            {
                "m.js": "function Base() { this.run = function () {}; }\nfunction Sub() {}\n"
                "Sub.prototype = new Base();\n"
                "Sub.prototype.walk = function () { this.run(); };\nSub.prototype.go = walkAll;\n"
                "function walkAll() {}\n"
                "const sub = new Sub();\nsub.run();\nsub.walk();\nsub.go();\n"
            },
            """m.js:4 calls this run: hierarchy m.js::Base.run
            m.js:8 calls sub run: hierarchy m.js::Base.run
            m.js:9 calls sub walk: exact m.js::Sub.walk
            m.js:10 calls sub go: exact m.js::walkAll""",
            id="prototypes",
        ),
        pytest.param(
            {
                "m.js": "const base = { one() {} };\nconst more = { two() {} };\nconst all = { ...base };\n"
                "Object.assign(all, more);\nconst other = Object.create(base);\nall.one();\nall.two();\n"
                "other.one();\n"
            },
            """m.js:6 calls all one: hierarchy m.js::base.one
            m.js:7 calls all two: hierarchy m.js::more.two
            m.js:8 calls other one: exact m.js::base.one""",
            id="objects that have the members of others",
        ),
        pytest.param(
            {"m.js": "function f() {}\nconst g = f.bind(null);\nf.call();\nf.apply(null);\ng();\n"},
            """m.js:3 calls f call: exact m.js::f
            m.js:4 calls f apply: exact m.js::f
            m.js:5 calls g: exact m.js::f""",
            id="call, apply and bind",
        ),
        pytest.param(
            {
                "m.js": "function f() {}\nfunction main() {\n  let g = f;\n  g();\n  g = other();\n"
                "  const h = f;\n  h();\n}\n"
            },
            """m.js:4 calls g: name m.js::f
            m.js:7 calls h: exact m.js::f""",
            id="a local that is assigned once is followed, one that changes only listed",
        ),
    ],
)
def test_values(files: Files, expected: str) -> None:
    check(files, expected)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "shop.js": "function open() {}\nfunction close() {}\nexports.open = open;\nexports.shut = close;\n",
                "m.js": "const shop = require('./shop');\nshop.open();\nshop.shut();\nrequire('./shop').shut();\n"
                "const { shut } = require('./shop');\nshut();\n",
            },
            """m.js:2 calls shop open: import shop.js::open
            m.js:3 calls shop shut: import shop.js::close
            m.js:4 calls require("./shop") shut: import shop.js::close
            m.js:6 calls shut: import shop.js::close""",
            id="exports.x = y",
        ),
        pytest.param(
            {
                "a.js": "function make() { return new Shop(); }\nclass Shop { open() {} }\n"
                "exports = module.exports = make;\n",
                "b.js": "function a() {}\nfunction b() {}\nmodule.exports = { a, c: b };\n",
                "c.js": "module.exports = new (class Unused {})();\n",
                "m.js": "const create = require('./a');\nconst { a, c } = require('./b');\ncreate();\n"
                "create().open();\na();\nc();\n",
            },
            """m.js:3 calls create: import a.js::make
            m.js:4 calls create: import a.js::make
            m.js:4 calls create() open: import a.js::Shop.open
            m.js:5 calls a: import b.js::a
            m.js:6 calls c: import b.js::b""",
            id="module.exports",
        ),
        pytest.param(
            {
                "a.js": "export default function first() {}\n",
                "b.js": "function one() {}\nfunction two() {}\nexport default { one, other: two };\n"
                "export { two as second };\n",
                "c.js": "export { second as third } from './b';\nexport { default as fourth } from './a';\n"
                "export * from './b';\n",
                "m.js": "import begin from './a';\nimport all, { second } from './b';\n"
                "import { third, fourth } from './c';\n"
                "import * as c from './c';\nbegin();\nall.one();\nall.other();\nsecond();\nthird();\nfourth();\n"
                "c.second();\n",
            },
            """m.js:5 calls begin: import a.js::first
            m.js:6 calls all one: import b.js::one
            m.js:7 calls all other: import b.js::two
            m.js:8 calls second: import b.js::two
            m.js:9 calls third: import b.js::two
            m.js:10 calls fourth: import a.js::first
            m.js:11 calls c second: import b.js::two""",
            id="default and renamed exports",
        ),
        pytest.param(
            {
                "a.mjs": "export default function first() {}\nexport function second() {}\n",
                "m.mjs": "const { default: begin, second } = await import('./a.mjs');\nbegin();\nsecond();\n",
            },
            """m.mjs:2 calls begin: import a.mjs::first
            m.mjs:3 calls second: import a.mjs::second""",
            id="dynamic imports",
        ),
        pytest.param(
            {
                "utils.js": "function each() {}\nexport default { each };\n",
                "m.js": "import utils from './utils';\nimport path from 'path';\nconst { each } = utils;\n"
                "const join = path.join;\neach();\njoin();\nutils.each.call(null);\n",
            },
            """m.js:5 calls each: exact m.js::each
            m.js:6 calls join: exact m.js::join
            m.js:7 calls utils.each call: name utils.js::each""",
            id="a variable that holds what is elsewhere is meant itself",
        ),
        pytest.param(
            {
                "dist/all.js": "class A { run() {} }\n",
                "vendor/b.min.js": "class B { run() {} }\n",
                "c.js": "class C { run() {} }\n",
                "m.js": "export function go(x) {\n  x.run();\n}\n",
            },
            "m.js:2 calls x run: name c.js::C.run",
            id="a name alone does not lead into bundles",
        ),
        pytest.param(
            {
                "app/m.js": "import one from 'one';\nimport two from 'two';\nimport fs from 'fs';\n"
                "import { lib } from 'lib';\n"
                "one();\ntwo();\nfs();\nlib();\n",
                "app/one.js": "export default function first() {}\n",
                "app/two.js": "import two from 'two';\nexport default function wrap() {}\n",
                "app/fs.js": "export default function read() {}\n",
                "node_modules/lib/index.js": "export function lib() {}\n",
            },
            """app/m.js:5 calls one: import app/one.js::first
            app/m.js:6 calls two: external
            app/m.js:7 calls fs: external
            app/m.js:8 calls lib: import node_modules/lib/index.js::lib""",
            id="packages, and files beside that are named like one",
        ),
    ],
)
def test_modules(files: Files, expected: str) -> None:
    check(files, expected)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {
                "shop.ts": SHOP,
                "m.ts": "import { Shop, Item } from './shop';\nfunction visit(shop: Shop, items: Item[]): Item {\n"
                "  shop.open();\n  shop.first().price();\n  for (const item of items) {\n    item.price();\n  }\n}\n"
                "let late: Shop | undefined;\nlate!.open();\nvisit().price();\n(late as Shop).open();\n",
            },
            """m.ts:3 calls shop open: import shop.ts::Shop.open
            m.ts:4 calls shop first: import shop.ts::Shop.first
            m.ts:4 calls shop.first() price: import shop.ts::Item.price
            m.ts:6 calls item price: import shop.ts::Item.price
            m.ts:10 calls late open: import shop.ts::Shop.open
            m.ts:11 calls visit() price: import shop.ts::Item.price
            m.ts:12 calls Shop{} open: import shop.ts::Shop.open""",
            id="declared types",
        ),
        pytest.param(
            {
                "shop.ts": SHOP,
                "m.ts": "import { Shop } from './shop';\ninterface Street { shop: Shop; next(): Street; }\n"
                "type Way = { walk(): Way };\nclass Town {\n  street: Street;\n"
                "  constructor(private shop: Shop) {}\n  go(way: Way) {\n"
                "    this.shop.open();\n    this.street.shop.open();\n    this.street.next().next();\n"
                "    way.walk().walk();\n  }\n}\n",
            },
            """m.ts:8 calls this.shop open: import shop.ts::Shop.open
            m.ts:9 calls this.street.shop open: import shop.ts::Shop.open
            m.ts:10 calls this.street next: exact m.ts::Street.next
            m.ts:10 calls this.street.next() next: exact m.ts::Street.next
            m.ts:11 calls way walk: exact m.ts::Way.walk
            m.ts:11 calls way.walk() walk: exact m.ts::Way.walk""",
            id="members of interfaces, types and classes",
        ),
        pytest.param(
            {
                "a.ts": "export = Shop;\nclass Shop { open() {} }\n",
                "m.ts": "import Store = require('./a');\nlet store: Store = new Store();\nstore.open();\n",
            },
            """m.ts:2 calls Store: import a.ts::Shop
            m.ts:3 calls store open: import a.ts::Shop.open""",
            id="export = and import = require",
        ),
        pytest.param(
            {"m.ts": "function log(x: any) {}\n@log\nclass A {\n  @log\n  open() {}\n  @log() close() {}\n}\n"},
            """m.ts:2 calls log: exact m.ts::log
            m.ts:4 calls log: exact m.ts::log
            m.ts:6 calls log: exact m.ts::log""",
            id="decorators are calls",
        ),
    ],
)
def test_types(files: Files, expected: str) -> None:
    check(files, expected)


OVERLOADS = "export function open(at: string): void\nexport function open(at: number): void\n"
OVERLOADED = {
    "a function that is imported": (
        {
            "shop.ts": f"{OVERLOADS}export function open(at: any) {{}}\n",
            "m.ts": "import { open } from './shop'\nopen(1)\n",
        },
        "2 open: import shop.ts:3, declared 1 2",
    ),
    "a function of the same file": (
        {"m.ts": f"{OVERLOADS}export function open(at: any) {{}}\nopen(1)\n"},
        "4 open: exact m.ts:3, declared 1 2",
    ),
    "a function without a body": (
        {"shop.d.ts": OVERLOADS, "m.ts": "import { open } from './shop'\nopen(1)\n"},
        "2 open: import shop.d.ts:1, declared 2",
    ),
    "a method": (
        {"m.ts": "class Shop {\n  open(at: string): void\n  open(at: any) {}\n  run() {\n    this.open(1)\n  }\n}\n"},
        "5 open: exact m.ts:3, declared 2",
    ),
    "a method that is inherited": (
        {
            "m.ts": "class Shop {\n  open(at: string): void\n  open(at: any) {}\n}\nclass Kiosk extends Shop {\n"
            "  run() {\n    this.open(1)\n  }\n}\n"
        },
        "7 open: hierarchy m.ts:3, declared 2",
    ),
    "a method of an interface": (
        {
            "m.ts": "interface Shop {\n  open(at: string): void\n  open(at: number): void\n}\n"
            "function run(shop: Shop) {\n  shop.open(1)\n}\n"
        },
        "6 open: exact m.ts:2, declared 3",
    ),
    "a function with a body that takes an object with methods": (
        {"m.ts": "function open(at: { go(): void }) {}\nopen(1)\n"},
        "2 open: exact m.ts:1",
    ),
    "a signature that takes an object with methods": (
        {"m.ts": "function open(at: { go(): void }): void\nfunction open(at: { go(): void }) {}\nopen(1)\n"},
        "3 open: exact m.ts:2, declared 1",
    ),
    "functions of one name in two functions": (
        {
            "m.ts": "function a() {\n  function open(): void\n  function open(at?: any) {}\n}\n"
            "function b() {\n  function open() {}\n  open()\n}\n"
        },
        "7 open: exact m.ts:6",
    ),
}


@pytest.mark.parametrize(("files", "expected"), OVERLOADED.values(), ids=OVERLOADED)
def test_a_call_of_an_overloaded_function_leads_to_its_body(files: Files, expected: str) -> None:
    snapshot = Snapshot(files)
    (entry,) = (one for one in snapshot.all_references() if one[0] == "m.ts" and one[3].edge == "calls")
    resolved = resolver_of(snapshot).resolve(*entry)
    ends = " ".join(f"{one.path}:{one.start_line}" for one in resolved.claimed)
    declared = "".join(f" {one.start_line}" for one in resolved.declaration)
    found = f"{entry[3].line} {entry[3].name}: {resolved.resolution} {ends}"
    assert (f"{found}, declared{declared}" if declared else found) == expected


def test_an_overloaded_function_returns_what_its_signatures_say() -> None:
    make = "function make(at: string): Shop\nfunction make(at: any) { return at; }\n"
    source = f"class Shop {{ open() {{}} }}\n{make}make(at).open();\n"
    check({"m.ts": source}, "m.ts:4 calls make() open: exact m.ts::Shop.open")


def test_what_is_exported_under_another_name_is_passed_on_by_several_modules() -> None:
    files = {
        "shop.js": "function open() {}\nexport { open as openShop };\n",
        "town.js": "export { openShop } from './shop';\n",
        "all.js": "export * from './town';\n",
        "m.js": "import { openShop } from './all';\nopenShop();\n",
    }
    check(files, "m.js:2 calls openShop: import shop.js::open")


PROMISING = f"{SHOP}export async function make() {{ return new Shop(); }}\n"


@pytest.mark.parametrize("language", ["js", "ts"])
def test_what_a_promise_gives_to_then(language: str) -> None:
    calls = (
        "import { make, lib } from './shop';\nimport('./shop').then(m => m.make());\n"
        "import('./shop').then(({ make: open, Item }) => {\n  open();\n});\n"
        "make().then((shop) => shop.open());\nmake().then(function (shop) {\n  shop.open();\n});\n"
        "lib.make().then((shop) => {\n  shop.open();\n});\n"
        "make().then(() => 1).then(other => {\n  other.open();\n});\n"
    )
    expected = """m.js:2 calls m make: import shop.js::make
        m.js:4 calls open: import shop.js::make
        m.js:6 calls shop open: import shop.js::Shop.open
        m.js:8 calls shop open: import shop.js::Shop.open
        m.js:11 calls shop open: name shop.js::Shop.open
        m.js:14 calls other open: name shop.js::Shop.open"""
    check({f"shop.{language}": PROMISING, f"m.{language}": calls}, expected.replace(".js", f".{language}"))


@pytest.mark.parametrize("language", ["js", "ts"])
def test_what_is_made_with_many_arguments_has_its_class(language: str) -> None:
    new = f"new Shop({{ city: '{'a' * 1000}' }})"
    town = f"class Town {{\n  constructor() {{ this.shop = {new}; }}\n  run() {{\n    this.shop.open();\n  }}\n}}\n"
    expected = """m.js:4 calls shop open: exact m.js::Shop.open
        m.js:8 calls this.shop open: exact m.js::Shop.open"""
    source = f"{SHOP}const shop = {new};\nshop.open();\n{town}"
    check({f"m.{language}": source}, expected.replace(".js", f".{language}"))


def test_a_variable_hides_one_of_its_name_around_it() -> None:
    source = (
        "function setup() {\n  function open() {}\n  return { open };\n}\nconst { open } = setup();\n"
        "function run() {\n  const { open } = setup();\n  open();\n}\n"
    )
    check({"m.js": source}, "m.js:8 calls open: exact m.js::setup.open")
