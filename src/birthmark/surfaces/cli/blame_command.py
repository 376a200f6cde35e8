"""`blame`: who last changed each entity of a file, and who introduced it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import click

from birthmark.app.histories import Blame, read_blame
from birthmark.app.repository import open_repository
from birthmark.sources.log import Commit
from birthmark.surfaces.cli.output import Row, list_options, print_list, say
from birthmark.surfaces.text import lines_of
from birthmark.surfaces.wire.changes import blame_documents


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--at", "revision", default="HEAD", show_default=True, metavar="REV", help="Start at this revision.")
@list_options
def blame(file: Path, revision: str, form: str | None) -> None:
    """Show who last changed the code of each entity in FILE, and who introduced it.

    Comments, documentation and formatting do not count.

    \b
    Examples:
      birthmark blame src/app.py
      birthmark blame src/app.py --at v2.0 --json
    """
    with open_repository() as past:
        found = read_blame(past, file, revision)
        problems = list(past.problems)
    for problem in problems:
        say(f"{problem.path}: {problem.problem}")
    print_list(form, blame_documents(found), lambda: _rows(found))


def _rows(found: Blame) -> Iterator[Row]:
    for blamed, last, introduced in found.entities:
        entity = found.outline.entities[blamed.ordinal]
        story = f"{entity.qualified_name}  {_describe(last)}  {', '.join(blamed.last.changes)}"
        since = "" if last.id == introduced.id else f"  since {_describe(introduced)}"
        yield lines_of(entity.start_line, entity.end_line), entity.kind, story + since


def _describe(commit: Commit) -> str:
    return f"{commit.id[:12]} {time.strftime('%Y-%m-%d', time.gmtime(commit.at))} {commit.author}"
