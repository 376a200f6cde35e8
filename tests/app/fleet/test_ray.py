"""A fleet on a real Ray cluster of this machine: the same rows, also where its workers are killed."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # comes with the server, without stubs
import pytest
from postgres_server import fresh_database

from birthmark.app.workspace.workspace import REPOSITORY, STORE
from birthmark.errors import ClusterError
from birthmark.extraction.calls import Outcome
from birthmark.server.fleet import cluster
from birthmark.server.fleet.ray_pool import RayPool
from fleets import Fleet, single_rows

NAMES = "abcd"


def test_rows_are_the_same_though_workers_are_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own, as Ray changes the one that it is used in."""
    fleet = Fleet(tmp_path, fresh_database())
    monkeypatch.setenv(STORE, fleet.url)
    monkeypatch.delenv(REPOSITORY, raising=False)
    worlds = [fleet.make(name, seed=number) for number, name in enumerate(NAMES)]
    assert fleet.run("add", *NAMES).returncode == 0
    command = [sys.executable, "-m", "birthmark", "fleet", "refresh", "--ray", "local", "--jobs", "2"]
    command += ["--from-history", "--mirrors", str(fleet.mirrors), "--retry"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, env=_environment(tmp_path)) as process:
        n_killed = _kill_workers(process)
        assert process.wait() == 0
    assert n_killed > 0
    done = fleet.refresh("--retry")  # what failed, should so many workers have been killed that Ray gave up
    assert {one["result"] for one in done.values()} <= {"indexed", "unchanged"}
    for world in worlds:
        assert fleet.rows(world.root.name) == single_rows(world, tmp_path, monkeypatch)


def test_a_cluster_that_goes_away_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is attached to a machine of the cluster ends with it, with any exit code."""
    monkeypatch.setattr(cluster, "_drive", _leave)
    with pytest.raises(ClusterError, match="went away; run the same again"):
        list(cluster.run_on_cluster("local", 1, [b""]))


WRITING = """
import os
from birthmark.server.fleet import cluster
from birthmark.errors import BirthmarkError
from birthmark.server.fleet import ray_pool

class Outcomes:
    def send(self, found): print(type(found).__name__)

def join(*arguments):
    os.write(1, b"a machine was lost")
    raise BirthmarkError("x")

ray_pool.join_cluster = join
cluster._drive(Outcomes(), "local", 1, ())
"""


def test_what_ray_writes_is_not_mixed_with_documents() -> None:
    found = subprocess.run([sys.executable, "-c", WRITING], check=True, capture_output=True, text=True)
    assert found.stdout == ""
    assert "a machine was lost" in found.stderr
    assert "BirthmarkError" in found.stderr


def test_what_is_left_is_done_by_the_next_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_drive", _do_one_and_leave)
    outcomes = list(cluster.run_on_cluster("local", 1, [b"a", b"b", b"c"]))
    assert [(outcome.task, outcome.result) for outcome in outcomes] == [(0, b"a"), (1, b"b"), (2, b"c")]


def _do_one_and_leave(outcomes: Connection, address: str, n_processors: int, tasks: tuple[bytes, ...]) -> None:
    outcomes.send(Outcome(0, tasks[0], None))
    outcomes.close()
    os._exit(0)


def test_a_few_calls_are_run_where_they_are() -> None:
    """All that there are, or more than a few go to Ray."""
    pool = RayPool(_refuse, _echo, (1,), 1, n_few=2)
    assert list(pool.run([])) == []
    assert list(pool.run([b"a", b"b"])) == [Outcome(0, b"a", None), Outcome(1, b"b", None)]
    with pytest.raises(NotImplementedError):
        list(pool.run([b"a", b"b", b"c"]))
    with pytest.raises(NotImplementedError):
        list(RayPool(_refuse, _echo, (1,), 1).run([b"a"]))


def _refuse(*arguments: object) -> list[Outcome]:
    raise NotImplementedError


def _echo(batch: list[tuple[int, bytes]]) -> list[Outcome]:
    return [Outcome(number, task, None) for number, task in batch]


def _leave(*arguments: object) -> None:
    os._exit(0)


def _environment(folder: Path) -> dict[str, str]:
    """The cluster has a token of its own. Ray's folder has a short name, as names of sockets have to be."""
    token = folder / "token"
    token.write_text(secrets.token_hex(32))
    own = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token), "RAY_TMPDIR": tempfile.gettempdir()}
    return os.environ | own | {"PYTHONWARNINGS": "ignore"}


def _kill_workers(process: subprocess.Popen[bytes]) -> int:
    """Two of the workers that run the refresh of a repository."""
    killed: set[int] = set()
    while process.poll() is None and len(killed) < 2:
        for worker in psutil.Process(process.pid).children(recursive=True):
            try:
                if worker.pid not in killed and worker.cmdline()[:1] == ["ray::run_plainly"]:
                    worker.kill()
                    killed.add(worker.pid)
            except psutil.NoSuchProcess:
                continue
        time.sleep(0.1)
    return len(killed)
