"""Who is who, over files that changed together.

A case says what has moved or been renamed, what is gone and what is born; everything else must be paired with what has
its place and name.
"""

from __future__ import annotations

import re
from textwrap import dedent
from typing import NamedTuple

import pytest

from birthmark.languages.registry import load_registry
from birthmark.matching.model import MatchCandidate, Pairing
from birthmark.matching.pair import pair_entities
from birthmark.matching.similarity import Tokens, tokens_in
from birthmark.vocabulary import Confidence, Evidence
from reading import read

Files = dict[str, str]


class Case(NamedTuple):
    before: Files
    after: Files
    moved: dict[str, str] | None = None
    gone: str = ""
    born: str = ""
    ambiguous: dict[str, str] | None = None


def subjects_of(files: Files) -> list[MatchCandidate]:
    subjects: list[MatchCandidate] = []
    for path, source in files.items():
        spec = load_registry().of_path(path)
        assert spec is not None
        reading = read(spec.name, dedent(source), path)
        first = len(subjects)
        for entity, fingerprint, weight in zip(reading.entities, reading.fingerprints, reading.weights, strict=True):
            subjects.append(
                MatchCandidate(
                    f"{path}::{entity.qualified_name}",
                    path,
                    entity.kind,
                    entity.name,
                    entity.parent,
                    entity.start_line,
                    entity.end_line,
                    fingerprint.content,
                    fingerprint.interface,
                    fingerprint.body,
                    load_registry().family_of(entity.language),
                    weight,
                    first + entity.container if entity.container >= 0 else -1,
                    entity.start_byte,
                    entity.end_byte,
                )
            )
    return subjects


def tokens_of(files: Files) -> Tokens:
    return lambda subject: tokens_in(dedent(files[subject.path]).encode()[subject.start_byte : subject.end_byte])


def pair(before: Files, after: Files) -> tuple[list[MatchCandidate], list[MatchCandidate], Pairing]:
    old, new = subjects_of(before), subjects_of(after)
    tokens = tokens_of(before), tokens_of(after)
    files = dict.fromkeys(before), dict.fromkeys(after)
    return old, new, pair_entities(old, new, tokens=tokens, files=files)


def check(case: Case) -> None:
    old, new, pairing = pair(case.before, case.after)
    moved = {old[p.old].id: new[p.new].id for p in pairing.pairs if old[p.old].id != new[p.new].id}
    assert moved == (case.moved or {})
    assert [old[index].id for index in pairing.deleted] == case.gone.split()
    assert [new[index].id for index in pairing.born] == case.born.split()
    ties = {new[tie].id: " ".join(old[index].id for index in olds) for tie, olds in pairing.ambiguous.items()}
    assert ties == (case.ambiguous or {})


AREA = "return math.pi * radius * radius + offset\n"
TOTAL = "return sum(item.price * item.count for item in basket)\n"
STEP = "y = 3 + x\ny += offset\nreturn y * scale\n"
NEXT_STEP = "y = 4 + x\ny += offset\ny += margin\nreturn y * scale\n"
LOG = "return log.append(x, y)\n"
GREET = "print('Good morning', name.title(), 'and welcome')\n"
ELM = "assert parse(read(elm), 9) == Tree(elm)\nassert forest.find(elm).height == 30\n"


def fn(name: str, body: str, parameters: str = "") -> str:
    return f"def {name}({parameters}):\n" + "".join(f"    {line.strip()}\n" for line in body.splitlines())


def cls(name: str, *members: str) -> str:
    return f"class {name}:\n" + "".join("    " + line + "\n" for member in members for line in member.splitlines())


