"""Whole commands, measured from outside: wall time, processor time and memory, of the command and its children.

Memory is the highest sum of resident memory of all processes, and the highest of one process, looked at every 20 ms;
pages that forked workers share count once for each in the sum. The proportional sum (PSS), in which they count once,
takes longer to find, so it is looked at every 200 ms, on Linux alone. Processor time says more than wall time does
where other programs run as well.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread, Timer
from typing import IO, NamedTuple

ROUNDS, SHORT_SECONDS = 3, 30.0  # a longer command runs once
PAGE = os.sysconf("SC_PAGE_SIZE")
_SELDOM = 10  # looks at the resident memory for each at the proportional one


class Run(NamedTuple):
    """A command that has run."""

    seconds: float
    cpu_seconds: float
    peak: int
    output: bytes
    failure: str | None = None
    largest: int = 0  # the peak of one process
    proportional: int = 0  # the peak of all, shared pages counted once; 0 where the system does not say


def measure(command: list[str], folder: Path, prepare: Callable[[], None] = lambda: None) -> Run:
    """The medians of three runs and the highest peak."""
    runs: list[Run] = []
    while len(runs) < ROUNDS and (not runs or runs[-1].seconds < SHORT_SECONDS):
        prepare()
        runs.append(run_command(command, folder))
        if runs[-1].failure is not None:
            return runs[-1]
    return runs[-1]._replace(
        seconds=statistics.median(run.seconds for run in runs),
        cpu_seconds=statistics.median(run.cpu_seconds for run in runs),
        peak=max(run.peak for run in runs),
        largest=max(run.largest for run in runs),
        proportional=max(run.proportional for run in runs),
    )


def run_command(
    command: list[str], folder: Path, limit: float | None = None, environment: dict[str, str] | None = None
) -> Run:
    """Run once; after so many seconds the command and its children are ended."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as talk:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=talk,
            start_new_session=True,
        )
        with _watching(process.pid, limit) as peaks:
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        is_late = limit is not None and seconds >= limit
        failure = f"took more than {limit:.0f} s" if is_late else _describe_exit(process.returncode, talk, output)
        cpu_seconds = usage.ru_utime + usage.ru_stime
        return Run(seconds, cpu_seconds, peaks[0], _read_back(output), failure, *peaks[1:])


def _describe_exit(code: int, *talks: IO[bytes]) -> str | None:
    """The last thing that a command said before it failed."""
    if code == 0:
        return None
    lines = [line.strip() for talk in talks for line in _read_back(talk).decode("utf-8", "replace").splitlines()[::-1]]
    return f"exit {code}: {next(filter(None, lines), '')[:80]}"


def _read_back(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


@contextmanager
def _watching(pid: int, limit: float | None) -> Iterator[list[int]]:
    """Look at the memory of a command while it runs, and end it when its time is over."""
    peaks, is_over = [0, 0, 0], Event()

    def look() -> None:
        for turn in count():
            if is_over.wait(0.02):
                return
            pids = _tree_of(pid)
            sizes = [_resident(one) for one in pids]
            shared_once = sum(map(_proportional, pids)) if turn % _SELDOM == 0 else 0
            peaks[:] = max(peaks[0], sum(sizes)), max(peaks[1], *sizes), max(peaks[2], shared_once)

    watcher = Thread(target=look)
    watcher.start()
    timer = Timer(limit or 0, os.killpg, (pid, signal.SIGKILL))
    if limit is not None:
        timer.start()
    try:
        yield peaks
    finally:
        timer.cancel()
        is_over.set()
        watcher.join()


def _tree_of(pid: int) -> list[int]:
    """A process and all below it; it alone where the system does not say."""
    try:
        children = b" ".join(path.read_bytes() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    except OSError:  # It is over.
        return [pid]
    return [pid, *(one for child in children.split() for one in _tree_of(int(child)))]


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE
    except OSError:
        return 0


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)
