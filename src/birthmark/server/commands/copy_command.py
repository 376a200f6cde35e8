"""`copy`."""

from __future__ import annotations

from pathlib import Path

import click

from birthmark.surfaces.cli.shared_options import wait_option
from birthmark.surfaces.cli.terminal.output import json_option, print_json, progress_bar
from birthmark.words import count


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--restart", is_flag=True, help="Drop what an interrupted copy has put there, and begin anew.")
@wait_option
@json_option
def copy(source: str, target: str, restart: bool, wait: float, as_json: bool) -> None:
    """Copy an index from one store to another.

    FROM and TO are the folder of a repository, whose index is in .birthmark/, or postgresql://HOST/DATABASE, where
    --repository says what it is called if not by its origin. Everything is copied: identities, events, versions,
    subscriptions, notes, scans and messages that are to be delivered. FROM stays as it is; what is written to it
    meanwhile is not copied. TO must have nothing of the repository.

    Until all is there and was compared, TO has no index. After an interruption the same command continues; if FROM was
    written to in between, it begins anew.

    \b
    Examples:
      birthmark copy . postgresql://db.example/code
      birthmark copy postgresql://db.example/code . --repository github.com/pallets/flask
    """
    from birthmark.server.copying import copy_stores, find_places

    places = find_places(source, target, Path.cwd())
    with progress_bar() as progress:
        report = copy_stores(*places, wait, progress, restarts=restart)
    if as_json:
        print_json(report)
        return
    click.echo(f"{report.source} is in {report.target} now")
    n_rows = count(sum(report.rows.values()), "row")
    resumed = f", {report.resumed:,} of them before an interruption" if report.resumed else ""
    click.echo(f"{n_rows}{resumed}; {count(report.rows.get('identities', 0), 'identity')}, all the same")
