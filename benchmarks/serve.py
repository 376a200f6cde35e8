"""How fast `birthmark serve` answers many readers while another process edits and indexes, beside what is asked.

    python benchmarks/serve.py DJANGO [--flask FLASK] [--datasette] [--alone] [--processes N] [--seconds N] [--seed N]

Each repository is cloned into a temporary folder and indexed; its edges are resolved, its texts made searchable.
`birthmark serve` runs in a process of its own. Readers in another process, each on a connection that is kept, ask one
kind of question after the other, about entities that were drawn at random, without a pause; a third process edits a
function and runs `birthmark index`, again and again; with --alone there is none. Pages that the server does not have
are left out.

A time runs from the first byte of a request to the last of its answer. On a machine that does other work as well,
only processor time means something: that of the server for a request stands beside the times. With --datasette, that
program serves the same entities from a database of its own, one row for each mark, to the same readers at the same
time of day, without a writer; it is installed into a folder that is deleted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles
from typing import Any, NamedTuple
from urllib.parse import quote

from birthmark.app.workspace.session import open_session

N_READERS = 8
N_DRAWN = 400
JSON_MS, PAGE_MS = 25, 50
COMMAND = [sys.executable, "-m", "birthmark"]
EDITED = "\n\ndef birthmark_benchmark():\n    return {}\n"

# What is asked, by its name: the template of its address, and the limit of its 99th percentile.
QUESTIONS = {
    "show": ("/v1/show?ref={mark}", JSON_MS),
    "resolve": ("/v1/resolve?ref={mark}", JSON_MS),
    "search": ("/v1/search?text={name}", JSON_MS),
    "users": ("/v1/users?ref={mark}", JSON_MS),
    "entities of a file": ("/v1/entities?path={path}", JSON_MS),
    "page of an entity": ("/entity/{mark}", PAGE_MS),
    "page of a file": ("/file/{path}", PAGE_MS),
    "page of a search": ("/search?text={name}", PAGE_MS),
}
ROW = "/entities/entities/{mark}.json"


class Server(NamedTuple):
    """Where one listens, its token, and its process."""

    port: int
    token: str
    pid: int


class Measured(NamedTuple):
    """Milliseconds of all answers, the statuses that were errors, and how long it took in all."""

    times: list[float]
    errors: list[int]
    seconds: float


def main() -> None:
    arguments = read_arguments()
    repositories = [Path(arguments.repository), *([Path(arguments.flask)] if arguments.flask else [])]
    with tempfile.TemporaryDirectory(prefix="birthmark-serve-") as folder:
        for repository in repositories:
            root = prepare(repository, Path(folder))
            entities = draw(root, arguments.seed)
            measure(root, entities, arguments)
            if arguments.datasette:
                measure_datasette(root, entities, arguments.seconds, Path(folder))


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("repository")
    parser.add_argument("--flask")
    parser.add_argument("--datasette", action="store_true")
    parser.add_argument("--alone", action="store_true", help="without a writer")
    parser.add_argument("--processes", type=int, default=1, help="that answer")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each kind of question")
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def prepare(repository: Path, folder: Path) -> Path:
    root = folder / repository.resolve().name
    subprocess.run(["git", "clone", "-q", "--shared", str(repository.resolve()), str(root)], check=True)  # noqa: S607
    for command in (["index"], ["rank", "--limit", "1"], ["search", "birthmark benchmark"]):
        subprocess.run([*COMMAND, *command], cwd=root, check=False, capture_output=True)
    return root


def draw(root: Path, seed: int) -> list[dict[str, str]]:
    with open_session(root) as session:
        rows = [*session.store.all_entities(session.view.number)]
        drawn = random.Random(seed).sample(rows, min(N_DRAWN, len(rows)))  # noqa: S311 - the same every time
        return [{"mark": row.mark, "name": row.name, "path": row.path} for row in drawn]


# The server and its writer


@contextmanager
def serving(root: Path, n_processes: int) -> Iterator[Server]:
    command = [*COMMAND, "serve", "--port", "0", "--processes", str(n_processes)]
    with subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r":(\d+)/v1", process.stderr.readline())
        assert found is not None
        token = (root / ".birthmark/http-token").read_text().strip()
        try:
            yield Server(int(found[1]), token, process.pid)
        finally:
            process.terminate()


@contextmanager
def writing(root: Path) -> Iterator[None]:
    process = get_context("spawn").Process(target=write, args=(root,))
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def write(root: Path) -> None:
    path = min((path for path in root.rglob("*.py") if 3000 < path.stat().st_size < 9000), key=str)
    text = path.read_text("utf-8")
    for number in range(10**6):
        path.write_text(text + EDITED.format(number), "utf-8")
        subprocess.run([*COMMAND, "index"], cwd=root, check=True, capture_output=True)


def measure(root: Path, entities: Sequence[dict[str, str]], arguments: argparse.Namespace) -> None:
    beside = "no writer" if arguments.alone else "a writer"
    print(f"{root.name}: {N_READERS} readers, {beside} beside them, {arguments.processes} processes that answer; ms")
    print(f"{'question':20} {'p50':>8} {'p95':>8} {'p99':>8} {'limit':>6} {'per second':>11} {'cpu':>7} {'errors':>7}")
    with serving(root, arguments.processes) as server:
        for name, (template, limit) in QUESTIONS.items():
            addresses = fill(template, entities)
            if read(server, addresses, 1.0).errors == [404]:
                continue
            before = cpu_ms_of_all(server.pid)
            with nullcontext() if arguments.alone else writing(root):
                found = read(server, addresses, arguments.seconds)
            report(name, limit, found, cpu_ms_of_all(server.pid) - before)


def report(name: str, limit: int | None, found: Measured, cpu: float) -> None:
    p = quantiles(found.times or [0.0, 0.0], n=100)
    rate, each = len(found.times) / found.seconds, cpu / max(1, len(found.times))
    figures = f"{p[49]:8.1f} {p[94]:8.1f} {p[98]:8.1f} {limit or '':>6} {rate:11.1f} {each:7.2f} {len(found.errors):7}"
    print(f"{name:20} {figures}", flush=True)


def cpu_ms_of_all(pid: int) -> float:
    """Of a server with the processes that it has started, those that look at the worktree and keep up included."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return cpu_ms(pid) + sum(cpu_ms(int(child)) for child in children)


