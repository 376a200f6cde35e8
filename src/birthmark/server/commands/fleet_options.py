"""Options of commands that refresh a fleet, and how they show what was done."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import Any, cast

import click

from birthmark.server.fleet.refresh_task import RefreshedRepository
from birthmark.server.fleet.refreshing import RefreshRequest
from birthmark.surfaces.cli.shared_options import Command, wait_option
from birthmark.surfaces.text import paint
from birthmark.vocabulary import RefreshResult
from birthmark.words import count, short

mirrors_option = click.option(
    "--mirrors",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the mirrors.  [default: birthmark/mirrors in XDG_CACHE_HOME or ~/.cache]",
)
_WORK = (
    click.option(
        "--from-history", "with_history", is_flag=True, help="Replay their histories; later refreshes go on with that."
    ),
    click.option(
        "--ray", "cluster", default="", metavar="ADDRESS", help="Work on a Ray cluster: auto, HOST:PORT or local."
    ),
    mirrors_option,
    click.option(
        "--credentials",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Passwords for fetching, a line https://USER:PASSWORD@HOST each.",
    ),
    click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes.  [default: one per core]"),
    wait_option,
    click.option(
        "--no-prepare",
        "prepares",
        is_flag=True,
        flag_value=False,
        default=True,
        help="Leave it to the first questions to resolve references and make texts searchable.",
    ),
)


def work_options(command: Command) -> Command:
    """A command gets them as a RefreshRequest, `request`."""

    @wraps(command)
    def with_request(*arguments: Any, **options: Any) -> object:
        chosen = {name: options.pop(name) for name in RefreshRequest._fields if name in options}
        return command(*arguments, request=RefreshRequest(**chosen), **options)

    changed = cast("Command", with_request)
    for option in reversed(_WORK):
        changed = option(changed)
    return changed


def describe_refresh(done: RefreshedRepository) -> str:
    if done.result is RefreshResult.FAILED:
        return f"{paint('failed', 'red')}: {done.problem}"
    if done.result is not RefreshResult.INDEXED:
        return str(done.result)
    replayed = f", {count(done.n_commits, 'commit')} replayed" if done.n_commits else ""
    read = f"{count(done.n_read, 'file')} read, {done.n_extracted:,} parsed"
    return f"{paint('indexed', 'green')} at {short(done.commit)}{replayed}, {read} in {done.seconds:.2f} s"
