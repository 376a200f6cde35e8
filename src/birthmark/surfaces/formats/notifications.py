"""The bodies of messages about a scan: for a webhook as its settings say, for a mailbox Markdown."""

from __future__ import annotations

from birthmark.app.scans.outbox import BodyWriters
from birthmark.documents.document import encode_line
from birthmark.documents.scans import WebhookDocument, report_document
from birthmark.server.delivery.chat_messages import write_slack, write_teams
from birthmark.server.delivery.sending import MailBody
from birthmark.subscriptions.model import ScanReport
from birthmark.surfaces.formats.report_summary import subject_line
from birthmark.vocabulary import WebhookFormat

EVENT = "birthmark.scan.triggered"


def _document_body(report: ScanReport, at: str) -> bytes:
    """The document of `scan --json`."""
    return encode_line(WebhookDocument(EVENT, at, report_document(report)))


def _mail_body(report: ScanReport) -> bytes:
    from birthmark.surfaces.formats.report_formats import FORMATS

    return encode_line(MailBody(subject_line(report), FORMATS["markdown"](report)))


WRITERS = BodyWriters(
    webhooks={
        WebhookFormat.JSON: _document_body,
        WebhookFormat.SLACK: write_slack,
        WebhookFormat.TEAMS: write_teams,
    },
    mail=_mail_body,
)
