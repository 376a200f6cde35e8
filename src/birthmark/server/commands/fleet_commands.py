"""`fleet`: many repositories in one store."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import click

from birthmark.server.commands.fleet_refresh import mirrors_option, refresh, watch
from birthmark.server.commands.fleet_scan import scan
from birthmark.server.fleet.additions import add_repositories, read_listing, read_source, read_sources
from birthmark.server.fleet.catalog import (
    default_mirrors,
    delete_repository,
    find_repository,
    fleet_url,
    list_repositories,
    remove,
)
from birthmark.server.fleet.fleet_status import FleetRepositoryDocument, status_of
from birthmark.surfaces.cli.terminal.output import (
    json_option,
    list_options,
    print_documents,
    print_json,
    say,
)
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow, print_table
from birthmark.vocabulary import FleetState
from birthmark.words import count, short

_COLORS: dict[str, str] = {
    FleetState.NEW: "yellow",
    FleetState.BEHIND: "yellow",
    FleetState.CURRENT: "green",
    FleetState.FAILED: "red",
}


@click.group()
def fleet() -> None:
    """Index many repositories into one store, on one machine or many.

    The store is a database of PostgreSQL, named by --store or BIRTHMARK_STORE. What is fetched by URL is kept in bare
    mirrors, in which all other commands work: `birthmark -C MIRROR show NAME`.

    \b
    Examples:
      birthmark --store postgresql://db/code fleet add https://github.com/pallets/flask ~/src/tool
      birthmark fleet refresh
      birthmark fleet status
      birthmark fleet scan
    """


for _command in (refresh, scan, watch):
    fleet.add_command(_command)


@fleet.command()
@click.argument("sources", nargs=-1, metavar="[FOLDER|URL]...")
@click.option(
    "--from", "files", type=click.Path(path_type=Path), multiple=True, metavar="FILE", help="A source a line."
)
@click.option(
    "--listing",
    "listings",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="JSON of a forge: what GitHub or GitLab lists of an organisation.",
)
@click.option("--archived", is_flag=True, help="Also add archived repositories of a listing.")
@click.option("--ssh", "by_ssh", is_flag=True, help="Use the ssh addresses of a listing.")
@click.option(
    "--ref", default="", metavar="REF", help="Index this ref, by its full name, instead of the branch of HEAD."
)
@click.option("--name", default="", metavar="NAME", help="Name of a single source in the store.")
@json_option
def add(
    sources: tuple[str, ...],
    files: tuple[Path, ...],
    listings: tuple[Path, ...],
    archived: bool,
    by_ssh: bool,
    ref: str,
    name: str,
    as_json: bool,
) -> None:
    """Add repositories to the fleet; `fleet refresh` indexes them.

    A URL is fetched by https or ssh into a mirror, a folder with a worktree likewise; a bare repository is used where
    it is. A repository is called host/owner/name, without a URL of origin by its folder. Passwords are not stored.

    \b
    Examples:
      birthmark fleet add https://github.com/pallets/flask git@host:team/tool.git
      birthmark fleet add /srv/git/tool.git --ref refs/heads/stable
      birthmark fleet add --from repositories.txt
      birthmark fleet add --listing org.json --ssh
    """
    if not (sources or files or listings):
        raise click.UsageError("name a folder, a URL, --from FILE or --listing FILE")
    url = fleet_url()
    found = chain(
        (read_source(source, ref) for source in sources),
        *(read_sources(path, ref) for path in files),
        *(read_listing(path, ref, with_archived=archived, by_ssh=by_ssh) for path in listings),
    )
    added = add_repositories(url, found, name)
    if as_json:
        print_json(added)
        return
    for name in added.added:
        click.echo(name)
    known = f", {len(added.known):,} known already" if added.known else ""
    say(f"{count(len(added.added), 'repository')} added{known}; `birthmark fleet refresh` indexes them")


@fleet.command("remove")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--delete", is_flag=True, help="Delete what the store has of it, too: index, subscriptions and notes.")
def remove_command(names: tuple[str, ...], delete: bool) -> None:
    """Take repositories out of the fleet.

    Without --delete their indexes stay and can be asked. Mirrors stay where they are.

    \b
    Examples:
      birthmark fleet remove github.com/pallets/flask
      birthmark fleet remove github.com/pallets/flask --delete
    """
    url = fleet_url()
    found = [find_repository(url, name) for name in names]
    remove(url, [one.name for one in found])
    for one in found:
        is_deleted = delete and delete_repository(url, one.name)
        say(f"{one.name}: removed{', and its index deleted' if is_deleted else ''}")


@fleet.command()
@mirrors_option
@list_options
def status(mirrors: Path | None, form: str | None) -> None:
    """List the repositories of the fleet: what was indexed, how far that is behind, what failed.

    Nothing is fetched: what is behind is known as of the last refresh, or by pushes that were announced. How far a
    refresh is that is under way is shown, on whatever machine it is.

    \b
    Examples:
      birthmark fleet status
      birthmark fleet status --json
    """
    found = [status_of(one, mirrors or default_mirrors()) for one in list_repositories(fleet_url())]
    if form is not None:
        print_documents(form, found)
        return
    print_table([_status_row(one) for one in found])
    if not found:
        say("the fleet is empty; `birthmark fleet add URL` adds a repository")
    failed = sum(one.state == FleetState.FAILED for one in found)
    if found:
        say(f"{count(len(found), 'repository')}" + (f", {failed:,} failed" if failed else ""))


def _status_row(known: FleetRepositoryDocument) -> TableRow:
    behind = f"{known.behind:,} behind" if known.behind else ""
    state = Cell(known.state, _COLORS[known.state])
    return known.name, state, short(known.commit) if known.commit else "", behind, _remark(known)


def _remark(known: FleetRepositoryDocument) -> str:
    """Describe the progress of the repository, or its problem."""
    if (progress := known.progress) is not None:
        return f"{progress.stage}, {progress.done:,} of {progress.total:,}"
    trouble = f"{count(known.failures, 'failure')}, next try {_time(known.next_try or 0)}: {known.problem or ''}"
    return trouble if known.failures else ""


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if seconds else "now"
