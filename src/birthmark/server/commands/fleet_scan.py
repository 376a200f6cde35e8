"""`fleet scan`: what changed in the targets of the subscriptions of all repositories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import click

from birthmark.app.scans.scanning import ScanOptions
from birthmark.app.scans.scanning import scan as scan_repository
from birthmark.app.scans.subscription_repository import list_subscriptions
from birthmark.app.workspace.session import open_session
from birthmark.documents.document import Document, doc
from birthmark.documents.scans import ReportDocument, report_document
from birthmark.errors import BirthmarkError
from birthmark.server.commands.fleet_refresh import mirrors_option
from birthmark.server.delivery.posting import deliver_messages, posting
from birthmark.server.fleet.catalog import (
    FleetRepository,
    default_mirrors,
    find_repository,
    fleet_url,
    folder_of,
    list_repositories,
    write_name,
)
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.cli.terminal.output import list_options, print_json, print_line, say
from birthmark.surfaces.cli.terminal.scan_report import print_report
from birthmark.surfaces.text import paint
from birthmark.words import count


class RepositoryScan(NamedTuple):
    """The result of scanning a repository, or the reason why it was not scanned."""

    repository: str
    folder: Path
    report: ScanReport | None = None
    problem: str = ""


class FleetScanDocument(Document, frozen=True):
    """The result of scanning a repository of a fleet."""

    repository: str
    report: Annotated[ReportDocument | None, doc("null if it was not scanned")]
    problem: Annotated[str | None, doc("why it was not")]


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--cosmetic", is_flag=True, help="Also report changes of formatting, comments and documentation.")
@click.option("--quick", is_flag=True, help="Look up neither the commits nor the lines of what changed.")
@click.option("--notify", "sinks", multiple=True, metavar="NAME", help="Send each report to a webhook or mail address.")
@mirrors_option
@click.option("--exit-code", is_flag=True, help="Exit with 1 if something triggered.")
@list_options
@click.pass_context
def scan(
    ctx: click.Context,
    names: tuple[str, ...],
    cosmetic: bool,
    quick: bool,
    sinks: tuple[str, ...],
    mirrors: Path | None,
    exit_code: bool,
    form: str | None,
) -> None:
    """Check the subscriptions of all repositories of the fleet, or of those named, after a refresh.

    Webhooks and mail addresses are those of a birthmark.toml in the folder of the mirrors, or in that of a mirror; a
    committed one is not read.

    \b
    Examples:
      birthmark fleet scan
      birthmark fleet scan --notify team
      birthmark fleet scan github.com/pallets/flask --json
    """
    folder = mirrors or default_mirrors()

    def options_in(root: Path) -> ScanOptions:
        post = posting(root, sinks) if sinks else None
        return ScanOptions(cosmetic=cosmetic, quick=quick, post=post, mirrors=folder)

    found = list[RepositoryScan]()
    for one in scan_fleet(fleet_url(), names, folder, options_in):
        found.append(one)
        _show(one, form)
        if sinks and one.report is not None:
            deliver_messages(one.folder, names=sinks)
    if form == "json":
        print_json([fleet_scan_document(one) for one in found])
    _summarise(found)
    if exit_code and any(one.report is not None and one.report.triggers for one in found):
        ctx.exit(1)


def _show(one: RepositoryScan, form: str | None) -> None:
    """Print one report at once, except for JSON, which is one document for all."""
    if form == "jsonl":
        print_line(fleet_scan_document(one))
    elif form is None and one.report is not None:
        click.echo(f"# {paint(one.repository, 'bold')}\n")
        print_report(one.report)
        click.echo()
    if one.problem:
        say(f"{one.repository}: {one.problem}")


def _summarise(found: list[RepositoryScan]) -> None:
    scanned = [one.report for one in found if one.report is not None]
    triggered = sum(len(report.triggers) for report in scanned)
    failed = len(found) - len(scanned)
    parts = [f"{count(len(scanned), 'repository')} with subscriptions", f"{triggered:,} triggered"]
    say(", ".join(parts + ([f"{failed:,} not scanned"] if failed else [])))


def scan_fleet(
    url: str, names: Sequence[str], mirrors: Path, options_in: Callable[[Path], ScanOptions]
) -> Iterator[RepositoryScan]:
    """Those that are named, or all that have subscriptions; what is wrong with one holds up none of the others."""
    known = [find_repository(url, name) for name in names] if names else list_repositories(url)
    for one in known:
        done = _scan_one(one, folder_of(one, mirrors), options_in)
        if names or done is not None:
            yield done or RepositoryScan(one.name, folder_of(one, mirrors), problem="there are no subscriptions in it")


def _scan_one(
    repository: FleetRepository, folder: Path, options_in: Callable[[Path], ScanOptions]
) -> RepositoryScan | None:
    """None where there is nothing to scan."""
    if not folder.is_dir():
        problem = "is not on this machine yet; run `birthmark fleet refresh`"
        return RepositoryScan(repository.name, folder, problem=problem)
    try:
        write_name(folder, repository.name)
        with open_session(folder) as session:
            if not list_subscriptions(session.workspace):
                return None
            return RepositoryScan(repository.name, folder, scan_repository(session, options_in(folder)))
    except BirthmarkError as error:
        return RepositoryScan(repository.name, folder, problem=str(error))


def fleet_scan_document(done: RepositoryScan) -> FleetScanDocument:
    report = None if done.report is None else report_document(done.report)
    return FleetScanDocument(done.repository, report, done.problem or None)
