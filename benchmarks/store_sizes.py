"""What repositories take in PostgreSQL: rows and bytes of each table, by entity, file and commit.

    python benchmarks/store_sizes.py URL

URL is that of a database in which repositories were indexed; nothing in it is changed but its statistics.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import psycopg

MEGABYTE = 1_000_000
SIZES = """
    SELECT parent.relname, sum(pg_table_size(part.oid)), sum(pg_indexes_size(part.oid))
    FROM pg_class AS parent
    LEFT JOIN pg_inherits ON inhparent = parent.oid
    JOIN pg_class AS part ON part.oid = coalesce(inhrelid, parent.oid)
    WHERE parent.relnamespace = 'birthmark'::regnamespace AND parent.relkind IN ('r', 'p') AND NOT parent.relispartition
    GROUP BY 1"""


class Table(NamedTuple):
    """A table over all its partitions."""

    name: str
    n_rows: int
    n_bytes: int
    n_index_bytes: int

    @property
    def n_total(self) -> int:
        return self.n_bytes + self.n_index_bytes


def read_tables(connection: psycopg.Connection[Any]) -> list[Table]:
    connection.execute("VACUUM ANALYZE")
    found = []
    for name, n_bytes, n_index_bytes in connection.execute(SIZES).fetchall():
        n_rows = count_rows(connection, name)
        if n_rows:  # Empty partitions take pages, too.
            found.append(Table(name, n_rows, int(n_bytes), int(n_index_bytes)))
    return sorted(found, key=lambda table: -table.n_total)


def count_rows(connection: psycopg.Connection[Any], table: str) -> int:
    row = connection.execute(f"SELECT count(*) FROM birthmark.{table}").fetchone()  # noqa: S608
    return int(row[0]) if row else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    with psycopg.connect(parser.parse_args().url, autocommit=True) as connection:
        tables = read_tables(connection)
    for table in tables:
        print(
            f"{table.name:20} {table.n_rows:12,} rows {table.n_bytes / MEGABYTE:9.2f} MB "
            f"+ {table.n_index_bytes / MEGABYTE:8.2f} MB indexes {table.n_total / table.n_rows:8.0f} bytes a row"
        )
    n_rows, n_bytes = sum(table.n_rows for table in tables), sum(table.n_total for table in tables)
    print(f"{'all':20} {n_rows:12,} rows {n_bytes / MEGABYTE:9.2f} MB {n_bytes / n_rows:8.0f} bytes a row")
    by_name = {table.name: table.n_rows for table in tables}
    for unit in ("entities", "files", "versions", "identities", "commits", "extractions"):
        if n := by_name.get(unit):
            print(f"  for each of {n:,} {unit}: {n_rows / n:.1f} rows, {n_bytes / n:,.0f} bytes")


if __name__ == "__main__":
    main()
