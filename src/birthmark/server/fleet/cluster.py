"""Run calls on a Ray cluster, from a process of its own.

Ray ends the process that is attached to a machine of the cluster when that machine goes away, without an exception and
with any exit code. So what is to be said, and recorded, is not in that process: here its end is noticed, and what is
left is given to another one.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from birthmark.errors import BirthmarkError, ClusterError
from birthmark.extraction.calls import Outcome
from birthmark.isolation import spawn
from birthmark.server.fleet.ray_pool import require_ray

_END_SECONDS = 10.0
_TRIES = 3  # to do all that is left; the cluster may go away each time


def run_on_cluster(address: str, n_processors: int | None, tasks: list[bytes]) -> Iterator[Outcome]:
    """Yield outcomes as tasks finish. If the cluster is lost, its running tasks are retried on the next one."""
    require_ray()
    left = dict(enumerate(tasks))
    lost: ClusterError | None = None
    for _ in range(_TRIES):
        try:
            for outcome in _run_attached(address, n_processors, left):
                del left[outcome.task]
                yield outcome
        except ClusterError as error:
            lost = error
        except BirthmarkError as error:
            raise lost or error from None
        if not left:
            return
    if lost is not None:
        raise lost


def _run_attached(address: str, n_processors: int | None, tasks: dict[int, bytes]) -> Iterator[Outcome]:
    """By a process that is attached to the cluster."""
    outcomes, theirs = Pipe(duplex=False)
    process = spawn(_drive, theirs, address, n_processors, tuple(tasks.values()))
    theirs.close()
    numbers = list(tasks)
    try:
        while (found := _receive(outcomes)) is not None:
            yield found._replace(task=numbers[found.task])
    finally:
        outcomes.close()
        process.join(_END_SECONDS)
        process.kill()
        process.join()


def _receive(outcomes: Connection) -> Outcome | None:
    """None behind the last one."""
    try:
        found: Outcome | BirthmarkError | None = outcomes.recv()
    except EOFError:
        message = "the Ray cluster went away; run the same again: what was done is kept, and not done twice"
        raise ClusterError(message) from None
    if isinstance(found, BirthmarkError):
        raise found
    return found


def _drive(outcomes: Connection, address: str, n_processors: int | None, tasks: tuple[bytes, ...]) -> None:
    """In the process that is attached to the cluster; Ctrl-C is for the one that started it."""
    from birthmark.server.fleet.ray_pool import count_processors, join_cluster, leave_cluster, task_pool

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # Ray writes its complaints about lost machines to where documents are printed.
    try:
        join_cluster(address, n_processors)
        for outcome in task_pool(count_processors()).run(tasks):
            outcomes.send(outcome)
        outcomes.send(None)
        leave_cluster()
    except BirthmarkError as error:
        outcomes.send(error)
    except BrokenPipeError:
        leave_cluster()