PYTHON = {
    "renamed in its place": Case(
        {"a.py": fn("area", AREA) + fn("total", TOTAL)},
        {"a.py": fn("surface", AREA) + fn("total", TOTAL)},
        {"a.py::area": "a.py::surface"},
    ),
    "renamed and edited": Case(
        {"a.py": fn("load_config", "text = open(path).read()\nreturn json.loads(text)\n")},
        {"a.py": fn("load_settings", "text = open(path).read()\ncheck(text)\nreturn json.loads(text)\n")},
        {"a.py::load_config": "a.py::load_settings"},
    ),
    "gone, and another of its family is new in another file": Case(
        {"a.py": fn("step_one", STEP), "b.py": fn("step_two", STEP)},
        {"b.py": fn("step_two", NEXT_STEP), "c.py": fn("step_three", NEXT_STEP)},
        gone="a.py::step_one",
        born="c.py::step_three",
    ),
    "no other of its family is there": Case(
        {"a.py": fn("step_one", STEP + LOG), "b.py": fn("area", AREA)},
        {"b.py": fn("area", AREA), "c.py": fn("step_three", NEXT_STEP + LOG)},
        {"a.py::step_one": "c.py::step_three"},
    ),
    "moved to another file": Case(
        {"a.py": fn("area", AREA) + fn("total", TOTAL), "b.py": fn("greet", GREET)},
        {"a.py": fn("total", TOTAL), "b.py": fn("greet", GREET) + fn("area", AREA)},
        {"a.py::area": "b.py::area"},
    ),
    "moved and edited": Case(
        {"a.py": fn("area", AREA) + fn("total", TOTAL), "b.py": fn("greet", GREET)},
        {"a.py": fn("total", TOTAL), "b.py": fn("greet", GREET) + fn("area", AREA.replace("offset", "margin"))},
        {"a.py::area": "b.py::area"},
    ),
    "moved and renamed": Case(
        {"a.py": fn("total", TOTAL * 2) + fn("area", AREA), "b.py": fn("greet", GREET)},
        {"a.py": fn("area", AREA), "b.py": fn("greet", GREET) + fn("amount", TOTAL * 2)},
        {"a.py::total": "b.py::amount"},
    ),
    "a file renamed brings everything, however light": Case(
        {"a.py": "X = 1\nY = 2\n" + fn("nothing", "pass\n") + fn("area", AREA) + cls("E", "pass")},
        {"lib/b.py": "X = 1\nY = 2\n" + fn("nothing", "pass\n") + fn("area", AREA) + cls("E", "pass")},
        {f"a.py::{name}": f"lib/b.py::{name}" for name in ("X", "Y", "nothing", "area", "E")},
    ),
    "a file of nothing but light ones": Case(
        {"a.py": "X = 1\nY = 2\nZ = 3\n"},
        {"b.py": "X = 1\nY = 2\nZ = 3\n"},
        {f"a.py::{name}": f"b.py::{name}" for name in "XYZ"},
    ),
    "a file renamed with twins in it": Case(
        {"a.py": fn("area", AREA) + fn("area", AREA)},
        {"b.py": fn("area", AREA) + fn("area", AREA)},
        {"a.py::area": "b.py::area"},
    ),
    "a file renamed and edited": Case(
        {"a.py": fn("area", AREA) + fn("total", TOTAL) + fn("greet", "pass\n")},
        {"b.py": fn("area", AREA) + fn("total", TOTAL) + fn("greet", GREET)},
        {f"a.py::{name}": f"b.py::{name}" for name in ("area", "total", "greet")},
    ),
    "a folder renamed, with files that are all alike": Case(
        {"p/m.py": fn("area", AREA), "p/__init__.py": "V = 1\n", "p/q/__init__.py": "V = 1\n", "p/q/n.py": "V = 1\n"},
        {"r/m.py": fn("area", AREA), "r/__init__.py": "V = 1\n", "r/q/__init__.py": "V = 1\n", "r/q/n.py": "V = 1\n"},
        {
            "p/m.py::area": "r/m.py::area",
            "p/__init__.py::V": "r/__init__.py::V",
            "p/q/__init__.py::V": "r/q/__init__.py::V",
            "p/q/n.py::V": "r/q/n.py::V",
        },
    ),
    "files that are all alike get another extension": Case(
        {f"{name}.js": "var app = start();\nfunction run(a) { return a }\n" for name in "ab"},
        {f"{name}.ts": "var app = start();\nfunction run(a: any) { return (a) }\n" for name in "ab"},
        {f"{name}.js::{own}": f"{name}.ts::{own}" for name in "ab" for own in ("app", "run")},
    ),
    "another language of the same name": Case(
        {"a.js": "var app = start();\n"}, {"a.py": "app = start()\n"}, gone="a.js::app", born="a.py::app"
    ),
    "a file gone, another there with little in common": Case(
        {"a.py": "X = 1\n" + fn("main", AREA) + fn("area", AREA)},
        {"b.py": "X = 1\n" + fn("main", GREET) + fn("greet", GREET) + fn("total", TOTAL)},
        gone="a.py::X a.py::main a.py::area",
        born="b.py::X b.py::main b.py::greet b.py::total",
    ),
    "two files exchange their paths": Case(
        {"a.py": "X = 1\n" + fn("run", AREA) + fn("stop", TOTAL), "b.py": "X = 2\n" + fn("run", GREET * 2)},
        {"b.py": "X = 1\n" + fn("run", AREA) + fn("stop", TOTAL), "a.py": "X = 2\n" + fn("run", GREET * 2)},
        {
            "a.py::X": "b.py::X",
            "a.py::run": "b.py::run",
            "a.py::stop": "b.py::stop",
            "b.py::X": "a.py::X",
            "b.py::run": "a.py::run",
        },
    ),
    "another file takes the path of a renamed one": Case(
        {"a.py": fn("run", AREA) + fn("stop", TOTAL)},
        {"b.py": fn("run", AREA) + fn("stop", TOTAL), "a.py": fn("run", GREET)},
        {"a.py::run": "b.py::run", "a.py::stop": "b.py::stop"},
        born="a.py::run",
    ),
    "two of one name change places, their files stay": Case(
        {"a.py": fn("run", AREA) + fn("one", GREET), "b.py": fn("run", TOTAL) + fn("two", GREET)},
        {"a.py": fn("run", TOTAL) + fn("one", GREET), "b.py": fn("run", AREA) + fn("two", GREET)},
        {"a.py::run": "b.py::run", "b.py::run": "a.py::run"},
    ),
    "what moved out and left a door keeps its place": Case(
        {"a.py": fn("area", AREA) + fn("total", TOTAL), "b.py": fn("greet", GREET)},
        {"a.py": fn("area", "return b.area()\n") + fn("total", TOTAL), "b.py": fn("greet", GREET) + fn("area", AREA)},
        born="b.py::area",
    ),
    "a class renamed keeps its members": Case(
        {"a.py": cls("A", fn("area", AREA), fn("total", TOTAL), fn("x", "return 1"), cls("I", "y = 1"))},
        {"a.py": cls("B", fn("area", AREA), fn("total", TOTAL), fn("x", "return 2"), cls("I", "y = 2"))},
        {
            "a.py::A": "a.py::B",
            "a.py::A.area": "a.py::B.area",
            "a.py::A.total": "a.py::B.total",
            "a.py::A.x": "a.py::B.x",
            "a.py::A.I": "a.py::B.I",
            "a.py::A.I.y": "a.py::B.I.y",
        },
    ),
    "a class moved and edited": Case(
        {"a.py": cls("A", fn("area", AREA), fn("x", "return 1")) + fn("total", TOTAL), "b.py": fn("greet", GREET)},
        {"a.py": fn("total", TOTAL), "b.py": fn("greet", GREET) + cls("A", fn("area", AREA), fn("x", "return 2"))},
        {"a.py::A": "b.py::A", "a.py::A.area": "b.py::A.area", "a.py::A.x": "b.py::A.x"},
    ),
    "a method moved to another class": Case(
        {"a.py": cls("A", fn("area", AREA), fn("greet", GREET)) + cls("B", fn("total", TOTAL))},
        {"a.py": cls("A", fn("greet", GREET)) + cls("B", fn("total", TOTAL), fn("area", AREA))},
        {"a.py::A.area": "a.py::B.area"},
    ),
    "a function becomes a method": Case(
        {"a.py": fn("area", AREA, "radius") + cls("B", fn("total", TOTAL))},
        {"a.py": cls("B", fn("total", TOTAL), fn("area", AREA, "self, radius"))},
        {"a.py::area": "a.py::B.area"},
    ),
    "light ones go with heavy ones": Case(
        {"a.py": "LIMIT = 9\n" + fn("area", AREA) + fn("total", TOTAL), "b.py": fn("greet", GREET)},
        {"a.py": fn("total", TOTAL), "b.py": "LIMIT = 9\n" + fn("greet", GREET) + fn("area", AREA)},
        {"a.py::LIMIT": "b.py::LIMIT", "a.py::area": "b.py::area"},
    ),
    "a small function goes alone": Case(
        {"a.py": "def half(x):\n    return x / 2\n" + fn("area", AREA), "b.py": fn("greet", GREET)},
        {"a.py": fn("area", AREA), "b.py": fn("greet", GREET) + "def half(x):\n    return x / 2\n"},
        {"a.py::half": "b.py::half"},
    ),
    "a small constant with a name of its own goes alone": Case(
        {"a.py": "MAX_RETRIES = 3\n" + fn("area", AREA), "b.py": fn("greet", GREET)},
        {"a.py": fn("area", AREA), "b.py": "MAX_RETRIES = 3\n" + fn("greet", GREET)},
        {"a.py::MAX_RETRIES": "b.py::MAX_RETRIES"},
    ),
    "a constant that every file has goes nowhere": Case(
        {"a.py": "X = 1\n" + fn("area", AREA), "b.py": fn("greet", GREET)},
        {"a.py": fn("area", AREA), "b.py": "X = 1\n" + fn("greet", GREET)},
        gone="a.py::X",
        born="b.py::X",
    ),
    "a getter that every class has goes nowhere": Case(
        {"a.py": cls("A", fn("area", AREA), fn("name", "return self.n\n")), "b.py": cls("B", fn("greet", GREET))},
        {"a.py": cls("A", fn("area", AREA)), "b.py": cls("B", fn("greet", GREET), fn("name", "return self.n\n"))},
        gone="a.py::A.name",
        born="b.py::B.name",
    ),
    "nested functions go with theirs": Case(
        {"a.py": "def f():\n    def g():\n        pass\n    " + AREA + "    return g\n"},
        {"b.py": "def f():\n    def g():\n        pass\n    " + AREA + "    return g\n"},
        {"a.py::f": "b.py::f", "a.py::f.g": "b.py::f.g"},
    ),
    "a constant gone, another there": Case({"a.py": 'X = 1\nY = "z"\n'}, {"a.py": 'Y = "z"\n'}, gone="a.py::X"),
    "a constant gone, its value again": Case(
        {"a.py": 'X = 1\nY = "z"\n'}, {"a.py": 'Y = "z"\nZ = 1\n'}, gone="a.py::X", born="a.py::Z"
    ),
    "an empty class gone, another born": Case(
        {"a.py": cls("Cold", "pass")}, {"a.py": cls("Warm", "pass")}, gone="a.py::Cold", born="a.py::Warm"
    ),
    "an empty class moved": Case(
        {"a.py": cls("Cold", "pass") + fn("area", AREA), "b.py": fn("greet", GREET)},
        {"a.py": fn("area", AREA), "b.py": fn("greet", GREET) + cls("Cold", "pass")},
        {"a.py::Cold": "b.py::Cold"},
    ),
    "a getter gone, its like in another class": Case(
        {"a.py": cls("A", fn("name", "return self._name"), fn("area", AREA)) + cls("B", fn("total", TOTAL))},
        {"a.py": cls("A", fn("area", AREA)) + cls("B", fn("total", TOTAL), fn("name", "return self._name"))},
        gone="a.py::A.name",
        born="a.py::B.name",
    ),
    "a copy is born": Case(
        {"a.py": fn("area", AREA), "b.py": fn("greet", GREET)},
        {"a.py": fn("area", AREA), "b.py": fn("greet", GREET) + fn("area", AREA)},
        born="b.py::area",
    ),
    "one gone, two copies elsewhere": Case(
        {"a.py": fn("area", AREA) + fn("x", GREET), "b.py": fn("y", TOTAL), "c.py": fn("z", TOTAL)},
        {
            "a.py": fn("x", GREET),
            "b.py": fn("y", TOTAL) + fn("area", AREA),
            "c.py": fn("z", TOTAL) + fn("area", AREA),
        },
        gone="a.py::area",
        born="b.py::area c.py::area",
        ambiguous={"b.py::area": "a.py::area", "c.py::area": "a.py::area"},
    ),
    "two gone, one elsewhere": Case(
        {"a.py": fn("area", AREA) + fn("x", GREET), "b.py": fn("area", AREA) + fn("y", TOTAL), "c.py": "Z = 1\n"},
        {"a.py": fn("x", GREET), "b.py": fn("y", TOTAL), "c.py": "Z = 1\n" + fn("area", AREA)},
        gone="a.py::area b.py::area",
        born="c.py::area",
        ambiguous={"c.py::area": "a.py::area b.py::area"},
    ),
    "the file's name decides between twins": Case(
        {"x/a.py": fn("area", AREA) + fn("x", GREET), "x/b.py": fn("area", AREA) + fn("y", TOTAL)},
        {"x/a.py": fn("x", GREET), "x/b.py": fn("y", TOTAL), "z/a.py": fn("area", AREA), "z/b.py": fn("area", AREA)},
        {"x/a.py::area": "z/a.py::area", "x/b.py::area": "z/b.py::area"},
    ),
    "a helper carved out of one that is renamed too": Case(
        {
            "a.py": """\
                def report(orders):
                    lines = []
                    for order in orders:
                        amount = order.price * order.count
                        tax = amount * rates[order.country]
                        lines.append((order.number, amount, tax))
                    lines.sort(key=first)
                    return render('report.html', lines=lines, today=today())
                """
        },
        {
            "a.py": """\
                def tax_of(order):
                    amount = order.price * order.count
                    return amount, amount * rates[order.country]
                def make_report(orders):
                    lines = []
                    for order in orders:
                        amount, tax = tax_of(order)
                        lines.append((order.number, amount, tax))
                    lines.sort(key=first)
                    return render('report.html', lines=lines, today=today())
                """
        },
        {"a.py::report": "a.py::make_report"},
        born="a.py::tax_of",
    ),
    "a near copy of one that goes on": Case(
        {"a.py": fn("test_oak", ELM.replace("elm", "oak").replace("30", "9")) + fn("test_elm", ELM)},
        {"a.py": fn("test_elm", ELM) + fn("test_elms", ELM + "assert forest\n")},
        gone="a.py::test_oak",
        born="a.py::test_elms",
    ),
    "most has moved out, the rest stayed": Case(
        {"a.py": fn("run", AREA) + fn("stop", TOTAL) + fn("keep", "pass\n")},
        {"a.py": fn("keep", GREET), "b.py": fn("run", AREA) + fn("stop", TOTAL)},
        {"a.py::run": "b.py::run", "a.py::stop": "b.py::stop"},
    ),
    "a class gone, one of its methods in a new one": Case(
        {"a.py": cls("A", fn("area", AREA), fn("total", TOTAL * 2))},
        {"a.py": cls("B", fn("area", AREA), fn("greet", GREET), fn("ask", "return input(question).strip().lower()"))},
        {"a.py::A.area": "a.py::B.area"},
        gone="a.py::A a.py::A.total",
        born="a.py::B a.py::B.greet a.py::B.ask",
    ),
    "neighbours decide between twins": Case(
        {"a.py": cls("A", fn("x", AREA), fn("f", TOTAL), fn("y", GREET), fn("g", TOTAL), fn("z", ELM))},
        {"a.py": cls("A", fn("x", AREA), fn("k", TOTAL), fn("y", GREET), fn("l", TOTAL), fn("z", ELM))},
        {"a.py::A.f": "a.py::A.k", "a.py::A.g": "a.py::A.l"},
    ),
    "a name in common makes up for an edit": Case(
        {"a.py": fn("load_user_names", "users = open(path).read()\nreturn users.split()\n")},
        {"a.py": fn("load_user_name_list", "users = fetch(path, retries=3)\nreturn sorted(users.split(comma))\n")},
        {"a.py::load_user_names": "a.py::load_user_name_list"},
    ),
    "that edit under no such name": Case(
        {"a.py": fn("load_user_names", "users = open(path).read()\nreturn users.split()\n")},
        {"a.py": fn("everybody", "found = fetch(path, retries=3)\nreturn sorted(found.split(comma))\n")},
        gone="a.py::load_user_names",
        born="a.py::everybody",
    ),
}

