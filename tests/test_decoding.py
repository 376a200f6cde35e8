"""Types that many threads use for the first time at once."""

from __future__ import annotations

import subprocess
import sys

N_THREADS, N_TYPES = 8, 60
PROGRAM = f"""
import sys
from threading import Barrier, Thread

import msgspec

from birthmark.decoding import prepared

sys.setswitchinterval(1e-6)  # Threads take turns as often as they can.
fields = [(f"a{{i}}", "int | str | None") for i in range(30)]
leaves = [msgspec.defstruct(f"Leaf{{n}}", fields) for n in range({N_TYPES})]
kinds = [msgspec.defstruct(f"Kind{{n}}", [("leaf", leaf), ("more", list[leaf])]) for n, leaf in enumerate(leaves)]
barrier, failures = Barrier({N_THREADS}), []


def use():
    try:
        for kind, leaf in zip(kinds, leaves):
            barrier.wait()
            text = '{{"leaf": {{%s}}, "more": []}}' % ", ".join(f'"a{{i}}": {{i}}' for i in range(30))
            found = msgspec.json.decode(text, type=prepared(kind))
            assert isinstance(found, kind) and found.leaf.a29 == 29
    except BaseException as error:
        failures.append(error)
        barrier.abort()


threads = [Thread(target=use) for _ in range({N_THREADS})]
[one.start() for one in threads]
[one.join() for one in threads]
sys.exit(str(failures) if failures else 0)
"""


def test_threads_that_first_use_a_type_at_once() -> None:
    """In a process of its own, which would crash."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
