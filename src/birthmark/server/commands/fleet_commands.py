"""`fleet`: many repositories in one store."""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import click

from birthmark.server.commands.fleet_options import describe_refresh, mirrors_option, work_options
from birthmark.server.commands.fleet_scan import scan
from birthmark.server.commands.fleet_watch_command import watch
from birthmark.server.fleet.additions import ListingChoice, add_repositories, read_listing, read_source, read_sources
from birthmark.server.fleet.catalog import (
    FleetRepository,
    default_mirrors,
    delete_repository,
    find_repository,
    fleet_url,
    list_repositories,
    remove,
)
from birthmark.server.fleet.documents import added_document, fleet_repository_document, refreshed_document
from birthmark.server.fleet.fleet_status import RepositoryStatus, status_of
from birthmark.server.fleet.refresh_task import RefreshedRepository
from birthmark.server.fleet.refreshing import RefreshRequest, refresh_fleet, select
from birthmark.surfaces.cli.terminal.output import (
    json_option,
    list_options,
    print_documents,
    print_json,
    print_line,
    progress_bar,
    say,
)
from birthmark.surfaces.cli.terminal.tables import Cell, TableRow, print_table
from birthmark.vocabulary import FleetState, RefreshResult
from birthmark.words import count, short

_COLORS = {
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


fleet.add_command(scan)
fleet.add_command(watch)


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
    url, choice = fleet_url(), ListingChoice(archived, by_ssh)
    found = chain(
        (read_source(source, ref) for source in sources),
        *(read_sources(path, ref) for path in files),
        *(read_listing(path, ref, choice) for path in listings),
    )
    added = add_repositories(url, found, name)
    if as_json:
        print_json(added_document(added))
        return
    for one in added.new:
        click.echo(one.name)
    known = f", {len(added.known):,} known already" if added.known else ""
    say(f"{count(len(added.new), 'repository')} added{known}; `birthmark fleet refresh` indexes them")


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
        print_documents(form, map(fleet_repository_document, found))
        return
    print_table([_status_row(one) for one in found])
    if not found:
        say("the fleet is empty; `birthmark fleet add URL` adds a repository")
    failed = sum(one.state is FleetState.FAILED for one in found)
    if found:
        say(f"{count(len(found), 'repository')}" + (f", {failed:,} failed" if failed else ""))


def _status_row(status: RepositoryStatus) -> TableRow:
    known = status.repository
    behind = f"{status.behind:,} behind" if status.behind else ""
    state = Cell(str(status.state), _COLORS[status.state])
    return (known.name, state, short(known.indexed) if known.indexed else "", behind, _remark(status))


def _remark(status: RepositoryStatus) -> str:
    """Describe the progress of the repository, or its problem."""
    known, progress = status.repository, status.progress
    if progress is not None:
        return f"{progress.stage}, {progress.done:,} of {progress.total:,}"
    trouble = f"{count(known.failures, 'failure')}, next try {_time(known.next_try)}: {known.problem}"
    return trouble if known.failures else ""


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if seconds else "now"


@fleet.command()
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