JAVA = "class A { int n; A(int n) { this.n = n; } int sum() { return compute(n, n + 1, n + 2, n + 3); } }"
GO = "package p\ntype Old struct { n int; names []string; tags map[string]string }\nfunc (o Old) N() int { return 1 }\n"
RUST = "pub fn area(r: f64) -> f64 { 3.14159 * r * r + offset_of_everything(r) }"
RUST_TYPES = "pub struct A { name: String, n: u32 }\npub struct C { name: String, m: u64 }\n"
GETTER = "String getConfigurationName() { return this.configurationName.trim(); }"
C_POINTERS = "static int (*real_open)(const char *, int);\nstatic size_t (*real_fwrite)(void *, size_t, FILE *);\n"
C_MOVED = "static size_t (*real_fread)(void *, size_t, FILE *);\n"
C_NODE = "typedef struct node {\n    int value;\n    struct node *next;\n} node;\n"
GO_SERVER = "package p\ntype Server struct {\n\tLog Log\n\tname string\n}\n"
CPP_MOCK = "struct test_mock {\n  static test_mock* instance;\n}* test_mock::instance;\nint n = sizeof(test_mock);\n"
JS_RUN = "var app = start();\nfunction run(a, b) {{ {} return a {} b; }}\n"
JS_REGISTRY = """class Registry {
  add(...args) { this.each('register', args); }
  remove(...args) { this.each('unregister', args); }
  beforeFit() { call(this.options.beforeFit, [this]); }
  afterFit() { call(this.options.afterFit, [this]); }
  each(method, args) { args.forEach(arg => this.exec(method, arg)); }
}
"""
JS_NAMES = {
    "Registry": "Grove", "add": "larch", "remove": "knoll", "beforeFit": "haven", "afterFit": "inlet", "each": "cedar",
}  # fmt: skip
RUN, STOP = "int run() { return compute(n, 7); }", "int stop() { return other(m, 9); }"

