"""`scan`: what changed in the targets of subscriptions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from birthmark.app.scanning import ScanOptions, list_scans
from birthmark.app.scanning import scan as run_scan
from birthmark.errors import BirthmarkError
from birthmark.store.model import Message, ScanRecord
from birthmark.subscriptions.model import DocLink, Finding, Proposal, ScanReport
from birthmark.surfaces.cli.output import print_json, print_rows, say
from birthmark.surfaces.formats.wording import (
    abridged,
    accepted_location,
    details_of,
    name_of,
    noted,
    plain,
    state_name,
)
from birthmark.surfaces.text import count, lines_of, paint, short
from birthmark.surfaces.wire.subscriptions import encode_report, report_document, scan_document
from birthmark.vocabulary import ChangeType, Muted, ScanReason

FORMATS = ("terminal", "json", "markdown", "sarif", "github", "github-comment", "gitlab")
_SHIFTS = 10  # that are listed, of what may be thousands
_COLOURS = {ChangeType.MISSING: "red", ChangeType.AMBIGUOUS: "red", ChangeType.COSMETIC: "bright_black"}


@click.command()
@click.argument("ids", nargs=-1, metavar="[ID…]")
@click.option("--base", metavar="REV", help="Compare with this revision instead of the accepted states.")
@click.option("--target", metavar="REV", help="Scan this revision instead of the worktree.")
@click.option("--docs", is_flag=True, help="Also check the links `<!-- birthmark: REF -->` in Markdown files.")
@click.option("--cosmetic", is_flag=True, help="Also report changes of formatting, comments and documentation.")
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
    cosmetic: bool,
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
      birthmark scan --updates updates.md
    """
    form = "json" if as_json else form
    if history:
        _print_history(list_scans(None), form == "json")
        return
    if no_record and sinks:
        raise BirthmarkError("--notify stores the scan, so it cannot be combined with --no-record")
    options = ScanOptions(base, target, ids, docs, cosmetic, not no_record, _notifications(sinks))
    report = run_scan(None, options)
    if updates is not None:
        _write(updates, _updates(report, updates))
    if output is not None:
        _write(output, _formatted(report, "json" if form == "terminal" else form))
    elif form == "json":
        print_json(report_document(report))
    elif form == "terminal":
        _print_report(report)
    else:
        click.echo(_formatted(report, form), nl=False)
    if sinks:
        _deliver(sinks)
    if exit_code and (report.triggers or report.stale_docs):
        ctx.exit(1)


def _notifications(sinks: tuple[str, ...]) -> Callable[[ScanReport], list[Message]] | None:
    if not sinks:
        return None
    from birthmark.app.outbox import posting
    from birthmark.surfaces.formats.notifications import WRITERS

    return posting(Path.cwd(), sinks, WRITERS)


def _deliver(sinks: tuple[str, ...]) -> None:
    from birthmark.surfaces.cli.deliver_command import deliver_now

    deliver_now(sinks)


def _formatted(report: ScanReport, form: str) -> str:
    if form == "json":
        return encode_report(report)
    from birthmark.surfaces.formats.report_formats import FORMATS as WRITERS

    return WRITERS[form](report)


def _updates(report: ScanReport, path: Path) -> str:
    from birthmark.surfaces.formats.update_document import write_updates, write_updates_markdown

    return (write_updates_markdown if path.suffix in (".md", ".markdown") else write_updates)(report)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise BirthmarkError(f"{path}: {error.strerror}; name a file that can be written") from error


def _print_history(rows: list[ScanRecord], as_json: bool) -> None:
    if as_json:
        print_json([scan_document(row) for row in rows])
        return
    print_rows([_history_row(row) for row in rows])


def _history_row(row: ScanRecord) -> tuple[str, str, str]:
    triggered = f"{row.triggers:,} triggered" if row.triggers else "nothing triggered"
    return str(row.scan), row.at, f"{state_name(row.base)} to {state_name(row.target)}: {triggered}"


# For people


def _print_report(report: ScanReport) -> None:
    for problem in report.problems:
        say(f"{problem.path}: {problem.problem}")
    reported = [finding for finding in report.findings if finding.muted is None]
    shifted = [finding for finding in reported if _is_shift(finding)]
    for finding in reported:
        if not _is_shift(finding):
            _print_finding(finding)
    for finding in shifted[:_SHIFTS]:
        _print_finding(finding)
    for link in report.stale_docs:
        _print_link(link)
    if len(shifted) > _SHIFTS:
        click.echo(f"{len(shifted) - _SHIFTS:,} more have only shifted")
    click.echo(f"{state_name(report.base)} to {state_name(report.target)}: {_summary(report)}")
    if any(finding.after is not None for finding in reported) and report.scan:
        say("`birthmark apply` accepts what was found")


def _is_shift(finding: Finding) -> bool:
    """Whether nothing happened to it but that its lines have other numbers."""
    return (
        finding.trigger is None
        and finding.proposal is not None
        and finding.proposal.reasons == (ScanReason.LINE_SHIFT,)
    )


def _print_finding(finding: Finding) -> None:
    subscription, trigger = finding.subscription, finding.trigger
    parts = [plain(str(accepted_location(subscription))), plain(name_of(subscription) or ""), subscription.id]
    if subscription.label:
        parts.insert(2, paint(plain(subscription.label), "green"))
    word = trigger.change_type if trigger else "AMBIGUOUS" if finding.is_ambiguous else _moved(finding)
    colour = _COLOURS.get(trigger.change_type, "yellow") if trigger else "cyan"
    click.echo(f"{paint(f'{word:10}', colour)}  {'  '.join(part for part in parts if part)}")
    if trigger is not None:
        click.echo(f"            {', '.join(trigger.reasons)}")
        for word, items in details_of(trigger):
            click.echo(f"            {word}: {abridged([noted(item) for item in items])}")
    elif finding.is_ambiguous:
        click.echo(f"            gone; it may be at {', '.join(finding.locations)}")
    if finding.proposal is not None:
        click.echo(f"            {_proposed(finding.proposal)}")


def _moved(finding: Finding) -> str:
    return "shifted" if _is_shift(finding) else "moved" if finding.proposal else "unchanged"


def _proposed(proposal: Proposal) -> str:
    name = f"{proposal.new_qualname}  " if proposal.new_qualname else ""
    location = f"{proposal.new_path}:{lines_of(proposal.new_start, proposal.new_end)}"
    return f"now at {name}{location}  ({', '.join(proposal.reasons)}; {proposal.confidence})"


def _print_link(link: DocLink) -> None:
    since = f" since {short(link.since)}" if link.since else ""
    now = f"  now {link.now}" if link.now and link.status == "moved" else ""
    why = f"  ({', '.join(link.reasons)})" if link.reasons else ""
    click.echo(
        f"{paint('DOCS'.ljust(10), 'yellow')}  {link.path}:{link.line}  {link.ref}: {link.status}{since}{why}{now}"
    )


def _summary(report: ScanReport) -> str:
    muted = [(sum(found.muted == why for found in report.findings), str(why)) for why in Muted]
    counts = [
        (len(report.triggers), "triggered"),
        (len(report.proposals), "to be moved"),
        (len(report.ambiguous), "ambiguous"),
        (report.n_unchanged, "unchanged"),
        *muted,
        (report.n_inactive, "inactive"),
    ]
    parts = [f"{number:,} {word}" for number, word in counts if number]
    if report.docs:
        parts.append(f"{len(report.stale_docs):,} of {count(len(report.docs), 'link')} in documents to be checked")
    return ", ".join(parts) or "there are no subscriptions"
