"""References are found by their names, as if all files were looked through."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from birthmark.queries.snapshot_graph import SnapshotGraph
from examples import n_examples
from worlds import World

TEXTS = (
    """\
from lib import run as go, walk


def first(x):
    return go(walk(x)) + run(x)
""",
    """\
from lib import *
import lib.walk as w


class Walk(Base):
    def go(self, key):
        self.walk(key)
""",
    """\
def run(callback, x):
    return callback(x)


def walk(x):
    run(walk, x)
    run(first, x)
    return go.walk.run()
""",
    """\
# Notes

```python
def inner(x):
    return walk(x)
```
""",
)
PATHS = ("a.py", "b.py", "lib.py", "notes.md")
STATES = st.lists(
    st.dictionaries(st.sampled_from(PATHS), st.sampled_from([*TEXTS, None]), min_size=1), min_size=1, max_size=4
)


@settings(max_examples=n_examples(12), deadline=None)
@given(STATES)
def test_references_are_found_by_name_and_alias_after_any_edits(states: list[dict[str, str | None]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        for state in states:
            for path, text in state.items():
                if text is not None:
                    world.write(path, text)
                elif (world.root / path).exists():
                    world.remove(path)
            world.index()
            check_references(world)


def check_references(world: World) -> None:
    with world.session() as session:
        store, number = session.store, session.view.number
        whole, loaded = SnapshotGraph(store, number), SnapshotGraph(store, number)
        loaded.load()
        sites = [(path, *site) for path in sorted(whole.paths()) for site in whole.references_in(path)]
        names = {name for *_, one in sites for name in (one.name, one.alias, "absent") if name is not None}
        calls = Counter(one.name for *_, one in sites if one.edge == "calls")
        for name in sorted(names):
            graph = SnapshotGraph(store, number)
            named = [site for site in sites if site[3].name == name]
            aliased = [site for site in sites if site[3].alias == name != site[3].name]
            assert list(graph.references_named([name])) == [*named, *aliased]
            passed = [
                (path, source, one) for path, _, source, one in sites if (one.edge, one.alias) == ("passes", name)
            ]
            assert list(graph.passed(name)) == list(loaded.passed(name)) == passed
            bases = [
                (path, source, one)
                for path, _, source, one in [*named, *aliased]
                if one.edge in ("inherits", "implements") and source is not None
            ]
            assert list(graph.bases_named(name)) == list(loaded.bases_named(name)) == bases
            assert store.count_references(number, [name]) == {name: len(named)}
        assert store.most_called(number, 99) == sorted(calls, key=lambda name: (-calls[name], name))
        for path in whole.paths():
            assert [(path, *site) for site in loaded.references_in(path)] == [site for site in sites if site[0] == path]
            for definition in whole.inside(path):
                inside = [one for _, _, source, one in sites if source and source.identity == definition.identity]
                assert list(whole.references_inside(definition)) == inside