LEDGER = """class Account:
    def __init__(self, owner):
        self.owner = owner
        self.entries = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError(amount)
        self.entries.append(amount)

    def balance(self):
        return sum(self.entries)
"""
OTHERS = {
    "members spelled with an underscore, with what they call": Case(
        {"a.js": "class A { onPop() { this.remove(0, 1); } onPush() { this.insert(0, 1); } f() { return 1; } }\n"},
        {"a.js": "class A { _onPop() { this._remove(0, 1); } _onPush() { this._insert(0, 1); } f() { return 1; } }\n"},
        {"a.js::A.onPop": "a.js::A._onPop", "a.js::A.onPush": "a.js::A._onPush"},
    ),
    "another spelling of something else": Case(
        {"a.py": "def get_total(a, b):\n    return a + b\n"},
        {"a.py": "def getTotal(request):\n    cache.open(request.path, flush=True)\n    log('opened', level=3)\n"},
        gone="a.py::get_total",
        born="a.py::getTotal",
    ),
    "a constant is exported where it goes": Case(
        {"a.js": "const TWO_THIRDS = PI * 2 / 3;\nf();\n", "b.js": "const PI = 3;\n"},
        {"a.js": "f();\n", "b.js": "const PI = 3;\nexport const TWO_THIRDS = PI * 2 / 3;\n"},
        {"a.js::TWO_THIRDS": "b.js::TWO_THIRDS"},
    ),
    "a small function goes into another one": Case(
        {"a.py": "def test():\n  def index():\n    1 // 0\n  return index\n"},
        {"a.py": "def test():\n  def run():\n    def index():\n      1 // 0\n    return index\n  return run\n"},
        {"a.py::test.index": "a.py::test.run.index"},
        born="a.py::test.run",
    ),
    "JavaScript becomes TypeScript": Case(
        {"a.js": "function area(r) { return Math.PI * r * r + offset(r); }\nconst LIMIT = 3;\n"},
        {"a.ts": "function area(r: number) { return Math.PI * r * r + offset(r); }\nconst LIMIT = 3;\n"},
        {"a.js::area": "a.ts::area", "a.js::LIMIT": "a.ts::LIMIT"},
    ),
    "languages do not mix": Case(
        {"a.js": "const limits = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110];\n", "b.py": "X = 1\n"},
        {"b.py": "X = 1\nlimits = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110]\n"},
        gone="a.js::limits",
        born="b.py::limits",
    ),
    "nor do constants that are short and written alike": Case(
        {"a.py": "LIMITS = [10, 20]\n", "b.rb": "x = 1\n"},
        {"a.py": "", "b.rb": "x = 1\nLIMITS = [10, 20]\n"},
        gone="a.py::LIMITS",
        born="b.rb::LIMITS",
    ),
    "nor do values in two languages of one file": Case(
        {"a.md": "```python\nOLD_LIMIT = 1\nprint(OLD_LIMIT)\n```\n"},
        {"a.md": "```ruby\nNEW_LIMIT = 1\nprint(NEW_LIMIT)\n```\n"},
        gone="a.md::OLD_LIMIT",
        born="a.md::NEW_LIMIT",
    ),
    "a Java class renamed with its file and constructor": Case(
        {"A.java": JAVA},
        {"B.java": JAVA.replace("A", "B")},
        {
            "A.java::A": "B.java::B",
            "A.java::A.n": "B.java::B.n",
            "A.java::A.A": "B.java::B.B",
            "A.java::A.sum": "B.java::B.sum",
        },
    ),
    "a constructor rewritten while its class is renamed": Case(
        {"A.java": JAVA},
        {"A.java": JAVA.replace("A", "B").replace("int n) { this.n = n;", "String text) { load(text).apply(text);")},
        {f"A.java::A{name}": f"A.java::B{name.replace('A', 'B')}" for name in ("", ".n", ".A", ".sum")},
    ),
    "an empty class renamed with its file": Case(
        {"OldInputForTheUseStyle.java": "@Deprecated public class OldInputForTheUseStyle {}"},
        {"InputForTheUseStyle.java": "@Deprecated public class InputForTheUseStyle {}"},
        {"OldInputForTheUseStyle.java::OldInputForTheUseStyle": "InputForTheUseStyle.java::InputForTheUseStyle"},
    ),
    "an overload gone, another born far away": Case(
        {"A.java": "class A {\n void f(int a) { one(a); }\n void f(long a) { two(a); }\n}"},
        {"A.java": "class A {\n void f(int a) { one(a); }" + "\n" * 30 + "void f(String s, Map m) { s.trim(m); }\n}"},
        gone="A.java::A.f",
        born="A.java::A.f",
    ),
    "Java overloads stay apart": Case(
        {"A.java": "class A {\n void f(int a) { one(a); }\n void f(long a) { two(a); }\n}"},
        {"A.java": "class A {\n void f(long a) { two(a, 2); }\n void f(int a) { one(a, 1); }\n}"},
    ),
    "Go methods know their type by its name": Case(
        {"a.go": GO},
        {"a.go": GO.replace("Old", "New").replace("1", "2")},
        {
            "a.go::Old": "a.go::New",
            "a.go::Old.n": "a.go::New.n",
            "a.go::Old.names": "a.go::New.names",
            "a.go::Old.tags": "a.go::New.tags",
            "a.go::Old.N": "a.go::New.N",
        },
    ),
    "a Go getter goes, another comes in a new file": Case(
        {"a.go": "package p\ntype A struct { name string }\nfunc (s A) Name() string { return s.name }\n"},
        {"c.go": "package p\ntype C struct { size int; tags []int }\nfunc (s C) Title() string { return s.name }\n"},
        gone="a.go::A a.go::A.name a.go::A.Name",
        born="c.go::C c.go::C.size c.go::C.tags c.go::C.Title",
    ),
    "a Go getter goes, its namesake of another type comes, and both types stay": Case(
        {"a.go": "package p\ntype A int\ntype C int\n", "x.go": "package p\nfunc (s A) N() int { return s.n }\n"},
        {"a.go": "package p\ntype A int\ntype C int\n", "y.go": "package p\nfunc (s C) N() int { return s.n }\n"},
        gone="x.go::A.N",
        born="y.go::C.N",
    ),
    "a Rust getter goes, another comes in another type": Case(
        {"a.rs": RUST_TYPES + "impl A { fn name(&self) -> &str { &self.name } }\n"},
        {"a.rs": RUST_TYPES + "impl C { fn title(&self) -> &str { &self.name } }\n"},
        gone="a.rs::A a.rs::A.name",
        born="a.rs::C a.rs::C.title",
    ),
    "a Rust getter goes, its namesake of another type comes, and both types stay": Case(
        {"a.rs": RUST_TYPES + "impl A { fn name(&self) -> &str { &self.name } }\n"},
        {"a.rs": RUST_TYPES + "impl C { fn name(&self) -> &str { &self.name } }\n"},
        gone="a.rs::A a.rs::A.name",
        born="a.rs::C a.rs::C.name",
    ),
    "a Rust type renamed with its impl": Case(
        {"a.rs": "pub struct Old { names: Vec<String> }\nimpl Old { fn names(&self) -> &str { &self.names } }\n"},
        {"a.rs": "pub struct New { names: Vec<String> }\nimpl New { fn names(&self) -> &str { &self.names } }\n"},
        {"a.rs::Old": "a.rs::New", "a.rs::Old.names": "a.rs::New.names"},
    ),
    "a Java getter of a few words goes, another comes in another class": Case(
        {"A.java": f"class A {{ {RUN} {GETTER} }}\nclass B {{ {STOP} }}"},
        {"A.java": f"class A {{ {RUN} }}\nclass B {{ {STOP} {GETTER.replace('getConfigurationName', 'getTitle')} }}"},
        gone="A.java::A.getConfigurationName",
        born="A.java::B.getTitle",
    ),
    "a Java getter of a few words keeps its name in another class": Case(
        {"A.java": f"class A {{ {RUN} {GETTER} }}\nclass B {{ {STOP} }}"},
        {"A.java": f"class A {{ {RUN} }}\nclass B {{ {STOP} {GETTER} }}"},
        {"A.java::A.getConfigurationName": "A.java::B.getConfigurationName"},
    ),
    "a Rust struct becomes an enum": Case(
        {"a.rs": "pub struct Shape { side: u32 }\n"},
        {"a.rs": "pub enum Shape { Square, Round }\n"},
        gone="a.rs::Shape.side",
        born="a.rs::Shape.Square a.rs::Shape.Round",
    ),
    "a declaration without a value moves, among others like it": Case(
        {"a.c": f"{C_POINTERS}{C_MOVED}int main(void) {{ return 0; }}\n", "b.c": "int other(void) { return 1; }\n"},
        {"a.c": f"{C_POINTERS}int main(void) {{ return 0; }}\n", "b.c": f"{C_MOVED}int other(void) {{ return 1; }}\n"},
        {"a.c::real_fread": "b.c::real_fread"},
    ),
    "an empty list of some type moves": Case(
        {"a.ts": "const NO_ISSUES: errors.RawIssue[] = [];\nconst A = 1;\n", "b.ts": "const B = 2;\n"},
        {"a.ts": "const A = 1;\n", "b.ts": "const B = 2;\nconst NO_ISSUES: errors.RawIssue[] = [];\n"},
        {"a.ts::NO_ISSUES": "b.ts::NO_ISSUES"},
    ),
    "what says as little as any other does not": Case(
        {"a.c": "int n;\nint main(void) { return 0; }\n", "b.c": "int other(void) { return 1; }\n"},
        {"a.c": "int main(void) { return 0; }\n", "b.c": "int n;\nint other(void) { return 1; }\n"},
        gone="a.c::n",
        born="b.c::n",
    ),
    "a C struct renamed with its typedef": Case(
        {"a.c": C_NODE},
        {"a.c": C_NODE.replace("node", "link")},
        {"a.c::node": "a.c::link", "a.c::node.value": "a.c::link.value", "a.c::node.next": "a.c::link.next"},
    ),
    "a Go field named like its type, the type renamed": Case(
        {"a.go": "package p\ntype Log struct { n int }\n", "b.go": GO_SERVER},
        {"a.go": "package p\ntype Trace struct { n int }\n", "b.go": GO_SERVER.replace("Log", "Trace")},
        {"a.go::Log": "a.go::Trace", "a.go::Log.n": "a.go::Trace.n", "b.go::Server.Log": "b.go::Server.Trace"},
    ),
    "a C++ struct that is known by its uses alone": Case(
        {"a.cpp": CPP_MOCK},
        {"a.cpp": CPP_MOCK.replace("test_mock", "fake")},
        {"a.cpp::test_mock": "a.cpp::fake", "a.cpp::test_mock.instance": "a.cpp::fake.instance"},
    ),
    "a small method renamed and edited in its place, as its class is renamed": Case(
        {"a.py": LEDGER},
        {
            "a.py": LEDGER.replace("Account", "Ledger")
            .replace("balance", "total")
            .replace("entries)", "entries, start=0)")
        },
        {
            "a.py::Account": "a.py::Ledger",
            "a.py::Account.__init__": "a.py::Ledger.__init__",
            "a.py::Account.owner": "a.py::Ledger.owner",
            "a.py::Account.entries": "a.py::Ledger.entries",
            "a.py::Account.deposit": "a.py::Ledger.deposit",
            "a.py::Account.balance": "a.py::Ledger.total",
        },
    ),
    "a class renamed with all its small methods": Case(
        {"a.js": JS_REGISTRY},
        {"a.js": "".join(JS_NAMES.get(word, word) for word in re.split(r"(\W)", JS_REGISTRY))},
        {"a.js::Registry": "a.js::Grove"}
        | {f"a.js::Registry.{old}": f"a.js::Grove.{new}" for old, new in JS_NAMES.items() if old != "Registry"},
    ),
    "small methods go, as many others come, and mention what is new": Case(
        {"a.js": "class A { sum() { return n; }\n one() { call(first); }\n two() { call(second); } }\n"},
        {"a.js": "class A { sum() { return n; }\n three() { call(third); }\n four() { call(fourth); } }\n"},
        gone="a.js::A.one a.js::A.two",
        born="a.js::A.three a.js::A.four",
    ),
    "a folder moved, and its two files that are alike were edited": Case(
        {f"app/{name}.js": JS_RUN.format("", sign) for name, sign in (("index", "+"), ("other", "-"))},
        {
            f"to/app/{name}.js": JS_RUN.format("note('edited');", sign)
            for name, sign in (("index", "+"), ("other", "-"))
        },
        {
            f"app/{file}.js::{name}": f"to/app/{file}.js::{name}"
            for file in ("index", "other")
            for name in ("app", "run")
        },
    ),
    "a Rust module moved into a file": Case(
        {"lib.rs": "mod shapes { " + RUST + " }\nfn main() {}\n"},
        {"lib.rs": "mod shapes;\nfn main() {}\n", "shapes.rs": RUST},
        {"lib.rs::shapes.area": "shapes.rs::area"},
    ),
}


