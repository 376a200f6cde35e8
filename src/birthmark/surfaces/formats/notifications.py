"""What a scan found, as messages to those who want to be told elsewhere: one for each sink that was named.

A webhook gets the document that `scan --json` prints, a mailbox a subject and a text in Markdown. Nothing is written
if there is nothing to tell.
"""

from __future__ import annotations

import base64
import secrets
from collections.abc import Iterable

from birthmark.app.delivery import MailBody, sinks
from birthmark.errors import BirthmarkError
from birthmark.sources.config import CONFIG_FILE, Settings
from birthmark.store.model import Message
from birthmark.subscriptions.model import ScanReport, timestamp
from birthmark.surfaces.formats.wording import state_name, untold_ambiguous
from birthmark.surfaces.text import count
from birthmark.surfaces.wire import encode_line
from birthmark.surfaces.wire_scan import report_document

EVENT = "birthmark.scan.triggered"
_ID_BYTES = 20


def make_notifications(report: ScanReport, names: Iterable[str], settings: Settings) -> list[Message]:
    """A message for each of the named sinks; a BirthmarkError for one that the settings do not know."""
    names = check_names(names, settings)
    if not (report.triggers or report.stale_docs or report.ambiguous):
        return []
    at = timestamp()
    return [
        Message(
            message=new_message_id(),
            scan=report.scan or 0,
            sink=name,
            body=_mail_body(report) if name in settings.mail else _webhook_body(report, at),
            created_at=at,
        )
        for name in names
    ]


def check_names(names: Iterable[str], settings: Settings) -> list[str]:
    """Each name once, if the settings know them all. To be asked before a scan, which may take a while."""
    known, names = sinks(settings), list(dict.fromkeys(names))
    for name in names:
        if name not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise BirthmarkError(f"{name}: {CONFIG_FILE} has no [webhooks.{name}] or [mail.{name}]; {there}")
    return names


def new_message_id() -> str:
    return "msg_" + base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()


def _webhook_body(report: ScanReport, at: str) -> bytes:
    return encode_line({"type": EVENT, "timestamp": at, "data": report_document(report)})


def _mail_body(report: ScanReport) -> bytes:
    from birthmark.surfaces.formats.report_formats import FORMATS

    return encode_line(MailBody(_subject(report), FORMATS["markdown"](report)))


def _subject(report: ScanReport) -> str:
    counts = {
        "trigger": len(report.triggers),
        "ambiguous target": len(untold_ambiguous(report)),
        "stale link": len(report.stale_docs),
    }
    told = ", ".join(count(number, noun) for noun, number in counts.items() if number)
    return f"birthmark: {told} from {state_name(report.base)} to {state_name(report.target)}"
