"""A first index is written in portions: it is the same as one written at once, and an interrupted one goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from birthmark.app.workspace.stores import open_index
from birthmark.extraction import extractor
from birthmark.extraction.extractor import Packed
from birthmark.extraction.model import Blob
from birthmark.ledger import first_index
from birthmark.ledger.file_scan import IndexTools
from birthmark.model import Level
from birthmark.store.sqlite.store import SqliteStore
from worlds import World

TWIN = "def twin(x):\n    return x + 1\n\n\ndef other(x):\n    return twin(x)\n"
FILES = {
    "a-b.py": TWIN,
    "a.b.py": TWIN,  # Both, and the next, are at the same place in keys.
    "a_b.py": TWIN + "\n\nclass C:\n    def m(self):\n        return other(self)\n",
    "broken.py": "def half(:\n",
    "empty.py": "",
    "lib/d.js": "export function run(x) { return x + 1 }\n",
    "lib/copy.js": "export function run(x) { return x + 1 }\n",
    "package.json": '{"name": "x"}',
}
N_ENTITIES = 11


def index_in_portions(monkeypatch: pytest.MonkeyPatch, root: Path, size: int) -> World:
    monkeypatch.setattr(first_index, "_PORTION", size)
    world = World(root, FILES)
    world.index()
    return world


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_names_are_the_same_whatever_is_written_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    at_once = index_in_portions(monkeypatch, tmp_path / "once", len(FILES))
    world = index_in_portions(monkeypatch, tmp_path / "portions", size)
    assert world.marks() == at_once.marks()
    assert [held.key for held in world.entities()] == [held.key for held in at_once.entities()]
    assert len(set(world.marks().values())) == len(world.marks()) == N_ENTITIES
    assert world.check() == []


class Interruption(BaseException):
    """A run that ends at any time, as one that is killed."""


def interrupted_after(n_results: int) -> Callable[[IndexTools], IndexTools]:
    """IndexTools that end the run after so many extractions."""

    def change(tools: IndexTools) -> IndexTools:
        fill_cache = tools.extractor.fill_cache

        def fill(blobs: Iterable[Blob], level: Level) -> Iterator[Packed]:
            for number, packed in enumerate(fill_cache(blobs, level)):
                if number == n_results:
                    raise Interruption
                yield packed

        tools.extractor.fill_cache = fill  # type: ignore[method-assign]
        return tools

    return change


def interrupt(monkeypatch: pytest.MonkeyPatch, root: Path, n_results: int) -> World:
    """A first index that wrote a file at a time, until it was interrupted."""
    monkeypatch.setattr(first_index, "_PORTION", 1)
    monkeypatch.setattr(extractor, "_FLUSH_ROWS", 1)
    world = World(root, FILES)
    with pytest.raises(Interruption):
        world.index(interrupted_after(n_results))
    return world


def has_indexes(world: World) -> bool:
    store = open_index(world.workspace)
    assert isinstance(store, SqliteStore)
    with closing(store):
        return store._has_indexes()  # They make questions fast, and show in nothing else.


@pytest.mark.parametrize("n_results", [1, 2, 4])
def test_what_an_interrupted_run_has_written_keeps_its_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_results: int
) -> None:
    world = interrupt(monkeypatch, tmp_path, n_results)
    written = world.marks()
    assert 0 < len(written) < N_ENTITIES
    assert not has_indexes(world)
    summary = world.index()
    assert summary.changes["born"] == N_ENTITIES - len(written)
    assert written.items() <= world.marks().items()
    assert len(set(world.marks().values())) == len(world.marks()) == N_ENTITIES
    assert has_indexes(world)
    assert world.check() == []


def test_an_interrupted_index_is_completed_though_nothing_is_left_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = interrupt(monkeypatch, tmp_path, 2)
    with world.session() as session:
        written = set(session.store.files(session.view.number))
    for path in FILES.keys() - written:
        world.remove(path)
    world.index()
    assert has_indexes(world)
    assert world.check() == []
