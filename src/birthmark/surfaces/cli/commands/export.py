"""`export`: the index in the formats of other programs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO

import click

from birthmark.app.answers.exporting import Export, ExportCounts
from birthmark.app.answers.listing import from_root
from birthmark.app.workspace.file_writing import replacing
from birthmark.documents.wording import plain
from birthmark.errors import BirthmarkError
from birthmark.surfaces.cli.question_command import open_for_command
from birthmark.surfaces.cli.shared_options import NO_REFRESH
from birthmark.surfaces.cli.terminal.output import say, warn_if_stale
from birthmark.surfaces.formats.export_formats import EXPORT_FORMATS, ExportFormat
from birthmark.words import count

_STDOUT = "-"


def _format_options(command: Callable[..., None]) -> Callable[..., None]:
    for name, format_ in reversed(EXPORT_FORMATS.items()):
        metavar = "FOLDER" if format_.files else "FILE"
        command = click.option(f"--{name}", name, metavar=metavar, help=f"{format_.name}: {format_.help}")(command)
    return command


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@_format_options
@click.option("--no-refresh", is_flag=True, help=NO_REFRESH)
def export(paths: tuple[str, ...], no_refresh: bool, **targets: str | None) -> None:
    """Write the definitions of the index, and the edges between them, in formats of other programs.

    PATH is a file or a folder; without it all files of the index are exported. Edges that lead out of PATH are left
    out, but not from SCIP. Several formats can be written at once; `-` as FILE is standard output.

    \b
    Examples:
      birthmark export --scip index.scip
      birthmark export src/shop --dot shop.dot
      birthmark export --jsonl - | jq -r 'select(.record == "edge") | "\\(.user) \\(.used)"'
      birthmark export --parquet tables --graphml graph.graphml
    """
    wanted = {name: target for name, target in targets.items() if target is not None}
    if not wanted:
        raise click.UsageError(f"name a format and where to write it: {', '.join(f'--{name}' for name in targets)}")
    if list(wanted.values()).count(_STDOUT) > 1:
        raise click.UsageError("only one format can be written to standard output")
    with open_for_command(refreshes=not no_refresh) as session:
        session.require_index()
        warn_if_stale(session.freshness)
        exported = Export(session, from_root(session, paths))
        for name, target in wanted.items():
            format_ = EXPORT_FORMATS[name]
            _report(target, format_, _write(exported, format_, target))


def _write(exported: Export, format_: ExportFormat, target: str) -> ExportCounts:
    if target == _STDOUT and not format_.files:
        return format_.write(exported, sys.stdout.buffer)
    path = Path(target)
    if format_.files:
        _make_folder(path)
    elif path.is_dir():
        raise BirthmarkError(f"{path}: is a folder; name a file")
    paths = [path / name for name in format_.files] or [path]
    with ExitStack() as stack:
        files: list[IO[bytes]] = [stack.enter_context(replacing(path)) for path in paths]
        return format_.write(exported, *files)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; name a folder") from error


def _report(target: str, format_: ExportFormat, counts: ExportCounts) -> None:
    what = f"{count(counts.n_entities, 'definition')} and {count(counts.n_edges, format_.edge)}"
    where = "standard output" if target == _STDOUT else plain(target)
    say(f"{where}: {what} of {count(counts.n_files, 'file')}, as {format_.name}")
