"""Functions that are held in variables and containers, passed, returned, or called without being named."""

from __future__ import annotations

import pytest

from graph_snapshot import Files, check

FUNCTIONS = "def f(): pass\ndef g(): pass\nclass C:\n  def go(self): pass\n"

PYTHON: dict[str, tuple[str, str]] = {
    "a dictionary by its keys": (
        "table = {'a': f, 1: g}\ntable['a']()\ntable[1]()\ntable['b']()\n",
        'm.py:6 calls table["a"] (): exact m.py::f\nm.py:7 calls table[1] (): exact m.py::g',
    ),
    "a key that is not known leads to all that may be there": (
        "def run(key):\n  table = {'a': f, 'b': g}\n  table[key]()\n",
        "m.py:7 calls table[] (): dispatch m.py::f m.py::g",
    ),
    "one part that is not known leaves the others unsure": (
        "def run(key, h):\n  table = [f, h]\n  table[key]()\n  table[0]()\n",
        "m.py:7 calls table[] (): unresolved\nm.py:8 calls table[0] (): exact m.py::f",
    ),
    "a dictionary in another one": (
        "table = {'a': {'b': [f, C]}}\ntable['a']['b'][0]()\ntable['a']['b'][1]().go()\n",
        """m.py:6 calls table["a"]["b"][0] (): exact m.py::f
        m.py:7 calls table["a"]["b"][1]() go: exact m.py::C.go""",
    ),
    "a key that is assigned": (
        "table = {}\ntable['a'] = f\ntable['a']()\n",
        'm.py:7 calls table["a"] (): exact m.py::f',
    ),
    "the elements of a list": (
        "for one in [f, g]:\n  one()\nfor name, act in [('f', f), ('g', g)]:\n  act()\n",
        "m.py:6 calls one: dispatch m.py::f m.py::g\nm.py:8 calls act: dispatch m.py::f m.py::g",
    ),
    "several names at once, and one after the other": (
        "a, b = f, C()\na()\nb.go()\nc = d = g\nc()\nd()\n",
        """m.py:6 calls a: exact m.py::f
        m.py:7 calls b go: exact m.py::C.go
        m.py:9 calls c: exact m.py::g
        m.py:10 calls d: exact m.py::g""",
    ),
    "a container that is returned": (
        "def make():\n  return {'a': f}\nmake()['a']()\nmade = make()\nmade['a']()\n",
        'm.py:7 calls make()["a"] (): exact m.py::f\nm.py:9 calls made["a"] (): exact m.py::f',
    ),
    "a container that is passed": (
        "def run(table):\n  table['a']()\ntable = {'a': f}\nrun(table)\n",
        'm.py:6 calls table["a"] (): exact m.py::f',
    ),
    "a function that a variable holds is passed, and called by another name": (
        "def run(act):\n  act()\nheld = f\nagain = run\nagain(held)\n",
        "m.py:6 calls act: exact m.py::f",
    ),
    "a method that is passed": (
        "class D:\n  def go(self): pass\n  def run(self):\n    apply(self.go)\ndef apply(act):\n  act()\n",
        "m.py:10 calls act: exact m.py::D.go",
    ),
    "what a call gives is called": (
        "def make():\n  return f\nmake()()\n",
        "m.py:7 calls make() (): exact m.py::f",
    ),
    "a declared result counts more than what is returned": (
        "def make() -> C:\n  return table[0]\ntable = [f]\nmake().go()\n",
        "m.py:8 calls make() go: exact m.py::C.go",
    ),
    "what a generator yields": (
        "def many():\n  yield f\n  yield g\nfor one in many():\n  one()\n",
        "m.py:9 calls one: dispatch m.py::f m.py::g",
    ),
    "the methods of an iterator, and what it gives": (
        "class D:\n  def __iter__(self): return self\n  def __next__(self): return f\nfor one in D():\n  one()\n",
        """m.py:8 calls D() __iter__: exact m.py::D.__iter__
        m.py:8 calls D().__iter__() __next__: exact m.py::D.__next__
        m.py:9 calls one: exact m.py::f""",
    ),
    "the methods of a context": (
        "class D:\n  def __enter__(self): return self\n  def __exit__(self, *_): pass\nd = D()\nwith d as e:\n  pass\n",
        "m.py:9 calls d __enter__: exact m.py::D.__enter__\nm.py:9 calls d __exit__: exact m.py::D.__exit__",
    ),
    "a class that is raised is made": ("class E(Exception): pass\nraise E\n", "m.py:6 calls E: exact m.py::E"),
    "what `map` is given is called": ("map(f, [1])\n", "m.py:5 calls f: exact m.py::f"),
}


