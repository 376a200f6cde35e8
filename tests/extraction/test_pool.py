"""Workers can be slow, greedy or dead; the run goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Iterator
from multiprocessing import active_children
from pathlib import Path
from threading import Event, Lock, Thread

import pytest

from birthmark.extraction.calls import Outcome, encode_call, run_call
from birthmark.extraction.fork_helper import find_helper
from birthmark.extraction.model import Limits
from birthmark.extraction.pool import Pool, forking

LIMITS = Limits(seconds=0.5, memory_bytes=256 << 20)


def behave(payload: bytes) -> bytes:
    match payload:
        case b"hang":
            while True:
                pass
        case b"sleep":
            time.sleep(60)
        case b"wait":
            time.sleep(1.0)
        case b"die":
            os.kill(os.getpid(), signal.SIGKILL)
        case b"crash":
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)  # pytest would report it
            os.kill(os.getpid(), signal.SIGSEGV)
        case b"leave":
            os._exit(7)
        case _ if payload.startswith(b"/"):
            die_once(Path(os.fsdecode(payload)))
        case b"raise":
            raise ValueError("broken")
        case b"eat":
            return bytes(1 << 30)
    return payload.upper()


def die_once(marker: Path) -> None:
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)


def run(*payloads: bytes, n_workers: int = 2) -> list[Outcome]:
    with Pool(behave, n_workers, LIMITS) as pool:
        return sorted(pool.run(payloads))


def test_every_task_has_an_outcome() -> None:
    outcomes = run(*(b"%d" % i for i in range(50)), n_workers=3)
    assert [(outcome.task, outcome.result) for outcome in outcomes] == [(i, b"%d" % i) for i in range(50)]


def test_no_tasks_no_outcomes() -> None:
    assert run() == []


def test_a_slow_task_is_given_up() -> None:
    first, second, third = run(b"hang", b"a", b"b", n_workers=1)
    assert (first.result, second.result, third.result) == (None, b"A", b"B")
    assert first.failure is not None
    assert "0.5 s" in first.failure


def test_only_processor_time_counts() -> None:
    """On a busy machine a worker waits longer than it works."""
    (outcome,) = run(b"wait")
    assert outcome.result == b"WAIT"


def test_a_worker_that_never_works_is_given_up_in_the_end() -> None:
    with Pool(behave, 1, Limits(seconds=0.05)) as pool:
        (outcome,) = pool.run([b"sleep"])
    assert (outcome.is_exhausted, outcome.fails_again) == (True, False)


def test_what_another_run_may_do_is_marked() -> None:
    outcomes = run(b"hang", b"eat", b"die", b"raise", b"a")
    assert [outcome.is_exhausted for outcome in outcomes] == [True, True, True, False, False]


def test_what_the_machine_may_have_done_is_not_sure_to_fail_again() -> None:
    outcomes = run(b"hang", b"eat", b"crash", b"die", b"leave", b"a")
    assert [outcome.fails_again for outcome in outcomes] == [True, True, True, False, False, False]


def test_a_run_that_is_abandoned_leaves_the_pool_usable() -> None:
    with Pool(behave, 2, LIMITS) as pool:
        next(pool.run([b"a", b"b", b"c", b"d"]))
        assert sorted(outcome.result or b"" for outcome in pool.run([b"x", b"y"])) == [b"X", b"Y"]


def test_a_dead_worker_costs_one_task() -> None:
    outcomes = run(b"die", b"a", b"leave", b"b", n_workers=1)
    assert [outcome.result for outcome in outcomes] == [None, b"A", None, b"B"]
    assert "SIGKILL" in str(outcomes[0].failure)
    assert "exit 7" in str(outcomes[2].failure)


def test_a_worker_that_is_killed_from_outside_costs_no_task(tmp_path: Path) -> None:
    """A commit that is replayed without a file would lack it for ever."""
    marker = os.fsencode(tmp_path / "killed")
    assert [outcome.result for outcome in run(b"a", marker, b"b", n_workers=1)] == [b"A", marker.upper(), b"B"]


def test_a_greedy_task_is_stopped() -> None:
    greedy, fine = run(b"eat", b"a", n_workers=1)
    assert "memory" in str(greedy.failure)
    assert fine.result == b"A"


def test_an_exception_is_told() -> None:
    (outcome,) = run(b"raise")
    assert outcome.failure == "failed: ValueError: broken"


def test_no_worker_is_made_while_another_thread_takes_locks() -> None:
    """A worker that is a copy of a thread's locked lock would wait for it for ever."""
    lock, has_begun = Lock(), Event()

    def take_it() -> None:
        with forking, lock:
            has_begun.set()
            time.sleep(0.05)

    def work(_: bytes) -> bytes:
        with lock:
            return b"done"

    thread = Thread(target=take_it)
    thread.start()
    assert has_begun.wait(5)
    with Pool(work, 1, Limits(2)) as pool:
        assert [outcome.result for outcome in pool.run([b""])] == [b"done"]
    thread.join()


# A process with threads


@pytest.fixture
def thread() -> Iterator[Thread]:
    """Another thread that runs meanwhile."""
    may_end = Event()
    thread = Thread(target=may_end.wait)
    thread.start()
    yield thread
    may_end.set()
    thread.join()


