"""`scan`: what changed in the targets of subscriptions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from birthmark.app.scans.documents import fix_documents
from birthmark.app.scans.stored_scans import list_scans
from birthmark.app.server_part import delivery
from birthmark.app.workspace.workspace import Workspace, find_workspace
from birthmark.documents.scans import encode_report, report_document, scan_document
from birthmark.documents.wording import plain, state_name
from birthmark.errors import BirthmarkError
from birthmark.questions.question import PagedQuestion, make_question
from birthmark.questions.scans import Scan
from birthmark.store.model import Message, ScanRecord
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.cli.question_command import common_options, help_of, open_for_command, options_of, values_of
from birthmark.surfaces.cli.terminal.output import paging, print_json, say
from birthmark.surfaces.cli.terminal.scan_report import print_report
from birthmark.surfaces.cli.terminal.tables import print_table
from birthmark.words import count

FORMATS = ("terminal", "json", "markdown", "sarif", "github", "github-comment", "gitlab")


def _scan(
    form: str | None,
    terminal_form: str,
    fix: bool,
    output: Path | None,
    updates: Path | None,
    sinks: tuple[str, ...],
    no_record: bool,
    history: bool,
    exit_code: bool,
    **given: object,
) -> None:
    form = form or terminal_form
    if history:
        _print_history(list_scans(find_workspace(Path.cwd())), form == "json")
        return
    asked = make_question(Scan, values_of(Scan, given))
    if no_record and sinks:
        raise BirthmarkError("--notify stores the scan, so it cannot be combined with --no-record")
    if fix and (asked.target is not None or not asked.docs):
        raise BirthmarkError("--fix rewrites documents of the worktree; use it with --docs and without --target")
    with open_for_command(refreshes=False) as session:
        workspace = session.workspace
        report = asked.find(session, record=not no_record, post=_notifications(sinks))
    is_shown = output is None and form == "terminal"
    report = fix_documents(workspace, report) if fix and not is_shown else report
    if updates is not None:
        write_file(updates, _updates(report, updates))
    if is_shown:
        with paging():
            print_report(report, advises_fix=not fix)
        report = _fix(workspace, report) if fix else report
    else:
        _put(report, "json" if form == "terminal" else form, output)
    if sinks:
        delivery().deliver_now(sinks)
    if exit_code and (report.triggers or report.stale_docs):
        click.get_current_context().exit(1)


_FILE = click.Path(dir_okay=False, path_type=Path)
_UPDATES = "Write an update document to review and apply later: Markdown if it ends in .md, else JSON."
_OPTIONS = (
    click.Option(
        ["--fix"], is_flag=True, help="With --docs: show the links whose targets have moved, and rewrite them."
    ),
    click.Option(["--format", "terminal_form"], type=click.Choice(FORMATS), default="terminal", show_default=True),
    click.Option(["--output"], type=_FILE, help="Write the report to a file."),
    click.Option(["--updates"], type=_FILE, help=_UPDATES),
    click.Option(
        ["--notify", "sinks"],
        multiple=True,
        metavar="NAME",
        help="Send the report to a webhook or mail address in birthmark.toml.",
    ),
    click.Option(["--no-record"], is_flag=True, help="Do not store the scan; it cannot be applied later."),
    click.Option(["--history"], is_flag=True, help="List earlier scans instead of scanning."),
    click.Option(["--exit-code"], is_flag=True, help="Exit with 1 if something triggered."),
)
_ASKED = [option for option in options_of(Scan) if option.name not in PagedQuestion.__struct_fields__]
scan = click.Command(None, callback=_scan, params=[*_ASKED, *_OPTIONS, *common_options(Scan)], help=help_of(Scan))


def _put(report: ScanReport, form: str, output: Path | None) -> None:
    """To a file, or to standard output."""
    if output is not None:
        write_file(output, _formatted(report, form))
    elif form == "json":
        print_json(report_document(report))
    else:
        click.echo(_formatted(report, form), nl=False)


def _fix(workspace: Workspace, report: ScanReport) -> ScanReport:
    """After the links were shown."""
    fixed = fix_documents(workspace, report)
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
