"""The bodies of messages about a scan: for a webhook the document of `scan --json`, for a mailbox Markdown."""

from __future__ import annotations

from birthmark.app.scans.delivery import MailBody
from birthmark.app.scans.outbox import BodyWriters
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.formats.sentences import span, title
from birthmark.surfaces.formats.wording import is_reported, plain, quiet_ambiguous
from birthmark.surfaces.text import count
from birthmark.surfaces.wire.document import encode_line
from birthmark.surfaces.wire.messages import WebhookDocument
from birthmark.surfaces.wire.scans import report_document

EVENT = "birthmark.scan.triggered"


def _webhook_body(report: ScanReport, at: str) -> bytes:
    return encode_line(WebhookDocument(EVENT, at, report_document(report)))


def _mail_body(report: ScanReport) -> bytes:
    from birthmark.surfaces.formats.report_formats import FORMATS

    return encode_line(MailBody(_subject(report), FORMATS["markdown"](report)))


WRITERS = BodyWriters(_webhook_body, _mail_body)


def _subject(report: ScanReport) -> str:
    """What happened, if that is one thing; else how much of what."""
    counts = {
        "trigger": len(report.triggers),
        "ambiguous target": len(quiet_ambiguous(report)),
        "stale link": len(report.stale_docs),
    }
    if len(report.triggers) == sum(counts.values()) == 1:
        return plain(f"birthmark: {next(title(found) for found in report.findings if is_reported(found))}")
    summary = ", ".join(count(number, noun) for noun, number in counts.items() if number)
    return f"birthmark: {summary}; {span(report)}"