def cpu_ms(pid: int) -> float:
    """Of one process, without those that it has started."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def fill(template: str, entities: Sequence[dict[str, str]]) -> list[str]:
    return [template.format(**{name: quote(value) for name, value in entity.items()}) for entity in entities]


# The readers


def read(server: Server, addresses: list[str], seconds: float) -> Measured:
    """In another process, which has nothing else to do."""
    with get_context("spawn").Pool(1) as pool:
        found: Measured = pool.apply(read_all, (server, addresses, seconds))
        return found


def read_all(server: Server, addresses: list[str], seconds: float) -> Measured:
    return asyncio.run(_read_all(server, addresses, seconds))


async def _read_all(server: Server, addresses: list[str], seconds: float) -> Measured:
    times, errors, started = list[float](), list[int](), time.perf_counter()

    async def ask(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        while time.perf_counter() < started + seconds:
            address, number = addresses[number % len(addresses)], number + N_READERS
            began = time.perf_counter()
            head = f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}"
            writer.write(f"{head}\r\n\r\n".encode())
            status = await _answer(reader)
            times.append((time.perf_counter() - began) * 1000)
            if status != 200:
                errors.append(status)
                if status == 404:
                    break
        writer.close()

    await asyncio.gather(*(ask(number) for number in range(N_READERS)))
    return Measured(times, errors if set(errors) != {404} else [404], time.perf_counter() - started)


async def _answer(reader: asyncio.StreamReader) -> int:
    """The status of an answer, which is read as a whole."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    if length is not None:
        await reader.readexactly(int(length[1]))
    else:
        while size := int(await reader.readline(), 16):
            await reader.readexactly(size + 2)
        await reader.readline()
    return int(head[9:12])


# Datasette


def measure_datasette(root: Path, entities: Sequence[dict[str, str]], seconds: float, folder: Path) -> None:
    database = folder / "entities.db"
    database.unlink(missing_ok=True)
    copy_entities(root, database)
    program = install(folder / "datasette")
    if program is None:
        print("datasette cannot be installed here")
        return
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command, quiet = [program, str(database), "--port", str(port)], subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        wait_for(port)
        server, addresses = Server(port, "", process.pid), fill(ROW, entities)
        read(server, addresses, 1.0)
        before = cpu_ms(process.pid)
        found = read(server, addresses, seconds)
        report("datasette, a row", None, found, cpu_ms(process.pid) - before)
        process.terminate()


def copy_entities(root: Path, database: Path) -> None:
    with open_session(root) as session, sqlite3.connect(database) as connection:
        rows: list[Any] = [*session.store.all_entities(session.view.number)]
        names = rows[0]._fields
        columns = ", ".join(f"{name} PRIMARY KEY" if name == "mark" else name for name in names)
        connection.execute(f"CREATE TABLE entities ({columns})")
        values = ", ".join("?" * len(names))
        connection.executemany(f"INSERT OR IGNORE INTO entities VALUES ({values})", rows)  # noqa: S608 - marks alone


def install(folder: Path) -> str | None:
    if not folder.exists():
        venv.create(folder, with_pip=True)
    done = subprocess.run(
        [folder / "bin/python", "-m", "pip", "install", "-q", "datasette"], check=False, capture_output=True
    )
    return str(folder / "bin/datasette") if done.returncode == 0 else None


def wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)


if __name__ == "__main__":
    main()
