"""`fleet refresh` and `fleet watch`: their options, and how they show what was done."""

from __future__ import annotations

import sys
import time
from collections import Counter
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click

from birthmark.app.indexing.watch import Trouble
from birthmark.server.fleet.catalog import FleetRepository, fleet_url, list_repositories
from birthmark.server.fleet.fleet_status import refreshed_document
from birthmark.server.fleet.refresh_task import RefreshedRepository
from birthmark.server.fleet.refreshing import EVERY_SECONDS, RefreshRequest, refresh_fleet, select, watch_fleet
from birthmark.surfaces.cli.interrupts import stopping_cleanly
from birthmark.surfaces.cli.shared_options import Command, wait_option
from birthmark.surfaces.cli.terminal.output import list_options, print_json, print_line, progress_bar, say
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


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--announced", "only_announced", is_flag=True, help="Only repositories with announced pushes.")
@click.option(
    "--retry", "is_impatient", is_flag=True, help="Try those that failed at once, though their next try is later."
)
@work_options
@click.option("--exit-code", is_flag=True, help="Exit with 1 if a repository failed.")
@list_options
@click.pass_context
def refresh(ctx: click.Context, request: RefreshRequest, exit_code: bool, form: str | None) -> None:
    """Fetch all repositories of the fleet, and index those that moved.

    A repository that fails is named and holds up none of the others. It is tried again by a refresh after 5 s, then
    30 s, 2 min, 15 min, 1 h, 4 h, 12 h and 24 h; one that is named is tried at once.

    With --ray the work is spread over the machines of a Ray cluster, on which the same birthmark is installed: many
    repositories at a time, and the files and commits of each. `auto` is the cluster that this machine belongs to.

    \b
    Examples:
      birthmark fleet refresh
      birthmark fleet refresh github.com/pallets/flask --from-history
      birthmark fleet refresh --ray auto --exit-code
    """
    url = fleet_url()
    due, waiting = select(url, request, time.time())
    results: list[RefreshedRepository] = []
    with progress_bar() as progress:
        for done in refresh_fleet(url, due, request, progress):
            results.append(done)
            _show(done, f"[{len(results)}/{len(due)}]", form)
    if form == "json":
        print_json([refreshed_document(done) for done in results])
    _summarise(results, waiting)
    if exit_code and any(done.result is RefreshResult.FAILED for done in results):
        ctx.exit(1)


def _show(done: RefreshedRepository, number: str, form: str | None) -> None:
    """Print one result at once, except for JSON, which is one document for all."""
    if form == "jsonl":
        print_line(refreshed_document(done))
    elif form is None:
        click.echo(f"{number} {done.name}: {describe_refresh(done)}")


def _summarise(results: list[RefreshedRepository], waiting: list[FleetRepository]) -> None:
    counts = Counter(str(done.result) for done in results)
    parts = [f"{counts[result]:,} {result}" for result in RefreshResult if counts[result]]
    parts += [f"{len(waiting):,} not due yet"] if waiting else []
    say(", ".join(parts) or "nothing to refresh; `birthmark fleet add URL` adds a repository")


@click.command()
@click.option(
    "--every",
    type=click.FloatRange(min=1),
    default=EVERY_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Fetch all repositories so often, for pushes that are not announced.",
)
@work_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document per line for every repository.")
def watch(every: float, request: RefreshRequest, as_json: bool) -> None:
    """Refresh the fleet until Ctrl-C: what forges announce at once, everything once in a while.

    Pushes are announced to `birthmark serve --all` by hooks of GitHub or GitLab, and are seen here within 2 s. What
    failed is tried again as by `fleet refresh`. Each repository that was indexed or failed is a line; a database that
    is away is named, and asked again after 5 s. Ctrl-C and SIGTERM end it with exit 0.

    \b
    Examples:
      birthmark fleet watch
      birthmark fleet watch --every 3600 --mirrors /srv/mirrors
      birthmark fleet watch --ray auto --json
    """
    url = fleet_url()
    say(f"watching {count(len(list_repositories(url)), 'repository')}; stop with Ctrl-C")
    with stopping_cleanly() as check:
        for news in watch_fleet(url, request, every):
            if isinstance(news, Trouble):
                say(news.problem)
            elif news.result is not RefreshResult.UNCHANGED:
                _show_line(news, as_json)
            check()


def _show_line(done: RefreshedRepository, as_json: bool) -> None:
    if as_json:
        print_line(refreshed_document(done))
        sys.stdout.buffer.flush()
    else:
        click.echo(f"{time.strftime('%H:%M:%S')}  {done.name}: {describe_refresh(done)}")
