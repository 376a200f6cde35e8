"""Run calls on the machines of a Ray cluster; the one module that imports Ray.

A RayPool is given tasks as the pool of one machine is, and sends them out in batches, a bounded number at a time; a few
are run where they are. Where a batch arrives, its calls are run in a process that can be killed, which the worker of
Ray keeps. A batch that is lost with a worker or a machine is run again elsewhere: calls are pure, so that this is
harmless.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from importlib.util import find_spec
from itertools import chain, islice, repeat
from typing import TYPE_CHECKING, Any

from birthmark.entities.chunks import ChunkSizes
from birthmark.errors import BirthmarkError
from birthmark.extraction.calls import Outcome, run_call
from birthmark.extraction.codec import extractor_version
from birthmark.extraction.model import Limits
from birthmark.languages.registry import load_registry

if TYPE_CHECKING:
    from birthmark.extraction.pool import Pool

LOCAL = "local"  # instead of an address: a cluster of this machine alone, for this process
_FEW = 256  # calls that are run where they are, if they are all: a worker of Ray takes longer to start
_FEW_BYTES = 1 << 21
_SIZES = (4, 8, 16, 32)  # calls of the first batches, so that all workers soon have some; then the last
_BATCH_BYTES = 1 << 19
_PER_PROCESSOR = 2  # batches that are under way, so that none waits for this process
_MOST_UNDER_WAY = 32  # of one pool
_RETRIES = 4
_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # would send the working folder to all machines
}

Batch = list[tuple[int, bytes]]  # tasks, with their numbers
RunBatch = Callable[[Batch], list[Outcome]]


class RayPool:
    """Runs each batch by a function of Ray; those that are lost too often, and so few calls, by one of this process."""

    def __init__(
        self, remote: Any, run_here: RunBatch, sizes: tuple[int, ...], n_under_way: int, n_few: int = 0
    ) -> None:
        self._remote, self._run_here, self._sizes, self._n_under_way = remote, run_here, sizes, n_under_way
        self._n_few = n_few

    def close(self) -> None:
        """The workers are Ray's."""

    def run(self, tasks: Iterable[bytes]) -> Iterator[Outcome]:
        numbered = enumerate(tasks)
        first = next(_batches(numbered, (self._n_few,), _FEW_BYTES), [])
        more = list(islice(numbered, 1))
        if first and not more and len(first) <= self._n_few:
            yield from self._run_here(first)
        else:
            yield from self._spread(chain(first, more, numbered))

    def _spread(self, tasks: Iterable[tuple[int, bytes]]) -> Iterator[Outcome]:
        under_way: dict[Any, Batch] = {}
        for batch in _batches(tasks, self._sizes):
            under_way[self._remote(batch, find_version())] = batch
            while len(under_way) >= self._n_under_way:
                yield from self._collect(under_way)
        while under_way:
            yield from self._collect(under_way)

    def _collect(self, under_way: dict[Any, Batch]) -> list[Outcome]:
        """Wait for a batch, and take it."""
        ray = _ray()
        (ready,), _ = ray.wait(list(under_way), num_returns=1)
        batch = under_way.pop(ready)
        try:
            outcomes: list[Outcome] = ray.get(ready)
        except ray.exceptions.RayTaskError as error:
            raise BirthmarkError(f"a machine of the cluster cannot run birthmark: {_last_line(error)}") from None
        except ray.exceptions.RayError:
            outcomes = self._run_here(batch)
        return outcomes


def require_ray() -> None:
    """Before a process is started that imports it."""
    if find_spec("ray") is None:
        raise BirthmarkError("other machines are used through Ray; `pip install 'birthmark[fleet]'`")


def join_cluster(address: str, n_processors: int | None = None) -> None:
    """Use the cluster at an address, `auto` for the one that this machine belongs to, or `local`."""
    ray = _ray()
    if ray.is_initialized():
        return
    own = {"num_cpus": n_processors, "include_dashboard": False} if address == LOCAL else {}
    try:
        ray.init(address, **own, log_to_driver=False, logging_level="error")
    except (ConnectionError, OSError, ValueError, RuntimeError, TimeoutError, ray.exceptions.RayError) as error:
        line = _last_line(error)
        raise BirthmarkError(f"--ray {address}: there is no cluster that can be used; `ray start` ({line})") from None


def leave_cluster() -> None:
    _ray().shutdown()


def count_processors() -> int:
    return max(1, int(_ray().cluster_resources().get("CPU", 1)))


def call_pool(limits: Limits) -> RayPool:
    """For many small calls."""
    n_under_way = min(_PER_PROCESSOR * count_processors(), _MOST_UNDER_WAY)
    remote = partial(_remote(run_guarded, 1).remote, limits=limits)
    return RayPool(remote, partial(run_guarded, version=find_version(), limits=limits), _SIZES, n_under_way, _FEW)


def task_pool(n_under_way: int) -> RayPool:
    """For calls that take long, and make calls of their own while they wait: they need no processor for themselves, or
    none might be left for these. One that is lost too often has failed.
    """
    return RayPool(_remote(run_plainly, 0).remote, _give_up, (1,), n_under_way)


def _give_up(batch: Batch) -> list[Outcome]:
    return [Outcome(number, None, "was lost with the machine or the worker that did it", True) for number, _ in batch]


# On the machine that runs a batch


def run_guarded(batch: Batch, version: str, limits: Limits) -> list[Outcome]:
    """In a process that can be killed."""
    _check_version(version)
    numbers = [number for number, _ in batch]
    outcomes = _own_pool(limits).run(task for _, task in batch)
    return [outcome._replace(task=numbers[outcome.task]) for outcome in outcomes]


def run_plainly(batch: Batch, version: str) -> list[Outcome]:
    """In this process."""
    _check_version(version)
    return [Outcome(number, run_call(task), None) for number, task in batch]


def _check_version(version: str) -> None:
    """Refuse another version, whose extractions would be stored as if they were this one's."""
    if version != find_version():
        raise BirthmarkError(f"another version is installed on {platform.node()}; install the same one on all machines")


@cache
def find_version() -> str:
    return extractor_version(load_registry(), ChunkSizes())


@cache
def _own_pool(limits: Limits) -> Pool:
    from birthmark.extraction.pool import Pool

    return Pool(run_call, 1, limits)


# Ray


@cache
def _ray() -> Any:
    """Without reports to its makers."""
    os.environ.update(_SETTINGS)
    require_ray()
    import ray

    return ray


@cache
def _remote(function: Callable[..., list[Outcome]], n_processors: int) -> Any:
    return _ray().remote(num_cpus=n_processors, max_retries=_RETRIES)(function)


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1].strip()[:200]


def _batches(
    tasks: Iterable[tuple[int, bytes]], sizes: tuple[int, ...], most_bytes: int = _BATCH_BYTES
) -> Iterator[Batch]:
    """Yield batches of the given sizes, repeating the last one. A batch also ends when it reaches `most_bytes`."""
    limits, batch, n_bytes = chain(sizes, repeat(sizes[-1])), list[tuple[int, bytes]](), 0
    limit = next(limits)
    for number, task in tasks:
        batch.append((number, task))
        n_bytes += len(task)
        if len(batch) >= limit or n_bytes >= most_bytes:
            yield batch
            batch, n_bytes, limit = [], 0, next(limits)
    if batch:
        yield batch
