"""A blob is extracted once: then it is in memory, or in the store's cache."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import Call, Outcome
from birthmark.extraction.extractor import Extractor
from birthmark.extraction.model import Blob, ExhaustedProblem, FileNodes, Interior, Limits, Outline
from birthmark.extraction.pool import Pool
from birthmark.extraction.state import content_id_of
from birthmark.model import Level, Problem
from birthmark.store.model import StoreLocation
from birthmark.store.sqlite.store import SqliteStore

SOURCE = b"def f(a):\n    return g(a)\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(StoreLocation(tmp_path), writable=True)
    yield store
    store.close()


def blob(source: bytes = SOURCE, path: str = "a.py") -> Blob:
    return Blob(content_id_of(source), "python", lambda: source, path)


def unreadable() -> bytes:
    raise BirthmarkError("cannot be read")


def only(extractor: Extractor, blob: Blob, level: Level = Level.OUTLINE) -> Outline | Problem:
    ((_, outline),) = extractor.outlines([blob], level)
    return outline


def test_each_level_holds_what_the_one_before_it_holds() -> None:
    with Extractor() as extractor:
        entities, outline = only(extractor, blob(), Level.ENTITIES), only(extractor, blob())
        ((_, nodes),) = extractor.nodes([blob()])
        ((_, interior),) = extractor.interiors([blob()])
    assert isinstance(entities, Outline)
    assert isinstance(outline, Outline)
    assert isinstance(nodes, FileNodes)
    assert isinstance(interior, Interior)
    assert entities.entities == outline.entities == nodes.entities
    assert (entities.references, len(outline.references)) == ((), 1)


def test_what_is_in_memory_or_in_the_store_is_not_read(store: SqliteStore) -> None:
    with Extractor(store=store, is_writable=True) as extractor:
        outline = only(extractor, blob())
        assert only(extractor, blob()._replace(load=unreadable)) == outline
    with Extractor(store=store) as extractor:
        assert only(extractor, blob()._replace(load=unreadable)) == outline
        assert only(extractor, blob()._replace(load=unreadable), Level.ENTITIES) == outline


def test_the_entities_alone_are_no_outline(store: SqliteStore) -> None:
    with Extractor(store=store, is_writable=True) as extractor:
        only(extractor, blob(), Level.ENTITIES)
        (number,) = extractor.numbers([blob().key]).values()
        assert extractor.outline(number) == only(extractor, blob(), Level.ENTITIES)
        assert [one.path for one, _ in extractor.fill_cache([blob()], Level.OUTLINE)] == ["a.py"]
        assert extractor.outline(number) == only(extractor, blob())
        assert extractor.source_of(number)() == SOURCE


def test_a_store_that_is_read_only_is_left_alone(store: SqliteStore) -> None:
    with Extractor(store=store) as extractor:
        assert isinstance(only(extractor, blob()), Outline)
        assert extractor.numbers([blob().key]) == {}


def test_equal_blobs_are_extracted_once_and_given_to_all() -> None:
    with Extractor() as extractor:
        found = list(extractor.outlines([blob(), blob(path="b.py")]))
    assert [one.path for one, _ in found] == ["a.py", "b.py"]
    assert found[0][1] is found[1][1]


@pytest.mark.usefixtures("worker_processes")
@pytest.mark.parametrize(("n_blobs", "n_workers"), [(1, 1), (2, 1), (9, 2), (60, 3)])
def test_few_blobs_are_not_worth_many_workers(n_blobs: int, n_workers: int) -> None:
    with Extractor(n_workers=3) as extractor:
        list(extractor.outlines([blob(b"x = %d\n" % number) for number in range(n_blobs)]))
        assert isinstance(extractor._pool, Pool)
        assert len(extractor._pool.workers) == n_workers


def test_a_problem_concerns_one_blob() -> None:
    with Extractor(limits=Limits(seconds=2.0)) as extractor:
        endless = blob(b"x = " + b"(" * 100_000 + b")" * 100_000)
        found = dict(extractor.outlines([endless, blob(b"# 2\n")._replace(load=unreadable, path="b.py"), blob()]))
    kinds = {one.path: type(result) for one, result in found.items() if isinstance(result, Problem)}
    assert kinds.get("b.py") is Problem
    assert any(isinstance(result, Outline) for result in found.values())
    assert {kind for path, kind in kinds.items() if path == "a.py"} <= {ExhaustedProblem}


class FailingPool:
    """Fails all tasks, and counts them."""

    def __init__(self, *, fails_again: bool) -> None:
        self.fails_again, self.n_tasks = fails_again, 0

    def run(self, tasks: Iterable[bytes]) -> Iterator[Outcome]:
        for number, _ in enumerate(tasks):
            self.n_tasks += 1
            yield Outcome(number, None, "took too long", is_exhausted=True, fails_again=self.fails_again)

    def close(self) -> None: ...


def n_tries(store: SqliteStore, pool: FailingPool, limits: Limits, level: Level = Level.OUTLINE) -> int:
    """How many tasks it takes to fail, whether or not the store may be written."""
    before = pool.n_tasks
    for is_writable in (True, False):
        with Extractor(None, limits, store=store, is_writable=is_writable, make_pool=lambda _: pool) as extractor:
            assert only(extractor, blob(), level) == ExhaustedProblem("a.py", "took too long")
    return pool.n_tasks - before


def test_what_is_sure_to_fail_again_is_tried_when_limits_change(store: SqliteStore) -> None:
    pool = FailingPool(fails_again=True)
    assert [n_tries(store, pool, Limits()) for _ in range(2)] == [1, 0]
    assert [n_tries(store, pool, Limits(seconds=30.0)) for _ in range(2)] == [1, 0]
    assert [n_tries(store, pool, Limits(memory_bytes=1 << 30)) for _ in range(2)] == [1, 0]
    assert [n_tries(store, pool, Limits(), Level.ENTITIES) for _ in range(2)] == [1, 0]


def test_what_the_machine_may_have_done_is_tried_each_time(store: SqliteStore) -> None:
    assert [n_tries(store, FailingPool(fails_again=False), Limits()) for _ in range(2)] == [2, 2]


def reverse(payload: bytes) -> bytes:
    return payload[::-1]


def fail(payload: bytes) -> bytes:
    raise ValueError(payload)


def test_calls_run_on_the_workers_that_extract(store: SqliteStore) -> None:
    results: dict[str, bytes | None] = {}
    calls = [
        Call(reverse, lambda: b"abc", lambda result: results.update(reversed=result)),
        Call(fail, lambda: b"abc", lambda result: results.update(failed=result)),
    ]
    with Extractor(store=store, is_writable=True) as extractor:
        found = list(extractor.fill_cache_beside([blob()], Level.OUTLINE, calls))
        assert extractor.numbers([blob().key], Level.OUTLINE)
    assert results == {"reversed": b"cba", "failed": None}
    assert [one[0].path for one in found if one is not None] == ["a.py"]
    assert found.count(None) == len(calls)