@pytest.mark.parametrize("case", PYTHON.values(), ids=PYTHON.keys())
def test_python(case: tuple[str, str]) -> None:
    files: Files = {"m.py": FUNCTIONS + case[0]}
    check(files, case[1])


MEMBERS: dict[str, tuple[str, str]] = {
    "a base that is a parameter may be one of the repository": (
        "class A:\n  def go(self): pass\ndef make(base):\n  class B(base):\n    def run(self):\n"
        "      super().go()\n      super(B, self).go()\n      self.go()\n",
        """m.py:6 calls super() go: name m.py::A.go
        m.py:7 calls super() go: name m.py::A.go
        m.py:8 calls self go: name m.py::A.go""",
    ),
    "what an unknown object calls may be a function of a module": (
        "def go(): pass\ndef run(x):\n  x.go()\n",
        "m.py:3 calls x go: name m.py::go",
    ),
    "a variable in upper case is no type that the file does not know": (
        "class A:\n  def go(self): pass\ndef run(x):\n  B = x.make()\n  B.go()\n",
        "m.py:5 calls B go: name m.py::A.go",
    ),
    "an object without `__call__` is called by a name": (
        "class A:\n  def go(self): pass\nclass D: pass\nclass E:\n  go = D()\nE.go()\n",
        "m.py:6 calls E go: name m.py::E.go",
    ),
    "what only the types below have is called there": (
        "class A:\n  def run(self):\n    self.act()\n    self.held()\nclass B(A):\n  def __init__(self):\n"
        "    self.held = self.act\n  def act(self): pass\nclass C(A):\n  def act(self): pass\n",
        """m.py:3 calls self act: dispatch m.py::B.act m.py::C.act
        m.py:4 calls self held: dispatch m.py::B.act""",
    ),
}


@pytest.mark.parametrize("case", MEMBERS.values(), ids=MEMBERS.keys())
def test_members(case: tuple[str, str]) -> None:
    check({"m.py": case[0]}, case[1])


SCRIPTS: dict[str, tuple[str, str]] = {
    "a parameter that callers fill": (
        "function run(act) { act(); }\nrun(f);\n",
        "m.js:3 calls act: exact m.js::f",
    ),
    "a function inside sees the parameter": (
        "function outer(act) {\n  return function inner() { return act(); };\n}\nouter(f);\n",
        "m.js:4 calls act: exact m.js::f",
    ),
    "the elements of an array": (
        "const all = [f, g];\nall[1]();\nconst [one, two] = all;\none();\ntwo();\nfor (const each of [f, g]) each();\n",
        """m.js:4 calls all[1] (): exact m.js::g
        m.js:6 calls one: exact m.js::f
        m.js:7 calls two: exact m.js::g
        m.js:8 calls each: dispatch m.js::f m.js::g""",
    ),
    "what follows a hole is not known: the variable itself is meant": (
        "const [, one] = [f, g];\none();\n",
        "m.js:4 calls one: exact m.js::one",
    ),
    "an object that is returned": (
        "function make() { return { go: f, far: [g] }; }\nmake().go();\nmake().far[0]();\nmake()['go']();\n",
        """m.js:4 calls make() go: exact m.js::f
        m.js:5 calls make().far[0] (): exact m.js::g
        m.js:6 calls make()["go"] (): exact m.js::f""",
    ),
}


@pytest.mark.parametrize("case", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_scripts(case: tuple[str, str]) -> None:
    check({"m.js": f"function f() {{}}\nfunction g() {{}}\n{case[0]}"}, case[1])
