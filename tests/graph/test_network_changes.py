"""After changes, files whose lookups are answered as before keep their edges: they are those of a fresh resolution."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from birthmark.graph.answers import lookups_around, lookups_of, number_of
from birthmark.graph.network import ResolvedEdges, resolve_file
from birthmark.graph.provisions import changed_lookups, provisions_of
from examples import n_examples
from graph_snapshot import Files, Snapshot, resolver_of
from random_sources import MODULES, random_source

PATHS_OF_FILES = (
    *(f"{module}.py" for module in MODULES),
    "d/__init__.py",
    "d/a.py",
    "e/b.py",
    "d/e/__init__.py",
    "d/e/b.py",
)
random_files = st.dictionaries(st.sampled_from(PATHS_OF_FILES), random_source, min_size=1, max_size=5)


class Resolved(NamedTuple):
    """A file as it is kept."""

    edges: ResolvedEdges
    lookups: set[int]
    provisions: dict[int, int]


class Stable(Snapshot):
    """A snapshot in which a definition of a name in a file has one identity, whatever else changes."""

    def add(self, path: str, source: str) -> None:
        super().add(path, source)
        counts: dict[str, int] = {}
        kept = []
        for one in self.definitions[path]:
            nth = counts[one.qualified_name] = counts.get(one.qualified_name, 0) + 1
            kept.append(one._replace(identity=hash((path, one.qualified_name, nth))))
            self.by_name[one.name].remove(one)
            self.by_name[one.name].append(kept[-1])
        self.definitions[path] = kept


def provided(snapshot: Snapshot, path: str) -> dict[int, int]:
    return provisions_of(path, snapshot.inside(path), snapshot.references[path], snapshot.bindings(path))


def resolve_all(snapshot: Snapshot, paths: list[str]) -> dict[str, Resolved]:
    resolver = resolver_of(snapshot)
    found = {}
    for path in paths:
        edges, made_from = resolver.with_lookups(resolve_file, snapshot, resolver, path)
        lookups = {number_of(one) for one in (*lookups_around(path), *lookups_of(made_from))}
        found[path] = Resolved(edges, lookups, provided(snapshot, path))
    return found


def in_order(snapshot: Files) -> Stable:
    return Stable(dict(sorted(snapshot.items())))


OVERLOADED = "export function f(x: string): void\nexport function f(x: any) {}\n"
CALLING = "import { f } from './a'\nf(1)\n"
SHIM = "module.exports = require('./dist/shop.js')\n"
SHIFTED = "def f(x):\n    return Shop()\nclass Shop:\n    def run(self): pass\n"


@settings(max_examples=n_examples(300), deadline=None)
@example({"a.py": SHIFTED, "b.py": "import a\na.f().run()\n"}, {"a.py": "# x\n" + SHIFTED}, [])
@example({"a.py": SHIFTED, "b.py": "import a\na.f().run()\n"}, {"a.py": SHIFTED.replace("Shop()", "1")}, [])
@example({"a.py": SHIFTED, "b.py": "from d import a\na.f()\n", "d/a.py": "def f(): pass\n"}, {"d/__init__.py": ""}, [])
@example({"a.py": SHIFTED, "b.py": "from a import f\nf()\n"}, {}, ["a.py"])
@example({"a.ts": OVERLOADED, "b.ts": CALLING}, {"a.ts": OVERLOADED.partition("\n")[2]}, [])
@example(
    {"a/index.js": SHIM, "a/src/index.ts": OVERLOADED, "b.ts": CALLING}, {"a/index.js": "exports.f = () => 1\n"}, []
)
@example({"a/index.js": SHIM, "a/src/index.ts": OVERLOADED, "b.ts": CALLING}, {"a/src/shop.ts": OVERLOADED}, [])
@given(before=random_files, changed=random_files, gone=st.lists(st.sampled_from(PATHS_OF_FILES), max_size=1))
def test_kept_edges_are_those_of_a_fresh_resolution(before: Files, changed: Files, gone: list[str]) -> None:
    kept = resolve_all(in_order(before), sorted(before))
    after = {path: source for path, source in (before | changed).items() if path not in gone}
    snapshot = in_order(after)
    numbers: set[int] = set()
    for path in {*changed, *gone}:
        old = kept[path].provisions if path in kept else {}
        numbers |= changed_lookups(old, provided(snapshot, path) if path in after else {})
    fresh = resolve_all(in_order(after), sorted(after))
    for path in sorted(after):
        if path not in changed and numbers.isdisjoint(kept[path].lookups):
            assert kept[path].edges == fresh[path].edges, path


def test_what_is_merely_shifted_changes_nothing_for_others() -> None:
    before, after = in_order({"a.py": SHIFTED}), in_order({"a.py": f"# a comment\n\n{SHIFTED}"})
    assert provided(before, "a.py") == provided(after, "a.py")


def test_an_edit_inside_of_a_function_concerns_those_who_ask_what_it_returns() -> None:
    edited = SHIFTED.replace("return Shop()", "y = Shop()\n    return y")
    changed = changed_lookups(
        provided(in_order({"a.py": SHIFTED}), "a.py"), provided(in_order({"a.py": edited}), "a.py")
    )
    users = {"b.py": "import a\na.f(1)\n", "c.py": "import a\na.f(1).run()\n", "d/a.py": "import a\na.Shop()\n"}
    resolved = resolve_all(in_order({"a.py": SHIFTED, **users}), sorted(users))
    assert [path for path, one in resolved.items() if not changed.isdisjoint(one.lookups)] == ["c.py"]
