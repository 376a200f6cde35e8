"""`search --everywhere` over many repositories of a database, beside opening each of them; both find the same.

    python benchmarks/search_everywhere.py REPOSITORY [--copies N]

The database has REPOSITORY so many times, under other names, and a small one whose names no other has. Prints how many
repositories were opened, and the processor time of this program and of the server, which is that of the tests.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from postgres import own_seconds, server_seconds
from postgres_server import fresh_database

from birthmark.app.answers.searching import SearchQuery, find_page
from birthmark.app.changes.diff_arguments import read_filter
from birthmark.app.indexing.index import update_folder
from birthmark.app.workspace.commits import make_extractor
from birthmark.app.workspace.freshness import RefreshOptions
from birthmark.app.workspace.session import Session, open_session
from birthmark.app.workspace.stores import open_other_index
from birthmark.app.workspace.workspace import REPOSITORY, STORE
from birthmark.queries.search import MISSING_WORD, read_search, search
from birthmark.queries.snapshot_view import SnapshotView
from birthmark.queries.text_search import ReadingBudget
from birthmark.server.across import other_repositories

SMALL = "def saw_wood(plank):\n    return plank.halves\n"
TEXTS = ("saw_wood", "saw_wod", "plank.halves", "url_for", "urlfor", "get", "nowhere_to_be_found")
LIMIT = 20
READ = 6_400_000  # bytes of texts, in all repositories
COLUMNS = """
    SELECT table_name, array_agg(column_name::text)
    FROM information_schema.columns JOIN pg_class ON relname = table_name
    WHERE table_schema = 'birthmark' AND relkind = 'p' AND is_generated = 'NEVER' AND column_name <> 'repository'
    GROUP BY table_name"""
REHASHED = "ARRAY(SELECT ((one::bigint + (1::bigint << 31)) # {}) - (1::bigint << 31) FROM unnest(trigrams) AS one)"
NUMBER = "SELECT repository FROM birthmark.repositories WHERE name = 'large'"


def copy_repository(connection: psycopg.Connection[Any], source: int, name: str) -> None:
    """Trigrams of three bytes differ by the same bits between two repositories; others are not found any more."""
    made = "INSERT INTO birthmark.repositories (name, has_index) VALUES (%s, true) RETURNING repository"
    (number,) = connection.execute(made, (name,)).fetchone() or (0,)
    starts = [zlib.crc32(str(one).encode()) for one in (source, number)]
    difference = zlib.crc32(b"\0\0\0", starts[0]) ^ zlib.crc32(b"\0\0\0", starts[1])
    for table, columns in connection.execute(COLUMNS).fetchall():
        names = ", ".join(f'"{one}"' for one in columns)
        values = names.replace('"trigrams"', REHASHED.format(difference))
        copied = f"SELECT {number}, {values} FROM birthmark.{table} WHERE repository = {source}"  # noqa: S608
        connection.execute(f"INSERT INTO birthmark.{table} (repository, {names}) {copied}")


def add(root: Path, name: str) -> None:
    """Indexed, with texts that are searchable; the index of this repository is asked from now on."""
    os.environ[REPOSITORY] = name
    update_folder(root, 30.0)
    with open_session(root, RefreshOptions()) as session:
        find_page(session, SearchQuery("anything"))


def open_each(session: Session, text: str) -> list[str]:
    """The marks of the first results."""
    names = [row[0] for row in session.store.connection.execute("SELECT name FROM birthmark.repositories")]  # type: ignore[attr-defined]
    ranked, budget = [], ReadingBudget(READ)
    for number, name in enumerate(sorted(names, key=lambda name: (name != os.environ[REPOSITORY], name))):
        with closing(open_other_index(session.workspace, name)) as store, store.reading():
            extractor = make_extractor(session.repository.settings, store=store)
            view = SnapshotView(store, store.snapshots()[0].worktree, extractor)
            found = search(view, read_search(text), read_filter((), (), ()), budget)
            for place, hit in enumerate(islice(found, LIMIT + 1)):
                stage = 1 if hit.text is not None else 0 if hit.cost < MISSING_WORD else 2
                ranked.append(((stage, hit.cost if stage != 1 else 0.0, place, number), hit.shown.mark))
    return [mark for _, mark in sorted(ranked)[:LIMIT]]


@contextmanager
def counting() -> Iterator[list[str]]:
    """The repositories that are opened meanwhile."""
    opened: list[str] = []

    def open_counted(workspace: Any, name: str) -> Any:
        opened.append(name)
        return open_other_index(workspace, name)

    with patch.object(other_repositories, "open_other_index", open_counted):
        yield opened


def measure(session: Session, text: str) -> None:
    ours, theirs = own_seconds(), server_seconds()
    expected = open_each(session, text)
    middle = own_seconds(), server_seconds()
    with counting() as opened:
        page = session.others(everywhere=True).find_page(partial(find_page, session), SearchQuery(text, limit=LIMIT))
    end = own_seconds(), server_seconds()
    same = [one.entity.mark for one in page.results] == expected
    print(
        f"{text:20} {'the same' if same else 'OTHER RESULTS'}; opened {len(opened):4}, "
        f"{end[0] - middle[0]:6.2f} + {end[1] - middle[1]:6.2f} s server; "
        f"each: {middle[0] - ours:6.2f} + {middle[1] - theirs:6.2f} s server"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--copies", type=int, default=200)
    given = parser.parse_args()
    url = os.environ[STORE] = fresh_database()
    with tempfile.TemporaryDirectory() as folder, psycopg.connect(url, autocommit=True) as connection:
        root, small = Path(folder) / "large", Path(folder) / "small"
        subprocess.run(["git", "clone", "-q", "--shared", str(given.repository), str(root)], check=True)  # noqa: S607
        small.mkdir()
        (small / "saw.py").write_text(SMALL)
        add(root, "large")
        (source,) = connection.execute(NUMBER).fetchone() or (0,)
        for number in range(given.copies):
            copy_repository(connection, source, f"copy-{number:05}")
        add(small, "small")
        connection.execute("VACUUM ANALYZE")  # as a server does by itself, in time
        print(f"{given.copies + 2:,} repositories; processor time, with that of the server")
        with open_session(small) as session:
            for text in TEXTS:
                measure(session, text)


if __name__ == "__main__":
    main()
