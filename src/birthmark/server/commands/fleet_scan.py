"""`fleet scan`: what changed in the targets of the subscriptions of all repositories."""

from __future__ import annotations

from pathlib import Path

import click

from birthmark.app.scans.scanning import ScanOptions
from birthmark.server.commands.fleet_options import mirrors_option
from birthmark.server.delivery.posting import deliver_messages, posting
from birthmark.server.fleet.catalog import default_mirrors, fleet_url
from birthmark.server.fleet.documents import fleet_scan_document
from birthmark.server.fleet.fleet_scans import RepositoryScan, scan_fleet
from birthmark.surfaces.cli.terminal.output import list_options, print_json, print_line, say
from birthmark.surfaces.cli.terminal.scan_report import print_report
from birthmark.surfaces.text import paint
from birthmark.words import count


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
    """As it comes, but for one document of all."""
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