def where() -> list[Outcome]:
    """The folder in which a worker runs."""
    with Pool(run_call, 1, LIMITS) as pool:
        return list(pool.run([encode_call(os.readlink, b"/proc/self/cwd")]))


def test_workers_of_a_process_with_threads_are_forked_by_one_without(thread: Thread) -> None:
    with Pool(run_call, 2, LIMITS) as pool:
        pids = [worker.process.pid for worker in pool.workers]
        assert {_parent(pid) for pid in pids} == {find_helper().pid}
    assert find_helper().pid != os.getpid()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    assert [outcome.result for outcome in where()] == [b"/"]


def _parent(pid: int | None) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_single_thread_forks_itself() -> None:
    with Pool(behave, 1, LIMITS) as pool:
        assert _parent(pool.workers[0].process.pid) == os.getpid()


def test_a_worker_that_was_forked_elsewhere_may_end(thread: Thread) -> None:
    with Pool(run_call, 1, LIMITS) as pool:
        tasks = [encode_call(os._exit, b""), encode_call(b64encode, b"a")]  # type: ignore[arg-type]
        os.kill(pool.workers[0].process.pid or 0, signal.SIGKILL)
        outcomes = list(pool.run(tasks))
    assert [outcome.result for outcome in outcomes] == [None, b"YQ=="]
    assert "failed: TypeError" in str(outcomes[0].failure)


def test_another_helper_takes_the_place_of_one_that_was_killed(thread: Thread) -> None:
    first = find_helper()
    os.kill(first.pid, signal.SIGKILL)
    first.close()
    assert [outcome.result for outcome in where()] == [b"/"]
    assert find_helper().pid != first.pid


def test_what_cannot_be_called_is_told(thread: Thread) -> None:
    with pytest.raises(RuntimeError, match="TypeError"):
        find_helper().call(os._exit, b"")  # type: ignore[arg-type]


SCRIPT = """
from threading import Event, Thread
from birthmark.extraction.calls import encode_call, run_call
from birthmark.extraction.pool import Pool
from base64 import b64encode

print("begun")
Thread(target=Event().wait, daemon=True).start()
with Pool(run_call, 1) as pool:
    print([outcome.result for outcome in pool.run([encode_call(b64encode, b"a")])])
"""


def test_the_helper_imports_neither_the_script_nor_what_is_in_the_folder(tmp_path: Path) -> None:
    script, repository = tmp_path / "script.py", tmp_path / "repository"
    script.write_text(SCRIPT)
    repository.mkdir()
    for name in ("msgspec", "base64", "multiprocessing", "signal", "birthmark", "atexit"):
        (repository / f"{name}.py").write_text("raise SystemExit('a module of the repository')")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, script], cwd=repository, env=environment, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("begun\n[b'YQ==']\n", "")


def test_nothing_is_left_behind() -> None:
    run(b"a", b"hang")
    assert active_children() == []


@pytest.mark.parametrize(("size", "most"), [(1, 100), (300_000, 10)])
def test_few_tasks_are_held_at_a_time(size: int, most: int) -> None:
    taken: list[int] = []

    def tasks() -> Iterator[bytes]:
        for i in range(200):
            taken.append(i)
            yield b"x" * size

    with Pool(behave, 2, LIMITS) as pool:
        next(iter(pool.run(tasks())))
    assert len(taken) <= most


def test_what_waits_for_a_worker_that_dies_is_done_by_the_next() -> None:
    large = b"x" * 100_000
    tasks = [b"die", b"a", b"leave", large, b"hang", b"b", large, b"c"]
    with Pool(behave, 1, LIMITS) as pool:
        outcomes = {outcome.task: outcome for outcome in pool.run(tasks)}
    assert sorted(outcomes) == list(range(len(tasks)))
    assert [number for number, outcome in outcomes.items() if outcome.failure] == [0, 2, 4]
    assert [len(outcomes[number].result or b"") for number in (1, 3)] == [len(behave(b"a")), len(behave(large))]


def test_results_and_tasks_that_fill_the_pipe_do_not_wait_for_each_other() -> None:
    sizes = [400_000, 10, 60_000, 60_000, 1, 300_000, 40_000, 40_000, 40_000] * 3
    with Pool(behave, 2, Limits()) as pool:
        outcomes = {outcome.task: outcome.result for outcome in pool.run(b"x" * size for size in sizes)}
    assert [len(outcomes[number] or b"") for number in range(len(sizes))] == sizes


def test_workers_end_with_their_parent() -> None:
    reader, writer = os.pipe()
    parent = os.fork()
    if parent == 0:
        pool = Pool(behave, 2, LIMITS)
        os.write(writer, " ".join(str(worker.process.pid) for worker in pool.workers).encode())
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(parent, 0)
    pids = [int(pid) for pid in os.read(reader, 100).split()]
    deadline = time.monotonic() + 10
    while any(_alive(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(_alive(pid) for pid in pids)


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return not Path("/proc").is_dir() and _is_known(pid)


def _is_known(pid: int) -> bool:
    """Where there is no list of processes."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