@pytest.mark.parametrize("case", PYTHON.values(), ids=PYTHON.keys())
def test_python(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", OTHERS.values(), ids=OTHERS.keys())
def test_other_languages(case: Case) -> None:
    check(case)


EVIDENCE = {
    "nothing changed": (fn("area", AREA), fn("area", AREA), Evidence.SAME_CONTENT, Confidence.HIGH),
    "edited": (fn("area", AREA), fn("area", TOTAL), Evidence.SAME_NAME, Confidence.HIGH),
    "renamed": (fn("area", AREA), fn("surface", AREA), Evidence.SAME_BODY, Confidence.MEDIUM),
    "renamed and edited": (fn("area", AREA), fn("area_of", "x = 1\n" + AREA), Evidence.SIMILAR, Confidence.LOW),
}


@pytest.mark.parametrize(("before", "after", "evidence", "confidence"), EVIDENCE.values(), ids=EVIDENCE.keys())
def test_evidence(before: str, after: str, evidence: Evidence, confidence: Confidence) -> None:
    _, _, pairing = pair({"a.py": before}, {"a.py": after})
    assert [(p.evidence, p.confidence) for p in pairing.pairs] == [(evidence, confidence)]
    assert (pairing.pairs[0].score is not None) == (evidence is Evidence.SIMILAR)


def test_a_body_that_says_little_is_not_enough_elsewhere() -> None:
    """It takes more than a line to say, in another file and under another name, that it is the same."""
    _, _, short = pair({"a.py": fn("area", AREA), "b.py": ""}, {"a.py": "", "b.py": fn("surface", AREA)})
    _, _, long = pair({"a.py": fn("area", AREA * 4), "b.py": ""}, {"a.py": "", "b.py": fn("surface", AREA * 4)})
    assert Evidence.SAME_BODY not in {p.evidence for p in short.pairs}
    assert {p.evidence for p in long.pairs} == {Evidence.SAME_BODY}


def test_without_tokens_nothing_goes_by_similarity() -> None:
    before, after = {"a.py": fn("area", AREA)}, {"a.py": fn("area_of", "x = 1\n" + AREA)}
    assert not pair_entities(subjects_of(before), subjects_of(after)).pairs


def test_tokens_are_asked_for_only_where_nothing_surer_is_found() -> None:
    def fail(subject: MatchCandidate) -> list[bytes]:
        raise AssertionError(subject.id)

    old, new = subjects_of({"a.py": fn("f", AREA)}), subjects_of({"b.py": fn("f", AREA), "c.py": fn("g", TOTAL)})
    assert len(pair_entities(old, new, tokens=(fail, fail)).pairs) == 1


AREA_AND_TOTAL = fn("area", AREA) + fn("total", TOTAL)
RENAMES = [
    ("nothing", {"a.py": AREA_AND_TOTAL}, {"a.py": AREA_AND_TOTAL}, {}),
    ("renamed", {"a.py": AREA_AND_TOTAL}, {"b.py": AREA_AND_TOTAL}, {"a.py": "b.py"}),
    ("renamed and half of it rewritten", {"a.py": AREA_AND_TOTAL}, {"b.py": fn("area", AREA)}, {"a.py": "b.py"}),
    (
        "swapped",
        {"a.py": fn("area", AREA), "b.py": fn("total", TOTAL)},
        {"b.py": fn("area", AREA), "a.py": fn("total", TOTAL)},
        {"a.py": "b.py", "b.py": "a.py"},
    ),
    ("a function moved out", {"a.py": AREA_AND_TOTAL}, {"a.py": fn("area", AREA), "b.py": fn("total", TOTAL)}, {}),
    (
        "one function of many in another new file",
        {"a.py": fn("area", AREA)},
        {"b.py": fn("area", AREA) + "".join(fn(f"step_{n}", GREET * n) for n in range(1, 9))},
        {},
    ),
    (
        "split: the larger part is the file",
        {"a.py": AREA_AND_TOTAL + fn("greet", GREET)},
        {"b.py": AREA_AND_TOTAL, "c.py": fn("greet", GREET)},
        {"a.py": "b.py"},
    ),
    (
        "another file takes the path",
        {"a.py": AREA_AND_TOTAL},
        {"b.py": AREA_AND_TOTAL, "a.py": fn("greet", GREET)},
        {"a.py": "b.py"},
    ),
    (
        "all is moved out, and the file stays",
        {"a.py": AREA_AND_TOTAL},
        {"b.py": AREA_AND_TOTAL, "a.py": "from b import *\n"},
        {},
    ),
    (
        "a folder was renamed, and a file in it rewritten",
        {"old/a.py": AREA_AND_TOTAL, "old/b.py": fn("greet", GREET)},
        {"new/a.py": AREA_AND_TOTAL, "new/b.py": fn("leave", ELM)},
        {"old/a.py": "new/a.py", "old/b.py": "new/b.py"},
    ),
]


@pytest.mark.parametrize(("before", "after", "renames"), [row[1:] for row in RENAMES], ids=[row[0] for row in RENAMES])
def test_files_renamed(before: Files, after: Files, renames: dict[str, str]) -> None:
    assert pair(before, after)[2].files == renames


def test_a_file_without_entities_is_known_by_its_content() -> None:
    moved = pair_entities((), (), files=({"a.py": "1", "b.py": "2"}, {"c.py": "1", "b.py": "3"}))
    twins = pair_entities((), (), files=({"a.py": "1", "b.py": "1"}, {"c.py": "1"}))
    assert (moved.files, twins.files) == ({"a.py": "c.py"}, {})


def test_known_pairs_come_first_and_are_used_once() -> None:
    before, after = subjects_of({"a.py": AREA_AND_TOTAL}), subjects_of({"b.py": AREA_AND_TOTAL})
    pairing = pair_entities(before, after, known={0: 1, 1: 1})
    assert [(p.old, p.new) for p in pairing.pairs if p.evidence is Evidence.SAME_IDENTITY] == [(0, 1)]
