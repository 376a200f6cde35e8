"""Uses that are no calls, as edges of the file that they are in; those that are only possible have a question mark."""

from __future__ import annotations

import pytest
from occurrences import list_occurrences, occurrences_in

from graph_snapshot import Files
from reading import read

SHOP = {"a.py": "class Shop: pass\nRATE = 1\n"}
CASES = {
    "read": ({**SHOP, "b.py": "from a import Shop\ndef f(): return [Shop]\n"}, "b.py::f reads a.py::Shop 2"),
    "type": ({**SHOP, "b.py": "from a import Shop\ndef f(x: Shop): pass\n"}, "b.py::f types a.py::Shop 2"),
    "alias": ({**SHOP, "b.py": "from a import RATE as r\ndef f(): return r + 1\n"}, "b.py::f reads a.py::RATE 2"),
    "written": ({**SHOP, "b.py": "import a\ndef f(): a.RATE = 2\n"}, "b.py::f writes a.py::RATE 2"),
    "written by several targets": (
        {**SHOP, "b.py": "import a\ndef f(x): x, a.RATE = 1, 2\ndef g(): del a.RATE\n"},
        "b.py::f writes a.py::RATE 2, b.py::g writes a.py::RATE 3",
    ),
    "changed at the top of the file": ({"a.py": "RATE = 1\nRATE += 1\n"}, "a.py writes a.py::RATE 2"),
    "member": ({**SHOP, "b.py": "import a as m\ndef f(): return m.RATE + 1\n"}, "b.py::f reads a.py::RATE 2"),
    "a member of something unknown": (
        {"a.py": "class Shop:\n    rate = 1\n", "b.py": "def f(x): return (x or 1).rate\n"},
        "b.py::f reads? a.py::Shop.rate 1",
    ),
    "on the line of the name": (
        {"a.py": "class Shop:\n    rate = 1\ndef f(x: Shop):\n    return (x\n        .rate)\n"},
        "a.py::f reads a.py::Shop.rate 5, a.py::f types a.py::Shop 3",
    ),
    "passed on": (
        {**SHOP, "d/__init__.py": "from a import RATE as R\n", "b.py": "import d\ndef f(): return d.R + 1\n"},
        "b.py::f reads a.py::RATE 2",
    ),
    "all names": ({**SHOP, "b.py": "from a import *\ndef f(): return RATE + 1\n"}, "b.py::f reads a.py::RATE 2"),
    "inside": (
        {**SHOP, "b.py": "def f():\n    from a import RATE\n    return RATE + 1\n"},
        "b.py::f reads a.py::RATE 3",
    ),
    "held": ({**SHOP, "b.py": "import a\ndef f():\n    m = a\n    g(m.RATE)\n"}, "b.py::f reads a.py::RATE 4"),
    "in a formatted string": ({"a.py": "RATE = 1\ndef f(): g(f'{RATE}')\n"}, "a.py::f reads a.py::RATE 2"),
    "in a pattern": (
        {
            **SHOP,
            "b.py": "from a import Shop\ndef f(x):\n    match x:\n        case Shop(): pass\n        case RATE: pass\n",
        },
        "b.py::f reads a.py::Shop 4",
    ),
    "an import that names it twice": ({**SHOP, "b.py": "from a import RATE as RATE\n"}, ""),
    "in a string": ({"a.py": "RATE = 1\ndef f(): g('RATE')\n"}, ""),
    "in a comment": ({"a.py": "RATE = 1\ndef f(): pass  # RATE\n"}, ""),
    "a variable of that name": ({"a.py": "RATE = 1\ndef f(RATE): return [RATE]\n"}, ""),
    "a variable of a function around": (
        {"a.py": "RATE = 1\ndef f():\n    RATE = 2\n    def g(): return [RATE]\n    return g\n"},
        "a.py::f reads a.py::f.g 5",
    ),
    "a variable of the file that a function assigns to": (
        {"a.py": "RATE = 1\ndef f():\n    global RATE\n    if not RATE:\n        RATE = 2\n"},
        "a.py::f reads a.py::RATE 4, a.py::f writes a.py::RATE 5",
    ),
    "a parameter of a lambda": ({"a.py": "RATE = 1\nf = [lambda RATE: RATE, lambda *RATE: RATE]\n"}, ""),
    "an argument of that name": ({"a.py": "RATE = 1\ndef f(): g(RATE=2)\n"}, ""),
    "a call, which is an edge": ({**SHOP, "b.py": "from a import Shop\ndef f(): return Shop()\n"}, ""),
    "a decorator, which is a call": ({"a.py": "def w(f): return f\n@w\nclass C: pass\n@w()\ndef g(): pass\n"}, ""),
    "a base, which is an edge": ({**SHOP, "b.py": "import a\nclass C(a.Shop): pass\n"}, ""),
}


@pytest.mark.parametrize(("files", "expected"), CASES.values(), ids=CASES.keys())
def test_occurrences(files: Files, expected: str) -> None:
    assert list_occurrences(files) == expected


def test_a_name_that_is_defined_over_and_over_means_its_first_definitions() -> None:
    _, few = occurrences_in({"a.py": "v = 1\n" + "v = [v]\n" * 9})
    _, many = occurrences_in({"a.py": "v = 1\n" + "v = [v]\n" * 99})
    assert len({edge.used for edge, _ in few}) == 10
    assert len({edge.used for edge, _ in many}) == 16
    assert len({edge.user for edge, _ in many}) == 99


def test_occurrences_in_segments_have_the_lines_and_definitions_of_the_file() -> None:
    source = "# Shop\n\n```python\nRATE = 1\n\n\ndef total(price):\n    return price * RATE\n```\n"
    reading = read("markdown", source)
    found = [(one.edge, one.name, one.line, reading.entities[one.entity].name) for one in reading.references]
    assert found == [("reads", "RATE", 8, "total")]
