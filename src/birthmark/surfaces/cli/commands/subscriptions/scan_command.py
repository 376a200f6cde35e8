"""`scan`: what changed in the targets of subscriptions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from birthmark.app.scans.document_fixes import fix_documents
from birthmark.app.scans.scanning import ScanOptions
from birthmark.app.scans.scanning import scan as run_scan
from birthmark.app.scans.stored_scans import list_scans
from birthmark.app.server_part import delivery
from birthmark.app.workspace.session import open_session
from birthmark.documents.scans import encode_report, report_document, scan_document
from birthmark.documents.wording import plain, state_name
from birthmark.errors import BirthmarkError
from birthmark.store.model import Message, ScanRecord
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.cli.terminal.output import paging, print_json, say
from birthmark.surfaces.cli.terminal.scan_report import print_report
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.words import count

FORMATS = ("terminal", "json", "markdown", "sarif", "github", "github-comment", "gitlab")


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID…]")
@click.option("--base", metavar="REV", help="Compare with this revision instead of the accepted states.")
@click.option("--target", metavar="REV", help="Scan this revision instead of the worktree.")
@click.option("--docs", is_flag=True, help="Also check the links `<!-- birthmark: REF -->` in Markdown files.")
@click.option("--fix", is_flag=True, help="With --docs: show the links whose targets have moved, and rewrite them.")
@click.option("--cosmetic", is_flag=True, help="Also report changes of formatting, comments and documentation.")
@click.option("--quick", is_flag=True, help="Look up neither the commits nor the lines of what changed.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="terminal", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--output", type=click.Path(dir_okay=False, path_type=Path), help="Write the report to a file.")
@click.option(
    "--updates",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write an update document to review and apply later: Markdown if it ends in .md, else JSON.",
)
@click.option(
    "--notify",
    "sinks",
    multiple=True,
    metavar="NAME",
    help="Send the report to a webhook or mail address in birthmark.toml.",
)
@click.option("--no-record", is_flag=True, help="Do not store the scan; it cannot be applied later.")
@click.option("--history", is_flag=True, help="List earlier scans instead of scanning.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 if something triggered.")
@click.pass_context
def scan(
    ctx: click.Context,
    ids: tuple[str, ...],
    base: str | None,
    target: str | None,
    docs: bool,
    fix: bool,
    cosmetic: bool,
    quick: bool,
    form: str,
    as_json: bool,
    output: Path | None,
    updates: Path | None,
    sinks: tuple[str, ...],
    no_record: bool,
    history: bool,
    exit_code: bool,
) -> None:
    """Check all subscriptions, or those named: report what changed, and propose where each should point now.

    The subscriptions are not changed: `birthmark apply` accepts the findings.

    \b
    Examples:
      birthmark scan
      birthmark scan --base main --exit-code
      birthmark scan --base v1.0 --target v2.0 --json
      birthmark scan --docs --format markdown
      birthmark scan --docs --fix
      birthmark scan --updates updates.md
    """
    form = "json" if as_json else form
    if history:
        _print_history(list_scans(None), form == "json")
        return
    if no_record and sinks:
        raise BirthmarkError("--notify stores the scan, so it cannot be combined with --no-record")
    if fix and (target is not None or not docs):
        raise BirthmarkError("--fix rewrites documents of the worktree; use it with --docs and without --target")
    options = ScanOptions(base, target, ids, docs, cosmetic, not no_record, quick, _notifications(sinks))
    with open_session() as session:
        report = run_scan(session, options)
    is_shown = output is None and form == "terminal"
    report = fix_documents(None, report) if fix and not is_shown else report
    if updates is not None:
        write_file(updates, _updates(report, updates))
    if is_shown:
        with paging():
            print_report(report, advises_fix=not fix)
        report = _fix(report) if fix else report
    else:
        _put(report, "json" if form == "terminal" else form, output)
    if sinks:
        delivery().deliver_now(sinks)
    if exit_code and (report.triggers or report.stale_docs):
        ctx.exit(1)


def _put(report: ScanReport, form: str, output: Path | None) -> None:
    """To a file, or to standard output."""
    if output is not None:
        write_file(output, _formatted(report, form))
    elif form == "json":
        print_json(report_document(report))
    else:
        click.echo(_formatted(report, form), nl=False)


def _fix(report: ScanReport) -> ScanReport:
    """After the links were shown."""
    fixed = fix_documents(None, report)
    done = [link for link in fixed.docs if link.fixed]
    shown = {(link.path, link.line) for link in report.docs if link.kept_because}
    kept = [link for link in fixed.docs if link.kept_because and (link.path, link.line) not in shown]
    click.echo(f"{count(len(done), 'link')} rewritten in {count(len({link.path for link in done}), 'document')}")
    for link in kept:
        say(plain(f"{link.path}:{link.line}: {link.ref} is left as it is: {link.kept_because}"))
    return fixed


def _notifications(sinks: tuple[str, ...]) -> Callable[[ScanReport], list[Message]] | None:
    if not sinks:
        return None
    return delivery().posting(Path.cwd(), sinks)


def _formatted(report: ScanReport, form: str) -> str:
    if form == "json":
        return encode_report(report)
    from birthmark.surfaces.formats.report_formats import FORMATS as WRITERS

    return WRITERS[form](report)


def _updates(report: ScanReport, path: Path) -> str:
    from birthmark.surfaces.formats.update_document import write_updates, write_updates_markdown

    return (write_updates_markdown if path.suffix in (".md", ".markdown") else write_updates)(report)


def write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; name a file that can be written") from error


def _print_history(rows: list[ScanRecord], as_json: bool) -> None:
    if as_json:
        print_json([scan_document(row) for row in rows])
        return
    print_table([_history_row(row) for row in rows])


def _history_row(row: ScanRecord) -> tuple[str, str, str]:
    triggered = f"{row.triggers:,} triggered" if row.triggers else "nothing triggered"
    return str(row.scan), row.at, f"{state_name(row.base)} to {state_name(row.target)}: {triggered}"
