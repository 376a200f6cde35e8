"""Uses in JavaScript and TypeScript that are no calls, and in the templates of components."""

from __future__ import annotations

import pytest
from occurrences import list_occurrences

from birthmark.graph.network import resolve_file
from graph_snapshot import Files, Snapshot, resolver_of

SHOP = {"a.ts": "export class Shop { rate = 1; static all = []; }\nexport const RATE = 1;\nexport let n = 1;\n"}
IMPORT = "import { Shop, RATE, n } from './a';\n"


def in_file(source: str, name: str = "b.ts") -> Files:
    """Files of which one imports the others; its first line is that import."""
    return {**SHOP, name: IMPORT + source}


JAVASCRIPT: dict[str, tuple[Files, str]] = {
    "read": (in_file("function f() { return [RATE]; }\n", "b.js"), "b.js::f reads a.ts::RATE 2"),
    "read at the top": (in_file("use(RATE + 1, -RATE);\n", "b.js"), "b.js reads a.ts::RATE 2, b.js reads a.ts::RATE 2"),
    "under another name": (
        {**SHOP, "b.js": "import { RATE as r } from './a';\nconst f = () => r;\n"},
        "b.js::f reads a.ts::RATE 2",
    ),
    "a member of a module": (
        {**SHOP, "b.js": "import * as m from './a';\nconst f = () => m.RATE;\n"},
        "b.js::f reads a.ts::RATE 2",
    ),
    "assigned, changed and counted": (
        {"a.js": "let n = 1;\nn = 2;\nn += 3;\nn++;\n[n] = [4];\n({ n } = x);\n({ m: n } = x);\nfor (n of x);\n"},
        ", ".join(f"a.js writes a.js::n {line}" for line in range(2, 9)),
    ),
    "a field": (
        {
            "a.js": "class Shop {\n  rate = 1;\n  #size = 1;\n  f() {\n    this.rate = this.#size;\n    this.rate++;\n"
            "    delete this.rate;\n    [this.rate] = x;\n    return this?.rate;\n  }\n}\n"
        },
        "a.js::Shop.f reads a.js::Shop.#size 5, a.js::Shop.f reads a.js::Shop.rate 9, "
        "a.js::Shop.f writes a.js::Shop.rate 5, a.js::Shop.f writes a.js::Shop.rate 6, "
        "a.js::Shop.f writes a.js::Shop.rate 7, a.js::Shop.f writes a.js::Shop.rate 8",
    ),
    "a member of something unknown": (
        in_file("function f(x) { return x.rate; }\n", "b.js"),
        "b.js::f reads? a.ts::Shop.rate 2",
    ),
    "a class that is compared, and one with a static member": (
        in_file("const f = (x) => x instanceof Shop && Shop.all;\n", "b.js"),
        "b.js::f reads a.ts::Shop 2, b.js::f reads a.ts::Shop 2, b.js::f reads a.ts::Shop.all 2",
    ),
    "a method that is passed on": (
        {"a.js": "class Shop {\n  open() {}\n  f() { on(this.open); }\n}\n"},
        "a.js::Shop.f reads a.js::Shop.open 3",
    ),
    "in templates of strings": (in_file("const s = `RATE ${RATE}`;\n", "b.js"), "b.js::s reads a.ts::RATE 2"),
    "in objects": (
        in_file("const x = { RATE, a: RATE, [RATE]: 1, ...RATE, RATE: 1 };\n", "b.js"),
        ", ".join(["b.js::x reads a.ts::RATE 2"] * 4),
    ),
    "exported": (
        in_file("export { RATE };\nexport default Shop;\n", "b.js"),
        "b.js exports a.ts::RATE 2, b.js exports a.ts::Shop 3",
    ),
    "exported under another name": (in_file("export { RATE as rate };\n", "b.js"), "b.js exports a.ts::RATE 2"),
    "exported from another module, which is an import": ({**SHOP, "b.js": "export { RATE } from './a';\n"}, ""),
    "exported by CommonJS": (
        {"a.js": "const RATE = 1;\nexports.rate = RATE;\nmodule.exports = { RATE };\nmodule.exports.r = RATE;\n"},
        "a.js exports a.js::RATE 2, a.js exports a.js::RATE 4, a.js::default exports a.js::RATE 3",
    ),
    "taken from another module by CommonJS": (
        {"a.js": "exports.rate = 1;\n", "b.js": "const { rate } = require('./a');\nuse(rate);\n"},
        "b.js reads a.js::rate 2",
    ),
    "decorators and bases are no uses twice": (
        {"a.js": "function d(c) {}\nclass A {}\n@d\nclass B extends A {}\n@d()\nclass C {}\n"},
        "",
    ),
    "comments, strings, regular expressions, labels": (
        {"a.js": "const RATE = 1; // RATE\nuse('RATE', /RATE/);\nRATE: for (;;) { break RATE; }\n"},
        "",
    ),
    "a call and its receiver": (
        {"a.js": "const shop = { open() {} };\nshop.open();\nnew shop.open();\n"},
        "a.js reads a.js::shop 2, a.js reads a.js::shop 3",
    ),
    "elements of a page": (
        {
            "a.js": "const div = 1;\nexport const Till = () => 1;\nexport const tills = { Till };\n",
            "b.jsx": "import { Till, tills, div } from './a';\n"
            "const f = () => <div till={div}><Till div={tills}>div {div}</Till><tills.Till /></div>;\n",
        },
        "a.js::tills reads a.js::Till 3, b.jsx::f reads a.js::div 2, b.jsx::f reads a.js::div 2, "
        "b.jsx::f reads a.js::tills 2, b.jsx::f reads a.js::tills 2",
    ),
}
LOCALS = {
    "a parameter": "function f(RATE) { return RATE; }",
    "a parameter with a default": "function f(RATE = 1) { return RATE; }",
    "the rest of the parameters": "function f(...RATE) { return RATE; }",
    "a parameter of an arrow function": "f(RATE => RATE, (RATE) => RATE, async ({ RATE }) => RATE);",
    "parts of parameters": "function f({ RATE, a: [n], b: { c: Shop } }) { return [RATE, n, Shop]; }",
    "parts of parts of parameters": "function f([{ RATE }, [n]], { a: { b: { Shop } } }) { return [RATE, n, Shop]; }",
    "rests of parameters": "function f({ a, ...RATE }, [b, ...n]) { return [RATE, n]; }",
    "parts with defaults": "function f({ a: RATE = 1, n = 2 }, [Shop = 3] = []) { return [RATE, n, Shop]; }",
    "a part of a part with a default": "function f({ a: { RATE = 1 } = {} }) { return RATE; }",
    "a variable": "function f() { const RATE = 1; let n; var Shop = /x/; return [RATE, n, Shop]; }",
    "a variable with any value": "function f(x) { const RATE = x[0], n = (x = 2), Shop = x++; g(RATE, n, Shop); }",
    "a variable without a value": "function f() { let RATE = undefined, n = void 0; return [RATE, n]; }",
    "a function in a function": "function f() { const RATE = 1; return () => RATE; }",
    "parts of a value": "function f() { const { RATE, a: n, ...Shop } = x[0]; return [RATE, n, Shop]; }",
    "parts of any value": "function f(x) { const { RATE, a: n, b: Shop = 1 } = (x = 2); return [RATE, n, Shop]; }",
    "elements of a value": "function f() { const [RATE, { n }, [Shop]] = x(); return [RATE, n, Shop]; }",
    "variables of loops": "function f() { for (const RATE of x) g(RATE); for (const [n, Shop] of x) g(n, Shop); }",
    "parts in loops": "function f() { for (const { RATE, a: n, b: { Shop } } of x) g(RATE, n, Shop); }",
    "a counter": "function f() { for (let n = 0; n < 2; n++) g(n); }",
    "what is caught": "function f() { try { g(); } catch (RATE) { g(RATE); } }",
    "parts of what is caught": "function f() { try { g(); } catch ({ RATE, a: n }) { g(RATE, n); } }",
    "variables of a function that is called at once": "(function () { let RATE = 1; g(RATE); })();",
}
TYPESCRIPT: dict[str, tuple[Files, str]] = {
    "types of parameters and results": (
        in_file("function f(a: Shop, b?: Shop[]): Promise<Shop> { return a; }\n"),
        ", ".join(["b.ts::f types a.ts::Shop 2"] * 3),
    ),
    "types of variables, casts and generics": (
        in_file("const x: Shop = <Shop>y;\nconst z = y as Shop;\nf<Shop>(y);\nlet w = y satisfies Shop | null;\n"),
        "b.ts types a.ts::Shop 4, b.ts::w types a.ts::Shop 5, "
        "b.ts::x types a.ts::Shop 2, b.ts::x types a.ts::Shop 2, b.ts::z types a.ts::Shop 3",
    ),
    "types in types": (
        in_file(
            "type A = { shop: Shop; f(x: Shop): void; [k: string]: Shop };\ntype B = Shop extends infer U ? U : 1;\n"
        ),
        "b.ts::A.<index> types a.ts::Shop 2, b.ts::A.f types a.ts::Shop 2, b.ts::A.shop types a.ts::Shop 2, "
        "b.ts::B types a.ts::Shop 3",
    ),
    "the type of a value": (
        in_file("type A = typeof RATE;\ntype B = keyof typeof RATE;\n"),
        "b.ts::A types a.ts::RATE 2, b.ts::B types a.ts::RATE 3",
    ),
    "a type of a namespace": (
        {"a.ts": "namespace N { export interface Shop {} export const RATE = 1; }\nlet x: N.Shop;\nuse(N.RATE);\n"},
        "a.ts reads a.ts::N 3, a.ts reads a.ts::N.RATE 3, a.ts::x types a.ts::N 2, a.ts::x types a.ts::N.Shop 2",
    ),
    "a type of a module": (
        {**SHOP, "b.ts": "import * as m from './a';\nlet x: m.Shop;\nlet y: import('./a').Shop;\n"},
        "b.ts::x types a.ts::Shop 2, b.ts::y types a.ts::Shop 3",
    ),
    "imported as a type": (
        {**SHOP, "b.ts": "import type { Shop } from './a';\nlet x: Shop;\n"},
        "b.ts::x types a.ts::Shop 2",
    ),
    "members of enumerations": (
        {"a.ts": "enum Size { Small = 1, Big }\nlet x: Size.Small = Size.Big;\n"},
        "a.ts::x reads a.ts::Size 2, a.ts::x reads a.ts::Size.Big 2, "
        "a.ts::x types a.ts::Size 2, a.ts::x types a.ts::Size.Small 2",
    ),
    "a field of a declared type": (
        in_file("function f(x: Shop) { x.rate = x!.rate; }\n"),
        "b.ts::f reads a.ts::Shop.rate 2, b.ts::f types a.ts::Shop 2, b.ts::f writes a.ts::Shop.rate 2",
    ),
    "what is taken out of a value": (
        in_file("function f(x: Shop) {\n  const { rate } = x;\n  const { rate: n = 1 } = x;\n  return [rate, n];\n}\n"),
        "b.ts::f reads a.ts::Shop.rate 3, b.ts::f reads a.ts::Shop.rate 4, b.ts::f types a.ts::Shop 2",
    ),
    "what is taken out of a module": (
        {**SHOP, "b.ts": "import * as m from './a';\nconst { RATE, n: x = 1 } = m;\nuse(RATE);\n"},
        "b.ts reads b.ts::RATE 3, b.ts::x reads a.ts::RATE 2, b.ts::x reads a.ts::n 2",
    ),
    "what is taken out of a parameter": (
        in_file("const f = ({ rate }: Shop) => rate;\nfunction g({ rate: x = 1 }: Shop) { return x; }\n"),
        "b.ts::f reads a.ts::Shop.rate 2, b.ts::f types a.ts::Shop 2, "
        "b.ts::g reads a.ts::Shop.rate 3, b.ts::g types a.ts::Shop 3",
    ),
    "keys of objects whose type is declared": (
        in_file("const x: Shop = { rate: 1 };\nuse({ rate: 2 } as Shop);\nconst y = { rate: 3 } satisfies Shop;\n"),
        "b.ts types a.ts::Shop 3, b.ts writes a.ts::Shop.rate 3, b.ts::x types a.ts::Shop 2, "
        "b.ts::x writes a.ts::Shop.rate 2, b.ts::y types a.ts::Shop 4, b.ts::y writes a.ts::Shop.rate 4",
    ),
    "a decorator, an argument of one, and bases": (
        in_file(
            "function d(x: any) {}\n@d(RATE)\nclass A extends Shop implements Shop {}\nclass B extends Shop<Shop> {}\n"
        ),
        "b.ts::A reads a.ts::RATE 3, b.ts::B types a.ts::Shop 5",
    ),
    "what a class implements, with arguments": (
        in_file("interface I<T> {}\nclass A implements I<Shop> {}\ninterface J extends I<Shop> {}\n"),
        "b.ts::A types a.ts::Shop 3, b.ts::J types a.ts::Shop 4",
    ),
    "exported as a whole": (in_file("export = Shop;\n"), "b.ts exports a.ts::Shop 2"),
    "exported as a type": (in_file("export type { Shop };\n"), "b.ts exports a.ts::Shop 2"),
    "a parameter that is a field": (
        {"a.ts": "class Shop {\n  constructor(private rate = 1) { use(rate); }\n  f() { return this.rate; }\n}\n"},
        "a.ts::Shop.f reads a.ts::Shop.rate 3",
    ),
    "elements of a page": (
        in_file("const f = () => <Shop<Shop> rate={RATE as Shop}>{RATE}</Shop>;\n", "b.tsx"),
        "b.tsx::f reads a.ts::RATE 2, b.tsx::f reads a.ts::RATE 2, "
        "b.tsx::f types a.ts::Shop 2, b.tsx::f types a.ts::Shop 2",
    ),
}
TYPED_LOCALS = {
    "a parameter of a type": "type F = (RATE: number, n?: number, ...Shop: any) => void;",
    "names in types": "type T = [RATE: string, n?: number]; type U = { [RATE: string]: number };",
    "a test of a type": "function f(RATE: any): RATE is string { return !!RATE; }",
    "a parameter of a type of a function": "function f<Shop>(x: Shop): Shop { return x as Shop; }",
    "a parameter of a type of a method": "class A { f<Shop>(x: Shop): Shop[] { return [x]; } }",
    "a parameter of a type of a class": "class A<Shop> { x: Shop; f(y: Shop) {} }",
    "a parameter of a type of an interface": "interface A<Shop> { x: Shop; f(y: Shop): Shop; }",
    "a parameter of a type of a type": "type A<Shop> = Shop | Shop[]; type B = { [Shop in 'a']: Shop };",
    "a type that is inferred": "type A<T> = T extends (infer Shop)[] ? Shop : 1;",
    "a variable with a type": "function f() { const RATE: number = 1, n = 2 as any, Shop = x!; g(RATE, n, Shop); }",
    "parts with types": "function f({ RATE, a: { n } }: any, [Shop]: any) { return [RATE, n, Shop]; }",
    "parts of casts": "function f() { const { RATE, a: n } = x as any; const { Shop } = x!; return [RATE, n, Shop]; }",
    "this": "function f(this: any, RATE = 1) { return RATE; }",
}
MODULE = {"a.ts": "export const RATE = 1;\nexport function tip() {}\nexport default {};\n"}
_VUE = "<script setup>\nconst total = 1, items = [], item = 2;\nfunction save() {}\n</script>\n<template>\n"
_SVELTE = (
    "<script>\nimport { RATE, tip } from './a';\nlet total = 1, items = [], item = 2;\nfunction save() {}\n</script>\n"
)
TEMPLATES = {
    "Vue: text": ("b.vue", "<p>total {{ total < 2 ? `${total}` : 'total' }}</p>", "reads total 6, reads total 6"),
    "Vue: a comment": ("b.vue", "<!-- {{ total }} -->", ""),
    "Vue: attributes": (
        "b.vue",
        """<A :rate="total" v-if="total" v-model="total" :class="{ item: total }" total="total" />""",
        ", ".join(["reads total 6"] * 4),
    ),
    "Vue: handlers": (
        "b.vue",
        """<A @toggle-prod="save" @a="save(item); total++" @b="() => save()" />""",
        "calls save 6, calls save 6, reads item 6, reads save 6, writes total 6",
    ),
    "Vue: a loop": (
        "b.vue",
        """<p v-for="(item, i) in items" :key="item.id" @click="save(item)">{{ item }}</p>{{ item }}""",
        "calls save 6, reads item 6, reads items 6",
    ),
    "Vue: a loop over parts": ("b.vue", """<p v-for="{ item } of items">{{ item }}</p>""", "reads items 6"),
    "Vue: a slot": (
        "b.vue",
        """<A><i #x="{ item }">{{ item }}</i><i v-slot:y="item" :a="item" /></A>{{ item }}""",
        "reads item 6",
    ),
    "Vue: a parameter": ("b.vue", """{{ items.map(item => item + total) }}""", "reads items 6, reads total 6"),
    "Vue: a function": (
        "b.vue",
        "{{ items.map(function f(total) { const save = total; return save; }) }}{{ total }}",
        "reads items 6, reads total 6",
    ),
    "Vue: the name of an element": ("b.vue", '<p ref="item" />', "reads item 6"),
    "Svelte: text and attributes": (
        "b.svelte",
        "<p class='a {total}' {item} on:click={() => save(item)} {...items}>{total > 2 && '{item}'}</p>total",
        "calls save 6, reads item 6, reads item 6, reads items 6, reads total 6, reads total 6",
    ),
    "Svelte: directives": (
        "b.svelte",
        "<p use:tip={RATE} bind:total class:item={total} bind:this={item} />",
        "reads item 6, reads total 6, reads total 6, reads a RATE 6, reads a tip 6",
    ),
    "Svelte: conditions": (
        "b.svelte",
        "{#if total}{item}{:else if RATE}{item}{:else}{/if}",
        "reads item 6, reads item 6, reads total 6, reads a RATE 6",
    ),
    "Svelte: a loop": (
        "b.svelte",
        "{#each items as item, i (item.id)}{#if total}{item}{/if}{item}{/each}{item}",
        "reads item 6, reads items 6, reads total 6",
    ),
    "Svelte: a promise": (
        "b.svelte",
        "{#await items}{total}{:then item}{item}{/await}",
        "reads items 6, reads total 6",
    ),
    "Svelte: tags": (
        "b.svelte",
        "{@html total}{@const x = item}{x}{#snippet row(item)}{item}{/snippet}{@render row(item)}",
        "reads item 6, reads item 6, reads total 6",
    ),
    "Svelte: the value of a store": ("b.svelte", "{$total} {$total.x}", "reads total 6, reads total 6"),
    "Svelte: scripts and styles": ("b.svelte", "<style>p { total: item }</style>", ""),
}
_COMPONENTS = {
    "Astro": (
        {
            **MODULE,
            "b.astro": "---\nimport A, { RATE } from './a';\nconst total = 1;\nconst items = [];\n---\n"
            "<A rate={RATE} {...items}>{total > 1 && <b>{total}</b>}</A>\n"
            "{items.map((total) => <li title={RATE}>{total}</li>)}\n",
        },
        "b.astro reads a.ts::RATE 6, b.astro reads a.ts::RATE 7, b.astro reads a.ts::default 6, "
        "b.astro reads b.astro::items 6, b.astro reads b.astro::items 7, "
        "b.astro reads b.astro::total 6, b.astro reads b.astro::total 6",
    ),
    "HTML": (
        {
            "a.html": "<p onclick=\"save(total)\" title='total'></p>\n"
            "<script>\nlet total = 1;\nfunction save() {}\n</script>\n"
        },
        "a.html reads a.html::total 1",
    ),
    "a component with options": (
        {
            "a.vue": '<template><p @click="save" :a="total">{{ total }}</p></template>\n<script>\nexport default {\n'
            "  computed: { total() { return 1; } },\n  methods: { save() {} },\n};\n</script>\n"
        },
        "a.vue reads a.vue::default.computed.total 1, a.vue reads a.vue::default.computed.total 1, "
        "a.vue reads a.vue::default.methods.save 1",
    ),
    "components that are used": (
        {
            "A.vue": "<script>\nexport default { name: 'A' };\n</script>\n",
            "b.vue": "<script setup>\nimport A from './A.vue';\n</script>\n<template><A></A><A /></template>\n",
        },
        "b.vue reads A.vue::default 4, b.vue reads A.vue::default 4",
    ),
    "a component in a language of its own": (
        {
            "b.vue": "<template><p>{{ total as Total }}</p></template>\n"
            '<script setup lang="ts">\ntype Total = number;\nconst total: Total = 1;\n</script>\n'
        },
        "b.vue reads b.vue::total 1, b.vue types b.vue::Total 1, b.vue::total types b.vue::Total 4",
    ),
}
CASES = {
    **_COMPONENTS,
    **{f"JavaScript: {name}": case for name, case in JAVASCRIPT.items()},
    **{f"TypeScript: {name}": case for name, case in TYPESCRIPT.items()},
    **{f"JavaScript, local: {name}": (in_file(f"{one}\n", "b.js"), "") for name, one in LOCALS.items()},
    **{f"TypeScript, local: {name}": (in_file(f"{one}\n"), "") for name, one in {**LOCALS, **TYPED_LOCALS}.items()},
    **{f"TSX, local: {name}": (in_file(f"{one}\n", "b.tsx"), "") for name, one in LOCALS.items()},
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES.keys())
def test_occurrences(files: Files, expected: str) -> None:
    assert list_occurrences(files) == expected


@pytest.mark.parametrize(("path", "markup", "expected"), TEMPLATES.values(), ids=TEMPLATES.keys())
def test_templates(path: str, markup: str, expected: str) -> None:
    """The names of the file's own definitions, and with the module's name those of the module."""
    script = _SVELTE if path.endswith(".svelte") else _VUE
    snapshot = Snapshot({**MODULE, path: f"{script}{markup}\n"})
    resolver = resolver_of(snapshot)
    found = []
    for edge in resolve_file(snapshot, resolver, path).edges:
        used = next(
            (one for file in snapshot.paths() for one in snapshot.inside(file) if one.identity == edge.used), None
        )
        if edge.line > 5 and used is not None:
            module = "a " if used.path == "a.ts" else ""
            found.append(f"{edge.edge} {module}{used.name} {edge.line}")
    assert ", ".join(sorted(found, key=lambda one: (" a " in one, one))) == expected
