"""What row-level security costs a question: asked as the owner of the tables, and as a reader of one repository.

    python benchmarks/row_security.py REPOSITORY QUESTION...

A QUESTION is a path of HTTP, such as `search?text=filter` or `show?ref=QuerySet`. Prints the least time of several in
milliseconds, of both roles in turn. The server is that of the tests, started for the run.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgres_server import fresh_database

from asgi import Client
from birthmark.app.indexing.index import index_worktree
from birthmark.app.serving.shared_repositories import SharedRepositories
from birthmark.app.workspace.stores import writing
from birthmark.app.workspace.workspace import STORE, find_workspace
from birthmark.server.serving.many import MirrorCheck
from birthmark.surfaces.http.access.guards import Hosts
from birthmark.surfaces.http.app import make_app
from birthmark.surfaces.workers import Workers

TOKEN, PORT, N_TIMES = b"t" * 43, 7433, 8
HEADERS = [("Host", f"127.0.0.1:{PORT}"), ("Authorization", f"Bearer {TOKEN.decode()}")]


def measure(root: Path, questions: list[str]) -> dict[str, float]:
    """By the store of the environment; what is asked first is not counted."""
    with closing(SharedRepositories(root, 3600.0, MirrorCheck())) as repositories:
        client = Client(make_app(root, TOKEN, Hosts.of(PORT), Workers(3600.0), repositories=repositories), HEADERS)
        return {question: min([_ask(client, question) for _ in range(N_TIMES)][1:]) for question in questions}


def _ask(client: Client, question: str) -> float:
    path, _, query = question.partition("?")
    started = time.perf_counter()
    reply = client.send("GET", f"/v1/{path}", query=query)
    assert reply.status == 200, reply.body
    return time.perf_counter() - started


def settle(url: str) -> None:
    """What the server does by itself some time after rows were written."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")


def as_reader(url: str) -> str:
    """The same database, as a role that sees its first repository alone."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT min(repository) FROM birthmark.repositories WHERE has_index").fetchone()
    assert row is not None
    options = quote(f"-c role=birthmark_reader -c birthmark.repositories={row[0]}")
    return f"{url}{'&' if '?' in url else '?'}options={options}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("questions", nargs="+")
    arguments = parser.parse_args()
    url, root = fresh_database(), arguments.repository.resolve()
    os.environ[STORE] = url
    with writing(find_workspace(root), 0) as store:
        index_worktree(store, find_workspace(root))
    measure(root, arguments.questions)  # which makes texts searchable
    settle(url)
    for _ in range(2):
        for role, store_url in (("owner", url), ("reader", as_reader(url))):
            os.environ[STORE] = store_url
            for question, seconds in measure(root, arguments.questions).items():
                print(f"{role:8} {question:50} {seconds * 1000:8.1f} ms", flush=True)


if __name__ == "__main__":
    main()
