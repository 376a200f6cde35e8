"""`fleet watch`."""

from __future__ import annotations

import sys
import time

import click

from birthmark.app.indexing.watch import Trouble
from birthmark.server.commands.fleet_options import describe_refresh, work_options
from birthmark.server.fleet.catalog import fleet_url, list_repositories
from birthmark.server.fleet.documents import refreshed_document
from birthmark.server.fleet.refresh_task import RefreshedRepository
from birthmark.server.fleet.refreshing import RefreshRequest
from birthmark.server.fleet.watching import EVERY_SECONDS, Pace, watch_fleet
from birthmark.surfaces.cli.interrupts import stopping_cleanly
from birthmark.surfaces.cli.terminal.output import print_line, say
from birthmark.vocabulary import RefreshResult
from birthmark.words import count


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
        for news in watch_fleet(url, request, Pace(every)):
            if isinstance(news, Trouble):
                say(news.problem)
            elif news.result is not RefreshResult.UNCHANGED:
                _show(news, as_json)
            check()


def _show(done: RefreshedRepository, as_json: bool) -> None:
    if as_json:
        print_line(refreshed_document(done))
        sys.stdout.buffer.flush()
    else:
        click.echo(f"{time.strftime('%H:%M:%S')}  {done.name}: {describe_refresh(done)}")
